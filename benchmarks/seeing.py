"""Finding and placing bases in the shipped recording: ours beside OpenCV's Hough circles, in one run.

Hough circles get the same straightened picture, the same known sizes, and the best of a grid of settings chosen on the
very moments that are scored; ours runs as shipped. Truth: tests/vision/data/game_truth.json.

    python -m benchmarks.seeing
"""

import itertools
import json
import math
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from api.cli.demo import SHIPPED, shipped_camera
from api.files import load
from calibration.table import locate_table
from models.base import RoundBase, catalogue_of
from models.camera import Camera, CameraPose
from models.errors import BadLayout
from models.layout import Layout
from vision.locating import locate
from vision.rectify import straightened, table_window, window_maps
from vision.sources import frames_of

TRUTH = Path(__file__).parent.parent / "tests" / "vision" / "data" / "game_truth.json"
Seen = list[tuple[float, float, float]]  # x, y, diameter in mm
Image = NDArray[np.uint8]
NEAR_MM = 6.0


def main() -> None:
    camera, layout = shipped_camera(), load(Layout, SHIPPED / "layout.json", error=BadLayout)
    moments = {moment["frame"]: moment["bases"] for moment in json.loads(TRUTH.read_text())["moments"]}
    frames = {frame.index: frame.image for frame in frames_of(SHIPPED / "game.mp4") if frame.index in moments}
    poses = {k: locate_table(image, camera=camera, layout=layout) for k, image in frames.items()}

    def run(see: Callable[[Image, CameraPose], Seen]) -> tuple[float, float, float, float]:
        started = time.perf_counter()
        seen = {k: see(image, poses[k]) for k, image in frames.items()}
        ms = (time.perf_counter() - started) / len(frames) * 1e3
        return (*scored(seen, moments), ms)

    ours = run(lambda image, pose: _ours(image, camera, pose, layout))
    settings = list(itertools.product((0.5, 0.6, 0.7, 0.8, 0.9), (100, 200, 300)))
    hough = [run(lambda i, p, s=s: _hough(i, camera, p, layout, *s)) for s in settings]  # type: ignore[misc]
    best = max(hough, key=lambda row: 2 * row[0] * row[1] / max(row[0] + row[1], 1e-9))
    print(f"{len(frames)} moments, {sum(map(len, moments.values()))} bases, 1080p")
    print(f"{'':28s}{'recall':>8s}{'precision':>11s}{'centre RMS mm':>15s}{'ms a picture':>14s}")
    for name, row in (("ours", ours), (f"Hough, best of {len(settings)}", best)):
        print(f"{name:28s}{row[0]:8.3f}{row[1]:11.3f}{row[2]:15.2f}{row[3]:14.0f}")
    print(f"ratio of centre RMS, Hough to ours: {best[2] / ours[2]:.1f}")


def _ours(image: Image, camera: Camera, pose: CameraPose, layout: Layout) -> Seen:
    catalogue = catalogue_of(("warmachine-prime",))
    state = locate(image, camera=camera, pose=pose, layout=layout, catalogue=catalogue, edition="warmachine-prime")
    return [(*one.at_mm, one.base.diameter_mm) for one in state.miniatures if isinstance(one.base, RoundBase)]


def _hough(image: Image, camera: Camera, pose: CameraPose, layout: Layout, quality: float, edge: int) -> Seen:
    """Circles of each size on the plane of the rims, those of higher accumulator first, without overlaps."""
    window = table_window(layout.table_mm, px_per_mm=1.5)
    picture = straightened(image, window_maps(window, camera=camera, pose=pose, z_mm=4.0))
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    found: Seen = []
    for diameter_mm in (50.0, 40.0, 30.0):
        radius = diameter_mm / 2 * window.px_per_mm
        circles = cv2.HoughCircles(
            grey, cv2.HOUGH_GRADIENT_ALT, 1.5, 20, param1=edge, param2=quality,
            minRadius=round(radius - 2), maxRadius=round(radius + 2),
        )  # fmt: skip
        for x_px, y_px in [] if circles is None else circles.reshape(-1, circles.shape[-1])[:, :2]:
            ((x, y),) = window.to_mm(np.array([[x_px, y_px]], np.float64)).tolist()
            if all(math.dist((x, y), other[:2]) > (diameter_mm + other[2]) / 2 - 3 for other in found):
                found.append((x, y, diameter_mm))
    return found


def scored(seen: dict[int, Seen], moments: dict[int, list[dict[str, object]]]) -> tuple[float, float, float]:
    """Recall, precision, RMS distance of the centres in mm; a base of the wrong size is not found."""
    errors: list[float] = []
    truths = sum(map(len, moments.values()))
    for frame, bases in moments.items():
        left = list(seen[frame])
        for base in bases:
            near = [
                one for one in left if one[2] == base["diameter_mm"] and math.dist(one[:2], base["at_mm"]) < NEAR_MM
            ]  # type: ignore[arg-type]
            if near:
                best = min(near, key=lambda one: math.dist(one[:2], base["at_mm"]))  # type: ignore[arg-type]
                left.remove(best)
                errors.append(math.dist(best[:2], base["at_mm"]))  # type: ignore[arg-type]
    rms = math.sqrt(sum(e * e for e in errors) / max(len(errors), 1))
    return len(errors) / truths, len(errors) / max(sum(map(len, seen.values())), 1), rms


if __name__ == "__main__":
    main()
