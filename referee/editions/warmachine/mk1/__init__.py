"""WARMACHINE Errata & FAQ (first edition)."""

from models import queries
from models.vocabulary import EditionId
from referee.editions.warmachine.mk1 import cards, citations, measuring_licences, parameters, terms
from referee.editions.warmachine.mk1.attacks import aim, combined_ranged, spray_hits, target_legal
from referee.editions.warmachine.mk1.charges import assault, charge, charge_unit, power_attack, slam
from referee.editions.warmachine.mk1.command import control_area, formation, rally, ranked_formation, shield_wall
from referee.editions.warmachine.mk1.line_of_sight import intervening, los, screening
from referee.editions.warmachine.mk1.melee import free_strike, in_melee_group, in_melee_penalty, lock, sweep
from referee.editions.warmachine.mk1.movement import enters_area, flee, table_edge
from referee.editions.warmachine.mk1_and_mk2 import rules
from referee.editions.warmachine.parameters import SIZES
from referee.rules.edition import Edition

_ID: EditionId = "warmachine-mk1"

EDITION = Edition(
    id=_ID,
    book=parameters.BOOK,
    too_close=parameters.TOO_CLOSE,
    unknown_terrain=parameters.UNKNOWN_TERRAIN,
    size_classes=SIZES,
    read_card=cards.read_card,
    settled_readings=terms.SETTLED,
    terms=terms.TERMS,
    cite=citations.cite,
    licence=measuring_licences.licence,
    measuring="after-declaration",
    rules={
        **{kind: rule for kind, rule in rules.RULES.items() if _ID in kind.EDITIONS},
        queries.Sweep: sweep.sweep,
        queries.InMeleePenalty: in_melee_penalty.in_melee_penalty,
        queries.InMeleeGroup: in_melee_group.in_melee_group,
        queries.EntersArea: enters_area.enters_area,
        queries.Lock: lock.lock,
        queries.FreeStrike: free_strike.free_strike,
        queries.ShieldWall: shield_wall.shield_wall,
        queries.Rally: rally.rally,
        queries.ChargeUnit: charge_unit.charge_unit,
        queries.Assault: assault.assault,
        queries.Aim: aim.aim,
        queries.Screening: screening.screening,
        queries.Los: los.line_of_sight,
        queries.Intervening: intervening.intervening,
        queries.TargetLegal: target_legal.target_legal,
        queries.SprayHits: spray_hits.spray_hits,
        queries.CombinedRanged: combined_ranged.combined_ranged,
        queries.Charge: charge.charge,
        queries.Slam: slam.slam,
        queries.ControlArea: control_area.control_area,
        queries.PowerAttack: power_attack.power_attack,
        queries.TableEdge: table_edge.table_edge,
        queries.Flee: flee.flee,
        queries.Formation: formation.formation,
        queries.RankedFormation: ranked_formation.ranked_formation,
    },
)
