"""A live source for a whole game: connected again whenever it is lost, and a word at once on what is the matter."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from api.backoff import waits
from api.live_source import Opening
from api.reading import Reading
from api.vigil import IN_PIECES, LIVE, Patience, Remark, Vigil
from models.errors import SourceLost, WorldError
from vision.decoding import Shot

STEADY_S = 5.0  # a connection that held so long is tried again at once when it breaks


@dataclass(frozen=True)
class Arrived:
    """A picture of a source, numbered and timed from when the source was first asked for."""

    index: int
    t_s: float
    shot: Shot


News = Arrived | Remark | WorldError


def steady_frames(
    opened: Opening,
    *,
    name: str,
    patience: Patience | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    random: Random | None = None,
    first: int = 0,
    begin_s: float | None = None,
) -> Iterator[News]:
    """The newest picture each time one is asked for, without an end; an error each time that none can be had.

    Pictures count on from `first`, and time goes on since `begin_s`, from one connection to the next.
    """
    random = random or Random()
    pauses = waits(random)
    begin_s, index = clock() if begin_s is None else begin_s, first
    while True:
        connected_s = clock()
        try:
            for seen in _connected(opened, name=name, patience=patience, clock=clock):
                if isinstance(seen, Shot):
                    yield Arrived(index, max(0.0, seen.came_s - begin_s), seen)
                    index += 1
                else:
                    yield seen
        except SourceLost as lost:
            yield lost
        if clock() - connected_s > STEADY_S:
            pauses = waits(random)
        sleep(next(pauses))


def _connected(
    opened: Opening, *, name: str, patience: Patience | None, clock: Callable[[], float]
) -> Iterator[Shot | Remark | WorldError]:
    """What one connection shows until it is lost. Raises: SourceLost."""
    feed = opened()
    reading = Reading(feed, name=name, clock=clock)
    try:
        yield from Vigil(reading, name=name, patience=patience or (IN_PIECES if feed.is_in_pieces else LIVE)).news()
    finally:
        reading.stop()
