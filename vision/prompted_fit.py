"""Prompted fit: the outline that explains the rim best around a place that a person points at, in every size in play.

A coarse search scores outlines of all sizes, places and turns within reach of the finger by the steps of the picture
along them; the best few of each size are fitted as any candidate is. Each size then has its probability: of what its
rim says, what the networks think of the place, how usual it is, and how far from the finger it lies.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.view import View
from models.base import Base, OvalBase, RectBase, RoundBase
from models.hint import FINGER_MM, LOUPE_MM
from models.vocabulary import Point
from vision.candidates import Candidate, Surface
from vision.measurement.base_fit import BaseFit, fit_base, size_mm
from vision.measurement.silhouette import PROFILES, base_silhouette
from vision.parallel import thread_limit
from vision.ranked.block import Block, PlacedRect, axes_of, corners_of
from vision.ranked.block_fit import fit_block
from vision.ranked.ranked_units import member_fits
from vision.rectification.rectify import Window, rectification_maps, rectify_filtered

OUTLINE_POINTS = 72  # of a foot that is shown
_SIZE_SHARE = 0.01  # of a millimetre of its size: nobody points at the middle of a large base as well as of a small one
_REACH_SIGMAS = 2.2
_STEP_MM = 2.0  # of places tried
_PX_PER_MM = 2.0  # of the straightened patch that is searched, at most
_TURNS = 15  # of ovals and rectangles, over half a turn; a square looks alike after half as many
_STARTS = 3  # fitted of each size,
_MOST_CURVED, _MOST_STRAIGHT = 16, 4  # and of all discs and ovals, and of rectangles, which take five times as long;
_HOPELESS = 5.0  # log odds below the best start, from which none is fitted
_SCORE_WEIGHT, _LATER_START = 12.0, 1.5  # in log odds: of a start's steps, and what a second start of a size needs more
_APART_MM, _APART_RAD = 3.0, math.radians(10.0)  # which differ by so much
_POINTS = 64  # on an outline
_FINGER_SCORE = 0.05  # of a start's steps, for each unit of what a finger thinks of its place
_RIM_STEPS, _RIM_STEP_MM = 8, 10.0  # of the search for the middle of a led rim
# Weights of `prompt_features`, and of those that say whether a rim led the fit: a conditional and a plain logistic
# regression on 85 round and oval bases of own photographic tables, each pointed at by a finger. Of rectangles by hand;
# the finger counts for what it is, a measurement of its own.
_WEIGHTS = (14.0, 6.0, 2.2, 4.0, 1.9, -1.6, 0.0, 0.85, 1.0)
_LOCK_WEIGHTS, _LOCK_BIAS = (4.9, 2.8, 1.4, 0.26), -1.05
_NETWORK = 7  # place of the networks' weight among them
_LOCKED, _SURELY_LOCKED = 0.5, 0.8
_VARIANCE_TIMES = 2.5  # of the fit's: photographed rims lie less regularly than it thinks
_NEAR = 0.25  # of its size: what finders proposed nearer is the same base
_LARGE_MM = 60.0  # from here a longer rim is no more evidence
_LEAST_CHANCE = 0.02  # of the networks: below, none tells more
_MARGIN_MM = 12.0  # of the patch, round the largest outline
_BLUR_PX = 1.0
_HALF_STEP = 14.0  # grey levels per pixel at which a step is half believed


@dataclass(frozen=True)
class Prompt:
    """A place that a person points at, on this ground; `sigma_mm` is the finger's, per axis."""

    at_mm: Point
    ground: Surface
    sigma_mm: float = FINGER_MM
    rim_mm: tuple[Point, ...] = ()  # places on the rim as it is seen from `eye_mm`, on the ground plane
    eye_mm: tuple[float, float, float] = (0.0, 0.0, 1e6)
    turn_rad: float | None = None  # where its depth runs, or the other way

    def sigma_for(self, base: Base) -> float:
        """Of the middle of a base of this size, per axis."""
        return self.sigma_mm * math.hypot(1.0, _SIZE_SHARE * size_mm(base))

    def log_likelihood(self, fit: BaseFit) -> float:
        """Of the finger, where the base lies there; of a rim that was led by hand, of each of its places."""
        if self.rim_mm:
            off_mm = self.rim_misses_mm(fit.base, fit.turn_rad, np.array([fit.at_mm]))
            return -0.5 * float(np.sum((off_mm / LOUPE_MM) ** 2))
        sigma_mm = self.sigma_for(fit.base)
        return -0.5 * (math.dist(self.at_mm, fit.at_mm) / sigma_mm) ** 2 - 2 * math.log(sigma_mm)

    def rim_misses_mm(self, base: Base, turn_rad: float, places_mm: Floats) -> Floats:
        """How far each place of the rim (R) lies beside the outline of a base at each of these places, (N, R)."""
        x, y = places_mm.mean(axis=0).tolist()
        outline_mm, _ = outline_of(
            base, (x, y), turn_rad, ground_mm=self.ground.surface_mm, eye_mm=np.array(self.eye_mm)
        )
        rim = np.array(self.rim_mm)[None] - (places_mm - (x, y))[:, None]
        return np.asarray(np.linalg.norm(rim[:, :, None] - outline_mm, axis=-1).min(axis=-1), np.float64)

    def middle_for(self, base: Base) -> Point:
        """Where the middle of a base of this size is looked for: by the rim that was led, else by the finger."""
        if not self.rim_mm:
            return self.at_mm
        rim, middle = np.array(self.rim_mm), np.array(self.at_mm)
        for _ in range(_RIM_STEPS):
            away = middle - rim
            distance = np.linalg.norm(away, axis=1)
            toward = away / np.maximum(distance, 1e-6)[:, None]
            step = np.linalg.lstsq(toward, size_mm(base) / 2 - distance, rcond=1e-3)[0]
            middle = middle + step.clip(-_RIM_STEP_MM, _RIM_STEP_MM)
        return float(middle[0]), float(middle[1])


@dataclass(frozen=True)
class _Start:
    """Where an outline lies on strong steps."""

    base: Base
    at_mm: Point
    turn_rad: float
    score: float


class StepPatch:
    """The steps of the picture around a place, straightened: how far each is believed, and which way it runs."""

    def __init__(self, image: Image, prompt: Prompt, reach_mm: float, *, view: View) -> None:
        (x, y), self._camera_mm = prompt.at_mm, np.array(view.pose.centre_mm)
        self._window = Window(x - reach_mm, y - reach_mm, x + reach_mm, y + reach_mm, _PX_PER_MM)
        self._ground_mm = prompt.ground.surface_mm
        maps = rectification_maps(self._window, camera=view.camera, pose=view.pose, z_mm=self._ground_mm)
        picture = cv2.GaussianBlur(rectify_filtered(image, maps), (0, 0), _BLUR_PX).astype(np.float32)
        slopes = np.stack([cv2.Scharr(picture, cv2.CV_32F, *axis) / 32 for axis in ((1, 0), (0, 1))], axis=-1)
        strength = np.linalg.norm(slopes, axis=-1)
        clearest = strength.argmax(axis=2)[..., None]  # of the three colours
        strength = np.take_along_axis(strength, clearest, axis=2)
        slopes = np.take_along_axis(slopes, clearest[..., None], axis=2)[:, :, 0] / (strength + _HALF_STEP)
        self._along_x, self._along_y = (np.ascontiguousarray(slopes[..., axis]).ravel() for axis in (0, 1))

    def outline_scores(self, base: Base, turn_rad: float, places_mm: Floats) -> Floats:
        """How far the steps along the outline of a base at each place (N, 2) are believed to be its rim, (N,)."""
        x, y = places_mm.mean(axis=0).tolist()
        outline_mm, normals = outline_of(base, (x, y), turn_rad, ground_mm=self._ground_mm, eye_mm=self._camera_mm)
        (width, height), normals = self._window.size_px, normals.astype(np.float32)
        points = self._window.to_px(outline_mm)
        shifts = (places_mm - (x, y)) * (_PX_PER_MM, -_PX_PER_MM)
        columns = np.rint(points[:, 0] + shifts[:, :1]).astype(np.intp).clip(0, width - 1)
        rows = np.rint(points[:, 1] + shifts[:, 1:]).astype(np.intp).clip(0, height - 1)
        cells = rows * width + columns
        along = self._along_x[cells] * normals[:, 0] - self._along_y[cells] * normals[:, 1]
        return np.asarray(np.abs(along).mean(axis=1), np.float64)


def outline_of(base: Base, at_mm: Point, turn_rad: float, *, ground_mm: float, eye_mm: Floats) -> tuple[Floats, Floats]:
    """Points on the outline as it is seen from there, on the ground plane, and their outward normals, (N, 2) each."""
    if isinstance(base, RectBase):
        points_mm, normals = _rect_outline(base, turn_rad)
        return points_mm + at_mm, normals
    outline = base_silhouette(
        base, at_mm, turn_rad=turn_rad, profile=PROFILES[0], ground_mm=ground_mm, camera_mm=eye_mm, count=_POINTS
    )
    return outline.points_mm, outline.normals


@lru_cache(1024)
def _rect_outline(base: RectBase, turn_rad: float) -> tuple[Floats, Floats]:
    """Points along the four sides about its middle, as close on each as on the others."""
    corners = corners_of(base, (0.0, 0.0), turn_rad)
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1)
    counts = np.maximum(4, np.rint(_POINTS * lengths / lengths.sum())).astype(int)
    points = [
        start + side * ((np.arange(n) + 0.5) / n)[:, None]
        for start, side, n in zip(corners, sides, counts, strict=True)
    ]
    outward = np.column_stack([sides[:, 1], -sides[:, 0]]) / lengths[:, None]
    return np.concatenate(points), np.repeat(outward, counts, axis=0)


def fit_prompt(image: Image, prompt: Prompt, log_chances: Mapping[Base, float], *, view: View) -> tuple[BaseFit, ...]:
    """Every base of these sizes that the picture may show there: some fits of each size that shows a rim.

    `log_chances`: how likely each size is before its rim is looked at, but for a constant; unlikely ones need the
    better steps to be fitted.
    """
    if not log_chances or not _is_in_picture(np.array([prompt.at_mm]), prompt, image, view):
        return ()
    widest = max(log_chances, key=lambda base: max(sides_mm(base)))
    reach_mm = _REACH_SIGMAS * prompt.sigma_for(widest) + max(sides_mm(widest)) / 2 + _MARGIN_MM
    patch = StepPatch(image, prompt, reach_mm, view=view)
    searched = [(_search(patch, prompt, base), log_chance) for base, log_chance in log_chances.items()]
    with ThreadPoolExecutor(thread_limit()) as pool:
        fits = [*pool.map(lambda start: _fit(image, start, prompt, view=view), _choose_starts(searched))]
    return tuple(fitted for fitted in fits if fitted is not None and np.isfinite(fitted.covariance_mm2).all())


def _choose_starts(searched: Sequence[tuple[Sequence[_Start], float]]) -> list[_Start]:
    """The best start of each likely size, then more of the likeliest: what is never fitted cannot be the answer."""
    ranked: list[tuple[float, _Start]] = []
    for starts, log_chance in searched:
        for later, start in enumerate(starts):
            ranked.append((_SCORE_WEIGHT * start.score + log_chance - _LATER_START * later, start))
    ranked.sort(key=lambda each: -each[0])
    ranked = [each for each in ranked if each[0] > ranked[0][0] - _HOPELESS]
    curved = [start for _, start in ranked if not isinstance(start.base, RectBase)]
    straight = [start for _, start in ranked if isinstance(start.base, RectBase)]
    return [*curved[:_MOST_CURVED], *straight[:_MOST_STRAIGHT]]


def _fit(image: Image, start: _Start, prompt: Prompt, *, view: View) -> BaseFit | None:
    base = start.base
    if isinstance(base, RectBase) and not _is_in_picture(
        corners_of(base, start.at_mm, start.turn_rad), prompt, image, view
    ):
        return None
    if isinstance(base, RectBase):
        alone = PlacedRect(base, start.at_mm, start.turn_rad, prompt.ground)
        return member_fits(
            fit_block(image, Block((alone,), ((0, 0),), start.turn_rad, 0.0), camera=view.camera, pose=view.pose)
        )[0]
    return fit_base(
        image, start_mm=start.at_mm, base=base, ground=prompt.ground, camera=view.camera, pose=view.pose,
        turn_rad=start.turn_rad, min_score=0.0,
    )  # fmt: skip


def _is_in_picture(places_mm: Floats, prompt: Prompt, image: Image, view: View) -> bool:
    """Whether all of these places (N, 2) are seen."""
    height, width = image.shape[:2]
    seen = view.project(np.column_stack([places_mm, np.full(len(places_mm), prompt.ground.surface_mm)]))
    return bool(np.all((seen >= 0) & (seen <= (width - 1, height - 1))))


def footprint_of(fit: BaseFit) -> Floats:
    """Outline of a base's foot on its ground, a closed polygon, (N, 2) mm."""
    if isinstance(fit.base, RectBase):
        return corners_of(fit.base, fit.at_mm, fit.turn_rad)
    turns, (width, depth) = np.arange(OUTLINE_POINTS) * math.tau / OUTLINE_POINTS, sides_mm(fit.base)
    ellipse = np.column_stack([depth / 2 * np.cos(turns), width / 2 * np.sin(turns)])
    return np.asarray(ellipse @ axes_of(fit.turn_rad) + fit.at_mm)


def sides_mm(base: Base) -> tuple[float, float]:
    """Width and depth."""
    return (base.diameter_mm,) * 2 if isinstance(base, RoundBase) else (base.width_mm, base.depth_mm)


def _search(patch: StepPatch, prompt: Prompt, base: Base) -> list[_Start]:
    """The best few places and turns of this size."""
    sigma_mm = prompt.sigma_for(base)
    reach = np.arange(-_REACH_SIGMAS * sigma_mm, _REACH_SIGMAS * sigma_mm + _STEP_MM / 2, _STEP_MM)
    offsets = np.stack(np.meshgrid(reach, reach), axis=-1).reshape(-1, 2)
    offsets = offsets[np.hypot(*offsets.T) <= _REACH_SIGMAS * sigma_mm + _STEP_MM]
    places = np.asarray(prompt.middle_for(base)) + offsets
    turns = _turns(base, prompt)
    finger = -_FINGER_SCORE * (np.hypot(*offsets.T) / sigma_mm) ** 2 / 2
    scores = np.array([patch.outline_scores(base, turn, places) + finger for turn in turns])
    if prompt.rim_mm:
        off_mm = np.array([prompt.rim_misses_mm(base, turn, places) for turn in turns])
        scores -= _FINGER_SCORE * np.sum((off_mm / LOUPE_MM) ** 2, axis=-1) / 2
    return list(_best_apart(base, scores, turns, places))


def _turns(base: Base, prompt: Prompt) -> tuple[float, ...]:
    """How a base of this size may be turned, as far as it looks otherwise then."""
    if isinstance(base, RoundBase):
        return (0.0,)
    if prompt.turn_rad is not None:
        return (prompt.turn_rad % math.pi,)
    is_square = isinstance(base, RectBase) and base.width_mm == base.depth_mm
    return tuple(math.pi / _TURNS * np.arange(math.ceil(_TURNS / 2) if is_square else _TURNS))


def _best_apart(base: Base, scores: Floats, turns: Sequence[float], places: Floats) -> Iterator[_Start]:
    left = scores.copy()
    for _ in range(_STARTS):
        turn, place = divmod(int(left.argmax()), left.shape[1])
        if not np.isfinite(left[turn, place]):
            return
        x, y = places[place].tolist()
        yield _Start(base, (x, y), turns[turn], float(left[turn, place]))
        away = np.abs((np.asarray(turns) - turns[turn] + np.pi / 2) % np.pi - np.pi / 2) < _APART_RAD
        near = np.hypot(*(places - places[place]).T) < _APART_MM
        left[np.ix_(away, near)] = -np.inf


@dataclass(frozen=True)
class SizedFit:
    """The best fit of one size, whether its rim led the fit there (else only the finger knows), and how likely the base
    is of that size, of all that were tried."""

    fit: BaseFit
    is_measured: bool
    probability: float


def measure_prompt(
    image: Image, prompt: Prompt, bases: Iterable[Base], *, log_priors: Mapping[Base, float],
    candidates: Sequence[Candidate] = (), view: View,
) -> tuple[SizedFit, ...]:  # fmt: skip
    """Size posterior at a place where a base stands: each size by its best fit, likeliest first.

    `log_priors`: how usual each size is on this table; `candidates`: what finders proposed.
    """
    best: dict[Base, tuple[float, BaseFit, tuple[float, ...]]] = {}
    log_chances = {
        base: log_priors.get(base, 0.0) + _WEIGHTS[_NETWORK] * math.log(_network_chance(base, prompt.at_mm, candidates))
        for base in bases
    }
    for fit in fit_prompt(image, prompt, log_chances, view=view):
        features = prompt_features(fit, prompt, candidates)
        weight = log_weight(features) + log_priors.get(fit.base, 0.0)
        if fit.base not in best or weight > best[fit.base][0]:
            best[fit.base] = (weight, fit, features)
    top = max((weight for weight, _, _ in best.values()), default=0.0)
    odds = {base: math.exp(weight - top) for base, (weight, _, _) in best.items()}
    whole = sum(odds.values())
    return tuple(
        SizedFit(*_with_lock_doubt(*best[base][1:], prompt), odds[base] / whole)
        for base in sorted(best, key=lambda base: -odds[base])
    )


def likeliest_fit(sizes: Sequence[SizedFit]) -> BaseFit | None:
    """The likeliest of these whose rim led it, with the shares of all sizes; None where none did."""
    fitted = next((sized.fit for sized in sizes if sized.is_measured), None)
    whole = sum(sized.probability for sized in sizes)
    shares = tuple((sized.fit.base, sized.probability / whole) for sized in sizes)
    return None if fitted is None else replace(fitted, size_shares=shares)


def log_weight(features: Sequence[float]) -> float:
    """Log odds of a fit beside the others at its place, but for a constant."""
    return sum(weight * feature for weight, feature in zip(_WEIGHTS, features, strict=True))


def prompt_features(fit: BaseFit, prompt: Prompt, candidates: Sequence[Candidate]) -> tuple[float, ...]:
    """Features of which the log odds of a fit beside the others at its place are a weighted sum."""
    is_rect = isinstance(fit.base, RectBase)
    return (
        fit.strength - fit.scatter_mm,
        fit.support,
        fit.features.both,
        fit.support if is_rect else 0.0,
        math.log(min(size_mm(fit.base), _LARGE_MM) / 30.0),
        float(isinstance(fit.base, OvalBase)),
        float(is_rect),
        math.log(_network_chance(fit.base, fit.at_mm, candidates)),
        prompt.log_likelihood(fit),
    )


def _network_chance(base: Base, at_mm: Point, candidates: Sequence[Candidate]) -> float:
    """How likely the networks find a base of this size about here."""
    near_mm = _NEAR * size_mm(base)
    scores = (
        candidate.network_score.p_base
        for candidate in candidates
        if candidate.network_score is not None
        and candidate.base == base
        and math.dist(candidate.at_mm, at_mm) < near_mm
    )
    return max(_LEAST_CHANCE, max(scores, default=0.0))


def _with_lock_doubt(fit: BaseFit, features: Sequence[float], prompt: Prompt) -> tuple[BaseFit, bool]:
    """The fit with its doubt, and whether a rim led it: where that is likely only, it may lie as far off as the finger
    does."""
    contrast, support, both, _, _, _, _, log_chance, _ = features
    log_odds = _LOCK_BIAS + sum(
        weight * feature for weight, feature in zip(_LOCK_WEIGHTS, (contrast, support, both, log_chance), strict=True)
    )
    chance = 1 / (1 + math.exp(-log_odds))
    loose = 0.0 if chance >= _SURELY_LOCKED else (1 - chance) * prompt.sigma_for(fit.base) ** 2
    covariance = _VARIANCE_TIMES * fit.covariance_mm2 + loose * np.eye(2)
    return replace(fit, covariance_mm2=covariance), chance >= _LOCKED
