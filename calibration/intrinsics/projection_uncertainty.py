"""Projection uncertainty: how far a fitted lens may put places off, over a table that nobody has seen yet."""

from collections.abc import Sequence

import numpy as np

from calibration.arrays import Floats
from calibration.intrinsics.board_detection import BoardView
from calibration.intrinsics.model_selection import fit_model
from calibration.pose.covariance_propagation import covariance_mm2, lens_shifts
from calibration.pose.pose_fit import pose_from_rotation
from calibration.view import View
from models.camera import Camera, CameraPose
from models.layout import Fiducials, Layout, Marker

_FILLS = 0.85  # of the picture: how a table is usually framed
_MARKER_MM = 80.0
_CELLS = 3


def lens_sigma_mm(views: Sequence[BoardView], size: tuple[int, int], *, table_mm: tuple[float, float]) -> Floats | None:
    """Sigma by the lens (both axes together) in each ninth of a table that fills the picture, (3, 3).

    Rows from the top of the picture. The camera hangs straight above it, with fiducials in the table's corners. None
    when no lens can be fitted to the views yet.
    """
    fit = fit_model("brown", views, size)
    if fit is None or not np.all(np.isfinite(fit.covariance)):
        return None
    view = _view_from_above(_make_camera(fit.whole.lens.values, fit.covariance, size), table_mm)
    places = _grid_mm(table_mm)
    if not np.all(np.isfinite(view.project(places))):
        return None
    shifts = lens_shifts(places, view=view)
    sigma = np.sqrt(np.trace(covariance_mm2(shifts), axis1=1, axis2=2))
    return np.asarray(sigma.reshape(_CELLS, _CELLS))


def _make_camera(values: Floats, covariance: Floats, size: tuple[int, int]) -> Camera:
    fx, fy, cx, cy, *dist = values.tolist()
    return Camera(
        image_size=size,
        model="brown",
        K=((fx, 0.0, cx), (0.0, fy, cy), (0.0, 0.0, 1.0)),
        dist=tuple(dist),
        covariance=tuple(tuple(map(float, row)) for row in covariance),
        rms_px=0,
    )


def _view_from_above(camera: Camera, table_mm: tuple[float, float]) -> View:
    """Straight above the table's middle, as near as the table lets it, the far edge up in the picture."""
    (width, depth), (width_px, height_px) = table_mm, camera.image_size
    height_mm = max(width * camera.K[0][0] / width_px, depth * camera.K[1][1] / height_px) / _FILLS
    pose = pose_from_rotation(np.diag([1.0, -1.0, -1.0]), np.array([-width / 2, depth / 2, height_mm]))
    fiducials = Fiducials(dictionary="DICT_4X4_50", marker_mm=_MARKER_MM, markers=_corner_markers(table_mm))
    used = CameraPose.model_validate(pose.model_dump() | {"markers": [marker.id for marker in fiducials.markers]})
    return View(camera, used, Layout(table_mm=table_mm, fiducials=fiducials))


def _grid_mm(table_mm: tuple[float, float]) -> Floats:
    """The middle, the corners and the middles of the sides, from the far left to the near right."""
    x, y = (np.linspace(0, side, _CELLS) for side in table_mm)
    across, along = np.meshgrid(x, y[::-1])
    return np.column_stack([across.ravel(), along.ravel(), np.zeros(_CELLS**2)])


def _corner_markers(table_mm: tuple[float, float]) -> tuple[Marker, ...]:
    (width, depth), size = table_mm, _MARKER_MM
    corners = [(0.0, 0.0), (width - size, 0.0), (width - size, depth - size), (0.0, depth - size)]
    return tuple(
        Marker(id=i, corners_mm=((x, y + size, 0), (x + size, y + size, 0), (x + size, y, 0), (x, y, 0)))
        for i, (x, y) in enumerate(corners)
    )
