"""How far two bases of any shape are apart: negative when they overlap, by as much as one would have to give way."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from models.base import OvalBase, RectBase, RoundBase
from models.words import Point

Floats = NDArray[np.float64]
Base = RoundBase | OvalBase | RectBase

_WAYS = 72  # directions tried besides those of the sides and of the centres


class Standing(Protocol):
    """A base somewhere, its depth along `turn_rad`."""

    @property
    def base(self) -> Base: ...

    @property
    def at_mm(self) -> Point: ...

    @property
    def turn_rad(self) -> float: ...


def gap_mm(a: Standing, b: Standing) -> tuple[float, Floats]:
    """The signed gap, and the unit direction from the first to the second in which it is measured."""
    between = np.subtract(b.at_mm, a.at_mm)
    if isinstance(a.base, RoundBase) and isinstance(b.base, RoundBase):
        length = float(np.hypot(*between))
        along = between / length if length > 1e-9 else np.array([1.0, 0.0])
        return length - a.base.radius_mm - b.base.radius_mm, along
    ways = _ways(a, b, between)
    gaps = ways @ between - reach_mm(a.base, a.turn_rad, ways) - reach_mm(b.base, b.turn_rad, ways)
    best = int(gaps.argmax())
    return float(gaps[best]), ways[best]


def reach_mm(base: Base, turn_rad: float, ways: Floats) -> Floats:
    """How far the base reaches from its centre in each direction, (N, 2) unit vectors."""
    if isinstance(base, RoundBase):
        return np.full(len(ways), base.radius_mm)
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    ahead, aside = base.depth_mm / 2 * (ways @ (cos, sin)), base.width_mm / 2 * (ways @ (-sin, cos))
    return np.asarray(np.abs(ahead) + np.abs(aside) if isinstance(base, RectBase) else np.hypot(ahead, aside))


def _ways(a: Standing, b: Standing, between: Floats) -> Floats:
    around = np.arange(_WAYS) * (2 * np.pi / _WAYS)
    sides = [one.turn_rad + np.arange(4) * (np.pi / 2) for one in (a, b)]
    angle = np.concatenate([around, np.arctan2(between[1:], between[:1]), *sides])
    return np.column_stack([np.cos(angle), np.sin(angle)])
