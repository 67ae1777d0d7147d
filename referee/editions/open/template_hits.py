"""Template of the open edition: whom it covers, by as much of a base as the table wants covered."""

import math

from pydantic import JsonValue

from models.queries import TemplateHits
from models.unit_conversion import inches
from models.vocabulary import Point
from referee.editions.open.settings import explain_setting, is_limit_met
from referee.editions.warmachine.attacks.templates import draw_rim, middle_of
from referee.editions.warmachine.miniatures.distances import hinges
from referee.geometry.containment import covered_mm, depth_of_base
from referee.geometry.shapes import Area, disc
from referee.rules.candidates import evaluate_each, in_play, is_met
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, with_effect
from referee.rules.rule_result import RuleResult


def template_hits(table: ExactTable, query: TemplateHits) -> RuleResult:
    """Template: whom a round template covers."""
    at = middle_of(table, query.at)
    by = hinges(table, query.at)

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_covered(perturbed, middle_of(perturbed, query.at), query.diameter_in, id_, by)

    order = sorted(in_play(table), key=lambda id_: math.dist(at, table.centre(id_)))
    hit = [id_ for id_ in order if is_met(about(table, id_), "lies under the template of")]
    by_id: dict[str, JsonValue] = {id_: {"hit": "direct" if id_ == query.direct else "blast"} for id_ in hit}
    said = f"Under it: {format_names(table, hit)}."
    return RuleResult(
        status="measured",
        value={"point_mm": list(at), "by_id": by_id, "units": _count_units(table, hit)},
        witness=(draw_rim(at, query.diameter_in),),
        because=(with_effect(table, explain_setting(table, "open-template"), said),),
        readings=("open-template", "open-limit"),
        members=evaluate_each(table, order, about),
    )


def _check_covered(table: ExactTable, at: Point, diameter_in: float, id_: str, by: tuple[str, ...]) -> RuleResult:
    template, how = Area((disc(at, inches(diameter_in) / 2),)), table.reading("open-template")
    counted = disc(table.centre(id_), 0.0) if how == "centre" else table.base(id_)
    depth = depth_of_base(counted, (template,)) if how == "all" else covered_mm(template, counted)
    return RuleResult(
        margin_mm=depth, zero_is_met=is_limit_met(table), depends_on_place=tuple(dict.fromkeys((id_, *by)))
    )


def _count_units(table: ExactTable, ids: list[str]) -> dict[str, JsonValue]:
    units = [unit for unit in (table.miniature(id_).unit for id_ in ids) if unit is not None]
    return {unit: units.count(unit) for unit in dict.fromkeys(units)}
