"""Camera protocol: all that passes between the server and the camera's process."""

import queue
import threading
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from pydantic import Field

from models.base import Catalogue
from models.camera import Camera, CameraPose
from models.frozen import Frozen
from models.halt import Halt
from models.layout import Layout
from models.self_check import SelfCheck
from models.timeline import EventLine, StateLine
from models.vocabulary import EditionId, NotNegative
from models.written_book import BookInPlay, catalogue_in_play


class CameraHealth(Frozen):
    """What the camera sends, and how surely it knows the table."""

    frames_per_s: NotNegative = Field(description="that were looked at")
    size_px: tuple[int, int]
    sharpness: float = Field(ge=0, le=1, description="of the sharpest picture so far; less: out of focus, or moved")
    brightness: float = Field(ge=0, le=255, description="mean grey level")
    exposure: Literal["good", "dark", "bright"]
    calibration_px: NotNegative = Field(description="what the lens's calibration leaves, on views that it did not see")
    table_sigma_mm: NotNegative | None = Field(description="how far the table's worst corner may be off by the pose")


class EventFlag(Protocol):
    """`multiprocessing.Event`, or `threading.Event` in tests."""

    def set(self) -> None: ...
    def clear(self) -> None: ...
    def is_set(self) -> bool: ...


class MessageQueue(Protocol):
    """`multiprocessing.SimpleQueue`, or `queue.SimpleQueue` within one process."""

    def put(self, letter: Any, /) -> None: ...
    def get(self) -> Any: ...
    def empty(self) -> bool: ...


@dataclass(frozen=True)
class CameraCommands:
    """`pictures`: somebody looks at pictures; `register`: find the table again; `check`: compare with what is known.

    `edged`: a picture as the camera takes it, once, black beyond the table's edge; `whole`: the same, room and all.
    `poses`: where the camera hangs, as somebody tapped it. `lights`: which marks of a projector shine from now on.
    `answers`: pairs of a question and the ids that somebody says are right. `expected`: how many bases of each size.
    `confirmed`: all bases of which players say where they stand.
    """

    pictures: EventFlag
    register: EventFlag
    check: EventFlag
    answers: MessageQueue = field(default_factory=queue.SimpleQueue)
    expected: MessageQueue = field(default_factory=queue.SimpleQueue)
    confirmed: MessageQueue = field(default_factory=queue.SimpleQueue)
    whole: EventFlag = field(default_factory=threading.Event)
    edged: EventFlag = field(default_factory=threading.Event)
    poses: MessageQueue = field(default_factory=queue.SimpleQueue)
    lights: MessageQueue = field(default_factory=queue.SimpleQueue)

    def take_flag(self, flag: EventFlag) -> bool:
        """Whether this was wished; it then no longer is."""
        was = flag.is_set()
        if was:
            flag.clear()
        return was


@dataclass(frozen=True)
class LightMarks:
    """Places (x, y) on the table where a projector's marks shine; `is_hidden`: nothing is measured for now."""

    places_mm: tuple[tuple[float, float], ...]
    is_hidden: bool = False


@dataclass(frozen=True)
class LightReport:
    """How far a projector's marks are seen beside their places; None: they are not seen at all."""

    moved_mm: float | None


@dataclass(frozen=True)
class SettledPicture:
    """The picture in which a state at rest was measured, as the camera took it, black beyond the table's edge.

    `pose_age_s` is how long before the picture the pose was measured; `taken_at_s` is in seconds since 1970.
    """

    jpeg: bytes
    t_s: float
    taken_at_s: float
    camera: Camera
    pose: CameraPose
    pose_age_s: float
    table_mm: tuple[float, float]


class ChangedPart(NamedTuple):
    """Where a picture of the table differs from the one before."""

    left_px: int
    top_px: int
    right_px: int
    bottom_px: int


@dataclass(frozen=True)
class FrameReport:
    """What one frame showed. `lag_s` is how long ago the frame was due when this was sent.

    `changed` is where the picture differs from the one before; None: anywhere. `photograph` is never written to a disk.
    """

    t_s: float
    lines: tuple[StateLine | EventLine, ...]
    is_settled: bool
    hand: bool
    is_visible: bool
    lag_s: float = 0.0
    jpeg: bytes | None = None
    changed: ChangedPart | None = None
    halt: Halt | None = None
    in_hand: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    health: CameraHealth | None = None
    settled: SettledPicture | None = None
    photograph: SettledPicture | None = None


@dataclass(frozen=True)
class SourceNotice:
    """A sentence for the players."""

    text: str


@dataclass(frozen=True)
class DamageReport:
    """Pictures come damaged, and this is said of it; None: they come whole, which ends what any process said before."""

    says: str | None


@dataclass(frozen=True)
class PlaybackRestart:
    """The recording starts over: what was asked about its last round is settled by nobody."""


@dataclass(frozen=True)
class SelfCheckReport:
    """The self-check that was asked for."""

    check: SelfCheck


@dataclass(frozen=True)
class ImageReport:
    """The picture that was asked for, as the camera took it, to tap corners in; `is_edged`: the room in it is black.

    Without a picture nobody has known yet where the table is, so that no room could be told from it.
    """

    jpeg: bytes | None
    is_edged: bool = False
    camera: Camera | None = None
    pose: CameraPose | None = None


@dataclass(frozen=True)
class FailureReport:
    """The camera's side of an RFC 9457 problem; `is_over` says that the source simply ended."""

    problem: dict[str, Any]
    is_over: bool = False
    lines: tuple[EventLine, ...] = ()


@dataclass(frozen=True)
class AliveReport:
    """The process runs, whatever its source does; nobody else is told."""


@dataclass(frozen=True)
class SnapshotReport:
    """What a camera's process knows that the next one shall know too, should this one die; nobody else is told.

    `at_s` is when it was known, on the monotonic clock, which all processes of a machine share. `memory` is pickled:
    the server hands it on and need not know what is in it.
    """

    frame: int
    t_s: float
    at_s: float
    memory: bytes


Report = (
    FrameReport
    | SourceNotice
    | DamageReport
    | PlaybackRestart
    | SelfCheckReport
    | ImageReport
    | FailureReport
    | SnapshotReport
    | AliveReport
    | LightReport
)


@dataclass(frozen=True)
class StillView:
    """A photograph that is kept, and how it was taken."""

    source: str
    camera: Camera
    pose: CameraPose


@dataclass(frozen=True)
class Job:
    """The source is a path, a device number or a URL; the edition, or its written book, says which bases there are.

    `pose` is where the camera hangs, where that is known before it looks; `kept` what another process knew that died.
    `keeps_pictures`: the picture of each state at rest is wanted. `is_light`: for a slow machine. `detector`: that of a
    plug-in, by its name. `further_views`: photographs of the same moment as the one that is the source.
    """

    source: str
    camera: Camera
    layout: Layout
    edition: EditionId
    is_looping: bool = False
    pose: CameraPose | None = None
    kept: SnapshotReport | None = None
    keeps_pictures: bool = False
    is_light: bool = False
    book: BookInPlay | None = None
    detector: str | None = None
    further_views: tuple[StillView, ...] = ()

    def catalogue(self) -> Catalogue:
        return catalogue_in_play(self.edition, self.book)
