"""Shared rules of the family: the question, and the rule of a shared chapter that answers it.

A book takes those it has and lists its own beside them; what differs in a shared rule it sets in its `terms`.
"""

from collections.abc import Mapping

from models import queries
from models.queries import BaseQuery
from referee.editions.warmachine.attacks import (
    attack_modifiers,
    combined_melee,
    deviation,
    may_shoot,
    spell_target,
    stealth,
    template_hits,
)
from referee.editions.warmachine.charges import charge_unit, impact_attacks, push, slam, threat_range, trample
from referee.editions.warmachine.command import channel, control_area, formation, shield_wall, take_control
from referee.editions.warmachine.line_of_sight import intervening, los
from referee.editions.warmachine.melee import free_strike, in_melee, in_melee_penalty, melee_range
from referee.editions.warmachine.miniatures import (
    aura,
    bases_clear,
    damage_arc,
    directly_facing,
    distances,
    front_arc,
    in_area,
)
from referee.editions.warmachine.movement import (
    enters_area,
    first_contact,
    fits_between,
    least_disturbance,
    table_edge,
    toward_away,
)
from referee.editions.warmachine.setup import deployment, placement, replacement, zone_separation
from referee.editions.warmachine.terrain import cover, melee_terrain_bonus, trench
from referee.rules.edition import Rule

RULES: Mapping[type[BaseQuery], Rule] = {
    queries.Distance: distances.distance,
    queries.Within: distances.within,
    queries.CompletelyWithin: distances.completely_within,
    queries.InArea: in_area.in_area,
    queries.Aura: aura.aura,
    queries.B2b: distances.b2b,
    queries.BasesClear: bases_clear.bases_clear,
    queries.Range: distances.in_range,
    queries.InFrontArc: front_arc.in_front_arc,
    queries.InBackArc: front_arc.in_back_arc,
    queries.Arc: front_arc.arc,
    queries.DirectlyFacing: directly_facing.directly_facing,
    queries.DamageArc: damage_arc.damage_arc,
    queries.Los: los.line_of_sight,
    queries.Intervening: intervening.intervening,
    queries.SpellTarget: spell_target.spell_target,
    queries.MayShoot: may_shoot.may_shoot,
    queries.Stealth: stealth.stealth,
    queries.Cover: cover.cover,
    queries.Trench: trench.trench,
    queries.MeleeTerrainBonus: melee_terrain_bonus.melee_terrain_bonus,
    queries.InMeleePenalty: in_melee_penalty.in_melee_penalty,
    queries.AttackModifiers: attack_modifiers.attack_modifiers,
    queries.ShieldWall: shield_wall.shield_wall,
    queries.MeleeRange: melee_range.melee_range,
    queries.Engaged: melee_range.engaged,
    queries.InMelee: in_melee.in_melee,
    queries.FreeStrike: free_strike.free_strike,
    queries.CombinedMelee: combined_melee.combined_melee,
    queries.TowardAway: toward_away.toward_away,
    queries.FirstContact: first_contact.first_contact,
    queries.FitsBetween: fits_between.fits_between,
    queries.TableEdge: table_edge.table_edge,
    queries.EntersArea: enters_area.enters_area,
    queries.Placement: placement.placement,
    queries.Replacement: replacement.replacement,
    queries.LeastDisturbance: least_disturbance.least_disturbance,
    queries.ChargeUnit: charge_unit.charge_unit,
    queries.ThreatRange: threat_range.threat_range,
    queries.ImpactAttacks: impact_attacks.impact_attacks,
    queries.Slam: slam.slam,
    queries.Push: push.push,
    queries.Trample: trample.trample,
    queries.TemplateHits: template_hits.template_hits,
    queries.Deviation: deviation.deviation,
    queries.Formation: formation.formation,
    queries.ControlArea: control_area.control_area,
    queries.Channel: channel.channel,
    queries.TakeControl: take_control.take_control,
    queries.Deployment: deployment.deployment,
    queries.ZoneSeparation: zone_separation.zone_separation,
}
