"""What a watcher says of one frame, and what a watcher who takes over must know."""

from dataclasses import dataclass

from models.camera import CameraPose
from models.halt import Halt
from models.timeline import EventLine, StateLine
from vision.roll import Roll


@dataclass(frozen=True)
class Glance:
    """What one frame made known. `pose` is None when the table cannot be seen; `halt` says why no ruling is given."""

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
class Memory:
    """What a watcher who takes over must know: who is who, and where the camera hung last."""

    roll: Roll
    pose: CameraPose | None
