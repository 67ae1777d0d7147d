"""What the camera's process hands to the server."""

from dataclasses import dataclass
from typing import Any

from api.health import CameraHealth
from models.check import SelfCheck
from models.halt import Halt
from models.timeline import EventLine, StateLine


@dataclass(frozen=True)
class Sighting:
    """One look at the table. `lag_s` is how long ago the frame was due when this was sent."""

    t_s: float
    lines: tuple[StateLine | EventLine, ...]
    is_settled: bool
    hand: bool
    is_visible: bool
    lag_s: float = 0.0
    jpeg: bytes | None = None
    halt: Halt | None = None
    in_hand: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    health: CameraHealth | None = None


@dataclass(frozen=True)
class Said:
    """A sentence for the players."""

    text: str


@dataclass(frozen=True)
class Rewound:
    """The recording begins anew: what was asked about its last round is settled by nobody."""


@dataclass(frozen=True)
class Checked:
    """The self-check that was asked for."""

    check: SelfCheck


@dataclass(frozen=True)
class Looked:
    """The picture that was asked for, as the camera took it, to tap corners in; `is_edged`: the room in it is black.

    Without a picture nobody has known yet where the table is, so that no room could be told from it.
    """

    jpeg: bytes | None
    is_edged: bool = False


@dataclass(frozen=True)
class Failed:
    """The camera's side of an RFC 9457 problem; `is_over` says that the source simply ended."""

    problem: dict[str, Any]
    is_over: bool = False
    lines: tuple[EventLine, ...] = ()


@dataclass(frozen=True)
class Kept:
    """What a camera's process knows that the next one shall know too, should this one die; nobody else is told.

    `at_s` is when it was known, on the monotonic clock, which all processes of a machine share. `memory` is pickled:
    the server hands it on and need not know what is in it.
    """

    frame: int
    t_s: float
    at_s: float
    memory: bytes


Report = Sighting | Said | Rewound | Checked | Looked | Failed | Kept
