"""Silhouette heights: by how far a top hides the mat behind it, from each side."""

import numpy as np
import pytest
import shapely

from calibration.arrays import Floats
from vision.rectification.rectify import table_window
from vision.terrain.background_model import PX_PER_MM
from vision.terrain.several_views import Silhouette, fit_silhouette

TABLE_MM = (900.0, 900.0)
WINDOW = table_window(TABLE_MM, px_per_mm=PX_PER_MM)
MIDDLE = (430.0, 470.0)


def _foot(width: float, depth: float, at: tuple[float, float] = MIDDLE) -> shapely.Polygon:
    x, y = at
    return shapely.box(x - width / 2, y - depth / 2, x + width / 2, y + depth / 2)


def _eyes(number: int, *, away: float = 900.0, high: float = 1100.0) -> list[tuple[float, float, float]]:
    turns = np.linspace(0, 2 * np.pi, number, endpoint=False) + 0.3
    return [(450 + away * float(np.cos(t)), 450 + away * float(np.sin(t)), high) for t in turns]


def _cast(foot: shapely.Polygon, height: float, eye: tuple[float, float, float], *, taper: float = 0.0) -> Silhouette:
    """What an eye sees of a prism on a mat, pixel by pixel."""
    top = shapely.affinity.scale(foot, 1 - taper, 1 - taper)
    grown = eye[2] / (eye[2] - height)
    hull = foot.union(shapely.affinity.scale(top, grown, grown, origin=(eye[0], eye[1]))).convex_hull
    columns, rows = WINDOW.size_px
    across, down = np.meshgrid(np.arange(columns), np.arange(rows))
    at = WINDOW.to_mm(np.column_stack([across.ravel(), down.ravel()]).astype(np.float64))
    mask = shapely.contains_xy(hull, at[:, 0], at[:, 1]).reshape(rows, columns)
    return Silhouette(mask, np.ones_like(mask), eye)


@pytest.mark.parametrize(("width", "depth", "height"), [(120, 80, 61.0), (150, 14, 33.0), (200, 160, 15.0)])
def test_a_prism_is_as_high_as_it_was_drawn(width: float, depth: float, height: float) -> None:
    foot = _foot(width, depth)
    high = fit_silhouette(foot, [_cast(foot, height, eye) for eye in _eyes(8)], WINDOW)

    assert high is not None
    assert high.height_mm == pytest.approx(height, abs=1.5)
    assert 1.0 < high.sigma_mm < 4.0


def test_sloping_sides_take_nothing_from_the_height() -> None:
    foot = _foot(180, 140)
    eyes = [*_eyes(6), *_eyes(6, away=650.0, high=1400.0)]
    high = fit_silhouette(foot, [_cast(foot, 40.0, eye, taper=0.2) for eye in eyes], WINDOW)

    assert high is not None
    assert high.height_mm == pytest.approx(40.0, abs=2 * high.sigma_mm)


def test_what_lies_flat_has_no_height() -> None:
    foot = _foot(160, 120)
    high = fit_silhouette(foot, [_cast(foot, 0.0, eye) for eye in _eyes(6)], WINDOW)

    assert high is not None
    assert high.height_mm == pytest.approx(0.0, abs=1.0)


@pytest.mark.parametrize("eyes", [_eyes(2), _eyes(8, away=60.0, high=2000.0)], ids=["two views", "from above"])
def test_too_few_views_from_aside_leave_the_height_unknown(eyes: list[tuple[float, float, float]]) -> None:
    foot = _foot(120, 80)

    assert fit_silhouette(foot, [_cast(foot, 50.0, eye) for eye in eyes], WINDOW) is None


def test_views_that_do_not_agree_leave_the_height_unknown() -> None:
    """A miniature was put behind it, a hand moved it: half of the pictures show another height."""
    foot = _foot(120, 80)
    heights = (10.0, 90.0, 15.0, 85.0, 12.0, 80.0)
    sights = [_cast(foot, high, eye) for high, eye in zip(heights, _eyes(6), strict=True)]

    fit = fit_silhouette(foot, sights, WINDOW)

    assert fit is not None
    assert fit.height_mm is None


def test_a_neighbour_behind_it_makes_it_no_higher() -> None:
    foot, other = _foot(120, 80), _foot(120, 80, at=(430.0, 580.0))
    eyes = _eyes(8)
    both = [
        Silhouette(a.mask | b.mask, a.seen, a.eye_mm)
        for a, b in ((_cast(foot, 30.0, eye), _cast(other, 55.0, eye)) for eye in eyes)
    ]
    high = fit_silhouette(foot, both, WINDOW, others=[other])

    assert high is not None
    assert high.height_mm == pytest.approx(30.0, abs=3.0)


def _shifted(eye: tuple[float, float, float], by: Floats) -> tuple[float, float, float]:
    return eye[0] + float(by[0]), eye[1] + float(by[1]), eye[2]


def test_moving_table_and_eyes_changes_no_height() -> None:
    by = np.array([64.0, -48.0])
    foot = _foot(120, 80)
    moved = shapely.affinity.translate(foot, *by)
    here = fit_silhouette(foot, [_cast(foot, 47.0, eye) for eye in _eyes(6)], WINDOW)
    there = fit_silhouette(moved, [_cast(moved, 47.0, _shifted(eye, by)) for eye in _eyes(6)], WINDOW)

    assert here is not None
    assert there is not None
    assert here.height_mm == pytest.approx(there.height_mm, abs=0.5)
