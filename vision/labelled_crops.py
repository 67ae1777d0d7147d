"""Labelled crops: what persons confirm or deny in a picture, cut out as the networks see it, for training on them.

A folder holds NAME.png, the ground straightened at 1 px/mm at half a rim's height around the base, and NAME.json, its
label. It holds a thousand at most: the oldest go. Nothing in it tells where on the table, or in which picture.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.arrays import Image
from calibration.view import View
from models.base import Base, RoundBase
from models.errors import BadFile
from models.frozen import Frozen
from models.miniature import Miniature
from models.parsing import parse
from models.state import TableState
from models.vocabulary import Point
from vision.rectification.rectify import Window, rectification_maps, rectify_filtered
from vision.rectification.search_windows import HALF_RIM_MM

PX_PER_MM = 1.0
MOST_CROPS = 1000
_AROUND_MM, _AROUND_SHARE = 8.0, 0.6  # of ground; of its long side from the middle
_DENIED_MM = 40.0  # of a place where no size is known


class CropLabel(Frozen):
    """What a crop shows in its middle: a base of this size, or none. Angles in the picture, clockwise from +x."""

    is_base: bool
    base: Base | None = None
    turn_deg: float = 0.0
    is_measured: bool = False  # its rim led the fit; else a hand placed it


@dataclass(frozen=True)
class LabelledCrop:
    """A crop and its label."""

    picture: Image
    label: CropLabel


def crops_of(
    image: Image, state: TableState, denied_mm: Sequence[Point] = (), *, view: View
) -> tuple[LabelledCrop, ...]:
    """Crops of all bases that persons confirmed in this picture, and of the places where they said that none stands."""
    crops = [
        _cut(image, m.at_mm, _label_of(m), ground_mm=m.elevation_mm or 0.0, view=view)
        for m in state.miniatures
        if m.placement is not None
    ]
    crops += [_cut(image, at_mm, CropLabel(is_base=False), ground_mm=0.0, view=view) for at_mm in denied_mm]
    return tuple(crop for crop in crops if crop is not None)


def _label_of(miniature: Miniature) -> CropLabel:
    facings = miniature.facing_deg, *(other.facing_deg for other in miniature.facing_alternatives)
    turn_deg = next((-deg for deg in facings if deg is not None), 0.0)
    return CropLabel(
        is_base=True, base=miniature.base, turn_deg=0.0 if miniature.base.shape == "round" else turn_deg,
        is_measured=miniature.placement == "measured",
    )  # fmt: skip


def _cut(image: Image, at_mm: Point, label: CropLabel, *, ground_mm: float, view: View) -> LabelledCrop | None:
    """The crop around a place; None where the picture does not show all of it."""
    reach_mm = _DENIED_MM if label.base is None else _AROUND_SHARE * _long_side_mm(label.base) + _AROUND_MM
    x, y = at_mm
    window = Window(x - reach_mm, y - reach_mm, x + reach_mm, y + reach_mm, PX_PER_MM)
    maps = rectification_maps(window, camera=view.camera, pose=view.pose, z_mm=ground_mm + HALF_RIM_MM)
    last = np.array(image.shape[1::-1]) - 1
    if (maps < 0).any() or (maps > last).any():
        return None
    return LabelledCrop(rectify_filtered(image, maps), label)


def name_of(crop: LabelledCrop) -> str:
    """What it is called in its folder: two that look and say the same are one."""
    png = bytes(cv2.imencode(".png", crop.picture)[1].tobytes())
    return hashlib.sha256(png + crop.label.model_dump_json().encode()).hexdigest()[:16]


def keep_crops(folder: Path, crops: Sequence[LabelledCrop]) -> int:
    """Writes each into the folder once; how many are new. The oldest beyond the limit go."""
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for crop in crops:
        name = name_of(crop)
        if not (folder / f"{name}.json").exists():
            (folder / f"{name}.png").write_bytes(bytes(cv2.imencode(".png", crop.picture)[1].tobytes()))
            (folder / f"{name}.json").write_text(crop.label.model_dump_json(exclude_none=True))
            written += 1
    for label in sorted(folder.glob("*.json"), key=lambda path: (path.stat().st_mtime, path.name))[:-MOST_CROPS]:
        label.unlink()
        label.with_suffix(".png").unlink(missing_ok=True)
    return written


def crops_in(folder: Path) -> Iterator[LabelledCrop]:
    """Every labelled crop of the folder, by name. Raises: BadFile."""
    for path in sorted(folder.glob("*.json")):
        label = parse(CropLabel, path.read_bytes(), error=BadFile)
        data = path.with_suffix(".png").read_bytes() if path.with_suffix(".png").exists() else b""
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
        if picture is None:
            raise BadFile(f"{path.stem}: its picture is missing or no PNG", field="crops", value=path.name)
        yield LabelledCrop(np.asarray(picture, np.uint8), label)


def _long_side_mm(base: Base) -> float:
    return base.diameter_mm if isinstance(base, RoundBase) else max(base.width_mm, base.depth_mm)
