"""Profile and card: what is printed of a kind of miniature, such as speeds, weapons and abilities."""

from typing import Literal

from pydantic import Field

from models.base import Base
from models.frozen import Frozen
from models.vocabulary import Ability, EditionId, MiniatureType, NotNegative, Positive, Role, WeaponRule, Word

SpellType = Literal["missile", "direct-damage", "hex", "augment", "template", "vortex", "line"]
MOST_ON_CARD = 100  # weapons, spells or abilities


class MeleeWeapon(Frozen):
    name: str
    reach_in: NotNegative = 0.5
    location: Word | None = None
    rules: tuple[WeaponRule, ...] = ()


class RangedWeapon(Frozen):
    name: str
    rng_in: Positive | tuple[NotNegative, Positive] | None = Field(None, description="range, or least and most")
    rof: int | None = None
    aoe_in: Positive | None = None
    spray_in: Positive | None = None
    template: Word | None = None
    location: Word | None = None
    rules: tuple[WeaponRule, ...] = ()


class Spell(Frozen):
    name: str
    rng_in: Positive | Word | None = None
    aoe_in: Positive | Word | None = None
    offensive: bool = False
    type: SpellType | None = None


class Profile(Frozen):
    """Numbers and words of a card; inches as printed."""

    spd_in: NotNegative | None = None
    spd_bonus_in: NotNegative = 0.0
    spd_penalty_in: NotNegative = 0.0
    strength: float | None = None
    defence: float | None = None
    cmd_in: NotNegative | None = None
    control_stat: NotNegative | None = None
    bs: float | None = None
    ld: float | None = None
    wounds: float | None = None
    unit_strength: float | None = None
    melee: tuple[MeleeWeapon, ...] = Field((), max_length=MOST_ON_CARD)
    ranged: tuple[RangedWeapon, ...] = Field((), max_length=MOST_ON_CARD)
    spells: tuple[Spell, ...] = Field((), max_length=MOST_ON_CARD)
    abilities: tuple[Ability, ...] = Field((), max_length=MOST_ON_CARD)
    source: str | None = Field(None, max_length=240, description="where these were read; no rule asks")


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
