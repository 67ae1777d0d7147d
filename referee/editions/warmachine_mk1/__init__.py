"""WARMACHINE Errata & FAQ (first edition)."""

from models import queries
from models.words import EditionId
from referee.edition import Edition
from referee.editions import hordes_mk2, warmachine_prime
from referee.editions.warmachine_mk1 import (
    cards,
    citing,
    declared,
    formations,
    licences,
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
        queries.Sweep: warmachine_prime.EDITION.rules[queries.Sweep],
        queries.ShieldWall: units.shield_wall,
        queries.Rally: units.rally,
        queries.ChargeUnit: units.charge_unit,
        queries.Assault: warmachine_prime.EDITION.rules[queries.Assault],
        queries.StandUp: standing.stand_up,
        queries.Screening: screening.screening,
        queries.Los: melee.line_of_sight,
        queries.TargetLegal: melee.target_legal,
        queries.SprayHits: melee.spray_hits,
        queries.CombinedRanged: melee.combined_ranged,
        queries.Charge: moves.charge,
        queries.Slam: moves.slam,
        queries.ControlArea: moves.control_area,
        queries.PowerAttack: moves.head_butt,
        queries.TableEdge: moves.table_edge,
        queries.Flee: moves.flee,
        queries.Formation: formations.formation,
        queries.RankedFormation: formations.tight,
    },
)
