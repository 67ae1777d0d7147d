"""WARMACHINE: Prime rules digest (2016)."""

from models import queries
from referee.editions.warmachine import rules
from referee.editions.warmachine.attacks import aim, combined_ranged, spray_hits, target_legal
from referee.editions.warmachine.charges import assault, charge, throw
from referee.editions.warmachine.command import command_range
from referee.editions.warmachine.melee import back_strike, in_melee_group
from referee.editions.warmachine.miniatures import field_of_fire, nearest
from referee.editions.warmachine.movement import cross_obstacle, fall, hazard, move, regroup_move
from referee.editions.warmachine.parameters import SIZES
from referee.editions.warmachine.prime import (
    climb,
    elevation,
    elevation_bonus,
    frenzy,
    may_measure,
    objective_control,
    parameters,
    power_attack,
    reinforcements,
    scenario_layout,
    score,
    stand_up,
    sweep,
    terms,
    terrain_placement,
    water,
)
from referee.editions.warmachine.setup import scenarios
from referee.editions.warmachine.terrain import terrain_class
from referee.rules.edition import Edition

EDITION = Edition(
    id="warmachine-prime",
    book=parameters.BOOK,
    too_close=parameters.TOO_CLOSE,
    charge_extra_mm=charge.EXTRA_MM,
    scenarios=tuple(scenarios.PRINTED),
    unknown_terrain=parameters.UNKNOWN_TERRAIN,
    size_classes=SIZES,
    settled_readings={
        "cloud-as-terrain": "no",
        "three-inches": "covered",
    },  # Source: Spray Attacks, p. 54; Charge, p. 31
    terms=terms.TERMS,
    rules={
        **rules.RULES,
        queries.Nearest: nearest.nearest,
        queries.FieldOfFire: field_of_fire.field_of_fire,
        queries.DamageGrid: field_of_fire.damage_grid,
        queries.TargetLegal: target_legal.target_legal,
        queries.Aim: aim.aim,
        queries.ElevationBonus: elevation_bonus.elevation_bonus,
        queries.InMeleeGroup: in_melee_group.in_melee_group,
        queries.CombinedRanged: combined_ranged.combined_ranged,
        queries.BackStrike: back_strike.back_strike,
        queries.Sweep: sweep.sweep,
        queries.StandUp: stand_up.stand_up,
        queries.Move: move.move,
        queries.RegroupMove: regroup_move.regroup_move,
        queries.CrossObstacle: cross_obstacle.cross_obstacle,
        queries.Climb: climb.climb,
        queries.Hazard: hazard.hazard,
        queries.Fall: fall.fall,
        queries.Charge: charge.charge,
        queries.Assault: assault.assault,
        queries.Frenzy: frenzy.frenzy,
        queries.PowerAttack: power_attack.power_attack,
        queries.Throw: throw.throw,
        queries.SprayHits: spray_hits.spray_hits,
        queries.CommandRange: command_range.command_range,
        queries.TerrainClass: terrain_class.terrain_class,
        queries.Elevation: elevation.elevation,
        queries.Water: water.water,
        queries.TerrainPlacement: terrain_placement.terrain_placement,
        queries.Reinforcements: reinforcements.reinforcements,
        queries.ScenarioLayout: scenario_layout.scenario_layout,
        queries.ObjectiveControl: objective_control.objective_control,
        queries.Score: score.score,
        queries.MayMeasure: may_measure.may_measure,
    },
)
