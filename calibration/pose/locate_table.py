"""Camera pose over the table, from the fiducials in one picture."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera_model import projection
from calibration.image import check_size, to_gray
from calibration.pose.fiducial_residuals import FiducialEdges, measure_fiducial
from calibration.pose.marker_detection import MarkerDetections, find_markers, recognise_marker
from calibration.pose.pose_fit import PoseFit, fit_pose, pose_from_rotation
from calibration.view import View
from models.camera import Camera, CameraPose
from models.errors import TableNotVisible
from models.layout import Layout, Marker

Corners = Mapping[int, Floats]

_FEWEST = 2  # one marker alone leaves the far end of the table 100 times its own error away
_LOOKS = 4
_STILL_PX = 0.3  # what an edge is found within, however it is looked for
_FEWEST_TO_JUDGE = 5
_BELIEVED = 0.3
_ROUGH_PX = 3.0


def locate_table(image: Image, *, camera: Camera, layout: Layout) -> CameraPose:
    """Find the camera's pose over the table, from at least two of the layout's fiducials anywhere in the picture.

    Raises: TableNotVisible naming the ids that were seen, seen twice and missing; BadLayout; BadInput for a picture
    of another size than the camera was calibrated at.
    """
    check_size(image, camera)
    finds = find_markers(to_gray(image), layout=layout)
    corners = _recover_markers(image, finds, camera=camera, layout=layout)
    _check_enough(corners, layout, twice=finds.twice)
    start = _initial_pose(corners, camera=camera, layout=layout)
    pose = _refine_on_edges(image, View(camera, start, layout), without=finds.twice)
    named = {"twice": finds.twice, "strangers": finds.strangers}
    return CameraPose.model_validate(pose.model_dump() | named)


def refine_pose(image: Image, previous: CameraPose, *, camera: Camera, layout: Layout) -> CameraPose:
    """Refine a pose that is still near `previous`: only the places where fiducials are expected are looked at.

    Follows a shift of up to a quarter of a marker. Raises: as `locate_table`, which finds a table after a larger one.
    """
    check_size(image, camera)
    before = View(camera, previous, layout)
    looks = {marker.id: recognise_marker(image, marker, view=before) for marker in before.markers}
    corners = {id_: near for id_, near in looks.items() if near is not None}
    return _refine_on_edges(image, before.with_pose(_initial_pose(corners, camera=camera, layout=layout)))


def _initial_pose(corners: Corners, *, camera: Camera, layout: Layout) -> CameraPose:
    """A first pose from rough corners; one marker's corners that disagree with the others' are left out.

    Raises: TableNotVisible.
    """
    _check_enough(corners, layout)
    pose = _pose_from_corners(corners, camera=camera, layout=layout)
    places = {marker.id: marker.corners_mm for marker in layout.fiducials.markers}
    view = View(camera, pose, layout)
    misses = {i: float(np.abs(view.project(places[i]) - seen).max()) for i, seen in corners.items()}
    worst = max(misses, key=lambda i: misses[i])
    if len(corners) > _FEWEST and misses[worst] > _ROUGH_PX:
        return _initial_pose({i: c for i, c in corners.items() if i != worst}, camera=camera, layout=layout)
    return pose


def _recover_markers(image: Image, finds: MarkerDetections, *, camera: Camera, layout: Layout) -> Corners:
    """The corners that were found; where only one marker was, those too that are recognised where it lets them expect,
    a corner of each being covered."""
    found = finds.corners_px
    if len(found) != 1:
        return found
    others = [m for m in layout.fiducials.markers if m.id not in found and m.id not in finds.twice]
    best = found
    for pose in _poses_above(found, camera=camera, layout=layout, flags=cv2.SOLVEPNP_IPPE):
        view = View(camera, pose, layout)
        seen = {marker.id: recognise_marker(image, marker, view=view) for marker in others}
        known = found | {i: corners for i, corners in seen.items() if corners is not None}
        best = max(best, known, key=len)
    return best


def _poses_above(corners: Corners, *, camera: Camera, layout: Layout, flags: int) -> list[CameraPose]:
    """The poses over the table that show markers with these corners, the likeliest first."""
    markers = [marker for marker in layout.fiducials.markers if marker.id in corners]
    places = np.concatenate([marker.corners_mm for marker in markers])
    flat = projection.normalise(np.concatenate([corners[marker.id] for marker in markers]), camera=camera)
    _, turns, shifts, _ = cv2.solvePnPGeneric(places, flat, np.eye(3), None, flags=flags)
    poses = [
        pose_from_rotation(np.asarray(cv2.Rodrigues(turn)[0], np.float64), np.ravel(shift).astype(np.float64))
        for turn, shift in zip(turns, shifts, strict=True)
    ]
    return [pose for pose in poses if pose.centre_mm[2] > 0]


def _pose_from_corners(corners: Corners, *, camera: Camera, layout: Layout) -> CameraPose:
    above = _poses_above(corners, camera=camera, layout=layout, flags=cv2.SOLVEPNP_SQPNP)
    if not above:
        raise TableNotVisible(
            "the fiducials show the table from below: is the picture or a print mirrored?", seen=sorted(corners)
        )
    return above[0]


def _refine_on_edges(image: Image, view: View, *, without: Sequence[int] = ()) -> CameraPose:
    """The pose refined on the edges of all markers in sight; one that is covered, or was moved, is left out."""
    markers: Sequence[Marker] = [marker for marker in view.markers if marker.id not in without]
    fit = _fit_markers(image, view, markers, roughly=True)
    for _ in range(_LOOKS):
        before, fit = view.with_pose(fit.pose), _fit_markers(image, view.with_pose(fit.pose), markers)
        if _corner_shift_px(before, fit.pose) < _STILL_PX:
            break
    markers = [marker for marker in markers if fit.believed.get(marker.id, 0) > _BELIEVED]
    if len(markers) < len(fit.believed):
        fit = _fit_markers(image, view.with_pose(fit.pose), markers)
    return _drop_outlier(image, view, fit, markers).pose


def _corner_shift_px(before: View, after: CameraPose) -> float:
    """How far the fiducials' corners lie apart in the two poses, at most."""
    corners = np.concatenate([marker.corners_mm for marker in before.markers])
    return float(np.nanmax(np.abs(before.with_pose(after).project(corners) - before.project(corners)), initial=0))


def _drop_outlier(image: Image, view: View, fit: PoseFit, markers: Sequence[Marker]) -> PoseFit:
    """The fit without a marker that the others contradict; of fewer than five nobody can say which one is off."""
    if fit.disagreement < 1 or len(markers) < _FEWEST_TO_JUDGE:
        return fit
    rests = [[kept for kept in markers if kept is not stray] for stray in markers]
    fits = [_fit_markers(image, view.with_pose(fit.pose), rest) for rest in rests]
    best = min(range(len(fits)), key=lambda i: fits[i].disagreement)
    if fits[best].disagreement > fit.disagreement / 2:
        return fit
    return _drop_outlier(image, view, fits[best], rests[best])


def _fit_markers(image: Image, view: View, markers: Sequence[Marker], *, roughly: bool = False) -> PoseFit:
    fiducials = view.layout.fiducials
    looks = [
        measure_fiducial(image, marker, fiducials=fiducials, camera=view.camera, pose=view.pose, roughly=roughly)
        for marker in markers
    ]
    seen: list[FiducialEdges] = [edges for edges in looks if edges is not None]
    if len(seen) < _FEWEST:
        raise TableNotVisible(
            "fiducials are in sight, but too blurred, too dark or too small to be measured: focus, or give light",
            seen=[edges.marker.id for edges in seen],
            missing=sorted({marker.id for marker in markers} - {edges.marker.id for edges in seen}),
        )
    return fit_pose(seen, pose=view.pose, fiducials=fiducials)


def _check_enough(seen: Corners, layout: Layout, *, twice: Sequence[int] = ()) -> None:
    if len(seen) >= _FEWEST:
        return
    missing = sorted({marker.id for marker in layout.fiducials.markers} - set(seen) - set(twice))
    raise TableNotVisible(
        f"at least {_FEWEST} fiducials must be in sight; seen: {_list_ids(seen)}; missing: {_list_ids(missing)}"
        + (f"; seen twice, so not usable: {_list_ids(twice)}" if twice else ""),
        seen=sorted(seen),
        twice=list(twice),
        missing=missing,
    )


def _list_ids(ids: Corners | Sequence[int]) -> str:
    return ", ".join(map(str, sorted(ids))) or "none"
