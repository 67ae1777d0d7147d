"""HORDES Mk II field test (November 2009)."""

from models import queries
from referee.editions.warmachine.mk1_and_mk2 import measuring_licences, parameters, rules
from referee.editions.warmachine.mk1_and_mk2.hordes_mk2 import attacks, movement, terms, terrain
from referee.editions.warmachine.parameters import HORDES_MK2, SIZES
from referee.rules.edition import Edition

# Source: Terrain; Water; Structures, which have none of these.
_UNKNOWN_TERRAIN = frozenset({"river", "marsh", "scree", "monument", "acid-bath", "burning-earth"})

# Source: Resolving Rules Issues.
_TOO_CLOSE = (
    "Agree on it together. If you cannot, look the rule up; if that does not settle it, each player rolls a d6 and "
    "the higher roll decides. Keep the ruling for the rest of the game (Resolving Rules Issues)."
)

EDITION = Edition(
    id="hordes-mk2",
    book=HORDES_MK2,
    too_close=_TOO_CLOSE,
    unknown_terrain=_UNKNOWN_TERRAIN,
    size_classes=SIZES,
    read_card=terms.read_card,
    settled_readings=terms.SETTLED,
    terms=terms.TERMS,
    cite=parameters.cite,
    licence=measuring_licences.licence,
    measuring="after-declaration",
    rules={
        **rules.RULES,
        queries.InMeleeGroup: attacks.in_melee_group,
        queries.Flee: movement.flee,
        queries.Frenzy: attacks.frenzy,
        queries.Promotion: attacks.promotion,
        queries.Entryway: terrain.entryway,
        queries.StructureCapacity: terrain.structure_capacity,
        queries.StructureCollapse: terrain.structure_collapse,
    },
)
