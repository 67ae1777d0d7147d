"""The words of the live socket: what the phone is told, and what it may say.

Every message that changes what a phone shows carries the next `seq`; a phone that misses one asks for a snapshot.
Only what is drawn crosses the socket; the whole state is one GET away.
"""

from typing import Annotated, Literal

from pydantic import Field, JsonValue, TypeAdapter

from api.health import CameraHealth
from api.seats.seat import Right, Seat
from api.setups.counting import Counted
from models.base import Base
from models.check import SelfCheck
from models.frozen import Frozen
from models.pose import FacingAlternative
from models.state import TableSize
from models.timeline import EventLine
from models.words import EditionId, Id, NotNegative, Point

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
    amiss: tuple[Counted, ...] = Field((), description="sizes of which more or fewer are seen than are expected")


class DrawnMiniature(Frozen):
    """A miniature as it is drawn, or a unit as one body; `sigma_mm` is along the worst direction."""

    id: Id
    name: str
    side: str | None
    base: Base
    at_mm: Point
    facing_deg: float | None
    facing_alternatives: tuple[FacingAlternative, ...]
    sigma_mm: NotNegative
    sigma_facing_deg: NotNegative
    unit: Id | None = Field(None, description="the unit that is asked about instead of it")


class DrawnArea(Frozen):
    """The outline of a piece of terrain or an effect."""

    id: Id
    kind: str
    outline_mm: tuple[Point, ...]


class DrawnTable(Frozen):
    """The table as it is drawn."""

    state_id: str
    edition: EditionId
    is_measuring_free: bool = Field(description="false: only what is licensed is measured, and no length is drawn")
    size: TableSize
    miniatures: tuple[DrawnMiniature, ...]
    plays_units: bool = Field(False, description="whether whole units are asked about, and not each of their members")
    units: tuple[DrawnMiniature, ...] = Field((), description="units that are asked about as one body")
    areas: tuple[DrawnArea, ...]


class StepTold(Frozen):
    """A correction in a few words; the whole of it is one GET away."""

    n: int
    at_s: float
    by: Seat
    says: str
    is_undone: bool
    changed_n: int
    changed_by: Seat


class Hello(Frozen):
    """The first word: whom the phone speaks to, and as whom. A snapshot follows; neither side minds unknown types."""

    type: Literal["hello"] = "hello"
    version: Literal[1] = 1
    title: str
    seat: Seat
    rights: tuple[Right, ...]


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
    steps: tuple[StepTold, ...] = Field((), description="the newest corrections, the oldest first")


class TableChange(Frozen):
    """What differs from the table before: miniatures that are new or changed, and ids that are gone."""

    type: Literal["change"] = "change"
    seq: int
    state_id: str
    changed: tuple[DrawnMiniature, ...]
    gone: tuple[Id, ...]
    units: tuple[DrawnMiniature, ...] | None = Field(None, description="null: as before")
    areas: tuple[DrawnArea, ...] | None = Field(None, description="null: as before")


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


class Happened(Frozen):
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
    steps: tuple[StepTold, ...]


class Refused(Frozen):
    """What this one phone said made no sense; carries no `seq`, since nothing changed."""

    type: Literal["refused"] = "refused"
    problem: Problem


Told = Annotated[
    Hello
    | Snapshot
    | TableChange
    | PictureChange
    | FreshChange
    | Trouble
    | Happened
    | Notice
    | CheckDone
    | StepsChange
    | Refused,
    Field(discriminator="type"),
]


class AskSnapshot(Frozen):
    """The phone missed something."""

    type: Literal["snapshot"]


class WantPictures(Frozen):
    """Whether the phone is being looked at."""

    type: Literal["pictures"]
    wanted: bool


Said = Annotated[AskSnapshot | WantPictures, Field(discriminator="type")]
SAID: TypeAdapter[AskSnapshot | WantPictures] = TypeAdapter(Said)
