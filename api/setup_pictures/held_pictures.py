"""Held pictures: those of a set-up, in colour and small, in memory alone, until the terrain is settled."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.arrays import Image
from calibration.camera_model.rescale import rescale_camera
from calibration.setup.solve_setup import Setup
from vision.terrain.several_views import TableView

WIDTH_PX = 1600  # of a picture as it is held: finer than the maps by which terrain is told from the mat
_QUALITY = 92


@dataclass
class HeldPictures:
    """JPEG by the picture's name: a sweep of twenty takes ten megabytes so. They show the room, and never leave."""

    _held: dict[str, bytes] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._held)

    def hold(self, name: str, image: Image) -> None:
        """Hold it, made small, in place of one of that name."""
        height, width = image.shape[:2]
        if width > WIDTH_PX:
            size = WIDTH_PX, round(height * WIDTH_PX / width)
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        self._held[name] = bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes())

    def drop(self, name: str) -> None:
        self._held.pop(name, None)

    def clear(self) -> None:
        """Hold none any more."""
        self._held.clear()

    def views(self, setup: Setup) -> Iterator[TableView]:
        """Those of this set-up, with the lens as it is for them and where they were taken."""
        for name, pose in zip(setup.pictures, setup.poses, strict=True):
            if name in self._held:
                picture = cv2.imdecode(np.frombuffer(self._held[name], np.uint8), cv2.IMREAD_COLOR)
                assert picture is not None
                image = np.asarray(picture, np.uint8)
                yield TableView(image, rescale_camera(setup.camera, (image.shape[1], image.shape[0])), pose)
