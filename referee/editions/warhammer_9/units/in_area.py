"""In area: whether a miniature or most of a unit stands in terrain, a zone or an effect."""

from pydantic import JsonValue

from models.queries import InArea
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.majority_inside import is_mostly_inside
from referee.editions.warhammer_9.units.regiment import members_of
from referee.geometry.containment import depth_of_base, reach_into
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult

_AREA = because("Measuring Distances", 9, "In it is whoever has part of its base in it; a unit mostly, by over half.")


def in_area(table: ExactTable, query: InArea) -> RuleResult:
    """In area: whether any base is inside.

    Source: Measuring Distances, p. 9; Forests, p. 93, for most of a unit.
    """
    area = table.area(query.area)
    ids = members_of(table, query.who)
    depths = {m: reach_into(table.base(m), area) for m in ids}
    deepest = max(depths, key=lambda m: depths[m])
    whole = min(depth_of_base(table.base(m), (area,)) for m in ids)
    inside = sum(is_mostly_inside(table, m, query.area) for m in ids)
    value: dict[str, JsonValue] = {
        "completely": {"answer": "yes" if whole >= -1e-9 else "no", "margin_mm": whole},
        "majority": inside > len(ids) / 2,
        "inside": inside,
    }
    return RuleResult(
        margin_mm=depths[deepest],
        value=value,
        lengths_mm={"completely": whole},
        because=(with_effect(table, _AREA, f"{inside} of {len(ids)} are mostly inside."),),
        readings=("majority-inside",),
        outcome_house_rules=("majority-inside",) if any(mm > 0 for mm in depths.values()) else (),
        depends_on_place=(deepest, query.area),
    )
