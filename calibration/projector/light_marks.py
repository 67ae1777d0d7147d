"""Light marks: dim spots that stay on the table, by which a picture tells lit from black, and a bump is noticed."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.image import to_gray
from calibration.projector.projector_fit import Projector
from calibration.view import View

MARK_MM = 7.0  # radius
_INSET = 0.06  # of the table's side
_AROUND = 2.2  # of a mark's radius: what is looked at beside it
_FEWEST = 2


def mark_places(projector: Projector, table_mm: tuple[float, float]) -> Floats:
    """Middles of the marks, (N, 2) mm: near the table's corners, as far as the projector reaches."""
    width, height = projector.lens.image_size
    x, y = (np.array([_INSET, 0.5, 1 - _INSET]) * side for side in table_mm)
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    pixels = projector.project(np.column_stack([places, np.zeros(len(places))]))
    inside = np.all((pixels > 12) & (pixels < np.array([width, height]) - 12), axis=1)
    is_middle = np.all(np.isclose(places, np.array(table_mm) / 2), axis=1)
    return np.asarray(places[inside & ~is_middle])


def mark_contrasts(image: Image, places_mm: Floats, view: View) -> Floats:
    """How much brighter each mark's place is than what lies around it, (N,) grey levels; NaN out of the picture."""
    return np.array([_contrast(patch, radius) for patch, _, radius in _patches(image, places_mm, view)])


def mark_offsets(lit: Image, black: Image, places_mm: Floats, view: View, *, least: float = 6.0) -> Floats:
    """How far each mark is seen beside its place, (N, 2) mm, from a lit picture and a black one of the same table.

    NaN where the light of a mark is not seen.
    """
    out = np.full((len(places_mm), 2), np.nan)
    pairs = zip(_patches(lit, places_mm, view), _patches(black, places_mm, view), strict=True)
    for i, ((bright, origin, _), (dark, _, _)) in enumerate(pairs):
        if bright is None or dark is None or bright.shape != dark.shape:
            continue
        light = cv2.GaussianBlur(bright.astype(np.float32) - dark, (0, 0), 1.0)
        light = np.clip(light - np.median(light) - least / 2, 0, None)
        if light.max() < least / 2:
            continue
        rows, columns = np.indices(light.shape)
        seen = origin + np.array([np.sum(light * columns), np.sum(light * rows)]) / light.sum()
        out[i] = view.intersect_plane(seen, z_mm=0.0)[0] - places_mm[i]
    return out


def bump_mm(offsets_mm: Floats) -> float | None:
    """How far the light has moved by most of the marks that were seen; None when too few were."""
    seen = offsets_mm[np.isfinite(offsets_mm).all(axis=1)]
    return float(np.linalg.norm(np.median(seen, axis=0))) if len(seen) >= _FEWEST else None


def _patches(image: Image, places_mm: Floats, view: View) -> Sequence[tuple[Image | None, Floats, float]]:
    """Grey patch around each mark, where it begins, and the mark's radius in it."""
    points = np.column_stack([places_mm, np.zeros(len(places_mm))])
    middles = view.project(points)
    scale = np.sqrt(np.abs(np.linalg.det(view.project_jacobian(points))))
    height, width = image.shape[:2]
    out: list[tuple[Image | None, Floats, float]] = []
    for middle, px_per_mm in zip(middles, scale, strict=True):
        reach = _AROUND * MARK_MM * px_per_mm
        low, high = np.round(middle - reach), np.round(middle + reach) + 1
        if not (np.all(np.isfinite(middle)) and np.all(low >= 0) and np.all(high <= (width, height))):
            out.append((None, np.zeros(2), 0.0))
            continue
        (left, top), (right, bottom) = low.astype(int), high.astype(int)
        out.append((to_gray(image[top:bottom, left:right]), low, MARK_MM * px_per_mm))
    return out


def _contrast(patch: Image | None, radius: float) -> float:
    if patch is None:
        return float("nan")
    rows, columns = np.indices(patch.shape)
    apart = np.hypot(rows - (patch.shape[0] - 1) / 2, columns - (patch.shape[1] - 1) / 2)
    return float(np.mean(patch[apart < 0.7 * radius]) - np.mean(patch[apart > 1.4 * radius]))
