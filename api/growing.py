"""Answers that grow: told a line each, and no oftener than a page can draw them."""

import time
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, TypeVar

from fastapi.responses import StreamingResponse
from pydantic import BaseModel

GROWING = "application/x-ndjson"
PAUSE_S = 0.05  # a page that is drawn anew more often than this only keeps its phone from drawing what counts

Answer = TypeVar("Answer", bound=BaseModel)


def grown(answers: Iterator[Answer], accept: str, *, stage: Callable[[Answer], Any]) -> Answer | StreamingResponse:
    """The last answer; who accepts lines gets one a line, the first at once, then those `worth_telling`."""
    if GROWING not in accept:
        (*_, whole) = answers
        return whole
    first = next(answers)  # here, so that a bad question is a problem and no broken stream
    told = worth_telling(chain([first], answers), stage=stage)
    return StreamingResponse((f"{one.model_dump_json()}\n" for one in told), media_type=GROWING)


def worth_telling(
    answers: Iterator[Answer], *, stage: Callable[[Answer], Any], clock: Callable[[], float] = time.monotonic
) -> Iterator[Answer]:
    """Those answers that are at another stage than the one told before, or come a while after it."""
    was: tuple[Any, float] | None = None
    for answer in answers:
        now = (stage(answer), clock())
        if was is None or now[0] != was[0] or now[1] - was[1] >= PAUSE_S:
            was = now
            yield answer
