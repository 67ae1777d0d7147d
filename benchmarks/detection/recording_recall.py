"""Finding and placing bases in the shipped recording: ours beside what a user would write instead, in one run.

Hough circles and contours get the same straightened picture, the same known sizes, and the best of a grid of settings
chosen on the very moments that are scored; the network's boxes stand as they are, and ours runs as shipped. Truth:
tests/vision/data/game_truth.json. Where the extra `train` is installed, ultralytics' own predict stands beside it too.
Then the fit beside the least error that there can be, on clean discs that nothing hides. With `--rendered`, before
that, tables of the renderer that the network never learnt from (`benchmarks/detection/rendered_tables.py`), every
size in play.

    python -m benchmarks.detection.recording_recall [--rendered FOLDER ...]
"""

import argparse
import importlib.util
import itertools
import json
import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from api.cli.serve import SHIPPED, shipped_camera
from api.storage.files import load
from benchmarks.detection.fit_lower_bound import measure_clean_discs
from benchmarks.detection.opencv_yolo_baselines import (
    Seen,
    find_contour_ellipses,
    find_hough_circles,
    find_network_boxes,
    find_ultralytics_boxes,
)
from benchmarks.detection.rendered_tables import print_scores
from calibration.arrays import Image
from calibration.pose.locate_table import locate_table
from calibration.view import View
from models.base import RoundBase
from models.camera import Camera, CameraPose
from models.errors import BadLayout
from models.layout import Layout
from models.written_book import catalogue_in_play
from vision.capture.sources import read_frames
from vision.locate import locate

TRUTH = Path(__file__).parents[2] / "tests" / "vision" / "data" / "game_truth.json"
Row = tuple[float, float, float, float]  # recall, precision, RMS and time
NEAR_MM = 6.0
SIZES_MM = (30.0, 40.0, 50.0)
LOW = (20, 40, 60, 80)  # Canny's lower limit


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.detection.recording_recall")
    parser.add_argument("--rendered", type=Path, nargs="*", default=[], help="folders of rendered tables")
    folders = parser.parse_args().rendered
    _measure_recording()
    for folder in folders:
        print(folder.name)
        print_scores(folder, every_size=True)
    _measure_clean_discs()


def _measure_recording() -> None:
    camera, layout = shipped_camera(), load(Layout, SHIPPED / "layout.json", error=BadLayout)
    moments = {moment["frame"]: moment["bases"] for moment in json.loads(TRUTH.read_text())["moments"]}
    frames = {frame.index: frame.image for frame in read_frames(SHIPPED / "game.mp4") if frame.index in moments}
    poses = {k: locate_table(image, camera=camera, layout=layout) for k, image in frames.items()}

    def run(see: Callable[[Image, CameraPose], Seen]) -> Row:
        started = time.perf_counter()
        seen = {k: see(image, poses[k]) for k, image in frames.items()}
        ms = (time.perf_counter() - started) / len(frames) * 1e3
        return (*score_moments(seen, moments), ms)

    rows = {"ours": run(lambda image, pose: _locate_ours(image, camera, pose, layout))}
    settings = list(itertools.product((0.5, 0.6, 0.7, 0.8, 0.9), (100, 200, 300)))
    rows[f"Hough, best of {len(settings)}"] = _best_row(
        run(lambda image, pose, q=q, e=e: find_hough_circles(image, camera, pose, layout, SIZES_MM, quality=q, edge=e))  # type: ignore[misc]
        for q, e in settings
    )
    rows[f"contours, best of {len(LOW)}"] = _best_row(
        run(lambda image, pose, low=low: find_contour_ellipses(image, camera, pose, layout, SIZES_MM, low=low))  # type: ignore[misc]
        for low in LOW
    )
    rows["the network's boxes"] = run(lambda image, pose: find_network_boxes(image, camera, pose, layout, SIZES_MM))
    if importlib.util.find_spec("ultralytics"):
        rows["ultralytics' own predict"] = run(
            lambda image, pose: find_ultralytics_boxes(image, camera, pose, layout, SIZES_MM)
        )
    print(f"{len(frames)} moments, {sum(map(len, moments.values()))} bases, 1080p")
    print(f"{'':28s}{'recall':>8s}{'precision':>11s}{'centre RMS mm':>15s}{'ms a picture':>14s}")
    for name, row in rows.items():
        print(f"{name:28s}{row[0]:8.3f}{row[1]:11.3f}{row[2]:15.2f}{row[3]:14.0f}")


def _measure_clean_discs() -> None:
    print(f"{'clean rims, all of them seen':28s}{'noise':>8s}{'ours px':>11s}{'least px':>15s}{'times':>14s}")
    for diameter_mm, noise in itertools.product(SIZES_MM, (1.0, 2.0, 4.0)):
        one = measure_clean_discs(diameter_mm=diameter_mm, noise=noise, blur_px=0.7)
        times = one.ours_px / one.bound_px
        print(f"{diameter_mm:25.0f} mm{noise:8.0f}{one.ours_px:11.4f}{one.bound_px:15.4f}{times:14.2f}")


def _best_row(rows: Iterable[Row]) -> Row:
    """The one whose recall and precision are best together."""
    return max(rows, key=lambda row: 2 * row[0] * row[1] / max(row[0] + row[1], 1e-9))


def _locate_ours(image: Image, camera: Camera, pose: CameraPose, layout: Layout) -> Seen:
    catalogue = catalogue_in_play("warmachine-prime", None)
    state = locate(image, view=View(camera, pose, layout), catalogue=catalogue, edition="warmachine-prime")
    return [(*one.at_mm, one.base.diameter_mm) for one in state.miniatures if isinstance(one.base, RoundBase)]


def score_moments(seen: dict[int, Seen], moments: dict[int, list[dict[str, Any]]]) -> tuple[float, float, float]:
    """Recall, precision, RMS distance of the centres in mm; a base of the wrong size is not found."""
    errors: list[float] = []
    truths = sum(map(len, moments.values()))
    for frame, bases in moments.items():
        left = list(seen[frame])
        for base in bases:
            near = [
                one for one in left if one[2] == base["diameter_mm"] and math.dist(one[:2], base["at_mm"]) < NEAR_MM
            ]
            if near:
                best = min(near, key=lambda one: math.dist(one[:2], base["at_mm"]))
                left.remove(best)
                errors.append(math.dist(best[:2], base["at_mm"]))
    rms = math.sqrt(sum(e * e for e in errors) / max(len(errors), 1))
    return len(errors) / truths, len(errors) / max(sum(map(len, seen.values())), 1), rms


if __name__ == "__main__":
    main()
