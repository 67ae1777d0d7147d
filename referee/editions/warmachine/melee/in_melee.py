"""Melee: who is in melee with whom, whom a miss may hit, and the penalty for shots into it."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import TypeVar

from models.profile import Profile
from models.queries import InMelee, InMeleeGroup, InMeleePenalty
from models.verdict import CAPPED_MM, Reason
from models.vocabulary import Point
from referee.editions.warmachine.melee.attack_eligibility import check_sight
from referee.editions.warmachine.melee.melee_range import (
    ENGAGED,
    UNARMED,
    check_engages_enemy,
    weapon_reaches,
    why_not_engaged,
)
from referee.editions.warmachine.miniatures.base_state import is_huge
from referee.editions.warmachine.miniatures.turn_ledger import HELPLESS, actions_of
from referee.editions.warmachine.parameters import SPILL_REACH_MM, because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.distance import gap
from referee.margins.distance_margin import limit_form
from referee.rules.candidates import answer_word, evaluate_each, in_play, is_met, is_zero_or_more
from referee.rules.conditions import RIVAL_MM, all_of, any_of, negate
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_margin, format_names, name_of, with_effect
from referee.rules.rule_result import Candidate, FacingMissing, RuleResult, Value, ask_for
from referee.rules.sides import are_enemies
from referee.rules.switches import is_more_than, is_out_of_reach

_IN_MELEE = because("Engaged & Engaging", 43, "A model is in melee when it engages an enemy or an enemy engages it.")
_ALONE = because("Engaged & Engaging", 43, "No enemy is near enough for a melee.")
Found = TypeVar("Found")
_FAR_MM = 10.0  # this far out of reach neither arc nor sight decides
_GROUP = because(
    "Targeting a Model in Melee", 51, "Drawn are those in melee with the target, and those in melee with them."
)
_SEEN = because("Targeting a Model in Melee", 51, "Only who is in the attacker's sight is drawn; models hide nobody.")
_HUGE_MISSED = because("Targeting a Huge-Based Model in Melee", 52, "A miss against a huge base misses altogether.")
_ASSAULT = because("Assault", 52, "An Assault shot that misses the one it is in melee with misses altogether.")
_NEAR_MM = 160.0  # two reaches of two inches and what a measuring error may add
_DIE = 6
_PENALTY = because(
    "Targeting a Model in Melee", 51, "A target in melee gains 4 DEF against ranged and magic attacks but sprays."
)
_WAIVED = because("Targeting a Model in Melee", 51, "Not when the attack comes from one who is in melee with it.")
_HUGE_UNSPARED = because("Targeting a Huge-Based Model in Melee", 52, "Huge bases never gain it.")
_SPRAY = because("Spray Attacks", 54, "Sprays take no notice of it.")


def in_melee(table: ExactTable, query: InMelee) -> RuleResult:
    """In melee: whether it engages or is engaged; the margin is that of the nearest link. Source: p. 43."""
    others = enemies(table, query.who) if query.against is None else (query.against,)

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return check_link(perturbed, query.who, id_)

    result = melee_state(table, query.who, others)
    by_id: Value = {} if table.margins_only else {id_: _is_mutual(table, query.who, id_) for id_ in others}
    return replace(result, value={"by_id": by_id}, members=evaluate_each(table, others, about))


def melee_state(table: ExactTable, miniature: str, others: tuple[str, ...] | None = None) -> RuleResult:
    """The result on the nearest link of one miniature to its enemies. Source: Engaged & Engaging, p. 43."""
    return table.evaluate_memoized(
        ("melee", miniature, others), lambda perturbed: _evaluate_melee(perturbed, miniature, others)
    )


def _evaluate_melee(table: ExactTable, miniature: str, others: tuple[str, ...] | None) -> RuleResult:
    others = enemies(table, miniature) if others is None else others
    helpless = next((why for status, why in HELPLESS.items() if status in table.miniature(miniature).status), None)
    if helpless is not None or not others:
        return RuleResult(margin_mm=-CAPPED_MM, because=(_IN_MELEE, helpless or _ALONE), depends_on_place=(miniature,))
    result = _list_links(table, miniature, close_to(table, miniature, others))
    if result.status == "decided" and result.decisive_mm <= -CAPPED_MM:  # the near ones cannot fight: who else could?
        result = _list_links(table, miniature, others)
    return replace(result, because=tuple(dict.fromkeys((_IN_MELEE, *(r for r in result.because if r != ENGAGED)))))


def _list_links(table: ExactTable, miniature: str, others: tuple[str, ...]) -> RuleResult:
    return any_of(tuple(check_engages(table, *pair) for pair in _deciding_pairs(table, miniature, others)))


def _deciding_pairs(table: ExactTable, miniature: str, others: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Who might engage whom: those near enough to deciding at rest."""
    pairs = tuple(pair for id_ in others for pair in ((miniature, id_), (id_, miniature)))
    return find_at_rest(table, miniature, f"links to {others}", lambda still: _rivals(still, pairs))


def find_at_rest(table: ExactTable, miniature: str, what: str, find: Callable[[ExactTable], Found]) -> Found:
    """The memoized result of the table at rest; worked out again where somebody was put elsewhere."""
    return table.memoize_unperturbed((what, miniature), find)


def _rivals(table: ExactTable, pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    results = {pair: check_engages(table, *pair) for pair in pairs}
    best = max((r.decisive_mm for r in results.values() if r.status == "decided"), default=0.0)
    return tuple(pair for pair, r in results.items() if r.status != "decided" or r.decisive_mm > best - 2 * RIVAL_MM)


def close_to(table: ExactTable, miniature: str, others: tuple[str, ...]) -> tuple[str, ...]:
    """Those of them that may hold the nearest link: no farther than the nearest one and the longest reach."""
    return find_at_rest(table, miniature, f"close to it of {others}", lambda still: _close_to(still, miniature, others))


def _close_to(table: ExactTable, miniature: str, others: tuple[str, ...]) -> tuple[str, ...]:
    crowd, centre = table.bounding_discs, table.centre(miniature)
    apart = dict(zip(crowd.ids, crowd.beyond_mm(centre, centre), strict=True))
    limit = max(table.base(miniature).reach_mm, min(apart[id_] for id_ in others)) + _longest_mm(table) + 2 * _FAR_MM
    return tuple(id_ for id_ in others if apart[id_] <= limit)


def _longest_mm(table: ExactTable) -> float:
    """The longest reach on the table."""
    reaches = (max(weapon_reaches(m).values(), default=0.0) for m in table.state.miniatures)
    return table.memoize_for("longest reach", "", lambda: max(reaches, default=0.0))


def check_link(table: ExactTable, a: str, b: str) -> RuleResult:
    """Whether these two are in melee with each other. Source: Engaged & Engaging, p. 43."""
    return any_of((check_engages(table, a, b), check_engages(table, b, a)))


def is_linked(table: ExactTable, a: str, b: str) -> bool:
    """Whether the two are in melee with one another; no where a facing that decides it is not told."""
    try:
        return is_met(check_link(table, a, b), "is in melee with")
    except FacingMissing:
        return False


def enemies(table: ExactTable, miniature: str) -> tuple[str, ...]:
    """All its enemies in play: only enemies engage each other. Source: Engaged & Engaging, p. 43."""
    still = table.unperturbed
    return still.memoize_for("enemies", miniature, lambda: _enemies(still, miniature))


def _enemies(table: ExactTable, miniature: str) -> tuple[str, ...]:
    me = table.miniature(miniature)
    return tuple(i for i in in_play(table, miniature) if are_enemies(table.state, me, table.miniature(i)))


def check_engages(table: ExactTable, attacker: str, target: str) -> RuleResult:
    """Whether the attacker engages the target; far out of reach the distance alone tells. Source: p. 43."""
    table = table.without_facings(but=attacker)
    return table.evaluate_memoized(
        ("engaging", attacker, target), lambda perturbed: _evaluate_engages(perturbed, attacker, target)
    )


def _evaluate_engages(table: ExactTable, attacker: str, target: str) -> RuleResult:
    reaches = weapon_reaches(table.miniature(attacker))
    apart = max(0.0, gap(table.base(attacker), table.base(target)).mm)
    if not reaches:
        return _answer_unarmed(table, attacker, target, apart)
    short = max(reaches.values()) - apart
    if is_out_of_reach(-short, _FAR_MM) and why_not_engaged(table, attacker, target) is None:
        engaged, whom = name_of(table, target), name_of(table, attacker)
        effect = f"{engaged} is {format_length(apart)} from {whom}, {format_margin(short)} for a melee."
        form = limit_form(table, attacker, target, max(reaches.values()))
        why = with_effect(table, _IN_MELEE, effect)
        return RuleResult(margin_mm=short, because=(why,), depends_on_place=(attacker, target), form=form)
    return check_engages_enemy(table, attacker, target)


def _answer_unarmed(table: ExactTable, attacker: str, target: str, apart: float) -> RuleResult:
    """The unarmed: they engage nothing; of an empty card that can only be said from afar."""
    if table.miniature(attacker).profile != Profile() or why_not_engaged(table, attacker, target) is not None:
        is_far = True
    else:
        is_far = is_more_than(apart, SPILL_REACH_MM, "stands beyond the reach of any weapon of", (target, attacker))
    if is_far:
        return RuleResult(margin_mm=-CAPPED_MM, because=(UNARMED,), depends_on_place=(attacker, target))
    return ask_for(f"profile.melee of {attacker}", because=(UNARMED,), on=(attacker,))


def _is_mutual(table: ExactTable, miniature: str, other: str) -> Value:
    return {"engages": _describe_link(table, miniature, other), "engaged": _describe_link(table, other, miniature)}


def _describe_link(table: ExactTable, attacker: str, target: str) -> str | None:
    if table.miniature(attacker).facing_deg is None and table.facings_rad.get(attacker) is None:
        return None
    return answer_word(check_engages(table, attacker, target))


def in_melee_group(table: ExactTable, query: InMeleeGroup) -> RuleResult:
    """Melee group: everybody who may be drawn after a miss.

    Source: Targeting a Model in Melee, p. 51-52; p. 55 for magic.
    """
    if is_huge(table.miniature(query.target)):
        return RuleResult(status="measured", value={"links": [], "bands": {}, "by_id": {}}, because=(_HUGE_MISSED,))
    others = tuple(id_ for id_ in in_play(table, query.target, query.attacker))
    if (
        table.miniature(query.attacker).has("assault")
        and "charge" in actions_of(table, query.attacker)
        and is_met(check_link(table, query.attacker, query.target), "is in melee with")
    ):
        return RuleResult(status="measured", value={"links": [], "bands": {}, "by_id": {}}, because=(_ASSAULT,))
    near = in_play(table, query.target)
    partners = tuple(id_ for id_ in near if _gap_mm(table, query.target, id_) < _NEAR_MM / 2)
    source: str | Point = query.attacker if query.origin is None else query.origin

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_drawn(perturbed, source, query.target, id_, partners)

    members = evaluate_each(table, others, about)
    group = [c.id for c in members if c.result is not None and is_met(c.result, "is of one melee with")]
    return RuleResult(
        status="measured",
        value={
            "links": [[a, b] for a, b in combinations((query.target, *group), 2) if is_linked(table, a, b)],
            "bands": die_faces(group),
            "by_id": {c.id: {"why": _explain_membership(table, query.target, c)} for c in members},
        },
        because=(with_effect(table, _GROUP, f"Here: {format_names(table, group)}."), _SEEN),
        members=members,
    )


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


def _explain_membership(table: ExactTable, target: str, candidate: Candidate) -> str:
    if candidate.result is None:
        return "facing unknown"
    if is_zero_or_more(candidate.result):
        return "in melee with the target" if is_linked(table, target, candidate.id) else "in melee with its partner"
    return "out of sight" if "clauses" in candidate.result.value else "not in this melee"


def die_faces(group: list[str]) -> Value:
    """The faces of a die for each: equal shares, what is left over is rolled again.

    Source: Targeting a Model in Melee, p. 51, example 1.
    """
    share = _DIE // len(group) if 0 < len(group) <= _DIE else 0
    return {id_: [k * share + face for face in range(1, share + 1)] for k, id_ in enumerate(group) if share}


def in_melee_penalty(table: ExactTable, query: InMeleePenalty) -> RuleResult:
    """Penalty for a target in melee: whether the target is in melee, and not with the one the attack comes from.

    Source: p. 51-52.
    """
    if is_huge(table.miniature(query.target)):
        return _waive(table, query.target, "huge-base", _HUGE_UNSPARED)
    if query.shape == "spray":
        return _waive(table, query.target, "spray", _SPRAY)
    origin: str | Point = query.attacker if query.origin is None else query.origin
    state = melee_state(table, query.target)
    if not isinstance(origin, str) or origin not in table.miniatures:
        return replace(state, value=_value(table, state, None), because=(_PENALTY, *state.because))
    own = check_link(table, origin, query.target)
    result = all_of((("in-melee", state), ("not-its-own", negate(own))))
    waived = origin if is_met(own, "is in melee with") else None
    return replace(
        result,
        value={**result.value, **_value(table, result, waived)},
        witness=state.witness,
        because=(_PENALTY, _WAIVED) if waived else (_PENALTY, *state.because[1:]),
    )


def _waive(table: ExactTable, target: str, by: str, reason: Reason) -> RuleResult:
    value: Value = {"bonus": 0, "bonus_to": terms_of(table).melee_penalty[1], "waived_by": by}
    return RuleResult(margin_mm=-CAPPED_MM, value=value, because=(_PENALTY, reason), depends_on_place=(target,))


def _value(table: ExactTable, result: RuleResult, waived: str | None) -> Value:
    bonus, to = terms_of(table).melee_penalty
    return {"bonus": bonus if is_met(result) else 0, "bonus_to": to, "waived_by": waived}
