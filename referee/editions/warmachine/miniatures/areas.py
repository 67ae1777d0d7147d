"""Areas: who is within one, and within an aura."""

from models.miniature import Miniature
from models.queries import Aura, InArea
from models.terrain import Effect
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.distances import hinges, ids_that_matter
from referee.editions.warmachine.parameters import FOCUS_INDUCTION_MM, because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.containment import depth_of_base, reach_into
from referee.geometry.distance import area_gap, farthest
from referee.margins.distance_margin import limit_form
from referee.rules.candidates import evaluate_each, filter_by_side, in_play, is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_names, name_of, with_effect
from referee.rules.rule_result import RuleResult, Value, ask_for
from referee.rules.switches import is_at_least

_WITHIN = because("Measuring Distances", 12, "A model is within an area when any part of its base is; touching counts.")
_WHOLLY = because("Within Vs. Completely Within", 12, "Completely within takes every part of the base.")
_AURA = because(
    "Measuring Distances", 12, "Everything up to the distance from the base edge is within, and the ground under it."
)
_CONTROL = because("Control Range", 69, "The control range is twice the current stat, from the base edge.")
_INDUCTION = because("Focus Induction", 95, "Another warjack of the same battlegroup within 6 in may get the focus.")


def in_area(table: ExactTable, query: InArea) -> RuleResult:
    """Within an area: whether some part of the base is in the area; just touching it is met.

    Source: Measuring Distances, p. 12.
    """
    base, area = table.base(query.who), table.area(query.area)
    depth, whole = reach_into(base, area), depth_of_base(base, (area,))
    completely = is_at_least(whole, 0.0, "is completely within", hinges(table, query.who, query.area))
    covered = table.reading("area-touch") == "covered"
    return RuleResult(
        margin_mm=depth,
        zero_is_met=covered,
        value={"completely": {"answer": "yes" if completely else "no", "margin_mm": whole}},
        lengths_mm={"completely": whole},
        witness=(Witness(type="circle", role="hit", centre_mm=base.centre, radius_mm=base.reach_mm, of=(query.who,)),),
        because=(with_effect(table, _WITHIN, _describe_depth(table, query, depth, whole)), _WHOLLY),
        readings=("area-touch",),
        doubtful=("area-touch",) if abs(depth) < 1e-6 else (),
        depends_on_place=hinges(table, query.who, query.area),
    )


def _describe_depth(table: ExactTable, query: InArea, depth_mm: float, whole_mm: float) -> str:
    name = name_of(table, query.who)
    if depth_mm < 0:
        return f"{name} stays {format_length(-depth_mm)} outside {query.area}."
    rest = (
        f"{format_length(-whole_mm)} of it are outside"
        if whole_mm < 0
        else f"all of it is inside, by {format_length(whole_mm)}"
    )
    return f"{name} reaches {format_length(depth_mm)} into {query.area}, and {rest}."


def aura(table: ExactTable, query: Aura) -> RuleResult:
    """Aura: who is within a distance of the source; the limit itself is within. Source: Measuring Distances, p. 12."""
    limit = _limit_mm(table, query)
    if limit is None:
        return ask_for(_name_missing(query), because=(_AURA,), on=ids_that_matter(query.source))

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_within(perturbed, query.source, id_, limit)

    ids = _candidates(table, query)
    ids = tuple(sorted(ids, key=lambda id_: area_gap(table.area(query.source), table.area(id_)).mm))
    members = evaluate_each(table, ids, about)
    inside = [c.id for c in members if c.result is not None and is_zero_or_more(c.result)]
    effect = f"Within {format_length(limit)} of {name_of(table, query.source)}: {format_names(table, inside)}."
    first, *more = _reasons(query)
    return RuleResult(
        status="measured",
        value={
            "source_counts": query.source in ids,
            "limit_mm": limit,
            "by_id": {id_: _about_member(table, query.source, id_, limit) for id_ in ids},
        },
        witness=_draw_rim(table, query.source, limit),
        because=(with_effect(table, first, effect), *more),
        members=members,
    )


def _check_within(table: ExactTable, source: str | Point, id_: str, limit: float) -> RuleResult:
    if source == id_:
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(id_,))
    apart = max(0.0, area_gap(table.area(source), table.area(id_)).mm)
    return RuleResult(
        margin_mm=limit - apart,
        depends_on_place=ids_that_matter(source, id_),
        form=limit_form(table, source, id_, limit),
    )


def _about_member(table: ExactTable, source: str | Point, id_: str, limit: float) -> Value:
    if source == id_:  # Source: Measuring Distances, p. 12: it is completely within its own area
        return {"completely": "yes", "distance_mm": 0.0}
    far, _, _ = farthest(table.area(source), table.area(id_))
    apart = max(0.0, area_gap(table.area(source), table.area(id_)).mm)
    whole = is_at_least(limit, far, "is completely within range of", hinges(table, id_, source))
    return {"completely": "yes" if whole else "no", "distance_mm": apart}


def _limit_mm(table: ExactTable, query: Aura) -> float | None:
    """The range that was asked about, else the source's own; 0 for an area that lies on the table as it is."""
    if query.range_in is not None:
        return inches(query.range_in)
    if query.effect == "focus-induction":
        return FOCUS_INDUCTION_MM
    thing = table.state.by_id.get(query.source) if isinstance(query.source, str) else None
    if isinstance(thing, Miniature):
        return _stat_mm(thing, query.effect) or _carried_mm(table, thing.id, query.effect)
    return None if thing is None else 0.0


def _stat_mm(miniature: Miniature, effect: str | None) -> float | None:
    """Source: Control Range, p. 69: twice the stat; Model Statistics, p. 15: command range."""
    profile = miniature.profile
    if effect == "control" and profile.control_stat is not None:
        return inches(2 * profile.control_stat)
    return inches(profile.cmd_in) if effect == "command" and profile.cmd_in is not None else None


def _carried_mm(table: ExactTable, id_: str, effect: str | None) -> float | None:
    """The radius of an effect that stands on the miniature."""
    mine = (e for e in table.state.effects if id_ in (e.on, e.by) and effect in (None, e.id, e.name, e.kind))
    return next((inches(e.radius_in) for e in mine if e.radius_in is not None), None)


def _name_missing(query: Aura) -> str:
    stat = {"control": "profile.control_stat", "command": "profile.cmd_in"}.get(query.effect or "")
    return f"{stat} of {query.source}" if stat else "range_in"


def _candidates(table: ExactTable, query: Aura) -> tuple[str, ...]:
    source = table.state.by_id.get(query.source) if isinstance(query.source, str) else None
    if query.effect == "focus-induction" and isinstance(source, Miniature):
        return tuple(id_ for id_ in in_play(table, source.id) if _shares_focus(source, table.miniature(id_)))
    side = source.side if isinstance(source, Miniature | Effect) else query.asked_by
    but = () if _source_counts(table, query) else ids_that_matter(query.source)
    return filter_by_side(table, in_play(table, *but), side, query.only)


def _source_counts(table: ExactTable, query: Aura) -> bool:
    """Whether the source is within its own effect: as the effect says, else as the book does. Source: p. 12."""
    mine = (e for e in table.state.effects if query.source in (e.on, e.by) and query.effect in (None, e.id, e.name))
    stated = next((e.counts_source for e in mine), None)
    return terms_of(table).source_is_inside_aura if stated is None else stated


def _shares_focus(giver: Miniature, other: Miniature) -> bool:
    """Source: Focus Induction, p. 95: warjacks of one battlegroup."""
    same = other.side == giver.side and other.controller == giver.controller
    return same and other.type in (None, "warjack")


def _draw_rim(table: ExactTable, source: str | Point, limit: float) -> tuple[Witness, ...]:
    part = table.area(source).parts[0]
    of = (source,) if isinstance(source, str) else ()
    return (Witness(type="circle", role="limit", centre_mm=part.centre, radius_mm=part.reach_mm + limit, of=of),)


def _reasons(query: Aura) -> tuple[Reason, ...]:
    more = {"control": _CONTROL, "focus-induction": _INDUCTION}.get(query.effect or "")
    return (_AURA,) if more is None else (_AURA, more)
