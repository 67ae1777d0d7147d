"""Search effort: how much work rules do that search, counted in pieces and not by the clock: alike on every machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Effort:
    """Work done, in units of about what a plain rule takes on one table."""

    spent: float = 0.0


_EFFORT: ContextVar[Effort | None] = ContextVar("effort", default=None)


def spend_effort(units: float) -> None:
    """Add work to what is being counted, if any is."""
    if (effort := _EFFORT.get()) is not None:
        effort.spent += units


@contextmanager
def count_effort(effort: Effort) -> Iterator[None]:
    """Count meanwhile what searches spend."""
    token = _EFFORT.set(effort)
    try:
        yield
    finally:
        _EFFORT.reset(token)
