"""Rules that Mk I and HORDES Mk II share besides those of the whole family: Mk I takes them over or builds on them."""

from collections.abc import Mapping

from models import queries
from models.queries import BaseQuery
from referee.editions.warmachine import rules
from referee.editions.warmachine.mk1_and_mk2 import may_measure, nearest
from referee.editions.warmachine.mk1_and_mk2.attacks import (
    aim,
    combined_ranged,
    spray_hits,
    structure_target,
    target_legal,
)
from referee.editions.warmachine.mk1_and_mk2.charges import charge, power_attack, throw
from referee.editions.warmachine.mk1_and_mk2.command import command_range, morale_check, rally, rollback
from referee.editions.warmachine.mk1_and_mk2.melee import back_strike, lock
from referee.editions.warmachine.mk1_and_mk2.movement import cross_obstacle, fall, move, regroup_move, stand_up
from referee.editions.warmachine.mk1_and_mk2.terrain import elevation, elevation_bonus, terrain_class
from referee.rules.edition import Rule

RULES: Mapping[type[BaseQuery], Rule] = {
    **rules.RULES,
    queries.TargetLegal: target_legal.target_legal,
    queries.CombinedRanged: combined_ranged.combined_ranged,
    queries.ElevationBonus: elevation_bonus.elevation_bonus,
    queries.BackStrike: back_strike.back_strike,
    queries.Aim: aim.aim,
    queries.Lock: lock.lock,
    queries.Move: move.move,
    queries.CrossObstacle: cross_obstacle.cross_obstacle,
    queries.Fall: fall.fall,
    queries.Rollback: rollback.rollback,
    queries.Charge: charge.charge,
    queries.PowerAttack: power_attack.power_attack,
    queries.Throw: throw.throw,
    queries.SprayHits: spray_hits.spray_hits,
    queries.CommandRange: command_range.command_range,
    queries.MoraleCheck: morale_check.morale_check,
    queries.TerrainClass: terrain_class.terrain_class,
    queries.StructureTarget: structure_target.structure_target,
    queries.Nearest: nearest.nearest,
    queries.Rally: rally.rally,
    queries.RegroupMove: regroup_move.regroup_move,
    queries.StandUp: stand_up.stand_up,
    queries.Elevation: elevation.elevation,
    queries.MayMeasure: may_measure.may_measure,
}
