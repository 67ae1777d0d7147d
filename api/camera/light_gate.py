"""Light gate: lets only those frames through in which a projector's light is black, and notices when its light moved.

The page blinks by itself, and marks that shine with the light tell which frames caught the blink: no clock is shared.
"""

from collections import deque
from collections.abc import Iterator

import numpy as np

from api.camera.protocol import LightMarks, LightReport
from calibration.arrays import Floats, Image
from calibration.projector.light_marks import bump_mm, mark_contrasts, mark_offsets
from calibration.view import View
from vision.capture.sources import Frame

_HISTORY_S = 5.0
_LEAST_SPAN = 5.0  # grey levels between a mark that shines and one that does not
_BLACK_SHARE = 0.25  # of that span
_MOST_MARKS = 0.75  # of the marks that tell: hands may cover some
_PERCENTILES = (5.0, 90.0)
_UNSEEN_S = 6.0  # marks that do not shine for so long are elsewhere
_COMPARED_S = 20.0
_SAME_S = 0.5  # lit and black pictures so near in time show the same table


class LightGate:
    """One source's frames; `watch` says which marks shine, None that no light is on."""

    def __init__(self) -> None:
        self._marks: LightMarks | None = None
        self._history: deque[tuple[float, Floats]] = deque()
        self._began_s: float | None = None
        self._lit: tuple[float, Image] | None = None
        self._compared_s = -_COMPARED_S
        self._is_unseen = False

    def watch(self, marks: LightMarks | None) -> None:
        self._marks, self._began_s, self._lit, self._is_unseen = marks, None, None, False
        self._history.clear()

    def is_lit(self, frame: Frame, view: View | None) -> bool:
        """Whether light lies on the table in this frame, or may."""
        if self._marks is None or (view is None and not self._marks.is_hidden):
            return False
        if self._marks.is_hidden or view is None:
            return True
        if self._began_s is None:
            self._began_s = frame.t_s
        contrasts = mark_contrasts(frame.image, np.array(self._marks.places_mm).reshape(-1, 2), view)
        self._history.append((frame.t_s, contrasts))
        while frame.t_s - self._history[0][0] > _HISTORY_S:
            self._history.popleft()
        low, high = np.percentile(np.array([seen for _, seen in self._history]), _PERCENTILES, axis=0)
        telling = high - low > _LEAST_SPAN  # no mark that is out of the picture is
        if not telling.any():
            self._is_unseen = frame.t_s - self._began_s > _UNSEEN_S
            return not self._is_unseen
        self._is_unseen = False
        black = contrasts[telling] < low[telling] + _BLACK_SHARE * (high - low)[telling]
        is_lit = bool(np.mean(black) < _MOST_MARKS)
        if is_lit:
            self._lit = frame.t_s, frame.image
        return is_lit

    def reports(self, frame: Frame, view: View | None) -> Iterator[LightReport]:
        """What a black frame tells of the light, now and then: where its marks fell just before."""
        if self._marks is None or view is None or frame.t_s - self._compared_s < _COMPARED_S:
            return
        if self._is_unseen:
            self._compared_s = frame.t_s
            yield LightReport(None)
        elif self._lit is not None and frame.t_s - self._lit[0] < _SAME_S:
            places = np.array(self._marks.places_mm).reshape(-1, 2)
            moved_mm = bump_mm(mark_offsets(self._lit[1], frame.image, places, view))
            if moved_mm is not None:
                self._compared_s = frame.t_s
                yield LightReport(moved_mm)
