"""Measuring here: as in the later HORDES book, but that sight is free to check and told with its figures.

Source: General Guidelines; Sharing Measurements; Line of Sight, Prime p. 33: from its viewpoint, or with a laser.
"""

from dataclasses import replace

from models.queries import Assault, Charge, Formation, RankedFormation, Screening
from models.queries.asked import Asked
from referee.editions import hordes_mk2
from referee.licence import Licence
from referee.situation import Situation


def licence(table: Situation, query: Asked) -> Licence | None:
    """The licence a question falls under. Source: Remix p. 33; Prime p. 33."""
    if isinstance(query, Screening):
        return Licence("sight")
    if isinstance(query, RankedFormation):
        query = Formation(unit=query.unit, asked_by=query.asked_by)
    if isinstance(query, Assault):
        query = Charge(attacker=query.attacker, target=query.target, step="outcome", asked_by=query.asked_by)
    of_mk2 = hordes_mk2.EDITION.licence
    found = None if of_mk2 is None else of_mk2(table, query)
    if found is not None and found.name == "own-unit":
        return replace(found, only_within=False)
    return found if found is None or found.name != "sight" else replace(found, disclosed="figures")
