"""Distances between things, base contact, who is nearest, and whether bases overlap."""

import math
from itertools import combinations

import numpy as np

from models.miniature import Miniature
from models.queries import B2b, BasesClear, CompletelyWithin, Distance, Nearest, Range, Within
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.base_state import elevation_mm
from referee.editions.warmachine.parameters import because
from referee.geometry.distance import Gap, area_gap, farthest, gap
from referee.margins.distance_margin import limit_form
from referee.rules.candidates import evaluate_each, filter_by_side, in_play
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_margin, format_names, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least, is_more_than

_MEASURING = because("Measuring Distances", 12, "Distances run from base edge to base edge; reaching the limit counts.")
_WHOLLY = because("Within Vs. Completely Within", 12, "All of the base has to be inside the limit.")
_CONTACT = because("Base-to-Base & Contact", 33, "Two bases are base to base when they touch.")
_RANGE = because("Measuring Range", 40, "From the point of origin's base edge to the target's nearest base edge.")
_SELF = because("Model Special Rules", 16, "One is always in range of one's own rule.", "It is its own target.")
_ALONE = because("Spell Statistics", 72, "Range SELF is for oneself alone.", "It is somebody else.")
_NEAREST = because(
    "Corpse & Soul Tokens", 60, "Of those who may claim it the nearest does, measured from base edge to base edge."
)
_RIVAL_MM = 10.0  # whoever is this much farther than the nearest cannot become it by a measuring error
_CLEAR = because("Normal Movement & Advancing", 30, "No base may end on another; touching is no overlap.")
_NEAR_MM = 10.0  # pairs this much wider than the tightest cannot become it by a measuring error


def distance(table: ExactTable, query: Distance) -> RuleResult:
    """Distance: how far apart two things are, edge to edge; overlap reads 0. Source: Measuring Distances, p. 12."""
    between = area_gap(table.area(query.a), table.area(query.b))
    apart = max(0.0, between.mm)
    return RuleResult(
        status="measured",
        value={"distance_mm": apart, "pair": [list(between.at_a), list(between.at_b)]},
        lengths_mm={"distance": apart},
        witness=(draw_ruler(between, query.a, query.b, role="limit"),),
        because=(with_effect(table, _MEASURING, f"{_describe_gap(table, query.a, query.b, between.mm)}."),),
        depends_on_place=ids_that_matter(query.a, query.b),
        form=limit_form(table, query.a, query.b, 0.0),
    )


def within(table: ExactTable, query: Within) -> RuleResult:
    """Within a range: whether any part of b is within the limit of a. Source: Measuring Distances, p. 12."""
    between, limit_mm, a, b = (
        area_gap(table.area(query.a), table.area(query.b)),
        inches(query.range_in),
        query.a,
        query.b,
    )
    apart = max(0.0, between.mm)
    return RuleResult(
        margin_mm=limit_mm - apart,
        value={"distance_mm": apart, "limit_mm": limit_mm},
        lengths_mm={"distance": apart},
        witness=(draw_ruler(between, a, b, role="clear" if apart <= limit_mm else "blocked"),),
        because=(
            with_effect(
                table, _MEASURING, f"{_describe_gap(table, a, b, between.mm)}, {format_margin(limit_mm - apart)}."
            ),
        ),
        depends_on_place=ids_that_matter(a, b),
        form=limit_form(table, a, b, limit_mm),
    )


def _describe_gap(table: ExactTable, a: str | Point, b: str | Point, gap_mm: float) -> str:
    """How far apart two things are, in words."""
    if gap_mm < -1e-6:
        return f"{name_of(table, a)} and {name_of(table, b)} overlap, which counts as 0 apart"
    return f"{name_of(table, a)} and {name_of(table, b)} are {format_length(gap_mm)} apart"


def completely_within(table: ExactTable, query: CompletelyWithin) -> RuleResult:
    """Completely within a range: whether b's farthest point is within the limit of a.

    Source: Within Vs. Completely Within, p. 12.
    """
    limit, source, base = inches(query.range_in), table.area(query.a), table.area(query.b)
    far, at_b, at_a = farthest(source, base)
    return RuleResult(
        margin_mm=limit - far,
        value={"farthest_mm": max(0.0, far), "limit_mm": limit},
        lengths_mm={"farthest": max(0.0, far)},
        witness=(Witness(type="segment", role="limit", points_mm=(at_a, at_b), of=_names(query.a, query.b)),),
        because=(
            with_effect(
                table,
                _WHOLLY,
                f"The farthest point of {name_of(table, query.b)} is {format_length(max(0.0, far))} from "
                f"{name_of(table, query.a)}, {format_margin(limit - far)}.",
            ),
        ),
        depends_on_place=ids_that_matter(query.a, query.b),
    )


def b2b(table: ExactTable, query: B2b) -> RuleResult:
    """Base contact: whether two bases touch: told contacts first, else a gap no larger than the tolerance.

    Source: Base-to-Base & Contact, p. 33.
    """
    between = area_gap(table.area(query.a), table.area(query.b))
    tolerance = table.state.contact_tolerance_mm
    probability = contact_probability(table, query.a, query.b)
    return RuleResult(
        margin_mm=tolerance - between.mm,
        value={"gap_mm": between.mm, "contact_tolerance_mm": tolerance, "told": probability is not None},
        lengths_mm={"gap": between.mm},
        witness=(draw_ruler(between, query.a, query.b, role="touching"),),
        because=(with_effect(table, _CONTACT, _describe_contact(between.mm, tolerance, probability)),),
        depends_on_place=ids_that_matter(query.a, query.b),
        contact_probability=probability,
        form=limit_form(table, query.a, query.b, tolerance, called="gap"),
    )


def _describe_contact(gap_mm: float, tolerance_mm: float, probability: float | None) -> str:
    if probability is not None:
        return f"It has been told that they touch, with a probability of {probability:.2f}."
    return f"Their edges are {format_length(gap_mm)} apart; up to {tolerance_mm:g} mm counts as touching."


def contact_probability(table: ExactTable, a: str, b: str) -> float | None:
    """The probability that these two touch, when fit or tap told it. Source: Base-to-Base & Contact, p. 33."""
    return next((c.probability for c in table.state.contacts if {c.a, c.b} == {a, b}), None)


def in_range(table: ExactTable, query: Range) -> RuleResult:
    """Range: whether the target is in range of a weapon, a printed length or a stat. Source: Measuring Range, p. 40."""
    origin: str | Point = query.attacker if query.origin is None else query.origin
    if query.target == query.attacker and (query.origin is None or query.stat is not None):
        return RuleResult(margin_mm=CAPPED_MM, because=(_RANGE, _SELF), depends_on_place=(query.attacker,))
    if query.stat == "self":
        return RuleResult(
            margin_mm=-CAPPED_MM, because=(_RANGE, _ALONE), depends_on_place=(query.attacker, query.target)
        )
    limit = _range_mm(table, query)
    between = area_gap(table.area(origin), table.area(query.target))
    if limit is None:
        return RuleResult(
            status="unknown",
            value={"distance_mm": max(0.0, between.mm)},
            lengths_mm={"distance": max(0.0, between.mm)},
            witness=(draw_ruler(between, origin, query.target, role="limit"),),
            because=(_RANGE,),
            needs=(_name_missing_range(query),),
            depends_on_place=ids_that_matter(origin, query.target),
        )
    apart, rise = shot_mm(table, origin, query.target)
    return RuleResult(
        margin_mm=limit - apart,
        value={"distance_mm": apart, "range_mm": limit},
        lengths_mm={"distance": apart},
        witness=(draw_ruler(between, origin, query.target, role="clear" if apart <= limit else "blocked"),),
        because=(with_effect(table, _RANGE, describe_range(table, query.target, apart, limit)),),
        readings=("range-elevation",) if rise else (),
        doubtful=("range-elevation",) if rise else (),
        depends_on_place=ids_that_matter(origin, query.target),
        form=None if table.reading("range-elevation") == "space" else limit_form(table, origin, query.target, limit),
    )


def describe_range(table: ExactTable, target: str, apart_mm: float, limit_mm: float) -> str:
    """How a target lies to a range."""
    return f"{name_of(table, target)} is {format_length(apart_mm)} away, {format_margin(limit_mm - apart_mm)}."


def shot_mm(table: ExactTable, origin: str | Point, target: str | Point) -> tuple[float, float]:
    """How far a shot or spell has to go, and how far up or down; the height counts only where the players say so.

    Source: Measuring Range, p. 40, which knows no heights; only melee is told to use volumes (p. 78).
    """
    plan = max(0.0, area_gap(table.area(origin), table.area(target)).mm)
    rise = abs(_ground_mm(table, origin) - _ground_mm(table, target))
    return (math.hypot(plan, rise) if table.reading("range-elevation") == "space" else plan), rise


def _ground_mm(table: ExactTable, place: str | Point) -> float:
    return elevation_mm(table, place) if isinstance(place, str) and place in table.miniatures else 0.0


def _range_mm(table: ExactTable, query: Range) -> float | None:
    if query.range_in is not None:
        return inches(query.range_in)
    profile = table.miniature(query.attacker).profile
    if query.stat == "command":
        return None if profile.cmd_in is None else inches(profile.cmd_in)
    if query.stat == "control":  # Source: Control Range, p. 69: twice the stat
        return None if profile.control_stat is None else inches(2 * profile.control_stat)
    guns = [w for w in profile.ranged if query.weapon in (None, w.name) and w.rng_in is not None]
    lengths = [w.rng_in if isinstance(w.rng_in, float | int) else w.rng_in[1] for w in guns if w.rng_in is not None]
    return inches(max(lengths)) if lengths else None


def _name_missing_range(query: Range) -> str:
    field = {"command": "cmd_in", "control": "control_stat"}.get(query.stat or "", "ranged")
    field_path = f"profile.{field} of {query.attacker}"
    return field_path if query.weapon is None else f"rng_in of weapon {query.weapon} in {field_path}"


def draw_ruler(between: Gap, a: str | Point, b: str | Point, *, role: str) -> Witness:
    """The segment of closest points."""
    return Witness.model_validate(
        {"type": "segment", "role": role, "points_mm": (between.at_a, between.at_b), "of": _names(a, b)}
    )


def _names(*places: str | Point) -> tuple[str, ...]:
    return tuple(p for p in places if isinstance(p, str))


def hinges(table: ExactTable, *places: str | Point) -> tuple[str, ...]:
    """Everything whose place a switch on these hangs on, in order: what carries an effect moves it."""
    return tuple(dict.fromkeys(mover for place in _names(*places) for mover in table.movers_of(place)))


def ids_that_matter(*places: str | Point) -> tuple[str, ...]:
    """The ids whose place matters."""
    return tuple(dict.fromkeys(_names(*places)))


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
        is_at_least(
            gaps[rival], least, f"is nearer to {query.a} than", hinges(table, order[0], rival, query.a), is_noted=True
        )
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


def bases_clear(table: ExactTable, query: BasesClear) -> RuleResult:
    """Overlap of bases: whether no two bases overlap; touching is clear, and so are bases known to touch.

    Source: Normal Movement & Advancing, p. 30; Rule of Least Disturbance, p. 35.
    """
    ids = in_play(table) if query.among is None else tuple(dict.fromkeys(query.among))
    gaps = {pair: gap(table.base(pair[0]), table.base(pair[1])) for pair in _all_pairs(table, ids)}
    free = {pair: between for pair, between in gaps.items() if (contact_probability(table, *pair) or 0.0) < 0.975}
    if not free:
        return RuleResult(margin_mm=CAPPED_MM, value={"pairs": []}, because=(_CLEAR,))
    tightest, least = min(free.items(), key=lambda item: item[1].mm)
    near = [pair for pair, between in free.items() if between.mm <= least.mm + _NEAR_MM]
    return RuleResult(
        margin_mm=least.mm,
        value={
            "pairs": [{"a": a, "b": b, "gap_mm": apart.mm} for (a, b), apart in free.items() if _overlap((a, b), apart)]
        },
        lengths_mm={"least gap": least.mm},
        witness=(draw_ruler(least, *tightest, role="touching"),),
        because=(with_effect(table, _CLEAR, _find_tightest(table, tightest, least.mm)),),
        depends_on_place=tuple(dict.fromkeys(id_ for pair in near for id_ in pair)),
    )


def _find_tightest(table: ExactTable, pair: tuple[str, str], gap_mm: float) -> str:
    both = format_names(table, list(pair))
    return (
        f"{both} overlap by {format_length(-gap_mm)}."
        if gap_mm < -1e-6
        else f"{both} stand {format_length(gap_mm)} apart."
    )


def _overlap(pair: tuple[str, str], between: Gap) -> bool:
    return is_more_than(-between.mm, 0.0, "overlaps", pair)


def _all_pairs(table: ExactTable, ids: tuple[str, ...]) -> list[tuple[str, str]]:
    """The pairs that may be the tightest, or overlap, also when everything is perturbed a little."""
    still = table.unperturbed
    return still.memoize_for(f"close pairs of {ids}", "", lambda: _close_pairs(still, ids))


def _close_pairs(table: ExactTable, ids: tuple[str, ...]) -> list[tuple[str, str]]:
    if len(ids) < 2:
        return []
    crowd = table.bounding_discs
    place = {id_: k for k, id_ in enumerate(crowd.ids)}
    at = np.array([place[id_] for id_ in ids])
    first, second = np.triu_indices(len(ids), 1)
    a, b = at[first], at[second]
    least = np.abs(crowd.at[a] - crowd.at[b]) - crowd.reach_mm[a] - crowd.reach_mm[b]
    if all(table.base(id_).is_disc() for id_ in ids):
        close = least <= max(0.0, float(least.min())) + _NEAR_MM
        return [(ids[i], ids[j]) for i, j in zip(first[close], second[close], strict=True)]
    return list(combinations(ids, 2))
