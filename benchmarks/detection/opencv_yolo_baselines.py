"""What a user would write instead to find round bases: Hough circles, contours, the network's boxes as they are, by our
own runner or by ultralytics itself."""

import math
from functools import cache
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from models.base import Catalogue, RoundBase
from models.camera import Camera, CameraPose
from models.layout import Layout
from vision.detection.network.finder import NetworkFinder
from vision.detection.network.inference import LEAST_SCORE, shipped_network
from vision.detection.network.inference import PX_PER_MM as KNOWN_PX_PER_MM
from vision.rectification.rectify import Window, rectification_maps, rectify, table_window

Seen = list[tuple[float, float, float]]  # x, y, diameter in mm

RIM_MM = 4.0
PX_PER_MM = 1.5
_ROUND = 0.85  # of the longer axis that the shorter has at least
_LIKE_SIZE = 0.1  # of a size of the catalogue


def find_hough_circles(
    image: Image, camera: Camera, pose: CameraPose, layout: Layout, sizes_mm: tuple[float, ...], *, quality: float,
    edge: int,
) -> Seen:  # fmt: skip
    """Circles of each size on the plane of the rims, those of higher accumulator first, without overlaps."""
    grey, window = _rectify(image, camera, pose, layout)
    found: Seen = []
    for diameter_mm in sorted(sizes_mm, reverse=True):
        radius = diameter_mm / 2 * window.px_per_mm
        circles = cv2.HoughCircles(
            grey, cv2.HOUGH_GRADIENT_ALT, 1.5, 20, param1=edge, param2=quality,
            minRadius=round(radius - 2), maxRadius=round(radius + 2),
        )  # fmt: skip
        for at_px in [] if circles is None else circles.reshape(-1, circles.shape[-1])[:, :2]:
            _keep_apart(found, window, at_px, diameter_mm)
    return found


def find_contour_ellipses(
    image: Image, camera: Camera, pose: CameraPose, layout: Layout, sizes_mm: tuple[float, ...], *, low: int
) -> Seen:
    """Ellipses by `cv2.fitEllipse` through the contours of Canny's edges that are nearly round and of a known size."""
    grey, window = _rectify(image, camera, pose, layout)
    edges = cv2.dilate(cv2.Canny(cv2.GaussianBlur(grey, (0, 0), 1.0), low, 3 * low), np.ones((3, 3), np.uint8))
    lines, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    ellipses = [cv2.fitEllipse(line) for line in lines if len(line) > 40]
    found: Seen = []
    for at_px, (a, b), _ in sorted(ellipses, key=lambda ellipse: -ellipse[1][1]):
        size = min(sizes_mm, key=lambda mm: abs(mm * window.px_per_mm - (a + b) / 2))
        if min(a, b) > _ROUND * max(a, b) and abs((a + b) / 2 / window.px_per_mm / size - 1) < _LIKE_SIZE:
            _keep_apart(found, window, np.array(at_px), size)
    return found


def find_network_boxes(
    image: Image, camera: Camera, pose: CameraPose, layout: Layout, sizes_mm: tuple[float, ...]
) -> Seen:
    """The middles of the boxes of the shipped `bases.onnx`, each of the size that it comes nearest to."""
    sizes = Catalogue(bases=tuple(RoundBase(diameter_mm=size) for size in sizes_mm))
    placed = NetworkFinder(sizes, layout, shipped_network()).propose(image, camera=camera, pose=pose)
    seen = [one.proposal for one in placed if one.proposal.kind == "round"]
    return [(*one.at, min(sizes_mm, key=lambda mm: abs(mm - math.sqrt(one.width * one.depth)))) for one in seen]


def find_ultralytics_boxes(
    image: Image, camera: Camera, pose: CameraPose, layout: Layout, sizes_mm: tuple[float, ...]
) -> Seen:
    """The middles of the boxes that ultralytics' own `predict` gives for the shipped weights. Needs the extra."""
    window = table_window(layout.table_mm, px_per_mm=KNOWN_PX_PER_MM)
    picture = rectify(image, rectification_maps(window, camera=camera, pose=pose, z_mm=RIM_MM / 2))
    side = -(-max(picture.shape[:2]) // 32) * 32
    (said,) = _ultralytics().predict(picture, imgsz=side, conf=LEAST_SCORE, device="cpu", verbose=False)
    found = [box for box, kind in zip(said.obb.xywhr.tolist(), said.obb.cls.tolist(), strict=True) if kind == 0]
    at_mm = window.to_mm(np.array([box[:2] for box in found], np.float64).reshape(-1, 2) - 0.5).tolist()
    return [
        (x, y, min(sizes_mm, key=lambda mm: abs(mm - math.sqrt(box[2] * box[3]))))
        for (x, y), box in zip(at_mm, found, strict=True)
    ]


@cache
def _ultralytics() -> Any:
    from ultralytics import YOLO

    from vision.training.yolo import WEIGHTS

    return YOLO(WEIGHTS, task="obb")


def _rectify(image: Image, camera: Camera, pose: CameraPose, layout: Layout) -> tuple[Image, Window]:
    window = table_window(layout.table_mm, px_per_mm=PX_PER_MM)
    picture = rectify(image, rectification_maps(window, camera=camera, pose=pose, z_mm=RIM_MM))
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8), window


def _keep_apart(found: Seen, window: Window, at_px: Floats, diameter_mm: float) -> None:
    """Keep it unless it overlaps one that was kept."""
    ((x, y),) = window.to_mm(np.asarray(at_px, np.float64)[None]).tolist()
    if all(math.dist((x, y), other[:2]) > (diameter_mm + other[2]) / 2 - 3 for other in found):
        found.append((x, y, diameter_mm))
