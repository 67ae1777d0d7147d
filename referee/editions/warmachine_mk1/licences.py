"""Measuring here: as in the later HORDES book, but that an attack, once declared, opens the figures of sight too.

Source: General Guidelines; Sharing Measurements; Line of Sight, Prime p. 33: from its viewpoint, or with a laser.
"""

from dataclasses import replace

from models.queries import Assault, Charge, Cover, Formation, RankedFormation, Screening, ShieldWall
from models.queries.asked import Asked
from referee.editions import hordes_mk2
from referee.licence import Licence
from referee.situation import Situation

_RESOLVED = Cover(attacker="attacker", target="target")  # any question that is measured when an attack is resolved


def licence(table: Situation, query: Asked) -> Licence | None:
    """The licence a question falls under. Source: Remix p. 33; Prime p. 33."""
    if isinstance(query, Screening | ShieldWall):
        query = _RESOLVED
    if isinstance(query, RankedFormation):
        query = Formation(unit=query.unit, asked_by=query.asked_by)
    if isinstance(query, Assault):
        query = Charge(attacker=query.attacker, target=query.target, step="outcome", asked_by=query.asked_by)
    of_mk2 = hordes_mk2.EDITION.licence
    found = None if of_mk2 is None else of_mk2(table, query)
    if found is not None and found.name == "own-unit":
        return replace(found, only_within=False)
    if found is None or found.name != "sight" or found.disclosed == "figures":
        return found
    resolved = None if of_mk2 is None else of_mk2(table, _RESOLVED)
    return resolved if resolved is not None and resolved.is_open else found
