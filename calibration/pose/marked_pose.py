"""Lens and pose from marks in one photograph: corners, points, lines and discs in one robust least squares.

Each mark is a few rows: a point misses by two, a place along a line or on the rim of a disc by how far it lies beside
it in the picture. Unknown are the pose, the focal length, which is known beforehand as well as its source tells it,
and where each disc lies. Where no start is told the descent begins from all round the table and the best end is taken.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from calibration.arrays import Floats
from calibration.image import check_in_picture, check_rim
from calibration.least_squares import NormalEquations, ResidualBlock, minimise
from calibration.pose.mat_sides import corners_mm
from calibration.pose.pose_fit import chi_square_limit, perturb_pose, pose_from_rotation, to_rows
from calibration.view import View
from models.camera import Camera
from models.errors import BadInput
from models.layout import Layout, NoFiducials
from models.marks import CORNERS, SIDES, CornerMark, DiscMark, LineMark, Mark, Marks, PointMark, SideMark

_FOCAL = 6  # column of the focal length, as a logarithm; then x and y of each disc
_AZIMUTHS, _ELEVATIONS_DEG = 8, (30.0, 65.0)  # of the starts, from where the table fills the picture
_ROUGH_STEPS, _BEST, _STEPS = 5, 3, 25  # of all starts; and of the best ones
_NEAREST = 0.55  # diagonals of the table, of a start from its middle
_FARTHEST = 1e4  # diagonals of the table: a camera there is none
_HUBER_SIGMAS = 2.0
_ROUNDS = 4
_PRINCIPAL_SHARE = 0.01  # of the picture's width: how far the lens's middle lies off the picture's
_BEND_SIGMA = 0.01  # of the first distortion term, which no mark tells: cameras straighten their pictures so far
_EDGE_PX = 2.0  # of the picture: a corner there is one that it does not show
_LOOSE = 1e8  # variance over that of a sound fit from which a direction is open


@dataclass(frozen=True)
class MarkedView:
    """The view that explains the marks, and how many sigmas each mark misses by."""

    view: View
    misses: tuple[float, ...]


def pinhole_camera(size_px: tuple[int, int], focal_px: float) -> Camera:
    """A lens of this focal length that bends nothing, its middle in the middle of the picture."""
    wide, high = size_px
    return Camera(
        image_size=size_px,
        model="pinhole2",
        K=((focal_px, 0.0, (wide - 1) / 2), (0.0, focal_px, (high - 1) / 2), (0.0, 0.0, 1.0)),
        dist=(0.0,) * 4,
        covariance=to_rows(np.zeros((8, 8))),
        rms_px=0.0,
    )


def solve_marks(marks: Marks, *, camera: Camera, focal_sigma: float, start: View | None = None) -> MarkedView:
    """The camera and its pose over the table. `focal_sigma`: relative, of the camera's focal length; 0: it is known.

    `start`: a view near that one, as fewer marks told it; without, the descent begins from all round the table.

    Raises: BadInput for marks outside the picture, that leave the pose open, or that do not go together.
    """
    _check_places(marks, camera.image_size)
    problem = _MarkProblem(marks, camera, focal_sigma)
    begun = _descend(problem) if start is None else _State(start, _discs_under(problem, start))
    if not math.isfinite(problem.cost(begun)):
        raise BadInput("marks: no place of the camera shows them so", field="marks", value=len(marks.marks))
    state, problem = _reweigh(problem, begun)
    _check_determined(problem, state)
    _check_fit(problem, state)
    return MarkedView(_as_view(problem, state), problem.misses(state))


@dataclass(frozen=True)
class _State:
    """A view, and where the discs lie, (N, 2) mm."""

    view: View
    discs_mm: Floats


@dataclass(frozen=True)
class _Rows:
    """Rows of one mark: seen less predicted, px, and d predicted / d all unknowns."""

    off_px: Floats
    slopes: Floats
    sigma_px: Floats


class _MarkProblem:
    """Least squares of the marks of one photograph, each row trusted as far as `trust` says."""

    def __init__(self, marks: Marks, camera: Camera, focal_sigma: float, trust: Sequence[float] = ()) -> None:
        self.marks, self.camera, self.focal_sigma = marks, camera, focal_sigma
        self.discs = [mark for mark in marks.marks if isinstance(mark, DiscMark)]
        self.size = _FOCAL + 1 + 2 * len(self.discs)
        self.free = np.arange(self.size) != (_FOCAL if focal_sigma == 0 else -1)
        self.trust = tuple(trust) or (1.0,) * len(marks.marks)

    def cost(self, state: _State) -> float:
        squares = sum(
            trust * float(np.sum((rows.off_px / rows.sigma_px) ** 2))
            for trust, rows in zip(self.trust, self.rows(state), strict=True)
        )
        return squares + self.focal_miss(state) ** 2 if _is_sound(state.view) else math.inf

    def equations(self, state: _State) -> NormalEquations:
        blocks = [
            ResidualBlock(rows.off_px, rows.slopes, weights=trust / rows.sigma_px**2)
            for trust, rows in zip(self.trust, self.rows(state), strict=True)
        ]
        if self.focal_sigma:
            prior = np.zeros((1, self.size))
            prior[0, _FOCAL] = 1 / self.focal_sigma
            blocks.append(ResidualBlock(np.array([self.focal_miss(state)]), prior))
        return NormalEquations.of(blocks, self.size, free=self.free)

    def moved(self, state: _State, step: Floats) -> _State:
        camera = _zoomed(state.view.camera, math.exp(float(np.clip(step[_FOCAL], -1, 1))))
        view = replace(state.view, camera=camera, pose=perturb_pose(state.view.pose, step[:_FOCAL]))
        return _State(view, state.discs_mm + step[_FOCAL + 1 :].reshape(-1, 2))

    def rows(self, state: _State) -> list[_Rows]:
        """Of each mark, in order."""
        numbers = iter(range(len(self.discs)))
        return [
            self._rows_of(mark, state, next(numbers) if isinstance(mark, DiscMark) else 0) for mark in self.marks.marks
        ]

    def misses(self, state: _State) -> tuple[float, ...]:
        """Of each mark, in sigmas: the root mean square of its rows."""
        return tuple(float(np.sqrt(np.mean((rows.off_px / rows.sigma_px) ** 2))) for rows in self.rows(state))

    def focal_miss(self, state: _State) -> float:
        """How far the focal length is from what is known beforehand, in sigmas."""
        if self.focal_sigma == 0:
            return 0.0
        return math.log(self.camera.K[0][0] / state.view.camera.K[0][0]) / self.focal_sigma

    def _rows_of(self, mark: Mark, state: _State, number: int) -> _Rows:
        taps = np.reshape(np.array(mark.at_px, np.float64), (-1, 2))
        sigma = np.full(2 * len(taps) if isinstance(mark, CornerMark | PointMark) else len(taps), mark.sigma_px)
        if isinstance(mark, CornerMark | PointMark):
            point = _place_of(mark, self.marks.table_mm)
            return _Rows(
                (taps - state.view.project(point)).ravel(), self._slopes(state.view, point).reshape(2, -1), sigma
            )
        if isinstance(mark, DiscMark):
            return self._rows_of_disc(mark, taps, state, number, sigma)
        start, end = _line_ends(mark, self.marks.table_mm)
        points = _beside_taps(taps, start, end, state.view)
        normals = _normals(state.view.point_jacobian(points) @ (end - start))
        return self._rows_across(taps, points, normals, state.view, sigma)

    def _rows_of_disc(self, mark: DiscMark, taps: Floats, state: _State, number: int, sigma: Floats) -> _Rows:
        centre = state.discs_mm[number]
        out = state.view.intersect_plane(taps, z_mm=mark.height_mm) - centre
        out = out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
        points = np.column_stack([centre + mark.diameter_mm / 2 * out, np.full(len(taps), mark.height_mm)])
        along = np.column_stack([-out[:, 1], out[:, 0], np.zeros(len(out))])
        normals = _normals(np.einsum("nij,nj->ni", state.view.point_jacobian(points), along))
        rows = self._rows_across(taps, points, normals, state.view, sigma)
        by_place = np.einsum("ni,nij->nj", normals, state.view.project_jacobian(points))
        column = _FOCAL + 1 + 2 * number
        rows.slopes[:, column : column + 2] = by_place
        return rows

    def _rows_across(self, taps: Floats, points: Floats, normals: Floats, view: View, sigma: Floats) -> _Rows:
        """How far the taps lie beside these points, along the normals in the picture."""
        off = np.sum((taps - view.project(points)) * normals, axis=1)
        return _Rows(off, np.einsum("ni,nij->nj", normals, self._slopes(view, points)), sigma)

    def _slopes(self, view: View, points: Floats) -> Floats:
        """d px / d all unknowns, (N, 2, size)."""
        slopes = np.zeros((len(points), 2, self.size))
        slopes[:, :, :_FOCAL] = view.pose_jacobian(points)
        by_camera, ((fx, _, _), (_, fy, _), _) = view.camera_jacobian(points), view.camera.K
        slopes[:, :, _FOCAL] = fx * by_camera[:, :, 0] + fy * by_camera[:, :, 1]
        return slopes


def _place_of(mark: CornerMark | PointMark, table_mm: tuple[float, float]) -> Floats:
    if isinstance(mark, PointMark):
        return np.array([[*mark.at_mm, 0.0]])
    return corners_mm(table_mm)[[CORNERS.index(mark.corner)]]


def _line_ends(mark: SideMark | LineMark, table_mm: tuple[float, float]) -> tuple[Floats, Floats]:
    corners, (width, depth) = corners_mm(table_mm), table_mm
    if isinstance(mark, SideMark):
        number = SIDES.index(mark.side)
        return corners[number], corners[(number + 1) % len(SIDES)]
    if mark.x_mm is not None:
        return np.array([mark.x_mm, 0.0, 0.0]), np.array([mark.x_mm, depth, 0.0])
    return np.array([0.0, mark.y_mm or 0.0, 0.0]), np.array([width, mark.y_mm or 0.0, 0.0])


def _beside_taps(taps: Floats, start: Floats, end: Floats, view: View) -> Floats:
    """The place of the line beside each tap; where a tap shows no table, its middle: the picture's line is the same."""
    along = end - start
    share = (view.intersect_plane(taps, z_mm=0.0) - start[:2]) @ along[:2] / float(along @ along)
    share = np.clip(np.nan_to_num(share, nan=0.5), 0.0, 1.0)
    return np.asarray(start + share[:, None] * along)


def _normals(along_px: Floats) -> Floats:
    """Unit normals (N, 2) of directions in the picture."""
    normal = np.column_stack([-along_px[:, 1], along_px[:, 0]])
    return np.asarray(normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12))


def _zoomed(camera: Camera, times: float) -> Camera:
    """The same lens, so many times as long."""
    (fx, _, cx), (_, fy, cy), last = camera.K
    return camera.model_copy(update={"K": ((fx * times, 0.0, cx), (0.0, fy * times, cy), last)})


def _is_sound(view: View) -> bool:
    """Whether the camera is over the table and looks at it."""
    x, y, z = view.pose.centre_mm
    diagonal = math.hypot(*view.table_mm)
    depths = (corners_mm(view.table_mm) @ np.array(view.pose.rotation).T)[:, 2] + view.pose.translation_mm[2]
    return 0 < z < _FARTHEST * diagonal and math.hypot(x, y) < _FARTHEST * diagonal and float(depths.max()) > 0


def _descend(problem: _MarkProblem) -> _State:
    """The best end of the descents from all round the table; of the rough ones only the best go on.

    Raises: BadInput.
    """
    starts = [start for start in _starts(problem) if math.isfinite(problem.cost(start))]
    if not starts:
        raise BadInput("marks: no place of the camera shows them so", field="marks", value=len(problem.marks.marks))
    rough = sorted((minimise(problem, start, steps=_ROUGH_STEPS) for start in starts), key=problem.cost)
    return min((minimise(problem, state, steps=_STEPS) for state in rough[:_BEST]), key=problem.cost)


def _starts(problem: _MarkProblem) -> Iterator[_State]:
    (width, depth), camera = problem.marks.table_mm, problem.camera
    middle, diagonal = np.array([width / 2, depth / 2, 0.0]), math.hypot(width, depth)
    # A table at so many diagonals fills the picture; nearer, and some of it lay behind a wide lens.
    fills = max(_NEAREST, camera.K[0][0] / math.hypot(*camera.image_size))
    for number, elevation_deg in product(range(_AZIMUTHS), _ELEVATIONS_DEG):
        azimuth, elevation = number * 2 * math.pi / _AZIMUTHS, math.radians(elevation_deg)
        ahead = -np.array(
            [math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth), math.sin(elevation)]
        )
        right = np.cross(ahead, [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        rotation = np.stack([right, np.cross(ahead, right), ahead])
        pose = pose_from_rotation(rotation, -rotation @ (middle - ahead * diagonal * fills))
        view = View(camera, pose, Layout(table_mm=(width, depth), fiducials=NoFiducials()))
        yield _State(view, _discs_under(problem, view))


def _discs_under(problem: _MarkProblem, view: View) -> Floats:
    """Where each disc lies as the view shows the middle of its taps."""
    places = [view.intersect_plane([np.mean(disc.at_px, axis=0)], z_mm=disc.height_mm)[0] for disc in problem.discs]
    return np.nan_to_num(np.reshape(places, (-1, 2)).astype(np.float64), nan=0.0)


def _reweigh(problem: _MarkProblem, state: _State) -> tuple[_State, _MarkProblem]:
    """Iteratively reweighted least squares: a mark that misses by many sigmas is believed less (Huber)."""
    for _ in range(_ROUNDS):
        state = minimise(problem, state)
        trust = [min(1.0, _HUBER_SIGMAS / max(miss, 1e-9)) for miss in problem.misses(state)]
        problem = _MarkProblem(problem.marks, problem.camera, problem.focal_sigma, trust)
    return state, problem


def _check_places(marks: Marks, size_px: tuple[int, int]) -> None:
    for number, mark in enumerate(marks.marks):
        for x, y in np.reshape(np.array(mark.at_px, np.float64), (-1, 2)).tolist():
            check_in_picture((x, y), size_px, field=f"marks.{number}.at_px")
            if isinstance(mark, CornerMark) and _is_at_edge(x, y, size_px):
                says = (
                    f"marks.{number}.at_px: the picture ends at {x:.0f}, {y:.0f}, so this corner may lie beyond it: "
                    "mark two places on each of its sides instead"
                )
                raise BadInput(says, field=f"marks.{number}.at_px", value=[x, y])
        if isinstance(mark, DiscMark):
            check_rim(mark.at_px, field=f"marks.{number}.at_px")


def _is_at_edge(x: float, y: float, size_px: tuple[int, int]) -> bool:
    """Whether a finger that means a corner out of sight comes down here."""
    return min(x, y, size_px[0] - 1 - x, size_px[1] - 1 - y) < _EDGE_PX


def _check_determined(problem: _MarkProblem, state: _State) -> None:
    """Raises: BadInput where the marks leave a direction of the pose open."""
    matrix = problem.equations(state).matrix[np.ix_(problem.free, problem.free)]
    scale = np.sqrt(np.diag(matrix))
    if not np.all(scale > 0) or np.linalg.eigvalsh(matrix / np.outer(scale, scale))[0] < 1 / _LOOSE:
        raise BadInput(
            "marks: these leave open where the camera stands; mark another corner, or two places on another side",
            field="marks", value=len(problem.marks.marks),
        )  # fmt: skip


def _check_fit(problem: _MarkProblem, state: _State) -> None:
    """Raises: BadInput where marks do not go together, naming the one that misses most."""
    rows = sum(len(each.off_px) for each in problem.rows(state))
    misses = problem.misses(state)
    square = (
        sum(
            float(np.sum((each.off_px / each.sigma_px) ** 2)) * trust
            for each, trust in zip(problem.rows(state), problem.trust, strict=True)
        )
        + problem.focal_miss(state) ** 2
    )
    freedom = rows + 1 - problem.size
    if freedom > 0 and square > chi_square_limit(freedom):
        worst = int(np.argmax(misses))
        mark = problem.marks.marks[worst]
        says = (
            f"marks.{worst}: this {mark.kind} lies {misses[worst] * mark.sigma_px:.0f} px from where the rest puts it: "
            "a slip of the finger, another table size, or a picture that was cut?"
        )
        raise BadInput(says, field=f"marks.{worst}", value=round(misses[worst], 1))


def _as_view(problem: _MarkProblem, state: _State) -> View:
    """The view with its doubt: of the pose through this very lens, and of the lens, held by where the marks are."""
    equations, view = problem.equations(state), state.view
    fixed = replace(equations, free=np.arange(problem.size) != _FOCAL).covariance()[:_FOCAL, :_FOCAL]
    rms_px = float(np.sqrt(np.mean(np.concatenate([each.off_px for each in problem.rows(state)]) ** 2)))
    held = np.concatenate(list(_marked_places(problem, state)))
    per_mm = float(np.median(np.sqrt(np.abs(np.linalg.det(view.project_jacobian(held))))))
    camera = view.camera
    if problem.focal_sigma:
        lens = _lens_covariance(camera, float(equations.covariance()[_FOCAL, _FOCAL]))
        camera = camera.model_copy(update={"covariance": to_rows(lens), "rms_px": rms_px})
    pose = view.pose.model_copy(
        update={
            "covariance": to_rows((fixed + fixed.T) / 2),
            "rms_px": rms_px,
            "rms_mm": rms_px / per_mm,
            "held_mm": tuple((float(x), float(y), float(z)) for x, y, z in held),
            "table_mm": problem.marks.table_mm,
        }
    )
    return replace(view, camera=camera, pose=pose)


def _lens_covariance(camera: Camera, focal_variance: float) -> Floats:
    """Of a lens that nobody calibrated: both focal lengths are one, its middle and its bend are about a picture's."""
    lens = np.zeros((4 + len(camera.dist),) * 2)
    lens[:2, :2] = camera.K[0][0] ** 2 * focal_variance
    lens[2, 2] = lens[3, 3] = (_PRINCIPAL_SHARE * camera.image_size[0]) ** 2
    lens[4, 4] = _BEND_SIGMA**2
    return lens


def _marked_places(problem: _MarkProblem, state: _State) -> Iterator[Floats]:
    """Where on the table each mark was pointed at, (N, 3)."""
    discs = iter(state.discs_mm.tolist())
    for mark in problem.marks.marks:
        if isinstance(mark, DiscMark):
            yield np.array([[*next(discs), mark.height_mm]])
        elif isinstance(mark, CornerMark | PointMark):
            yield _place_of(mark, problem.marks.table_mm)
        else:
            taps = np.array(mark.at_px, np.float64)
            yield _beside_taps(taps, *_line_ends(mark, problem.marks.table_mm), state.view)
