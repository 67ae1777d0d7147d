"""Evidence schemas: what a journal line names, and the facts that are kept beside the pictures."""

from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from models.camera import Camera, CameraPose
from models.frozen import Frozen
from models.state import TableState
from models.verdict import Verdict
from models.vocabulary import NotNegative

EvidenceName = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}\.(jpg|svg|json)$")]


class PixelBox(Frozen):
    """A rectangle of the camera's picture, in whole pixels."""

    left_px: int
    top_px: int
    width_px: int
    height_px: int


class PictureFacts(Frozen):
    """Where a settled picture came from. Pixels of `table_px_per_mm` count from the table's far-left corner."""

    settled_line: int = Field(ge=1, description="the journal's line of the state that was measured in it")
    t_s: NotNegative = Field(description="seconds into the recording")
    taken_at_s: float = Field(description="seconds since 1970")
    camera: Camera = Field(description="lens with its residuals: `rms_px`, `heldout_px`")
    pose: CameraPose = Field(description="where the camera hung, with its residuals: `rms_px`, `rms_mm`")
    pose_age_s: NotNegative = Field(description="how long before the picture the pose was measured")
    table_mm: tuple[float, float]
    crop_px: PixelBox | None = Field(None, description="what of the picture the crop shows; null: it is not in sight")
    table_px_per_mm: float = 1.0


class EvidenceFacts(Frozen):
    """All that was known when the verdict was given; `picture` is null where no picture of that moment is kept."""

    version: int = 1
    software: str
    weights_sha256: str
    picture: PictureFacts | None
    state: TableState
    verdict: Verdict = Field(description="with its query and house rules")


class Evidence(Frozen):
    """Files beside the journal, each named by the SHA-256 of what is in it.

    `crop`: the camera's own picture around what decides; `table`: the whole table straightened; `overlay`: what
    decides, as SVG in table millimetres; `facts`: an `EvidenceFacts`.
    """

    crop: EvidenceName | None = None
    table: EvidenceName | None = None
    overlay: EvidenceName
    facts: EvidenceName

    def names(self) -> tuple[str, ...]:
        return tuple(name for name in (self.crop, self.table, self.overlay, self.facts) if name is not None)


class TablePart(Frozen):
    """A rectangle of the table, in whole millimetres."""

    left_mm: int = Field(ge=0)
    near_mm: int = Field(ge=0)
    right_mm: int = Field(ge=1, le=20_000)
    far_mm: int = Field(ge=1, le=20_000)

    @model_validator(mode="after")
    def _has_room(self) -> "TablePart":
        if self.right_mm <= self.left_mm or self.far_mm <= self.near_mm:
            raise ValueError("a part of the table has a width and a depth")
        return self

    def within(self, table_mm: tuple[float, float]) -> tuple[float, float, float, float]:
        """Left, near, right and far edge within a table. Raises: ValueError when it lies beside it."""
        right, far = min(float(self.right_mm), table_mm[0]), min(float(self.far_mm), table_mm[1])
        if right <= self.left_mm or far <= self.near_mm:
            raise ValueError("this part lies beyond the table")
        return float(self.left_mm), float(self.near_mm), right, far
