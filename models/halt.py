"""Halt: why the referee is silent just now."""

from typing import Literal

from models.frozen import Frozen

Why = Literal["camera-moved", "camera-hidden"]


class Halt(Frozen):
    """Nobody knows where the camera hangs, so no ruling is given; `unlock` says what ends that."""

    why: Why
    says: str
    unlock: str
