"""What comes next, made ready while what is there is used."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")


def ahead(items: Iterator[Item], *, most: int) -> Iterator[Item]:
    """The same items in the same order, up to `most` of them made before they are asked for, on one other thread."""
    pool = ThreadPoolExecutor(1)

    def following() -> Item | None:
        return next(items, None)

    try:
        coming = deque(pool.submit(following) for _ in range(most))
        while (item := coming.popleft().result()) is not None:
            coming.append(pool.submit(following))
            yield item
    finally:
        pool.shutdown(cancel_futures=True)
