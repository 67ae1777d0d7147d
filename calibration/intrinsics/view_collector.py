"""View collector: which pictures of a running camera are taken, what to do next, and how surely the lens is known."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Image
from calibration.image import to_gray
from calibration.intrinsics.board_detection import Board, BoardView, detect_board
from calibration.intrinsics.model_selection import fit_model
from calibration.intrinsics.next_view import FEWEST_VIEWS, Hint, next_view
from calibration.pose.covariance_propagation import covariance_mm2, lens_shifts
from calibration.pose.pose_fit import pose_from_rotation
from calibration.view import View
from models.camera import Camera, CameraPose
from models.layout import Fiducials, Layout, Marker

MOST_VIEWS = 40
_STILL = 0.0015  # of the picture's width between two looks: more is blurred by the movement
_OTHER = 0.04  # of the picture's width: a view that differs less from one that was taken tells nothing new
_FILLS = 0.85  # of the picture: how a table is usually framed
_MARKER_MM = 80.0
_CELLS = 3


@dataclass(frozen=True)
class CollectorStep:
    """What one picture brought. `says` is for the one who holds the board."""

    says: str
    was_taken: bool
    is_done: bool
    doubt_mm: float | None


class ViewCollector:
    """Takes a view when the board is held still in a new place, until the lens is known well enough over a table."""

    def __init__(
        self, board: Board, *, table_mm: tuple[float, float], limit_mm: float, must_be_still: bool = True
    ) -> None:
        self.images: list[tuple[str, Image]] = []
        self.views: list[BoardView] = []
        self._board, self._table_mm, self._limit_mm = board, table_mm, limit_mm
        self._must_be_still = must_be_still
        self._last: BoardView | None = None
        self._size: tuple[int, int] | None = None
        self._doubt: Floats | None = None

    def add_image(self, image: Image) -> CollectorStep:
        """Look at one more picture."""
        height, width = image.shape[:2]
        self._size = (width, height)
        view = detect_board(f"view{len(self.images) + 1:02d}", to_gray(image), self._board)
        last, self._last = self._last, view
        if view is None:
            return self._step("show the board to the camera")
        if self._must_be_still and (last is None or _median_distance_px(last, view) > _STILL * width):
            return self._step("hold the board still")
        if any(_median_distance_px(taken, view) < _OTHER * width for taken in self.views):
            return self._step(self._instruct())
        self._take(view, image)
        return self._step(self._instruct(), was_taken=True)

    def _take(self, view: BoardView, image: Image) -> None:
        assert self._size is not None
        self.views.append(view)
        self.images.append((view.name, image.copy()))
        if len(self.views) >= FEWEST_VIEWS and next_view(self.views, self._size) is None:
            self._doubt = lens_sigma_mm(self.views, self._size, table_mm=self._table_mm)

    def _hint(self) -> Hint | None:
        assert self._size is not None
        hint = next_view(self.views, self._size, doubt_mm=self._doubt, limit_mm=self._limit_mm)
        if hint is None and self._doubt is None:
            return Hint("more", "another tilted view: no lens explains these yet")
        return hint

    def _instruct(self) -> str:
        hint = self._hint()
        return "done: the lens is known well enough" if hint is None else hint.says

    def _step(self, says: str, *, was_taken: bool = False) -> CollectorStep:
        is_done = bool(self.views) and (self._hint() is None or len(self.views) >= MOST_VIEWS)
        doubt_mm = None if self._doubt is None else float(self._doubt.max())
        return CollectorStep(says, was_taken, is_done, doubt_mm)


def _median_distance_px(view: BoardView, other: BoardView) -> float:
    """How far the points that both show lie apart in the picture, usually; far when they share too few."""
    places = {tuple(place): at for place, at in zip(view.points_mm.tolist(), view.seen_px, strict=True)}
    off = [
        np.hypot(*(at - places[tuple(place)]))
        for place, at in zip(other.points_mm.tolist(), other.seen_px, strict=True)
        if tuple(place) in places
    ]
    return float(np.median(off)) if len(off) >= 4 else float("inf")


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
