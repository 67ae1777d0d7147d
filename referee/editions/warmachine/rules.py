"""Shared rules of the family: the question, and the rule of a shared chapter that answers it.

A book takes those it has and lists its own beside them; what differs in a shared rule it sets in its `terms`.
"""

from collections.abc import Mapping

from models import queries
from models.queries import BaseQuery
from referee.editions.warmachine.attacks import attack_rolls, shooting, targets, templates
from referee.editions.warmachine.charges import charge_attacks, power_attacks, threat_range, trample
from referee.editions.warmachine.command import control_area, formation
from referee.editions.warmachine.line_of_sight import los
from referee.editions.warmachine.melee import free_strike, in_melee, melee_range
from referee.editions.warmachine.miniatures import arcs, areas, distances, turn_ledger
from referee.editions.warmachine.movement import cross_obstacle, enters_area, fall, least_disturbance, toward_away
from referee.editions.warmachine.setup import deployment
from referee.editions.warmachine.terrain import cover, features
from referee.rules.edition import Rule

RULES: Mapping[type[BaseQuery], Rule] = {
    queries.Distance: distances.distance,
    queries.Within: distances.within,
    queries.CompletelyWithin: distances.completely_within,
    queries.InArea: areas.in_area,
    queries.Aura: areas.aura,
    queries.B2b: distances.b2b,
    queries.BasesClear: distances.bases_clear,
    queries.Range: distances.in_range,
    queries.InFrontArc: arcs.in_front_arc,
    queries.InBackArc: arcs.in_back_arc,
    queries.Arc: arcs.arc,
    queries.DirectlyFacing: arcs.directly_facing,
    queries.DamageArc: arcs.damage_arc,
    queries.Los: los.line_of_sight,
    queries.Intervening: los.intervening,
    queries.SpellTarget: targets.spell_target,
    queries.MayShoot: shooting.may_shoot,
    queries.Stealth: targets.stealth,
    queries.Cover: cover.cover,
    queries.Trench: features.trench,
    queries.MeleeTerrainBonus: cover.melee_terrain_bonus,
    queries.InMeleePenalty: in_melee.in_melee_penalty,
    queries.AttackModifiers: attack_rolls.attack_modifiers,
    queries.ShieldWall: formation.shield_wall,
    queries.MeleeRange: melee_range.melee_range,
    queries.Engaged: melee_range.engaged,
    queries.InMelee: in_melee.in_melee,
    queries.FreeStrike: free_strike.free_strike,
    queries.CombinedMelee: attack_rolls.combined_melee,
    queries.TowardAway: toward_away.toward_away,
    queries.MayMove: turn_ledger.may_move,
    queries.FirstContact: enters_area.first_contact,
    queries.FitsBetween: cross_obstacle.fits_between,
    queries.TableEdge: fall.table_edge,
    queries.EntersArea: enters_area.enters_area,
    queries.Placement: deployment.placement,
    queries.Replacement: deployment.replacement,
    queries.LeastDisturbance: least_disturbance.least_disturbance,
    queries.ChargeUnit: charge_attacks.charge_unit,
    queries.ThreatRange: threat_range.threat_range,
    queries.ImpactAttacks: charge_attacks.impact_attacks,
    queries.Slam: power_attacks.slam,
    queries.Push: power_attacks.push,
    queries.Trample: trample.trample,
    queries.TemplateHits: templates.template_hits,
    queries.Deviation: templates.deviation,
    queries.Formation: formation.formation,
    queries.ControlArea: control_area.control_area,
    queries.Channel: control_area.channel,
    queries.TakeControl: control_area.take_control,
    queries.Deployment: deployment.deployment,
    queries.ZoneSeparation: deployment.zone_separation,
}
