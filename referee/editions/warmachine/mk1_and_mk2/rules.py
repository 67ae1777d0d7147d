"""Rules that Mk I and HORDES Mk II share besides those of the whole family: Mk I takes them over or builds on them."""

from collections.abc import Mapping

from models import queries
from models.queries import BaseQuery
from referee.editions.warmachine import rules
from referee.editions.warmachine.mk1_and_mk2 import (
    attacks,
    charges,
    command,
    measuring_licences,
    melee,
    movement,
    terrain,
)
from referee.rules.edition import Rule

RULES: Mapping[type[BaseQuery], Rule] = {
    **rules.RULES,
    queries.TargetLegal: attacks.target_legal,
    queries.CombinedRanged: attacks.combined_ranged,
    queries.ElevationBonus: terrain.elevation_bonus,
    queries.BackStrike: melee.back_strike,
    queries.Aim: attacks.aim,
    queries.Lock: melee.lock,
    queries.Move: movement.move,
    queries.CrossObstacle: movement.cross_obstacle,
    queries.Fall: movement.fall,
    queries.Rollback: command.rollback,
    queries.Charge: charges.charge,
    queries.PowerAttack: charges.power_attack,
    queries.Throw: charges.throw,
    queries.SprayHits: attacks.spray_hits,
    queries.CommandRange: command.command_range,
    queries.MoraleCheck: command.morale_check,
    queries.TerrainClass: terrain.terrain_class,
    queries.StructureTarget: attacks.structure_target,
    queries.Nearest: attacks.nearest,
    queries.Rally: command.rally,
    queries.RegroupMove: movement.regroup_move,
    queries.StandUp: movement.stand_up,
    queries.Elevation: terrain.elevation,
    queries.Climb: movement.climb,
    queries.Water: terrain.water,
    queries.MayMeasure: measuring_licences.may_measure,
}
