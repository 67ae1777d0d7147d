"""Aura of the open edition: who is within a length of something, measured as the table measures."""

from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import Aura
from models.terrain import Effect
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.open.distances import READINGS, check_within
from referee.editions.open.measuring import Place, measure, measured_area
from referee.editions.open.settings import explain_setting, with_hair_mm
from referee.editions.warmachine.miniatures.distances import hinges
from referee.geometry.farthest import farthest
from referee.rules.candidates import evaluate_each, filter_by_side, in_play, is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_names, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least


def aura(table: ExactTable, query: Aura) -> RuleResult:
    """Aura: who is within a length of the source; the source itself counts."""
    limit = _limit_mm(table, query)
    rule = explain_setting(table, "open-measure")
    if limit is None:
        return RuleResult(
            status="unknown", needs=("range_in",), because=(rule,), depends_on_place=hinges(table, query.source)
        )

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        if query.source == id_:
            return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(id_,))
        return check_within(perturbed, query.source, id_, limit)

    ids = sorted(_candidates(table, query), key=lambda id_: measure(table, query.source, id_).mm)
    members = evaluate_each(table, ids, about)
    inside = [one.id for one in members if one.result is not None and is_zero_or_more(one.result)]
    said = f"Within {format_length(limit)} of {name_of(table, query.source)}: {format_names(table, inside)}."
    return RuleResult(
        status="measured",
        value={
            "source_counts": query.source in ids,
            "limit_mm": limit,
            "by_id": {id_: _about_member(table, query.source, id_, limit) for id_ in ids},
        },
        witness=(_draw_rim(table, query.source, limit),),
        because=(with_effect(table, rule, said),),
        readings=READINGS,
        members=members,
    )


def _about_member(table: ExactTable, source: str | Point, id_: str, limit_mm: float) -> dict[str, JsonValue]:
    if source == id_:
        return {"completely": "yes", "distance_mm": 0.0}
    far, _, _ = farthest(measured_area(table, source), table.area(id_))
    limit = with_hair_mm(table, limit_mm)
    whole = is_at_least(limit, far, "is completely within range of", hinges(table, id_, source))
    return {"completely": "yes" if whole else "no", "distance_mm": measure(table, source, id_).mm}


def _limit_mm(table: ExactTable, query: Aura) -> float | None:
    """The length that was asked about, else that of the card or of an effect the source carries."""
    if query.range_in is not None:
        return inches(query.range_in)
    thing = table.state.by_id.get(query.source) if isinstance(query.source, str) else None
    if not isinstance(thing, Miniature):
        return None if thing is None else 0.0
    if query.effect == "command" and thing.profile.cmd_in is not None:
        return inches(thing.profile.cmd_in)
    mine = (e for e in table.state.effects if thing.id in (e.on, e.by) and query.effect in (None, e.id, e.name, e.kind))
    return next((inches(e.radius_in) for e in mine if e.radius_in is not None), None)


def _candidates(table: ExactTable, query: Aura) -> tuple[str, ...]:
    source = table.state.by_id.get(query.source) if isinstance(query.source, str) else None
    side = source.side if isinstance(source, Miniature | Effect) else query.asked_by
    return filter_by_side(table, in_play(table), side, query.only)


def _draw_rim(table: ExactTable, source: Place, limit_mm: float) -> Witness:
    part = measured_area(table, source).parts[0]
    of = (source,) if isinstance(source, str) else ()
    return Witness(type="circle", role="limit", centre_mm=part.centre, radius_mm=part.reach_mm + limit_mm, of=of)
