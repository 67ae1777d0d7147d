"""The slow sweep: while nothing happens, one base after the other is looked at closely, again and again.

It finds what was too little for a change: a base pushed by two millimetres, or lost in a shadow.
"""

from collections.abc import Mapping

from models.base import RectBase
from models.camera import Camera, CameraPose
from vision.fit import RimFit, fit_rim
from vision.happening import has_moved
from vision.identity import Known
from vision.locating import SeenBase
from vision.ranked.again import measured_again
from vision.sources import Frame

_EVERY_S = 1.0
_LOOKS = 2  # that must agree


class Sweep:
    """Whose turn it is, and of whom the last look said something else than is known."""

    def __init__(self) -> None:
        self._looked_s = -1e9
        self._next = 0
        self._suspect: str | None = None
        self._times = 0

    def is_due(self, t_s: float) -> bool:
        """Whether it is time for another look."""
        return t_s - self._looked_s >= _EVERY_S

    def look(self, frame: Frame, standing: Mapping[str, Known], *, camera: Camera, pose: CameraPose) -> tuple[str, ...]:
        """Those who were twice seen elsewhere than they are known to stand: none, or one."""
        if not standing:
            return ()
        self._looked_s = frame.t_s
        suspect = self._suspect
        id_ = suspect if suspect is not None and suspect in standing else self._turn(tuple(standing))
        self._suspect = None
        one = standing[id_]
        if one.hidden_since_s is not None or not _is_elsewhere(frame, one, standing, camera, pose):
            self._times = 0
            return ()
        self._times += 1
        self._suspect = id_
        return (id_,) if self._times >= _LOOKS else ()

    def _turn(self, ids: tuple[str, ...]) -> str:
        self._next = (self._next + 1) % len(ids)
        self._times = 0
        return ids[self._next]


def _is_elsewhere(frame: Frame, one: Known, standing: Mapping[str, Known], camera: Camera, pose: CameraPose) -> bool:
    again = _again(frame, one.seen.fit, standing, camera, pose)
    return again is not None and has_moved(one.seen, SeenBase(again, None))


def _again(frame: Frame, fit: RimFit, standing: Mapping[str, Known], camera: Camera, pose: CameraPose) -> RimFit | None:
    if isinstance(fit.base, RectBase):
        others = [other.seen.fit for other in standing.values() if other.hidden_since_s is None]
        return measured_again(frame.image, fit, others, camera=camera, pose=pose)
    return fit_rim(
        frame.image, start_mm=fit.at_mm, base=fit.base, ground=fit.ground, camera=camera, pose=pose,
        turn_rad=fit.turn_rad,
    )  # fmt: skip
