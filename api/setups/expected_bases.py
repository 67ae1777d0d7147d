"""Expected bases: whether as many of each size are seen as are expected."""

from collections import Counter
from collections.abc import Iterable

from api.setups.schemas import CountMismatch, ExpectedMiniature
from models.base import Base
from models.state import TableState


def compare_counts(
    expected: Iterable[ExpectedMiniature], state: TableState, left: Iterable[Base] = ()
) -> tuple[CountMismatch, ...]:
    """The sizes whose numbers do not agree, those that nobody expects last; none when nobody is expected."""
    wanted = count_expected(expected)
    seen = Counter(one.base for one in state.miniatures if "removed" not in one.status)
    gone = Counter(left)
    if not wanted:
        return ()
    counted = (
        CountMismatch(base=base, expected=wanted[base], seen=seen[base], left=gone[base]) for base in {**wanted, **seen}
    )
    return tuple(one for one in counted if one.expected != one.seen + one.left)


def count_expected(expected: Iterable[ExpectedMiniature]) -> Counter[Base]:
    """How many of each size are expected; none where a size is not told: it may be any."""
    wanted: Counter[Base] = Counter()
    for one in expected:
        if one.base is None:
            return Counter()
        wanted[one.base] += one.count
    return wanted
