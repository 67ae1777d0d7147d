"""Legal target: models, and sections of structures."""

from models.queries import StructureTarget, TargetLegal
from referee.editions.warmachine.attacks import target_legal as shared
from referee.editions.warmachine.mk1_and_mk2.terrain.structures import is_structure
from referee.editions.warmachine.terrain.features import find_feature
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult


def target_legal(table: ExactTable, query: TargetLegal) -> RuleResult:
    """Legal target: whether everything holds that this attack on this target needs; structures are targets too.

    Source: Declaring a Target; Melee Combat; Damaging and Destroying Structures.
    """
    piece = find_feature(table, query.target)
    if piece is None or not is_structure(piece):
        return shared.target_legal(table, query)
    asked = {"attacker": query.attacker, "target": query.target, "attack": query.attack, "weapon": query.weapon}
    return table.evaluate_query(StructureTarget.model_validate(asked))
