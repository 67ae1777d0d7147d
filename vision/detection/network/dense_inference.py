"""Inference of the dense network: a rectified picture in, bases with their doubts and maps out."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from calibration.arrays import Floats32, Image
from vision.detection.network.inference import open_session, to_network_input
from vision.detection.network.instances import SeenBase, seen_bases

SHIPPED_DENSE = Path(__file__).parent / "weights" / "dense.onnx"
LEAST_SCORE = 0.1


@dataclass(frozen=True)
class DenseView:
    """What the dense network tells of one picture: bases, surest first; maps (4, H / 2, W / 2) of MAPS, 0 to 1."""

    bases: tuple[SeenBase, ...]
    maps: Floats32


class DenseNetwork:
    """A file of the dense network in an inference session."""

    def __init__(self, path: Path) -> None:
        self._session = open_session(path)

    def look(self, picture: Image, *, least_score: float = LEAST_SCORE) -> DenseView:
        """Bases and maps of a rectified BGR picture at one pixel a millimetre, in its pixels (integers at centres)."""
        instances, maps = self._session.run(None, {"picture": to_network_input(picture)})
        found = seen_bases(np.asarray(instances[0], np.float32), least_score=least_score)
        height, width = picture.shape[:2]
        inside = tuple(one for one in found if one.at_px[0] < width and one.at_px[1] < height)
        return DenseView(inside, np.asarray(maps[0], np.float32))


@cache
def shipped_dense_network() -> DenseNetwork:
    """The dense network that comes with the program, loaded on first use."""
    return DenseNetwork(SHIPPED_DENSE)
