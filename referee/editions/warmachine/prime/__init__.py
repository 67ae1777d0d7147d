"""WARMACHINE: Prime rules digest (2016)."""

from models import queries
from referee.editions.warmachine import rules
from referee.editions.warmachine.attacks import attack_rolls, shooting, sprays, targets
from referee.editions.warmachine.charges import charge, charge_attacks, involuntary_movement
from referee.editions.warmachine.command import formation
from referee.editions.warmachine.melee import attack_eligibility, in_melee
from referee.editions.warmachine.miniatures import arcs, distances
from referee.editions.warmachine.movement import cross_obstacle, enters_area, fall, move, toward_away
from referee.editions.warmachine.parameters import PRIME, SIZES
from referee.editions.warmachine.prime import attacks, scenarios, terms, terrain
from referee.editions.warmachine.setup.scenarios import PRINTED
from referee.editions.warmachine.terrain import features
from referee.rules.edition import Edition

# Source: Standard Terrain Features, p. 78-81, which have none of these.
_UNKNOWN_TERRAIN = frozenset({"deep-water", "river", "marsh", "scree", "monument"})

# Source: Resolving Rules Issues, p. 12.
_TOO_CLOSE = (
    "Agree on it together. If you cannot, look the rule up; if that does not settle it, each player rolls a d6 and "
    "the higher roll decides. Keep the ruling for the rest of the game (Resolving Rules Issues, p. 12)."
)

EDITION = Edition(
    id="warmachine-prime",
    book=PRIME,
    too_close=_TOO_CLOSE,
    charge_extra_mm=charge.EXTRA_MM,
    scenarios=tuple(PRINTED),
    unknown_terrain=_UNKNOWN_TERRAIN,
    size_classes=SIZES,
    settled_readings={
        "cloud-as-terrain": "no",
        "three-inches": "covered",
    },  # Source: Spray Attacks, p. 54; Charge, p. 31
    terms=terms.TERMS,
    rules={
        **rules.RULES,
        queries.Nearest: distances.nearest,
        queries.FieldOfFire: arcs.field_of_fire,
        queries.DamageGrid: arcs.damage_grid,
        queries.TargetLegal: targets.target_legal,
        queries.Aim: shooting.aim,
        queries.ElevationBonus: terrain.elevation_bonus,
        queries.InMeleeGroup: in_melee.in_melee_group,
        queries.CombinedRanged: attack_rolls.combined_ranged,
        queries.BackStrike: attack_eligibility.back_strike,
        queries.Sweep: attacks.sweep,
        queries.StandUp: attacks.stand_up,
        queries.Move: move.move,
        queries.RegroupMove: toward_away.regroup_move,
        queries.CrossObstacle: cross_obstacle.cross_obstacle,
        queries.Climb: terrain.climb,
        queries.Hazard: enters_area.hazard,
        queries.Fall: fall.fall,
        queries.Charge: charge.charge,
        queries.Assault: charge_attacks.assault,
        queries.Frenzy: attacks.frenzy,
        queries.PowerAttack: attacks.power_attack,
        queries.Throw: involuntary_movement.throw,
        queries.SprayHits: sprays.spray_hits,
        queries.CommandRange: formation.command_range,
        queries.TerrainClass: features.terrain_class,
        queries.Elevation: terrain.elevation,
        queries.Water: terrain.water,
        queries.TerrainPlacement: scenarios.terrain_placement,
        queries.Reinforcements: scenarios.reinforcements,
        queries.ScenarioLayout: scenarios.scenario_layout,
        queries.ObjectiveControl: scenarios.objective_control,
        queries.Score: scenarios.score,
        queries.MayMeasure: terms.may_measure,
    },
)
