"""How a process that runs for a whole evening takes memory from the system, and what it gives back."""

import ctypes
import sys

_ARENA_MAX, _MMAP_THRESHOLD = -8, -3  # as <malloc.h> of the GNU C library has them
LARGE_BYTES = 65_536  # a picture, or the sheets of a busy moment


def keep_no_holes() -> None:
    """All threads share one heap, and a large block goes back to the system when it is freed.

    Left alone, the C library gives each of a server's threads a heap of its own and learns to keep large blocks: each
    new picture then leaves a hole that the next does not fit into. Other C libraries do without this.
    """
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_ARENA_MAX, 1)
        mallopt(_MMAP_THRESHOLD, LARGE_BYTES)
