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
    found = _refine_on_edges(image, start, camera=camera, layout=layout, without=finds.twice)
    named = {"twice": finds.twice, "strangers": finds.strangers}
    return CameraPose.model_validate(found.model_dump() | named)


def refine_pose(image: Image, previous: CameraPose, *, camera: Camera, layout: Layout) -> CameraPose:
    """Refine a pose that is still near `previous`: only the places where fiducials are expected are looked at.

    Follows a shift of up to a quarter of a marker. Raises: as `locate_table`, which finds a table after a larger one.
    """
    check_size(image, camera)
    corners = {
        marker.id: near
        for marker in layout.fiducials.markers
        if (near := recognise_marker(image, marker, name=layout.fiducials.dictionary, camera=camera, pose=previous))
        is not None
    }
    return _refine_on_edges(image, _initial_pose(corners, camera=camera, layout=layout), camera=camera, layout=layout)


def _initial_pose(corners: Corners, *, camera: Camera, layout: Layout) -> CameraPose:
    """A first pose from rough corners; one marker's corners that disagree with the others' are left out.

    Raises: TableNotVisible.
    """
    _check_enough(corners, layout)
    pose = _pose_from_corners(corners, camera=camera, layout=layout)
    places = {marker.id: marker.corners_mm for marker in layout.fiducials.markers}
    misses = {
        i: float(np.abs(projection.project(places[i], camera=camera, pose=pose) - seen).max())
        for i, seen in corners.items()
    }
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
    others = [one for one in layout.fiducials.markers if one.id not in found and one.id not in finds.twice]
    best = found
    for pose in _poses_above(found, camera=camera, layout=layout, flags=cv2.SOLVEPNP_IPPE):
        seen = {
            one.id: recognise_marker(image, one, name=layout.fiducials.dictionary, camera=camera, pose=pose)
            for one in others
        }
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


def _refine_on_edges(
    image: Image, pose: CameraPose, *, camera: Camera, layout: Layout, without: Sequence[int] = ()
) -> CameraPose:
    """The pose refined on the edges of all markers in sight; one that is covered, or was moved, is left out."""
    markers: Sequence[Marker] = [marker for marker in layout.fiducials.markers if marker.id not in without]
    done = _fit_markers(image, pose, markers, camera=camera, layout=layout, roughly=True)
    for _ in range(_LOOKS):
        before, done = done.pose, _fit_markers(image, done.pose, markers, camera=camera, layout=layout)
        if _corner_shift_px(before, done.pose, camera=camera, layout=layout) < _STILL_PX:
            break
    markers = [marker for marker in markers if done.believed.get(marker.id, 0) > _BELIEVED]
    if len(markers) < len(done.believed):
        done = _fit_markers(image, done.pose, markers, camera=camera, layout=layout)
    return _drop_outlier(image, done, markers, camera=camera, layout=layout).pose


def _corner_shift_px(before: CameraPose, after: CameraPose, *, camera: Camera, layout: Layout) -> float:
    """How far the fiducials' corners lie apart in the two poses, at most."""
    corners = np.concatenate([marker.corners_mm for marker in layout.fiducials.markers])
    off = projection.project(corners, camera=camera, pose=after) - projection.project(
        corners, camera=camera, pose=before
    )
    return float(np.nanmax(np.abs(off), initial=0))


def _drop_outlier(image: Image, done: PoseFit, markers: Sequence[Marker], *, camera: Camera, layout: Layout) -> PoseFit:
    """The fit without a marker that the others contradict; of fewer than five nobody can say which one is off."""
    if done.disagreement < 1 or len(markers) < _FEWEST_TO_JUDGE:
        return done
    rests = [[kept for kept in markers if kept is not stray] for stray in markers]
    fits = [_fit_markers(image, done.pose, rest, camera=camera, layout=layout) for rest in rests]
    best = min(range(len(fits)), key=lambda i: fits[i].disagreement)
    if fits[best].disagreement > done.disagreement / 2:
        return done
    return _drop_outlier(image, fits[best], rests[best], camera=camera, layout=layout)


def _fit_markers(
    image: Image,
    pose: CameraPose,
    markers: Sequence[Marker],
    *,
    camera: Camera,
    layout: Layout,
    roughly: bool = False,
) -> PoseFit:
    looks = [
        measure_fiducial(image, marker, fiducials=layout.fiducials, camera=camera, pose=pose, roughly=roughly)
        for marker in markers
    ]
    seen: list[FiducialEdges] = [one for one in looks if one is not None]
    if len(seen) < _FEWEST:
        raise TableNotVisible(
            "fiducials are in sight, but too blurred, too dark or too small to be measured: focus, or give light",
            seen=[one.marker.id for one in seen],
            missing=sorted({marker.id for marker in markers} - {one.marker.id for one in seen}),
        )
    return fit_pose(seen, pose=pose, fiducials=layout.fiducials)


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
