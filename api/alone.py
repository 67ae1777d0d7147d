"""Everything players ask about one miniature: how far everybody is, whom it threatens, who threatens it."""

import math
from collections.abc import Iterator

from pydantic import Field

from api.etiquette import of_ghosts
from api.fielded import everybody, leading, plays_units
from api.line import Line
from api.memory import Ask
from api.rings import Ring, rings_of
from api.supposing import Supposing, ToldInches, as_supposed
from api.threats import threats_between
from api.unit_lines import Two
from api.unit_threats import threats_of_units
from models.frozen import Frozen
from models.miniature import Miniature
from models.queries import QUERY
from models.state import TableState
from models.verdict import Verdict
from models.words import Id
from referee.sides import are_enemies


class Alone(Supposing):
    """One miniature, and what a camera cannot know."""

    who: Id
    ring_in: ToldInches | None = Field(None, description="one more ring to draw, this far from the base")


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
    supposed, card = as_supposed(state, asked), leading(state, asked.who, field="who").profile
    me = leading(supposed, asked.who, field="who")
    ask = of_ghosts(ask, asked.ghosts)
    rings = tuple(rings_of(supposed, me, card=card, ring_in=asked.ring_in, ask=ask))
    apart = _apart(supposed, asked.who, ask)
    others = {id_: _other(supposed, me, id_, verdict) for id_, verdict in apart.items()}
    front = _front(supposed, me, asked.who, others, ask)
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
        if lines := tuple(_threats(supposed, asked.who, other, ask)):
            others[id_] = Other.model_validate(other.model_dump() | {"lines": lines})
            yield told(is_whole=False)
    yield told(is_whole=True)


def _apart(state: TableState, who: Id, ask: Ask) -> dict[Id, Verdict]:
    """How far everybody else is."""
    others = (id_ for id_ in everybody(state) if id_ != who)
    return {id_: ask(state, QUERY.validate_python({"kind": "distance", "a": who, "b": id_})) for id_ in others}


def _other(state: TableState, me: Miniature, id_: Id, verdict: Verdict) -> Other:
    gap = verdict.measured[0] if verdict.measured else None
    return Other(
        id=id_,
        is_enemy=are_enemies(state, me, leading(state, id_, field="who")),
        distance_mm=None if gap is None else gap.value_mm,
        sigma_mm=None if gap is None else gap.sigma_mm,
    )


def _by_distance(other: Other) -> float:
    return math.inf if other.distance_mm is None else other.distance_mm


def _why(verdict: Verdict) -> str:
    return verdict.advice or verdict.unlock or "This may not be measured now."


def _threats(state: TableState, who: Id, other: Other, ask: Ask) -> Iterator[Line]:
    if not other.is_enemy or other.distance_mm is None:
        return
    doubt = {"apart_mm": other.distance_mm, "sigma_mm": other.sigma_mm or 0.0}
    if plays_units(state):
        yield from threats_of_units(Two(state, who, other.id), **doubt, ask=ask)
    else:
        me, foe = (leading(state, id_, field="who") for id_ in (who, other.id))
        yield from threats_between(state, me, foe, **doubt, ask=ask)


def _front(state: TableState, me: Miniature, who: Id, others: dict[Id, Other], ask: Ask) -> Verdict | None:
    """The verdict on the nearest other, whose witness holds the lines that its front arc or its zones end at."""
    if not others or me.facing_deg is None:
        return None
    nearest, kind = min(others.values(), key=_by_distance), "arc" if plays_units(state) else "in-front-arc"
    return ask(state, QUERY.validate_python({"kind": kind, "viewer": who, "target": nearest.id}))
