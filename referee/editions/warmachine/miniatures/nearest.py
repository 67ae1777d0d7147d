"""Nearest of several: exact ties are drawn by the players."""

from models.miniature import Miniature
from models.queries import Nearest
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.distances import draw_ruler, hinges, ids_that_matter
from referee.editions.warmachine.parameters import because
from referee.geometry.distance import area_gap
from referee.rules.candidates import evaluate_each, filter_by_side, in_play
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_NEAREST = because(
    "Corpse & Soul Tokens", 60, "Of those who may claim it the nearest does, measured from base edge to base edge."
)
_RIVAL_MM = 10.0  # whoever is this much farther than the nearest cannot become it by a measuring error


def nearest(table: ExactTable, query: Nearest) -> RuleResult:
    """Nearest: everybody by distance, the nearest first.

    Source: Corpse & Soul Tokens, p. 60; Measuring Distances, p. 12.
    """
    ids = _candidates(table, query)
    if not ids:
        return RuleResult(status="measured", value={"ties": [], "by_id": {}}, because=(_NEAREST,))
    gaps = {id_: _gap_mm(table, query.a, id_) for id_ in ids}
    order = sorted(ids, key=lambda id_: gaps[id_])
    least = gaps[order[0]]
    rivals = tuple(id_ for id_ in order if gaps[id_] <= least + _RIVAL_MM) + tuple(order[1:2])

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_ahead(perturbed, query.a, id_, tuple(dict.fromkeys(r for r in rivals if r != id_)))

    for rival in order[1:2]:  # who would be nearest in its place
        is_at_least(gaps[rival], least, f"is nearer to {query.a} than", hinges(table, order[0], rival, query.a))
    ties = [id_ for id_ in order if gaps[id_] - least < 1e-6]
    between = area_gap(table.area(query.a), table.area(order[0]))
    return RuleResult(
        status="measured",
        value={"ties": list(ties) if len(ties) > 1 else [], "by_id": {i: {"distance_mm": gaps[i]} for i in order}},
        lengths_mm={"distance": least},
        witness=(draw_ruler(between, query.a, order[0], role="clear"),),
        because=(
            with_effect(table, _NEAREST, f"The nearest is {name_of(table, order[0])}, {format_length(least)} away."),
        ),
        depends_on_place=ids_that_matter(query.a, order[0]),
        members=evaluate_each(table, order, about),
        advice="They are equally near: draw one at random." if len(ties) > 1 else None,
    )


def _check_ahead(table: ExactTable, source: str | Point, id_: str, rivals: tuple[str, ...]) -> RuleResult:
    """By how much it is nearer than every rival."""
    if not rivals:
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=ids_that_matter(source, id_))
    next_best = min(_gap_mm(table, source, rival) for rival in rivals)
    return RuleResult(
        margin_mm=next_best - _gap_mm(table, source, id_), depends_on_place=ids_that_matter(source, id_, *rivals)
    )


def _gap_mm(table: ExactTable, source: str | Point, id_: str) -> float:
    return max(0.0, area_gap(table.area(source), table.area(id_)).mm)


def _candidates(table: ExactTable, query: Nearest) -> tuple[str, ...]:
    if query.among is not None:
        return tuple(dict.fromkeys(query.among))
    source = table.state.by_id.get(query.a) if isinstance(query.a, str) else None
    side = source.side if isinstance(source, Miniature) else query.asked_by
    return filter_by_side(table, in_play(table, *ids_that_matter(query.a)), side, query.only)
