"""Camera health schema: how well a camera sees; `health_monitor` measures it."""

from typing import Literal

from pydantic import Field

from models.frozen import Frozen
from models.vocabulary import NotNegative


class CameraHealth(Frozen):
    """What the camera sends, and how surely it knows the table."""

    frames_per_s: NotNegative = Field(description="that were looked at")
    size_px: tuple[int, int]
    sharpness: float = Field(ge=0, le=1, description="of the sharpest picture so far; less: out of focus, or moved")
    brightness: float = Field(ge=0, le=255, description="mean grey level")
    exposure: Literal["good", "dark", "bright"]
    calibration_px: NotNegative = Field(description="what the lens's calibration leaves, on views that it did not see")
    table_sigma_mm: NotNegative | None = Field(description="how far the table's worst corner may be off by the pose")
