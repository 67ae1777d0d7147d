"""Signed distance of two bases of any shape: negative when they overlap, by how far one would have to give way."""

from typing import Protocol

import numpy as np

from calibration.arrays import Floats
from models.base import OvalBase, RectBase, RoundBase
from models.vocabulary import Point

Base = RoundBase | OvalBase | RectBase

_DIRECTIONS = 72  # directions tried besides those of the sides and of the centres


class PlacedBase(Protocol):
    """A base with its place, its depth along `turn_rad`."""

    @property
    def base(self) -> Base: ...

    @property
    def at_mm(self) -> Point: ...

    @property
    def turn_rad(self) -> float: ...


def signed_distance_mm(a: PlacedBase, b: PlacedBase) -> tuple[float, Floats]:
    """Signed distance by separating axes, and the unit direction from the first to the second in which it is
    measured."""
    between = np.subtract(b.at_mm, a.at_mm)
    if isinstance(a.base, RoundBase) and isinstance(b.base, RoundBase):
        length = float(np.hypot(*between))
        along = between / length if length > 1e-9 else np.array([1.0, 0.0])
        return length - a.base.radius_mm - b.base.radius_mm, along
    directions = _directions(a, b, between)
    gaps = (
        directions @ between
        - support_function_mm(a.base, a.turn_rad, directions)
        - support_function_mm(b.base, b.turn_rad, directions)
    )
    best = int(gaps.argmax())
    return float(gaps[best]), directions[best]


def support_function_mm(base: Base, turn_rad: float, directions: Floats) -> Floats:
    """Support function of a base: how far it reaches from its centre in each direction, (N, 2) unit vectors."""
    if isinstance(base, RoundBase):
        return np.full(len(directions), base.radius_mm)
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    ahead, aside = base.depth_mm / 2 * (directions @ (cos, sin)), base.width_mm / 2 * (directions @ (-sin, cos))
    return np.asarray(np.abs(ahead) + np.abs(aside) if isinstance(base, RectBase) else np.hypot(ahead, aside))


def _directions(a: PlacedBase, b: PlacedBase, between: Floats) -> Floats:
    around = np.arange(_DIRECTIONS) * (2 * np.pi / _DIRECTIONS)
    sides = [fit.turn_rad + np.arange(4) * (np.pi / 2) for fit in (a, b)]
    angle = np.concatenate([around, np.arctan2(between[1:], between[:1]), *sides])
    return np.column_stack([np.cos(angle), np.sin(angle)])


def is_inside(at_mm: Point, placed: PlacedBase) -> bool:
    """Whether a place lies within the outline of a base."""
    dx, dy = np.subtract(at_mm, placed.at_mm).tolist()
    if isinstance(placed.base, RoundBase):
        return bool(np.hypot(dx, dy) <= placed.base.radius_mm)
    cos, sin = np.cos(placed.turn_rad), np.sin(placed.turn_rad)
    ahead, aside = (
        (dx * cos + dy * sin) / (placed.base.depth_mm / 2),
        (dy * cos - dx * sin) / (placed.base.width_mm / 2),
    )
    return bool(max(abs(ahead), abs(aside)) <= 1 if isinstance(placed.base, RectBase) else np.hypot(ahead, aside) <= 1)
