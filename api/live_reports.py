"""What a live source shows, with each loss of it and each return told once."""

import pickle
import time
from collections.abc import Callable, Iterator

from api.keeper import Keeper
from api.lookout import Lookout
from api.sighting import Kept, Report
from api.steady_source import Arrived
from models.errors import BadInput
from vision.sources import Frame


class LiveReports:
    """One source over the whole game."""

    def __init__(self, keeper: Keeper, lookout: Lookout, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._keeper = keeper
        self._lookout = lookout
        self._clock = clock
        self._unfit: tuple[int, ...] | None = None

    def all(self) -> Iterator[Report]:
        """Everything that is seen, until the keeper has no more."""
        while (arrived := self._keeper.next()) is not None:
            yield from self.look(arrived)

    def look(self, arrived: Arrived) -> Iterator[Report]:
        """What this picture makes known; what went wrong while it was looked at holds all the same."""
        frame = Frame(arrived.index, arrived.t_s, arrived.shot.bgr())
        late_s = max(0.0, self._clock() - arrived.shot.came_s)
        try:
            notes = tuple(self._lookout.fit(frame))
        except BadInput as wrong:  # said once: it may come in the right shape again
            if self._unfit != frame.image.shape:
                self._unfit = frame.image.shape
                yield self._keeper.lost(wrong)
            return
        self._unfit = None
        yield from notes
        if self._lookout.believes(frame):
            yield from self._lookout.see(frame, late_s, lines=self._keeper.back(arrived))
            if memory := self._lookout.newly_known():
                yield Kept(frame.index, frame.t_s, self._clock(), pickle.dumps(memory))
        if self._keeper.trouble is not None:
            yield self._keeper.trouble
