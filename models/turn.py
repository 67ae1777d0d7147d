"""Turn: whose it is, and what has been done in it."""

from typing import Literal

from pydantic import Field, model_validator

from models.frozen import Frozen
from models.pose import Pose
from models.vocabulary import AngleDeg, Id, LengthIn, Moved, Point, PositiveIn, Word

Phase = Literal[
    "set-up", "maintenance", "control", "activation", "charge", "compulsory", "movement", "magic", "shooting", "combat"
]


class Declaration(Frozen):
    """What has been announced; it opens the licences to measure."""

    what: Literal[
        "charge", "slam", "trample", "throw", "ranged-attack", "melee-attack", "push", "power-attack", "spell",
        "ability", "move", "check",
    ]  # fmt: skip
    by: Id
    target: Id | None = None
    weapon: str | None = None
    range_in: PositiveIn | None = None
    heading_deg: float | None = None
    participants: tuple[Id, ...] = ()


class Deed(Frozen):
    """One charge, cast or attack of this turn."""

    what: Word
    by: Id
    target: Id | None = None


class Turn(Frozen):
    round: int | None = None
    active: str | None = None
    phase: Phase | None = None
    activating: Id | None = None
    declared: Declaration | None = None
    log: tuple[Deed, ...] = ()


class Step(Frozen):
    """A manoeuvre of a ranked unit: what it does, by how many inches or degrees."""

    do: Literal["forward", "backward", "left", "right", "wheel-left", "wheel-right", "pivot"]
    by_in: LengthIn | None = Field(None, description="how far, in inches; of steps that go somewhere")
    by_deg: float | None = Field(None, ge=-360, le=360, description="by how many degrees; of wheels and pivots")

    @model_validator(mode="after")
    def _has_its_amount(self) -> "Step":
        turns = self.do in ("wheel-left", "wheel-right", "pivot")
        wanted, other = ("by_deg", "by_in") if turns else ("by_in", "by_deg")
        if getattr(self, wanted) is None or getattr(self, other) is not None:
            raise ValueError(f"{self.do} takes {wanted} and nothing else")
        if self.do != "pivot" and (self.by_deg or 0.0) < 0:
            raise ValueError(f"{self.do} takes by_deg of 0 and more, not {self.by_deg:g}: wheel to the other hand")
        return self


class UnitPose(Frozen):
    """The pose of a ranked unit: the middle of its front edge and where it looks."""

    front_mm: Point
    facing_deg: AngleDeg
    files: int | None = Field(None, ge=1, le=1000)


class ThisTurn(Frozen):
    """What a miniature or unit did since its activation (W: its move) began."""

    start: Pose | UnitPose | None = None
    path_mm: tuple[Point, ...] | None = None
    steps: tuple[Step, ...] | None = None
    moved: tuple[Moved, ...] = ()
    charged: Id | None = None
    charge_failed: bool = False
    charge_side: Literal["front", "left", "right", "rear"] | None = None
    forfeited: tuple[Literal["movement", "action"], ...] = ()
    attacked: bool = False
    shot: bool = False
    cast: bool = False
    stood_up: bool = False
    rallied: bool = False
    joined: bool = False
    tested: bool = False
    engaged_before: tuple[Id, ...] = ()
    entered: tuple[Id, ...] = ()
    knocked_down_in: str | None = None
