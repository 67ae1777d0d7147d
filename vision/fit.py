"""The measurement: a base of known size, fitted to the colour steps along its outline.

Two steps run round a base: the outline against the ground, and the inner edge of the rim against the basing. The
outline alone may vanish (a dark rim on a dark mat), and then the inner edge would be taken for it; so both are fitted
together, the width of the rim being the one thing about a base that no catalogue tells.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.base import RoundBase
from models.camera import Camera, CameraPose
from models.words import Point
from vision.candidates import Ground
from vision.outline import PROFILES, RimProfile, outline_of
from vision.profile import INWARD_MM, OFFSETS_MM, STEP_MM, Edges, column_of, edges_across

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

_RIM_STEP_MM = 0.8  # one outline point for about each pixel of rim
_MOST_POINTS = 240
_INNER_SHARE = 0.85  # of the two edges in the search: either may be the one that can be seen
_INNER_PRECISION = 0.3  # in the fit: the inner edge is painted by hand
_HALF_FELT = 28.0  # grey levels per pixel at which a step is half believed
_NOISE = 4.0  # what texture alone reaches
_BIAS_SIGMA_MM = 0.15  # how far tone and blur move every edge of a base alike
_PEAK_SIGMA_MM = 0.35  # scatter of single rim points: texture, lip, paint
_LEAST_ROUGH = 0.22  # a first search that finds less than this finds no base
_CLOSE_MAKE = 0.08  # makes whose first search is this close are both fitted to the end
_ON_RIM_MM = 0.4  # a step this close to the outline speaks for it


@dataclass(frozen=True)
class RimFit:
    """A base placed on the table. `support` is the share of its rim that the picture confirms."""

    base: RoundBase
    at_mm: Point
    profile: RimProfile
    ground: Ground
    covariance_mm2: Floats
    support: float
    strength: float
    bias_mm: float
    lip_mm: float
    busyness: float  # mean colour step inside the rim, grey levels per pixel: a bare token has none

    def covers(self, at_mm: Point) -> bool:
        """Whether a base centred there would stand on most of this one."""
        return bool(np.hypot(*np.subtract(at_mm, self.at_mm)) < 0.7 * self.base.radius_mm)


@dataclass(frozen=True)
class _Guess:
    """Where the base may be, seen from the outline that was sampled: a shift, and the width of its rim."""

    shift_mm: Floats
    lip_mm: float
    score: float


def fit_rim(
    image: Picture, *, start_mm: Point, base: RoundBase, ground: Ground, camera: Camera, pose: CameraPose
) -> RimFit | None:
    """The base near `start_mm` (within about 3.5 mm), in whichever make explains its rim better; None if none does."""
    eyes = [_Eye(image, base, profile, ground, camera, pose) for profile in PROFILES]
    rough = [eye.rough(np.asarray(start_mm, np.float64)) for eye in eyes]
    best = max(guess.score for _, guess in rough)
    if best < _LEAST_ROUGH:
        return None
    likely = [
        (eye, at, guess) for eye, (at, guess) in zip(eyes, rough, strict=True) if guess.score > best - _CLOSE_MAKE
    ]
    return max((eye.fine(at, guess) for eye, at, guess in likely), key=lambda fit: fit.strength)


@dataclass(frozen=True)
class _Eye:
    """Looks at one picture for one base of one make on one ground."""

    image: Picture
    base: RoundBase
    profile: RimProfile
    ground: Ground
    camera: Camera
    pose: CameraPose

    def edges(self, at: Floats) -> Edges:
        outline = outline_of(
            (float(at[0]), float(at[1])),
            radius_mm=self.base.radius_mm,
            profile=self.profile,
            ground_mm=self.ground.surface_mm,
            camera_mm=np.array(self.pose.centre_mm),
            count=min(_MOST_POINTS, max(72, int(np.pi * self.base.diameter_mm / _RIM_STEP_MM))),
        )
        return edges_across(self.image, outline, ground_mm=self.ground.surface_mm, camera=self.camera, pose=self.pose)

    def rough(self, start: Floats) -> tuple[Floats, _Guess]:
        """The best place within a few millimetres."""
        guess = _searched(self.edges(start), reach_mm=3.6, step_mm=0.4, lips_mm=self.profile.lips_mm)
        return start + guess.shift_mm, guess

    def fine(self, at: Floats, rough: _Guess) -> RimFit:
        """The least-squares fit of all rim points near a rough place."""
        edges = self.edges(at)
        lips = tuple(rough.lip_mm + step for step in (-0.2, -0.1, 0.0, 0.1, 0.2))
        guess = _searched(edges, reach_mm=0.6, step_mm=0.1, lips_mm=lips)
        shift, bias_mm, covariance = _refined(edges, guess)
        return RimFit(
            base=self.base,
            at_mm=(float(at[0] + shift[0]), float(at[1] + shift[1])),
            profile=self.profile,
            ground=self.ground,
            covariance_mm2=covariance,
            support=_support(edges, shift, bias_mm),
            strength=guess.score,
            bias_mm=bias_mm,
            lip_mm=guess.lip_mm,
            busyness=_busyness(edges),
        )


def _searched(edges: Edges, *, reach_mm: float, step_mm: float, lips_mm: tuple[float, ...]) -> _Guess:
    """The shift within reach, and the rim width, that put most of both edges on strong steps."""
    steps = np.arange(-reach_mm, reach_mm + step_mm / 2, step_mm)
    shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    columns = column_of(shifts @ edges.outline.normals.T)
    rows = np.arange(columns.shape[1])
    outer = _felt(edges.strength)
    nearer = 1e-3 * np.hypot(*shifts.T)
    best = _Guess(np.zeros(2), 0.0, -1.0)
    for lip_mm in lips_mm:
        both = outer + _INNER_SHARE * _felt_apart(edges, _inner_mm(edges, lip_mm))
        score = both[rows, columns].mean(axis=1) - nearer
        top = int(score.argmax())
        if score[top] > best.score:
            best = _Guess(shifts[top], float(lip_mm), float(score[top]))
    return best


def _felt(strength: Floats) -> Floats:
    """How far a step is believed, 0 to 1."""
    return np.asarray(strength / (strength + _HALF_FELT))


def _felt_apart(edges: Edges, inward_mm: Floats) -> Floats:
    """For an outline at each offset, how far the step this much further in is believed.

    Only what rises above the valley between the two counts, so that one step is not taken for both.
    """
    outer_mm = OFFSETS_MM[:, None]
    inner = edges.at(outer_mm + inward_mm)
    valley = np.minimum(edges.at(outer_mm + 0.33 * inward_mm), edges.at(outer_mm + 0.67 * inward_mm))
    return _felt(np.maximum(inner - valley, 0.0)).T


def _inner_mm(edges: Edges, lip_mm: float) -> Floats:
    """Where the inner edge of the rim lies along each normal, from the outline."""
    return np.asarray(edges.outline.rim_mm - lip_mm * edges.outline.rim_growth)


def _refined(edges: Edges, guess: _Guess) -> tuple[Floats, float, Floats]:
    """Robust least squares of the nearest steps of both edges: shift, bias of the outline outward, covariance."""
    normals = edges.outline.normals
    count = len(normals)
    inner_mm = _inner_mm(edges, guess.lip_mm)
    state = np.array([*guess.shift_mm, 0.0, 0.0])
    covariance = np.eye(2)
    outer_rows = np.column_stack([normals, np.ones(count), np.zeros(count)])
    inner_rows = np.column_stack([normals, np.zeros(count), np.ones(count)])
    for window_mm in (0.7, 0.5, 0.4, 0.4):
        outer, outer_weight = _nearest_steps(edges, outer_rows @ state, window_mm=window_mm)
        inner, inner_weight = _nearest_steps(edges, inner_rows @ state + inner_mm, window_mm=window_mm)
        rows = np.concatenate([outer_rows, inner_rows])
        found = np.concatenate([outer, inner - inner_mm])
        state, covariance = _solved(rows, found, np.concatenate([outer_weight, _INNER_PRECISION * inner_weight]))
    return state[:2], float(state[2]), covariance


def _nearest_steps(edges: Edges, expected_mm: Floats, *, window_mm: float) -> tuple[Floats, Floats]:
    """For each normal the centre of the strongest step near `expected_mm`, and how much it counts (0 = none)."""
    away = OFFSETS_MM[None, :] - expected_mm[:, None]
    near = edges.strength * np.exp(-((away / window_mm) ** 2))
    best = np.clip(near.argmax(axis=1), 1, len(OFFSETS_MM) - 2)
    row = np.arange(len(best))
    left, peak, right = (edges.strength[row, best + k] for k in (-1, 0, 1))
    curve = left - 2 * peak + right
    is_peak = (curve < -1e-9) & (peak >= left) & (peak >= right)
    vertex = np.where(is_peak, 0.5 * (left - right) / np.where(is_peak, curve, -1.0), 0.0)
    offset = OFFSETS_MM[best] + vertex * STEP_MM
    counts = is_peak * _felt(peak) * np.exp(-(((offset - expected_mm) / window_mm) ** 2))
    return offset, np.where(peak > _NOISE, counts, 0.0)


def _solved(rows: Floats, found_mm: Floats, weight: Floats) -> tuple[Floats, Floats]:
    precision = weight / _PEAK_SIGMA_MM**2 / 3  # neighbours along the rim share their error
    information = (rows * precision[:, None]).T @ rows
    information += np.diag([1e-2, 1e-2, 1 / _BIAS_SIGMA_MM**2, 1.0])
    state = np.linalg.solve(information, (rows * precision[:, None]).T @ found_mm)
    return np.asarray(state, np.float64), np.asarray(np.linalg.inv(information)[:2, :2], np.float64)


def _support(edges: Edges, shift: Floats, bias_mm: float) -> float:
    """The share of the rim whose strongest step within 2 mm lies on the outline."""
    expected = edges.outline.normals @ shift + bias_mm
    offset, weight = _nearest_steps(edges, expected, window_mm=2.0)
    return float(((np.abs(offset - expected) < _ON_RIM_MM) & (weight > 0)).mean())


def _busyness(edges: Edges) -> float:
    """The mean colour step in a band inside the rim."""
    band = (OFFSETS_MM > -INWARD_MM) & (OFFSETS_MM < -3.0)
    return float(edges.strength[:, band].mean())
