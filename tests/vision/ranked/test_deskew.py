"""The angle of a block's lines, whatever stands on it."""

import math

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from models.base import catalogue_of
from tests.vision import regiments
from vision.ranked import surface_search
from vision.ranked.block_finder import BlockFinder
from vision.ranked.surface_search import SkewEstimator, skew_of_edges, skew_of_lines

PX_PER_MM = 1.25
MIDDLE = 120.0
COLOURS = ((200, 90, 220), (180, 170, 30), (190, 160, 240), (60, 230, 180))


def _block(lean_deg: float, *, rim: int, figures_deg: float | None = None) -> Image:
    """Three ranks of three bases, 50 px each, that lean; on each a bright body that leans otherwise, if any."""
    picture = np.full((240, 240, 3), 75, np.uint8)
    places = [_turned(50.0 * (k % 3 - 1), 50.0 * (k // 3 - 1), lean_deg) for k in range(9)]
    for at in places:
        corners = np.rint(cv2.boxPoints((at, (50.0, 50.0), lean_deg)) * 16).astype(np.int32)
        cv2.fillPoly(picture, [corners], (65, 65, 65), cv2.LINE_AA, 4)
        cv2.polylines(picture, [corners], True, (rim, rim, rim), 1, cv2.LINE_AA, 4)
    for k, at in enumerate(places if figures_deg is not None else ()):
        cv2.ellipse(picture, (at, (16.0, 30.0), float(figures_deg or 0)), COLOURS[k % len(COLOURS)], -1, cv2.LINE_AA)
    return picture


def _turned(x: float, y: float, lean_deg: float) -> tuple[float, float]:
    cos, sin = math.cos(math.radians(lean_deg)), math.sin(math.radians(lean_deg))
    return MIDDLE + x * cos - y * sin, MIDDLE + x * sin + y * cos


@pytest.mark.parametrize("measure", [skew_of_lines, skew_of_edges])
@pytest.mark.parametrize("lean_deg", [-4.0, -1.0, 0.0, 2.5, 4.0])
def test_lines_tell_their_angle(lean_deg: float, measure: SkewEstimator) -> None:
    found_deg = math.degrees(measure(_block(lean_deg, rim=180), px_per_mm=PX_PER_MM))

    assert found_deg == pytest.approx(lean_deg, abs=0.3)


@pytest.mark.parametrize("figures_deg", [3.0, 5.0])
def test_bodies_that_all_lean_one_way_do_not_turn_the_lines(figures_deg: float) -> None:
    """Their edges are stronger than the lines; the mean of all would lie two degrees off."""
    found_deg = math.degrees(skew_of_lines(_block(-3.0, rim=85, figures_deg=figures_deg), px_per_mm=PX_PER_MM))

    assert found_deg == pytest.approx(-3.0, abs=0.8)


@pytest.mark.parametrize("erring", ["skew_of_lines", "skew_of_edges"])
def test_where_one_measure_errs_the_block_lies_at_the_angle_of_the_other(
    erring: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surface_search, erring, lambda upright, *, px_per_mm: math.radians(4.0))
    picture = regiments.photograph(regiments.regiment((250.0, 200.0), 20.0, ranks=2, files=4))

    found = BlockFinder(catalogue_of(), regiments.layout()).find(picture, view=regiments.view())

    off_deg = [(math.degrees(block.turn_rad) - 20.0 + 45) % 90 - 45 for block in found if len(block.members) == 8]
    assert off_deg == [pytest.approx(0.0, abs=0.5)]
