"""WARMACHINE Errata & FAQ (first edition)."""

from models import queries
from models.vocabulary import EditionId
from referee.editions.warmachine.mk1_and_mk2 import rules
from referee.editions.warmachine.mk1_and_mk2.mk1 import (
    attacks,
    charges,
    citations,
    command,
    line_of_sight,
    melee,
    movement,
    ranks,
    terms,
)
from referee.editions.warmachine.parameters import SIZES
from referee.rules.edition import Edition

_ID: EditionId = "warmachine-mk1"

# Source: Resolving Rules Issues, taken over: the book says nothing of its own.
_TOO_CLOSE = (
    "Look along the line together, or use a laser (Line of Sight, Prime p. 33). If you still differ, roll a d6 each."
)

# What the book has no rules for.
_UNKNOWN_TERRAIN = frozenset({"river", "marsh", "scree", "monument", "acid-bath", "burning-earth"})
EDITION = Edition(
    id=_ID,
    book=citations.BOOK,
    too_close=_TOO_CLOSE,
    unknown_terrain=_UNKNOWN_TERRAIN,
    size_classes=SIZES,
    read_card=terms.read_card,
    settled_readings=terms.SETTLED,
    terms=terms.TERMS,
    cite=citations.cite,
    licence=terms.licence,
    measuring="after-declaration",
    rules={
        **{kind: rule for kind, rule in rules.RULES.items() if _ID in kind.EDITIONS},
        queries.Sweep: melee.sweep,
        queries.InMeleePenalty: melee.in_melee_penalty,
        queries.InMeleeGroup: melee.in_melee_group,
        queries.EntersArea: movement.enters_area,
        queries.Lock: melee.lock,
        queries.FreeStrike: melee.free_strike,
        queries.ShieldWall: ranks.shield_wall,
        queries.Rally: command.rally,
        queries.ChargeUnit: charges.charge_unit,
        queries.Assault: charges.assault,
        queries.Aim: attacks.aim,
        queries.Screening: line_of_sight.screening,
        queries.Los: line_of_sight.line_of_sight,
        queries.Intervening: line_of_sight.intervening,
        queries.TargetLegal: attacks.target_legal,
        queries.SprayHits: attacks.spray_hits,
        queries.CombinedRanged: attacks.combined_ranged,
        queries.Charge: charges.charge,
        queries.Slam: charges.slam,
        queries.ControlArea: command.control_area,
        queries.PowerAttack: charges.power_attack,
        queries.TableEdge: movement.table_edge,
        queries.Flee: movement.flee,
        queries.Formation: command.formation,
        queries.RankedFormation: ranks.ranked_formation,
    },
)
