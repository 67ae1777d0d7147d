"""Projector calibration: a projector is a camera turned round, and solved as one from the dots that a camera sees.

The unknowns are its focal length, principal point and two radial terms, its pose over the table, and the camera's own
pose, held by its covariance. On a flat table a homography and the radial terms are all that the dots tell: what they
leave open is held by what projectors are like, and moves no light on the table. Raised terrain tells the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike

from calibration.arrays import Floats, Mask
from calibration.camera_model import projection
from calibration.least_squares import NormalEquations, ResidualBlock, minimise, minimise_robustly
from calibration.pose.pose_fit import perturb_pose, pose_from_rotation, to_rows
from calibration.projector.dot_pattern import SeenDots
from calibration.view import View
from models.camera import Camera, CameraPose
from models.errors import BadInput
from models.frozen import Frozen
from models.layout import LayoutTerrain
from models.vocabulary import NotNegative

_LENS, _OWN = 5, 11  # f, cx, cy, k1, k2; with the pose
_FEWEST_DOTS = 24
_THROW_RATIOS = (0.4, 0.7, 1.0, 1.4, 2.0)  # distance over the picture's width
_LENS_SHIFTS = (-0.2, 0.0, 0.25, 0.5, 0.75, 1.0, 1.2)  # of the picture's height, from its top
_PRIOR_SIGMA = (1.0, 0.03, 0.8, 0.06, 0.03)  # f and cx of the width, cy of the height, k1, k2
_STRAY_MM = 12.0
_ROUNDS = 4
_LEAST_SIGMA = (1e-6, 1e-3)  # rad and mm: of a camera's pose that is said to be exact


class Projector(Frozen):
    """Where a projector's light falls. `covariance` is that of (f, cx, cy, k1, k2, turn, t): px, rad and mm."""

    lens: Camera
    pose: CameraPose
    covariance: tuple[tuple[float, ...], ...]
    rms_mm: NotNegative
    dots: int

    def project(self, points_mm: Floats) -> Floats:
        """Pixels (N, 2) of the projector that light these points (N, 3); NaN for one behind it."""
        return projection.project(points_mm, camera=self.lens, pose=self.pose)

    def covariance_mm2(self, points_mm: Floats) -> Floats:
        """Covariance (N, 2, 2) of where light falls that is meant for these points (N, 3)."""
        slopes = _light_slopes(points_mm, self.lens, self.pose)
        return np.asarray(slopes @ np.array(self.covariance) @ slopes.transpose(0, 2, 1))

    def sigma_mm(self, points_mm: Floats) -> Floats:
        """How far light meant for these points (N, 3) may fall beside them, (N,), along the worst direction."""
        return np.asarray(np.sqrt(np.linalg.eigvalsh(self.covariance_mm2(points_mm))[:, -1]))


def solve_projector(dots: SeenDots, size_px: tuple[int, int], *, view: View) -> Projector:
    """The projector that shows dots where the camera sees these. Raises: BadInput when too few lie on the table."""
    places = _place_dots(dots.camera_px, view)
    kept = _screen_dots(places, dots.projector_px, view.table_mm)
    if np.count_nonzero(kept) < _FEWEST_DOTS:
        raise BadInput(
            f"dots: {np.count_nonzero(kept)} are seen on the table and agree, and {_FEWEST_DOTS} are needed: dim the "
            "room, or turn the projector towards the table",
            field="dots",
            value=int(np.count_nonzero(kept)),
        )
    seen, shown, z_mm = dots.camera_px[kept], dots.projector_px[kept], places[kept, 2]
    lens, pose = _first_guess(places[kept], shown, size_px)
    problem = _DotProblem(seen, shown, z_mm, view, _lens_values(lens), np.ones(len(seen)))
    state = minimise(problem, _State(lens, pose, view.pose, np.zeros(6)))
    problem = replace(problem, seen_px=seen - problem.centroid_shift_px(state, dots.radius_px))
    minimum = minimise_robustly(problem, state, rounds=_ROUNDS)
    if minimum is None:
        raise BadInput("dots: no projector shows them so", field="dots", value=len(seen))
    state, trust = minimum.state, minimum.trust[0]
    equations = problem.weighted(minimum.weights).equations(state)
    covariance = equations.covariance()[:_OWN, :_OWN]
    off_mm = _misses_mm(minimum.misses_px[0], places[kept], view)
    return Projector(
        lens=state.lens,
        pose=state.pose,
        covariance=to_rows((covariance + covariance.T) / 2),
        rms_mm=float(np.sqrt(np.sum(trust * np.sum(off_mm**2, axis=1)) / (2 * np.sum(trust)))),
        dots=int(np.count_nonzero(trust > 0.1)),
    )


def _place_dots(camera_px: Floats, view: View) -> Floats:
    """Where these pixels' rays meet the table or what is known to lie on it, (N, 3) mm."""
    z_mm = np.zeros(len(camera_px))
    for _ in range(3):  # a ray that meets a piece's top leaves the table's plane beside it
        z_mm = _surface_heights(view.intersect_plane(camera_px, z_mm=z_mm), view.layout.terrain)
    return np.column_stack([view.intersect_plane(camera_px, z_mm=z_mm), z_mm])


def _surface_heights(places: Floats, terrain: Sequence[LayoutTerrain]) -> Floats:
    """The height of the highest surface that is known at these places; the table's own elsewhere."""
    out = np.zeros(len(places))
    for piece in terrain:
        if piece.polygon_mm is not None and piece.surface_mm:
            polygon = np.array(piece.polygon_mm, np.float32)
            inside = [cv2.pointPolygonTest(polygon, (float(x), float(y)), False) >= 0 for x, y in places]
            out = np.where(inside, np.maximum(out, piece.surface_mm), out)
    return out


def _screen_dots(places: Floats, shown: Floats, table_mm: tuple[float, float]) -> Mask:
    """Which dots lie on the table, and of those on its plane which agree with the others (RANSAC)."""
    kept = np.all(np.isfinite(places), axis=1)
    kept &= np.all((places[:, :2] > 0) & (places[:, :2] < table_mm), axis=1)
    flat = np.flatnonzero(kept & (places[:, 2] == 0))
    if len(flat) >= _FEWEST_DOTS:
        _, agree = cv2.findHomography(shown[flat], places[flat, :2], cv2.RANSAC, _STRAY_MM)
        kept[flat] &= agree.ravel() > 0
    return np.asarray(kept)


def _first_guess(places: Floats, shown: Floats, size_px: tuple[int, int]) -> tuple[Camera, CameraPose]:
    """The throw and lens shift that fit best of a few, each with its own pose."""
    width, height = size_px
    some = np.unique(np.linspace(0, len(places) - 1, 60).astype(int))
    best: tuple[float, Camera, Floats, Floats] | None = None
    for throw in _THROW_RATIOS:
        for shift in _LENS_SHIFTS:
            lens = _lens((throw * width, width / 2, shift * height, 0, 0), size_px)
            _, turns, shifts, off = cv2.solvePnPGeneric(
                places[some], shown[some], np.array(lens.K), None, flags=cv2.SOLVEPNP_SQPNP
            )
            for turn, at, error in zip(turns, shifts, np.ravel(off), strict=True):
                rotation = np.asarray(cv2.Rodrigues(turn)[0], np.float64)
                is_above = float((-rotation.T @ np.ravel(at))[2]) > 0
                if is_above and (best is None or error < best[0]):
                    best = float(error), lens, rotation, np.ravel(at).astype(np.float64)
    if best is None:
        raise BadInput("dots: the projector's picture is mirrored; turn that off", field="dots", value=len(places))
    _, lens, rotation, translation = best
    return lens, pose_from_rotation(rotation, translation)


def _lens(values: Sequence[float] | Floats, size_px: tuple[int, int]) -> Camera:
    f, cx, cy, k1, k2 = map(float, values)
    return Camera(
        image_size=size_px,
        K=((f, 0, cx), (0, f, cy), (0, 0, 1)),
        dist=(k1, k2),
        covariance=to_rows(np.zeros((6, 6))),
        rms_px=0,
    )


def _lens_values(lens: Camera) -> Floats:
    return np.array([lens.K[0][0], lens.K[0][2], lens.K[1][2], *lens.dist])


def _misses_mm(misses_px: Floats, places: Floats, view: View) -> Floats:
    return np.asarray(np.linalg.solve(view.project_jacobian(places), misses_px[:, :, None])[:, :, 0])


def _light_slopes(points_mm: Floats, lens: Camera, pose: CameraPose) -> Floats:
    """d (x, y) of where a pixel's light falls / d (f, cx, cy, k1, k2, turn, t), (N, 2, 11)."""
    by_lens = projection.camera_jacobian(points_mm, camera=lens, pose=pose)
    by_lens = np.concatenate([by_lens[:, :, :2].sum(axis=2, keepdims=True), by_lens[:, :, 2:]], axis=2)
    by_all = np.concatenate([by_lens, projection.pose_jacobian(points_mm, camera=lens, pose=pose)], axis=2)
    return np.asarray(-np.linalg.solve(projection.project_jacobian(points_mm, camera=lens, pose=pose), by_all))


@dataclass(frozen=True)
class _State:
    """`moved` is how far the camera's pose was moved from where it was thought to be, (6,)."""

    lens: Camera
    pose: CameraPose
    camera_pose: CameraPose
    moved: Floats


@dataclass(frozen=True)
class _DotProblem:
    """Dots as the camera sees them, less where light of their pixels is seen; with what is known beforehand."""

    seen_px: Floats
    shown_px: Floats
    z_mm: Floats
    view: View
    start: Floats  # the lens that priors are about
    weights: Floats

    def weighted(self, weights: Floats) -> "_DotProblem":
        return replace(self, weights=weights)

    def misses(self, state: _State) -> list[Floats]:
        return [self.seen_px - self.view.with_pose(state.camera_pose).project(self._lit(state))]

    def cost(self, state: _State) -> float:
        (off,) = self.misses(state)
        return float(np.sum(self.weights * np.sum(off**2, axis=1))) + sum(block.cost for block in self._priors(state))

    def equations(self, state: _State) -> NormalEquations:
        lit, seen_from = self._lit(state), self.view.with_pose(state.camera_pose)
        by_light = seen_from.project_jacobian(lit) @ _light_slopes(lit, state.lens, state.pose)
        slopes = np.concatenate([by_light, seen_from.pose_jacobian(lit)], axis=2).reshape(-1, _OWN + 6)
        dots = ResidualBlock(self.misses(state)[0].ravel(), slopes, weights=np.repeat(self.weights, 2))
        return NormalEquations.of([dots, *self._priors(state)], _OWN + 6)

    def moved(self, state: _State, step: Floats) -> _State:
        return _State(
            _lens(_lens_values(state.lens) + step[:_LENS], state.lens.image_size),
            perturb_pose(state.pose, step[_LENS:_OWN]),
            perturb_pose(state.camera_pose, step[_OWN:]),
            state.moved + step[_OWN:],
        )

    def centroid_shift_px(self, state: _State, radius_px: float) -> Floats:
        """How far a slanted disc's centroid is seen beside its middle, (N, 2): its far half is the larger."""
        view, rim = self.view.with_pose(state.camera_pose), radius_px * np.sqrt(np.linspace(0.05, 0.95, 10))
        total, area = np.zeros_like(self.seen_px), np.zeros(len(self.seen_px))
        for radius, turn in zip(np.repeat(rim, 8), np.tile(np.arange(8) * np.pi / 4, len(rim)), strict=True):
            lit = self._lit(state, radius * np.array([np.cos(turn), np.sin(turn)]))
            size = np.abs(
                np.linalg.det(view.project_jacobian(lit))
                / np.linalg.det(projection.project_jacobian(lit, camera=state.lens, pose=state.pose))
            )
            total, area = total + size[:, None] * view.project(lit), area + size
        return np.asarray(total / area[:, None] - view.project(self._lit(state)))

    def _lit(self, state: _State, beside_px: ArrayLike = 0.0) -> Floats:
        """Where the light of the dots' pixels, or of those beside them, falls, (N, 3) mm."""
        pixels = self.shown_px + np.asarray(beside_px)
        flat = projection.intersect_plane(pixels, camera=state.lens, pose=state.pose, z_mm=self.z_mm)
        return np.column_stack([flat, self.z_mm])

    def _priors(self, state: _State) -> tuple[ResidualBlock, ResidualBlock]:
        width, height = state.lens.image_size
        sigma = np.array(_PRIOR_SIGMA) * (width, width, height, 1, 1)
        usual = np.array([self.start[0], width / 2, height / 2, 0, 0])
        lens = ResidualBlock(usual - _lens_values(state.lens), np.eye(_LENS), np.arange(_LENS), 1 / sigma**2)
        least = np.diag(np.repeat(_LEAST_SIGMA, 3) ** 2)
        root = np.linalg.cholesky(np.linalg.inv(np.array(self.view.pose.covariance) + least)).T
        return lens, ResidualBlock(-root @ state.moved, root, np.arange(_OWN, _OWN + 6))
