"""Combined ranged attack: all who join have committed their attack before anything is measured."""

from pydantic import JsonValue

from models.queries import CombinedRanged, Cover, Stealth
from models.verdict import CAPPED_MM
from referee.editions.warmachine.attacks.combined_ranged import check_range
from referee.editions.warmachine.attacks.may_shoot import check_shooter
from referee.editions.warmachine.melee.attack_eligibility import check_formation, check_sight
from referee.editions.warmachine.melee.in_melee import melee_state
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.rules.candidates import evaluate_each, is_met
from referee.rules.conditions import Conditions, all_of_memoized, negate
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, with_effect
from referee.rules.rule_result import Candidate, RuleResult

_JOIN = because("Combined Ranged Attacks", "Who is in formation and could declare the shot may join; all commit first.")
_SPENT = because("Combined Ranged Attacks", "Who turns out to be out of range adds nothing, and its attack is spent.")
_FREE = because("Combined Ranged Attacks", "A target in melee cannot be shot at together.")
_UNIT = because("Combined Ranged Attacks", "They all belong to one unit, and have the advantage of that name.")
_MEASURED = frozenset({"range", "stealth"})  # what is only found out when the attack has been committed


def combined_ranged(table: ExactTable, query: CombinedRanged) -> RuleResult:
    """Combined ranged attack: who adds to a combined shot, who has spent its attack, and who may not join.

    Source: Combined Ranged Attacks.
    """

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_shooter(perturbed, query, id_)

    found = evaluate_each(table, dict.fromkeys((query.primary, *query.participants)), about)
    parts = {c.id: _part_of(c) for c in found}
    adds = [id_ for id_, part in parts.items() if part[0] == "adds"]
    primary = parts.get(query.primary, ("may-not", None))[0]
    sheltered = table.evaluate_query(Cover(attacker=query.primary, target=query.target))
    by_id: dict[str, JsonValue] = {id_: {"part": part, "why": why} for id_, (part, why) in parts.items()}
    return RuleResult(
        status="measured",
        value={
            "by_id": by_id,
            "bonus": len(adds),
            "bonus_to": "attack",
            "auto_miss": primary == "spent",
            "cover_from": [query.primary] if is_met(sheltered, "has cover from") else [],
        },
        because=(with_effect(table, _JOIN, f"Adding to the shot: {format_names(table, adds)}."), _SPENT),
        members=found,
    )


def _part_of(candidate: Candidate) -> tuple[str, str | None]:
    """What part it takes, and the first condition that keeps it from adding."""
    result = candidate.result
    if result is not None and is_met(result):
        return "adds", None
    clauses = result.value.get("clauses") if result is not None else None
    told = clauses if isinstance(clauses, list) else []
    failed = [str(c["clause"]) for c in told if isinstance(c, dict) and c["answer"] != "yes"]
    if failed and _MEASURED.issuperset(failed):
        return "spent", failed[0]
    return "may-not", next((clause for clause in failed if clause not in _MEASURED), "not known")


def _check_shooter(table: ExactTable, query: CombinedRanged, id_: str) -> RuleResult:
    target, unit = query.target, table.miniature(query.primary).unit
    me = table.miniature(id_)
    joins = me.has("combined-ranged-attack") and me.unit == unit
    conditions: Conditions = (
        (
            "unit",
            lambda _: RuleResult(
                margin_mm=CAPPED_MM if joins else -CAPPED_MM, because=(_UNIT,), depends_on_place=(id_,)
            ),
        ),
        ("formation", lambda at: check_formation(at, id_)),
        ("may-shoot", lambda at: check_shooter(at, id_, target, query.weapon)),
        ("sight", lambda at: check_sight(at, id_, target)),
        ("target-free", lambda at: _check_target(at, target)),
        ("range", lambda at: check_range(at, query, id_)),
        ("stealth", lambda at: negate(at.evaluate_query(Stealth(attacker=id_, target=target)))),
    )
    return all_of_memoized(table, (query, id_), conditions)


def _check_target(table: ExactTable, target: str) -> RuleResult:
    found = negate(melee_state(table, target))
    return RuleResult(
        margin_mm=found.decisive_mm,
        zero_is_met=found.zero_is_met,
        because=(_FREE,),
        depends_on_place=found.depends_on_place,
        depends_on_facing=found.depends_on_facing,
        status=found.status,
        needs=found.needs,
        conditions=found.conditions,
        joined_by=found.joined_by,
        form=found.form,
    )
