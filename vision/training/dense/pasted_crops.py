"""Copy-paste augmentation: labelled crops of real tables pasted into drawn tiles, whose truth is known all around."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.arrays import Floats32, Image
from models.base import Base, RoundBase
from vision.detection.network.channels import KINDS, MAP_STRIDE, SIZES
from vision.labelled_crops import LabelledCrop
from vision.training.dense.augmentation import Sample
from vision.training.dense.targets import PLACE
from vision.training.scenes.tile import COLUMNS

_MOST_PASTED = 4
_TRIES = 12
_SOFT_PX = 2.0
_SPARE_PX = 2.0  # of its ground, beyond the rim
_DENIED_SHARE = 0.9  # of a crop without a base


def paste_crops(sample: Sample, crops: Sequence[LabelledCrop], random: np.random.Generator) -> Sample:
    """The tile with a few of these crops, turned any way, where nothing that is labelled stands."""
    for number in random.integers(len(crops), size=int(random.integers(1, _MOST_PASTED + 1))).tolist():
        sample = _paste(sample, crops[number], random)
    return sample


def _paste(sample: Sample, crop: LabelledCrop, random: np.random.Generator) -> Sample:
    picture, labels, maps = sample
    side, tile_side, turn_deg = crop.picture.shape[0], picture.shape[0], float(random.uniform(0, 360))
    long, short = sides_px(crop.label.base) if crop.label.base else (_DENIED_SHARE * side,) * 2
    for _ in range(_TRIES):
        left, top = random.integers(0, max(1, tile_side - side), 2).tolist()
        x, y = left + (side - 1) / 2, top + (side - 1) / 2
        if side < tile_side and _has_room(labels, x, y, long):
            break
    else:
        return sample
    axis = np.radians(crop.label.turn_deg + turn_deg)
    turn = cv2.getRotationMatrix2D(((side - 1) / 2,) * 2, -turn_deg, 1.0)
    turned = cv2.warpAffine(crop.picture, turn, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    share = _alpha(crop.label.base, side, long, short, axis)[..., None]
    picture, maps = picture.copy(), maps.copy()
    part = picture[top : top + side, left : left + side]
    part[:] = np.round(share * turned + (1 - share) * part)
    at = slice(top // MAP_STRIDE, (top + side) // MAP_STRIDE), slice(left // MAP_STRIDE, (left + side) // MAP_STRIDE)
    covered = cv2.resize(share[..., 0], (at[1].stop - at[1].start, at[0].stop - at[0].start)) > 0.5
    maps[at][covered] = 0
    if not crop.label.is_base or crop.label.base is None:
        return picture, labels, maps
    _draw_rim(maps, x, y, long, short, axis, crop.label.base)
    return picture, np.concatenate([labels, [_row(crop.label.base, x, y, long, short, axis)]]).astype(np.float32), maps


def sides_px(base: Base) -> tuple[float, float]:
    """Long and short side in a tile."""
    sides = (base.diameter_mm,) * 2 if isinstance(base, RoundBase) else (base.width_mm, base.depth_mm)
    return max(sides), min(sides)


def _has_room(labels: Floats32, x: float, y: float, long: float) -> bool:
    away = np.hypot(labels[:, PLACE["x"]] - x, labels[:, PLACE["y"]] - y)
    return bool(np.all(away > (labels[:, PLACE["long"]] + long) / 2 + _SPARE_PX))


def _alpha(base: Base | None, side: int, long: float, short: float, axis: float) -> Floats32:
    """How much of each pixel is the crop's: all of the base and its edge, softly out."""
    shape: Image = np.zeros((side, side), np.uint8)
    middle, spare = ((side - 1) / 2, (side - 1) / 2), 2 * _SPARE_PX
    box = (middle, (long + spare, short + spare), float(np.degrees(axis)))
    if base is not None and base.shape == "rect":
        cv2.fillConvexPoly(shape, np.round(cv2.boxPoints(box)).astype(np.int32), 1)
    else:
        cv2.ellipse(shape, box, 1, -1)
    return np.asarray(cv2.GaussianBlur(shape.astype(np.float32), (0, 0), _SOFT_PX), np.float32)


def _draw_rim(maps: Image, x: float, y: float, long: float, short: float, axis: float, base: Base) -> None:
    """The foot's outline, as the map of bottom rims holds it."""
    at = ((x + 0.5) / MAP_STRIDE - 0.5, (y + 0.5) / MAP_STRIDE - 0.5)
    box = (at, (long / MAP_STRIDE, short / MAP_STRIDE), float(np.degrees(axis)))
    layer = np.ascontiguousarray(maps[..., 0])
    if base.shape == "rect":
        cv2.polylines(layer, [np.round(cv2.boxPoints(box)).astype(np.int32)], True, 255, 1, cv2.LINE_AA)
    else:
        cv2.ellipse(layer, box, 255, 1, cv2.LINE_AA)
    maps[..., 0] = layer


def _row(base: Base, x: float, y: float, long: float, short: float, axis: float) -> Floats32:
    """A label; the rim counts as seen, and of marks nothing is known."""
    known = [(kind, size) for kind, *size in SIZES]
    sides = (base.shape, [round(long, 1), round(short, 1)])
    place = next((k for k, (kind, size) in enumerate(known) if kind == sides[0] and np.allclose(size, sides[1])), -1)
    values = {
        "kind": KINDS.index(base.shape), "size_class": place, "x": x, "y": y, "long": long, "short": short,
        "axis": axis, "facing": axis, "mark_x": x, "mark_y": y, "seen": 1.0,
    }  # fmt: skip
    return np.array([values.get(name, 0.0) for name in COLUMNS], np.float32)
