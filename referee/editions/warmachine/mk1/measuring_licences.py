"""Measuring licences: as in HORDES Mk II, but that a declared attack opens the figures of sight too.

Source: General Guidelines; Sharing Measurements; Line of Sight, Prime p. 33: from its viewpoint, or with a laser.
"""

from dataclasses import replace

from models.queries import Assault, Charge, Cover, Formation, RankedFormation, Screening, ShieldWall
from models.queries.base import BaseQuery
from referee.editions.warmachine.mk1_and_mk2 import measuring_licences
from referee.rules.exact_table import ExactTable
from referee.rules.licence import Licence

_RESOLVED = Cover(attacker="attacker", target="target")  # any question that is measured when an attack is resolved


def licence(table: ExactTable, query: BaseQuery) -> Licence | None:
    """The licence a question falls under. Source: Remix p. 33; Prime p. 33."""
    if isinstance(query, Screening | ShieldWall):
        query = _RESOLVED
    if isinstance(query, RankedFormation):
        query = Formation(unit=query.unit, asked_by=query.asked_by)
    if isinstance(query, Assault):
        query = Charge(attacker=query.attacker, target=query.target, step="outcome", asked_by=query.asked_by)
    found = measuring_licences.licence(table, query)
    if found is not None and found.name == "own-unit":
        return replace(found, only_within=False)
    if found is None or found.name != "sight" or found.disclosed == "figures":
        return found
    resolved = measuring_licences.licence(table, _RESOLVED)
    return resolved if resolved is not None and resolved.is_open else found
