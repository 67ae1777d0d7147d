"""Camera health monitor: frame rate, sharpness and exposure once a second, before an answer suffers."""

import time
from collections import deque
from collections.abc import Callable
from typing import Literal

import cv2
import numpy as np

from api.camera.protocol import CameraHealth
from calibration.arrays import Image
from calibration.pose.pose_tracking import worst_sigma_mm
from calibration.view import View
from models.camera import Camera, CameraPose
from models.layout import Layout

EVERY_S = 1.0
_OVER_S = 5.0  # frames are counted over so long
_SMALL_PX = 640  # as wide as the picture in which light and blur are looked at
_DARK, _BLOWN, _MOST_BLOWN = 40.0, 250, 0.05


class HealthMonitor:
    """Counts frames, and once a second looks at one more closely."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._came_s: deque[float] = deque()
        self._looked_s = -EVERY_S
        self._sharpest = 1e-9

    def examine(self, image: Image, *, camera: Camera, layout: Layout, pose: CameraPose | None) -> CameraHealth | None:
        """How well the camera sees; None where that was said less than a second ago."""
        now_s = self._clock()
        self._came_s.append(now_s)
        while now_s - self._came_s[0] > _OVER_S:
            self._came_s.popleft()
        if now_s - self._looked_s < EVERY_S:
            return None
        self._looked_s = now_s
        grey = _shrink(image)
        edges = float(np.sqrt(np.mean(cv2.Laplacian(grey, cv2.CV_32F) ** 2)))
        self._sharpest = max(self._sharpest, edges)
        calibrated_px = camera.rms_px if camera.heldout_px is None else camera.heldout_px
        return CameraHealth(
            frames_per_s=round(self._frame_rate(now_s), 1),
            size_px=camera.image_size,
            sharpness=round(min(1.0, edges / self._sharpest), 2),
            brightness=round(float(grey.mean())),
            exposure=_judge_exposure(grey),
            calibration_px=round(calibrated_px, 3),
            table_sigma_mm=None if pose is None else round(worst_sigma_mm(View(camera, pose, layout)), 2),
        )

    def _frame_rate(self, now_s: float) -> float:
        took_s = now_s - self._came_s[0]
        return (len(self._came_s) - 1) / took_s if took_s > 0 else 0.0


def _shrink(image: Image) -> Image:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    share = min(1.0, _SMALL_PX / grey.shape[1])
    return np.asarray(cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)


def _judge_exposure(grey: Image) -> Literal["good", "dark", "bright"]:
    if float(grey.mean()) < _DARK:
        return "dark"
    return "bright" if float((grey >= _BLOWN).mean()) > _MOST_BLOWN else "good"
