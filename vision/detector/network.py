"""The trained network at work: a straightened picture in, proposals out, on the processor alone."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.cores import at_once
from vision.detector.proposal import Proposal, distinct, proposals

Picture = NDArray[np.uint8]

SHIPPED = Path(__file__).parent / "weights" / "bases.onnx"
PX_PER_MM = 1.0  # of the pictures the network knows
LEAST_SCORE = 0.3
STRIDE = 32  # sides of what the network is given are multiples of this


class Network:
    """A network file, ready to be asked."""

    def __init__(self, path: Path) -> None:
        self._session = _session(path)

    def proposals(self, picture: Picture, *, least_score: float = LEAST_SCORE) -> list[Proposal]:
        """The bases in a straightened BGR picture, in its pixels (integers at centres), surest first."""
        (answers,) = self._session.run(None, {"picture": _prepared(picture)})
        found = np.asarray(answers[0], np.float32)
        found[:2] -= 0.5  # the network counts from a pixel's corner
        return distinct(proposals(found, least_score=least_score))


@cache
def shipped() -> Network:
    """The network that comes with the program, loaded when it is first asked for."""
    return Network(SHIPPED)


def _session(path: Path) -> Any:
    import onnxruntime  # here, so that what needs no network does not wait for it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = at_once()
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # the other finders work beside it
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _prepared(picture: Picture) -> NDArray[np.float32]:
    """(1, 3, H, W) RGB from 0 to 1, the sides filled up with black."""
    height, width = (-(-side // STRIDE) * STRIDE for side in picture.shape[:2])
    filled = np.zeros((1, 3, height, width), np.float32)
    filled[0, :, : picture.shape[0], : picture.shape[1]] = picture[..., ::-1].transpose(2, 0, 1)
    filled /= 255
    return filled
