"""Base fit in NumPy, which the compiled fit must agree with. Why it is fitted so stands in `fit_settings`."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats, Image
from models.base import OvalBase, RoundBase
from models.camera import Camera, CameraPose
from models.vocabulary import Point
from tests.vision.oracles.edge_profiles import (
    column_of,
    edge_confidence,
    has_visible_side,
    inner_edge_mm,
    outline_jacobian,
    shift_outward,
)
from tests.vision.oracles.rim_features import extract_rim_features
from tests.vision.oracles.robust_least_squares import Guess, RobustSolution, refine_robust
from vision.candidates import Surface
from vision.measurement.base_fit import BaseFit, RimFeatures, coarseness_factor, outline_points
from vision.measurement.edge_profiles import OFFSETS_MM, EdgeProfiles, measure_edge_profiles
from vision.measurement.fit_settings import (
    CLOSE_PROFILE,
    FINE,
    FINE_OVAL,
    FINER_WIDTHS_MM,
    INNER_SHARE,
    LIKENESS,
    MIN_SCORE,
    NEARER_PER_MM,
    NOISE,
    ON_RIM_MM,
    ROUGH,
    ROUGH_OVAL,
    SHADED_PRICE,
    SUPPORT_MM,
    SearchGrid,
)
from vision.measurement.silhouette import PROFILES, RimProfile, base_silhouette


def fit_base_numpy(
    image: Image,
    *,
    start_mm: Point,
    base: RoundBase | OvalBase,
    ground: Surface,
    camera: Camera,
    pose: CameraPose,
    turn_rad: float = 0.0,
    min_score: float = MIN_SCORE,
    profiles: tuple[RimProfile, ...] = PROFILES,
) -> BaseFit | None:
    """As `fit_base`."""
    points = outline_points(base)
    start = Start(base, start_mm, turn_rad, ground.surface_mm, points, min_score, profiles)
    fit = _fit_from(image, start, camera=camera, pose=pose)
    if fit is None:
        return None
    larger = coarseness_factor(base, fit.at_mm, ground, camera=camera, pose=pose)
    return BaseFit(
        base=base, ground=ground, at_mm=fit.at_mm, profile=fit.profile,
        covariance_mm2=larger * fit.covariance_mm2,
        support=fit.support, strength=fit.strength, bias_mm=fit.bias_mm,
        rim_width_mm=fit.rim_width_mm, features=fit.features,
        turn_rad=fit.turn_rad, turn_sigma_rad=math.sqrt(larger) * fit.turn_sigma_rad, scatter_mm=fit.scatter_mm,
    )  # fmt: skip


@dataclass(frozen=True)
class Start:
    """Initial pose, within about 3.5 mm and 6 degrees, and the number of points on the silhouette.

    A first search that finds less than `min_score` finds no base. It has one of `profiles`.
    """

    base: RoundBase | OvalBase
    at_mm: Point
    turn_rad: float
    ground_mm: float
    points: int
    min_score: float = MIN_SCORE
    profiles: tuple[RimProfile, ...] = PROFILES


@dataclass(frozen=True)
class FitResult:
    """The fit of a base under its likeliest profile."""

    profile: RimProfile
    at_mm: Point
    turn_rad: float
    covariance_mm2: Floats
    turn_sigma_rad: float
    support: float
    strength: float
    bias_mm: float
    rim_width_mm: float
    scatter_mm: float
    features: RimFeatures


def _fit_from(image: Image, start: Start, *, camera: Camera, pose: CameraPose) -> FitResult | None:
    """Fits the base near the start; None if no profile explains its rim."""
    fitters = [
        _ProfileFitter(image, start, make, camera, pose, is_shaded=shaded)
        for shaded in (False, True)
        for make in start.profiles
    ]
    rough = list(_search_coarsely(fitters, start.min_score - CLOSE_PROFILE))
    best = max(guess.score for _, _, guess in rough)
    if best < start.min_score:
        return None
    likely = [
        (eye, at, turn, guess)
        for eye, (at, turn, guess) in zip(fitters, rough, strict=True)
        if guess.score > best - CLOSE_PROFILE
    ]
    return _average_profiles([eye.refine(at, turn, guess) for eye, at, turn, guess in likely])


def _search_coarsely(fitters: "Sequence[_ProfileFitter]", min_score: float) -> "Iterator[tuple[Floats, float, Guess]]":
    """Where each way of looking puts the base, as long as any finds so much: the others will find no more."""
    best = -math.inf
    for fitter in fitters:
        found = fitter.search_coarsely()
        yield found
        best = max(best, found[2].score)
        if best < min_score:
            return


def _average_profiles(fits: "list[_ProfileFit]") -> FitResult:
    """What the likeliest make tells, placed between all of them, each counting by how likely it is; the more they
    differ, the greater the doubt."""
    best = max(fits, key=_ProfileFit.likelihood_score)
    weights = np.exp([(one.likelihood_score() - best.likelihood_score()) / LIKENESS for one in fits])
    weights /= weights.sum()
    places = np.array([one.place for one in fits])
    mean = weights @ places
    each = zip(weights, fits, places - mean, strict=True)
    spread = np.sum([weight * (one.covariance + np.outer(off, off)) for weight, one, off in each], axis=0)
    return replace(
        best.to_result(), at_mm=(float(mean[0]), float(mean[1])), turn_rad=float(mean[2]),
        covariance_mm2=spread[:2, :2], turn_sigma_rad=0.0 if best.fitter.is_round else float(np.sqrt(spread[2, 2])),
    )  # fmt: skip


@dataclass(frozen=True)
class _ProfileFitter:
    """Looks at one picture for one base of one make, whose side is of its top's tone or (`is_shaded`) of its own."""

    image: Image
    start: Start
    profile: RimProfile
    camera: Camera
    pose: CameraPose
    is_shaded: bool

    @property
    def is_round(self) -> bool:
        return isinstance(self.start.base, RoundBase)

    def sample_edges(self, at: Floats, turn_rad: float) -> EdgeProfiles:
        ground_mm = self.start.ground_mm
        outline = base_silhouette(
            self.start.base,
            (float(at[0]), float(at[1])),
            turn_rad=turn_rad,
            profile=self.profile,
            ground_mm=ground_mm,
            camera_mm=np.array(self.pose.centre_mm),
            count=self.start.points,
        )
        return measure_edge_profiles(self.image, outline, ground_mm=ground_mm, camera=self.camera, pose=self.pose)

    def search_coarsely(self) -> tuple[Floats, float, Guess]:
        """The best place within a few millimetres, and the best turn within a few degrees.

        An oval is looked for again from there: shift and turn together move its rim otherwise than each alone.
        """
        at, turn, guess = self._search_around(np.asarray(self.start.at_mm, np.float64), self.start.turn_rad)
        return (at, turn, guess) if self.is_round else self._search_around(at, turn)

    def _search_around(self, start: Floats, turn_rad: float) -> tuple[Floats, float, Guess]:
        search = ROUGH if self.is_round else ROUGH_OVAL
        lips = self.profile.rim_widths_mm
        guess = _search_grid(
            self.sample_edges(start, turn_rad), start, search, widths_mm=lips, is_shaded=self.is_shaded
        )
        return start + guess.shift_mm, turn_rad + guess.turn_rad, guess

    def refine(self, at: Floats, turn_rad: float, rough: Guess) -> "_ProfileFit":
        """The least-squares fit of all rim points near a rough place."""
        edges = self.sample_edges(at, turn_rad)
        lips = tuple(rough.rim_width_mm + step for step in FINER_WIDTHS_MM)
        search = FINE if self.is_round else FINE_OVAL
        guess = _search_grid(edges, at, search, widths_mm=lips, is_shaded=self.is_shaded)
        ahead = (at - np.array(self.pose.centre_mm[:2])) / (self.pose.centre_mm[2] - self.start.ground_mm)
        found = refine_robust(edges, guess, at, turns=not self.is_round, slant=ahead, is_shaded=self.is_shaded)
        return _ProfileFit(self, edges, at, turn_rad, guess, found)


@dataclass(frozen=True)
class _ProfileFit:
    """One make fitted to the end."""

    fitter: _ProfileFitter
    edges: EdgeProfiles
    at: Floats
    turn_rad: float
    guess: Guess
    solution: RobustSolution

    def likelihood_score(self) -> float:
        """How well this make explains the rim: steps are strong where it has edges, and scatter little about them."""
        return self.guess.score - self.solution.scatter_mm

    @property
    def place(self) -> Floats:
        """x and y in mm, and the turn in radians."""
        return np.array([*(self.at + self.solution.state[:2]), self.turn_rad + self.solution.state[4]])

    @property
    def covariance(self) -> Floats:
        """Of the place, (3, 3)."""
        return self.solution.covariance[np.ix_((0, 1, 4), (0, 1, 4))]

    def to_result(self) -> FitResult:
        edges, found = self.edges, self.solution
        x, y, turn = self.place.tolist()
        return FitResult(
            profile=self.fitter.profile,
            at_mm=(x, y),
            turn_rad=turn,
            covariance_mm2=self.covariance[:2, :2],
            turn_sigma_rad=0.0 if self.fitter.is_round else float(np.sqrt(found.covariance[4, 4])),
            support=_rim_support(edges, found.outer_mm),
            strength=self.guess.score,
            bias_mm=float(found.state[2]),
            rim_width_mm=self.guess.rim_width_mm,
            scatter_mm=found.scatter_mm,
            features=extract_rim_features(
                edges, edge_confidence(edges.strength), outer_mm=found.outer_mm, inner_mm=found.inner_mm
            ),
        )


def _search_grid(
    edges: EdgeProfiles, centre: Floats, search: SearchGrid, *, widths_mm: tuple[float, ...], is_shaded: bool
) -> Guess:
    """The shift within reach, the turn, and the rim width, that put most of both edges on strong steps.

    A side that nowhere shows has no tone: nothing is found then.
    """
    if is_shaded and not has_visible_side(edges).any():
        return Guess(np.zeros(2), 0.0, widths_mm[0], -1.0)
    steps = np.arange(-search.reach_mm, search.reach_mm + search.step_mm / 2, search.step_mm)
    places = np.stack(np.meshgrid(steps, steps, search.turns_rad), axis=-1).reshape(-1, 3)
    inward_mm = np.array([inner_edge_mm(edges, lip_mm) for lip_mm in widths_mm])
    place, lip, score = _best_cell(edges, places, outline_jacobian(edges, centre), inward_mm, is_shaded=is_shaded)
    return Guess(places[place, :2], float(places[place, 2]), float(widths_mm[lip]), score)


def _best_cell(
    edges: EdgeProfiles, places: Floats, moves: Floats, inward_mm: Floats, *, is_shaded: bool
) -> tuple[int, int, float]:
    """The numbers of the best place and rim width, and their score."""
    columns = column_of(places @ moves.T)
    cells = np.arange(columns.shape[1]) * len(OFFSETS_MM) + columns  # one number a cell: looked up twice as fast
    outer = edge_confidence(edges.strength)
    cost = NEARER_PER_MM * np.hypot(*places[:, :2].T)
    if is_shaded:
        side, crest = has_visible_side(edges), edge_confidence(shift_outward(edges, edges.silhouette.rim_mm))
        outer = np.where(side[:, None], np.maximum(outer, crest), outer)
        cost += SHADED_PRICE * side.mean()
    best = (0, 0, -1.0)
    for lip, inward in enumerate(inward_mm):
        both = outer + INNER_SHARE * _inner_edge_confidence(edges, inward)
        score = both.take(cells).mean(axis=1) - cost
        top = int(score.argmax())
        if score[top] > best[2]:
            best = (top, lip, float(score[top]))
    return best


def _inner_edge_confidence(edges: EdgeProfiles, inward_mm: Floats) -> Floats:
    """For an outline at each offset, how far the step this much further in is believed.

    Only what rises above the valley between the two counts, so that one step is not taken for both.
    """
    inner = shift_outward(edges, inward_mm)
    valley = np.minimum(shift_outward(edges, 0.33 * inward_mm), shift_outward(edges, 0.67 * inward_mm))
    return edge_confidence(np.maximum(inner - valley, 0.0))


def _rim_support(edges: EdgeProfiles, expected_mm: Floats) -> float:
    """The share of the rim whose strongest step near it lies on the outline."""
    away = OFFSETS_MM[None, :] - expected_mm[:, None]
    near = edges.strength * np.exp(-((away / SUPPORT_MM) ** 2))
    best = np.clip(near.argmax(axis=1), 1, len(OFFSETS_MM) - 2)
    row = np.arange(len(best))
    left, peak, right = (edges.strength[row, best + k] for k in (-1, 0, 1))
    is_peak = (peak >= left) & (peak >= right) & (peak > NOISE)
    return float((is_peak & (np.abs(away[row, best]) < ON_RIM_MM)).mean())
