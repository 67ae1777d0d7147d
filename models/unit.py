"""Units: which miniatures stand together, and how they are ordered to stand."""

from typing import Literal

from pydantic import Field

from models.base import Base
from models.frozen import Frozen
from models.pose import Sigma
from models.profile import Profile
from models.turn import ThisTurn
from models.vocabulary import Id, MiniatureType, NotNegative, Point, Positive

_MOST_IN_BLOCK = 500  # more than any rulebook fields: a slip of the finger, and each would be a miniature to be kept


class Block(Frozen):
    """A ranked unit written as a block instead of one by one."""

    front_mm: Point
    facing_deg: float
    files: int = Field(ge=1)
    count: int = Field(ge=1, le=_MOST_IN_BLOCK)
    base: Base
    type: MiniatureType | None = None
    profile: Profile = Profile()
    gap_mm: NotNegative = 0.0
    body_mm: NotNegative | None = Field(None, description="height of the body of each, where it is told")
    sigma: Sigma = Sigma()


class Tray(Frozen):
    """A movement tray seen: it groups, and is never measured."""

    at_mm: Point
    width_mm: Positive
    depth_mm: Positive
    facing_deg: float


class StartingStrength(Frozen):
    """How strong the unit was when something began."""

    models: int | None = None
    strength: float | None = None


class StartingStrengths(Frozen):
    battle: StartingStrength | None = None
    turn: StartingStrength | None = None
    phase: StartingStrength | None = None


class Unit(Frozen):
    id: Id
    name: str | None = None
    side: str | None = None
    formation: Literal["command", "skirmish", "open", "tight", "ranked", "squeezing", "garrison"] | None = None
    commander: Id | None = None
    command_in: NotNegative | None = None
    standard: Id | bool | None = None
    musician: Id | bool | None = None
    champion: Id | bool | None = None
    spacing_in: NotNegative | None = None
    orders: tuple[Literal["charge", "run", "shield-wall", "ride-by"], ...] = ()
    started: StartingStrengths | None = None
    worth: NotNegative = 0.0
    block: Block | None = None
    tray: Tray | None = None
    this_turn: ThisTurn = ThisTurn()
