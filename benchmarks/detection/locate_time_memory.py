"""How long one picture takes to locate, and how much memory: in a new process, and again in the same one.

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

from calibration.view import View


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
        count = locate_once()
        name = "cold, start" if number == 0 else f"warm {number}"
        print(f"{name:12s}{time.perf_counter() - begun:9.2f}{time.process_time() - spent:13.2f}   {count} bases")
    print(f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


def _locator_of(said: argparse.Namespace) -> Callable[[], int]:
    """What locates the table once, and how many bases it finds; everything is loaded here, for the cold one to pay."""
    from api.malloc import keep_large_blocks  # first, as every command does: `api` keeps matrix products to one thread
    from calibration.pose.locate_table import locate_table
    from models.base import catalogue_of
    from models.camera import Camera
    from models.errors import BadCamera, BadLayout
    from models.layout import Layout
    from models.parsing import parse
    from vision.capture.image_decoding import decode_image
    from vision.locate import locate

    keep_large_blocks()
    if said.picture is None:
        return _drawn_locator()
    camera = parse(Camera, said.camera.read_bytes(), error=BadCamera)
    layout = parse(Layout, said.layout.read_bytes(), error=BadLayout)

    def locate_once() -> int:
        image = decode_image(said.picture.read_bytes(), field="file", name=said.picture.name)
        pose = locate_table(image, camera=camera, layout=layout)
        state = locate(image, view=View(camera, pose, layout), catalogue=catalogue_of(), edition="warmachine-prime")
        return len(state.miniatures)

    return locate_once


def _drawn_locator() -> Callable[[], int]:
    from models.base import catalogue_of
    from vision.locate import locate
    from vision.training.synthetic.table import drawn_table

    table = drawn_table(900, 0, px_per_mm=1.5, ranked=0.0)

    def locate_once() -> int:
        state = locate(
            table.picture, view=View(table.camera, table.pose, table.layout), catalogue=catalogue_of(),
            edition="warmachine-prime",
        )  # fmt: skip
        return len(state.miniatures)

    return locate_once


if __name__ == "__main__":
    main()
