"""A whole drawn table as a camera hands it over, with its camera and the exact truth of all that lies on it.

Pieces of terrain whose kind and outline are known, to judge by what is proposed of terrain.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from models.camera import Camera, CameraPose
from models.layout import Layout
from models.vocabulary import TerrainKind
from vision.training.synthetic import clutter
from vision.training.synthetic.camera_effects import develop
from vision.training.synthetic.mat import any_colour, any_mat, earthy, grey, near
from vision.training.synthetic.placement import Standing, scatter
from vision.training.synthetic.renderer import Eye, Frame, light_scene, paint_slices
from vision.training.synthetic.solid import Slice, ball, box, prism, ring, rod
from vision.training.synthetic.table import camera_of, layout_of, pose_of
from vision.training.synthetic.terrain import hill, lump
from vision.training.synthetic.tile import standing_slices

Random = np.random.Generator


Spot = tuple[float, float]

KINDS: tuple[TerrainKind, ...] = ("wall", "wall", "hedge", "building", "forest", "forest", "rubble", "water", "hill",
                                  "rough", "trench")  # fmt: skip


@dataclass(frozen=True)
class Piece:
    """What stands there: its foot's outline (N, 2) mm, its height, and what is to be drawn."""

    kind: TerrainKind
    outline_mm: Floats
    height_mm: float
    slices: tuple[Slice, ...]


def any_piece(random: Random, at: Spot) -> Piece:
    """A piece of a kind drawn at random, about there."""
    kind = KINDS[random.integers(len(KINDS))]
    if kind in ("wall", "hedge"):
        return _wall(kind, random, at)
    if kind == "building":
        return _building(random, at)
    if kind == "trench":
        return _trench(random, at)
    return _hill(random, at) if kind == "hill" else _area(kind, random, at)


def _wall(kind: TerrainKind, random: Random, at: Spot) -> Piece:
    turn, long, high = random.uniform(0, 7), random.uniform(70, 190), random.uniform(15, 55)
    stone = near((50, 95, 55), random, 30) if kind == "hedge" else _stone(random)
    outline = box(random.uniform(8, 20), long, at=at, turn_rad=turn)
    slices = list(prism(outline, 0, high, stone))
    for _ in range(random.integers(4, 24)):
        away = random.uniform(-0.45, 0.45) * long
        spot = (at[0] + away * np.cos(turn), at[1] + away * np.sin(turn))
        size = random.uniform(4, 8, 2)
        slices.append(Slice(high + 0.1, box(size[0], size[1], at=spot, turn_rad=turn), near(stone, random, 25)))
    return Piece(kind, outline, high, tuple(slices))


def _building(random: Random, at: Spot) -> Piece:
    turn, high = random.uniform(0, 7), random.uniform(50, 120)
    outline = box(random.uniform(70, 150), random.uniform(70, 170), at=at, turn_rad=turn)
    slices = list(prism(outline, 0, high, _stone(random)))
    slices += prism(outline, high, high + random.uniform(0, 35), any_colour(random), taper=random.uniform(0, 0.9))
    return Piece("building", outline, high, tuple(slices))


def _trench(random: Random, at: Spot) -> Piece:
    turn, earth = random.uniform(0, 7), earthy(random)
    outline = box(random.uniform(70, 85), random.uniform(115, 135), at=at, turn_rad=turn)
    inner = box(random.uniform(45, 60), 105, at=at, turn_rad=turn)
    dark = near((40, 50, 60), random, 15)
    return Piece("trench", outline, 1.5, (*prism(outline, 0, 1.5, earth), Slice(1.6, inner, dark)))


def _hill(random: Random, at: Spot) -> Piece:
    high = random.uniform(12, 45)
    slices = tuple(hill(random, at, high_mm=high))
    return Piece("hill", slices[0].outline_mm, high, slices)


def _area(kind: TerrainKind, random: Random, at: Spot) -> Piece:
    outline, high = lump(random, random.uniform(70, 150)) + at, random.uniform(0.5, 2.5)
    colour = near((120, 95, 50), random, 30) if kind == "water" else earthy(random)
    slices = list(prism(outline, 0, high, colour))
    for _ in range(random.integers(3, 50) if kind != "water" else random.integers(0, 8)):
        slices.append(Slice(high + 0.1, lump(random, random.uniform(1, 12)) + _within(outline, at, random),
                            near(colour, random, 20)))  # fmt: skip
    if kind == "forest":
        for _ in range(random.integers(2, 7)):
            slices += _tree(_within(outline, at, random), random)
    if kind == "rubble":
        for _ in range(random.integers(6, 30)):
            stone = lump(random, random.uniform(3, 14)) + _within(outline, at, random)
            slices += prism(stone, high, high + random.uniform(2, 14), grey(random, 60, 180))
    return Piece(kind, outline, high, tuple(slices))


def _tree(at: Floats, random: Random) -> Iterator[Slice]:
    x, y = at.tolist()
    high, wide, leaf = random.uniform(50, 120), random.uniform(12, 35), near((40, 90, 50), random, 40)
    yield from rod((x, y, 0), (x, y, high * 0.6), 3, near((30, 50, 80), random, 20))
    if random.random() < 0.5:
        yield from prism(np.add(ring(wide), (x, y)), 0.2 * high, high, leaf, taper=0.95)
    else:
        for _ in range(6):
            dx, dy = random.normal(0, wide / 2, 2).tolist()
            middle = (x + dx, y + dy, high * random.uniform(0.5, 0.9))
            yield from ball(middle, (wide / 2, wide / 2, wide / 2), near(leaf, random, 25))


def _within(outline: Floats, at: Spot, random: Random) -> Floats:
    """Somewhere inside, not at the rim."""
    middle = np.array(at)
    return np.asarray(middle + (outline[random.integers(len(outline))] - middle) * 0.8 * np.sqrt(random.random()))


def _stone(random: Random) -> tuple[float, float, float]:
    return grey(random, 60, 200) if random.random() < 0.6 else any_colour(random)


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
            piece = any_piece(random, tuple(random.uniform(0, holds.side_mm, 2).tolist()))
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
