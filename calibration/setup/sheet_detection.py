"""Sheet detection: two taps on opposite corners of a sheet of blank paper -> its four corners in the picture."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.arrays import Floats, Image, Mask
from models.errors import BadInput

_WORKED_PX = 400.0  # the sheet is sought in a picture in which its taps lie so far apart
_WINDOW = 0.95  # half the window's side, of the distance between the taps
_LEAST_APART_PX = 40.0
_TAP_SHARE, _TAP_PX = 0.25, 12.0  # how far from a corner a finger may be: of that distance, and at least
_LEAST_FILLED = 0.965  # of its four-sided hull
_LEAST_SIZE = 0.2  # of the square over the taps: a sheet seen from a low angle
_PATCH = 9
_MOUSE_HOLE = 5
_LEAST_BRIGHTER = 12.0  # of 255, than what is around it

SheetTaps = tuple[Sequence[float], Sequence[float]]


def find_sheet(image: Image, taps: SheetTaps, *, numbers: tuple[int, int]) -> Floats:
    """The corners (4, 2) px from the first tap on, anticlockwise as seen from above.

    `numbers` of the taps are for what is said. Raises: BadInput when no sheet lies between the taps.
    """
    first, second = (np.asarray(tap, np.float64) for tap in taps)
    apart = float(np.linalg.norm(second - first))
    if apart < _LEAST_APART_PX:
        raise _bad(
            f"taps {numbers[0]} and {numbers[1]} lie {apart:.0f} px apart: tap a corner of a sheet, then the opposite "
            "corner of the same sheet; come nearer when the sheet is that small",
            [first.tolist(), second.tolist()],
        )
    scale = min(1.0, _WORKED_PX / apart)
    middle, half = (first + second) / 2, _WINDOW * apart
    low = np.maximum(np.floor(middle - half), 0).astype(int)
    high = np.ceil(middle + half).astype(int)
    part = image[low[1] : high[1] + 1, low[0] : high[0] + 1]
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    blob = _segment_paper(np.asarray(small, np.uint8), (middle - low) * scale, numbers)
    corners = _four_corners(blob, numbers) / scale + low
    return _order_corners(corners, first, second, numbers)


def _segment_paper(small: Image, middle: Floats, numbers: tuple[int, int]) -> Mask:
    """What is of the colour in the middle and hangs together with it. Raises: BadInput where that is no paper."""
    colour = small if small.ndim == 3 else cv2.cvtColor(small, cv2.COLOR_GRAY2BGR)
    lab = cv2.cvtColor(cv2.GaussianBlur(colour, (0, 0), 1.5), cv2.COLOR_BGR2LAB).astype(np.float32)
    x, y = np.round(middle).astype(int)
    patch = lab[max(y - _PATCH, 0) : y + _PATCH + 1, max(x - _PATCH, 0) : x + _PATCH + 1].reshape(-1, 3)
    if not len(patch):
        raise _bad(f"taps {numbers[0]} and {numbers[1]} lie outside the picture", middle.tolist())
    off = np.linalg.norm(lab - np.median(patch, axis=0), axis=2)
    limit, _ = cv2.threshold(np.clip(off, 0, 255).astype(np.uint8), 0, 255, cv2.THRESH_OTSU)
    like = (off <= max(limit, 1)).astype(np.uint8)
    like = cv2.morphologyEx(like, cv2.MORPH_OPEN, np.ones((_MOUSE_HOLE, _MOUSE_HOLE), np.uint8))
    _, labels = cv2.connectedComponents(like)
    own = labels[y, x]
    blob = np.asarray(labels == own) if own else np.zeros_like(like, bool)
    around = lab[..., 0][~blob]
    brighter = float(np.median(lab[..., 0][blob]) - np.median(around)) if blob.any() and len(around) else 0.0
    if brighter < _LEAST_BRIGHTER:
        raise _bad(
            f"between taps {numbers[0]} and {numbers[1]} no sheet stands out: tap a corner of a sheet, then the "
            "opposite corner of the same sheet; on a white mat lay a dark cloth under the paper",
            list(numbers),
        )
    return blob


def _four_corners(blob: Mask, numbers: tuple[int, int]) -> Floats:
    """The corners of a four-sided blob (4, 2). Raises: BadInput for one of another shape."""
    contours, _ = cv2.findContours(blob.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(contours, key=cv2.contourArea)
    hull = cv2.convexHull(outline)
    corners = np.asarray(cv2.approxPolyN(hull, 4, ensure_convex=True), np.float64).reshape(-1, 2)
    area = cv2.contourArea(outline)
    at_rim = blob[0].any() or blob[-1].any() or blob[:, 0].any() or blob[:, -1].any()
    box = cv2.contourArea(corners.astype(np.float32))
    if at_rim or area < _LEAST_FILLED * box or area < _LEAST_SIZE * blob.size / (2 * _WINDOW) ** 2 / 2:
        raise _bad(
            f"what lies between taps {numbers[0]} and {numbers[1]} has not the shape of one sheet: is it covered, or "
            "do two sheets overlap or touch? Lay them apart, each free and flat on something darker",
            list(numbers),
        )
    return corners


def _order_corners(corners: Floats, first: Floats, second: Floats, numbers: tuple[int, int]) -> Floats:
    """From the first tap on. Raises: BadInput for a tap that is at no corner, or not at the opposite one."""
    sides = np.roll(corners, -1, axis=0) - corners
    after = np.roll(sides, -1, axis=0)
    if np.sum(sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]) > 0:
        corners = corners[::-1]
    reach = max(_TAP_PX, _TAP_SHARE * float(np.linalg.norm(second - first)))
    places = []
    for number, tap in zip(numbers, (first, second), strict=True):
        off = np.linalg.norm(corners - tap, axis=1)
        if off.min() > reach:
            raise _bad(
                f"tap {number} lies {off.min():.0f} px from the nearest corner of the sheet: tap the corner itself, "
                "both times of the same sheet, and lay the sheets apart",
                tap.tolist(),
            )
        places.append(int(np.argmin(off)))
    if (places[0] - places[1]) % 4 != 2:
        raise _bad(f"taps {numbers[0]} and {numbers[1]} are at one side of the sheet: tap opposite corners", places)
    return np.roll(corners, -places[0], axis=0)


def _bad(says: str, value: object) -> BadInput:
    return BadInput(says, field="taps", value=value)
