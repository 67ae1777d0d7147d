"""Everything players ask about one miniature: how far everybody is, whom it threatens, who threatens it."""

import math
from collections.abc import Iterator

from pydantic import Field

from api.etiquette import of_ghosts
from api.line import Line
from api.memory import Ask
from api.rings import Ring, rings_of
from api.supposing import Supposing, as_supposed
from api.threats import threats_between
from models.errors import UnknownThing
from models.frozen import Frozen
from models.miniature import Miniature
from models.queries import QUERY
from models.state import TableState
from models.verdict import Verdict
from models.words import Id, NotNegative
from referee.sides import are_enemies


class Alone(Supposing):
    """One miniature, and what a camera cannot know."""

    who: Id
    ring_in: NotNegative | None = Field(None, description="one more ring to draw, this far from the base")


class Other(Frozen):
    """Another miniature as seen from this one: how far off, and the threats that hold."""

    id: Id
    is_enemy: bool
    distance_mm: float | None = Field(description="null: may not be measured now")
    sigma_mm: float | None
    lines: tuple[Line, ...] = ()


class Around(Frozen):
    """What is around one miniature; the others are ordered by distance."""

    state_id: str
    who: Id
    is_whole: bool = Field(description="whether every threat is answered and none will follow")
    reach_in: float
    speed_in: float
    refused: str | None = Field(description="why distances may not be measured now, and what would allow it")
    front: Verdict | None = Field(description="its front arc, asked about the nearest other; null: nobody to ask about")
    rings: tuple[Ring, ...]
    others: tuple[Other, ...]


def around(state: TableState, asked: Alone, *, ask: Ask) -> Iterator[Around]:
    """What is around it as far as it is quickly told, then with each threat more; the last is whole.

    Raises: UnknownThing when somebody is not on the table.
    """
    me, card = _find(as_supposed(state, asked), asked.who), _find(state, asked.who).profile
    supposed = as_supposed(state, asked)
    ask = of_ghosts(ask, asked.ghosts)
    rings = tuple(rings_of(supposed, me, card=card, ring_in=asked.ring_in, ask=ask))
    apart = _apart(supposed, me, ask)
    others = {id_: _other(supposed, me, id_, verdict) for id_, verdict in apart.items()}
    front = _front(supposed, me, others, ask)
    refused = next((_why(verdict) for verdict in apart.values() if verdict.status == "refused"), None)

    def told(*, is_whole: bool) -> Around:
        return Around(
            state_id=state.state_id,
            who=asked.who,
            is_whole=is_whole,
            reach_in=asked.supposed_reach_in,
            speed_in=asked.supposed_speed_in,
            refused=refused,
            front=front,
            rings=rings,
            others=tuple(sorted(others.values(), key=_by_distance)),
        )

    yield told(is_whole=False)
    for id_, other in list(others.items()):
        if lines := tuple(_threats(supposed, me, other, ask)):
            others[id_] = Other.model_validate(other.model_dump() | {"lines": lines})
            yield told(is_whole=False)
    yield told(is_whole=True)


def _find(state: TableState, id_: Id) -> Miniature:
    """Raises: UnknownThing."""
    for miniature in state.miniatures:
        if miniature.id == id_:
            return miniature
    raise UnknownThing(f"there is no miniature {id_!r} on the table", field="who", value=id_)


def _apart(state: TableState, me: Miniature, ask: Ask) -> dict[Id, Verdict]:
    """How far everybody else is."""
    others = (m for m in state.miniatures if m.id != me.id and "removed" not in m.status)
    return {m.id: ask(state, QUERY.validate_python({"kind": "distance", "a": me.id, "b": m.id})) for m in others}


def _other(state: TableState, me: Miniature, id_: Id, verdict: Verdict) -> Other:
    gap = verdict.measured[0] if verdict.measured else None
    return Other(
        id=id_,
        is_enemy=are_enemies(state, me, _find(state, id_)),
        distance_mm=None if gap is None else gap.value_mm,
        sigma_mm=None if gap is None else gap.sigma_mm,
    )


def _by_distance(other: Other) -> float:
    return math.inf if other.distance_mm is None else other.distance_mm


def _why(verdict: Verdict) -> str:
    return verdict.advice or verdict.unlock or "This may not be measured now."


def _threats(state: TableState, me: Miniature, other: Other, ask: Ask) -> Iterator[Line]:
    if not other.is_enemy or other.distance_mm is None:
        return
    doubt = {"apart_mm": other.distance_mm, "sigma_mm": other.sigma_mm or 0.0}
    yield from threats_between(state, me, _find(state, other.id), **doubt, ask=ask)


def _front(state: TableState, me: Miniature, others: dict[Id, Other], ask: Ask) -> Verdict | None:
    """The verdict on the nearest other, whose witness holds the line that the front arc ends at."""
    if not others or me.facing_deg is None:
        return None
    nearest = min(others.values(), key=_by_distance)
    return ask(state, QUERY.validate_python({"kind": "in-front-arc", "viewer": me.id, "target": nearest.id}))
