"""A miniature of a drawn game: its base, its paint, its sculpt; the same plastic wherever it stands."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from vision.training.synthetic import base, miniature
from vision.training.synthetic.solid import Footprint, Slice

_TALLEST_MM = 45.0


@dataclass(frozen=True)
class Piece:
    """`army` seeds the paint, `pose` the sculpt: two of one army and pose are twins."""

    id: str
    diameter_mm: float
    army: int
    pose: int
    marking: str = "front-half"
    at_mm: tuple[float, float] = (0.0, 0.0)
    facing_deg: float = 90.0
    is_there: bool = field(default=True)  # when the game begins


@lru_cache(maxsize=512)
def slices(piece: Piece, at_mm: tuple[float, float], facing_deg: float, lift_mm: float) -> tuple[Slice, ...]:
    """The miniature standing there, or held this high above it."""
    shape, turn = Footprint("round", piece.diameter_mm, piece.diameter_mm), float(np.radians(facing_deg))
    random = np.random.default_rng([piece.army, 77])
    look = base.Look(
        top_mm=4.2,
        inset_mm=0.2,
        lip_mm=2.1,
        rim=(30.0, 28.0, 27.0) if piece.army % 3 else (150.0, 176.0, 182.0),
        front=tuple(random.uniform(120, 240, 3).tolist()),
        basing=tuple(random.uniform(50, 150, 3).tolist()),
        flock=8.0,
        marking=piece.marking,
    )
    grown = np.random.default_rng([piece.army, piece.pose])
    solid = [*base.slices(shape, look, at=at_mm, ground_mm=lift_mm, turn_rad=turn, random=grown)]
    solid += miniature.slices(
        shape, at=at_mm, ground_mm=lift_mm, turn_rad=turn, random=np.random.default_rng(piece.pose)
    )
    reach = 0.62 * piece.diameter_mm
    return tuple(
        one
        for one in sorted(solid, key=lambda one: one.z_mm)
        if one.z_mm < lift_mm + _TALLEST_MM and np.hypot(*(one.outline_mm.mean(axis=0) - at_mm)) < reach
    )
