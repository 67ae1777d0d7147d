"""Vocabulary: words with few values, used by several parts of the state."""

from typing import Annotated, Literal

from pydantic import Field

EditionId = Literal["warmachine-prime", "hordes-mk2", "warmachine-mk1", "warhammer-9", "open"]
OPEN_EDITION: EditionId = "open"
"""Measuring without a rulebook: what a game decides is chosen by settings."""

MOST = 1e15  # nobody means more, and the square of its square is still a number

Coordinate = Annotated[float, Field(ge=-MOST, le=MOST)]
Point = tuple[Coordinate, Coordinate]  # millimetres in the table frame
_FAR_MM = 100_000  # farther from the table's corner nobody's way leads
_PathCoordinate = Annotated[float, Field(ge=-_FAR_MM, le=_FAR_MM)]
PathPoint = tuple[_PathCoordinate, _PathCoordinate]
LONGEST_TEXT = 200  # letters of an id, or of a name in a question
Word = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=LONGEST_TEXT)]
MOST_IN_QUESTION = 500  # ids that one question names: two whole armies
MOST_POINTS = 100  # of a way, an outline, or a list of steps
Id = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
# lt, not le: a field that says le for itself would be overruled.
Positive = Annotated[float, Field(gt=0, lt=MOST)]
NotNegative = Annotated[float, Field(ge=0, lt=MOST)]
LengthIn = Annotated[float, Field(ge=0, le=1_000)]  # inches that somebody may go, or that something reaches
PositiveIn = Annotated[float, Field(gt=0, le=1_000)]
AngleDeg = Annotated[float, Field(ge=-36_000, le=36_000)]
Share = Annotated[float, Field(ge=0, le=1)]

Status = Literal[
    "knocked-down", "stationary", "inert", "wild", "autonomous", "frenzied", "fleeing", "cowering", "solid",
    "shield-wall", "out-of-formation", "cannot-attack", "disabled", "crippled-movement", "movement-barred",
    "hidden", "stupid", "removed",
]  # fmt: skip

MiniatureType = Literal[
    "warcaster", "warlock", "warjack", "warbeast", "battle-engine", "solo", "trooper",
    "infantry", "monstrous-infantry", "cavalry", "monstrous-cavalry", "swarm", "monstrous-beast", "war-beast",
    "monster", "chariot", "war-machine", "shrine",
]  # fmt: skip

Role = Literal[
    "commander", "officer", "standard", "musician", "champion", "gunner", "general", "battle-standard",
    "character", "wizard", "marshal",
]  # fmt: skip

Moved = Literal[
    "advance", "run", "charge", "slam", "trample", "march", "fly", "reform", "swift-reform", "vanguard", "random",
    "flee", "pursuit", "overrun", "pivot", "placed", "pushed", "slammed", "thrown", "reinforced",
]  # fmt: skip

TerrainKind = Literal[
    "rough", "forest", "hill", "platform", "rubble", "ruin", "obstacle", "linear-obstacle", "wall", "fence", "hedge",
    "obstruction", "terraced-obstruction", "building", "structure", "trench", "shallow-water", "water", "deep-water",
    "river", "marsh", "scree", "acid-bath", "burning-earth", "monument", "impassable",
]  # fmt: skip

Ability = Literal[
    "stealth", "eyeless-sight", "incorporeal", "ethereal", "flight", "fly", "hover", "pathfinder", "strider",
    "amphibious", "aquatic", "arc-node", "commander", "officer", "jack-marshal", "battlegroup-commander",
    "standard-bearer", "gunfighter", "assault", "parry", "massive", "combined-melee-attack", "combined-ranged-attack",
    "cavalry", "light-cavalry", "ride-by", "advance-deployment", "ambush", "scouts", "vanguard", "ambushers",
    "terror", "fear", "abomination", "fearless", "construct", "stubborn", "expendable", "immunity-psychology",
    "unbreakable", "towering", "sentient", "mixed-unit", "skirmishers", "fast-cavalry", "swiftstride", "barding",
    "random-movement", "frenzy", "stupidity", "impact-hits", "stomp", "breath-weapon",
]  # fmt: skip

WeaponRule = Literal[
    "open-fist", "shield", "buckler", "mount", "gunner-only", "locked", "crippled", "spear", "pike", "lance",
    "volley-fire", "multiple-shots", "move-or-fire", "quick-to-fire", "slow-to-fire", "sniper", "indirect",
]  # fmt: skip

Ground = Literal["open", "rough", "half-rate", "dangerous", "deep-water", "impassable"]
Grants = Literal["none", "concealment", "cover", "soft", "hard"]
BlocksSight = Literal["none", "solid", "forest", "all"]
EffectKind = Literal["cloud", "fog", "burning", "aura", "template", "vortex", "area", "marker"]
ObjectiveKind = Literal["flag", "marker", "treasure", "tower"]
ZoneKind = Literal["control", "deployment", "advance", "outflank", "corner", "lane"]
