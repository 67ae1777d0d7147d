"""Unit members: the miniatures that a unit's id stands for where something hangs on all of it."""

from models.state import TableState
from models.unit import Unit
from referee.rules.memo import memoize


def is_unit(state: TableState, id_: str) -> bool:
    """Whether a unit has this id."""
    return isinstance(state.by_id.get(id_), Unit)


def members_of_unit(state: TableState, id_: str) -> tuple[str, ...]:
    """The miniatures of a unit; of anything else itself."""
    if not is_unit(state, id_):
        return (id_,)
    return memoize(state, ("whole unit", id_), lambda: tuple(m.id for m in state.miniatures if m.unit == id_))
