"""Ellipse detection: discs in a picture of unknown camera, plane and scale, each an ellipse in pixels.

A disc's edge parts two colours all the way round. A line on a board has the same colour on both sides; the circle in a
square meets an edge in four places; two stones side by side leave a waist.
"""

import math
from collections.abc import Iterator
from dataclasses import astuple, dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image, Mask
from vision.rectification.tone_curve import tone_mapped
from vision.uncalibrated.hough_voting import cast_votes, rim_template

_BAND, _BAND_PX = 0.12, 2.0  # wide, in shares of the radius and at least in pixels, on each side of the edge,
_FROM, _FROM_PX = 0.04, 0.7  # and so far from it
_SAMPLES = 6
_ALONG = 9  # rays that tell together
_PARTED = 12.0  # grey levels between the two sides that are half believed
_WORST = 0.1
_LARGE_PX = 33.0  # a larger disc is no likelier
# Log odds that an edge is a disc's, as `python -m benchmarks.uncalibrated.round_things --weigh --seed 1` prints them:
# of support, tight, strength, parted, alike and size.
_WEIGHTS, _ODDS = (5.32, 9.2, -1.31, 3.56, 5.55, 5.47), -32.4
_LOOKED_AT_PX = 1000  # the longer side of the picture in which discs are sought
_LEAST_RADIUS_PX = 10.0
_STEP = 1.1  # from one radius that is tried to the next
_OCTAVE = 2.0
_LARGEST = 0.16  # of the longer side
_LEAST_SCORE = 0.25
_RAYS = 96
_PER_RADIUS = 80  # samples along each ray for one radius of way
_REACHES = (0.28, 0.12, 0.06)  # of the radius, in which the edge is sought, time after time
_STEADY = 60.0  # grey levels over a fiftieth of the radius at which an edge is half believed
_NEAR, _NEAR_PX = 0.02, 0.8  # of the radius, or in pixels: an edge so near to the ellipse speaks for it,
_TIGHT, _TIGHT_PX = 0.015, 0.4  # and so near it is the ellipse's own
_SHARP_PX = 0.8  # no edge is sharper
_MET = 0.1  # belief in a step from which a ray has met an edge
_LEAST_SUPPORT = 0.3
_LEAST_ODDS = -1.5  # on own boards 7 answers in 1,000 are wrong from here, and 97 stones in 100 are found
_MOST_ODDS = 3.0  # beyond that no ring about one place is surer: one on the face of a coin has the clearest of edges
_OUTER = 4.0  # log odds for each e-fold of size: of two rings about one place mostly the outer is the disc's
_ABOUT, _LARGER = 0.2, (1.03, 2.2)  # of its radius, and times as large: another ring about the same place
_ROUND = 0.45  # of the longer half axis that the shorter has at least: a more slanted view is no measurement


@dataclass(frozen=True)
class Disc:
    """An ellipse, in pixels with integers at pixel centres. `support` is the share of its edge that was seen."""

    at_px: tuple[float, float]
    long_px: float
    short_px: float
    turn_rad: float  # of the longer half axis, from the picture's x towards its y
    support: float
    log_odds: float  # log odds that it is one
    sigma_px: float  # of its half axes

    @property
    def radius_px(self) -> float:
        """Of a circle of the same area."""
        return float(np.sqrt(self.long_px * self.short_px))


@dataclass(frozen=True)
class EdgeFeatures:
    """Features of the rays to an edge, 0 to 1.

    The share that meets it (`support`), and within a narrower reach (`tight`); how far their steps are believed
    (`strength`); what all but the worst part inside from outside (`contrast`); how alike the change of colour is all
    round (`uniformity`). And the logarithm of the radius in px, up to where it tells nothing.
    """

    support: float
    tight: float
    strength: float
    contrast: float
    uniformity: float
    size: float

    @property
    def log_odds(self) -> float:
        """Log odds that this is the edge of a disc."""
        return float(sum(a * b for a, b in zip(_WEIGHTS, astuple(self), strict=True))) + _ODDS


def detect_discs(image: Image) -> tuple[Disc, ...]:
    """Detects the discs of this picture, none of them in another one, best first."""
    return tuple(_suppress_overlaps([disc for disc, _ in detect_ellipses(image) if disc.log_odds > _LEAST_ODDS]))


def detect_ellipses(image: Image) -> Iterator[tuple[Disc, EdgeFeatures]]:
    """Detects every ellipse that edges run along, however unlikely it is a disc's, with its features."""
    scale = min(1.0, _LOOKED_AT_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    colours = tone_mapped(image)
    for x, y, radius in _suppress_rings(list(_find_rings(np.asarray(small, np.uint8)))):
        fitted = _fit_disc(colours, np.array([x, y]) / scale, radius / scale)
        if fitted is not None:
            yield fitted


Ring = tuple[float, float, float, float]  # x, y, radius and score


def _find_rings(picture: Image) -> Iterator[Ring]:
    """Circles that many colour steps run along; large ones are sought in a smaller picture."""
    largest = _LARGEST * max(picture.shape[:2])
    shrunk = 1.0
    while _LEAST_RADIUS_PX * shrunk < largest and min(picture.shape[:2]) > 2 * shrunk:
        size = (round(picture.shape[1] / shrunk), round(picture.shape[0] / shrunk))
        smaller = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        votes = cast_votes(smaller, reach_px=len(_ring_template(_LEAST_RADIUS_PX * _OCTAVE)[0]) // 2)
        radius = _LEAST_RADIUS_PX
        while radius < _LEAST_RADIUS_PX * _OCTAVE and radius * shrunk < largest:
            score = votes.correlate(rim_template(*_ring_template(radius), shape=votes.cosines.shape))
            best = cv2.dilate(score, np.ones((2 * round(0.3 * radius) + 1,) * 2, np.uint8))
            for row, column in np.argwhere((score == best) & (score > _LEAST_SCORE)).tolist():
                at = (np.array([column, row]) + 0.5) * shrunk - 0.5
                yield float(at[0]), float(at[1]), radius * shrunk, float(score[row, column])
            radius *= _STEP
        shrunk *= _OCTAVE


def _ring_template(radius: float) -> tuple[Floats32, Floats32]:
    """Weights of a ring, and where its steps point."""
    width = 0.07 * radius
    reach = int(np.ceil(radius + 3 * width))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    return np.exp(-(((np.hypot(x, y) - radius) / width) ** 2) / 2), np.arctan2(y, x)


def _suppress_rings(rings: list[Ring]) -> list[tuple[float, float, float]]:
    """Of rings about one place and of nearly one size the best."""
    kept: list[tuple[float, float, float]] = []
    for x, y, radius, _ in sorted(rings, key=lambda ring: -ring[3]):
        if not any(np.hypot(x - a, y - b) < 0.3 * r and abs(np.log(radius / r)) < 0.12 for a, b, r in kept):
            kept.append((x, y, radius))
    return kept


def _fit_disc(colours: Floats32, at_px: Floats, radius_px: float) -> tuple[Disc, EdgeFeatures] | None:
    """The ellipse through the edges around this place; None when there is none."""
    axes, turn = (radius_px, radius_px), 0.0
    for reach in _REACHES:
        steps, places = _radial_gradients(colours, at_px, axes, turn, reach)
        points, weight = _outermost_edges(steps, places, reach)
        if (weight > 0.03).sum() < _RAYS // 3:
            return None
        ellipse = _fit_ellipse(points, weight)
        if (
            ellipse is None
            or not 0.6 * radius_px < ellipse[1][0] < 1.7 * radius_px
            or ellipse[1][1] < _ROUND * ellipse[1][0]
        ):
            return None
        at_px, axes, turn = ellipse
    off = np.abs(_relative_distance(points, at_px, axes, turn))
    near = _is_near_ellipse(off, weight, max(_NEAR, _NEAR_PX / axes[0]))
    support = float(near.mean())
    if support < _LEAST_SUPPORT:
        return None
    tight = float(_is_near_ellipse(off, weight, max(_TIGHT, _TIGHT_PX / axes[0])).mean())
    parted, alike = edge_contrast(colours, at_px, _ellipse_points(axes, turn), radius_px=axes[0])
    traits = EdgeFeatures(support, tight, float(weight.mean()), parted, alike, log_size(axes[0]))
    scatter = float(np.median(off[near])) * 1.5 * axes[0] / np.sqrt(near.sum() / 4)
    middle = (float(at_px[0]), float(at_px[1]))
    return Disc(middle, axes[0], axes[1], turn, support, traits.log_odds, scatter), traits


def _is_near_ellipse(off: Floats, weight: Floats, reach: float) -> Mask:
    """Which rays met an edge so near to the ellipse."""
    return np.asarray((off < reach) & (weight > _MET))


def _ellipse_points(axes: tuple[float, float], turn: float) -> Floats:
    """From the middle to the ellipse along each ray, (rays, 2) px."""
    angle = np.arange(_RAYS) * (2 * np.pi / _RAYS)
    cos, sin = np.cos(turn), np.sin(turn)
    ellipse = np.stack([axes[0] * np.cos(angle), axes[1] * np.sin(angle)], axis=-1)
    return np.asarray(ellipse @ np.array([[cos, sin], [-sin, cos]]))


def _radial_gradients(
    colours: Floats32, at_px: Floats, axes: tuple[float, float], turn: float, reach: float
) -> tuple[Floats, Floats]:
    """Colour steps (rays, samples) along rays from the middle, and where they lie (rays, samples, 2)."""
    share = np.linspace(1 - reach, 1 + reach, max(25, round(2 * reach * _PER_RADIUS)))
    places = at_px + _ellipse_points(axes, turn)[:, None] * share[None, :, None]
    maps = places.astype(np.float32)
    seen = cv2.remap(colours, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    width = max(0.6, 0.012 / (share[1] - share[0]))
    soft = cv2.GaussianBlur(seen, (0, 0), sigmaX=width, sigmaY=1.0)
    steps = np.linalg.norm(np.gradient(soft, share, axis=1), axis=2) * max(_NEAR, _SHARP_PX / axes[0])
    return np.asarray(steps, np.float64), places


def _outermost_edges(steps: Floats, places: Floats, reach: float) -> tuple[Floats, Floats]:
    """On each ray the outermost of the strong edges, and how far it is believed: print lies farther in."""
    believed = steps / (steps + _STEADY)
    outward = np.linspace(0.85 if reach > 0.1 else 1.0, 1.0, steps.shape[1])
    best = (believed * outward).argmax(axis=1)
    rows = np.arange(len(steps))
    return places[rows, best], believed[rows, best]


def _fit_ellipse(points: Floats, weight: Floats) -> tuple[Floats, tuple[float, float], float] | None:
    """Centre, half axes (longer first) and turn of the ellipse near most of the points, each by its weight."""
    middle, size = points.mean(axis=0), float(points.std()) + 1e-9
    x, y = ((points - middle) / size).T
    rows = np.column_stack([x * x - y * y, 2 * x * y, x, y, np.ones(len(x))])
    trust = weight.copy()
    conic = np.zeros(5)
    for _ in range(8):  # x² + y² = a(x² - y²) + ...: never a hyperbola that passes for an ellipse
        conic = np.linalg.lstsq(rows * trust[:, None], (x * x + y * y) * trust, rcond=None)[0]
        off = np.abs(rows @ conic - (x * x + y * y))
        trust = weight / (1 + (off / max(1e-4, 1.5 * float(np.median(off)))) ** 2)
    return _conic_to_ellipse(conic, middle, size)


def _conic_to_ellipse(conic: Floats, middle: Floats, size: float) -> tuple[Floats, tuple[float, float], float] | None:
    a, b, d, e, f = conic
    form = np.array([[1 - a, -b], [-b, 1 + a]])
    if np.linalg.det(form) <= 1e-3:
        return None
    centre = np.linalg.solve(2 * form, [d, e])
    level = f + centre @ form @ centre
    values, vectors = np.linalg.eigh(form)
    if level <= 0:
        return None
    long, short = np.sqrt(level / values) * size
    turn = float(np.arctan2(vectors[1, 0], vectors[0, 0]))
    return middle + centre * size, (float(long), float(short)), turn


def _relative_distance(points: Floats, at_px: Floats, axes: tuple[float, float], turn: float) -> Floats:
    """How far points lie outside the ellipse, in shares of its size."""
    cos, sin = np.cos(turn), np.sin(turn)
    along = (points - at_px) @ np.array([[cos, -sin], [sin, cos]])
    return np.asarray(np.hypot(along[:, 0] / axes[0], along[:, 1] / axes[1]) - 1)


def _suppress_overlaps(discs: list[Disc]) -> list[Disc]:
    """Of discs that overlap the likeliest; of rings about one place the outer, unless little speaks for it."""
    kept: list[Disc] = []
    outermost = [disc for disc in discs if not any(_encloses(other, disc) for other in discs)]
    for disc in sorted(outermost, key=lambda disc: -disc.log_odds):
        if all(
            np.hypot(*np.subtract(disc.at_px, other.at_px)) > 0.85 * (disc.radius_px + other.radius_px)
            for other in kept
        ):
            kept.append(disc)
    return kept


def _encloses(outer: Disc, inner: Disc) -> bool:
    """Whether the outer is the disc on which the inner is a ring."""
    larger = outer.radius_px / inner.radius_px
    is_about = np.hypot(*np.subtract(inner.at_px, outer.at_px)) < _ABOUT * outer.radius_px
    worth = min(outer.log_odds, _MOST_ODDS) + _OUTER * np.log(larger)
    return bool(_LARGER[0] < larger < _LARGER[1] and is_about and worth > min(inner.log_odds, _MOST_ODDS))


def log_size(radius_px: float) -> float:
    """Logarithm of the radius, up to where a larger disc is no likelier."""
    return math.log(min(radius_px, _LARGE_PX))


def edge_contrast(colours: Floats32, at_px: Floats, arms_px: Floats, *, radius_px: float) -> tuple[float, float]:
    """Contrast of the two sides of an edge where it is least, and its uniformity all round, 0 to 1 each.

    `arms_px`: (rays, 2) from the middle to the edge.
    """
    near, wide = max(_FROM, _FROM_PX / radius_px), max(_BAND, _BAND_PX / radius_px)
    away = np.linspace(near, near + wide, _SAMPLES)
    share = np.concatenate([1 - away, 1 + away])
    maps = (at_px + arms_px[:, None] * share[None, :, None]).astype(np.float32)
    seen = cv2.remap(colours, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    change = seen[:, :_SAMPLES].mean(axis=1) - seen[:, _SAMPLES:].mean(axis=1)
    around = np.concatenate([change[-_ALONG:], change, change[:_ALONG]]).astype(np.float32)
    size = np.linalg.norm(cv2.blur(around, (1, _ALONG))[_ALONG:-_ALONG], axis=1)
    ways = change / (np.linalg.norm(change, axis=1, keepdims=True) + 1e-6)
    return float(np.quantile(size / (size + _PARTED), _WORST)), float(np.linalg.norm(ways.mean(axis=0)))
