"""Prefetch: the next items are made ready while the present one is used."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")


def prefetch(items: Iterator[Item], *, most: int) -> Iterator[Item]:
    """The same items in the same order, up to `most` of them made ahead on one other thread."""
    pool = ThreadPoolExecutor(1)

    def next_item() -> Item | None:
        return next(items, None)

    try:
        coming = deque(pool.submit(next_item) for _ in range(most))
        while (item := coming.popleft().result()) is not None:
            coming.append(pool.submit(next_item))
            yield item
    finally:
        pool.shutdown(cancel_futures=True)
