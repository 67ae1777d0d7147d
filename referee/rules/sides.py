"""Sides and units: who is whose enemy, and which miniatures a unit's id stands for."""

from models.miniature import Miniature
from models.state import TableState
from models.unit import Unit
from referee.rules.memo import memoize_told


def are_enemies(state: TableState, a: Miniature, b: Miniature) -> bool:
    """Own side and allies are friends, the rest enemies; a miniature without a side is everybody's enemy."""
    if a.side is None or b.side is None:
        return True
    if a.side == b.side:
        return False
    pair = {a.side, b.side}
    return not any(side.id in pair and not pair.isdisjoint(side.allies) for side in state.sides)


def friends_of(state: TableState, side: str) -> frozenset[str]:
    """The side itself and its allies."""
    allies = (ally for own in state.sides if own.id == side for ally in own.allies)
    return frozenset((side, *allies))


def is_unit(state: TableState, id_: str) -> bool:
    """Whether a unit has this id."""
    return isinstance(state.by_id.get(id_), Unit)


def members_of_unit(state: TableState, id_: str) -> tuple[str, ...]:
    """The miniatures of a unit; of anything else itself."""
    if not is_unit(state, id_):
        return (id_,)
    return memoize_told(state, ("whole unit", id_), lambda: tuple(m.id for m in state.miniatures if m.unit == id_))


def ranked_unit_of(state: TableState, id_: str) -> str | None:
    """The unit in ranks that a miniature stands in; None where it stands in none."""
    thing = state.by_id.get(id_)
    unit = state.by_id.get(thing.unit) if isinstance(thing, Miniature) and thing.unit is not None else None
    return unit.id if isinstance(unit, Unit) and unit.formation == "ranked" else None
