"""The yaw of an upright tag in photographs that name it, read by a plain planar pose: the only real angles at hand.

No rim of a base is marked in them, so `vision/facing.py` has nothing to read there: what is checked is how well an
angle of something on the table can be had from one small marker, and how far the labels themselves can be trusted.

    python -m benchmarks.tagged FOLDER      # that of dt-apriltags: test_image_rotation_*.png
"""

import argparse
import math
from pathlib import Path

import cv2
import numpy as np

from calibration.marker import detect

_SIDE_MM = 65.0
_LARGER = 3  # a cell of the tag seen from its edge is four pixels wide
_CAMERA = np.array([[329.87, 0.0, 528.0], [0.0, 332.95, 396.0], [0.0, 0.0, 1.0]])  # as published beside the pictures


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tagged", description=__doc__)
    parser.add_argument("folder", type=Path)
    said = parser.parse_args()
    errors = []
    for path in sorted(said.folder.glob("test_image_rotation_*.png"), key=_label_deg):
        found = yaw_deg(path)
        told = "not found" if found is None else f"{found:7.1f}{found - _label_deg(path):8.1f}"
        errors += [] if found is None else [found - _label_deg(path)]
        print(f"{path.name:32s}{_label_deg(path):6.0f}{told}")
    off = np.array(errors)
    spread = math.sqrt(float(np.mean((off - off.mean()) ** 2)))
    print(f"{len(off)} read; RMS {math.sqrt(float(np.mean(off**2))):.1f} degrees, {spread:.1f} about their mean")


def _label_deg(path: Path) -> float:
    return float(path.stem.rsplit("_", 1)[1])


def yaw_deg(path: Path) -> float | None:
    """By how much the tag is turned about its post, anticlockwise from above; 0 faces the camera."""
    small = np.asarray(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE), np.uint8)
    large = np.asarray(cv2.resize(small, None, fx=_LARGER, fy=_LARGER, interpolation=cv2.INTER_CUBIC), np.uint8)
    found = detect(large, name="APRILTAG_36h11")
    if not found:
        return None
    corners = (found[0][1] + 0.5) / _LARGER - 0.5
    half = _SIDE_MM / 2
    square = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    _, turns, _, _ = cv2.solvePnPGeneric(square, corners, _CAMERA, None, flags=cv2.SOLVEPNP_IPPE_SQUARE)
    ahead = cv2.Rodrigues(turns[0])[0][:, 2]  # out of the tag, toward the camera
    return math.degrees(math.atan2(ahead[0], -ahead[2]))


if __name__ == "__main__":
    main()
