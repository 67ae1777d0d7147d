"""HORDES Mk II field test (November 2009)."""

from models import queries
from referee.editions.warmachine.hordes_mk2 import (
    cards,
    climb,
    entryway,
    flee,
    frenzy,
    in_melee_group,
    parameters,
    promotion,
    structure_capacity,
    structure_collapse,
    terms,
    water,
)
from referee.editions.warmachine.mk1_and_mk2 import citations, measuring_licences, rules
from referee.editions.warmachine.parameters import SIZES
from referee.rules.edition import Edition

EDITION = Edition(
    id="hordes-mk2",
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
        **rules.RULES,
        queries.InMeleeGroup: in_melee_group.in_melee_group,
        queries.Climb: climb.climb,
        queries.Flee: flee.flee,
        queries.Frenzy: frenzy.frenzy,
        queries.Promotion: promotion.promotion,
        queries.Water: water.water,
        queries.Entryway: entryway.entryway,
        queries.StructureCapacity: structure_capacity.structure_capacity,
        queries.StructureCollapse: structure_collapse.structure_collapse,
    },
)
