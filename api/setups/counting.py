"""Whether as many bases of each size are seen as are expected."""

from collections import Counter
from collections.abc import Iterable

from api.setups.words import Expected
from models.base import Base
from models.frozen import Frozen
from models.state import TableState


class Counted(Frozen):
    """A size of which another number is seen than is expected; `left` have stood here and left the table since."""

    base: Base
    expected: int
    seen: int
    left: int = 0


def amiss(expected: Iterable[Expected], state: TableState, left: Iterable[Base] = ()) -> tuple[Counted, ...]:
    """The sizes whose numbers do not agree, those that nobody expects last; none when nobody is expected."""
    wanted = wanted_of(expected)
    seen = Counter(one.base for one in state.miniatures if "removed" not in one.status)
    gone = Counter(left)
    if not wanted:
        return ()
    counted = (
        Counted(base=base, expected=wanted[base], seen=seen[base], left=gone[base]) for base in {**wanted, **seen}
    )
    return tuple(one for one in counted if one.expected != one.seen + one.left)


def wanted_of(expected: Iterable[Expected]) -> Counter[Base]:
    """How many of each size are expected."""
    wanted: Counter[Base] = Counter()
    for one in expected:
        wanted[one.base] += one.count
    return wanted
