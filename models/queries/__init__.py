"""Queries: every question the referee knows, one class a kind, one module a group.

CLI, HTTP, phone, docs and tests take kind, fields and texts from here and from nowhere else. The docstring's first line
is what a player asks. `EDITIONS` names who answers it.
"""

from typing import Annotated, Union, get_args

from pydantic import Field, TypeAdapter

from models.queries.arcs import Arc, DamageArc, DamageGrid, DirectlyFacing, FieldOfFire, InBackArc, InFrontArc
from models.queries.base import TABLE_EDGES, BaseQuery, MiniatureId, Place, RangeIn, ThingId
from models.queries.charges import (
    Action,
    Assault,
    Charge,
    ChargeUnit,
    Frenzy,
    ImpactAttacks,
    PowerAttack,
    Push,
    Slam,
    ThreatRange,
    Throw,
    Trample,
)
from models.queries.command import Channel, CommandRange, ControlArea, Formation, MoraleCheck, Promotion, TakeControl
from models.queries.cover import (
    AttackModifiers,
    BackStrike,
    Cover,
    ElevationBonus,
    InMeleeGroup,
    InMeleePenalty,
    MeleeTerrainBonus,
    ShieldWall,
    Trench,
)
from models.queries.distances import Aura, B2b, BasesClear, CompletelyWithin, Distance, InArea, Nearest, Within
from models.queries.measuring_policy import MayMeasure
from models.queries.melee import CombinedMelee, Engaged, FreeStrike, InMelee, Lock, MeleeRange, StandUp, Sweep
from models.queries.movement import (
    FirstContact,
    FitsBetween,
    Flee,
    LeastDisturbance,
    MayMove,
    Move,
    Rollback,
    TableEdge,
)
from models.queries.ranked_moves import (
    BuildingAssault,
    ChargeChance,
    ChargeRedirect,
    MultiCharge,
    OneInchRule,
    Pursuit,
    Rally,
    RandomMove,
    Reform,
    StandAndShoot,
)
from models.queries.ranked_units import (
    Casualties,
    Challenge,
    CombatBonuses,
    CombatContacts,
    Garrison,
    JoinUnit,
    LookOutSir,
    March,
    Nudge,
    RankedFormation,
    Shooters,
    ShootingIntoCombat,
    Steadfast,
    UnitStrength,
    Wheel,
)
from models.queries.restricted_moves import RegroupMove, TowardAway
from models.queries.scenario import ObjectiveControl, ScenarioLayout, Score, WrittenRule
from models.queries.setup import Deployment, Placement, Reinforcements, Replacement, TerrainPlacement, ZoneSeparation
from models.queries.sight_and_shooting import (
    Aim,
    CombinedRanged,
    Intervening,
    Los,
    MayShoot,
    Range,
    Screening,
    SpellTarget,
    Stealth,
    TargetLegal,
)
from models.queries.templates import Deviation, SprayHits, TemplateHits
from models.queries.terrain import (
    Climb,
    CrossObstacle,
    Elevation,
    EntersArea,
    Entryway,
    Fall,
    Hazard,
    StructureCapacity,
    StructureCollapse,
    StructureTarget,
    TerrainClass,
    Water,
)
from models.queries.war_machines import (
    BoltThrower,
    Cannon,
    LineHits,
    StoneThrower,
    Vortex,
    WarMachineCombat,
    WarMachinePivot,
)

QUERY_CLASSES: tuple[type[BaseQuery], ...] = (
    Distance, Within, CompletelyWithin, InArea, Aura, Nearest, B2b, BasesClear, InFrontArc, InBackArc, Arc,
    DirectlyFacing, FieldOfFire, DamageGrid, DamageArc,
    Los, Intervening, Screening, TargetLegal, SpellTarget, Range, Stealth, MayShoot, Aim, CombinedRanged,
    Cover, Trench, ElevationBonus, BackStrike, ShieldWall, MeleeTerrainBonus, InMeleePenalty, InMeleeGroup,
    AttackModifiers,
    MeleeRange, Engaged, InMelee, FreeStrike, Sweep, CombinedMelee, Lock,
    Move, MayMove, CrossObstacle, Climb, FitsBetween, FirstContact, TableEdge, EntersArea, Hazard,
    Placement, Replacement, LeastDisturbance, Fall, Rollback, StandUp, Flee, TowardAway, RegroupMove,
    Charge, ChargeUnit, ThreatRange, Assault, ImpactAttacks, Frenzy, PowerAttack, Slam, Push, Throw, Trample, Action,
    TemplateHits, Deviation, SprayHits,
    Formation, CommandRange, ControlArea, Channel, TakeControl, Promotion, MoraleCheck,
    TerrainClass, Elevation, Water, Entryway, StructureTarget, StructureCapacity, StructureCollapse,
    TerrainPlacement, Deployment, Reinforcements, ZoneSeparation,
    ScenarioLayout, ObjectiveControl, Score, WrittenRule,
    RankedFormation, March, Wheel, Shooters, ShootingIntoCombat, UnitStrength, Casualties, LookOutSir,
    CombatContacts, CombatBonuses, Steadfast,
    OneInchRule, Reform, ChargeChance, MultiCharge, StandAndShoot, Pursuit, BuildingAssault,
    RandomMove, ChargeRedirect, Rally, JoinUnit, Challenge, Nudge, Garrison, WarMachineCombat, LineHits, Vortex,
    StoneThrower, Cannon, BoltThrower, WarMachinePivot,
    MayMeasure,
)  # fmt: skip

QUERIES: dict[str, type[BaseQuery]] = {get_args(cls.model_fields["kind"].annotation)[0]: cls for cls in QUERY_CLASSES}

Query = Annotated[Union[QUERY_CLASSES], Field(discriminator="kind")]  # type: ignore[valid-type]  # noqa: UP007 - built from the one list
MayMeasure.model_rebuild(_types_namespace={"Query": Query})  # it asks about any other question
QUERY: TypeAdapter[BaseQuery] = TypeAdapter(Query)

__all__ = [
    "QUERIES", "QUERY", "QUERY_CLASSES", "TABLE_EDGES", "Action", "Aim", "Arc", "Assault", "AttackModifiers",
    "Aura", "B2b", "BackStrike", "BaseQuery", "BasesClear", "BoltThrower", "BuildingAssault", "Cannon",
    "Casualties", "Challenge", "Channel", "Charge", "ChargeChance", "ChargeRedirect", "ChargeUnit", "Climb",
    "CombatBonuses", "CombatContacts", "CombinedMelee", "CombinedRanged", "CommandRange", "CompletelyWithin",
    "ControlArea", "Cover", "CrossObstacle", "DamageArc", "DamageGrid", "Deployment", "Deviation", "DirectlyFacing",
    "Distance", "Elevation", "ElevationBonus", "Engaged", "EntersArea", "Entryway", "Fall", "FieldOfFire",
    "FirstContact", "FitsBetween", "Flee", "Formation", "FreeStrike", "Frenzy", "Garrison", "Hazard",
    "ImpactAttacks", "InArea", "InBackArc", "InFrontArc", "InMelee", "InMeleeGroup", "InMeleePenalty",
    "Intervening", "JoinUnit", "LeastDisturbance", "LineHits", "Lock", "LookOutSir", "Los", "March", "MayMeasure",
    "MayMove", "MayShoot", "MeleeRange", "MeleeTerrainBonus", "MiniatureId", "MoraleCheck", "Move", "MultiCharge",
    "Nearest", "Nudge", "ObjectiveControl", "OneInchRule", "Place", "Placement", "PowerAttack", "Promotion",
    "Pursuit", "Push", "Query", "Rally", "RandomMove", "Range", "RangeIn", "RankedFormation", "Reform",
    "RegroupMove", "Reinforcements", "Replacement", "Rollback", "ScenarioLayout", "Score", "Screening",
    "ShieldWall", "Shooters", "ShootingIntoCombat", "Slam", "SpellTarget", "SprayHits", "StandAndShoot", "StandUp",
    "Steadfast", "Stealth", "StoneThrower", "StructureCapacity", "StructureCollapse", "StructureTarget", "Sweep",
    "TableEdge", "TakeControl", "TargetLegal", "TemplateHits", "TerrainClass", "TerrainPlacement", "ThingId",
    "ThreatRange", "Throw", "TowardAway", "Trample", "Trench", "UnitStrength", "Vortex", "WarMachineCombat",
    "WarMachinePivot", "Water", "Wheel", "Within", "WrittenRule", "ZoneSeparation",
]  # fmt: skip
