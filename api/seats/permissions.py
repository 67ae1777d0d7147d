"""Permissions: the seats at a table, and the rights that come with each."""

from enum import StrEnum
from typing import Literal

Seat = Literal["player-a", "player-b", "judge", "viewer", "overlay"]
Player = Literal["player-a", "player-b"]
Edge = Literal["near", "far"]
Door = Literal["players", "judge", "viewer", "overlay"]
"""What a code opens."""

CALLED: dict[Seat, str] = {
    "player-a": "Player A",
    "player-b": "Player B",
    "judge": "The judge",
    "viewer": "A viewer",
    "overlay": "The stream",
}
"""How a sentence for the players names a seat."""


class Right(StrEnum):
    """What a seat may do."""

    WATCH = "watch"
    ASK = "ask"
    CORRECT = "correct"  # name, side, terrain, contacts: what the camera cannot know
    MIND = "mind"  # find the table anew, check the camera, save and load tables
    INVITE = "invite"  # hand out codes
    RULE = "rule"  # overrule, enter a tape reading, stop the clocks
    AIR = "air"  # what the stream shows, and when


_EVERYBODY = frozenset({Right.WATCH, Right.ASK})
_PLAYER = _EVERYBODY | {Right.CORRECT, Right.MIND, Right.INVITE}

RIGHTS: dict[Seat, frozenset[Right]] = {
    "player-a": _PLAYER,
    "player-b": _PLAYER,
    "judge": frozenset(Right),
    "viewer": _EVERYBODY,
    "overlay": _EVERYBODY | {Right.AIR},
}

PAGES: dict[Door, str] = {"players": "/", "judge": "/judge", "viewer": "/", "overlay": "/overlay"}
"""Where a code leads."""

MAY_HAND_OUT: dict[Seat, tuple[Door, ...]] = {
    "player-a": ("players", "viewer"),
    "player-b": ("players", "viewer"),
    "judge": ("players", "judge", "viewer", "overlay"),
    "viewer": (),
    "overlay": (),
}
