"""Set-up without a printer, over drawn edges: how far table points are off, and how surely it was said.

python -m benchmarks.calibration.setup_sheets [--draws 100] [--only NAME,...]

Two sheets of A4 are cut, laid, bent and seen with noise as people's are; a camera that was never calibrated is solved
from one picture of them. `points` is the RMS error in mm over a grid of the table, `corners` that at its four corners,
frames laid on each other; `/sigma` the RMS of errors of distances on the table over their stated sigma.
"""

from dataclasses import dataclass

import numpy as np

from benchmarks.harness import align, rms, run
from calibration.arrays import Floats
from calibration.camera_model import projection
from calibration.pose.covariance_propagation import lens_shifts, pose_shifts
from calibration.setup.lens_solve import Known
from calibration.setup.sheet_adjustment import SHEETS, SIDES, SheetEdges, SheetProblem, SheetState
from calibration.setup.solve_sheets import SheetSetup, fit_sheets
from calibration.view import View
from models.camera import Camera, CameraPose
from models.errors import BadInput
from tests.calibration.scene import pose_towards
from tests.calibration.setup.drawn_sheets import LaidSheets, lay_sheets
from tests.calibration.setup.sweeps import phone

FOUR, SIX = (1219.2, 1219.2), (1828.8, 1219.2)
WIDE = phone(focal=1000.0, size=(1920, 1080), dist=(0.06, -0.12, 0.0004, -0.0003, 0.02))
SHARP = phone(focal=2000.0, size=(3840, 2160), dist=(-0.05, 0.03, 0.0003, -0.0002, 0.0))
_GRID = 7
_PIECES = 16
_ROUGH_PX, _NOISE_PX, _GROWTH_PX = 1.0, 0.1, 0.3
_PAIRS = ((0, 48), (6, 42), (0, 6), (0, 42), (24, 48), (8, 40))


@dataclass(frozen=True)
class Case:
    """A camera over a table."""

    name: str
    camera: Camera
    table_mm: tuple[float, float] = FOUR
    aside_mm: float = 150.0
    """How far from above the middle of the table it hangs."""
    is_lens_known: bool = False
    bend_mm: float = 1.0


CASES = (
    Case("4K overhead, 4 x 4 ft", SHARP),
    Case("4K overhead, 6 x 4 ft", SHARP, SIX),
    Case("4K at a slant, 4 x 4 ft", SHARP, aside_mm=1000.0),
    Case("1080p overhead, 4 x 4 ft", WIDE),
    Case("4K overhead, lens known", SHARP, is_lens_known=True),
    Case("flat new paper", SHARP, bend_mm=0.3),
)


def draw(case: Case, seed: int) -> tuple[CameraPose, LaidSheets, float, Floats]:
    """The camera's pose, the sheets, the picture's growth, and each sheet's bends (2, 2) mm."""
    r = np.random.default_rng(4000 + seed)
    width, depth = case.table_mm
    middle = np.array([width / 2, depth / 2, 0.0])
    turn = r.uniform(0, 2 * np.pi)
    height = 1.35 * max(width, 1.2 * depth) * case.camera.K[0][0] / (0.52 * case.camera.image_size[0]) / 1.25
    place = middle + np.array([case.aside_mm * np.cos(turn), case.aside_mm * np.sin(turn), height])
    aim = middle + np.array([*r.normal(0, 20, 2), 0.0])
    laid = lay_sheets(case.table_mm, seed=seed, is_upright=bool(seed % 2))
    return pose_towards(place.tolist(), aim.tolist()), laid, r.normal(0, _GROWTH_PX), r.normal(0, case.bend_mm, (2, 2))


def solve(case: Case, seed: int) -> tuple[SheetSetup, CameraPose]:
    """Raises: BadInput."""
    pose, laid, growth, bends = draw(case, seed)
    r = np.random.default_rng(8000 + seed)
    seen = projection.project(laid.corners_mm.reshape(-1, 3), camera=case.camera, pose=pose).reshape(2, 4, 2)
    rough = seen + r.normal(0, _ROUGH_PX, seen.shape)
    noise = r.normal(0, _NOISE_PX, (SHEETS * SIDES, _PIECES))

    def measure(problem: SheetProblem, state: SheetState) -> SheetEdges:
        return _drawn_edges(case.camera, pose, laid, bends, growth, noise)

    known = Known(camera=case.camera) if case.is_lens_known else Known()
    size = case.camera.image_size
    return fit_sheets(rough, measure, size, paper="a4", table_mm=case.table_mm, known=known), pose


def _drawn_edges(
    camera: Camera, pose: CameraPose, laid: LaidSheets, bends: Floats, growth: float, noise: Floats
) -> SheetEdges:
    parts = []
    along = (np.arange(_PIECES) + 0.5) / _PIECES
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    for sheet in range(SHEETS):
        a, b, _, d = laid.corners_mm[sheet]
        for side in range(SIDES):
            share = unit[side] + along[:, None] * (unit[(side + 1) % SIDES] - unit[side])
            placed = a + share[:, :1] * (b - a) + share[:, 1:] * (d - a)
            placed[:, 2] = (1 - (2 * share - 1) ** 2) @ bends[sheet]
            middle = (a + (b + d - 2 * a) / 2)[None]
            seen = projection.project(placed, camera=camera, pose=pose)
            within = projection.project(middle, camera=camera, pose=pose)[0]
            step = seen[-1] - seen[0]
            outward = np.array([-step[1], step[0]]) / np.linalg.norm(step)
            outward *= -np.sign(outward @ (within - seen[0]))
            seen += np.outer(growth + noise[SIDES * sheet + side], outward)
            ones = np.ones(_PIECES, np.int64)
            noise_px = np.full(_PIECES, 1.4 * _NOISE_PX)
            parts.append(SheetEdges(sheet * ones, side * ones, share, seen, np.tile(outward, (_PIECES, 1)), noise_px))
    return SheetEdges.joined(parts)


def measure_points(case: Case, setup: SheetSetup, pose: CameraPose) -> tuple[Floats, Floats]:
    """Errors (N,) mm over the grid once frames are laid on each other, and those of distances over their sigmas."""
    x, y = np.linspace(0, case.table_mm[0], _GRID), np.linspace(0, case.table_mm[1], _GRID)
    grid = np.stack(np.meshgrid(x, y, [0.0]), axis=-1).reshape(-1, 3)
    seen = projection.project(grid, camera=case.camera, pose=pose)
    got = projection.intersect_plane(seen, camera=setup.camera, pose=setup.pose, z_mm=0.0)
    view = View.of_bare_table(setup.camera, setup.pose, case.table_mm)
    by_pose, by_lens = pose_shifts(grid, view=view), lens_shifts(grid, view=view)
    shifts = np.concatenate([by_pose, by_lens], axis=2)
    ratios = []
    for i, j in _PAIRS:
        step, true = got[j] - got[i], float(np.linalg.norm(grid[j] - grid[i]))
        length = float(np.linalg.norm(step))
        ratios.append((length - true) / float(np.linalg.norm((shifts[j] - shifts[i]).T @ (step / length))))
    return np.linalg.norm(align(got, grid[:, :2]) - grid[:, :2], axis=1), np.array(ratios)


def run_case(case: Case, draws: int) -> str:
    """One line of the table."""
    points, corners, ratios, focals, refused = [], [], [], [], []
    for seed in range(draws):
        try:
            setup, pose = solve(case, seed)
        except BadInput as wrong:
            refused.append(str(wrong))
            continue
        off, ratio = measure_points(case, setup, pose)
        points.append(off)
        corners.append(off[[0, _GRID - 1, -_GRID, -1]])
        ratios.append(ratio)
        focals.append(abs(setup.camera.K[0][0] / case.camera.K[0][0] - 1))
    figures = " ".join(f"{rms(some):8.2f}" for some in (points, corners, ratios))
    said = max(set(refused), key=refused.count, default="")
    return f"{case.name:24} {figures} {100 * float(np.median(focals)):7.1f} % {len(refused):4}/{draws}  {said[:60]}"


def main(draws: int = 100, only: str = "") -> None:
    print(f"{'':24} {'points':>8} {'corners':>8} {'/sigma':>8} {'focal off':>9} refused")
    for case in CASES:
        if not only or any(word in case.name for word in only.split(",")):
            print(run_case(case, draws))


if __name__ == "__main__":
    run(main)
