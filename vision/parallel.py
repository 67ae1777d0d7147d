"""Parallelism: how many threads may work on one frame."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

First = TypeVar("First")
Second = TypeVar("Second")
_MOST = 4
_limit = min(_MOST, os.cpu_count() or 1)


def thread_limit() -> int:
    """The number of threads that may work on one frame."""
    return _limit


def use_single_thread() -> None:
    """Limits this process to one thread from now on, as it works beside a server that has to answer."""
    global _limit
    _limit = 1


def run_both(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """Runs both calls, side by side where the limit allows, and gives both results."""
    if thread_limit() == 1:
        return first(), second()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(first)
        other = second()
        return running.result(), other
