"""Mat sides: how far each piece of a mat's straight sides lies from where a pose puts it.

A mat and what it lies on may be equally bright, so colours are compared along the direction that parts them best.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Image, Mask
from calibration.view import View

SIDES = 4
_PIECES, _LINES = 16, 12  # pieces of a side, and lines across each of them
_ENDS = 0.03  # of a side, left out at both ends
_STEP_PX = 0.5
_NEAR_PX = 7.0  # how far a fine look reaches to both sides
_PLATEAU_PX = 2.0  # beyond this the colour is the mat's own, or the ground's
_PEAK_PX = 1.5
_LEAST_STEP = 2.0  # how many sigmas of their own texture mat and ground differ by; less is no edge
_FEWEST_PIECES = 5


@dataclass(frozen=True)
class Side:
    """Pieces of one side that were seen, (N, ...): places on the table, and the offset outwards in px.

    `outward` is the unit normal in the picture.
    """

    number: int
    points_mm: Floats
    outward: Floats
    offset_px: Floats


def corners_mm(table_mm: tuple[float, float]) -> Floats:
    """Near left, near right, far right, far left, (4, 3)."""
    width, depth = table_mm
    return np.array([[0, 0, 0], [width, 0, 0], [width, depth, 0], [0, depth, 0]], np.float64)


def measure_side(image: Image, number: int, *, view: View, reach_px: float = 0.0) -> Side | None:
    """Measure side `number`, which starts at that corner, near where the pose expects it; None when it is not clear.

    With a reach the whole side is first looked for that far away, shifted and turned.
    """
    ends = corners_mm(view.table_mm)[[number, (number + 1) % SIDES]]
    share = _ENDS + (1 - 2 * _ENDS) * (np.arange(_PIECES * _LINES) + 0.5) / (_PIECES * _LINES)
    points = ends[0] + share[:, None] * (ends[1] - ends[0])
    middle = np.array([view.table_mm[0] / 2, view.table_mm[1] / 2, 0.0])
    seen, outward = _project_lines(points, ends, middle, view)
    half = reach_px + _NEAR_PX
    inside = _is_inside(seen, half, image)
    if inside.mean() < _FEWEST_PIECES / _PIECES:
        return None
    colours, steps = _sample_profiles(image, np.where(np.isfinite(seen), seen, 0.0), outward, half_px=half)
    start = _coarse_line(colours, steps, share, inside, reach_px=reach_px) if reach_px else np.zeros(len(share))
    if start is None:
        return None
    return _make_side(number, points, outward, colours, steps, start, inside)


def _project_lines(points: Floats, ends: Floats, middle: Floats, view: View) -> tuple[Floats, Floats]:
    slopes = view.point_jacobian(points)
    along = slopes @ (ends[1] - ends[0])
    inward = slopes @ (middle - ends.mean(axis=0))
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    normal *= -np.sign(np.sum(normal * inward, axis=1, keepdims=True))
    return view.project(points), normal / np.linalg.norm(normal, axis=1, keepdims=True)


def _is_inside(seen: Floats, half_px: float, image: Image) -> Mask:
    height, width = image.shape[:2]
    limit = np.array([width, height]) - 1 - half_px
    return np.asarray(np.all(np.isfinite(seen) & (seen >= half_px) & (seen <= limit), axis=1))


def _sample_profiles(image: Image, seen: Floats, outward: Floats, *, half_px: float) -> tuple[Floats, Floats]:
    """Colours across the side, (lines, steps, channels), from the mat outwards."""
    steps = np.arange(-half_px, half_px + _STEP_PX / 2, _STEP_PX)
    places = (seen[:, None, :] + outward[:, None, :] * steps[None, :, None]).astype(np.float32)
    colours = cv2.remap(image, places[..., 0], places[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return colours.astype(np.float64).reshape(len(seen), len(steps), -1), steps


def _coarse_line(colours: Floats, steps: Floats, share: Floats, inside: Mask, *, reach_px: float) -> Floats | None:
    """Where the side lies along each line, of all straight ones the one with the strongest step across."""
    far = reach_px + _PLATEAU_PX
    values = _contrast_profile(colours[inside], steps < -far, steps > far)
    if values is None:
        return None
    width = round(3 / _STEP_PX)
    sums = np.cumsum(np.pad(values, ((0, 0), (1, 0))), axis=1)
    box = (sums[:, width:] - sums[:, :-width]) / width
    falls = np.clip(box[:, :-width] - box[:, width:], -_LEAST_STEP, 2 * _LEAST_STEP)
    places = steps[width - 1 : width - 1 + falls.shape[1]] + _STEP_PX / 2
    shifts = np.arange(-reach_px, reach_px + 0.5)
    first, last = (axis.ravel() for axis in np.meshgrid(shifts, shifts))
    at = first[:, None] + (last - first)[:, None] * share[inside][None, :]
    index = np.clip(np.round((at - places[0]) / _STEP_PX).astype(int), 0, falls.shape[1] - 1)
    score = falls[np.arange(len(values))[None, :], index].mean(axis=1)
    best = int(np.argmax(score))
    if score[best] < _LEAST_STEP / 2:
        return None
    return np.asarray(first[best] + (last[best] - first[best]) * share)


def _make_side(
    number: int, points: Floats, outward: Floats, colours: Floats, steps: Floats, start: Floats, inside: Mask
) -> Side | None:
    near = np.arange(-_NEAR_PX, _NEAR_PX + _STEP_PX / 2, _STEP_PX)
    index = np.clip(np.round((start[:, None] + near - steps[0]) / _STEP_PX).astype(int), 0, len(steps) - 1)
    kept = colours[np.arange(len(colours))[:, None], index]
    moved = steps[index[:, len(near) // 2]]
    values = _contrast_profile(kept[inside], near < -_PLATEAU_PX, (near > 1) & (near < 4))
    if values is None:
        return None
    every = np.full((len(points), len(near)), np.nan)
    every[inside] = values
    piece = np.arange(len(points)) // _LINES
    offsets = np.array([_steepest_fall(every[piece == number], near) for number in range(_PIECES)])
    offsets += np.array([moved[piece == number].mean() for number in range(_PIECES)])
    seen = np.isfinite(offsets)
    if seen.sum() < _FEWEST_PIECES:
        return None
    middles = _LINES * np.arange(_PIECES) + _LINES // 2
    places = (points[middles] + points[middles - 1]) / 2
    return Side(number, places[seen], outward[middles][seen], offsets[seen])


def _contrast_profile(colours: Floats, mat: Mask, ground: Mask) -> Floats | None:
    """The colours along the direction that tells mat from ground, in sigmas: larger on the mat. None when alike."""
    a, b = (colours[:, part].reshape(-1, colours.shape[2]) for part in (mat, ground))
    spread = np.cov(a.T) + np.cov(b.T) if colours.shape[2] > 1 else np.array([[a.var() + b.var()]])
    spread = np.atleast_2d(spread) / 2 + np.eye(colours.shape[2])
    apart = np.median(a, axis=0) - np.median(b, axis=0)
    direction = np.linalg.solve(spread, apart)
    sigmas = float(np.sqrt(max(float(apart @ direction), 0.0)))
    if sigmas < _LEAST_STEP / 2:
        return None
    return np.asarray(colours @ (direction / sigmas))


def _steepest_fall(values: Floats, near: Floats) -> float:
    """Where the middle one of these lines falls most steeply; NaN when that is not clear."""
    known = values[np.isfinite(values).all(axis=1)]
    if len(known) < _LINES / 2:
        return float("nan")
    middle = np.asarray(np.median(known, axis=0), np.float64)
    falls: Floats = middle[:-1] - middle[1:]
    falls = np.convolve(falls, [0.25, 0.5, 0.25], mode="same")
    places = (near[1:] + near[:-1]) / 2
    best = int(np.argmax(falls))
    window = np.abs(places - places[best]) <= _PEAK_PX
    others = np.abs(places - places[best]) > 2 * _PEAK_PX
    if falls[best] <= 0 or falls[best] < 1.5 * falls[others].max(initial=0) or not 2 < best < len(falls) - 3:
        return float("nan")
    weight = np.clip(falls[window] - 0.2 * falls[best], 0, None)
    return float(np.average(places[window], weights=weight))
