"""Asker: for whom an answer is worked out; who hung up needs none, and who has no seat waits for those who have one."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Event

VIEWER_WAITS_S = 10.0  # a player's question that comes so much later still goes first


class AskerGone(Exception):
    """Nobody waits for this answer any more."""


@dataclass(frozen=True)
class Asker:
    """`has_seat`: plays or judges here. `gone` is set when the line is dropped."""

    has_seat: bool = True
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
    """By how much later than a player's the answer is wanted."""
    asker = _asker.get()
    return 0.0 if asker is None or asker.has_seat else VIEWER_WAITS_S
