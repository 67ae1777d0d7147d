"""Camera model and pose: a camera's lens, and where the camera hangs over the table."""

from typing import Literal

from pydantic import Field

from models.frozen import Frozen
from models.vocabulary import NotNegative, Positive

Row3 = tuple[float, float, float]


class Camera(Frozen):
    """Intrinsics in OpenCV's convention, integer coordinates at pixel centres.

    `covariance` is that of (fx, fy, cx, cy, *dist), in px and OpenCV's dimensionless distortion terms.
    """

    version: Literal[1] = 1
    image_size: tuple[int, int]
    model: Literal["pinhole2", "brown", "rational", "fisheye"] = "brown"
    K: tuple[Row3, Row3, Row3]
    dist: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    rms_px: NotNegative
    heldout_px: NotNegative | None = Field(None, description="RMS of views that the fit did not see")
    heldout_mm: NotNegative | None = Field(None, description="the same on the board, in millimetres")
    views: tuple[str, ...] = Field((), description="names of the views that were used")


class CameraPose(Frozen):
    """`camera_from_table`: x_camera = R x_table + t.

    `covariance` is that of (rotation vector of a small turn applied on the camera's side, t), rad and mm.
    """

    version: Literal[1] = 1
    rotation: tuple[Row3, Row3, Row3] = Field(description="R of camera_from_table")
    translation_mm: Row3
    covariance: tuple[tuple[float, ...], ...]
    rms_px: NotNegative
    rms_mm: NotNegative = Field(description="the same residual on the table")
    markers: tuple[int, ...] = Field(description="ids of the fiducials that were seen")
    held_mm: tuple[Row3, ...] = Field((), description="other places that it was found by: the mat's corners")
    table_mm: tuple[Positive, Positive] | None = Field(None, description="size of the table that it was found by")
    centre_mm: Row3 = Field(description="where the camera's centre is, in the table frame")
    twice: tuple[int, ...] = Field((), description="ids that two prints in sight share: neither was used")
    strangers: tuple[int, ...] = Field((), description="ids in sight that the layout does not hold")
