"""Live messages: what a phone is told over the socket, and what it may say.

Every message that changes what a phone shows carries the next `seq`; a phone that misses one asks for a snapshot.
Only what is drawn crosses the socket; the whole state is one GET away.
"""

from typing import Annotated, Literal

from pydantic import Field, JsonValue, TypeAdapter

from api.camera.protocol import CameraHealth
from api.clocks.schemas import ClocksView
from api.corrections.disputes import Dispute
from api.corrections.settlements import Settlement
from api.live.alarms import Alarm
from api.live.table_schemas import DrawnArea, DrawnCandidate, DrawnMiniature, DrawnTable, Rest
from api.seats.permissions import Right, Seat
from api.seats.schemas import Scoreboard
from api.setups.schemas import CountMismatch
from models.frozen import Frozen
from models.self_check import SelfCheck
from models.timeline import EventLine
from models.vocabulary import Id, NotNegative

SourceStatus = Literal["starting", "playing", "still", "ended", "lost"]


class Problem(Frozen):
    """An RFC 9457 problem, with the field and the value that caused it where there is one."""

    type: str
    title: str
    status: int
    detail: str
    field: str | None = None
    value: JsonValue = None


class Freshness(Frozen):
    """How old the newest look at the table is, and whether it can be trusted just now."""

    age_s: NotNegative | None = Field(None, description="null: nothing seen yet, or a state written by hand")
    hand: bool = False
    in_hand: tuple[Id, ...] = Field((), description="lifted, and neither put down nor gone yet")
    is_settled: bool = True
    is_visible: bool = True
    source: SourceStatus = "starting"
    hidden: tuple[Id, ...] = Field((), description="covered by something; they are taken to stand where they stood")
    camera: CameraHealth | None = Field(None, description="null: no camera, or nothing of it is known yet")
    amiss: tuple[CountMismatch, ...] = Field((), description="sizes of which more or fewer are seen than are expected")
    is_lit: bool = Field(False, description="a projector draws on the table")


class StepSummary(Frozen):
    """A correction in a few words; the whole of it is one GET away."""

    n: int
    at_s: float
    by: Seat
    says: str
    is_undone: bool
    changed_n: int
    changed_by: Seat
    agreed_by: Seat | None = None
    is_open: bool = Field(False, description="it tells by one player's word what decides answers")


class RulingSummary(Frozen):
    """A ruling on a list. It lies over the referee's answer while `ends` and `withdrawn` are null."""

    n: int = Field(description="its line of the journal")
    number: int = Field(description="which ruling of the game it is, from 1, by which it is asked for")
    at_s: float
    by: Seat
    slot: str
    said: str
    reason: str
    title: str
    headline: str | None
    a: str
    b: str
    ids: tuple[Id, Id]
    withdrawn: str | None
    ends: str | None = Field(None, description="what moved, so that it does not hold any more; null: it holds")
    waits_for: tuple[Seat, ...] = Field((), description="players at the table who have not tapped that they saw it")


class Hello(Frozen):
    """The first word: whom the phone speaks to, and as whom. A snapshot follows; neither side minds unknown types."""

    type: Literal["hello"] = "hello"
    version: Literal[1] = 1
    title: str
    seat: Seat
    rights: tuple[Right, ...]
    by_photograph: bool = Field(False, description="the table is seen in photographs that phones send")
    keeps_evidence: bool = Field(False, description="verdicts may be kept with their evidence")
    is_replay: bool = Field(False, description="a kept game is looked at again: nothing of it changes")
    table_key: str | None = Field(None, description="the key that signs this table's journal, in words; null: nobody")
    has_joined: bool = Field(False, description="the device took its seat by a code")


class Snapshot(Frozen):
    """Everything a phone shows, at once."""

    type: Literal["snapshot"] = "snapshot"
    seq: int
    title: str
    table: DrawnTable | None
    picture: int = Field(description="version of the table picture; 0: there is none")
    fresh: Freshness
    problem: Problem | None
    check: SelfCheck | None = Field(None, description="the newest self-check")
    steps: tuple[StepSummary, ...] = Field((), description="the newest corrections, the oldest first")
    alarms: tuple[Alarm, ...] = Field((), description="what is not as it should be with the server itself")
    settled: tuple[Settlement, ...] = Field((), description="what the players settled and still holds")
    dispute: Dispute | None = Field(None, description="the question that is disputed; null: none is")
    rulings: tuple[RulingSummary, ...] = Field((), description="the newest rulings, the oldest of them first")
    clocks: ClocksView | None = Field(None, description="as they stand now; null: there are none")
    scoreboard: Scoreboard = Scoreboard()


class TableChange(Frozen):
    """What differs from the table before: miniatures that are new or changed, and ids that are gone."""

    type: Literal["change"] = "change"
    seq: int
    state_id: str
    changed: tuple[DrawnMiniature, ...]
    gone: tuple[Id, ...]
    units: tuple[DrawnMiniature, ...] | None = Field(None, description="null: as before")
    areas: tuple[DrawnArea, ...] | None = Field(None, description="null: as before")
    unconfirmed: tuple[DrawnCandidate, ...] | None = Field(None, description="null: as before")
    is_complete: bool = Field(False, description="of the table as it is now")
    missing: int = Field(0, description="of the table as it is now")
    rest: Rest | None = Field(None, description="of the table as it is now")


class PictureChange(Frozen):
    """There is a newer picture to fetch."""

    type: Literal["picture"] = "picture"
    seq: int
    version: int


class FreshChange(Frozen):
    """The heartbeat."""

    type: Literal["fresh"] = "fresh"
    seq: int
    fresh: Freshness


class Trouble(Frozen):
    """Something is wrong; null: it is over."""

    type: Literal["trouble"] = "trouble"
    seq: int
    problem: Problem | None


class TableEvent(Frozen):
    """An event on the table."""

    type: Literal["event"] = "event"
    seq: int
    event: EventLine


class Notice(Frozen):
    """A sentence for the players."""

    type: Literal["notice"] = "notice"
    seq: int
    text: str


class CheckDone(Frozen):
    """A self-check that was asked for has been made."""

    type: Literal["check"] = "check"
    seq: int
    check: SelfCheck


class StepsChange(Frozen):
    """Somebody corrected the table, or took a correction back; the newest, the oldest of them first."""

    type: Literal["steps"] = "steps"
    seq: int
    steps: tuple[StepSummary, ...]


class RulingsChange(Frozen):
    """A judge ruled, or a ruling ended or was seen; the newest, the oldest of them first."""

    type: Literal["rulings"] = "rulings"
    seq: int
    rulings: tuple[RulingSummary, ...]


class ClocksChange(Frozen):
    """The clocks, whole, as they stand now; null: there are none. A clock that runs goes on from there."""

    type: Literal["clocks"] = "clocks"
    seq: int
    clocks: ClocksView | None


class ScoreboardChange(Frozen):
    """Who plays and how the game stands, whole."""

    type: Literal["scoreboard"] = "scoreboard"
    seq: int
    scoreboard: Scoreboard


class AlarmsChange(Frozen):
    """What is not as it should be with the server itself, whole; none: all is well again."""

    type: Literal["alarms"] = "alarms"
    seq: int
    alarms: tuple[Alarm, ...]


class SettledChange(Frozen):
    """What the players settled and still holds, whole."""

    type: Literal["settled"] = "settled"
    seq: int
    settled: tuple[Settlement, ...]


class DisputeChange(Frozen):
    """The dispute that is open, whole; null: it has ended."""

    type: Literal["dispute"] = "dispute"
    seq: int
    dispute: Dispute | None


class MessageRefused(Frozen):
    """What this one phone said made no sense; carries no `seq`, since nothing changed."""

    type: Literal["refused"] = "refused"
    problem: Problem


ServerMessage = Annotated[
    Hello
    | Snapshot
    | TableChange
    | PictureChange
    | FreshChange
    | Trouble
    | TableEvent
    | Notice
    | CheckDone
    | StepsChange
    | RulingsChange
    | ClocksChange
    | ScoreboardChange
    | AlarmsChange
    | SettledChange
    | DisputeChange
    | MessageRefused,
    Field(discriminator="type"),
]


class AskSnapshot(Frozen):
    """The phone missed something."""

    type: Literal["snapshot"]


class WantPictures(Frozen):
    """Whether the phone is being looked at."""

    type: Literal["pictures"]
    wanted: bool


ClientMessage = Annotated[AskSnapshot | WantPictures, Field(discriminator="type")]
CLIENT_MESSAGE: TypeAdapter[AskSnapshot | WantPictures] = TypeAdapter(ClientMessage)
