"""Legal targets here: models, and sections of structures."""

from models.queries import StructureTarget, TargetLegal
from referee.editions.hordes_mk2.structures import is_structure
from referee.editions.warmachine_prime import targets
from referee.ruling import Ruling
from referee.situation import Situation


def target_legal(table: Situation, query: TargetLegal) -> Ruling:
    """Whether everything holds that this attack on this target needs; structures are targets too.

    Source: Declaring a Target; Melee Combat; Damaging and Destroying Structures.
    """
    piece = next((t for t in table.state.terrain if t.id == query.target), None)
    if piece is None or not is_structure(piece):
        return targets.target_legal(table, query)
    asked = {"attacker": query.attacker, "target": query.target, "attack": query.attack, "weapon": query.weapon}
    return table.ruled(StructureTarget.model_validate(asked))
