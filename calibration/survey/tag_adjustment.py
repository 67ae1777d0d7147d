"""Tag adjustment: where tags lie and where their pictures were taken, by least squares over all.

The first picture stays where it is: the frame is its own until a table's frame is laid through the tags. Lenses may be
off as their covariance says; each tag's sides may differ a little from the size that all share.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats
from calibration.camera_model import projection
from calibration.least_squares import NormalEquations, ResidualBlock, minimise
from calibration.pose.covariance_propagation import modes
from calibration.pose.fiducial_residuals import FiducialEdges
from calibration.pose.pose_fit import FLOOR_PX, NEIGHBOURS, TONE_PX, perturb_pose, pose_offset_jacobian, weigh_edges
from calibration.survey.known_lengths import Length, distance_between
from calibration.survey.tag import UNKNOWNS, Tag
from models.camera import Camera, CameraPose

_CORNER_PX = 0.5  # how well a corner is found that no edge has been measured at
_MOST_LOOKS, _STILL_MM = 6, 0.01
_OWN_SIDES_MM = 0.05  # how far a tag's own sides differ from the size that all share


@dataclass(frozen=True)
class TagObservation:
    """Observation of one tag in one picture: where its points are, and how far off they were seen.

    `own` is d offset / d what this observation alone may be off by, (N, K), and `own_sigma` how far; the last two are a
    shift in the picture.
    """

    shot: int
    tag: int
    seen: FiducialEdges
    weights: Floats
    own: Floats
    own_sigma: Floats


@dataclass(frozen=True)
class SurveyState:
    """Tags and pictures in one frame; `size_sigma` is that of the printed size beforehand, as a share of it."""

    tags: tuple[Tag, ...]
    poses: tuple[CameraPose, ...]
    cameras: tuple[Camera, ...]
    size_sigma: float
    length: Length | None = None


@dataclass(frozen=True)
class Adjustment:
    """Adjusted tags and pictures.

    `covariance` is that of the tags' unknowns (9 T, 9 T); `size` the share by which they are larger than said; `off_px`
    how far each observation as a whole lies off the others, (L, 2).
    """

    state: SurveyState
    covariance: Floats
    size: float
    off_px: Floats


def adjust_tags(now: SurveyState, observations: Sequence[TagObservation]) -> Adjustment:
    """One step of Gauss and Newton towards what explains these observations best."""
    columns = _Columns(now)
    blocks = [_observation_block(observation, now, columns) for observation in observations]
    equations = NormalEquations.of([*blocks, *_prior_blocks(now, columns)], columns.total)
    change = equations.step()
    covariance = np.linalg.inv(equations.matrix)[columns.tags, columns.tags]
    return Adjustment(
        columns.moved(now, change),
        (covariance + covariance.T) / 2,
        float(change[columns.size]),
        np.array([block.own_change(change)[-2:] for block in blocks]),
    )


@dataclass(frozen=True)
class _CornerProblem:
    """Rough corners of tags in pictures: (picture, tag, corners_px)."""

    corners: Sequence[tuple[int, int, Floats]]

    def observe(self, state: SurveyState) -> list[TagObservation]:
        return [observe_corners(shot, tag, seen, now=state) for shot, tag, seen in self.corners]

    def cost(self, state: SurveyState) -> float:
        return float(np.mean(np.concatenate([observation.seen.offset_px for observation in self.observe(state)]) ** 2))

    def equations(self, state: SurveyState) -> NormalEquations:
        columns = _Columns(state)
        blocks = [_observation_block(observation, state, columns) for observation in self.observe(state)]
        return NormalEquations.of([*blocks, *_prior_blocks(state, columns)], columns.total)

    def moved(self, state: SurveyState, step: Floats) -> SurveyState:
        return _Columns(state).moved(state, step)


def adjust_on_corners(start: SurveyState, corners: Sequence[tuple[int, int, Floats]]) -> SurveyState:
    """Down to what rough corners (picture, tag, (4, 2) px) say."""
    return minimise(_CornerProblem(corners), start, damping=1e-3, steps=40, still=1e-6)


class _Columns:
    """Which unknown stands where: the pictures but the first, the tags, the size they share, the lenses' modes."""

    def __init__(self, now: SurveyState) -> None:
        self._shots = len(now.poses) - 1
        self.size = 6 * self._shots + UNKNOWNS * len(now.tags)
        self.tags = slice(6 * self._shots, self.size)
        self.modes = {id(camera): modes(camera.covariance) for camera in now.cameras}
        ends = np.cumsum([self.size + 1, *(mode.shape[1] for mode in self.modes.values())])
        self._lenses = {key: slice(ends[i], ends[i + 1]) for i, key in enumerate(self.modes)}
        self.total = int(ends[-1])

    def pose(self, shot: int) -> slice:
        """Empty for the first, which stays."""
        return slice(6 * shot - 6, 6 * shot) if shot else slice(0, 0)

    def tag(self, number: int) -> slice:
        return slice(6 * self._shots + UNKNOWNS * number, 6 * self._shots + UNKNOWNS * (number + 1))

    def lens(self, camera: Camera) -> slice:
        return self._lenses[id(camera)]

    def moved(self, now: SurveyState, change: Floats) -> SurveyState:
        """The state after a change of all unknowns; what a lens is off by stays its own camera's doubt."""
        others = (perturb_pose(pose, change[self.pose(i + 1)]) for i, pose in enumerate(now.poses[1:]))
        tags = tuple(tag.with_change(change[self.tag(i)]) for i, tag in enumerate(now.tags))
        return replace(now, tags=tags, poses=(now.poses[0], *others))


def observe_corners(shot: int, tag: int, corners_px: Floats, *, now: SurveyState) -> TagObservation:
    """Observation of a tag that knows no more than roughly where the corners are."""
    points = np.repeat(now.tags[tag].corners_mm, 2, axis=0)
    dark = np.tile(np.eye(2), (4, 1))
    camera, pose = now.cameras[shot], now.poses[shot]
    off = np.sum(
        (np.repeat(corners_px, 2, axis=0) - projection.project(points, camera=camera, pose=pose)) * dark, axis=1
    )
    slope = np.einsum("ni,nij->nj", dark, projection.point_jacobian(points, camera=camera, pose=pose))
    seen = FiducialEdges(now.tags[tag].marker(), points, slope, off, dark)
    return TagObservation(shot, tag, seen, np.full(8, _CORNER_PX**-2), dark, np.full(2, FLOOR_PX))


def observe_edges(shot: int, tag: int, seen: FiducialEdges) -> TagObservation:
    """Observation of all edges: they may be shifted by the tone curve, and a little as a whole."""
    trust, noise = weigh_edges(seen)
    own = np.concatenate([np.ones((len(trust), 1)), seen.dark], axis=1)
    return TagObservation(
        shot, tag, seen, trust / (NEIGHBOURS * noise**2), own, np.array([TONE_PX, FLOOR_PX, FLOOR_PX])
    )


def _observation_block(observation: TagObservation, now: SurveyState, columns: _Columns) -> ResidualBlock:
    """Its edges, and as its own unknowns what this observation alone is off by."""
    rows, precision = _jacobian_rows(observation, now, columns), 1 / observation.own_sigma**2
    return ResidualBlock(
        observation.seen.offset_px, rows, weights=observation.weights, own=observation.own, own_precision=precision
    )


def _jacobian_rows(observation: TagObservation, now: SurveyState, columns: _Columns) -> Floats:
    """d offset / d all unknowns but those of the observation itself."""
    camera, pose, seen = now.cameras[observation.shot], now.poses[observation.shot], observation.seen
    rows = np.zeros((len(observation.weights), columns.total))
    if observation.shot:
        rows[:, columns.pose(observation.shot)] = pose_offset_jacobian(seen, pose)
    rows[:, columns.tag(observation.tag)] = _tag_jacobian(seen, now.tags[observation.tag])
    by_lens = np.einsum("ni,nij->nj", seen.dark, projection.camera_jacobian(seen.points_mm, camera=camera, pose=pose))
    rows[:, columns.lens(camera)] = by_lens @ columns.modes[id(camera)]
    return rows


def _tag_jacobian(seen: FiducialEdges, tag: Tag) -> Floats:
    """d offset / d the tag's unknowns, (N, 9)."""
    across = tag.print_coordinates(seen.points_mm)
    return np.concatenate([seen.slope, seen.slope * across[:, :1], seen.slope * across[:, 1:]], axis=1)


def _prior_blocks(now: SurveyState, columns: _Columns) -> list[ResidualBlock]:
    """What is known beforehand, in sigmas: the size that tags share, their own sides, the lenses' modes, one length."""
    size = ResidualBlock(np.zeros(1), np.array([[1 / now.size_sigma]]), slice(columns.size, columns.size + 1))
    modes_ = np.arange(columns.size + 1, columns.total)
    blocks = [size, _side_block(now, columns), ResidualBlock(np.zeros(len(modes_)), np.eye(len(modes_)), modes_)]
    if now.length is not None:
        apart, slope = distance_between(now.length.a, now.length.b, now.tags)
        off = np.array([(now.length.measured_mm - apart) / now.length.sigma_mm])
        blocks.append(ResidualBlock(off, slope[None] / now.length.sigma_mm, columns.tags))
    return blocks


def _side_block(now: SurveyState, columns: _Columns) -> ResidualBlock:
    """That each tag's sides are as long as the size all share, and stand square, in sigmas."""
    rows, off = np.zeros((3 * len(now.tags), columns.total)), np.zeros(3 * len(now.tags))
    for i, tag in enumerate(now.tags):
        right, down = float(np.linalg.norm(tag.right)), float(np.linalg.norm(tag.down))
        here, own, zeros = slice(3 * i, 3 * i + 3), columns.tag(i), np.zeros(3)
        rows[here, own] = [
            np.concatenate([zeros, tag.right / right, zeros]),
            np.concatenate([zeros, zeros, tag.down / down]),
            np.concatenate([zeros, tag.down, tag.right]),
        ]
        rows[here, columns.size] = -1, -1, 0
        off[here] = 1 - right, 1 - down, -float(tag.right @ tag.down)
    sigma = _OWN_SIDES_MM / now.tags[0].size_mm
    return ResidualBlock(off / sigma, rows / sigma)


def solve_tags(
    start: SurveyState, observe: Callable[[SurveyState, bool], Sequence[TagObservation]]
) -> tuple[Adjustment, Sequence[TagObservation]]:
    """Observe and adjust until nothing moves; `observe` looks roughly first, then where tags are expected."""
    observations = observe(start, True)
    done = adjust_tags(start, observations)
    for _ in range(_MOST_LOOKS):
        observations = observe(done.state, False)
        before, done = done, adjust_tags(done.state, observations)
        if _corner_shift_mm(before.state, done.state) < _STILL_MM:
            break
    return done, observations


def _corner_shift_mm(before: SurveyState, after: SurveyState) -> float:
    corners = [np.concatenate([tag.corners_mm for tag in state.tags]) for state in (before, after)]
    return float(np.abs(corners[1] - corners[0]).max())
