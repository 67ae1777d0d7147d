"""WARMACHINE Errata & FAQ (first edition)."""

from models import queries
from models.words import EditionId
from referee.edition import Edition
from referee.editions import hordes_mk2
from referee.editions.warmachine_mk1 import (
    cards,
    citing,
    declared,
    entering,
    flight,
    formations,
    licences,
    looking,
    melee,
    moves,
    parameters,
    screening,
    standing,
    units,
)

_ID: EditionId = "warmachine-mk1"

EDITION = Edition(
    id=_ID,
    book=parameters.BOOK,
    too_close=parameters.TOO_CLOSE,
    unknown_terrain=parameters.UNKNOWN_TERRAIN,
    read_card=cards.read_card,
    settled=declared.SETTLED,
    terms=declared.TERMS,
    cite=citing.cite,
    licence=licences.licence,
    measuring="after-declaration",
    rules={
        **{kind: rule for kind, rule in hordes_mk2.EDITION.rules.items() if _ID in kind.EDITIONS},
        queries.Sweep: melee.sweep,
        queries.InMeleePenalty: melee.in_melee_penalty,
        queries.InMeleeGroup: melee.in_melee_group,
        queries.EntersArea: entering.enters_area,
        queries.Lock: melee.lock,
        queries.FreeStrike: melee.free_strike,
        queries.ShieldWall: units.shield_wall,
        queries.Rally: units.rally,
        queries.ChargeUnit: units.charge_unit,
        queries.Assault: moves.assault,
        queries.Aim: standing.aim,
        queries.StandUp: standing.stand_up,
        queries.Screening: screening.screening,
        queries.Los: looking.line_of_sight,
        queries.Intervening: looking.intervening,
        queries.TargetLegal: melee.target_legal,
        queries.SprayHits: melee.spray_hits,
        queries.CombinedRanged: melee.combined_ranged,
        queries.Charge: moves.charge,
        queries.Slam: moves.slam,
        queries.ControlArea: moves.control_area,
        queries.PowerAttack: moves.power_attack,
        queries.TableEdge: moves.table_edge,
        queries.Flee: flight.flee,
        queries.Formation: formations.formation,
        queries.RankedFormation: formations.tight,
    },
)
