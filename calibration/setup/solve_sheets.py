"""Sheet solve: two sheets of blank paper at opposite corners of a table, four taps -> camera and pose, how surely.

The first sheet lies with a corner at the table's near left corner, the second at the far right one, their sides along
the table's. Tapped are, of each sheet, that corner and then the opposite one.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.blas_threads import with_one_blas_thread
from calibration.intrinsics.reprojection import Lens
from calibration.least_squares import scaled_inverse
from calibration.pose.mat_sides import Side, measure_side
from calibration.pose.pose_fit import chi_square_limit, pose_from_rotation, to_rows
from calibration.setup.lens_solve import Known
from calibration.setup.paper import PAPERS, PaperSize
from calibration.setup.sheet_adjustment import (
    LENS,
    SHEETS,
    SIDES,
    SheetEdges,
    SheetProblem,
    SheetSolution,
    SheetState,
    adjust_sheets,
    find_sheet,
)
from calibration.view import View
from models.camera import Camera, CameraPose
from models.errors import BadInput

TAPS = 4
_CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
_CORNER_PX = 1.5  # of a segmented corner, across each of its sides
_FOCALS = (0.6, 1.0, 1.7)  # of the picture's longer side, to start from
_REACH_PX = 4.0
_LOOKS = 3
_LEAST_SIDES = 3  # of a sheet
_LEAST_NOISE_PX = 0.1
_PIECES_SHARE_PX = 1.4  # neighbouring pieces of an edge share pixels
_OTHER_PAPER = 25.0  # so much smaller is the sum of squares for paper of the other size, and sure
_SURE_FOCAL = 0.05


@dataclass(frozen=True)
class SheetSetup:
    """Camera and pose by two sheets, and what to tell of them."""

    camera: Camera
    pose: CameraPose
    focal_sigma: float
    """Relative."""
    remarks: tuple[str, ...]


EdgeMeasure = Callable[[SheetProblem, SheetState], SheetEdges]
"""The sheets' edges to a part of a pixel, near where a state has them."""


def solve_sheets(
    image: Image,
    taps: Sequence[Sequence[float]],
    *,
    paper: PaperSize,
    table_mm: tuple[float, float],
    known: Known | None = None,
) -> SheetSetup:
    """Raises: BadInput naming the tap or sheet at fault, and what to do."""
    height, width = image.shape[:2]
    corners = find_sheets(image, taps)

    def measure(problem: SheetProblem, state: SheetState) -> SheetEdges:
        return _measure_edges(image, problem, state, (width, height))

    return fit_sheets(corners, measure, (width, height), paper=paper, table_mm=table_mm, known=known or Known())


@with_one_blas_thread
def fit_sheets(
    corners_px: Floats,
    measure: EdgeMeasure,
    size: tuple[int, int],
    *,
    paper: PaperSize,
    table_mm: tuple[float, float],
    known: Known,
) -> SheetSetup:
    """The same from the sheets' rough corners (2, 4, 2) and a way to measure their edges. Raises: BadInput."""
    prior = known.prior(size)
    problem = SheetProblem(_corner_edges(corners_px), np.zeros((SHEETS, 2)), table_mm, prior)
    is_known = known.camera is not None or known.focal is not None
    focals = [float(prior.values[0])] if is_known else [share * max(size) for share in _FOCALS]
    fits = {size: _fit_paper(problem, corners_px, size, focals) for size in PAPERS}
    asked, solution = _check_paper(fits, paper, table_mm)
    for _ in range(_LOOKS):
        asked = replace(asked, edges=measure(asked, solution.state))
        refined = adjust_sheets(asked, solution.state)
        if refined is None or refined.cost > chi_square_limit(refined.freedom):
            raise _no_such_table(table_mm)
        solution = refined
    return _describe(asked, solution, size)


def find_sheets(image: Image, taps: Sequence[Sequence[float]]) -> Floats:
    """The corners of both sheets (2, 4, 2) px, each from the corner at the table's on. Raises: BadInput."""
    places = np.asarray(taps, np.float64)
    if places.shape != (TAPS, 2) or not np.all(np.isfinite(places)):
        raise BadInput("four taps, each with x and y: two on each sheet", field="taps", value=list(map(list, taps)))
    height, width = image.shape[:2]
    for number, (x, y) in enumerate(places, 1):
        if not (0 <= x <= width - 1 and 0 <= y <= height - 1):
            raise BadInput(f"tap {number} lies outside the picture of {width} x {height}", field="taps", value=[x, y])
    sheets = [
        find_sheet(image, (places[2 * k], places[2 * k + 1]), numbers=(2 * k + 1, 2 * k + 2)) for k in range(SHEETS)
    ]
    middles = np.array([corners.mean(axis=0) for corners in sheets])
    if any(_holds(sheets[k], middles[1 - k]) for k in range(SHEETS)):
        raise BadInput(
            "all four taps are on one sheet: two sheets are needed, one at the near left corner of the table and one "
            "at the far right corner, with two taps on each",
            field="taps",
            value=None,
        )
    for k in range(SHEETS):
        away = np.linalg.norm(sheets[k] - middles[1 - k], axis=1)
        if int(np.argmin(away)) == 0:
            raise BadInput(
                f"taps {2 * k + 1} and {2 * k + 2} are swapped: of each sheet tap the corner that lies at the table's "
                "corner first, then the opposite one",
                field="taps",
                value=None,
            )
    return np.array(sheets)


def _holds(corners: Floats, place: Floats) -> bool:
    inside = cv2.pointPolygonTest(corners.astype(np.float32), (float(place[0]), float(place[1])), measureDist=False)
    return bool(inside >= 0)


def _corner_edges(corners: Floats) -> SheetEdges:
    """Each corner as seen on both of its sides."""
    parts = []
    for sheet, side in product(range(SHEETS), range(SIDES)):
        ends = corners[sheet][[side, (side + 1) % SIDES]]
        along = ends[1] - ends[0]
        normal = np.array([-along[1], along[0]]) / np.linalg.norm(along)
        normal *= -np.sign(normal @ (corners[sheet].mean(axis=0) - ends[0]))
        share = _CORNERS[[side, (side + 1) % SIDES]]
        parts.append(_edge(sheet, side, share, ends, np.tile(normal, (2, 1)), _CORNER_PX))
    return SheetEdges.joined(parts)


def _edge(sheet: int, side: int, share: Floats, seen_px: Floats, outward: Floats, noise_px: float) -> SheetEdges:
    count = len(share)
    return SheetEdges(np.full(count, sheet), np.full(count, side), share, seen_px, outward, np.full(count, noise_px))


Fit = tuple[SheetProblem, SheetSolution]


def _fit_paper(problem: SheetProblem, corners: Floats, size: PaperSize, focals: Sequence[float]) -> Fit | None:
    """The best of all ways in which two such sheets may lie: long or short side along the table's near side."""
    paper = PAPERS[size]
    sides = ((paper.long_mm, paper.short_mm), (paper.short_mm, paper.long_mm))
    best: Fit | None = None
    for lying, focal in product(product(sides, repeat=SHEETS), focals):
        asked = replace(problem, sides_mm=np.array(lying))
        start = _first_state(asked, corners, focal)
        solution = None if start is None else adjust_sheets(asked, start)
        if solution is not None and (best is None or solution.cost < best[1].cost):
            best = asked, solution
    return best


def _first_state(problem: SheetProblem, corners: Floats, focal: float) -> SheetState | None:
    lens = problem.prior.values.copy()
    lens[:2] *= focal / lens[0]
    flat = problem.start(np.eye(3), np.zeros(3), lens)
    places = np.concatenate([problem.places(flat.values, k, _CORNERS) for k in range(SHEETS)])
    rays = Lens(lens, np.zeros(LENS, bool)).rays(corners.reshape(-1, 2))
    if not np.all(np.isfinite(rays)) or rays[:, 2].min() < 0.05:
        return None
    plane = rays[:, :2] / rays[:, 2:]
    done, turn, shift = cv2.solvePnP(places, plane, np.eye(3), None, flags=cv2.SOLVEPNP_IPPE)
    if not done:
        return None
    rotation = np.asarray(cv2.Rodrigues(turn)[0], np.float64)
    return problem.start(rotation, np.ravel(shift).astype(np.float64), lens)


def _check_paper(fits: dict[PaperSize, Fit | None], paper: PaperSize, table_mm: tuple[float, float]) -> Fit:
    """The fit of this paper. Raises: BadInput for paper of the other size, and where neither explains the sheets."""
    costs = {size: np.inf if fit is None else fit[1].cost for size, fit in fits.items()}
    other = min(costs, key=lambda size: costs[size])
    if other != paper and costs[other] + _OTHER_PAPER < costs[paper] and costs[other] < _limit(fits[other]):
        raise BadInput(
            f"these sheets are {PAPERS[other].name}, not {PAPERS[paper].name}: choose {PAPERS[other].name}",
            field="paper",
            value=paper,
        )
    fit = fits[paper]
    if fit is None or fit[1].cost > _limit(fit):
        raise _no_such_table(table_mm)
    return fit


def _limit(fit: Fit | None) -> float:
    return chi_square_limit(fit[1].freedom) if fit else 0.0


def _no_such_table(table_mm: tuple[float, float]) -> BadInput:
    return BadInput(
        f"these are no two such sheets at opposite corners of a table of {table_mm[0]:.0f} x {table_mm[1]:.0f} mm: "
        "check the table's size and the paper's, lay the sheets with their sides along the table's, one at the near "
        "left and one at the far right corner, and tap in that order",
        field="taps",
        value=None,
    )


def _measure_edges(image: Image, problem: SheetProblem, state: SheetState, size: tuple[int, int]) -> SheetEdges:
    """The paper's edges to a part of a pixel, near where the state has them. Raises: BadInput on a white mat."""
    camera = camera_of(state, np.zeros((LENS, LENS)), size)
    edges = []
    for sheet in range(SHEETS):
        lies = problem.places(state.values, sheet, _CORNERS)
        sides_mm = (float(np.linalg.norm(lies[1] - lies[0])), float(np.linalg.norm(lies[3] - lies[0])))
        view = View.of_bare_table(camera, _pose_of_sheet(state, lies), sides_mm)
        seen = [measure_side(image, side, view=view, reach_px=_REACH_PX) for side in range(SIDES)]
        clear = [side for side in seen if side is not None]
        if len(clear) < _LEAST_SIDES:
            raise BadInput(
                f"the edges of the sheet at taps {2 * sheet + 1} and {2 * sheet + 2} cannot be told from what it lies "
                "on: lay a dark cloth under it, or take the glare away",
                field="taps",
                value=len(clear),
            )
        edges += [_sub_pixel_edge(sheet, side, view) for side in clear]
    return SheetEdges.joined(edges)


def _sub_pixel_edge(sheet: int, side: Side, view: View) -> SheetEdges:
    noise = _edge_noise_px(side.offset_px)
    kept = np.abs(side.offset_px - np.median(side.offset_px)) < 4 * noise
    at = view.project(side.points_mm) + side.outward * side.offset_px[:, None]
    share = side.points_mm[:, :2] / np.array(view.table_mm)
    return _edge(sheet, side.number, share[kept], at[kept], side.outward[kept], noise)


def _edge_noise_px(offsets: Floats) -> float:
    """How far neighbouring pieces of an edge are off each other."""
    rough = 1.4826 * float(np.median(np.abs(np.diff(offsets)))) / math.sqrt(2)
    return max(rough, _LEAST_NOISE_PX) * _PIECES_SHARE_PX


def _pose_of_sheet(state: SheetState, lies: Floats) -> CameraPose:
    """camera_from_sheet; the sheet's own frame begins at its corner, as flat as the table."""
    along = lies[1] - lies[0]
    along = along / np.linalg.norm(along)
    across = np.array([-along[1], along[0], 0.0])
    table_from_sheet = np.stack([along, across, [0.0, 0.0, 1.0]], axis=1)
    return pose_from_rotation(state.rotation @ table_from_sheet, state.rotation @ lies[0] + state.shift_mm)


def camera_of(state: SheetState, covariance: Floats, size: tuple[int, int], *, rms_px: float = 0.0) -> Camera:
    """The lens as a camera file."""
    fx, fy, cx, cy, *dist = map(float, state.values[:LENS])
    return Camera(
        image_size=size,
        model="brown",
        K=((fx, 0.0, cx), (0.0, fy, cy), (0.0, 0.0, 1.0)),
        dist=tuple(dist),
        covariance=to_rows((covariance + covariance.T) / 2),
        rms_px=rms_px,
    )


def _describe(problem: SheetProblem, solution: SheetSolution, size: tuple[int, int]) -> SheetSetup:
    state, covariance = solution.state, solution.covariance
    rms_px = float(np.sqrt(np.mean((problem.edge_residuals(state) * problem.edges.noise_px) ** 2)))
    camera = camera_of(state, covariance[:LENS, :LENS], size, rms_px=rms_px)
    focal_sigma = float(np.sqrt(covariance[0, 0]) / state.values[0])
    remarks = []
    if focal_sigma > _SURE_FOCAL:
        remarks.append(
            f"two sheets tell this camera's focal length to {100 * focal_sigma:.0f} % only: heights are as unsure; "
            "print the four pages for better"
        )
    if problem.edges.count_sides() < SHEETS * SIDES:
        remarks.append("an edge of a sheet was not clear and was left out")
    return SheetSetup(camera, _pose(problem, solution, rms_px), focal_sigma, tuple(remarks))


def _pose(problem: SheetProblem, solution: SheetSolution, rms_px: float) -> CameraPose:
    """What is left of the pose's doubt once the lens is known; the lens's own is its camera's to say."""
    state, covariance = solution.state, solution.covariance
    of_lens, across = covariance[:LENS, :LENS], covariance[LENS:, :LENS]
    left = covariance[LENS:, LENS:] - across @ scaled_inverse(of_lens) @ across.T
    lies = np.concatenate([problem.places(state.values, k, _CORNERS) for k in range(SHEETS)])
    lies[len(_CORNERS), :2] = problem.table_mm
    lies[:, :2] = np.clip(lies[:, :2], 0, problem.table_mm)  # its size is read from them
    pose = pose_from_rotation(state.rotation, state.shift_mm)
    depth = float(np.linalg.norm(state.shift_mm))
    return CameraPose(
        rotation=pose.rotation,
        translation_mm=pose.translation_mm,
        centre_mm=pose.centre_mm,
        covariance=to_rows((left + left.T) / 2),
        rms_px=rms_px,
        rms_mm=rms_px * depth / float(state.values[0]),
        markers=(),
        held_mm=tuple((float(x), float(y), float(z)) for x, y, z in lies),
    )
