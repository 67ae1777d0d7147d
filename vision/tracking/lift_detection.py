"""Lift detection: whose place is seen without him while an arm is still over the table."""

from collections.abc import Mapping
from dataclasses import dataclass

from calibration.arrays import Mask
from vision.measurement.base_fit import BaseFit
from vision.rectification.rectify import Window
from vision.tracking.change_detection import View, is_on_change
from vision.tracking.occlusion import clear_share, is_vacated

_EVERY_S = 0.12
_CLEAR = 0.35  # of the ground around a place must look as it did: in an arm's deep shadow all is of one darkness
_ALL = 0.12  # of the picture: not an arm alone, the camera itself may have moved
_LOOKS = 2  # that must agree: between two fingers ground may be seen for a moment


@dataclass(frozen=True)
class UnderArm:
    """View with an arm over it, what changed since the table was settled, and what of that is no mere shadow."""

    now: View
    change: Mask
    solid: Mask
    window: Window


class LiftDetector:
    """Counts how often each standing base was seen to be gone from its place."""

    def __init__(self) -> None:
        self._looked_s = -1e9
        self._times: dict[str, int] = {}

    def update(self, look: UnderArm, standing: Mapping[str, BaseFit], *, t_s: float) -> tuple[str, ...]:
        """Those who are in a hand by now, each named once until `reset`."""
        if t_s - self._looked_s < _EVERY_S:
            return ()
        self._looked_s = t_s
        if look.change.mean() > _ALL:
            return ()
        touched = {id_: fit for id_, fit in standing.items() if is_on_change(look.change, look.window, fit)}
        if not touched:
            return ()
        gone = [id_ for id_, fit in touched.items() if self._is_gone(look, fit, standing)]
        self._times = {id_: times for id_, times in self._times.items() if id_ in gone or times >= _LOOKS}
        for id_ in gone:
            self._times[id_] = self._times.get(id_, 0) + 1
        return tuple(id_ for id_ in gone if self._times[id_] == _LOOKS)

    def reset(self) -> None:
        """The table is settled: whoever was in a hand has been put down, or taken away."""
        self._times = {}

    @staticmethod
    def _is_gone(look: UnderArm, fit: BaseFit, standing: Mapping[str, BaseFit]) -> bool:
        """A shadow on it is no sign, and where the hand is, ground is not seen."""
        if not is_on_change(look.solid, look.window, fit) or clear_share(look.window, fit, look.change) < _CLEAR:
            return False
        others = [other for other in standing.values() if other is not fit]
        return is_vacated(look.now, look.window, fit, others=others, changed=look.change)
