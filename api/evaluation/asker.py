"""Asker: for whom an answer is worked out, and how much processor time it may take; who hung up needs none."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import IntEnum
from threading import Event

from api.errors import OverBudget

VIEWER_WAITS_S = 10.0  # a player's question that comes so much later still goes first
JUDGE_LEADS_S = 1.0  # and so much earlier comes a judge's


class AskerGone(Exception):
    """Nobody waits for this answer any more."""


class Rank(IntEnum):
    """Whose questions go first."""

    JUDGE = 0
    PLAYER = 1
    VIEWER = 2
    PRECOMPUTED = 3


@dataclass
class Allowance:
    """Processor time: how much one request may still take, and where what it takes is charged."""

    left_s: float
    charge: Callable[[float], None] = lambda _: None

    def spend(self, spent_s: float) -> None:
        self.left_s -= spent_s
        self.charge(spent_s)

    def check(self, running_s: float = 0.0) -> None:
        """Raises: OverBudget when nothing is left, or this much already taken is more than that."""
        if running_s >= self.left_s:
            raise over_budget()


def over_budget() -> OverBudget:
    """The refusal of one question that takes too long or too much."""
    return OverBudget(
        "This answer takes more processor time or memory than one question of yours may have. Ask about fewer "
        "miniatures, a shorter way or one pair; with a seat at the table (/join) more is answered."
    )


@dataclass(frozen=True)
class Asker:
    """Its rank, and what it may spend; None is no limit. `gone` is set when the line is dropped."""

    rank: Rank = Rank.PLAYER
    allowance: Allowance | None = None
    gone: Event = field(default_factory=Event)


_asker: ContextVar[Asker | None] = ContextVar("asker", default=None)


@contextmanager
def answering(asker: Asker) -> Iterator[None]:
    """What is asked meanwhile on this thread is asked by this one."""
    token = _asker.set(asker)
    try:
        yield
    finally:
        _asker.reset(token)


def current_asker() -> Asker | None:
    """Who asks on this thread; None is the table itself, which looks ahead."""
    return _asker.get()


def is_cancellable() -> bool:
    """Whether who asks on this thread may hang up."""
    return _asker.get() is not None


def is_gone() -> bool:
    """Whether who asks on this thread has hung up."""
    asker = _asker.get()
    return asker is not None and asker.gone.is_set()


def check_asker() -> None:
    """Raises: AskerGone when who asks on this thread has hung up."""
    if is_gone():
        raise AskerGone


def extra_wait_s() -> float:
    """By how much later than a player's the answer is wanted; a judge's is wanted earlier."""
    asker = _asker.get()
    rank = Rank.PLAYER if asker is None else asker.rank
    return {Rank.JUDGE: -JUDGE_LEADS_S, Rank.VIEWER: VIEWER_WAITS_S}.get(rank, 0.0)
