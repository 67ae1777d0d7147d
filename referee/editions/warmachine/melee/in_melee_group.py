"""Melee group: whom a missed shot into a melee may hit instead."""

from itertools import combinations

from pydantic import JsonValue

from models.queries import InMeleeGroup
from models.vocabulary import Point
from referee.editions.warmachine.melee.attack_eligibility import actions_of, check_sight
from referee.editions.warmachine.melee.in_melee import check_link, find_at_rest, is_linked
from referee.editions.warmachine.miniatures.base_state import is_huge
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.distance import gap
from referee.rules.candidates import evaluate_each, in_play, is_met, is_zero_or_more
from referee.rules.conditions import RIVAL_MM, all_of, any_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.switches import is_out_of_reach

_GROUP = because(
    "Targeting a Model in Melee", 51, "Drawn are those in melee with the target, and those in melee with them."
)
_SEEN = because("Targeting a Model in Melee", 51, "Only who is in the attacker's sight is drawn; models hide nobody.")
_HUGE = because("Targeting a Huge-Based Model in Melee", 52, "A miss against a huge base misses altogether.")
_ASSAULT = because("Assault", 52, "An Assault shot that misses the one it is in melee with misses altogether.")
_NEAR_MM = 160.0  # two reaches of two inches and what a measuring error may add
_DIE = 6


def in_melee_group(table: ExactTable, query: InMeleeGroup) -> RuleResult:
    """Melee group: everybody who may be drawn after a miss.

    Source: Targeting a Model in Melee, p. 51-52; p. 55 for magic.
    """
    if is_huge(table.miniature(query.target)):
        return RuleResult(status="measured", value={"links": [], "bands": {}, "by_id": {}}, because=(_HUGE,))
    others = tuple(id_ for id_ in in_play(table, query.target, query.attacker))
    if _is_assault(table, query.attacker) and is_met(
        check_link(table, query.attacker, query.target), "is in melee with"
    ):
        return RuleResult(status="measured", value={"links": [], "bands": {}, "by_id": {}}, because=(_ASSAULT,))
    near = in_play(table, query.target)
    partners = tuple(id_ for id_ in near if _gap_mm(table, query.target, id_) < _NEAR_MM / 2)
    source: str | Point = query.attacker if query.origin is None else query.origin

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_drawn(perturbed, source, query.target, id_, partners)

    found = evaluate_each(table, others, about)
    group = [c.id for c in found if c.result is not None and is_met(c.result, "is of one melee with")]
    return RuleResult(
        status="measured",
        value={
            "links": _list_links(table, (query.target, *group)),
            "bands": die_faces(group),
            "by_id": {c.id: {"why": _explain_membership(table, query.target, c)} for c in found},
        },
        because=(with_effect(table, _GROUP, f"Here: {format_names(table, group)}."), _SEEN),
        members=found,
    )


def _is_assault(table: ExactTable, attacker: str) -> bool:
    """Whether its shot is that of a charge. Source: Assault, p. 52."""
    return table.miniature(attacker).has("assault") and "charge" in actions_of(table, attacker)


def _gap_mm(table: ExactTable, a: str, b: str) -> float:
    return gap(table.base(a), table.base(b)).mm


def _check_drawn(
    table: ExactTable, source: str | Point, target: str, id_: str, partners: tuple[str, ...]
) -> RuleResult:
    """Whether it is in the target's combat and in the attacker's sight."""
    group = _check_in_group(table, target, id_, partners)
    if group.status == "decided" and is_out_of_reach(
        -group.decisive_mm, 25.4
    ):  # far from any of it: sight decides nothing
        return group
    return all_of((("in-melee", group), ("sight", terms_of(table).redirection(table, source, id_))))


def check_in_sight(table: ExactTable, source: str | Point, id_: str) -> RuleResult:
    """Whether the attacker sees it past all models. Source: Targeting a Model in Melee, p. 51-52."""
    return check_sight(table, source, id_, past_models=True)


def _check_in_group(table: ExactTable, target: str, id_: str, partners: tuple[str, ...]) -> RuleResult:
    """In melee with the target, or with one who is; only those chains are looked at that may decide."""
    what = f"chains from {target} by {partners}"
    chains = find_at_rest(table, id_, what, lambda still: _deciding_chains(still, target, id_, partners))
    return any_of(tuple(_check_chain(table, target, id_, other) for other in chains))


def _deciding_chains(table: ExactTable, target: str, id_: str, partners: tuple[str, ...]) -> tuple[str | None, ...]:
    near = [p for p in partners if p != id_ and _gap_mm(table, p, id_) < _NEAR_MM / 2]
    chains = {other: _check_chain(table, target, id_, other) for other in (None, *near)}
    best = max((r.decisive_mm for r in chains.values() if r.status == "decided"), default=0.0)
    return tuple(k for k, r in chains.items() if r.status != "decided" or r.decisive_mm > best - 2 * RIVAL_MM)


def _check_chain(table: ExactTable, target: str, id_: str, other: str | None) -> RuleResult:
    """In melee with the target, or through one other."""
    if other is None:
        return check_link(table, target, id_)
    return all_of((("target", check_link(table, target, other)), ("partner", check_link(table, other, id_))))


def _list_links(table: ExactTable, group: tuple[str, ...]) -> list[JsonValue]:
    return [[a, b] for a, b in combinations(group, 2) if is_linked(table, a, b)]


def _explain_membership(table: ExactTable, target: str, candidate: Candidate) -> str:
    if candidate.result is None:
        return "facing unknown"
    if is_zero_or_more(candidate.result):
        return "in melee with the target" if is_linked(table, target, candidate.id) else "in melee with its partner"
    return "out of sight" if "clauses" in candidate.result.value else "not in this melee"


def die_faces(group: list[str]) -> dict[str, JsonValue]:
    """The faces of a die for each: equal shares, what is left over is rolled again.

    Source: Targeting a Model in Melee, p. 51, example 1.
    """
    share = _DIE // len(group) if 0 < len(group) <= _DIE else 0
    return {id_: [k * share + face for face in range(1, share + 1)] for k, id_ in enumerate(group) if share}
