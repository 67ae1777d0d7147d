"""Verdict: answer, margin, uncertainty, witness, blockers and source together."""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from models.frozen import Frozen
from models.vocabulary import EditionId, Id, Share
from models.written_book import BookStamp

# What is answered has no upper limit: a ring of the largest range that may be asked for is larger still.
NotNegative = Annotated[float, Field(ge=0)]
Point = tuple[float, float]

CAPPED_MM = 1000.0  # the margin of an answer that nothing can flip


class Answer(StrEnum):
    YES = "yes"
    NO = "no"
    TOO_CLOSE = "too-close"


class Source(Frozen):
    """Where a rule stands; never its words."""

    book: str
    section: str
    page: int | None = None


class Reason(Frozen):
    """One rule that decided, in our words, and what it did here."""

    source: Source
    says: str
    effect: str | None = None


class MeasuredLength(Frozen):
    """A length on the table with its own doubt."""

    name: str
    value_mm: float
    sigma_mm: NotNegative = 0.0


WitnessType = Literal["segment", "polyline", "point", "circle", "arc", "polygon"]
WitnessRole = Literal["clear", "blocked", "touching", "arc", "limit", "path", "hit", "blocker"]


class Witness(Frozen):
    """Geometry one can point at. Points are table millimetres; `z_mm` are their heights where they matter."""

    type: WitnessType
    role: WitnessRole
    points_mm: tuple[Point, ...] | None = None
    centre_mm: Point | None = None
    radius_mm: NotNegative | None = None
    from_deg: float | None = None
    to_deg: float | None = None
    z_mm: tuple[float, ...] | None = None
    of: tuple[str, ...] = ()


class Member(Frozen):
    """One candidate of a question about many."""

    id: Id
    answer: Answer | None = Field(None, description="None where what decides has not been told")
    probability: Share | None = None
    margin_mm: float | None = None
    sigma_mm: NotNegative | None = None


class Flip(Frozen):
    """A reading of the book under which the answer would change."""

    house_rule: str
    reading: str
    answer: Answer


class SwitchFlip(Frozen):
    """A condition near its threshold: by how much it is met, and what is found where it turns."""

    whether: str = Field(description='in words, such as "whether t touches c1"')
    margin_mm: float = Field(description="by how much it is met; negative where it is not")
    sigma_mm: NotNegative
    probability: Share = Field(description="that it turns")
    answer: Answer | None = Field(None, description="on the exact table on which it alone has turned")
    value: dict[str, JsonValue] = Field({}, description="what of the value is another there")
    witness: tuple[Witness, ...] = Field((), description="what decides there, to be drawn dotted")


class Outcome(Frozen):
    """One of several values that a measuring error parts, and how probable it is."""

    probability: Share
    value: dict[str, JsonValue] = Field(description="the parts of the value that differ between outcomes")


class ProbabilityEstimate(Frozen):
    """How a probability was come by: that of the share of tables, as measured, on which the exact rule says yes."""

    method: Literal["told", "first-order", "redrawn"] = Field(
        description="a contact that was told, margins linear in the errors, or tables redrawn and counted"
    )
    low: Share = Field(description="it lies between this")
    high: Share = Field(description="and this, two standard deviations either way")
    draws: NotNegative | None = Field(None, description="redrawn tables as sure as this; None where none were counted")


class Verdict(Frozen):
    """The referee's whole answer. `probability` is that of the condition being met."""

    version: Literal[1] = 1
    kind: str
    edition: EditionId
    book: BookStamp | None = Field(None, description="the rulebook written as data that decided, if one did")
    status: Literal["decided", "measured", "unknown", "refused"]
    answer: Answer | None = None
    probability: Share | None = None
    estimate: ProbabilityEstimate | None = Field(None, description="how the probability was come by; None: no doubt")
    margin_mm: float | None = None
    margin_deg: float | None = None
    sigma_mm: NotNegative | None = None
    sigma_deg: NotNegative | None = None
    capped: bool = Field(False, description="nothing can flip this answer; the margin reads 1000")
    at_edge: bool = Field(False, description="the margin is exactly zero, and the book's word on zero decided")
    value: dict[str, JsonValue] = {}
    measured: tuple[MeasuredLength, ...] = ()
    members: tuple[Member, ...] = ()
    witness: tuple[Witness, ...] = ()
    blockers: tuple[Id, ...] = ()
    because: tuple[Reason, ...] = ()
    house_rules: dict[str, str] = {}
    flips_under: tuple[Flip, ...] = ()
    flips_if: tuple[SwitchFlip, ...] = Field((), description="conditions so near that a measuring error may turn them")
    outcomes: tuple[Outcome, ...] = Field((), description="where errors part the value: each, the likeliest first")
    needs: tuple[str, ...] = Field((), description="what to supply, when the answer is unknown")
    unlock: str | None = Field(None, description="what would make a refused question answerable")
    advice: str | None = None
    state_id: str
    query: dict[str, Any]


class SideBySide(Verdict):
    """The verdict of one of several rulebooks; `parts` names where it is not what the first of them says."""

    parts: tuple[str, ...] = ()
