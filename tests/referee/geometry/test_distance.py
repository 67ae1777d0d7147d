import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, disc

TURNS = st.floats(0.0, math.tau)


def turned(x: float, y: float, turn_rad: float) -> tuple[float, float]:
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    return (700.0 + c * x - s * y, 650.0 + s * x + c * y)


@given(turn_rad=TURNS, beyond_mm=st.floats(0.5, 300.0))
def test_a_disc_in_line_with_a_segment_is_parted_from_its_end(turn_rad: float, beyond_mm: float) -> None:
    segment = RoundedShape((turned(0, 0, turn_rad), turned(37, 0, turn_rad)))

    found = gap(disc(turned(37 + beyond_mm + 15, 0, turn_rad), 15.0), segment)
    assert found.mm == pytest.approx(beyond_mm, abs=1e-6)


@given(turn_rad=TURNS, beyond_mm=st.floats(0.5, 300.0))
def test_two_segments_in_one_line_are_parted(turn_rad: float, beyond_mm: float) -> None:
    a = RoundedShape((turned(0, 0, turn_rad), turned(37, 0, turn_rad)))
    b = RoundedShape((turned(37 + beyond_mm, 0, turn_rad), turned(90 + beyond_mm, 0, turn_rad)))

    assert gap(a, b).mm == pytest.approx(beyond_mm, abs=1e-6)
