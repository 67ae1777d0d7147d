"""Corrupt-frame filter: drops pictures that are like neither the one before nor the one after (torn, half grey)."""

import numpy as np
from numpy.typing import NDArray

from vision.capture.sources import Frame

_EVERY = 16  # pixels of a row and a column of which one is compared
_STEP = 24  # grey levels that are more than noise
_MUCH = 0.2  # of the picture: no hand comes and goes so fast
_MOST = 3  # pictures in a row that are left out


class CorruptFrameFilter:
    """Filters frames one by one; one that differs much from the last must be borne out by the next."""

    def __init__(self) -> None:
        self._last: NDArray[np.int16] | None = None
        self._doubted: NDArray[np.int16] | None = None
        self._left_out = 0

    def accepts(self, frame: Frame) -> bool:
        """Whether this frame is to be used."""
        few = frame.image[::_EVERY, ::_EVERY].astype(np.int16)
        is_borne_out = self._doubted is not None and _are_alike(self._doubted, few)
        if self._last is None or _are_alike(self._last, few) or is_borne_out or self._left_out == _MOST:
            self._last, self._doubted, self._left_out = few, None, 0
            return True
        self._doubted = few
        self._left_out += 1
        return False


def _are_alike(before: NDArray[np.int16], after: NDArray[np.int16]) -> bool:
    if before.shape != after.shape:
        return True  # another size is no glitch, and told elsewhere
    return bool((np.abs(before - after).max(axis=2) > _STEP).mean() < _MUCH)
