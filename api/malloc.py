"""Memory allocation: how a process that runs for an evening takes heap from the system and gives it back."""

import ctypes
import sys
import time
from collections.abc import Callable

_ARENA_MAX, _MMAP_THRESHOLD, _TRIM_THRESHOLD = -8, -3, -1  # as <malloc.h> of the GNU C library has them
LARGE_BYTES = 65_536  # a picture, or the sheets of a busy moment
_NEVER_LARGE, _NEVER_TOO_MUCH = 2**25, 2**30  # bytes: the most that the library takes, and more than a look needs
EVERY_S = 30.0


def configure_malloc() -> None:
    """All threads share one heap, and a large block goes back to the system when it is freed.

    Left alone, the C library gives each of a server's threads a heap of its own and learns to keep large blocks: each
    new picture then leaves a hole that the next does not fit into. Other C libraries do without this.
    """
    share_one_heap()
    if (mallopt := _library_function("mallopt")) is not None:
        mallopt(_MMAP_THRESHOLD, LARGE_BYTES)


def share_one_heap() -> None:
    """All threads share one heap; large blocks are kept, for who needs as large a one with every picture."""
    if (mallopt := _library_function("mallopt")) is not None:
        mallopt(_ARENA_MAX, 1)


def keep_large_blocks() -> None:
    """All threads share one heap, which keeps all that is freed: for who locates a few pictures and then ends, and
    would spend some of each look on having blocks from the system anew."""
    share_one_heap()
    if (mallopt := _library_function("mallopt")) is not None:
        mallopt(_MMAP_THRESHOLD, _NEVER_LARGE)
        mallopt(_TRIM_THRESHOLD, _NEVER_TOO_MUCH)


class HeapTrimmer:
    """Now and then, when it is called, gives the system back what is free within the heap."""

    def __init__(self, *, every_s: float = EVERY_S, clock: Callable[[], float] = time.monotonic) -> None:
        self._trim = _library_function("malloc_trim")
        self._every_s, self._clock, self._last_s = every_s, clock, clock()

    def __call__(self) -> None:
        now_s = self._clock()
        if self._trim is not None and now_s - self._last_s >= self._every_s:
            self._last_s = now_s
            self._trim(0)


def _library_function(name: str) -> Callable[..., int] | None:
    """A function of the C library, where it has one of that name."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform.startswith("linux") else None
