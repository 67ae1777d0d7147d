"""What a live source shows, with each loss of it and each return told once."""

from collections.abc import Iterable, Iterator

from api.lookout import Lookout
from api.sighting import Failed, Report, Said
from api.steady_source import Arrived, News
from api.vigil import Remark
from models.errors import BadInput, TablesideError
from models.timeline import EventLine
from vision.sources import Frame


class LiveReports:
    """One source over the whole game."""

    def __init__(self, lookout: Lookout) -> None:
        self._lookout = lookout
        self._at = (0.0, 0)  # time and number of the newest frame
        self._is_lost = False
        self._unfit: tuple[int, ...] | None = None

    def of(self, news: Iterable[News]) -> Iterator[Report]:
        """Everything there is to report."""
        for one in news:
            match one:
                case Arrived(frame, late_s):
                    yield from self._arrived(frame, late_s)
                case Remark(text):
                    yield Said(text)
                case _:
                    yield self._lost(one)

    def _arrived(self, frame: Frame, late_s: float) -> Iterator[Report]:
        self._at = (frame.t_s, frame.index)
        lines = (self._event("back"),) if self._is_lost else ()
        try:
            yield from self._lookout.see(frame, late_s, lines=lines)
        except BadInput as wrong:  # said once: it may come in the right shape again
            if self._unfit != frame.image.shape:
                self._unfit = frame.image.shape
                yield self._lost(wrong)
        else:
            self._is_lost, self._unfit = False, None

    def _lost(self, why: TablesideError) -> Failed:
        lines = () if self._is_lost else (self._event("lost-source", detail=why.detail),)
        self._is_lost = True
        return Failed(why.problem(), lines=lines)

    def _event(self, kind: str, *, detail: str | None = None) -> EventLine:
        t_s, index = self._at
        return EventLine.model_validate({"type": kind, "t_s": t_s, "frame": index, "detail": detail})
