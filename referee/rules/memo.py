"""Memo: what was found about a state before, kept as long as the state is asked about."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar, cast

from models.state import TableState
from referee.rules.consulted_readings import note_consulted, record_consulted
from referee.rules.switches import Switch, find_recorded, replay, turned_switches

Found = TypeVar("Found")
_Known = tuple[object, tuple[Switch, ...], tuple[str, ...]]

_MOST_STATES = 8
_MOST_FOUND = 800  # on all of them together: one question that hangs on facings nobody told leaves hundreds
_MOST_OF_ONE = 4000  # on one state: a table at rest may be asked about for hours
_MEMOS: dict[int, tuple[TableState, dict[object, object]]] = {}
_DRAWN_OF: dict[int, TableState] = {}


def _memo_of(state: TableState) -> dict[object, object]:
    """Scratch space that lives as long as the state is asked about; the last few states are kept."""
    known = _MEMOS.get(id(state))
    if known is None or known[0] is not state:
        _make_room()
        known = _MEMOS[id(state)] = (state, {})
    return known[1]


def _make_room() -> None:
    """Forget the oldest states, until another fits in. Several threads may do so at once."""
    kept = [(key, _count_entries(memo)) for key, (_, memo) in list(_MEMOS.items())]
    while len(kept) >= _MOST_STATES or sum(count for _, count in kept) > _MOST_FOUND:
        _MEMOS.pop(kept.pop(0)[0], None)


@contextmanager
def remember_briefly(state: TableState, memo: dict[object, object], *, drawn_of: TableState) -> Iterator[None]:
    """Scratch space for a drawn state that is asked about meanwhile: no other state makes room for it.

    Who passes the same space with the same state again goes on where that ended.
    """
    _MEMOS[id(state)], _DRAWN_OF[id(state)] = (state, memo), drawn_of
    try:
        yield
    finally:
        _MEMOS.pop(id(state), None)
        _DRAWN_OF.pop(id(state), None)


def _count_entries(memo: dict[object, object]) -> int:
    known = memo.get("recent")
    return len(memo) + (len(cast("tuple[dict[object, object], object]", known)[0]) if known is not None else 0)


def memoize(state: TableState, key: object, find: Callable[[], Found]) -> Found:
    """What was found before about a state that is asked about again and again."""
    memo = _memo_of(state)
    if len(memo) >= _MOST_OF_ONE and key not in memo:
        memo.clear()
    return remember(memo, key, find)


def memoize_told(state: TableState, key: object, find: Callable[[], Found]) -> Found:
    """What hangs on nothing that is measured: of all states drawn of one it is found once."""
    return memoize(_DRAWN_OF.get(id(state), state), key, find)


def memoize_read(
    state: TableState, key: object, readings: frozenset[tuple[str, str]], find: Callable[[], Found]
) -> Found:
    """The same under readings that are tried out: what consulted none of these house rules is found once for all."""
    if readings:
        known = cast("_Known | None", _memo_of(state).get((key, frozenset())))
        if known is not None and not any(house_rule in known[2] for house_rule, _ in readings):
            return memoize(state, (key, frozenset()), find)
    return memoize(state, (key, readings), find)


def remember(memo: dict[object, object], key: object, find: Callable[[], Found]) -> Found:
    """What is known under this key, found now if need be; switches and readings consulted are recorded either way."""
    known = memo.get(key)
    turned = turned_switches()
    if turned is not None and (known is None or turned.decide(cast("_Known", known)[1])):
        memo = turned.memo_beside(memo)
        known = memo.get(key)
    if known is None:
        with record_consulted() as consulted:
            value, switches = find_recorded(find)
        memo[key] = value, switches, tuple(consulted)
        return value
    remembered, switches, keys = cast("_Known", known)
    replay(switches)
    note_consulted(*keys)
    return cast("Found", remembered)


_MOST_RECENT = 2000


def memoize_recent(state: TableState, key: object, find: Callable[[], Found]) -> Found:
    """What was found a short while ago; several questions about one pair perturb the same things in the same way."""
    return _remember_some(state, "recent", key, find)


def memoize_drawn(state: TableState, key: object, find: Callable[[], Found]) -> Found:
    """What was found on a table drawn of this state: every question about it draws the same."""
    return _remember_some(state, "drawn", key, find)


def _remember_some(state: TableState, kind: str, key: object, find: Callable[[], Found]) -> Found:
    memo: dict[object, object] = memoize(state, kind, dict)
    if len(memo) >= _MOST_RECENT and key not in memo:
        memo.clear()
    return remember(memo, key, find)
