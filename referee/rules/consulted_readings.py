"""Consulted readings: the house rules that an exact rule looks up while it runs; no other can change what it finds."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_CONSULTED: ContextVar[dict[str, None] | None] = ContextVar("consulted", default=None)


def note_consulted(*keys: str) -> None:
    """Leave house rules that were looked up, or that what is remembered hung on, with whoever records."""
    if keys and (consulted := _CONSULTED.get()) is not None:
        consulted.update(dict.fromkeys(keys))


@contextmanager
def record_consulted() -> Iterator[dict[str, None]]:
    """The house rules looked up meanwhile, in order; a recorder around it gets them too."""
    consulted: dict[str, None] = {}
    token = _CONSULTED.set(consulted)
    try:
        yield consulted
    finally:
        _CONSULTED.reset(token)
        note_consulted(*consulted)
