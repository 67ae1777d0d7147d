"""Whole tables with their truth: those a user corrected, and rendered ones; cut into tiles for the network.

A folder of tables holds, for each NAME, NAME.jpg or NAME.png, NAME.state.json (as `tableside locate` writes it,
corrected by hand where it was wrong), and the camera and the layout as NAME.camera.json and NAME.layout.json, or
camera.json and layout.json for all; NAME.pose.json where the pose is known otherwise than by fiducials.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.arrays import Floats32, Image
from calibration.pose.locate_table import locate_table
from models.base import OvalBase, RectBase, RoundBase
from models.camera import Camera, CameraPose
from models.errors import BadCamera, BadFile, BadLayout, BadState
from models.layout import Layout
from models.miniature import Miniature
from models.parsing import parse
from models.state import TableState
from vision.capture.image_decoding import decode_image
from vision.detection.network.inference import PX_PER_MM
from vision.detection.network.proposals import KINDS
from vision.rectification.rectify import Window, rectification_maps, rectify
from vision.rectification.search_windows import HALF_RIM_MM

TILE_MM = 320.0
_STEP_MM = 160.0


@dataclass(frozen=True)
class KnownTable:
    """A picture of a table and what stands on it."""

    name: str
    image: Image
    camera: Camera
    layout: Layout
    pose: CameraPose
    state: TableState


def tables_in(folder: Path) -> Iterator[KnownTable]:
    """Every table of the folder that has a picture. Raises: BadFile, BadState, BadCamera, BadLayout."""
    for path in sorted(folder.glob("*.state.json")):
        name = path.name.removesuffix(".state.json")
        image = decode_image(_picture(folder, name).read_bytes(), field="file", name=name)
        camera = parse(Camera, _own(folder, name, "camera"), error=BadCamera)
        layout = parse(Layout, _own(folder, name, "layout"), error=BadLayout)
        state = parse(TableState, path.read_bytes(), error=BadState)
        known = folder / f"{name}.pose.json"
        pose = parse(CameraPose, known.read_bytes(), error=BadFile) if known.exists() else None
        pose = pose or locate_table(image, camera=camera, layout=layout)
        yield KnownTable(name, image, camera, layout, pose, state)


def _picture(folder: Path, name: str) -> Path:
    for path in (folder / f"{name}.jpg", folder / f"{name}.png"):
        if path.exists():
            return path
    raise BadFile(f"{name}: its picture is missing, {name}.jpg or {name}.png", field="tables", value=name)


def _own(folder: Path, name: str, part: str) -> bytes:
    for path in (folder / f"{name}.{part}.json", folder / f"{part}.json"):
        if path.exists():
            return path.read_bytes()
    raise BadFile(f"{name}: its {part} is missing, {name}.{part}.json or {part}.json", field="tables", value=name)


def tiles_of(table: KnownTable) -> Iterator[tuple[Image, Floats32]]:
    """Overlapping squares of the table as the network sees them, with the bases whose centres are inside."""
    width_mm, depth_mm = table.layout.table_mm
    for x0 in _starts(width_mm):
        for y0 in _starts(depth_mm):
            window = Window(x0, y0, x0 + TILE_MM, y0 + TILE_MM, PX_PER_MM)
            maps = rectification_maps(window, camera=table.camera, pose=table.pose, z_mm=HALF_RIM_MM)
            yield rectify(table.image, maps), rows_in(window, table)


def rows_in(window: Window, table: KnownTable) -> Floats32:
    """The bases as they appear in this window of the table's plane."""
    rows = [_row(miniature, window, table.pose) for miniature in table.state.miniatures]
    width, height = window.size_px
    inside = [row for row in rows if 0 <= row[1] < width and 0 <= row[2] < height]
    return np.array(inside, np.float32).reshape(-1, 6)


def _row(miniature: Miniature, window: Window, pose: CameraPose) -> tuple[float, ...]:
    """Kind, place, depth, width and angle; what stands higher appears larger and further out."""
    eye = np.array(pose.centre_mm)
    grown = (eye[2] - HALF_RIM_MM) / (eye[2] - HALF_RIM_MM - (miniature.elevation_mm or 0.0))
    at_mm = eye[:2] + (np.array(miniature.at_mm) - eye[:2]) * grown
    ((x, y),) = window.to_px(at_mm[None])
    width_mm, depth_mm = sides_mm(miniature.base)
    turn = 0.0 if miniature.base.shape == "round" else -np.radians(miniature.facing_deg or 0.0)
    scale = float(grown) * window.px_per_mm
    return KINDS.index(miniature.base.shape), float(x), float(y), depth_mm * scale, width_mm * scale, float(turn)


def sides_mm(base: RoundBase | RectBase | OvalBase) -> tuple[float, float]:
    """Width and depth."""
    return (base.diameter_mm, base.diameter_mm) if isinstance(base, RoundBase) else (base.width_mm, base.depth_mm)


def _starts(side_mm: float) -> list[float]:
    """Where tiles begin, so that they cover the side and reach a little beyond."""
    count = max(1, round((side_mm + 40 - TILE_MM) / _STEP_MM) + 1)
    return [float(start) for start in np.linspace(-20, side_mm + 20 - TILE_MM, count)]
