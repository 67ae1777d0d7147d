"""Side clustering by paint: an army's rims are painted alike, and so are its miniatures.

Rims and miniatures are looked at apart, since basing and poses differ within an army; the one that parts the bases more
clearly tells.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image, Mask
from models.vocabulary import Point
from vision.rectification.rectify import Window
from vision.rectification.tone_curve import tone_mapped

_SPOKES = 48
_RIM = (0.9, 0.94, 0.98)  # of the radius
_INSIDE = (0.1, 0.2, 0.3, 0.4, 0.5)  # where the miniature stands, and little of the basing shows
_SHARES = (20, 50, 80)
_LEAST = 4  # fewer bases are quicker told by hand
_DIFFER = 20.0  # levels: armies that differ by less are not told apart by their paint
_PARTED = 0.45  # of the mean silhouette: with less, all look like one army
_UNSURE = 0.4  # of that mean: who is less clearly parted is left to the players


@dataclass(frozen=True)
class PaintDescriptor:
    """Paint of a base: (3,) levels of its rim, and (6,) of how its miniature's colours stand to each other."""

    rim: Floats
    miniature: Floats


@dataclass(frozen=True)
class SideClusters:
    """Indices, in a list of bases, of one side, of the other, and of those that look like either."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    unsure: tuple[int, ...]


def describe_paint(picture: Image, at_mm: Point, half_mm: float, window: Window) -> PaintDescriptor:
    """Describe the paint of a base in this picture of the table from above."""
    rim = _sample_colours(picture, at_mm, half_mm, _RIM, window)
    inside = _sample_colours(picture, at_mm, half_mm, _INSIDE, window)
    # Arcs are painted on rims, mostly brighter than these, and on half of one at most.
    dark = rim[np.argsort(rim.sum(axis=1))][: len(rim) // 2]
    tints = np.column_stack([inside[:, 2] - inside[:, 1], inside[:, 1] - inside[:, 0]])  # a shadow leaves these
    return PaintDescriptor(np.median(dark, axis=0), np.percentile(tints, _SHARES, axis=0).ravel())


def _sample_colours(
    picture: Image, at_mm: Point, half_mm: float, shares: tuple[float, ...], window: Window
) -> Floats32:
    """(N, 3) colours, blue first, at these shares of the radius all round."""
    angle = np.arange(_SPOKES) * (2 * np.pi / _SPOKES)
    radii = np.array(shares)[:, None] * half_mm
    x, y = at_mm[0] + radii * np.cos(angle), at_mm[1] + radii * np.sin(angle)
    maps = window.to_px(np.column_stack([x.ravel(), y.ravel()])).astype(np.float32)[:, None]
    seen = np.asarray(cv2.remap(picture, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR), np.float32)
    return tone_mapped(seen.reshape(-1, 3))


def cluster_sides(coats: Sequence[PaintDescriptor]) -> SideClusters | None:
    """Two clusters such that everybody looks like its own; None where there are no two armies to be told apart."""
    if len(coats) < _LEAST:
        return None
    rims, miniatures = np.array([coat.rim for coat in coats]), np.array([coat.miniature for coat in coats])
    apart = (np.linalg.norm(of[:, None] - of, axis=2) for of in (rims, miniatures))
    is_second, clearness = max(
        (_split_in_two(rims_part) for rims_part in apart), key=lambda split: float(split[1].mean())
    )
    if float(clearness.mean()) < _PARTED:
        return None
    unsure = clearness < _UNSURE * float(clearness.mean())
    first, second = np.flatnonzero(~is_second & ~unsure), np.flatnonzero(is_second & ~unsure)
    return SideClusters(tuple(first.tolist()), tuple(second.tolist()), tuple(np.flatnonzero(unsure).tolist()))


def _split_in_two(apart: Floats) -> tuple[Mask, Floats]:
    """Who is nearer to the second of the two heads that all are nearest to, and how clearly each is parted."""
    heads = min(combinations(range(len(apart)), 2), key=lambda pair: float(apart[:, pair].min(axis=1).sum()))
    is_second = apart[:, heads[1]] < apart[:, heads[0]]
    if apart[heads] < _DIFFER:
        return is_second, np.zeros(len(apart))
    return is_second, np.array([_silhouette_score(apart[k], is_second == is_second[k], k) for k in range(len(apart))])


def _silhouette_score(apart: Floats, own: Mask, k: int) -> float:
    """How much nearer it is to its own than to the others, from -1 to 1; 0 of one that is alone."""
    if own.sum() < 2 or own.all():
        return 0.0
    near, far = float(apart[own].sum() - apart[k]) / (int(own.sum()) - 1), float(apart[~own].mean())
    return (far - near) / max(near, far, 1e-9)
