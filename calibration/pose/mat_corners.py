"""Camera pose from the mat's four corners, tapped in a picture, and from the mat's sides where they show.

Least squares over the pose and a shift of each side outwards: a mat is not cut to a tenth of a millimetre, it has a
thickness and a shadow, and the tone curve moves its edge.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera_model import projection
from calibration.image import check_size
from calibration.least_squares import NormalEquations, ResidualBlock, fit_robustly
from calibration.pose import mat_sides
from calibration.pose.mat_sides import SIDES, Side, corners_mm
from calibration.pose.pose_fit import chi_square_limit, perturb_pose, pose_from_rotation, to_rows
from calibration.view import View
from models.camera import Camera, CameraPose
from models.errors import BadInput

TAP_PX = 3.0  # a finger with a loupe; one sigma per axis
CUT_MM = 0.5  # how well the mat's sides are known to lie at the table's edge
_SIDE_PX = 0.4  # thickness, shadow and tone curve shift a whole side
_LEAST_NOISE_PX = 0.1
_APART_PX = 20.0
_MISFIT_PX = 25.0  # taps that miss the corners of every such table by more are no corners of one
_LOOKS = 4
_STILL_PX = 0.05
NAMES = ("near left", "near right", "far right", "far left")


@dataclass(frozen=True)
class CornerPose:
    """Pose by corners, and the sides of the mat that it was refined on: 0 is the near one, then anticlockwise."""

    pose: CameraPose
    sides: tuple[int, ...]


@dataclass(frozen=True)
class CombinedPose:
    """Pose from corners and fiducials together; `apart_mm` is how far the two put the table's corners apart."""

    pose: CameraPose
    apart_mm: float
    agree: bool


def locate_by_corners(
    image: Image,
    corners_px: Sequence[Sequence[float]],
    *,
    camera: Camera,
    table_mm: tuple[float, float],
    tap_px: float = TAP_PX,
    cut_mm: float = CUT_MM,
) -> CornerPose:
    """Find the camera's pose from the tapped corners: near left, near right, far right, far left.

    Raises: BadInput for corners that lie outside the picture, on each other, crossed, in the wrong order, or that no
    table of this size shows; and for a picture of another size than the camera was calibrated at.
    """
    check_size(image, camera)
    taps = _check_corners(corners_px, image)
    view = View.of_bare_table(camera, _initial_pose(taps, camera=camera, table_mm=table_mm), table_mm)
    reach = 3 * tap_px
    sides: list[Side] = []
    for _ in range(_LOOKS):
        before = view
        looks = [mat_sides.measure_side(image, n, view=view, reach_px=reach) for n in range(SIDES)]
        sides = [side for side in looks if side is not None]
        view = view.with_pose(_fit(sides, taps, view, sigmas=(tap_px, cut_mm)))
        reach = 0.0
        if _corner_shift_px(before, view) < _STILL_PX:
            break
    return CornerPose(view.pose, tuple(side.number for side in sides))


def combine_poses(by_corners: CameraPose, by_fiducials: CameraPose, *, table_mm: tuple[float, float]) -> CombinedPose:
    """Both poses, each weighed by its covariance. Raises: BadInput when they speak of different tables."""
    apart = _pose_difference(by_corners, by_fiducials)
    apart_mm = _shift_mm(by_corners, by_fiducials, table_mm)
    if apart_mm > min(table_mm) / 10:
        raise BadInput(
            f"corners and fiducials put the table's corners up to {apart_mm:.0f} mm apart: were the corners tapped "
            "from the near left one on, and is this the layout of this table?",
            field="corners",
            value=round(apart_mm, 1),
        )
    first, second = np.array(by_fiducials.covariance), np.array(by_corners.covariance)
    gain = first @ np.linalg.inv(first + second)
    square = float(apart @ np.linalg.solve(first + second, apart))
    agree = square < chi_square_limit(len(apart))
    covariance = (first - gain @ first) * (1.0 if agree else square / len(apart))
    pose = perturb_pose(by_fiducials, gain @ apart)
    known = CameraPose(
        **pose.model_dump(include={"rotation", "translation_mm", "centre_mm"}),
        covariance=to_rows((covariance + covariance.T) / 2),
        rms_px=by_fiducials.rms_px,
        rms_mm=by_fiducials.rms_mm,
        markers=by_fiducials.markers,
        held_mm=by_corners.held_mm,
    )
    return CombinedPose(known, apart_mm, agree)


def _check_corners(corners_px: Sequence[Sequence[float]], image: Image) -> Floats:
    taps = np.asarray(corners_px, np.float64)
    if taps.shape != (SIDES, 2) or not np.all(np.isfinite(taps)):
        raise _bad_corners("four corners, each with x and y", corners_px)
    height, width = image.shape[:2]
    for name, (x, y) in zip(NAMES, taps, strict=True):
        if not (0 <= x <= width - 1 and 0 <= y <= height - 1):
            raise _bad_corners(f"the {name} corner lies outside the picture of {width} x {height}", [x, y])
    gaps = np.linalg.norm(taps[:, None] - taps[None], axis=2) + 1e9 * np.eye(SIDES)
    if gaps.min() < _APART_PX:
        raise _bad_corners(f"two corners lie within {_APART_PX:g} px of each other", taps.tolist())
    steps = np.roll(taps, -1, axis=0) - taps
    after = np.roll(steps, -1, axis=0)
    turns = steps[:, 0] * after[:, 1] - steps[:, 1] * after[:, 0]
    if np.all(turns > 0):
        raise _bad_corners(
            "the corners run the wrong way round, or the picture is mirrored: near left, near right, ...", []
        )
    if not np.all(turns < 0):
        raise _bad_corners("the corners cross, or three lie in a line: tap them one after the other around the mat", [])
    return taps


def _bad_corners(says: str, value: object) -> BadInput:
    return BadInput(f"corners: {says}", field="corners", value=value)


def _initial_pose(taps: Floats, *, camera: Camera, table_mm: tuple[float, float]) -> CameraPose:
    places = corners_mm(table_mm)
    flat = projection.normalise(taps, camera=camera)
    if not np.all(np.isfinite(flat)):
        raise _bad_corners("this lens sees nothing there", taps.tolist())
    _, turns, shifts, _ = cv2.solvePnPGeneric(places, flat, np.eye(3), None, flags=cv2.SOLVEPNP_SQPNP)
    poses = [
        pose_from_rotation(np.asarray(cv2.Rodrigues(turn)[0], np.float64), np.ravel(shift).astype(np.float64))
        for turn, shift in zip(turns, shifts, strict=True)
    ]
    above = [pose for pose in poses if pose.centre_mm[2] > 0]
    misses = [np.abs(projection.project(places, camera=camera, pose=pose) - taps).max() for pose in above]
    if not above or not min(misses) < _MISFIT_PX:
        worst = f" (the best one misses by {min(misses):.0f} px)" if above else ""
        says = f"no table of {table_mm[0]:g} x {table_mm[1]:g} mm has its corners there{worst}: wrong size, or order?"
        raise _bad_corners(says, taps.tolist())
    return above[int(np.argmin(misses))]


def _fit(sides: Sequence[Side], taps: Floats, view: View, *, sigmas: tuple[float, float]) -> CameraPose:
    """One step of Gauss and Newton, with its covariance."""
    tap_px, cut_mm = sigmas
    places = corners_mm(view.table_mm)
    miss = (taps - view.project(places)).ravel()
    taps_block = ResidualBlock(miss / tap_px, view.pose_jacobian(places).reshape(-1, 6) / tap_px, slice(0, 6))
    blocks, squares, per_mm = [taps_block], [miss**2], np.ones(SIDES)
    for side in sides:
        lines, per_mm[side.number] = _side_equations(side, view)
        trust, noise = _weigh_pieces(side)
        blocks.append(ResidualBlock(side.offset_px, lines, weights=trust / noise**2))
        squares.append(side.offset_px[trust > 0.1] ** 2)
    shifts = np.append(np.zeros(6), 1 / (_SIDE_PX**2 + (cut_mm * per_mm) ** 2))
    equations = NormalEquations.of(blocks, 6 + SIDES).with_prior(np.diag(shifts))
    solved = perturb_pose(view.pose, equations.step()[:6])
    rms_px = float(np.sqrt(np.mean(np.concatenate(squares[1:] or squares))))
    covariance = np.asarray(np.linalg.inv(equations.matrix), np.float64)
    return _make_pose(view.with_pose(solved), covariance, rms_px, places)


def _make_pose(view: View, covariance: Floats, rms_px: float, places: Floats) -> CameraPose:
    """This pose with what the fit leaves in doubt, held by the corners."""
    return CameraPose(
        rotation=view.pose.rotation,
        translation_mm=view.pose.translation_mm,
        centre_mm=view.pose.centre_mm,
        covariance=to_rows((covariance + covariance.T)[:6, :6] / 2),
        rms_px=rms_px,
        rms_mm=rms_px / _px_per_mm(places, view),
        markers=(),
        held_mm=tuple((float(x), float(y), float(z)) for x, y, z in places),
    )


def _side_equations(side: Side, view: View) -> tuple[Floats, float]:
    """d offset / d (pose, the sides' shifts); and px for a millimetre across the side."""
    by_pose = np.einsum("ni,nij->nj", side.outward, view.pose_jacobian(side.points_mm))
    slope = np.einsum("ni,nij->nj", side.outward, view.project_jacobian(side.points_mm))
    rows = np.zeros((len(by_pose), 6 + SIDES))
    rows[:, :6] = by_pose
    rows[:, 6 + side.number] = 1
    return rows, float(np.median(np.linalg.norm(slope, axis=1)))


def _weigh_pieces(side: Side) -> tuple[Floats, float]:
    """How far to trust each piece, and their noise: by how well they lie on a line."""
    along = np.linalg.norm(side.points_mm - side.points_mm[0], axis=1)
    line = np.stack([np.ones_like(along), along / max(along.max(), 1.0)], axis=1)
    return fit_robustly(side.offset_px, line, ridge=np.full(2, 1e-9), least_noise=_LEAST_NOISE_PX, rounds=5)


def _corner_shift_px(before: View, after: View) -> float:
    places = corners_mm(before.table_mm)
    off = after.project(places) - before.project(places)
    return float(np.nanmax(np.abs(off), initial=0))


def _px_per_mm(places: Floats, view: View) -> float:
    slopes = view.project_jacobian(places)
    return float(np.median(np.sqrt(np.abs(np.linalg.det(slopes)))))


def _pose_difference(pose: CameraPose, other: CameraPose) -> Floats:
    """The change of the six parameters that makes `one` of `other`."""
    turn = np.array(pose.rotation) @ np.array(other.rotation).T
    shift = np.array(pose.translation_mm) - np.array(other.translation_mm)
    return np.concatenate([np.ravel(cv2.Rodrigues(turn)[0]), shift])


def _shift_mm(pose: CameraPose, other: CameraPose, table_mm: tuple[float, float]) -> float:
    """How far apart the same view puts the table's corners, at most."""
    seen = projection.to_camera_frame(corners_mm(table_mm), pose=pose)
    origin = np.array(other.centre_mm)
    rays = seen @ np.array(other.rotation)
    at = origin + rays * (-origin[2] / rays[:, 2])[:, None]
    return float(np.linalg.norm(at - corners_mm(table_mm), axis=1).max())
