"""One training picture and what is true of it, from one seed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from vision.training.synthetic import base, miniature
from vision.training.synthetic.camera_effects import rectified_picture
from vision.training.synthetic.clutter import any_thing, arm, hard_negatives
from vision.training.synthetic.mat import any_colour, any_mat
from vision.training.synthetic.placement import Standing, block, scatter
from vision.training.synthetic.renderer import RIM_MM, Eye, Frame, light_scene, paint_slices
from vision.training.synthetic.solid import Footprint, Slice, prism
from vision.training.synthetic.terrain import any_piece, area, hill

Random = np.random.Generator
KINDS = ("round", "oval", "rect")
TILE_PX = 320
PX_PER_MM = 1.0
_CANVAS_PX_PER_MM = 2.4
_MARGIN_MM = 24.0
FEW = (0, 14)


@dataclass(frozen=True)
class Label:
    """A base in a tile: its kind, centre, width, depth in px, and the angle of its depth, clockwise in the picture."""

    kind: int
    x_px: float
    y_px: float
    depth_px: float
    width_px: float
    turn_rad: float


@dataclass(frozen=True)
class Tile:
    picture: Image
    labels: tuple[Label, ...]


def tile(seed: int, index: int) -> Tile:
    """The picture of this number under this seed; the same every time."""
    random = np.random.default_rng([seed, index])
    frame = Frame(TILE_PX / PX_PER_MM, _MARGIN_MM, _CANVAS_PX_PER_MM)
    eye = _eye(random, frame.side_mm)
    bases, slices = scene(random, frame.side_mm)
    for piece in hard_negatives(np.random.default_rng([seed, index, 5]), side_mm=frame.side_mm):
        slices += _clear_of(piece, bases)
    mat = any_mat(random, side_px=frame.side_px, px_per_mm=frame.px_per_mm)
    colours, heights = paint_slices(mat, slices, eye=eye, frame=frame)
    picture = rectified_picture(
        light_scene(colours, heights, eye=eye, frame=frame, random=random),
        eye=eye,
        frame=frame,
        side_px=TILE_PX,
        random=random,
    )
    labels = (_label(base, eye) for base in bases)
    return Tile(picture, tuple(label for label in labels if _is_inside(label)))


def _eye(random: Random, side_mm: float) -> Eye:
    """Mostly overhead; every fourth picture is as oblique as a phone's."""
    x, y = random.uniform(-750, 750, 2)
    z = random.uniform(1100, 1900)
    if random.random() < 0.25:
        angle, away = random.uniform(0, 2 * np.pi), random.uniform(400, 1500)
        x, y, z = away * np.cos(angle), away * np.sin(angle), random.uniform(0.8, 1.3) * max(away, 700)
    return Eye(side_mm / 2 + x, side_mm / 2 + y, z)


def scene(
    random: Random,
    side_mm: float,
    *,
    ranked: float = 0.28,
    front_only: bool = False,
    shapes: Sequence[Footprint] = (),
    wanted: tuple[int, int] = FEW,
    thick: float = 1.0,
) -> tuple[list[Standing], list[Slice]]:
    """What stands there, and all that is to be drawn; `ranked` is how often a unit in ranks and files is among it.

    Where shapes are named, no other bases stand outside of such a unit; `wanted` is how many of them at least, and
    how many are too many. Areas are `thick` times as high as else; bases on them are drawn as if on the table.
    """
    slices: list[Slice] = []
    for _ in range(random.integers(0, 3)):
        slices += [replace(part, z_mm=part.z_mm * thick) for part in area(random, _spot(random, side_mm))]
    taken: list[Standing] = []
    if random.random() < ranked:
        unit = block(random, side_mm=side_mm, front_only=front_only)
        taken += unit.members
        if unit.tray is not None:
            outline = unit.tray.shape.outline(0, turn_rad=unit.tray.turn_rad) + unit.tray.at
            slices += prism(outline, 0, random.uniform(0.8, 2.0), any_colour(random))
    list(scatter(random, int(random.integers(*wanted)), side_mm=side_mm, taken=taken, shapes=shapes))
    if random.random() < 0.15:
        taken, raised = _on_a_hill(random, taken, side_mm)
        slices += raised
    for other in taken:
        slices += standing_slices(other, random)
    slices += _around(random, taken, side_mm)
    return taken, slices


def _on_a_hill(random: Random, taken: list[Standing], side_mm: float) -> tuple[list[Standing], Iterator[Slice]]:
    """Some of the bases on a hill; those it would cut through are taken off the table."""
    spot, high = _spot(random, side_mm), random.uniform(8, 50)
    slices = list(hill(random, spot, high_mm=high))
    foot, top = slices[0].outline_mm, slices[-1].outline_mm

    def depth(outline: Floats, standing: Standing) -> float:
        return float(cv2.pointPolygonTest(outline.astype(np.float32), standing.at, True))

    below = [base for base in taken if depth(foot, base) < -base.shape.reach_mm]
    above = [replace(base, ground_mm=high) for base in taken if depth(top, base) > 0]
    return below + above, iter(slices)


def standing_slices(standing: Standing, random: Random) -> Iterator[Slice]:
    """A base and the miniature on it."""
    shape, at, ground, turn = standing.shape, standing.at, standing.ground_mm, standing.turn_rad
    yield from base.slices(shape, standing.look, at=at, ground_mm=ground, turn_rad=turn, random=random)
    yield from miniature.slices(shape, at=at, ground_mm=ground, turn_rad=turn, random=random)


def _around(random: Random, taken: list[Standing], side_mm: float) -> Iterator[Slice]:
    """Clutter and terrain, mostly between the bases: what would bury a base is left away."""
    wanted = [any_thing] * int(random.integers(0, 6)) + [any_piece] * int(random.integers(0, 3))
    for make in wanted:
        spot = _spot(random, side_mm)
        if all(np.hypot(spot[0] - other.at[0], spot[1] - other.at[1]) > other.shape.reach_mm + 22 for other in taken):
            yield from _clear_of(list(make(random, spot)), taken)
    if random.random() < 0.06:
        yield from arm(random, side_mm=side_mm)


def _clear_of(piece: list[Slice], taken: list[Standing]) -> list[Slice]:
    """The piece, unless it would stand where a base stands."""
    for part in piece:
        outline = part.outline_mm.astype(np.float32)
        if any(cv2.pointPolygonTest(outline, other.at, True) > -0.75 * other.shape.small_mm / 2 for other in taken):
            return []
    return piece


def _spot(random: Random, side_mm: float) -> tuple[float, float]:
    x, y = random.uniform(-20, side_mm + 20, 2).tolist()
    return x, y


def _label(base: Standing, eye: Eye) -> Label:
    z = base.ground_mm + RIM_MM
    ((x, y),) = eye.cast(np.array([base.at]), z)
    grown = eye.growth(z) * PX_PER_MM
    return Label(
        kind=KINDS.index(base.shape.kind),
        x_px=x * PX_PER_MM - 0.5,
        y_px=TILE_PX - y * PX_PER_MM - 0.5,
        depth_px=base.shape.depth_mm * grown,
        width_px=base.shape.width_mm * grown,
        turn_rad=0.0 if base.shape.kind == "round" else -base.turn_rad,
    )


def _is_inside(label: Label) -> bool:
    return 0 <= label.x_px < TILE_PX and 0 <= label.y_px < TILE_PX
