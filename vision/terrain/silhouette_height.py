"""Silhouette height: how high a piece of terrain is, by how far its top hides the mat behind it, seen from each side.

Every picture casts the piece on the table's plane: its foot, and its top moved away from the eye by its height times
the slant of the view. The height and the taper are those under which the casts differ least from what is seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import shapely

from calibration.arrays import Floats, Image, Indices, Mask
from vision.rectification.rectify import Window

_HIGHEST_MM, _STEP_MM = 160, 2
_HEIGHTS = np.arange(0, _HIGHEST_MM + 1, _STEP_MM)
_TAPERS = (0.0, 0.1, 0.2, 0.3)
_GROWN_MM = (0.0, 1.5, 3.0, 4.5)  # by which what is not mat may seem larger than it is, all round: soft edges
_LEAST_SLANT = 0.25  # mm aside for each mm up, below which a view tells little of heights
_FEWEST = 3
_USUAL_MM = 60.0  # that other pieces are high
_AROUND_MM = 16.0
_FLOOR_SIGMA_MM = 2.0  # a pixel of the maps, and shadows
MISFIT_SIGMA = 1.5  # errors of outlines and heights for each mm of misfit (`benchmarks.calibration.setup_terrain`)
_DRAWS = 40
_SURE_MM, _SURE = 8.0, 0.25  # a sigma beyond this, and beyond this share of the height, is no height


@dataclass(frozen=True)
class Silhouette:
    """What is not mat in one view, on the table's plane; where the view sees the table; and the eye, table mm."""

    mask: Mask
    seen: Mask
    eye_mm: tuple[float, float, float]


@dataclass(frozen=True)
class SilhouetteFit:
    """Top above the table, None where the views do not tell it; `misfit_mm` is how far the casts of the best height
    still lie from what is seen, along their edges: that much its outline may be wrong."""

    height_mm: float | None
    sigma_mm: float
    misfit_mm: float


def fit_silhouette(
    outline: shapely.Polygon, sights: Sequence[Silhouette], window: Window, *, others: Sequence[shapely.Polygon] = ()
) -> SilhouetteFit | None:
    """None where too few views slant enough."""
    foot = np.array(outline.exterior.coords[:-1])
    middle = foot.mean(axis=0)
    telling = [sight for sight in sights if _slant(middle, sight) > _LEAST_SLANT]
    if len(telling) < _FEWEST:
        return None
    stack = np.stack([_costs(foot, sight, window, others) for sight in telling])  # views, shapes, heights
    best = _least(stack.sum(axis=0))
    misfit_mm = float(stack.sum(axis=0).min()) / len(telling) / outline.length
    random = np.random.default_rng(1)
    drawn = [_least(stack[random.integers(0, len(stack), len(stack))].sum(axis=0)) for _ in range(_DRAWS)]
    slant = float(np.mean([_slant(middle, sight) for sight in telling]))
    sigma = float(np.hypot(np.std(drawn), max(_FLOOR_SIGMA_MM, MISFIT_SIGMA * misfit_mm / slant)))
    is_sure = sigma <= max(_SURE_MM, _SURE * best)
    return SilhouetteFit(best if is_sure else None, sigma, misfit_mm)


def _slant(middle: Floats, sight: Silhouette) -> float:
    return float(np.hypot(*(middle - sight.eye_mm[:2]))) / sight.eye_mm[2]


def _least(cost: Floats) -> float:
    """The height at which the cost is least, between two steps."""
    shape, k = np.unravel_index(int(cost.argmin()), cost.shape)
    row = cost[shape]
    if not 0 < k < len(row) - 1:
        return float(_HEIGHTS[k])
    left, right = row[k - 1] - row[k], row[k + 1] - row[k]  # straight slopes on both sides
    return float(_HEIGHTS[k] + _STEP_MM * 0.5 * (left - right) / max(left, right, 1e-9))


def _costs(foot: Floats, sight: Silhouette, window: Window, others: Sequence[shapely.Polygon]) -> Floats:
    """(tapers and growths, heights): mm2 in which cast and sight differ."""
    place, corner = _around(foot, sight, window)
    counted = sight.seen[place] & ~_cast_others(others, sight, window)[place]
    is_piece = sight.mask[place]
    rows = []
    for taper in _TAPERS:
        first = _first_height(foot, sight, taper, window, corner, is_piece.shape)
        for grown_mm in _GROWN_MM:
            grown = _grow(first, grown_mm * window.px_per_mm)
            inside = np.bincount(grown[counted & is_piece], minlength=len(_HEIGHTS) + 1)
            outside = np.bincount(grown[counted & ~is_piece], minlength=len(_HEIGHTS) + 1)
            rows.append(inside.sum() - np.cumsum(inside)[:-1] + np.cumsum(outside)[:-1])
    return np.asarray(rows, np.float64) / window.px_per_mm**2


def _around(foot: Floats, sight: Silhouette, window: Window) -> tuple[tuple[slice, slice], Indices]:
    """The part of the maps in which the piece's cast may lie, and its first column and row."""
    ends = window.to_px(np.concatenate([foot, _top(foot, sight.eye_mm, float(_HIGHEST_MM), 0.0)]))
    around, (rows, columns) = _AROUND_MM * window.px_per_mm, sight.mask.shape
    left, top = np.maximum(np.floor(ends.min(axis=0) - around).astype(int), 0)
    right, bottom = np.minimum(np.ceil(ends.max(axis=0) + around).astype(int), [columns, rows])
    return np.s_[top:bottom, left:right], np.array([left, top])


def _grow(first: Image, by_px: float) -> Image:
    """The casts larger by so much, on a finer map; they are drawn half a pixel too large."""
    finer, more = 4, by_px - 0.5
    large = cv2.resize(first, None, fx=finer, fy=finer, interpolation=cv2.INTER_NEAREST)
    side = 2 * round(abs(more) * finer) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    grown = cv2.erode(large, disc) if more > 0 else cv2.dilate(large, disc)
    return np.asarray(grown[finer // 2 :: finer, finer // 2 :: finer])


def _first_height(
    foot: Floats, sight: Silhouette, taper: float, window: Window, corner: Indices, shape: tuple[int, ...]
) -> Image:
    """The first of the heights whose cast covers each place; their number where none does."""
    first = np.full(shape, len(_HEIGHTS), np.uint8)
    for k in range(len(_HEIGHTS) - 1, -1, -1):
        _fill_cast(first, foot, _top(foot, sight.eye_mm, float(_HEIGHTS[k]), taper), window, corner, k)
    return first


def _fill_cast(canvas: Image, foot: Floats, top: Floats, window: Window, corner: Indices, value: int) -> None:
    low, high = (np.round((window.to_px(ring) - corner) * 16).astype(np.int32) for ring in (foot, top))
    sides = [np.array([low[i - 1], low[i], high[i], high[i - 1]], np.int32) for i in range(len(low))]
    for polygon in (low, high, *sides):
        cv2.fillPoly(canvas, [polygon], [value], lineType=cv2.LINE_8, shift=4)


def _top(foot: Floats, eye_mm: tuple[float, float, float], height_mm: float, taper: float) -> Floats:
    """Where the top appears on the table's plane."""
    middle, eye = foot.mean(axis=0), np.array(eye_mm[:2])
    drawn_in = middle + (foot - middle) * (1 - taper)
    return np.asarray(eye + (drawn_in - eye) * eye_mm[2] / (eye_mm[2] - height_mm))


def _cast_others(others: Sequence[shapely.Polygon], sight: Silhouette, window: Window) -> Mask:
    """Where other pieces may hide the mat: what is seen there tells nothing of this one."""
    canvas = np.zeros(sight.mask.shape, np.uint8)
    for other in others:
        foot = np.array(other.exterior.coords[:-1])
        _fill_cast(canvas, foot, _top(foot, sight.eye_mm, _USUAL_MM, 0.0), window, np.zeros(2, int), 1)
    return canvas > 0
