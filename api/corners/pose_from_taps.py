"""Camera pose from four tapped corners, and how exactly the table is measured where."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Image
from calibration.pose.covariance_propagation import sigma_mm
from calibration.pose.locate_table import locate_table
from calibration.pose.mat_corners import CUT_MM, combine_poses, locate_by_corners
from calibration.view import View
from models.camera import Camera
from models.errors import BadInput, TableNotVisible
from models.layout import Layout, Marker
from models.vocabulary import Point

SIDES = ("near", "right", "far", "left")
_CELLS = 24  # along the longer side
_EVERY = 4  # cells from one written number to the next
_SURE, _UNSURE = np.array([235, 244, 250]), np.array([200, 60, 30])
_TOO_MUCH_MM = 0.6  # coloured in full; a ruler of 1.6 mm is then no longer beaten by far
_RIM_MM = 160.0


@dataclass(frozen=True)
class TappedPose:
    """The view with the pose that was solved, and what to tell of it."""

    view: View
    says: tuple[str, ...] = ()


def fit_pose(
    image: Image,
    *,
    camera: Camera,
    layout: Layout | None,
    corners: Sequence[Point] | None,
    size_mm: tuple[float, float] | None,
    cut_mm: float = CUT_MM,
) -> TappedPose:
    """The pose by all that is given. Raises: BadInput, and TableNotVisible where only fiducials could tell."""
    if corners is None:
        if layout is None:
            raise BadInput("layout: give --layout, or --corners and --size-mm", field="layout", value=None)
        return TappedPose(View(camera, locate_table(image, camera=camera, layout=layout), layout))
    table_mm = _check_size(layout, size_mm)
    tapped = locate_by_corners(image, corners, camera=camera, table_mm=table_mm, cut_mm=cut_mm)
    says = (_describe_sides(tapped.sides),)
    if layout is None:
        return TappedPose(View.of_bare_table(camera, tapped.pose, table_mm), says)
    by_corners = View(camera, tapped.pose, layout)
    try:
        by_fiducials = locate_table(image, camera=camera, layout=layout)
    except TableNotVisible as wrong:
        return TappedPose(by_corners, (*says, f"without fiducials: {wrong.detail}"))
    both = combine_poses(tapped.pose, by_fiducials, table_mm=table_mm)
    agreeing = "agree" if both.agree else "DISAGREE: is the mat where the layout says? The doubt is widened"
    all_said = (*says, f"corners and fiducials lie up to {both.apart_mm:.2f} mm apart; they {agreeing}")
    return TappedPose(by_corners.with_pose(both.pose), all_said)


def _check_size(layout: Layout | None, size_mm: tuple[float, float] | None) -> tuple[float, float]:
    if size_mm is None:
        if layout is None:
            raise BadInput("size_mm: width and depth of the mat are missing", field="size_mm", value=None)
        return layout.table_mm
    if not all(100 <= side <= 10_000 for side in size_mm):
        raise BadInput("size_mm: each between 100 and 10000", field="size_mm", value=list(size_mm))
    if layout is not None and size_mm != layout.table_mm:
        raise BadInput(f"size_mm: the layout says {layout.table_mm}", field="size_mm", value=list(size_mm))
    return size_mm


def parse_point(text: str) -> Point:
    """The place that `x,y` names. Raises: BadInput."""
    try:
        x, y = map(float, text.split(","))
    except ValueError:
        raise BadInput(f"corners: {text!r} is not x,y", field="corners", value=text) from None
    return x, y


def _describe_sides(sides: Sequence[int]) -> str:
    if not sides:
        return "no side of the mat could be told from the ground: the pose is as good as the taps"
    return f"refined on the mat's sides: {', '.join(SIDES[number] for number in sides)}"


def heat_map(view: View) -> str:
    width, depth = view.table_mm
    step = max(width, depth) / _CELLS
    x, y = np.arange(step / 2, width, step), np.arange(step / 2, depth, step)
    grid = np.stack(np.meshgrid(x, y, [0.0]), axis=-1).reshape(-1, 3)
    sigma = sigma_mm(grid, view=view).reshape(len(y), len(x))
    cells = [_cell(x[j], y[i], step, sigma[i, j]) for i in range(len(y)) for j in range(len(x))]
    half = _EVERY // 2
    numbers = [
        _number(x[j], depth - y[i], step, sigma[i, j])
        for i in range(half, len(y), _EVERY)
        for j in range(half, len(x), _EVERY)
    ]
    drawn = [_marker(marker, seen=marker.id in view.pose.markers) for marker in view.markers]
    box = f"{-_RIM_MM:g} {-_RIM_MM:g} {width + 2 * _RIM_MM:g} {depth + 2 * _RIM_MM:g}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="sans-serif" text-anchor="middle">',
            f"<title>One sigma of places on the table: {sigma.min():.2f} to {sigma.max():.2f} mm</title>",
            f'<g shape-rendering="crispEdges" transform="translate(0 {depth:g}) scale(1 -1)">',
            *cells,
            *drawn,
            "</g>",
            *numbers,
            "</svg>",
            "",
        ]
    )


def _cell(x: float, y: float, step: float, sigma: float) -> str:
    red, green, blue = np.round(_SURE + (_UNSURE - _SURE) * min(sigma / _TOO_MUCH_MM, 1)).astype(int)
    corner = f'x="{x - step / 2:.1f}" y="{y - step / 2:.1f}" width="{step:.1f}" height="{step:.1f}"'
    return f'<rect {corner} fill="rgb({red},{green},{blue})"/>'


def _number(x: float, y: float, step: float, sigma: float) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{0.7 * step:.1f}">{sigma:.2f}</text>'


def _marker(marker: Marker, *, seen: bool) -> str:
    points = " ".join(f"{x:g},{y:g}" for x, y, _ in marker.corners_mm)
    return f'<polygon points="{points}" fill="{"black" if seen else "none"}" stroke="black" stroke-width="4"/>'
