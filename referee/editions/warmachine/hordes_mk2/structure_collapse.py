"""Structure collapse: whom a falling structure buries."""

from models.queries import StructureCollapse
from referee.editions.warmachine.hordes_mk2.parameters import ARMOUR, because
from referee.editions.warmachine.mk1_and_mk2.terrain.structures import ONLY_STRUCTURES, SECTION, is_structure
from referee.editions.warmachine.terrain.features import find_feature
from referee.geometry.containment import reach_into
from referee.rules.candidates import evaluate_each, in_play
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_BURIED = because(SECTION, "Whoever is inside is hit by ARM times the levels, and falls.")
_RUIN = because(SECTION, "A ruin as large is left: rough ground, cover by any part inside.")


def structure_collapse(table: ExactTable, query: StructureCollapse) -> RuleResult:
    """Structure collapse: whom the collapse buries: any part of the base inside.

    Source: Damaging and Destroying Structures.
    """
    feature = find_feature(table, query.feature)
    if feature is None or not is_structure(feature):
        return RuleResult(status="refused", because=(ONLY_STRUCTURES,), advice=f"{query.feature} is no structure.")

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        depth = reach_into(perturbed.base(id_), perturbed.area(query.feature))
        return RuleResult(margin_mm=depth, zero_is_met=False, because=(_BURIED,), depends_on_place=(id_, query.feature))

    ids = sorted(in_play(table), key=lambda id_: -about(table, id_).decisive_mm)
    levels = feature.floors or 1
    armour = ARMOUR.get(feature.material or "")
    ruin = feature.model_dump(
        mode="json", include={"polygon_mm", "centre_mm", "diameter_mm", "line_mm", "thickness_mm"}
    )
    return RuleResult(
        status="measured",
        value={
            "power": None if armour is None else armour * levels,
            "levels": levels,
            "ruin": {"id": feature.id, "kind": "ruin", **{key: one for key, one in ruin.items() if one is not None}},
        },
        because=(_BURIED, _RUIN),
        needs=() if armour is not None else (f"material of {feature.id}",),
        members=evaluate_each(table, tuple(ids), about),
    )
