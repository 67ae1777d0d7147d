"""Whether a hand is seen over a real board: frames somebody else took, flattened to the board."""

import re
from pathlib import Path

import cv2
import numpy as np

from models.camera import Camera, CameraPose
from vision.tracking.change_detection import Overview, RectifiedView, detect_change, detect_solid_change, has_arm

_BOARD_MM = 450.0
_HANDS = {4, 5, 6, 19, 20, 27, 28, 29, 107, 108, 109, 110, 111}  # by their numbers, as their source lists them
_GAP = 3  # frames missing in between: the camera or the light may be another, so the table is learnt anew


def report(folder: Path) -> str:
    """Precision and recall of "a hand is there", frame by frame, each judged against the last that had none."""
    seen = {number: _read_view(path) for number, path in _numbered_files(folder)}
    told, before, last = set(), None, None
    for number, (view, overview) in seen.items():
        if before is None or last is None or number - last > _GAP:
            before = view
        elif _has_hand(before, view, overview):
            told.add(number)
        else:
            before = view
        last = number
    true = _HANDS & set(seen)
    right = len(true & told)
    return (
        f"hands over a board, {len(seen)} frames, {len(true)} with a hand: recall {right / max(1, len(true)):.3f},"
        f" precision {right / max(1, len(told)):.3f}; missed {sorted(true - told)}, false {sorted(told - true)}"
    )


def _has_hand(before: RectifiedView, view: RectifiedView, overview: Overview) -> bool:
    change = detect_change(before, view)
    return has_arm(change, detect_solid_change(before, view), overview.window, view.seen)


def _numbered_files(folder: Path) -> list[tuple[int, Path]]:
    found = [(int(re.sub(r"\D", "", path.stem)), path) for path in folder.glob("*.jpg")]
    return sorted(found)


def _read_view(path: Path) -> tuple[RectifiedView, Overview]:
    """The flattened board as a camera exactly above it would see it."""
    image = np.asarray(cv2.imread(str(path)), np.uint8)
    height, width = image.shape[:2]
    far_mm = 10_000.0
    focal = width / _BOARD_MM * far_mm
    camera = Camera(
        image_size=(width, height),
        K=((focal, 0, (width - 1) / 2), (0, focal, (height - 1) / 2), (0, 0, 1)),
        dist=(0.0, 0.0, 0.0, 0.0, 0.0),
        covariance=tuple(map(tuple, np.zeros((9, 9)).tolist())),
        rms_px=0,
    )
    middle = _BOARD_MM / 2
    pose = CameraPose(
        rotation=((1, 0, 0), (0, -1, 0), (0, 0, -1)),
        translation_mm=(-middle, middle, far_mm),
        covariance=tuple(map(tuple, np.zeros((6, 6)).tolist())),
        rms_px=0,
        rms_mm=0,
        markers=(),
        centre_mm=(middle, middle, far_mm),
    )
    overview = Overview((_BOARD_MM, _BOARD_MM), camera=camera, pose=pose)
    return overview.make_view(image), overview
