"""The fit of one base of known size, in plain numpy. `kernel/` is its compiled twin; a test holds them to each other.

Two steps run round a base: the outline against the ground, and the inner edge of the rim against the basing. The
outline alone may vanish (a dark rim on a dark mat), and then the inner edge would be taken for it; so both are fitted
together, the width of the rim being the one thing about a base that no catalogue tells.

Where the camera looks on a base's side, light may part the side from the top, and the side may hardly be told from the
ground: then a third step, the rim's own edge, stands out and the foot does not. That is another way to read the
picture, tried beside the plain one.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.base import OvalBase, RoundBase
from models.camera import Camera, CameraPose
from models.words import Point
from vision.outline import PROFILES, RimProfile, outline_of_base
from vision.profile import OFFSETS_MM, STEP_MM, Edges, column_of, edges_across
from vision.traits import Traits, traits_of

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class Search:
    """Places and turns that are tried round a start: `reach_mm` each way."""

    reach_mm: float
    step_mm: float
    turns_rad: tuple[float, ...] = (0.0,)


def _turns(*degrees: float) -> tuple[float, ...]:
    return tuple(np.radians(degrees).tolist())


ROUGH, FINE = Search(3.6, 0.4), Search(0.6, 0.1)
ROUGH_OVAL = Search(3.2, 0.8, _turns(-5.0, -2.5, 0.0, 2.5, 5.0))
FINE_OVAL = Search(0.8, 0.2, _turns(-1.0, -0.5, 0.0, 0.5, 1.0))
FINER_LIPS_MM = (-0.2, -0.1, 0.0, 0.1, 0.2)
NEARER_PER_MM = 1e-3  # of equals the nearer place is meant
INNER_SHARE = 0.85  # of the two edges in the search: either may be the one that can be seen
SIDE_PX = 0.8  # a side that shows so wide below the rim may be told from its top
# Where it does, foot or rim must be believed by so much more than the foot alone: one of the two is often near a step.
# Chosen on own drawn tables: fine, coarse and slantwise.
SHADED_PRICE = 0.25
INNER_PRECISION = 0.5  # in the fit: the inner edge is painted by hand
HALF_FELT = 28.0  # grey levels per pixel at which a step is half believed
NOISE = 4.0  # what texture alone reaches
# In the last round a step is placed on strengths smoothed so far across it: a top of a few samples follows their noise
# and how they lie between the pixels (`benchmarks/clean_rims.py`).
SOFT_PX, MOST_SOFT_MM = 0.8, 0.5  # no more than that, or the two edges of a rim run into each other
SOFT_COLUMNS = 3  # it is still the same step within so many
AGREE_MM = 0.25  # and is believed to be noise alone about so far off: more is what lies beside it
WINDOWS_MM = (0.7, 0.5, 0.4, 0.4)  # one round of the fit after another looks nearer to what it expects
# Before looking: of the shift, of how far tone and blur move every edge of a base alike, of the inner edge, of the
# turn, of how far the rim of one base lies from the height of its make, and of its side from the slant.
SIGMAS = (10.0, 10.0, 0.1, 1.0, 0.1, 0.3, 0.4)
PEAK_SIGMA_MM = 0.35  # scatter of single rim points: texture, lip, paint
# How the doubt grows with the scatter about both edges: a fit that took the wrong edge for half of a rim shows by it.
# Chosen so that the 95 % ellipse holds 93 to 97 % of the bases on drawn tables, of clear and hidden rims alike. An oval
# is in more doubt: its turn gives way where a round base would scatter.
USUAL_SCATTER_MM, LEAST_SCATTER = 0.15, 0.6
DOUBT, SCATTER_POWER = 0.9, 6.5
OVAL_DOUBT, OVAL_SCATTER_POWER = 3.8, 3.5
LEAST = 0.22  # a first search that finds less than this finds no base
# Which make it is the rim hardly tells: of two that are alike by less than this a base lies between where both put it.
# Chosen on own drawn tables, where taking the likelier one was right of 53 in a hundred.
LIKENESS = 0.06
CLOSE_MAKE = 0.08  # makes whose first search is this close are both fitted to the end
SUPPORT_MM = 2.0  # the strongest step within about this far
ON_RIM_MM = 0.4  # speaks for the outline where it is this close


@dataclass(frozen=True)
class Start:
    """Where a base may lie, within about 3.5 mm and 6 degrees, and into how many points its outline is taken apart.

    A first search that finds less than `least` finds no base.
    """

    base: RoundBase | OvalBase
    at_mm: Point
    turn_rad: float
    ground_mm: float
    points: int
    least: float = LEAST


@dataclass(frozen=True)
class Fitted:
    """What is known of the base if it is of this make."""

    profile: RimProfile
    at_mm: Point
    turn_rad: float
    covariance_mm2: Floats
    turn_sigma_rad: float
    support: float
    strength: float
    bias_mm: float
    lip_mm: float
    scatter_mm: float
    traits: Traits


@dataclass(frozen=True)
class _Guess:
    """Where the base may be, seen from the outline that was sampled: a shift and a turn, and the width of its rim."""

    shift_mm: Floats
    turn_rad: float
    lip_mm: float
    score: float


def fitted(image: Picture, start: Start, *, camera: Camera, pose: CameraPose) -> Fitted | None:
    """The base near the start, in whichever makes explain its rim; None if none does."""
    eyes = [
        _Eye(image, start, profile, camera, pose, is_shaded=shaded) for shaded in (False, True) for profile in PROFILES
    ]
    rough = list(_roughly(eyes, start.least - CLOSE_MAKE))
    best = max(guess.score for _, _, guess in rough)
    if best < start.least:
        return None
    likely = [
        (eye, at, turn, guess)
        for eye, (at, turn, guess) in zip(eyes, rough, strict=True)
        if guess.score > best - CLOSE_MAKE
    ]
    return _between([eye.fine(at, turn, guess) for eye, at, turn, guess in likely])


def _roughly(eyes: "Sequence[_Eye]", least: float) -> "Iterator[tuple[Floats, float, _Guess]]":
    """Where each way of looking puts the base, as long as any finds so much: the others will find no more."""
    best = -math.inf
    for eye in eyes:
        found = eye.rough()
        yield found
        best = max(best, found[2].score)
        if best < least:
            return


def _between(fits: "list[_Fine]") -> Fitted:
    """What the likeliest make tells, placed between all of them, each counting by how likely it is; the more they
    differ, the greater the doubt."""
    best = max(fits, key=_Fine.likeness)
    weights = np.exp([(one.likeness() - best.likeness()) / LIKENESS for one in fits])
    weights /= weights.sum()
    places = np.array([one.place for one in fits])
    mean = weights @ places
    each = zip(weights, fits, places - mean, strict=True)
    spread = np.sum([weight * (one.covariance + np.outer(off, off)) for weight, one, off in each], axis=0)
    return replace(
        best.told(), at_mm=(float(mean[0]), float(mean[1])), turn_rad=float(mean[2]),
        covariance_mm2=spread[:2, :2], turn_sigma_rad=0.0 if best.eye.is_round else float(np.sqrt(spread[2, 2])),
    )  # fmt: skip


@dataclass(frozen=True)
class _Eye:
    """Looks at one picture for one base of one make, whose side is of its top's tone or (`is_shaded`) of its own."""

    image: Picture
    start: Start
    profile: RimProfile
    camera: Camera
    pose: CameraPose
    is_shaded: bool

    @property
    def is_round(self) -> bool:
        return isinstance(self.start.base, RoundBase)

    def edges(self, at: Floats, turn_rad: float) -> Edges:
        ground_mm = self.start.ground_mm
        outline = outline_of_base(
            self.start.base,
            (float(at[0]), float(at[1])),
            turn_rad=turn_rad,
            profile=self.profile,
            ground_mm=ground_mm,
            camera_mm=np.array(self.pose.centre_mm),
            count=self.start.points,
        )
        return edges_across(self.image, outline, ground_mm=ground_mm, camera=self.camera, pose=self.pose)

    def rough(self) -> tuple[Floats, float, _Guess]:
        """The best place within a few millimetres, and the best turn within a few degrees.

        An oval is looked for again from there: shift and turn together move its rim otherwise than each alone.
        """
        at, turn, guess = self._about(np.asarray(self.start.at_mm, np.float64), self.start.turn_rad)
        return (at, turn, guess) if self.is_round else self._about(at, turn)

    def _about(self, start: Floats, turn_rad: float) -> tuple[Floats, float, _Guess]:
        search = ROUGH if self.is_round else ROUGH_OVAL
        lips = self.profile.lips_mm
        guess = _searched(self.edges(start, turn_rad), start, search, lips_mm=lips, is_shaded=self.is_shaded)
        return start + guess.shift_mm, turn_rad + guess.turn_rad, guess

    def fine(self, at: Floats, turn_rad: float, rough: _Guess) -> "_Fine":
        """The least-squares fit of all rim points near a rough place."""
        edges = self.edges(at, turn_rad)
        lips = tuple(rough.lip_mm + step for step in FINER_LIPS_MM)
        search = FINE if self.is_round else FINE_OVAL
        guess = _searched(edges, at, search, lips_mm=lips, is_shaded=self.is_shaded)
        ahead = (at - np.array(self.pose.centre_mm[:2])) / (self.pose.centre_mm[2] - self.start.ground_mm)
        found = _refined(edges, guess, at, turns=not self.is_round, slant=ahead, is_shaded=self.is_shaded)
        return _Fine(self, edges, at, turn_rad, guess, found)


@dataclass(frozen=True)
class _Fine:
    """One make fitted to the end."""

    eye: _Eye
    edges: Edges
    at: Floats
    turn_rad: float
    guess: _Guess
    found: "_Found"

    def likeness(self) -> float:
        """How well this make explains the rim: steps are strong where it has edges, and scatter little about them."""
        return self.guess.score - self.found.scatter_mm

    @property
    def place(self) -> Floats:
        """x and y in mm, and the turn in radians."""
        return np.array([*(self.at + self.found.state[:2]), self.turn_rad + self.found.state[4]])

    @property
    def covariance(self) -> Floats:
        """Of the place, (3, 3)."""
        return self.found.covariance[np.ix_((0, 1, 4), (0, 1, 4))]

    def told(self) -> Fitted:
        edges, found = self.edges, self.found
        x, y, turn = self.place.tolist()
        return Fitted(
            profile=self.eye.profile,
            at_mm=(x, y),
            turn_rad=turn,
            covariance_mm2=self.covariance[:2, :2],
            turn_sigma_rad=0.0 if self.eye.is_round else float(np.sqrt(found.covariance[4, 4])),
            support=_support(edges, found.outer_mm),
            strength=self.guess.score,
            bias_mm=float(found.state[2]),
            lip_mm=self.guess.lip_mm,
            scatter_mm=found.scatter_mm,
            traits=traits_of(edges, _felt(edges.strength), outer_mm=found.outer_mm, inner_mm=found.inner_mm),
        )


def _rows(edges: Edges, centre: Floats) -> Floats:
    """How far each point of the outline moves outward for a millimetre of x and of y, and a radian of turn."""
    arm, normals = edges.outline.points_mm - centre, edges.outline.normals
    return np.column_stack([normals, arm[:, 0] * normals[:, 1] - arm[:, 1] * normals[:, 0]])


def _searched(
    edges: Edges, centre: Floats, search: Search, *, lips_mm: tuple[float, ...], is_shaded: bool
) -> _Guess:
    """The shift within reach, the turn, and the rim width, that put most of both edges on strong steps.

    A side that nowhere shows has no tone: nothing is found then.
    """
    if is_shaded and not _shows_side(edges).any():
        return _Guess(np.zeros(2), 0.0, lips_mm[0], -1.0)
    steps = np.arange(-search.reach_mm, search.reach_mm + search.step_mm / 2, search.step_mm)
    places = np.stack(np.meshgrid(steps, steps, search.turns_rad), axis=-1).reshape(-1, 3)
    inward_mm = np.array([_inner_mm(edges, lip_mm) for lip_mm in lips_mm])
    place, lip, score = _best_place(edges, places, _rows(edges, centre), inward_mm, is_shaded=is_shaded)
    return _Guess(places[place, :2], float(places[place, 2]), float(lips_mm[lip]), score)


def _best_place(
    edges: Edges, places: Floats, moves: Floats, inward_mm: Floats, *, is_shaded: bool
) -> tuple[int, int, float]:
    """The numbers of the best place and rim width, and their score."""
    columns = column_of(places @ moves.T)
    cells = np.arange(columns.shape[1]) * len(OFFSETS_MM) + columns  # one number a cell: looked up twice as fast
    outer = _felt(edges.strength)
    cost = NEARER_PER_MM * np.hypot(*places[:, :2].T)
    if is_shaded:
        side, crest = _shows_side(edges), _felt(edges.moved(edges.outline.rim_mm))
        outer = np.where(side[:, None], np.maximum(outer, crest), outer)
        cost += SHADED_PRICE * side.mean()
    best = (0, 0, -1.0)
    for lip, inward in enumerate(inward_mm):
        both = outer + INNER_SHARE * _felt_apart(edges, inward)
        score = both.take(cells).mean(axis=1) - cost
        top = int(score.argmax())
        if score[top] > best[2]:
            best = (top, lip, float(score[top]))
    return best


def _felt(strength: Floats | NDArray[np.float32]) -> Floats:
    """How far a step is believed, 0 to 1."""
    return np.asarray(strength / (strength + HALF_FELT))


def _felt_apart(edges: Edges, inward_mm: Floats) -> Floats:
    """For an outline at each offset, how far the step this much further in is believed.

    Only what rises above the valley between the two counts, so that one step is not taken for both.
    """
    inner = edges.moved(inward_mm)
    valley = np.minimum(edges.moved(0.33 * inward_mm), edges.moved(0.67 * inward_mm))
    return _felt(np.maximum(inner - valley, 0.0))


def _shows_side(edges: Edges) -> NDArray[np.bool_]:
    """On which normals the foot shows so far below the rim that either edge may be seen by itself."""
    return np.asarray(edges.outline.rim_mm < -SIDE_PX * edges.mm_per_px)


def _inner_mm(edges: Edges, lip_mm: float) -> Floats:
    """Where the inner edge of the rim lies along each normal, from the outline."""
    return np.asarray(edges.outline.rim_mm - lip_mm * edges.outline.rim_growth)


@dataclass(frozen=True)
class _Found:
    """The state that explains both edges best: shift x and y, bias of the outline and of the inner edge outward, turn,
    and how much higher the rim and how much further in its side is than the make says; and what it leaves unexplained.

    `outer_mm` and `inner_mm` are where the search put the edges: what tells a base from a look-alike was weighed there.
    Of a side with a tone of its own the outer one is the foot or the rim, whichever shows.
    """

    state: Floats
    covariance: Floats
    outer_mm: Floats
    inner_mm: Floats
    scatter_mm: float


def _refined(
    edges: Edges, guess: _Guess, centre: Floats, *, turns: bool, slant: Floats, is_shaded: bool
) -> _Found:
    """Robust least squares of the nearest steps of both edges, and of the rim's own above a shaded side. A round base
    does not turn. `slant`: how far the camera casts a point outward for each millimetre of height."""
    aside = np.stack([np.zeros(len(edges.strength)), _inner_mm(edges, guess.lip_mm), edges.outline.rim_mm])
    rows = _all_rows(edges, centre, turns=turns, slant=slant)
    state = np.array([*guess.shift_mm, 0.0, 0.0, guess.turn_rad, 0.0, 0.0])
    covariance, weight, found = np.eye(7), np.zeros(aside.size), np.zeros(aside.size)
    searched = (rows @ state).reshape(aside.shape) + aside
    side = _shows_side(edges) & is_shaded
    soft = edges.softened(min(SOFT_PX * edges.mm_per_px, MOST_SOFT_MM))
    for window_mm, placed_on in zip(WINDOWS_MM, (*(edges.strength for _ in WINDOWS_MM[1:]), soft), strict=True):
        expected = (rows @ state).reshape(aside.shape) + aside
        crest_mm = np.where(side, expected[2], np.inf)
        others_mm = (crest_mm, crest_mm, expected[0])  # a step is that of the edge it is nearest to
        steps = [
            _nearest_steps(edges, placed_on, at, window_mm=window_mm, other_mm=other)
            for at, other in zip(expected, others_mm, strict=True)
        ]
        found = np.concatenate([offset - by for (offset, _), by in zip(steps, aside, strict=True)])
        (_, outer_weight), (_, inner_weight), (_, crest_weight) = steps
        weight = np.concatenate([outer_weight, INNER_PRECISION * inner_weight, crest_weight * side])
        state, covariance = _solved(rows, found, weight)
    scatter_mm = float(np.sqrt((weight @ (found - rows @ state) ** 2 + 1e-6) / (weight.sum() + 1e-6)))
    outer_mm = _stronger(edges, searched[0], np.where(side, searched[2], searched[0]))
    return _Found(state, _doubt(scatter_mm, is_oval=turns) * covariance, outer_mm, searched[1], scatter_mm)


def _stronger(edges: Edges, one_mm: Floats, other_mm: Floats) -> Floats:
    """Of two places on each normal that of the stronger step; of equals the first."""
    row = np.arange(len(edges.strength))
    one, other = (edges.strength[row, column_of(at)] for at in (one_mm, other_mm))
    return np.where(other > one, other_mm, one_mm)


def _doubt(scatter_mm: float, *, is_oval: bool) -> float:
    """How much larger the covariance is than the steps' own error makes it."""
    least, power = (OVAL_DOUBT, OVAL_SCATTER_POWER) if is_oval else (DOUBT, SCATTER_POWER)
    return float(least * max(scatter_mm / USUAL_SCATTER_MM, LEAST_SCATTER) ** power)


def _all_rows(edges: Edges, centre: Floats, *, turns: bool, slant: Floats) -> Floats:
    """How far each point of the outline, of the inner edge and of the rim's edge moves outward with each part of the
    state."""
    moves, cast = _rows(edges, centre), edges.outline.normals @ slant
    one, none = np.ones(len(moves)), np.zeros(len(moves))
    is_rim = (edges.outline.rim_mm > -1e-9).astype(np.float64)  # elsewhere the outline is the foot's
    turning = moves[:, 2] * turns
    outer = np.column_stack([moves[:, :2], one, none, turning, is_rim * cast, -is_rim])
    inner = np.column_stack([moves[:, :2], none, one, turning, cast, none])
    return np.concatenate([outer, inner, np.column_stack([moves[:, :2], one, none, turning, cast, -one])])


def _nearest_steps(
    edges: Edges, soft: NDArray[np.float32], expected_mm: Floats, *, window_mm: float, other_mm: Floats
) -> tuple[Floats, Floats]:
    """For each normal the top of the strongest step near `expected_mm` and not nearer to `other_mm`, and how much it
    counts (0 = none)."""
    strength = edges.strength
    is_top = np.zeros(strength.shape, np.bool_)
    is_top[:, 1:-1] = (strength[:, 1:-1] >= strength[:, :-2]) & (strength[:, 1:-1] > strength[:, 2:])
    away = OFFSETS_MM[None, :] - expected_mm[:, None]
    is_top &= np.abs(away) <= np.abs(OFFSETS_MM[None, :] - other_mm[:, None])
    near = np.where(is_top, strength * np.exp(-((away / window_mm) ** 2)), 0.0)
    best, row = near.argmax(axis=1), np.arange(len(strength))
    offset, is_peak = _tops(strength, best, columns=0)
    softly, is_soft_peak = _tops(soft, best, columns=SOFT_COLUMNS)
    offset += np.where(is_soft_peak, (softly - offset) * np.exp(-(((softly - offset) / AGREE_MM) ** 2)), 0.0)
    counts = is_top[row, best] & is_peak
    felt = _felt(strength[row, best]) * np.exp(-(((offset - expected_mm) / window_mm) ** 2))
    return offset, np.where(counts & (strength[row, best] > NOISE), felt, 0.0)


def _tops(strength: NDArray[np.float32], near: NDArray[np.intp], *, columns: int) -> tuple[Floats, NDArray[np.bool_]]:
    """Where each normal's step tops within so many columns of the one near it, and whether it does."""
    row = np.arange(len(strength))
    around = (near[:, None] + np.arange(-columns, columns + 1)).clip(1, len(OFFSETS_MM) - 2)
    best = around[row, strength[row[:, None], around].argmax(axis=1)]
    left, peak, right = (strength[row, best + k].astype(np.float64) for k in (-1, 0, 1))
    curve = left - 2 * peak + right
    is_peak = curve < -1e-9
    vertex = np.where(is_peak, 0.5 * (left - right) / np.where(is_peak, curve, -1.0), 0.0).clip(-1.0, 1.0)
    return OFFSETS_MM[best] + vertex * STEP_MM, is_peak


def _solved(rows: Floats, found_mm: Floats, weight: Floats) -> tuple[Floats, Floats]:
    precision = weight / PEAK_SIGMA_MM**2 / 3  # neighbours along the rim share their error
    information = (rows * precision[:, None]).T @ rows
    information += np.diag([1 / sigma**2 for sigma in SIGMAS])
    state = np.linalg.solve(information, (rows * precision[:, None]).T @ found_mm)
    return np.asarray(state, np.float64), np.asarray(np.linalg.inv(information), np.float64)


def _support(edges: Edges, expected_mm: Floats) -> float:
    """The share of the rim whose strongest step near it lies on the outline."""
    away = OFFSETS_MM[None, :] - expected_mm[:, None]
    near = edges.strength * np.exp(-((away / SUPPORT_MM) ** 2))
    best = np.clip(near.argmax(axis=1), 1, len(OFFSETS_MM) - 2)
    row = np.arange(len(best))
    left, peak, right = (edges.strength[row, best + k] for k in (-1, 0, 1))
    is_peak = (peak >= left) & (peak >= right) & (peak > NOISE)
    return float((is_peak & (np.abs(away[row, best]) < ON_RIM_MM)).mean())
