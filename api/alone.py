"""Everything players ask about one miniature: how far everybody is, whom it threatens, who threatens it."""

from collections.abc import Iterator

from pydantic import Field

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
    distance_mm: float
    sigma_mm: float
    lines: tuple[Line, ...] = ()


class Around(Frozen):
    """What is around one miniature; the others are ordered by distance."""

    state_id: str
    who: Id
    is_whole: bool = Field(description="whether every threat is answered and none will follow")
    reach_in: float
    speed_in: float
    front: Verdict | None = Field(description="its front arc, asked about the nearest other; null: nobody to ask about")
    rings: tuple[Ring, ...]
    others: tuple[Other, ...]


def around(state: TableState, asked: Alone, *, ask: Ask) -> Iterator[Around]:
    """What is around it as far as it is quickly told, then with each threat more; the last is whole.

    Raises: UnknownThing when somebody is not on the table.
    """
    me, card = _find(as_supposed(state, asked), asked.who), _find(state, asked.who).profile
    supposed = as_supposed(state, asked)
    rings = tuple(rings_of(supposed, me, card=card, ring_in=asked.ring_in, ask=ask))
    others = {other.id: other for other in _by_distance(supposed, me, ask)}
    front = _front(supposed, me, others, ask)

    def told(*, is_whole: bool) -> Around:
        return Around(
            state_id=state.state_id,
            who=asked.who,
            is_whole=is_whole,
            reach_in=asked.supposed_reach_in,
            speed_in=asked.supposed_speed_in,
            front=front,
            rings=rings,
            others=tuple(others.values()),
        )

    yield told(is_whole=False)
    for other in [one for one in others.values() if one.is_enemy]:
        foe, doubt = _find(supposed, other.id), {"apart_mm": other.distance_mm, "sigma_mm": other.sigma_mm}
        if lines := tuple(threats_between(supposed, me, foe, **doubt, ask=ask)):
            others[other.id] = Other(
                id=other.id, is_enemy=True, lines=lines, distance_mm=other.distance_mm, sigma_mm=other.sigma_mm
            )
            yield told(is_whole=False)
    yield told(is_whole=True)


def _find(state: TableState, id_: Id) -> Miniature:
    """Raises: UnknownThing."""
    for miniature in state.miniatures:
        if miniature.id == id_:
            return miniature
    raise UnknownThing(f"there is no miniature {id_!r} on the table", field="who", value=id_)


def _by_distance(state: TableState, me: Miniature, ask: Ask) -> list[Other]:
    found = []
    for other in (m for m in state.miniatures if m.id != me.id and "removed" not in m.status):
        verdict = ask(state, QUERY.validate_python({"kind": "distance", "a": me.id, "b": other.id}))
        enemy = are_enemies(state, me, other)
        for gap in verdict.measured[:1]:
            found.append(Other(id=other.id, is_enemy=enemy, distance_mm=gap.value_mm, sigma_mm=gap.sigma_mm))
    return sorted(found, key=lambda other: other.distance_mm)


def _front(state: TableState, me: Miniature, others: dict[Id, Other], ask: Ask) -> Verdict | None:
    """The verdict on the nearest other, whose witness holds the line that the front arc ends at."""
    if not others or me.facing_deg is None:
        return None
    return ask(state, QUERY.validate_python({"kind": "in-front-arc", "viewer": me.id, "target": next(iter(others))}))
