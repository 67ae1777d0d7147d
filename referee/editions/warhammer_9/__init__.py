"""Warhammer 9th edition 1.61: regiments on rectangular bases."""

from models import queries
from referee.editions.warhammer_9 import cards, parameters
from referee.editions.warhammer_9.charges import (
    building_assault,
    charge,
    charge_odds,
    charge_targets,
    multi_charge,
    stand_and_shoot,
)
from referee.editions.warhammer_9.combat import combat_bonuses, combat_contacts, impact_attacks, look_out_sir
from referee.editions.warhammer_9.leadership import inspiring_presence, morale_check, rally
from referee.editions.warhammer_9.line_of_sight import cover, los
from referee.editions.warhammer_9.magic import spell_target, vortex
from referee.editions.warhammer_9.movement import (
    flight,
    garrison,
    hazard,
    may_move,
    move,
    one_inch_rule,
    pursuit,
    random_move,
    reform,
    spacing,
    table_edge,
    wheel,
)
from referee.editions.warhammer_9.setup import deployment, objective_control, reinforcements
from referee.editions.warhammer_9.shooting import (
    attack_modifiers,
    bolt_thrower,
    cannon,
    may_shoot,
    scatter,
    shooters,
    spray_hits,
    stone_thrower,
    templates,
    war_machine_aim,
)
from referee.editions.warhammer_9.units import (
    aura,
    distances,
    in_area,
    join_unit,
    quadrants,
    ranked_formation,
    unit_strength,
)
from referee.editions.warhammer_9.witnesses.drawing import with_pictures
from referee.rules.edition import Edition

EDITION = Edition(
    id="warhammer-9",
    book=parameters.BOOK,
    too_close=parameters.TOO_CLOSE,
    plays_units=True,
    read_card=cards.read_card,
    unknown_terrain=parameters.UNKNOWN_TERRAIN,
    settled_readings={"missing-text": "ask"},  # no other book has the maps and tables that this one lacks
    rules=with_pictures(
        {
            queries.Distance: distances.distance,
            queries.Within: distances.within,
            queries.Aura: aura.aura,
            queries.Range: distances.in_range,
            queries.InFrontArc: quadrants.in_front_arc,
            queries.Arc: quadrants.arc,
            queries.Los: los.line_of_sight,
            queries.Cover: cover.cover,
            queries.MayShoot: may_shoot.may_shoot,
            queries.AttackModifiers: attack_modifiers.attack_modifiers,
            queries.Shooters: shooters.shooters,
            queries.ShootingIntoCombat: may_shoot.shooting_into_combat,
            queries.CombatContacts: combat_contacts.combat_contacts,
            queries.SpellTarget: spell_target.spell_target,
            queries.CommandRange: inspiring_presence.command_range,
            queries.MoraleCheck: morale_check.morale_check,
            queries.LookOutSir: look_out_sir.look_out_sir,
            queries.TemplateHits: templates.template_hits,
            queries.SprayHits: spray_hits.spray_hits,
            queries.Deviation: scatter.deviation,
            queries.StoneThrower: stone_thrower.stone_thrower,
            queries.Cannon: cannon.cannon,
            queries.BoltThrower: bolt_thrower.bolt_thrower,
            queries.WarMachinePivot: war_machine_aim.war_machine_pivot,
            queries.March: may_move.march,
            queries.MayMove: may_move.may_move,
            queries.Wheel: wheel.wheel,
            queries.Move: move.move,
            queries.OneInchRule: one_inch_rule.one_inch_rule,
            queries.FitsBetween: spacing.fits_between,
            queries.Reform: reform.reform,
            queries.Charge: charge.charge,
            queries.ChargeChance: charge_odds.charge_chance,
            queries.MultiCharge: multi_charge.multi_charge,
            queries.StandAndShoot: stand_and_shoot.stand_and_shoot,
            queries.BuildingAssault: building_assault.building_assault,
            queries.Flee: flight.flee,
            queries.Pursuit: pursuit.pursuit,
            queries.CombatBonuses: combat_bonuses.combat_bonuses,
            queries.Steadfast: combat_bonuses.steadfast,
            queries.Deployment: deployment.deployment,
            queries.ObjectiveControl: objective_control.objective_control,
            queries.Hazard: hazard.hazard,
            queries.InArea: in_area.in_area,
            queries.BasesClear: spacing.bases_clear,
            queries.ElevationBonus: combat_bonuses.elevation_bonus,
            queries.JoinUnit: join_unit.join_unit,
            queries.Garrison: garrison.garrison,
            queries.Reinforcements: reinforcements.reinforcements,
            queries.Score: objective_control.score,
            queries.MayMeasure: distances.may_measure,
            queries.LineHits: cannon.line_hits,
            queries.Vortex: vortex.vortex,
            queries.Push: vortex.push,
            queries.ImpactAttacks: impact_attacks.impact_attacks,
            queries.WarMachineCombat: impact_attacks.war_machine_combat,
            queries.Nudge: combat_contacts.nudge,
            queries.Challenge: combat_contacts.challenge,
            queries.Rally: rally.rally,
            queries.ChargeRedirect: charge_targets.charge_redirect,
            queries.Frenzy: charge_targets.frenzy,
            queries.RandomMove: random_move.random_move,
            queries.TableEdge: table_edge.table_edge,
            queries.RankedFormation: ranked_formation.ranked_formation,
            queries.UnitStrength: unit_strength.unit_strength,
            queries.Casualties: unit_strength.casualties,
        }
    ),
)
