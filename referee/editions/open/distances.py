"""Distances of the open edition: how far, within, in range, in an aura, engaged, and which is nearest."""

from dataclasses import replace

from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import Aura, CompletelyWithin, Distance, Engaged, Los, Nearest, Range, Within
from models.terrain import Effect
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.open.measuring import (
    Measured,
    Place,
    draw_ruler,
    height_between_mm,
    join_height,
    measure,
    measured_area,
)
from referee.editions.open.settings import explain_setting, is_limit_met, length_mm, number_of, with_hair_mm
from referee.editions.warmachine.miniatures.distances import hinges
from referee.geometry.distance import farthest
from referee.margins.distance_margin import limit_form
from referee.rules.candidates import evaluate_each, filter_by_side, in_play, is_zero_or_more
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_margin, format_names, name_of, with_effect
from referee.rules.margin_form import FormProvider
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

READINGS = ("open-measure", "open-limit", "open-hair-mm", "open-vertical")
_RIVAL_MM = 10.0  # whoever is this much farther than the nearest cannot become it by a measuring error
_READINGS = ("open-engage-in", "open-engage-sight", "open-measure", "open-limit", "open-hair-mm")


def distance(table: ExactTable, query: Distance) -> RuleResult:
    """Distance: how far apart two things are, as the table measures."""
    measured = measure(table, query.a, query.b)
    return RuleResult(
        status="measured",
        value={"distance_mm": measured.mm, "pair": [list(measured.between.at_a), list(measured.between.at_b)]},
        lengths_mm={"distance": measured.mm},
        witness=(draw_ruler(measured, query.a, query.b, is_met=None),),
        because=(_explain_distance(table, query.a, query.b, measured),),
        readings=READINGS,
        deciding_house_rules=_deciding(table, measured),
        depends_on_place=hinges(table, query.a, query.b),
        form=_form_of(table, query.a, query.b, measured, 0.0),
    )


def within(table: ExactTable, query: Within) -> RuleResult:
    """Within: whether b is no farther from a than the limit, as the table measures."""
    return check_within(table, query.a, query.b, inches(query.range_in))


def check_within(table: ExactTable, a: Place, b: Place, limit_mm: float) -> RuleResult:
    """Whether two things are no farther apart than a limit; the hair that still counts is to spare."""
    measured, limit = measure(table, a, b), with_hair_mm(table, limit_mm)
    margin = limit - measured.mm
    is_met = margin > 0 or (margin == 0 and is_limit_met(table))
    said = f"{_describe(table, a, b, measured)}, {format_margin(margin)}."
    return RuleResult(
        margin_mm=margin,
        zero_is_met=is_limit_met(table),
        value={"distance_mm": measured.mm, "limit_mm": limit},
        lengths_mm={"distance": measured.mm},
        witness=(draw_ruler(measured, a, b, is_met=is_met),),
        because=(with_effect(table, explain_setting(table, "open-measure"), said),),
        readings=READINGS,
        deciding_house_rules=_deciding(table, measured, margin),
        depends_on_place=hinges(table, a, b),
        form=_form_of(table, a, b, measured, limit),
    )


def completely_within(table: ExactTable, query: CompletelyWithin) -> RuleResult:
    """Completely within: whether the farthest point of b's base is no farther from a than the limit."""
    limit = with_hair_mm(table, inches(query.range_in))
    far, at_b, at_a = farthest(measured_area(table, query.a), table.area(query.b))
    mm = join_height(table, max(0.0, far), height_between_mm(table, query.a, query.b))
    named = tuple(place for place in (query.a, query.b) if isinstance(place, str))
    said = f"The farthest point of {name_of(table, query.b)} is {format_length(mm)} from {name_of(table, query.a)}"
    return RuleResult(
        margin_mm=limit - mm,
        zero_is_met=is_limit_met(table),
        value={"farthest_mm": mm, "limit_mm": limit},
        lengths_mm={"farthest": mm},
        witness=(Witness(type="segment", role="limit", points_mm=(at_a, at_b), of=named),),
        because=(with_effect(table, explain_setting(table, "open-measure"), f"{said}, {format_margin(limit - mm)}."),),
        readings=READINGS,
        depends_on_place=hinges(table, query.a, query.b),
    )


def in_range(table: ExactTable, query: Range) -> RuleResult:
    """Range: whether the target is no farther than the length that was told, or that stands on the card."""
    origin: Place = query.attacker if query.origin is None else query.origin
    limit = _range_mm(table, query)
    if limit is not None:
        return check_within(table, origin, query.target, limit)
    measured = measure(table, origin, query.target)
    return RuleResult(
        status="unknown",
        value={"distance_mm": measured.mm},
        lengths_mm={"distance": measured.mm},
        witness=(draw_ruler(measured, origin, query.target, is_met=None),),
        because=(_explain_distance(table, origin, query.target, measured),),
        needs=("range_in",),
        depends_on_place=hinges(table, origin, query.target),
    )


def _range_mm(table: ExactTable, query: Range) -> float | None:
    """What was told, else the longest of the card's weapons that was meant."""
    if query.range_in is not None:
        return inches(query.range_in)
    profile = table.miniature(query.attacker).profile
    if query.stat is not None:
        return inches(profile.cmd_in) if query.stat == "command" and profile.cmd_in is not None else None
    lengths = [w.rng_in for w in profile.ranged if query.weapon in (None, w.name) and w.rng_in is not None]
    return inches(max((rng if isinstance(rng, float | int) else rng[1]) for rng in lengths)) if lengths else None


def nearest(table: ExactTable, query: Nearest) -> RuleResult:
    """Nearest: everybody by distance, the nearest first."""
    ids = _candidates(table, query)
    if not ids:
        return RuleResult(
            status="measured",
            value={"ties": [], "by_id": {}},
            because=(explain_setting(table, "open-measure"),),
            readings=READINGS,
        )
    apart = {id_: measure(table, query.a, id_).mm for id_ in ids}
    order = sorted(ids, key=lambda id_: apart[id_])
    least = apart[order[0]]
    rivals = tuple(id_ for id_ in order if apart[id_] <= least + _RIVAL_MM) + tuple(order[1:2])

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_ahead(perturbed, query.a, id_, tuple(dict.fromkeys(r for r in rivals if r != id_)))

    for rival in order[1:2]:  # who would be nearest in its place
        is_at_least(apart[rival], least, "is nearer than", hinges(table, order[0], rival, query.a), is_noted=True)
    ties = [id_ for id_ in order if apart[id_] - least < 1e-6]
    said = f"The nearest is {name_of(table, order[0])}, {format_length(least)} away."
    return RuleResult(
        status="measured",
        value={"ties": list(ties) if len(ties) > 1 else [], "by_id": {i: {"distance_mm": apart[i]} for i in order}},
        lengths_mm={"distance": least},
        witness=(draw_ruler(measure(table, query.a, order[0]), query.a, order[0], is_met=True),),
        because=(with_effect(table, explain_setting(table, "open-measure"), said),),
        readings=READINGS,
        depends_on_place=hinges(table, query.a, order[0]),
        members=evaluate_each(table, order, about),
        advice="They are equally near: draw one at random." if len(ties) > 1 else None,
    )


def _check_ahead(table: ExactTable, source: Place, id_: str, rivals: tuple[str, ...]) -> RuleResult:
    """By how much it is nearer than every rival."""
    if not rivals:
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=hinges(table, source, id_))
    next_best = min(measure(table, source, rival).mm for rival in rivals)
    return RuleResult(
        margin_mm=next_best - measure(table, source, id_).mm, depends_on_place=hinges(table, source, id_, *rivals)
    )


def _candidates(table: ExactTable, query: Nearest) -> tuple[str, ...]:
    if query.among is not None:
        return tuple(dict.fromkeys(query.among))
    source = table.state.by_id.get(query.a) if isinstance(query.a, str) else None
    side = source.side if isinstance(source, Miniature) else query.asked_by
    own = (query.a,) if isinstance(query.a, str) else ()
    return filter_by_side(table, in_play(table, *own), side, query.only)


def _explain_distance(table: ExactTable, a: Place, b: Place, measured: Measured) -> Reason:
    return with_effect(table, explain_setting(table, "open-measure"), f"{_describe(table, a, b, measured)}.")


def _describe(table: ExactTable, a: Place, b: Place, measured: Measured) -> str:
    """How far apart two things are, in words."""
    both = f"{name_of(table, a)} and {name_of(table, b)}"
    if measured.between.mm < -1e-6 and measured.mm == 0:
        return f"{both} overlap, which counts as 0 apart"
    height = "" if measured.is_flat else f", {format_length(measured.rise_mm)} of height counted in"
    return f"{both} are {format_length(measured.mm)} apart{height}"


def _deciding(table: ExactTable, measured: Measured, margin_mm: float | None = None) -> tuple[str, ...]:
    """The settings of which another choice would have found something else."""
    keys = ["open-measure"]
    keys += ["open-vertical"] if not measured.is_flat else []
    keys += ["open-limit"] if margin_mm is not None and abs(margin_mm) < 1e-6 else []
    return tuple(keys + (["open-hair-mm"] if margin_mm is not None and with_hair_mm(table, 0.0) > 0 else []))


def _form_of(table: ExactTable, a: Place, b: Place, measured: Measured, limit_mm: float) -> FormProvider | None:
    """How the margin changes as bases move, where it is the plain one from edge to edge."""
    flat = measured.is_flat and table.reading("open-vertical") == "plan"
    return limit_form(table, a, b, limit_mm) if flat and table.reading("open-measure") == "edge" else None


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

    ids = sorted(_aura_candidates(table, query), key=lambda id_: measure(table, query.source, id_).mm)
    members = evaluate_each(table, ids, about)
    inside = [member.id for member in members if member.result is not None and is_zero_or_more(member.result)]
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


def _aura_candidates(table: ExactTable, query: Aura) -> tuple[str, ...]:
    source = table.state.by_id.get(query.source) if isinstance(query.source, str) else None
    side = source.side if isinstance(source, Miniature | Effect) else query.asked_by
    return filter_by_side(table, in_play(table), side, query.only)


def _draw_rim(table: ExactTable, source: Place, limit_mm: float) -> Witness:
    part = measured_area(table, source).parts[0]
    of = (source,) if isinstance(source, str) else ()
    return Witness(type="circle", role="limit", centre_mm=part.centre, radius_mm=part.reach_mm + limit_mm, of=of)


def engage_in(table: ExactTable) -> float:
    """How near engages, in inches."""
    return number_of(table, "open-engage-in")


def engaged(table: ExactTable, query: Engaged) -> RuleResult:
    """Engagement: whether the target is as near as engages, and seen where that is wanted."""
    near = check_within(table, query.attacker, query.target, length_mm(table, "open-engage-in"))
    reason = (explain_setting(table, "open-engage-in"), *near.because)
    if table.reading("open-engage-sight") == "no":
        return replace(near, because=reason, readings=_READINGS)
    line = table.evaluate_query(Los(viewer=query.attacker, target=query.target))
    both = all_of((("near", near), ("sight", line)))
    return replace(both, because=(*reason, *line.because), witness=(*near.witness, *line.witness))
