"""Switches: comparisons that decide whether something counts, recorded while an exact rule runs.

A base touches a cloud or it does not; a blocker stands within the inch or it does not. Where such a comparison turns, a
margin leaps, and no slope tells. So every comparison of a measured quantity goes through `is_at_least` or
`is_more_than`: they compare with one tolerance, and leave a `Switch` in the trace of whoever records. What was found
before and is remembered leaves the switches it hung on, too.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

EXACT_MM = 1e-6  # two lengths that differ by less are equal: what is left is rounding
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Switch:
    """One comparison: by how much it is met, signed, and what that hangs on."""

    clause: str
    margin: float
    on: tuple[str, ...]
    """Everything whose place it hangs on."""
    turning: tuple[str, ...] = ()
    """Those whose facing it hangs on."""
    lever_mm: float = 0.0
    """By how much the margin changes at most per radian that one of those turns."""
    of_heights: bool = False
    """It hangs on how high things stand and not on where."""
    is_noted: bool = False
    """Only noted: what is measured decides by other means besides, and the answer turned alone would change nothing."""

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """What names the same switch on a perturbed table."""
        return self.clause, self.on


@dataclass(frozen=True)
class TurnedSwitches:
    """Switches that are found the other way, and what was found of that meanwhile."""

    keys: frozenset[tuple[str, tuple[str, ...]]]
    _memos: dict[int, tuple[dict[object, object], dict[object, object]]] = field(default_factory=dict)

    def decide(self, switches: Sequence[Switch]) -> bool:
        """Whether what hangs on these switches hangs on one that is turned."""
        return any(switch.key in self.keys for switch in switches)

    def memo_beside(self, memo: dict[object, object]) -> dict[object, object]:
        """Scratch space in place of that one, which is kept meanwhile: no other gets its identity."""
        return self._memos.setdefault(id(memo), (memo, {}))[1]


_TRACE: ContextVar[list[Switch] | None] = ContextVar("trace", default=None)
_TURNED: ContextVar[TurnedSwitches | None] = ContextVar("turned", default=None)


def is_at_least(
    value: float,
    limit: float,
    clause: str,
    on: tuple[str, ...],
    *,
    turning: tuple[str, ...] = (),
    lever_mm: float = 0.0,
    of_heights: bool = False,
    is_noted: bool = False,
) -> bool:
    """Whether a measured value reaches its limit; exactly there it does. In the trace: by how much."""
    if (trace := _TRACE.get()) is not None:
        trace.append(Switch(clause, value - limit, on, turning, lever_mm, of_heights, is_noted))
    return (value >= limit - EXACT_MM) != _is_turned(clause, on)


def is_more_than(
    value: float,
    limit: float,
    clause: str,
    on: tuple[str, ...],
    *,
    turning: tuple[str, ...] = (),
    lever_mm: float = 0.0,
    of_heights: bool = False,
    is_noted: bool = False,
) -> bool:
    """Whether a measured value passes its limit; exactly there it does not. In the trace: by how much."""
    if (trace := _TRACE.get()) is not None:
        trace.append(Switch(clause, value - limit, on, turning, lever_mm, of_heights, is_noted))
    return (value > limit + EXACT_MM) != _is_turned(clause, on)


def _is_turned(clause: str, on: tuple[str, ...]) -> bool:
    turned = _TURNED.get()
    return turned is not None and (clause, on) in turned.keys


@contextmanager
def turn_switches(switches: Sequence[Switch]) -> Iterator[None]:
    """Find these comparisons the other way meanwhile, whatever is measured: what would hang on each."""
    token = _TURNED.set(TurnedSwitches(frozenset(switch.key for switch in switches)))
    try:
        yield
    finally:
        _TURNED.reset(token)


def turned_switches() -> TurnedSwitches | None:
    """Those that are turned just now, if any are."""
    return _TURNED.get()


def is_margin_met(margin_mm: float, *, zero_is_met: bool = True) -> bool:
    """Whether a signed margin meets its condition, by the same tolerance; no trace: for what only tells of it."""
    return margin_mm > EXACT_MM or (zero_is_met and margin_mm >= -EXACT_MM)


def choose_least(
    values: Sequence[tuple[float, Found]], clause: str, on: Callable[[Found, Found], tuple[str, ...]]
) -> Found:
    """Which of several has the least value, the first of equal ones. In the trace: by how much the next has more.

    `clause` says what the least is, such as "is nearer than"; `on` names all that the least and the next hang on.
    """
    order = sorted(range(len(values)), key=lambda k: values[k][0])
    (least, first), rest = values[order[0]], order[1:2]
    for k in rest:
        is_at_least(values[k][0], least, clause, on(first, values[k][1]), is_noted=True)
    return first


def is_out_of_reach(value: float, limit: float) -> bool:
    """Whether a value lies beyond a limit past which nothing can change what is found: no switch, only less work."""
    return value > limit


@contextmanager
def record_switches() -> Iterator[list[Switch]]:
    """All switches that are asked meanwhile; a recorder around it gets none of them unless they are replayed."""
    trace: list[Switch] = []
    token = _TRACE.set(trace)
    try:
        yield trace
    finally:
        _TRACE.reset(token)


def find_recorded(find: Callable[[], Found]) -> tuple[Found, tuple[Switch, ...]]:
    """What is found, with the switches it hangs on: to be remembered together."""
    with record_switches() as trace:
        value = find()
    replay(trace)
    return value, tuple(trace)


def replay(switches: Sequence[Switch]) -> None:
    """Leave the switches of what is remembered in the trace."""
    if switches and (trace := _TRACE.get()) is not None:
        trace.extend(switches)


def first_of(mm: Mapping[str, float], clause: str = "is nearer than", *, also: tuple[str, ...] = ()) -> str | None:
    """Whose number is the least, of equals the first named; in the trace: by how much the next is behind.

    `also` is what all the numbers hang on besides those whose they are.
    """
    first = min(mm, key=mm.__getitem__, default=None)
    if first is None or len(mm) < 2:
        return first
    second = min((id_ for id_ in mm if id_ != first), key=mm.__getitem__)
    a, b = sorted((first, second))  # the same switch whoever comes first
    is_at_least(mm[b], mm[a], clause, tuple(dict.fromkeys((a, b, *also))), is_noted=True)
    return first
