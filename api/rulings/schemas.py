"""Ruling schemas: what a judge decided about a verdict, and what the tape says."""

from typing import Literal

from pydantic import Field, model_validator

from api.answers.answer_line import Line
from api.answers.pair_sheet import Pair, Sheet
from api.clocks.schemas import ClocksView
from api.corrections.told_facts import RecordedFact
from api.evidence.schemas import Evidence
from api.live.alarms import Alarm
from api.live.messages import RulingSummary
from api.live.moments import Moment
from api.overlay.schemas import OnAirPreview, Production
from api.seats.permissions import Seat
from api.seats.schemas import Scoreboard
from models.frozen import Frozen
from models.unit_conversion import inches
from models.verdict import MeasuredLength
from models.vocabulary import Id, NotNegative

Decision = Literal["accepted", "overruled", "rolled"]
DECISION_WORDS: dict[Decision, str] = {"accepted": "Accepted", "overruled": "Overruled", "rolled": "Let them roll"}


class TapeReading(Frozen):
    """How far apart a judge measured two bases, rim to rim, as well as a tape can tell."""

    a: Id
    b: Id
    value_in: NotNegative = Field(le=120)
    is_exact: bool = Field(False, description="the judge's word ends the doubt; else a tape is good to 1.6 mm")

    @model_validator(mode="after")
    def _a_tape_has_two_ends(self) -> "TapeReading":
        if self.a == self.b:
            raise ValueError("a tape is laid between two bases")
        return self

    @property
    def value_mm(self) -> float:
        return inches(self.value_in)


class TapeComparison(Frozen):
    """What the camera had measured where the tape was laid, and whether the two can both be right."""

    camera: MeasuredLength
    tape_mm: NotNegative
    tape_sigma_mm: NotNegative = Field(0.0, description="how well the tape is read; 0: the judge's word ends the doubt")
    can_both_be_right: bool


class RulingSubject(Frozen):
    """The verdict a ruling is about: a line of a pair's sheet, now or at an earlier moment, by camera or by tape."""

    at: int | None = Field(None, ge=1, description="the moment of the table; null: now")
    pair: Pair
    slot: str = Field(max_length=40)
    tape: TapeReading | None = None


class NewRuling(
    Frozen,
    json_schema_extra={
        "examples": [
            {
                "about": {"pair": {"a": "m3", "b": "m7"}, "slot": "sight"},
                "decision": "overruled",
                "stands": "Not in sight",
                "reason": "The wall was moved by an elbow",
            }
        ]
    },
):
    """What the judge decides. `stands` is what holds instead of the verdict, in a few words."""

    about: RulingSubject
    decision: Decision
    stands: str | None = Field(None, max_length=80)
    reason: str = Field("", max_length=400)
    on_air: bool = Field(False, description="show it on the stream")
    key: str | None = Field(
        None, min_length=8, max_length=64, description="the same key again is the same ruling: it is not written twice"
    )

    @model_validator(mode="after")
    def _overruling_says_what_stands_and_why(self) -> "NewRuling":
        if self.decision == "overruled" and not (self.stands and self.reason.strip()):
            raise ValueError("who overrules says what stands instead, and why")
        return self


class Ruling(Frozen):
    """A ruling as it is kept; it is asked for by its `number`, from 1 in a game. `n` is its line of the journal."""

    n: int
    number: int
    at_s: float
    by: Seat
    decision: Decision
    stands: str | None = Field(description="what holds instead of the verdict, or what a roll decided")
    reason: str
    about: RulingSubject
    a: str = Field(description="name of A then")
    b: str = Field(description="name of B then")
    line: Line
    compared: TapeComparison | None = Field(description="camera and tape, where a tape replaced the camera")
    withdrawn: str | None = Field(None, description="why the judge took it back")
    ends: str | None = Field(None, description="what moved, so that it does not hold any more")
    evidence: Evidence | None = Field(None, description="files beside the journal; null: none could be kept")
    told: tuple[RecordedFact, ...] = Field((), description="what was said of the two and of the table, and who agreed")

    @property
    def said(self) -> str:
        return say_decision(self.decision, self.stands)


class KeptVerdict(Frozen):
    """A verdict that somebody at the table keeps with its evidence; `n` is its line of the journal."""

    n: int
    at_s: float
    by: Seat
    about: RulingSubject
    a: str = Field(description="name of A then")
    b: str = Field(description="name of B then")
    line: Line
    evidence: Evidence
    told: tuple[RecordedFact, ...] = Field((), description="what was said of the two and of the table, and who agreed")


class VerdictChoice(Frozen, json_schema_extra={"examples": [{"pair": {"a": "m3", "b": "m7"}, "slot": "sight"}]}):
    """A line of a pair's sheet, now or at an earlier moment, that is worth keeping."""

    at: int | None = Field(None, ge=1, description="the moment of the table; null: now")
    pair: Pair
    slot: str = Field(max_length=40)


class ResultSlip(Frozen):
    """Where the journal ends now: who keeps it notices later whether lines were taken off the end."""

    title: str
    head: str = Field(description="N:HASH, as `tableside verify --head` takes it")
    n: int
    at_s: float = Field(description="when the newest line was written, seconds since 1970")
    rulings: int
    key: str | None = Field(None, description="the key that signs this table's journal, in words")
    witnesses: tuple[str, ...] = Field((), description="who countersigned it, and the words of their keys")


def say_decision(decision: Decision, stands: str | None) -> str:
    said = "Rolled" if decision == "rolled" and stands else DECISION_WORDS[decision]
    return f"{said}: {stands}" if stands else said


class TapeQuestion(
    Frozen,
    json_schema_extra={
        "examples": [{"pair": {"a": "m3", "b": "m7"}, "tape": {"a": "m3", "b": "m7", "value_in": 8.25}}]
    },
):
    """A pair, and what the judge's tape says about it."""

    at: int | None = Field(None, ge=1, description="the moment of the table; null: now")
    pair: Pair
    tape: TapeReading


class TapeSheet(Frozen):
    """The pair's sheet by the tape, with camera and tape side by side."""

    sheet: Sheet
    compared: TapeComparison | None


class RollResult(Frozen, json_schema_extra={"examples": [{"stands": "In range"}]}):
    """What stands after the players rolled."""

    stands: str = Field(min_length=1, max_length=80)


class Withdrawal(Frozen, json_schema_extra={"examples": [{"reason": "Ruled on the wrong pair"}]}):
    """Why a ruling does not hold any more."""

    reason: str = Field(min_length=1, max_length=400)


class PastChoice(Frozen, json_schema_extra={"examples": [{"is_open": True}]}):
    """Whether players may measure at earlier moments what the rulebook does not let them measure now."""

    is_open: bool


class Bench(Frozen):
    """All that the judge's page shows besides the table."""

    now_s: float = Field(description="the server's clock, seconds since 1970")
    title: str
    clocks: ClocksView | None
    rulings: tuple[RulingSummary, ...]
    production: Production
    on_air: OnAirPreview | None = Field(description="what is on air or waits to be resolved")
    scoreboard: Scoreboard = Scoreboard()
    is_past_open: bool = Field(False, description="players may measure everything at earlier moments")
    alarms: tuple[Alarm, ...] = Field((), description="what is not as it should be with the server itself")
    asked: tuple[Moment, ...] = Field(
        (), description="whom players asked about last, the oldest first; no journal has it"
    )
