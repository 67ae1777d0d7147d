"""Inference: a rectified picture in, proposals or bases with their maps out, on the processor alone."""

import ast
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from calibration.arrays import Floats32, Image
from vision.detection.network.instances import SeenBase, seen_bases
from vision.detection.network.proposals import KINDS, Proposal, decode_proposals, non_maximum_suppression
from vision.parallel import thread_limit

SHIPPED = Path(__file__).parent / "weights" / "bases.onnx"
SHIPPED_DENSE = SHIPPED.with_name("dense.onnx")
PX_PER_MM = 1.0  # of the pictures that the networks know
LEAST_SCORE, LEAST_DENSE_SCORE = 0.3, 0.1
STRIDE = 32  # sides of what the network is given are multiples of this


class Network:
    """A network of oriented boxes in an inference session: ours, or any that ultralytics exported."""

    def __init__(self, path: Path) -> None:
        self._session = open_session(path)
        self._input = self._session.get_inputs()[0].name
        classes = self._session.get_modelmeta().custom_metadata_map.get("names")
        self._names = tuple(map(str, ast.literal_eval(classes).values())) if classes else KINDS

    def proposals(self, picture: Image, *, least_score: float = LEAST_SCORE) -> list[Proposal]:
        """The bases in a rectified BGR picture, in its pixels (integers at centres), best score first."""
        (answers,) = self._session.run(None, {self._input: to_network_input(picture)})
        rows = np.asarray(answers[0], np.float32)
        rows[:2] -= 0.5  # the network counts from a pixel's corner
        return non_maximum_suppression(decode_proposals(rows, names=self._names, least_score=least_score))


@dataclass(frozen=True)
class DenseView:
    """What the dense network tells of one picture: bases, surest first; maps (4, H / 2, W / 2) of MAPS, 0 to 1."""

    bases: tuple[SeenBase, ...]
    maps: Floats32


class DenseNetwork:
    """A file of the dense network in an inference session."""

    def __init__(self, path: Path) -> None:
        self._session = open_session(path)

    def look(self, picture: Image, *, least_score: float = LEAST_DENSE_SCORE) -> DenseView:
        """Bases and maps of a rectified BGR picture at one pixel a millimetre, in its pixels (integers at centres)."""
        instances, maps = self._session.run(None, {"picture": to_network_input(picture)})
        bases = seen_bases(np.asarray(instances[0], np.float32), least_score=least_score)
        height, width = picture.shape[:2]
        inside = tuple(base for base in bases if base.at_px[0] < width and base.at_px[1] < height)
        return DenseView(inside, np.asarray(maps[0], np.float32))


@cache
def shipped_network() -> Network:
    """The network that comes with the program, loaded on first use."""
    return Network(SHIPPED)


@cache
def shipped_dense_network() -> DenseNetwork:
    """The dense network that comes with the program, loaded on first use."""
    return DenseNetwork(SHIPPED_DENSE)


def open_session(path: Path) -> Any:
    """An inference session on the processor, with as many threads as one frame may use."""
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # it tells nobody what it runs
    import onnxruntime  # here, so that what needs no network does not wait for it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = thread_limit()
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # the other finders work beside it
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def to_network_input(picture: Image) -> Floats32:
    """(1, 3, H, W) RGB from 0 to 1, the sides filled up with black."""
    height, width = (-(-side // STRIDE) * STRIDE for side in picture.shape[:2])
    filled = np.zeros((1, 3, height, width), np.float32)
    filled[0, :, : picture.shape[0], : picture.shape[1]] = picture[..., ::-1].transpose(2, 0, 1)
    filled /= 255
    return filled
