"""One-inch rule: whether all on the table keep the inch that they owe one another, as they stand."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from pydantic import JsonValue

from models.queries import OneInchRule
from models.terrain import Terrain
from models.verdict import CAPPED_MM, Witness
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.movement.spacing import is_impassable, may_join, one_inch_clearance
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import (
    ClosestBases,
    closest_bases,
    measured_parts,
    place_doubts,
    ruler,
)
from referee.editions.warhammer_9.units.engagement import contact_mm, engaged_with
from referee.editions.warhammer_9.units.regiment import all_regiments, garrisoned_building, kind_of, leading_miniature
from referee.editions.warhammer_9.units.unit_strength import has_charged, this_turn_of
from referee.rules.conditions import Conditions, all_of_memoized
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import Candidate, RuleResult

_APART = because('1" Apart', 15, "An inch is kept from every other unit and from impassable terrain.")
_CHARGED = because('1" Apart', 15, "Who came to stand there by a charge, or fights, may stand closer.")
_NEAR_MM = 5.0  # what is that much farther than the nearest may turn out the nearest
_INDOORS = frozenset({"infantry", "war-beast", "swarm"})


@dataclass(frozen=True)
class Pair:
    """Two things near one another, and why they may be; `exempt` is None where they owe one another an inch."""

    a: str
    b: str
    between: ClosestBases
    exempt: str | None

    @property
    def margin_mm(self) -> float:
        return self.between.mm - parameters.SPACING_MM


def one_inch_rule(table: ExactTable, query: OneInchRule) -> RuleResult:
    """One-inch rule: whether it is kept by one on its way, or by all as they stand. Source: p. 15."""
    return _audit_table(table) if query.mover is None else one_inch_clearance(table, query, query.mover)


def _audit_table(table: ExactTable) -> RuleResult:
    pairs = table.memoize_unperturbed("pairs near one another", lambda still: tuple(_near_pairs(still)))
    owed = [pair for pair in pairs if pair.exempt is None]
    result = (
        RuleResult(margin_mm=CAPPED_MM) if not owed else all_of_memoized(table, "an inch apart", _pair_conditions(owed))
    )
    if table.perturbations:
        return result
    close = [pair for pair in pairs if pair.margin_mm < 0]
    text = "Nobody is near another." if not owed else _explain_pair(table, min(owed, key=lambda pair: pair.margin_mm))
    return replace(
        result,
        value={"pairs": [_pair_value(pair) for pair in close], "shift_mm": max(0.0, -(result.margin_mm or 0.0))},
        witness=tuple(_draw_pairs(table, pairs)),
        members=() if table.margins_only else tuple(_unit_candidates(table, owed)),
        because=(with_effect(table, _APART, text), *([_CHARGED] if any(pair.exempt for pair in close) else [])),
        readings=("one-inch-exact",),
        doubtful=_doubtful_house_rules(table, owed),
    )


def _pair_conditions(owed: list[Pair]) -> Conditions:
    return tuple((f"{pair.a}|{pair.b}", partial(_pair_clearance, a=pair.a, b=pair.b)) for pair in owed)


def _pair_clearance(table: ExactTable, *, a: str, b: str) -> RuleResult:
    """Whether these two are an inch apart."""
    between = closest_bases(table, a, b)
    legal = table.reading("one-inch-exact") == "legal"
    return RuleResult(
        margin_mm=between.mm - parameters.SPACING_MM, zero_is_met=legal, depends_on_place=between.depends_on
    )


def _doubtful_house_rules(table: ExactTable, owed: list[Pair]) -> tuple[str, ...]:
    exact = ["one-inch-exact"] * any(abs(pair.margin_mm) < 1e-6 for pair in owed)
    return tuple(dict.fromkeys((*exact, *(key for pair in owed for key in place_doubts(table, pair.a, pair.b)))))


def _near_pairs(table: ExactTable) -> Iterator[Pair]:
    """Of everybody the nearest ones, and all that are closer than an inch; each pair once."""
    units = [id_ for id_ in all_regiments(table) if garrisoned_building(table, id_) is None]
    closed = [t.id for t in table.state.terrain if is_impassable(t)]
    discs = {id_: _bounding_disc(table, id_) for id_ in (*units, *closed)}
    seen = set[tuple[str, str]]()
    for unit in units:
        for pair in _nearest_pairs(table, unit, [other for other in discs if other != unit], discs):
            if (pair.b, pair.a) not in seen:
                seen.add((pair.a, pair.b))
                yield pair


def _nearest_pairs(table: ExactTable, unit: str, others: list[str], discs: "Discs") -> list[Pair]:
    """Whom a unit stands nearest to of those it owes an inch, and all who are closer than that."""
    (x, y), reach = discs[unit]
    rough = sorted(
        (abs(complex(*at) - complex(x, y)) - reach - far, other) for other in others for at, far in [discs[other]]
    )
    pairs: list[Pair] = []
    least = CAPPED_MM
    for bound, other in rough:
        if bound > max(least, parameters.SPACING_MM) + _NEAR_MM:
            break
        between = closest_bases(table, unit, other)
        pairs.append(Pair(unit, other, between, _exemption(table, unit, other, between.mm)))
        least = min([least, *(pair.between.mm for pair in pairs[-1:] if pair.exempt is None)])
    return [pair for pair in pairs if pair.between.mm <= max(least, parameters.SPACING_MM) + _NEAR_MM]


Discs = dict[str, tuple[tuple[float, float], float]]


def _bounding_disc(table: ExactTable, id_: str) -> tuple[tuple[float, float], float]:
    """A disc round all that is measured of it."""
    parts = [part for _, area in measured_parts(table, id_) for part in area.parts]
    x, y = (sum(part.centre[k] for part in parts) / len(parts) for k in (0, 1))
    return (x, y), max(abs(complex(*part.centre) - complex(x, y)) + part.reach_mm for part in parts)


def _exemption(table: ExactTable, a: str, b: str, mm: float) -> str | None:
    """Why they may be closer than an inch. Source: p. 15; Joining a Unit, p. 81; Buildings, p. 99."""
    touches = mm <= contact_mm(table)
    thing = table.state.by_id[b]
    if isinstance(thing, Terrain):
        is_indoors = kind_of(leading_miniature(table, a)) in _INDOORS
        return "entering" if touches and thing.kind == "building" and is_indoors else _charge_exemption(table, a)
    return (
        "joining" if touches and may_join(table, a, b) else _charge_exemption(table, a) or _charge_exemption(table, b)
    )


def _charge_exemption(table: ExactTable, id_: str) -> str | None:
    """Whether a charge brought it to where it stands, or it fights."""
    if engaged_with(table, id_):
        return "fighting"
    return "charged" if has_charged(this_turn_of(table, id_)) else None


def _unit_candidates(table: ExactTable, owed: list[Pair]) -> Iterator[Candidate]:
    """Every unit with the least that it keeps."""
    for unit in dict.fromkeys(id_ for pair in owed for id_ in (pair.a, pair.b)):
        if isinstance(table.state.by_id[unit], Terrain):
            continue
        conditions = _pair_conditions([pair for pair in owed if unit in (pair.a, pair.b)])
        rule = partial(_unit_clearance, unit=unit, conditions=conditions)
        yield Candidate(unit, rule(table), rule)


def _unit_clearance(table: ExactTable, *, unit: str, conditions: Conditions) -> RuleResult:
    return all_of_memoized(table, ("an inch apart", unit), conditions)


def _pair_value(pair: Pair) -> JsonValue:
    at: JsonValue = [[*pair.between.gap.at_a], [*pair.between.gap.at_b]]
    return {"a": pair.a, "b": pair.b, "gap_mm": pair.between.mm, "margin_mm": pair.margin_mm, "exempt": pair.exempt,
            "at": at}  # fmt: skip


def _draw_pairs(table: ExactTable, pairs: tuple[Pair, ...]) -> Iterator[Witness]:
    """The line between all who are too close, and between those who are nearest to it."""
    owed = [pair for pair in pairs if pair.exempt is None]
    nearest = min(owed, key=lambda pair: pair.margin_mm, default=None)
    for pair in pairs:
        if pair.margin_mm < 0:
            yield ruler(table, pair.between, "blocked" if pair.exempt is None else "touching")
        elif pair is nearest:
            yield ruler(table, pair.between, "clear")


def _explain_pair(table: ExactTable, pair: Pair) -> str:
    return (
        f"{name_of(table, pair.a)} and {name_of(table, pair.b)} are {format_length(max(0.0, pair.between.mm))} apart."
    )
