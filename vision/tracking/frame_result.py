"""Frame result: what one frame made known; tracker state: what a tracker that takes over must know."""

from dataclasses import dataclass

from models.camera import CameraPose
from models.halt import Halt
from models.timeline import EventLine, StateLine
from vision.tracking.track_registry import TrackRegistry


@dataclass(frozen=True)
class FrameResult:
    """Result of one frame. `pose` is None when the table cannot be seen; `halt` says why no ruling is given."""

    frame: int
    t_s: float
    lines: tuple[StateLine | EventLine, ...]
    is_settled: bool
    hand: bool
    pose: CameraPose | None
    halt: Halt | None = None
    in_hand: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True)
class TrackerState:
    """State that a tracker hands on: who is who, and where the camera hung last."""

    registry: TrackRegistry
    pose: CameraPose | None
