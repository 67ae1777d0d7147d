"""How much is done side by side: each look is worked on by so many threads at most."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

First = TypeVar("First")
Second = TypeVar("Second")
_MOST = 4
_allowed = min(_MOST, os.cpu_count() or 1)


def at_once() -> int:
    """So many threads may work on one look."""
    return _allowed


def keep_to_one() -> None:
    """From now on this process does one thing at a time: it looks beside a server that has to answer."""
    global _allowed
    _allowed = 1


def both(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """What both give, the first worked out beside the second where that is allowed."""
    if at_once() == 1:
        return first(), second()
    with ThreadPoolExecutor(1) as beside:
        one = beside.submit(first)
        other = second()
        return one.result(), other
