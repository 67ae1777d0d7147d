"""Remeasure sweep: while nothing happens, one base after the other is measured again.

It finds what was too little for a change: a base pushed by two millimetres, or lost in a shadow.
"""

from collections.abc import Mapping

from models.base import RectBase
from models.camera import Camera, CameraPose
from vision.capture.sources import Frame
from vision.measurement.base_fit import BaseFit, fit_base
from vision.ranked.block_refit import refit_in_block
from vision.state_assembly import MeasuredBase
from vision.tracking.association import Track
from vision.tracking.events import has_moved

_EVERY_S = 1.0
_LOOKS = 2  # that must agree


class RemeasureSweep:
    """Whose turn it is, and of whom the last measurement said something else than is known."""

    def __init__(self) -> None:
        self._looked_s = -1e9
        self._next = 0
        self._suspect: str | None = None
        self._times = 0

    def is_due(self, t_s: float) -> bool:
        """Whether it is time for another look."""
        return t_s - self._looked_s >= _EVERY_S

    def remeasure_next(
        self, frame: Frame, standing: Mapping[str, Track], *, camera: Camera, pose: CameraPose
    ) -> tuple[str, ...]:
        """Those who were twice seen elsewhere than they are known to stand: none, or one."""
        if not standing:
            return ()
        self._looked_s = frame.t_s
        suspect = self._suspect
        id_ = suspect if suspect is not None and suspect in standing else self._next_id(tuple(standing))
        self._suspect = None
        one = standing[id_]
        if one.hidden_since_s is not None or not _is_elsewhere(frame, one, standing, camera, pose):
            self._times = 0
            return ()
        self._times += 1
        self._suspect = id_
        return (id_,) if self._times >= _LOOKS else ()

    def _next_id(self, ids: tuple[str, ...]) -> str:
        self._next = (self._next + 1) % len(ids)
        self._times = 0
        return ids[self._next]


def _is_elsewhere(frame: Frame, one: Track, standing: Mapping[str, Track], camera: Camera, pose: CameraPose) -> bool:
    again = _refit(frame, one.seen.fit, standing, camera, pose)
    return again is not None and has_moved(one.seen, MeasuredBase(again, None))


def _refit(
    frame: Frame, fit: BaseFit, standing: Mapping[str, Track], camera: Camera, pose: CameraPose
) -> BaseFit | None:
    if isinstance(fit.base, RectBase):
        others = [other.seen.fit for other in standing.values() if other.hidden_since_s is None]
        return refit_in_block(frame.image, fit, others, camera=camera, pose=pose)
    return fit_base(
        frame.image, start_mm=fit.at_mm, base=fit.base, ground=fit.ground, camera=camera, pose=pose,
        turn_rad=fit.turn_rad,
    )  # fmt: skip
