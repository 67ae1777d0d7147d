"""Camera pose from taps: by fiducials, the mat's tapped corners, or both."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.arrays import Image
from calibration.pose.locate_table import locate_table
from calibration.pose.mat_corners import CUT_MM, combine_poses, locate_by_corners
from calibration.view import View
from models.camera import Camera
from models.errors import BadInput, TableNotVisible
from models.layout import Layout
from models.vocabulary import Point

SIDES = ("near", "right", "far", "left")


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
