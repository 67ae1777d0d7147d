"""Segmentation: outlines of what is not the mat, without bases and what lies about in a game."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Mask
from vision.terrain.background_model import FOREGROUND, PX_PER_MM, BackgroundDifference

_THICK_MM = 14.0  # what is thinner than this is a wall, or the edge of something
_LEAST_AREA_MM2 = 3200.0  # less is a token, a die or a tuft
_LEAST_SIDE_MM = 45.0
_LEAST_WALL_MM = 55.0
_LEAST_WALL_AREA_MM2 = 350.0
_WALL_RATIO = 3.2  # length to thickness
_LARGEST_DISC_MM = 160.0
_RECT = 0.9  # of its box: what fills more is a rectangle
_CORNER_MM = 2.5  # how far a simple outline may leave the seen one
_HALF = 0.5
_STEP = 1.5  # spreads by which the mat must end where the outline runs


@dataclass(frozen=True)
class Blob:
    """A connected component that is not mat: its outline in pixels (N, 2), its box's sides in mm, and how much of that
    it fills."""

    outline_px: Floats
    long_mm: float
    short_mm: float
    fills: float
    place: Mask

    @property
    def is_linear(self) -> bool:
        return self.long_mm > _WALL_RATIO * self.short_mm

    @property
    def is_box(self) -> bool:
        return self.fills > _RECT


def segment_pieces(unlike: BackgroundDifference, *, bases: Mask) -> tuple[Blob, ...]:
    """Segments the pieces in a difference from the mat; `bases` is where bases stand."""
    mask = _remove_bases(unlike.mask, bases)
    thick = _open_mask(mask, _THICK_MM)
    thin = mask & ~_dilate(thick, _THICK_MM / 2 + 2)
    blobs = [blob for part in _components(thick & mask) for blob in _sharpen(part, unlike) if _is_piece(blob)]
    blobs += [blob for part in _components(thin) for blob in _sharpen(part, unlike) if _is_wall(blob)]
    return tuple(blob for blob in blobs if _has_clear_border(blob, unlike))


def segment_rounds(unlike: BackgroundDifference, bases: Mask) -> Iterator[Blob]:
    """Segments whatever is not mat, however small, with its faintest rim and without: discs are searched among it."""
    for part in _components((unlike.fine > FOREGROUND) & ~bases):
        if part.long_mm < _LARGEST_DISC_MM:
            yield part
            yield from _sharpen(part, unlike)


def _sharpen(blob: Blob, unlike: BackgroundDifference) -> Iterator[Blob]:
    """The same, ending half way to the mat; without its shadow, which is less unlike the mat than it is."""
    best, far = unlike.clearer_map(blob.place)
    return _components(_close_mask(blob.place & (best > max(FOREGROUND, _HALF * far))))


def _remove_bases(mask: Mask, bases: Mask) -> Mask:
    """What lies around a base on all sides lies under it; else the base is left out, and what its plastic covers."""
    kept = mask & ~bases
    count, labels = cv2.connectedComponents(bases.astype(np.uint8))
    for k in range(1, count):
        own = labels == k
        rim = _dilate(own, 10.0) & ~_dilate(own, 4.0) & ~bases
        if rim.any() and mask[rim].mean() > 0.6:
            kept |= own | (_dilate(own, 4.0) & ~bases)
    return kept


def _open_mask(mask: Mask, wide_mm: float) -> Mask:
    """The part of it that is nowhere thinner."""
    side = round(wide_mm * PX_PER_MM) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.morphologyEx(_close_mask(mask).astype(np.uint8), cv2.MORPH_OPEN, disc) > 0)


def _close_mask(mask: Mask) -> Mask:
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)) > 0)


def _dilate(mask: Mask, by_mm: float) -> Mask:
    side = 2 * round(by_mm * PX_PER_MM) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.dilate(mask.astype(np.uint8), disc) > 0)


def _components(mask: Mask) -> Iterator[Blob]:
    """Each part that hangs together, its holes filled."""
    lines, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for line in lines:
        if len(line) < 8:
            continue
        (_, sides, _), area = cv2.minAreaRect(line), cv2.contourArea(line)
        # a contour runs through the middles of the outermost pixels: half a pixel is missing all round
        short, long = sorted((side + 1) / PX_PER_MM for side in sides)
        whole = (area + len(line) / 2 + 1) / PX_PER_MM**2
        place = np.zeros(mask.shape, np.uint8)
        cv2.drawContours(place, [line], -1, 1, -1)
        yield Blob(line[:, 0].astype(np.float64), long, short, whole / max(long * short, 1.0), place > 0)


def _is_piece(blob: Blob) -> bool:
    area = blob.fills * blob.long_mm * blob.short_mm
    return (area > _LEAST_AREA_MM2 and blob.short_mm > _LEAST_SIDE_MM) or _is_wall(blob)


def _is_wall(blob: Blob) -> bool:
    area = blob.fills * blob.long_mm * blob.short_mm
    return blob.is_linear and blob.long_mm > _LEAST_WALL_MM and area > _LEAST_WALL_AREA_MM2 and blob.fills > 0.55


def _has_clear_border(blob: Blob, unlike: BackgroundDifference) -> bool:
    """Whether the mat ends at the outline, and does not fade as it does in a lamp's light."""
    place = blob.place
    inside = place & ~_erode(place, 6.0) if blob.short_mm > 20 else place
    outside = _dilate(place, 8.0) & ~_dilate(place, 3.0)
    if not outside.any() or not inside.any():
        return True
    best, _ = unlike.clearer_map(place)
    return float(np.median(best[inside]) - np.median(best[outside])) > _STEP


def _erode(mask: Mask, by_mm: float) -> Mask:
    side = 2 * round(by_mm * PX_PER_MM) + 1
    return np.asarray(cv2.erode(mask.astype(np.uint8), np.ones((side, side), np.uint8)) > 0)


def simplify_outline(blob: Blob) -> Floats:
    """Polygon simplification, (N, 2) px: its outline with few corners, the box's four where it is one."""
    line = blob.outline_px.astype(np.float32)
    if blob.is_box:
        middle, sides, turn = cv2.minAreaRect(line)
        return np.asarray(cv2.boxPoints((middle, (sides[0] + 1, sides[1] + 1), turn)), np.float64)
    place = np.pad(blob.place.astype(np.uint8), 1)
    grown = cv2.resize(place, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)  # so that it runs round the pixels
    lines, _ = cv2.findContours(grown, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    longest = max(lines, key=len)
    few = cv2.approxPolyDP(longest, 2 * _CORNER_MM * PX_PER_MM, closed=True)[:, 0].astype(np.float64)
    return np.asarray(few / 2 - 0.25 - 1)
