"""Warhammer 9th edition 1.61: regiments on rectangular bases."""

from models import queries
from referee.edition import Edition
from referee.editions.warhammer_9 import (
    arcs,
    cover,
    engaged,
    formations,
    machines,
    measuring,
    parameters,
    radii,
    shooting,
    sight,
    templates,
)

EDITION = Edition(
    id="warhammer-9",
    book=parameters.BOOK,
    too_close=parameters.TOO_CLOSE,
    plays_units=True,
    unknown_terrain=parameters.UNKNOWN_TERRAIN,
    rules={
        queries.Distance: measuring.distance,
        queries.Within: measuring.within,
        queries.Aura: measuring.aura,
        queries.Range: measuring.in_range,
        queries.InFrontArc: arcs.in_front_arc,
        queries.Arc: arcs.arc,
        queries.Los: sight.line_of_sight,
        queries.Cover: cover.cover,
        queries.MayShoot: shooting.may_shoot,
        queries.AttackModifiers: shooting.attack_modifiers,
        queries.Shooters: shooting.shooters,
        queries.ShootingIntoCombat: shooting.shooting_into_combat,
        queries.CombatContacts: engaged.combat_contacts,
        queries.SpellTarget: radii.spell_target,
        queries.CommandRange: radii.command_range,
        queries.MoraleCheck: radii.morale_check,
        queries.LookOutSir: radii.look_out_sir,
        queries.TemplateHits: templates.template_hits,
        queries.SprayHits: templates.spray_hits,
        queries.Deviation: templates.deviation,
        queries.StoneThrower: machines.stone_thrower,
        queries.Cannon: machines.cannon,
        queries.BoltThrower: machines.bolt_thrower,
        queries.WarMachinePivot: machines.pivot,
        queries.RankedFormation: formations.ranked_formation,
        queries.UnitStrength: formations.unit_strength,
        queries.Casualties: formations.casualties,
    },
)
