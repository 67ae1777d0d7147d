"""Corner service: takes a picture, assesses the tapped corners of the mat, keeps the pose."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

import cv2
import numpy as np
from pydantic import Field

from api.corners.pose_from_taps import TappedPose, fit_pose, heat_map
from api.errors import NoPicture, RoomShown
from api.seats.permissions import Seat
from calibration.arrays import Floats, Image
from calibration.camera_model.rescale import rescale_camera
from calibration.pose.covariance_propagation import sigma_mm
from calibration.pose.mat_sides import corners_mm
from models.camera import Camera, CameraPose
from models.errors import BadInput
from models.frozen import Frozen
from models.layout import Layout
from models.vocabulary import NotNegative, Point, Positive

Size = tuple[Annotated[float, Field(ge=100, le=10_000)], Annotated[float, Field(ge=100, le=10_000)]]
_QUALITY = 92
_CELLS = 9


class CornerImage(Frozen):
    """A picture that was taken for the page; `table_mm` is what is known of the table's size."""

    version: int
    width_px: int
    height_px: int
    table_mm: tuple[Positive, Positive] | None
    is_table_sure: bool = Field(description="the size stands in the layout and cannot be chosen")
    is_edged: bool = Field(
        False, description="what lies beyond the table's last known edge, and a hand's breadth, is black"
    )
    may_show_room: bool = Field(True, description="whether this seat may look at all that the camera sees")


class Taps(Frozen):
    """The mat's corners in a picture: near left, near right, far right, far left."""

    version: int = Field(description="of the picture they were tapped in")
    corners_px: tuple[Point, Point, Point, Point]
    table_mm: Size
    keep: bool = Field(False, description="hang the camera there: write the pose file, or place the live table")


class TapAssessment(Frozen):
    """What the taps make: how surely places are known, and whether that will do."""

    fit: Literal["fit", "rough", "unfit"]
    says: str
    worst_mm: NotNegative = Field(description="one sigma, both axes together, at the worst place of the table")
    usual_mm: NotNegative = Field(description="the same, RMS over the table")
    notes: tuple[str, ...]
    outline_px: tuple[Point, ...] = Field(description="the table's rim as the pose puts it into the picture")
    kept: str | None = Field(None, description="as what it was kept")


FIT_MM, ROUGH_MM = 0.5, 1.6  # the self-check's limit, and what players' rulers are good to
_RIM_STEPS = 24

GrabImage = Callable[[bool], tuple[Image, bool]]
"""Takes a picture, with the room or without; and says whether the room in it is black."""


@dataclass(frozen=True)
class _HeldImage:
    """The picture that is tapped in, and the camera as it is in pictures of this size.

    `room_for`: the seat that may see it, where the room is in it; None: it is black there.
    """

    version: int
    image: Image
    camera: Camera
    room_for: Seat | None


class CornerService:
    """Holds one picture at a time: taps on an older one are refused, since the camera may have moved since.

    `newest` takes a picture; `keep` takes the pose, and says as what it is kept. A picture of another size than was
    calibrated is taken for the same picture made smaller or larger, as everywhere.
    """

    def __init__(
        self,
        newest: GrabImage,
        *,
        camera: Camera,
        layout: Layout | None,
        table_mm: tuple[float, float] | None,
        cut_mm: float,
        keep: Callable[[CameraPose], str],
    ) -> None:
        self._newest = newest
        self._camera = camera
        self._layout = layout
        self._table_mm = layout.table_mm if layout else table_mm
        self._cut_mm = cut_mm
        self._keep = keep
        self._held: _HeldImage | None = None
        self._map = ""
        self._lock = threading.Lock()

    def take_image(self, *, seat: Seat = "judge", with_room: bool = True, may_show_room: bool = True) -> CornerImage:
        """Take a picture. Raises: SourceLost, BadFile, BadInput when this camera cannot have taken it."""
        with self._lock:
            image, is_edged = self._newest(with_room)
            height, width = image.shape[:2]
            camera = rescale_camera(self._camera, (width, height))
            version = self._held.version + 1 if self._held else 1
            self._held = _HeldImage(version, image, camera, None if is_edged else seat)
        return CornerImage(
            version=version,
            width_px=width,
            height_px=height,
            table_mm=self._table_mm,
            is_table_sure=self._layout is not None,
            is_edged=is_edged,
            may_show_room=may_show_room,
        )

    def jpeg(self, version: int, *, seat: Seat = "judge") -> bytes:
        """The picture of this version. Raises: NoPicture; RoomShown when another seat asked for it with the room."""
        held = self._held
        if held is None or held.version != version:
            raise NoPicture("There is a newer picture, or none yet.")
        if held.room_for not in (None, seat):
            raise RoomShown("This picture shows the room; it is for the seat that asked for it.", right="rule")
        _, encoded = cv2.imencode(".jpg", held.image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        return bytes(encoded.tobytes())

    def assess(self, taps: Taps) -> TapAssessment:
        """What the taps make; the pose is written when that is wanted. Raises: BadInput."""
        held = self._held
        if held is None or held.version != taps.version:
            raise BadInput(
                "version: a newer picture was taken; tap the corners in that one", field="version", value=taps.version
            )
        tapped = fit_pose(
            held.image,
            camera=held.camera,
            layout=self._layout,
            corners=taps.corners_px,
            size_mm=taps.table_mm,
            cut_mm=self._cut_mm,
        )
        self._map = heat_map(tapped.view)
        return _assess_pose(tapped, kept=self._keep(tapped.view.pose) if taps.keep else None)

    def heat_map(self) -> str:
        """How surely places are known by the last taps, as SVG. Raises: NoPicture."""
        if not self._map:
            raise NoPicture("No corners have been judged yet.")
        return self._map


def _assess_pose(tapped: TappedPose, *, kept: str | None) -> TapAssessment:
    table_mm = tapped.view.table_mm
    each = sigma_mm(_grid_points(table_mm), view=tapped.view)
    worst, usual = float(each.max()), float(np.sqrt(np.mean(each**2)))
    rim = tapped.view.project(rim_points(table_mm))
    return TapAssessment(
        fit="fit" if worst <= FIT_MM else "rough" if worst <= ROUGH_MM else "unfit",
        says=_describe_sigma(worst),
        worst_mm=round(worst, 3),
        usual_mm=round(usual, 3),
        notes=tapped.says,
        outline_px=tuple((float(x), float(y)) for x, y in rim[np.isfinite(rim).all(axis=1)]),
        kept=kept,
    )


def _describe_sigma(worst_mm: float) -> str:
    known = f"places are known to {worst_mm:.2f} mm at worst"
    if worst_mm <= FIT_MM:
        return f"Fit to judge: {known}."
    if worst_mm <= ROUGH_MM:
        return f"Rough: {known}. Better than a tape; more calls will be too close. Fiducials make it sharp."
    return f"Not fit to judge: {known}. Tap nearer to the corners, or light the mat's edges so that they can be seen."


def _grid_points(table_mm: tuple[float, float]) -> Floats:
    x, y = (np.linspace(0, side, _CELLS) for side in table_mm)
    return np.stack(np.meshgrid(x, y, [0.0]), axis=-1).reshape(-1, 3)


def rim_points(table_mm: tuple[float, float]) -> Floats:
    """Places all along the table's edge, (N, 3) mm."""
    corners = corners_mm(table_mm)
    share = np.arange(_RIM_STEPS)[:, None] / _RIM_STEPS
    sides = [corners[i] + share * (corners[(i + 1) % 4] - corners[i]) for i in range(4)]
    return np.concatenate(sides)
