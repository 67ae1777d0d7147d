"""Crop keeper: what players confirm or deny on the newest picture, kept as labelled crops in the game's folder.

`python -m vision.training train mine --crops FOLDER` learns from them. What is taken back is kept no more, and nothing
is sent anywhere.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from api.corrections.schemas import (
    BaseCorrection,
    CandidateCorrection,
    CorrectionGroup,
    CorrectionStep,
    SingleCorrection,
)
from api.errors import NoPicture
from api.live.hub import Hub
from api.live.publisher import TableCorrected
from api.tap_measurement.service import TapMeasurementService
from models.miniature import Miniature
from models.pose import Sigma
from models.state import TableState
from models.vocabulary import Point

FOLDER = "crops"
_MEASURED_MM = 1.2  # a confirmed place that is surer was led by its rim
log = logging.getLogger(__name__)


class CropKeeper:
    """Keeps the crops of one game. `folder`: where the game is kept."""

    def __init__(self, hub: Hub, taps: TapMeasurementService, folder: Path) -> None:
        self._hub, self._taps, self._folder = hub, taps, folder / FOLDER
        self._known = {step.n for step in hub.undo_log.all()}
        self._kept: dict[int, tuple[str, ...]] = {}
        self._jobs: set[asyncio.Task[None]] = set()
        hub.publisher.subscribe(TableCorrected, self._note)

    def _note(self, event: TableCorrected) -> None:
        for step in self._hub.undo_log.all():
            if step.is_undone:
                self._drop(step.n)
            elif step.n not in self._known:
                self._known.add(step.n)
                self._start(step, event.state)

    def _start(self, step: CorrectionStep, state: TableState) -> None:
        """Cut in the process that measures taps; without one that runs, or a picture, nothing is kept."""
        confirmed, denied = confirmed_in(step, state), tuple(_denied_in(step))
        if not confirmed and not denied:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        job = loop.create_task(self._keep(step.n, state.with_miniatures(confirmed), denied))
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)

    async def _keep(self, n: int, state: TableState, denied: Sequence[Point]) -> None:
        try:
            self._kept[n] = await self._taps.keep_crops(self._folder, state, denied)
        except (NoPicture, OSError) as wrong:
            log.warning("no crop kept step=%d why=%s", n, wrong)
        if n not in self._known:  # taken back meanwhile
            self._drop(n)

    def _drop(self, n: int) -> None:
        self._known.discard(n)
        for name in self._kept.pop(n, ()):
            for ending in (".json", ".png"):
                (self._folder / f"{name}{ending}").unlink(missing_ok=True)


def confirmed_in(step: CorrectionStep, state: TableState) -> tuple[Miniature, ...]:
    """The bases that this step places, as a picture shows them; an oval's or a rectangle's where its turn is known."""
    return tuple(
        Miniature.model_validate(
            {
                "id": single.id, "base": single.base, "at_mm": single.at_mm, "facing_deg": single.turn_deg,
                "sigma": Sigma(at_mm=single.sigma_mm),
                "placement": "measured" if single.sigma_mm < _MEASURED_MM else "by-hand",
            }
        )
        for single in singles_of(step)
        if isinstance(single, BaseCorrection)
        and single.id in state.by_id
        and (single.base.shape == "round" or single.turn_deg is not None)
    )  # fmt: skip


def _denied_in(step: CorrectionStep) -> Iterator[Point]:
    for single in singles_of(step):
        if isinstance(single, CandidateCorrection) and not single.is_base:
            yield single.at_mm


def singles_of(step: CorrectionStep) -> tuple[SingleCorrection, ...]:
    correction = step.correction
    return correction.corrections if isinstance(correction, CorrectionGroup) else (correction,)
