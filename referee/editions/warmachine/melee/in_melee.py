"""In melee: somebody engages it, or it engages somebody."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from pydantic import JsonValue

from models.profile import Profile
from models.queries import InMelee
from models.verdict import CAPPED_MM
from referee.editions.warmachine.melee.melee_range import (
    ENGAGED,
    HELPLESS,
    check_engages_enemy,
    weapon_reaches,
    why_not_engaged,
)
from referee.editions.warmachine.parameters import SPILL_REACH_MM, because
from referee.geometry.distance import gap
from referee.margins.distance_margin import limit_form
from referee.rules.candidates import answer_word, evaluate_each, in_play, is_met
from referee.rules.conditions import RIVAL_MM, any_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_margin, name_of, with_effect
from referee.rules.rule_result import FacingMissing, RuleResult
from referee.rules.sides import are_enemies
from referee.rules.switches import is_more_than, is_out_of_reach

_IN_MELEE = because("Engaged & Engaging", 43, "A model is in melee when it engages an enemy or an enemy engages it.")
_ALONE = because("Engaged & Engaging", 43, "No enemy is near enough for a melee.")
_UNARMED = because("Melee Range", 43, "A model without melee weapons has no melee range.")
Found = TypeVar("Found")
_FAR_MM = 10.0  # this far out of reach neither arc nor sight decides


def in_melee(table: ExactTable, query: InMelee) -> RuleResult:
    """In melee: whether it engages or is engaged; the margin is that of the nearest link. Source: p. 43."""
    others = enemies(table, query.who) if query.against is None else (query.against,)

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return check_link(perturbed, query.who, id_)

    result = melee_state(table, query.who, others)
    by_id: dict[str, JsonValue] = (
        {} if table.margins_only else {id_: _is_mutual(table, query.who, id_) for id_ in others}
    )
    return replace(result, value={"by_id": by_id}, members=evaluate_each(table, others, about))


def melee_state(table: ExactTable, who: str, others: tuple[str, ...] | None = None) -> RuleResult:
    """The result on the nearest link of one miniature to its enemies. Source: Engaged & Engaging, p. 43."""
    return table.evaluate_memoized(("melee", who, others), lambda perturbed: _evaluate_melee(perturbed, who, others))


def _evaluate_melee(table: ExactTable, who: str, others: tuple[str, ...] | None) -> RuleResult:
    others = enemies(table, who) if others is None else others
    helpless = next((why for status, why in HELPLESS.items() if status in table.miniature(who).status), None)
    if helpless is not None or not others:
        return RuleResult(margin_mm=-CAPPED_MM, because=(_IN_MELEE, helpless or _ALONE), depends_on_place=(who,))
    result = _list_links(table, who, close_to(table, who, others))
    if result.status == "decided" and result.decisive_mm <= -CAPPED_MM:  # the near ones cannot fight: who else could?
        result = _list_links(table, who, others)
    return replace(result, because=tuple(dict.fromkeys((_IN_MELEE, *(r for r in result.because if r != ENGAGED)))))


def _list_links(table: ExactTable, who: str, others: tuple[str, ...]) -> RuleResult:
    return any_of(tuple(check_engages(table, *pair) for pair in _deciding_pairs(table, who, others)))


def _deciding_pairs(table: ExactTable, who: str, others: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Who might engage whom: those near enough to deciding at rest."""
    pairs = tuple(pair for id_ in others for pair in ((who, id_), (id_, who)))
    return find_at_rest(table, who, f"links to {others}", lambda still: _rivals(still, pairs))


def find_at_rest(table: ExactTable, who: str, what: str, find: Callable[[ExactTable], Found]) -> Found:
    """What was found of it with nothing perturbed; anew where somebody was put elsewhere."""
    return table.memoize_unperturbed((what, who), find)


def _rivals(table: ExactTable, pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    results = {pair: check_engages(table, *pair) for pair in pairs}
    best = max((r.decisive_mm for r in results.values() if r.status == "decided"), default=0.0)
    return tuple(pair for pair, r in results.items() if r.status != "decided" or r.decisive_mm > best - 2 * RIVAL_MM)


def close_to(table: ExactTable, who: str, others: tuple[str, ...]) -> tuple[str, ...]:
    """Those of them that may hold the nearest link: no farther than the nearest one and the longest reach."""
    return find_at_rest(table, who, f"close to it of {others}", lambda still: _close_to(still, who, others))


def _close_to(table: ExactTable, who: str, others: tuple[str, ...]) -> tuple[str, ...]:
    crowd, centre = table.bounding_discs, table.centre(who)
    apart = dict(zip(crowd.ids, crowd.beyond_mm(centre, centre), strict=True))
    limit = max(table.base(who).reach_mm, min(apart[id_] for id_ in others)) + _longest_mm(table) + 2 * _FAR_MM
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


def enemies(table: ExactTable, who: str) -> tuple[str, ...]:
    """All its enemies in play: only enemies engage each other. Source: Engaged & Engaging, p. 43."""
    still = table.unperturbed
    return still.memoize_for("enemies", who, lambda: _enemies(still, who))


def _enemies(table: ExactTable, who: str) -> tuple[str, ...]:
    me = table.miniature(who)
    return tuple(i for i in in_play(table, who) if are_enemies(table.state, me, table.miniature(i)))


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
        who, whom = name_of(table, target), name_of(table, attacker)
        told = f"{who} is {format_length(apart)} from {whom}, {format_margin(short)} for a melee."
        form = limit_form(table, attacker, target, max(reaches.values()))
        why = with_effect(table, _IN_MELEE, told)
        return RuleResult(margin_mm=short, because=(why,), depends_on_place=(attacker, target), form=form)
    return check_engages_enemy(table, attacker, target)


def _answer_unarmed(table: ExactTable, attacker: str, target: str, apart: float) -> RuleResult:
    """Without melee weapons nothing is engaged; of a card nobody has told that can only be said from afar."""
    told = table.miniature(attacker).profile != Profile()
    if told or why_not_engaged(table, attacker, target) is not None:
        is_far = True
    else:
        is_far = is_more_than(apart, SPILL_REACH_MM, "stands beyond the reach of any weapon of", (target, attacker))
    if is_far:
        return RuleResult(margin_mm=-CAPPED_MM, because=(_UNARMED,), depends_on_place=(attacker, target))
    return RuleResult(
        status="unknown", needs=(f"profile.melee of {attacker}",), because=(_UNARMED,), depends_on_place=(attacker,)
    )


def _is_mutual(table: ExactTable, who: str, other: str) -> dict[str, JsonValue]:
    return {"engages": _describe_link(table, who, other), "engaged": _describe_link(table, other, who)}


def _describe_link(table: ExactTable, attacker: str, target: str) -> str | None:
    if table.miniature(attacker).facing_deg is None and table.facings_rad.get(attacker) is None:
        return None
    return answer_word(check_engages(table, attacker, target))
