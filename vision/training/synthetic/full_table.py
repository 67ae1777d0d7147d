"""A whole drawn table as a camera hands it over, with its camera and the exact truth of all that lies on it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from models.camera import Camera, CameraPose
from models.layout import Layout
from vision.training.synthetic import clutter
from vision.training.synthetic import labelled_terrain as pieces
from vision.training.synthetic.camera_effects import develop
from vision.training.synthetic.labelled_terrain import Piece
from vision.training.synthetic.mat import any_mat
from vision.training.synthetic.placement import Standing, scatter
from vision.training.synthetic.renderer import Eye, Frame, light_scene, paint_slices
from vision.training.synthetic.solid import Slice
from vision.training.synthetic.table import camera_of, layout_of, pose_of
from vision.training.synthetic.tile import standing_slices

Random = np.random.Generator

_MARGIN_MM = 24.0
_FINER = 2  # pixels of the canvas in one of the camera's, each way
_APART_MM = 25.0
_TRIES = 60


@dataclass(frozen=True)
class TableDensity:
    """How much lies on a drawn table; `side_mm` is that of the table."""

    side_mm: float = 1219.2
    pieces: int = 6
    bases: int = 30
    things: int = 10
    discs: int = 5


@dataclass(frozen=True)
class Disc:
    """A template or a token that lies in the open; on nothing, and under nothing."""

    at: tuple[float, float]
    diameter_mm: float


@dataclass(frozen=True)
class WholeTable:
    """A picture with the camera that took it, and what lies there, hidden or not."""

    picture: Image
    camera: Camera
    pose: CameraPose
    layout: Layout
    bases: tuple[Standing, ...]
    pieces: tuple[Piece, ...]
    discs: tuple[Disc, ...]


def whole_table(seed: int, *, px_per_mm: float, holds: TableDensity = TableDensity()) -> WholeTable:
    """The table of this seed; the same every time."""
    random = np.random.default_rng([seed, 7])
    side = holds.side_mm
    x, y = (side / 2 + random.uniform(-60, 60, 2)).tolist()
    eye = Eye(x, y, float(random.uniform(1400, 1700)))
    frame = Frame(side, _MARGIN_MM, _FINER * px_per_mm)
    stood = tuple(draw_pieces(random, holds))
    standing = _place_bases(random, holds, stood)
    slices = [part for piece in stood for part in piece.slices]
    for figure in standing:
        slices += standing_slices(figure, random)
    for _ in range(holds.things):
        slices += _draw_thing(random, side, stood, standing)
    discs = _discs(random, holds, stood, standing)
    for disc in discs:
        slices += clutter.disc(random, disc.at, radius_mm=disc.diameter_mm / 2)
    picture, side_px = _render(random, slices, eye=eye, frame=frame)
    camera, layout = camera_of(eye, frame, side_px, finer=_FINER), layout_of(side, ())
    return WholeTable(picture, camera, pose_of(eye), layout, tuple(standing), stood, discs)


def _render(random: Random, slices: list[Slice], *, eye: Eye, frame: Frame) -> tuple[Image, int]:
    """What the camera makes of the table, and the side of its picture."""
    mat = any_mat(random, side_px=frame.side_px, px_per_mm=frame.px_per_mm)
    colours, heights = paint_slices(mat, slices, eye=eye, frame=frame)
    shot = light_scene(colours, heights, eye=eye, frame=frame, random=random)
    side_px = frame.side_px // _FINER
    small = cv2.resize(shot[: side_px * _FINER, : side_px * _FINER], (side_px, side_px), interpolation=cv2.INTER_AREA)
    return develop(np.asarray(small, np.float32), random), side_px


def draw_pieces(random: Random, holds: TableDensity) -> Iterator[Piece]:
    """Pieces that stand apart, whole on the table."""
    taken: list[tuple[Floats, float]] = []
    for _ in range(holds.pieces):
        for _ in range(_TRIES):
            piece = pieces.any_piece(random, tuple(random.uniform(0, holds.side_mm, 2).tolist()))
            middle = piece.outline_mm.mean(axis=0)
            reach = float(np.hypot(*(piece.outline_mm - middle).T).max())
            is_on = bool(np.all((middle - reach > 0) & (middle + reach < holds.side_mm)))
            if is_on and all(np.hypot(*(middle - at)) > reach + far + _APART_MM for at, far in taken):
                taken.append((middle, reach))
                yield piece
                break


def _place_bases(random: Random, holds: TableDensity, stood: tuple[Piece, ...]) -> list[Standing]:
    """Bases on the table and on what bases can stand on; none cuts through a piece that stands up."""
    taken: list[Standing] = []
    list(scatter(random, holds.bases, side_mm=holds.side_mm, taken=taken))
    kept = []
    for other in taken:
        depth = [(_depth(piece, other.at), piece.height_mm) for piece in stood]
        if all(abs(at) > other.shape.reach_mm + 4 for at, _ in depth):
            under = [high for at, high in depth if at > 0]
            is_hill = not under or under[0] < 3 or any(p.kind == "hill" and _depth(p, other.at) > 0 for p in stood)
            kept += [replace(other, ground_mm=under[0] if under else 0.0)] if is_hill else []
    return kept


def _draw_thing(random: Random, side: float, stood: tuple[Piece, ...], standing: list[Standing]) -> list[Slice]:
    """Something that lies clear of all that stands; nothing where there is no room."""
    spot = tuple(random.uniform(30, side - 30, 2).tolist())
    things = list(clutter.any_thing(random, spot))
    corners = np.concatenate([part.outline_mm for part in things])
    reach = float(np.hypot(*(corners - spot).T).max()) + 5
    is_clear = all(_depth(piece, spot) < -reach for piece in stood)
    is_clear &= all(np.hypot(*np.subtract(base.at, spot)) > base.shape.reach_mm + reach for base in standing)
    return things if is_clear else []


def _discs(random: Random, holds: TableDensity, stood: tuple[Piece, ...], standing: list[Standing]) -> tuple[Disc, ...]:
    """Discs of the sizes of templates and tokens, clear of everything but what is strewn about before them."""
    discs: list[Disc] = []
    for _ in range(holds.discs * _TRIES):
        size = float(random.choice([76.2, 101.6, 127.0, *random.uniform(25, 40, 4)]))
        x, y = random.uniform(size / 2 + 5, holds.side_mm - size / 2 - 5, 2).tolist()
        reach = size / 2 + 12
        is_clear = all(_depth(piece, (x, y)) < -reach - piece.height_mm for piece in stood)
        is_clear &= all(np.hypot(*np.subtract(base.at, (x, y))) > base.shape.reach_mm + reach + 30 for base in standing)
        is_clear &= all(np.hypot(*np.subtract(disc.at, (x, y))) > disc.diameter_mm / 2 + reach for disc in discs)
        if is_clear and len(discs) < holds.discs:
            discs.append(Disc((x, y), size))
    return tuple(discs)


def _depth(piece: Piece, at: tuple[float, float]) -> float:
    """How far inside the piece's foot, negative outside."""
    return float(cv2.pointPolygonTest(piece.outline_mm.astype(np.float32), at, True))
