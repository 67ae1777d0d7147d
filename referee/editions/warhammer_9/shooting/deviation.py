"""Deviation: where a template or marker lands after the dice."""

import math

from pydantic import JsonValue

from models.queries import Deviation
from models.unit_conversion import inches
from models.verdict import Witness
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.scatter import is_misfire, missing_dice, scatter_point
from referee.editions.warhammer_9.shooting.templates import bases_under_template, point_of
from referee.geometry.shapes import Area, disc
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import Candidate, RuleResult

_SCATTER = because("Scatter", 10, "It moves along the arrow by the distance rolled; on a hit it stays.")


def deviation(table: ExactTable, query: Deviation) -> RuleResult:
    """Deviation: where the template or marker lands. Source: Scatter, p. 10; Choosing a Random Direction, p. 11."""
    start, dice = point_of(table, query.target), query.dice
    if dice.scatter is None and dice.heading_deg is not None:  # a random direction, not a scatter
        dice = dice.model_copy(update={"scatter": "arrow"})
    needs = () if query.hit or is_misfire(dice) else missing_dice(dice)
    if needs:
        return RuleResult(status="unknown", needs=needs, value={"start_mm": [*start]}, because=(_SCATTER,))
    end = start if query.hit else scatter_point(start, dice)
    value: dict[str, JsonValue] = {"start_mm": [*start], "point_mm": [*end], "cap_mm": None, "clipped": False}
    members = tuple[Candidate, ...]()
    if query.diameter_in is not None and not is_misfire(dice):
        members = bases_under_template(table, Area((disc(end, inches(query.diameter_in) / 2),)))
    return RuleResult(
        status="measured",
        value=value | {"misfire": is_misfire(dice)},
        members=members,
        witness=(Witness(type="segment", role="path", points_mm=(start, end)),),
        because=(with_effect(table, _SCATTER, f"It lands {format_length(math.dist(start, end))} away."),),
        readings=("area-touch",),
    )
