"""How long one picture takes to locate, and a tap in it, and how much memory: in a new process, and again in the same.

Processor time beside the clock's, since other programs may run. The picture is one of a table with its fiducials in
view; without any, a drawn one stands in: smaller than a camera's, its pose known, its drawing part of the cold look.

    python -m benchmarks.detection.locate_time_memory [PICTURE --camera CAM.json --layout LAYOUT.json] [--times 3]
"""

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from calibration.arrays import Image
from calibration.view import View
from models.base import catalogue_of
from models.state import TableState

_BESIDE_MM = 2.5  # of the middle, along both axes: as a finger comes down


def main() -> None:
    started = time.perf_counter()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.detection.locate_time_memory")
    parser.add_argument("picture", type=Path, nargs="?")
    parser.add_argument("--camera", type=Path)
    parser.add_argument("--layout", type=Path)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    said = parser.parse_args()
    if not said.inside:
        subprocess.run(
            [sys.executable, "-m", "benchmarks.detection.locate_time_memory", *sys.argv[1:], "--inside"], check=True
        )
        return
    locate_once = _locator_of(said)
    print(f"{'':12s}{'clock s':>9s}{'processor s':>13s}")
    for number in range(said.times):
        begun, spent = (started, 0.0) if number == 0 else (time.perf_counter(), time.process_time())
        image, view, state = locate_once()
        _print_row("cold, start" if number == 0 else f"warm {number}", begun, spent, f"{len(state.miniatures)} bases")
    _time_taps(image, view, state)
    print(f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


def _print_row(name: str, begun: float, spent: float, says: str) -> None:
    print(f"{name:12s}{time.perf_counter() - begun:9.2f}{time.process_time() - spent:13.2f}   {says}")


def _time_taps(image: Image, view: View, state: TableState) -> None:
    """A tap beside each base, in a picture that was opened as the server opens it; every size on sale is tried."""
    from api.tap_measurement.service import HeldPicture, measure_tap, open_picture
    from models.tap import Tap

    held = HeldPicture("drawn", cv2.imencode(".jpg", image)[1].tobytes(), view)
    begun, spent = time.perf_counter(), time.process_time()
    open_picture(held, True)
    _print_row("opened", begun, spent, "for taps")
    catalogue, took = catalogue_of(), list[tuple[float, float]]()
    for miniature in state.miniatures:
        begun, spent = time.perf_counter(), time.process_time()
        x, y = miniature.at_mm
        tap = Tap(at_mm=(x + _BESIDE_MM, y - _BESIDE_MM))
        measure_tap(held.name, tap, catalogue, catalogue.log_priors({}, {}))
        took.append((time.perf_counter() - begun, time.process_time() - spent))
    for name, rows in (("first tap", took[:1]), ("later taps", took[1:])):
        clock_s, processor_s = np.median(np.array(rows).reshape(-1, 2), axis=0)
        print(f"{name:12s}{clock_s:9.3f}{processor_s:13.3f}   the median of {len(rows)}")


def _locator_of(said: argparse.Namespace) -> Callable[[], tuple[Image, View, TableState]]:
    """What reads the picture and locates its bases; everything is loaded here, for the cold one to pay."""
    from api.malloc import keep_large_blocks  # first, as every command does: `api` keeps matrix products to one thread
    from vision.locate import locate

    keep_large_blocks()
    read = _reader_of(said)

    def locate_once() -> tuple[Image, View, TableState]:
        image, view = read()
        return image, view, locate(image, view=view, catalogue=catalogue_of(), edition="warmachine-prime")

    return locate_once


def _reader_of(said: argparse.Namespace) -> Callable[[], tuple[Image, View]]:
    """What reads the picture and where it was taken from; a drawn one where none was named."""
    from calibration.pose.locate_table import locate_table
    from models.camera import Camera
    from models.errors import BadCamera, BadLayout
    from models.layout import Layout
    from models.parsing import parse
    from vision.capture.image_decoding import decode_image
    from vision.training.synthetic.table import drawn_table

    if said.picture is None:
        table = drawn_table(900, 0, px_per_mm=1.5, ranked=0.0)
        return lambda: (table.picture, View(table.camera, table.pose, table.layout))
    camera = parse(Camera, said.camera.read_bytes(), error=BadCamera)
    layout = parse(Layout, said.layout.read_bytes(), error=BadLayout)

    def read() -> tuple[Image, View]:
        image = decode_image(said.picture.read_bytes(), field="file", name=said.picture.name)
        return image, View(camera, locate_table(image, camera=camera, layout=layout), layout)

    return read


if __name__ == "__main__":
    main()
