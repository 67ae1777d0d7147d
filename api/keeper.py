"""Follows a live source on a thread of its own: what is the matter is told even while a picture is being measured."""

import logging
import threading
from collections.abc import Callable, Iterable

from api.errors import CameraFailed
from api.sighting import Failed, Report, Said
from api.steady_source import Arrived, News
from api.vigil import Remark
from models.errors import TablesideError
from models.timeline import EventLine

log = logging.getLogger(__name__)


class Keeper:
    """The newest picture that nobody has taken yet, and what is wrong with the source now."""

    def __init__(self, tell: Callable[[Report], None], *, is_told_lost: bool = False) -> None:
        """`is_told_lost`: the first picture is a return."""
        self._tell = tell
        self._news = threading.Condition()
        self._waiting: Arrived | None = None
        self._is_over = False
        self._at = (0.0, 0)  # time and number of the newest picture
        self._is_told_lost = is_told_lost
        self.trouble: Failed | None = None

    def follow(self, news: Iterable[News]) -> None:
        """Hear all of it, on this thread."""
        try:
            for one in news:
                self.hear(one)
        except BrokenPipeError:
            log.info("nobody listens any more")
        except Exception as wrong:
            log.exception("following the source failed")
            self._tell(Failed(CameraFailed(f"{type(wrong).__name__}: {wrong}").problem()))
        finally:
            with self._news:
                self._is_over = True
                self._news.notify()

    def hear(self, one: News) -> None:
        match one:
            case Arrived():
                with self._news:
                    self._waiting = one
                    self._at = (one.t_s, one.index)
                    self.trouble = None
                    self._news.notify()
            case Remark(text):
                self._tell(Said(text))
            case _:
                self._tell(self.lost(one))

    def next(self) -> Arrived | None:
        """The newest picture, as soon as there is one; None when none will come any more."""
        with self._news:
            self._news.wait_for(lambda: self._waiting is not None or self._is_over)
            arrived, self._waiting = self._waiting, None
            return arrived

    def lost(self, why: TablesideError) -> Failed:
        """What is to be told of it; that the source was lost is an event only once."""
        with self._news:
            lines = () if self._is_told_lost else (self._event("lost-source", *self._at, detail=why.detail),)
            self._is_told_lost = True
            self.trouble = Failed(why.problem())
            return Failed(why.problem(), lines=lines)

    def back(self, arrived: Arrived) -> tuple[EventLine, ...]:
        """The event that it is back, with the first picture after a loss."""
        with self._news:
            was, self._is_told_lost = self._is_told_lost, False
        return (self._event("back", arrived.t_s, arrived.index),) if was else ()

    def _event(self, kind: str, t_s: float, index: int, *, detail: str | None = None) -> EventLine:
        return EventLine.model_validate({"type": kind, "t_s": t_s, "frame": index, "detail": detail})
