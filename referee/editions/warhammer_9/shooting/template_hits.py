"""Template hits: who lies under a round template."""

from collections import Counter

from pydantic import JsonValue

from models.queries import TemplateHits
from models.unit_conversion import inches
from models.verdict import Witness
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.templates import (
    bases_under_template,
    garrisons_hit,
    ids_hit,
    ids_under_hole,
    point_of,
)
from referee.editions.warhammer_9.units.regiment import regiment_of
from referee.geometry.shapes import Area, disc
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult

_UNDER = because("Templates", 10, "Every base that lies even partly under the template is hit.")
_INSIDE = because("Buildings", 99, "Who holds a building that is touched takes D6 hits.")


def template_hits(table: ExactTable, query: TemplateHits) -> RuleResult:
    """Template hits: who lies under a round template. Source: Templates, p. 10; Buildings, p. 99."""
    at = point_of(table, query.at)
    template = Area((disc(at, inches(query.diameter_in) / 2),))
    members = bases_under_template(table, template)
    hit = ids_hit(members)
    under = ids_under_hole(table, at, hit)
    by_id: dict[str, JsonValue] = {
        id_: {"hit": "direct" if id_ == query.direct else "hole" if id_ in under else "blast"} for id_ in hit
    }
    inside = garrisons_hit(table, template, at)
    value: dict[str, JsonValue] = {
        "by_id": by_id | {one.id: told for one, told in inside if one.id in ids_hit([one])},
        "units": dict[str, JsonValue](Counter(regiment_of(table, id_) for id_ in hit)),
        "point_mm": [*at],
    }
    return RuleResult(
        status="measured",
        value=value | ({"ties": [*under]} if query.hole else {}),
        members=(*members, *(one for one, _ in inside)),
        witness=(Witness(type="circle", role="limit", centre_mm=at, radius_mm=inches(query.diameter_in) / 2),),
        because=(with_effect(table, _UNDER, f"{len(hit)} lie under it."), *([_INSIDE] if inside else [])),
        readings=("area-touch",),
    )
