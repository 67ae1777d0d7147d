"""How well the camera sees."""

import cv2
import numpy as np

from api.camera.frame_loop import HealthMonitor
from api.camera.protocol import CameraHealth
from calibration.arrays import Image
from tests.calibration import mats, scene

LAYOUT = scene.layout()
GREY = scene.photograph_table(LAYOUT, camera=mats.CAMERA, pose=mats.TRUE)
TABLE = np.asarray(cv2.cvtColor(GREY, cv2.COLOR_GRAY2BGR), np.uint8)


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def looked(*pictures: Image, apart_s: float = 1.0) -> list[CameraHealth | None]:
    clock = Clock()
    health_monitor = HealthMonitor(clock=clock)
    found = []
    for picture in pictures:
        found.append(health_monitor.examine(picture, camera=mats.CAMERA, layout=LAYOUT, pose=mats.TRUE))
        clock.now_s += apart_s
    return found


def test_a_blurred_picture_is_less_sharp_than_the_sharpest() -> None:
    blurred = np.asarray(cv2.GaussianBlur(TABLE, (0, 0), 5), np.uint8)

    sharp, dull = looked(TABLE, blurred)

    assert sharp is not None
    assert dull is not None
    assert sharp.sharpness == 1.0
    assert dull.sharpness < 0.6


def test_too_little_and_too_much_light_are_told() -> None:
    dark, bright = (np.full_like(TABLE, level) for level in (12, 254))

    told = looked(dark, bright)

    assert [one and one.exposure for one in told] == ["dark", "bright"]


def test_frames_are_counted_and_health_is_told_once_a_second() -> None:
    told = looked(*[TABLE] * 9, apart_s=0.25)

    assert [one is not None for one in told] == [True, False, False, False] * 2 + [True]
    assert told[-1] is not None
    assert told[-1].frames_per_s == 4.0


def test_the_doubt_of_the_pose_and_of_the_lens_are_told() -> None:
    (told,) = looked(TABLE)

    assert told is not None
    assert told.calibration_px == round(mats.CAMERA.rms_px, 3)
    assert told.table_sigma_mm is not None
