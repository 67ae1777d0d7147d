"""Source health: how old the newest look at the table is, whether it can be trusted, and why no ruling is given."""

import logging
from collections.abc import Callable
from typing import Any

from api.camera.protocol import FrameReport
from api.errors import CameraHidden, CameraMoved
from api.live.broadcast import Broadcast
from api.live.messages import Freshness, Notice, Problem, SourceStatus, Trouble
from api.setups.schemas import CountMismatch
from models.errors import WorldError
from models.halt import Halt

log = logging.getLogger(__name__)

_HALTS: dict[str, type[WorldError]] = {"camera-moved": CameraMoved, "camera-hidden": CameraHidden}


class SourceHealth:
    """The freshness and the trouble of what feeds a table; phones hear of trouble at once."""

    def __init__(self, broadcast: Broadcast, *, clock: Callable[[], float]) -> None:
        self.problem: Problem | None = None
        self.halt: Halt | None = None
        self._broadcast = broadcast
        self._clock = clock
        self.fresh = Freshness()  # without its age
        self._seen_at: float | None = None

    def freshness(self) -> Freshness:
        """How old the newest look is now."""
        age = None if self._seen_at is None else round(max(0.0, self._clock() - self._seen_at), 2)
        return _with(self.fresh, age_s=age)

    def note_frame(self, report: FrameReport) -> None:
        """Take a frame's freshness and halt."""
        self._seen_at = self._clock() - report.lag_s
        self.fresh = Freshness(
            hand=report.hand,
            in_hand=report.in_hand,
            is_settled=report.is_settled,
            is_visible=report.is_visible,
            source="playing",
            amiss=self.fresh.amiss,
            hidden=report.hidden,
            camera=report.health or self.fresh.camera,
        )
        self._note_halt(report.halt)

    def note_mismatches(self, amiss: tuple[CountMismatch, ...]) -> bool:
        """Sizes of which other numbers are seen than are expected; whether they are other than before."""
        is_other = amiss != self.fresh.amiss
        if is_other:
            self.fresh = _with(self.fresh, amiss=amiss)
        return is_other

    def rest(self) -> None:
        """Nothing more will be seen: the table has no age."""
        self.fresh = Freshness(source="still")

    def fail(self, problem: dict[str, Any], *, source: SourceStatus) -> None:
        """The source has failed; the last table stays."""
        self.fresh = _with(self.fresh, source=source)
        self._publish_trouble(problem)
        log.warning("trouble type=%s detail=%s", problem["type"], problem["detail"])

    def _note_halt(self, halt: Halt | None) -> None:
        before, self.halt = self.halt, halt
        if halt is None:
            if self.problem is not None:
                self.problem = None
                self._broadcast.publish(Trouble(seq=self._broadcast.next_seq(), problem=None))
            if before is not None and before.why == "camera-moved":
                text = "The camera's place is known again."
                self._broadcast.publish(Notice(seq=self._broadcast.next_seq(), text=text))
        elif halt != before:
            log.warning("halt why=%s says=%s", halt.why, halt.says)
            self._publish_trouble(_HALTS[halt.why](f"{halt.says} {halt.unlock}").problem())

    def _publish_trouble(self, problem: dict[str, Any]) -> None:
        self.problem = Problem.model_validate({name: problem.get(name) for name in Problem.model_fields})
        self._broadcast.publish(Trouble(seq=self._broadcast.next_seq(), problem=self.problem))


def _with(fresh: Freshness, **changes: Any) -> Freshness:
    return Freshness.model_validate(fresh.model_dump() | changes)
