"""Every question the referee knows: one class a kind, one module a group.

CLI, HTTP, phone, docs and tests take kind, fields and texts from here and from nowhere else. The docstring's first line
is what a player asks. `EDITIONS` names who answers it.
"""

from typing import Annotated, Union, get_args

from pydantic import Field, TypeAdapter

from models.queries.asked import TABLE_EDGES, Asked, MiniatureId, Place, RangeIn, ThingId
from models.queries.charging import Assault, Charge, Frenzy, ImpactAttacks, PowerAttack, Push, Slam, Throw, Trample
from models.queries.command import Channel, CommandRange, ControlArea, Formation, TakeControl
from models.queries.cover import (
    AttackModifiers,
    BackStrike,
    Cover,
    ElevationBonus,
    InMeleeGroup,
    InMeleePenalty,
    MeleeTerrainBonus,
    Trench,
)
from models.queries.distance import (
    Arc,
    Aura,
    B2b,
    BasesClear,
    CompletelyWithin,
    DamageArc,
    DamageGrid,
    DirectlyFacing,
    Distance,
    FieldOfFire,
    InArea,
    InBackArc,
    InFrontArc,
    Nearest,
    Within,
)
from models.queries.etiquette import MayMeasure
from models.queries.melee import CombinedMelee, Engaged, FreeStrike, InMelee, MeleeRange, Sweep
from models.queries.moving import (
    Climb,
    CrossObstacle,
    EntersArea,
    Fall,
    FirstContact,
    FitsBetween,
    Hazard,
    LeastDisturbance,
    Move,
    Placement,
    RegroupMove,
    Replacement,
    TableEdge,
    TowardAway,
)
from models.queries.scenario import ObjectiveControl, ScenarioLayout, Score
from models.queries.setting import (
    Deployment,
    Elevation,
    Reinforcements,
    TerrainClass,
    TerrainPlacement,
    Water,
    ZoneSeparation,
)
from models.queries.sight import (
    Aim,
    CombinedRanged,
    Intervening,
    Los,
    MayShoot,
    Range,
    SpellTarget,
    Stealth,
    TargetLegal,
)
from models.queries.template import Deviation, SprayHits, TemplateHits

QUERY_CLASSES: tuple[type[Asked], ...] = (
    Distance, Within, CompletelyWithin, InArea, Aura, Nearest, B2b, BasesClear, InFrontArc, InBackArc, Arc,
    DirectlyFacing, FieldOfFire, DamageGrid, DamageArc,
    Los, Intervening, TargetLegal, SpellTarget, Range, Stealth, MayShoot, Aim, CombinedRanged,
    Cover, Trench, ElevationBonus, BackStrike, MeleeTerrainBonus, InMeleePenalty, InMeleeGroup, AttackModifiers,
    MeleeRange, Engaged, InMelee, FreeStrike, Sweep, CombinedMelee,
    Move, TowardAway, RegroupMove, CrossObstacle, Climb, FitsBetween, FirstContact, TableEdge, EntersArea, Hazard,
    Placement, Replacement, LeastDisturbance, Fall,
    Charge, Assault, ImpactAttacks, Frenzy, PowerAttack, Slam, Push, Throw, Trample,
    TemplateHits, Deviation, SprayHits,
    Formation, CommandRange, ControlArea, Channel, TakeControl,
    TerrainClass, Elevation, Water, TerrainPlacement, Deployment, Reinforcements, ZoneSeparation,
    ScenarioLayout, ObjectiveControl, Score,
    MayMeasure,
)  # fmt: skip

QUERIES: dict[str, type[Asked]] = {get_args(cls.model_fields["kind"].annotation)[0]: cls for cls in QUERY_CLASSES}

Query = Annotated[Union[QUERY_CLASSES], Field(discriminator="kind")]  # type: ignore[valid-type]  # noqa: UP007 - built from the one list
MayMeasure.model_rebuild(_types_namespace={"Query": Query})  # it asks about any other question
QUERY: TypeAdapter[Asked] = TypeAdapter(Query)

__all__ = [
    "QUERIES",
    "QUERY",
    "QUERY_CLASSES",
    "TABLE_EDGES",
    "Aim",
    "Arc",
    "Asked",
    "Assault",
    "AttackModifiers",
    "Aura",
    "B2b",
    "BackStrike",
    "BasesClear",
    "Channel",
    "Charge",
    "Climb",
    "CombinedMelee",
    "CombinedRanged",
    "CommandRange",
    "CompletelyWithin",
    "ControlArea",
    "Cover",
    "CrossObstacle",
    "DamageArc",
    "DamageGrid",
    "Deployment",
    "Deviation",
    "DirectlyFacing",
    "Distance",
    "Elevation",
    "ElevationBonus",
    "Engaged",
    "EntersArea",
    "Fall",
    "FieldOfFire",
    "FirstContact",
    "FitsBetween",
    "Formation",
    "FreeStrike",
    "Frenzy",
    "Hazard",
    "ImpactAttacks",
    "InArea",
    "InBackArc",
    "InFrontArc",
    "InMelee",
    "InMeleeGroup",
    "InMeleePenalty",
    "Intervening",
    "LeastDisturbance",
    "Los",
    "MayMeasure",
    "MayShoot",
    "MeleeRange",
    "MeleeTerrainBonus",
    "MiniatureId",
    "Move",
    "Nearest",
    "ObjectiveControl",
    "Place",
    "Placement",
    "PowerAttack",
    "Push",
    "Query",
    "Range",
    "RangeIn",
    "RegroupMove",
    "Reinforcements",
    "Replacement",
    "ScenarioLayout",
    "Score",
    "Slam",
    "SpellTarget",
    "SprayHits",
    "Stealth",
    "Sweep",
    "TableEdge",
    "TakeControl",
    "TargetLegal",
    "TemplateHits",
    "TerrainClass",
    "TerrainPlacement",
    "ThingId",
    "Throw",
    "TowardAway",
    "Trample",
    "Trench",
    "Water",
    "Within",
    "ZoneSeparation",
]  # fmt: skip
