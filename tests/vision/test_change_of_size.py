"""A stream that becomes smaller or larger while a table is watched."""

import cv2
import numpy as np

from calibration.camera_model.rescale import rescale_camera
from models.base import catalogue_of
from models.timeline import EventLine, StateLine
from tests.vision import rendered
from vision.capture.sources import Frame
from vision.tracking.tracker import Tracker

SCENE = rendered.Scene((rendered.Base((150.0, 140.0), 40.0), rendered.Base((420.0, 230.0), 30.0, seed=2)))
CAMERA = SCENE.eye.camera()
FPS = 10.0


def test_smaller_pictures_of_a_table_at_rest_change_nothing() -> None:
    picture = rendered.photograph(SCENE)
    half = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    sizes = [picture] * 5 + [half] * 8 + [picture] * 8
    tracker = Tracker(
        CAMERA, rendered.layout(), edition="warmachine-prime", catalogue=catalogue_of(("warmachine-prime",))
    )
    lines, was = [], picture.shape
    for number, image in enumerate(sizes):
        if image.shape != was:
            tracker.change_camera(rescale_camera(CAMERA, (image.shape[1], image.shape[0])))
            was = image.shape
        lines += tracker.update(Frame(number, number / FPS, image)).lines
    states = [line.state.miniatures for line in lines if isinstance(line, StateLine)]

    assert len(states[0]) == 2
    assert all(state == states[0] for state in states)
    assert [line.type for line in lines if isinstance(line, EventLine)] == []
