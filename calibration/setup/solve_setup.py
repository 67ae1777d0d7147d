"""Set-up solve: pictures of the pages on a table -> camera, layout and poses, how surely, and what to do better."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats
from calibration.blas_threads import with_one_blas_thread
from calibration.setup.focus_breathing import allow_breathing, check_breathing, describe_breathing
from calibration.setup.joint_adjustment import JointSolution
from calibration.setup.lens_solve import Known, rms_px
from calibration.setup.moved_pages import leave_out_foreign, solve_without_moved
from calibration.setup.pages import PageView
from calibration.setup.picture_intake import Intake, check_hang_together, check_pages
from calibration.setup.table_layout import CornerMarks, TableFit, fit_table
from models.camera import Camera, CameraPose
from models.layout import Layout

_SURE_FOCAL = 0.01  # relative sigma of the focal length from which the pictures tell too little of the lens


@dataclass(frozen=True)
class Setup:
    """The whole of a set-up: camera, layout with covariance, the pictures' poses, and remarks for the person."""

    camera: Camera
    layout: Layout
    poses: tuple[CameraPose, ...]
    pictures: tuple[str, ...]
    rms_px: float
    focal_sigma: float
    """Relative."""
    bends_mm: tuple[float, ...]
    """How far the middle of each page stands above its ends."""
    remarks: tuple[str, ...]
    marks_scale: float = 1.0
    """Of the printed millimetre, by the marks and the table's size."""
    marks: CornerMarks | None = None
    """In printed millimetres, whatever the set-up was scaled to; None where the layout was known."""


def solve_intake(
    intake: Intake, *, table_mm: tuple[float, float] | None = None, scale: float = 1.0, known: Known | None = None
) -> Setup:
    """Solve lens, layout and poses from pictures of one size of the pages as they lie, in printed millimetres.

    `table_mm`: in true ones, of which a printed one has `scale`.
    Raises: BadInput naming the picture or page at fault, and what to do.
    """
    if known is None or known.layout is None:
        check_pages(intake.views, intake.cut)
    setup = solve_views(intake.names, intake.views, intake.size, table_mm=table_mm, scale=scale, known=known)
    return replace(setup, remarks=(*intake.remarks, *setup.remarks))


@with_one_blas_thread
def solve_views(
    names: Sequence[str],
    views: Sequence[PageView],
    size: tuple[int, int],
    *,
    table_mm: tuple[float, float] | None = None,
    scale: float = 1.0,
    known: Known | None = None,
) -> Setup:
    """The same from pages that were found in the pictures of these names. Raises: BadInput."""
    known = known or Known()
    if known.layout is None:
        check_pages(views)
        check_hang_together(views)
    names, views, left_out = leave_out_foreign(names, views, size, known)
    names, views, solution, remarks = solve_without_moved(names, views, size, known)
    solution, breathing = allow_breathing(views, solution, known.prior(size))
    check_breathing(breathing)
    remarks = (*left_out, *remarks, *describe_breathing(breathing))
    if known.layout is not None:
        table = TableFit(known.layout, np.eye(4), None, (), 1.0)
    else:
        table = fit_table(solution, table_mm, scale=scale)
    return _describe(names, solution, table, size, (*remarks, *table.remarks), breathing=breathing)


def _describe(
    names: Sequence[str],
    solution: JointSolution,
    table: TableFit,
    size: tuple[int, int],
    remarks: tuple[str, ...],
    *,
    breathing: float,
) -> Setup:
    lens, sigma = solution.state.lens.values, np.sqrt(solution.covariance[0, 0])
    named = [k for k, name in enumerate(names) if name]
    names = [name for name in names if name]
    focal_sigma = float(sigma / lens[0])
    if focal_sigma > _SURE_FOCAL:
        remarks = (*remarks, _advise_tilt(focal_sigma))
    return Setup(
        camera=_camera(solution, size, names, breathing),
        layout=table.layout,
        poses=tuple(_pose(table, solution, k) for k in named),
        pictures=tuple(names),
        rms_px=rms_px(solution),
        focal_sigma=focal_sigma,
        bends_mm=tuple(float(max(page[3:], key=abs)) for page in solution.state.pages),
        remarks=remarks,
        marks_scale=table.marks_scale,
        marks=table.marks,
    )


def _advise_tilt(focal_sigma: float) -> str:
    return (
        f"the focal length is known to {100 * focal_sigma:.1f} % only: add pictures from a lower angle, or one in "
        "which page 2 is held up tilted near the left edge, flat on a book"
    )


def _camera(solution: JointSolution, size: tuple[int, int], names: Sequence[str], breathing: float) -> Camera:
    """The next picture's focal length differs from that of all as those of the pictures do."""
    fx, fy, cx, cy, *dist = map(float, solution.state.lens.values)
    covariance = solution.lens_covariance().copy()
    covariance[:2, :2] += breathing**2 * np.outer((fx, fy), (fx, fy))
    return Camera(
        image_size=size,
        model="brown",
        K=((fx, 0.0, cx), (0.0, fy, cy), (0.0, 0.0, 1.0)),
        dist=tuple(dist),
        covariance=tuple(tuple(map(float, row)) for row in covariance),
        rms_px=rms_px(solution),
        views=tuple(names),
    )


def _pose(table: TableFit, solution: JointSolution, picture: int) -> CameraPose:
    """camera_from_table in the frame of the table's corners."""
    poses = solution.state.poses
    rotation = poses.rotations[picture] @ table.pages_from_table[:3, :3]
    shift = poses.rotations[picture] @ table.pages_from_table[:3, 3] + poses.translations_mm[picture]
    lenses = len(solution.state.lens.values)
    first = lenses + 6 * picture
    covariance = solution.covariance[first : first + 6, first : first + 6]
    misses = solution.misses_px[picture]
    rms = float(np.sqrt(np.mean(misses**2)))
    depth = float(np.linalg.norm(shift))
    return CameraPose(
        rotation=_rows(rotation),
        translation_mm=(float(shift[0]), float(shift[1]), float(shift[2])),
        covariance=tuple(tuple(map(float, row)) for row in covariance),
        rms_px=rms,
        rms_mm=rms * depth / float(solution.state.lens.values[0]),
        markers=tuple(marker.id for marker in table.layout.fiducials.markers),
        centre_mm=_triple(-rotation.T @ shift),
    )


def _rows(matrix: Floats) -> tuple[tuple[float, float, float], ...]:
    return tuple(_triple(row) for row in matrix)


def _triple(values: Floats) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
