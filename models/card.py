"""Card: what is printed of one kind of miniature, as the owner of a card library keeps it."""

from typing import Literal

from pydantic import Field

from models.base import Base
from models.frozen import Frozen
from models.profile import Profile
from models.vocabulary import EditionId, MiniatureType, NotNegative, Role


class Card(Frozen):
    """One kind of miniature: its names, its base and its numbers, and where they were read."""

    id: str = Field(min_length=1, max_length=120)
    name: str = Field(min_length=1, max_length=80)
    also: tuple[str, ...] = Field((), description="other names: of the unit, in other languages, of the list builder")
    base: Base | None = None
    type: MiniatureType | None = None
    role: tuple[Role, ...] = ()
    unit_size: int = Field(1, ge=1, le=500)
    front_arc_deg: Literal[180, 360] | None = None
    command_in: NotNegative | None = None
    profile: Profile = Profile()
    source: str | None = None


class CardFaction(Frozen):
    """The cards of a faction."""

    faction: str
    edition: EditionId | None = None
    source: str | None = None
    cards: tuple[Card, ...]
