"""NDJSON throttle: an answer that grows, a line each, and no oftener than a page can draw."""

import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from pydantic import BaseModel

NDJSON = "application/x-ndjson"
PAUSE_S = 0.05  # a page that is drawn anew more often than this only keeps its phone from drawing what counts

Answer = TypeVar("Answer", bound=BaseModel)


def throttle(
    answers: Iterator[Answer], *, stage: Callable[[Answer], Any], clock: Callable[[], float] = time.monotonic
) -> Iterator[Answer]:
    """Answers at another stage than the one told before, or a while after it; the others are left out."""
    was: tuple[Any, float] | None = None
    for answer in answers:
        now = (stage(answer), clock())
        if was is None or now[0] != was[0] or now[1] - was[1] >= PAUSE_S:
            was = now
            yield answer
