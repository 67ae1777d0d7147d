"""Set-up from four printed pages, over generated sweeps: how far table points are off, and how surely it was said.

python -m benchmarks.calibration.setup [--draws 20] [--only NAME,...]

Corners of the pages are drawn with noise; a fresh picture of the same camera, which the solve did not see, is then
measured by the solved lens and layout. `points` is the RMS error over a grid of the mat, `corners` that at its four
corners, both after the frame was laid on the true one, in printed millimetres; `/sigma` the RMS of errors of the
layout's distances over their stated sigma; `focal` that of the focal length over its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.harness import align, rms, run
from calibration.arrays import Floats
from calibration.camera_model import projection
from calibration.intrinsics.reprojection import Lens
from calibration.setup.first_guess import pose_on_pages
from calibration.setup.joint_adjustment import place_points
from calibration.setup.lens_solve import FocalPrior, Known, page_values
from calibration.setup.pages import PageView, setup_pages
from calibration.setup.solve_setup import Setup, solve_views
from models.camera import Camera, CameraPose
from models.errors import BadInput
from tests.calibration.scene import pose_towards
from tests.calibration.setup.sweeps import Sweep, pages_on, phone, walk_around

FOUR, SIX = (1219.2, 1219.2), (1828.8, 1219.2)
PHONE = phone()
WEBCAM = phone(focal=1420.0, size=(1920, 1080), dist=(0.06, -0.12, 0.0004, -0.0003, 0.02))
FISHEYE = Camera(
    image_size=(1920, 1080),
    model="fisheye",
    K=((600.0, 0.0, 968.3), (0.0, 600.2, 533.9), (0.0, 0.0, 1.0)),
    dist=(0.0, 0.0, 0.0, 0.0),
    covariance=tuple(map(tuple, np.zeros((8, 8)))),
    rms_px=0,
)
ACTION = phone(focal=900.0, size=(1920, 1080), dist=(-0.22, 0.06, 0.0002, 0.0003, -0.008))
_GRID = 9


@dataclass(frozen=True)
class Case:
    """One kind of sweep."""

    name: str
    table_mm: tuple[float, float] = FOUR
    camera: Camera = PHONE
    pictures: int = 12
    noise_px: float = 0.1
    refocus: float = 0.0
    """Relative, of the focal length from picture to picture."""
    bend_mm: float = 0.0
    print_scale: float = 1.0
    moved_mm: float = 0.0
    is_exif: bool = True
    is_lens_known: bool = False


CASES = (
    Case("phone, 4 x 4 ft"),
    Case("phone, 6 x 4 ft", SIX),
    Case("phone, no EXIF", is_exif=False),
    Case("phone, 6 pictures", pictures=6),
    Case("two photos, lens known", pictures=2, is_lens_known=True),
    Case("one photo alone", pictures=1),
    Case("one photo, lens known", pictures=1, is_lens_known=True),
    Case("webcam", camera=WEBCAM, is_exif=False),
    Case("action camera", camera=ACTION, is_exif=False),
    Case("fisheye", camera=FISHEYE, is_exif=False),
    Case("motion blur", noise_px=0.4),
    Case("refocuses by 0.3 %", refocus=0.003),
    Case("page 1 bent by 4 mm", bend_mm=4.0),
    Case("printed at 97 %", print_scale=0.97),
    Case("page 2 moved once", moved_mm=14.0),
)


def draw_views(case: Case, seed: int) -> tuple[Floats, list[PageView]]:
    """How the pages lie in printed millimetres, and what is seen of them."""
    r = np.random.default_rng(1000 + seed)
    table = _printed(case)
    pages = pages_on(table, seed=seed)
    pages[0, 3] += case.bend_mm
    views: list[PageView] = []
    used = 0
    for k, pose in enumerate(_walk(case, seed)):
        lies = pages.copy()
        if case.moved_mm and k == 3:
            lies[1, 0] += case.moved_mm
        camera = _refocused(case.camera, 1 + r.normal(0, case.refocus))
        seen = Sweep(camera, lies, [pose], noise_px=case.noise_px, seed=100 * seed + k).views()
        if len(seen) >= 2:  # a picture of one page is not used
            views += [replace(view, picture=used) for view in seen]
            used += 1
    return pages, views


def solve(case: Case, views: Sequence[PageView]) -> Setup:
    """Raises: BadInput."""
    k = case.camera.K[0][0]
    names = [f"{i}.jpg" for i in range(1 + max(view.picture for view in views))]
    known = Known(camera=_as_solved(case.camera)) if case.is_lens_known else Known()
    known = Known(focal=FocalPrior(k * 1.03, 0.04)) if case.is_exif and not case.is_lens_known else known
    return solve_views(
        names, views, case.camera.image_size, table_mm=FOUR if case.table_mm == FOUR else SIX, known=known
    )


def measure_points(case: Case, setup: Setup, pages: Floats, seed: int) -> tuple[Floats, Floats]:
    """Errors (N,) mm over the grid, and at the corners (4,), in a picture that the solve did not see."""
    table = _printed(case)
    walk = _walk(case, seed) if case.pictures == 1 else walk_around(table, pictures=6, seed=7000 + seed)
    again = 100 * seed if case.pictures == 1 else 9000 + seed  # of one photo alone it is that photo which is measured
    shown = [Sweep(case.camera, pages, [pose], noise_px=case.noise_px, seed=again).views() for pose in walk]
    most = max(range(len(walk)), key=lambda k: len(shown[k]))
    pose, views = walk[most], shown[most]
    lens = Lens(_lens_values(setup.camera), np.zeros(9, bool))
    pose_found = pose_on_pages(views, lens, dict(enumerate(page_values(setup.layout))))
    assert pose_found is not None
    x, y = np.linspace(0, table[0], _GRID), np.linspace(0, table[1], _GRID)
    grid = np.stack(np.meshgrid(x, y, [0.0]), axis=-1).reshape(-1, 3)
    rays = lens.rays(projection.project(grid, camera=case.camera, pose=pose)) @ pose_found[:3, :3]
    centre = -pose_found[:3, :3].T @ pose_found[:3, 3]
    got = (centre - rays * (centre[2] / rays[:, 2:]))[:, :2]
    off = np.linalg.norm(align(got, grid[:, :2]) - grid[:, :2], axis=1)
    return off, off[[0, _GRID - 1, -_GRID, -1]]


def distance_ratios(setup: Setup, pages: Floats) -> Floats:
    """Errors of distances between pages' middle markers over their stated sigmas."""
    pairs = [(8, 25), (8, 42), (8, 59), (25, 42), (25, 59), (42, 59)]
    covariance = np.array(setup.layout.fiducials.covariance_mm2)
    true = np.concatenate([place_points(p.markers_mm.mean(axis=1), pages[p.number]) for p in setup_pages()])
    got = np.array([np.mean(m.corners_mm, axis=0) for m in setup.layout.fiducials.markers])
    out = []
    for a, b in pairs:
        along = (got[b] - got[a]) / np.linalg.norm(got[b] - got[a])
        slope = np.zeros(len(covariance))
        slope[3 * a : 3 * a + 3], slope[3 * b : 3 * b + 3] = -along, along
        off = np.linalg.norm(got[b] - got[a]) - np.linalg.norm(true[b] - true[a])
        out.append(off / np.sqrt(slope @ covariance @ slope))
    return np.array(out)


def run_case(case: Case, draws: int) -> str:
    """One line of the table."""
    points, corners, ratios, focals, refused, remarks = [], [], [], [], [], []
    for seed in range(draws):
        pages, views = draw_views(case, seed)
        try:
            setup = solve(case, views)
        except BadInput as wrong:
            refused.append(str(wrong))
            continue
        grid, at_corners = measure_points(case, setup, pages, seed)
        points.append(grid)
        corners.append(at_corners)
        ratios.append(distance_ratios(setup, pages))
        focals.append((setup.camera.K[0][0] - case.camera.K[0][0]) / np.sqrt(setup.camera.covariance[0][0]))
        remarks += [*setup.remarks, *(["scale noticed"] if abs(setup.marks_scale - 1) > 0.006 else [])]
    figures = " ".join(
        f"{rms(np.concatenate([np.ravel(values) for values in some]) if some else ()):8.2f}"
        for some in (points, corners, ratios, focals)
    )
    said = max(set(refused + remarks), key=(refused + remarks).count, default="")
    return f"{case.name:24} {figures} {len(refused):4}/{draws}  {said[:70]}"


def _walk(case: Case, seed: int) -> list[CameraPose]:
    """Around the table; one photo is taken by somebody who stands at its near side and has all pages in it."""
    width, depth = _printed(case)
    if case.pictures > 1:
        return walk_around((width, depth), pictures=case.pictures, seed=seed)
    r = np.random.default_rng(seed)
    place = [width / 2 + r.normal(0, 150), -0.35 * depth + r.normal(0, 60), 1550 + r.normal(0, 80)]
    return [pose_towards(place, [width / 2 + r.normal(0, 30), 0.42 * depth + r.normal(0, 30), 0.0])]


def _printed(case: Case) -> tuple[float, float]:
    return case.table_mm[0] / case.print_scale, case.table_mm[1] / case.print_scale


def _refocused(camera: Camera, by: float) -> Camera:
    (fx, _, cx), (_, fy, cy), last = camera.K
    return Camera.model_validate({**dict(camera), "K": ((fx * by, 0, cx), (0, fy * by, cy), last)})


def _as_solved(camera: Camera) -> Camera:
    """The lens as a twelve-picture sweep leaves it."""
    case = Case("before", camera=camera)
    return solve(case, draw_views(case, 501)[1]).camera


def _lens_values(camera: Camera) -> Floats:
    return np.array([camera.K[0][0], camera.K[1][1], camera.K[0][2], camera.K[1][2], *camera.dist])


def main(draws: int = 20, only: str = "") -> None:
    print(f"{'':24} {'points':>8} {'corners':>8} {'/sigma':>8} {'focal':>8} refused  most often said")
    for case in CASES:
        if not only or any(word in case.name for word in only.split(",")):
            print(run_case(case, draws))


if __name__ == "__main__":
    run(main)
