"""Gaps between bases of any shape."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import affinity

from models.base import OvalBase, RectBase, RoundBase
from vision.measurement.base_distance import signed_distance_mm


@dataclass(frozen=True)
class _Standing:
    base: RoundBase | OvalBase | RectBase
    at_mm: tuple[float, float]
    turn_rad: float = 0.0

    def drawn(self) -> shapely.Polygon:
        base = self.base
        if isinstance(base, RoundBase):
            return shapely.Point(self.at_mm).buffer(base.radius_mm, quad_segs=90)
        if isinstance(base, RectBase):
            flat = shapely.box(-base.depth_mm / 2, -base.width_mm / 2, base.depth_mm / 2, base.width_mm / 2)
        else:
            circle = shapely.Point(0, 0).buffer(1.0, quad_segs=90)
            flat = affinity.scale(circle, base.depth_mm / 2, base.width_mm / 2)
        return affinity.translate(affinity.rotate(flat, self.turn_rad, (0, 0), use_radians=True), *self.at_mm)


BASES = st.sampled_from(
    [RoundBase(diameter_mm=32), RectBase(width_mm=25, depth_mm=50), OvalBase(width_mm=42, depth_mm=75)]
)
STANDING = st.builds(_Standing, BASES, st.tuples(st.floats(0, 150), st.floats(0, 150)), st.floats(-math.pi, math.pi))


@given(STANDING, STANDING)
def test_bases_apart_are_as_far_apart_as_their_outlines(a: _Standing, b: _Standing) -> None:
    apart = a.drawn().distance(b.drawn())

    if apart > 0.2:
        assert signed_distance_mm(a, b)[0] == pytest.approx(apart, rel=0.02, abs=0.15)
    else:
        assert signed_distance_mm(a, b)[0] < 0.4


@given(STANDING, STANDING)
def test_who_is_asked_first_changes_no_gap(a: _Standing, b: _Standing) -> None:
    assert signed_distance_mm(a, b)[0] == pytest.approx(signed_distance_mm(b, a)[0], abs=1e-9)


def test_rectangles_side_by_side_touch() -> None:
    size = RectBase(width_mm=25, depth_mm=50)
    gap, along = signed_distance_mm(_Standing(size, (0, 0), math.pi / 2), _Standing(size, (25, 7), -math.pi / 2))

    assert gap == pytest.approx(0.0, abs=1e-9)
    assert np.abs(along) == pytest.approx([1.0, 0.0], abs=1e-9)
