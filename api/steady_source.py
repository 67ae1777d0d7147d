"""A live source for a whole game: connected again whenever it is lost, and a word at once on what is the matter."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from api.backoff import waits
from api.live_source import Opening
from api.reading import Reading
from api.vigil import IN_PIECES, LIVE, Patience, Remark, Seen, Vigil
from models.errors import SourceLost, WorldError
from vision.sources import Frame

STEADY_S = 5.0  # a connection that held so long is tried again at once when it breaks


@dataclass(frozen=True)
class Arrived:
    """A frame, and how long ago it was captured, in seconds."""

    frame: Frame
    late_s: float


News = Arrived | Remark | WorldError


def steady_frames(
    opened: Opening,
    *,
    name: str,
    patience: Patience | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    random: Random | None = None,
) -> Iterator[News]:
    """The newest frame each time one is asked for, without an end; an error each time that none can be had.

    Frames count on and time goes on from one connection to the next.
    """
    random = random or Random()
    pauses = waits(random)
    begin_s, index = clock(), 0
    while True:
        connected_s = clock()
        try:
            for seen in _connected(opened, name=name, patience=patience, clock=clock):
                if isinstance(seen, Remark | WorldError):
                    yield seen
                    continue
                shot, picture = seen
                yield Arrived(Frame(index, max(0.0, shot.came_s - begin_s), picture), max(0.0, clock() - shot.came_s))
                index += 1
        except SourceLost as lost:
            yield lost
        if clock() - connected_s > STEADY_S:
            pauses = waits(random)
        sleep(next(pauses))


def _connected(
    opened: Opening, *, name: str, patience: Patience | None, clock: Callable[[], float]
) -> Iterator[Seen | Remark | WorldError]:
    """What one connection shows until it is lost. Raises: SourceLost."""
    feed = opened()
    reading = Reading(feed, name=name, clock=clock)
    try:
        yield from Vigil(reading, name=name, patience=patience or (IN_PIECES if feed.is_in_pieces else LIVE)).news()
    finally:
        reading.stop()
