"""Combined attacks: what shots and blows made together by a unit have in common."""

from pydantic import JsonValue

from referee.editions.warmachine.melee.attack_eligibility import check_formation
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.plain_condition import plain_condition
from referee.rules.conditions import Conditions
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names
from referee.rules.rule_result import Candidate

_ADVANTAGE = because("Advantages", 17, "Combined attacks take the advantage of that name.")
_UNIT = because("Combined Ranged Attacks", 65, "They all belong to one unit.")


def describe_participants(table: ExactTable, adds: list[str]) -> str:
    return f"Able to take part: {format_names(table, adds)}."


def count_participants(found: tuple[Candidate, ...], adds: list[str]) -> dict[str, JsonValue]:
    """Two or more make it a combined attack, the primary attacker among them."""
    together = len(adds) if len(adds) > 1 and found and found[0].id in adds else 0
    by_id: dict[str, JsonValue] = {
        c.id: {"part": "adds" if c.id in adds else "may-not", "why": None if c.id in adds else _first_failure(c)}
        for c in found
    }
    return {"by_id": by_id, "bonus": together, "bonus_to": "attack"}


def _first_failure(candidate: Candidate) -> str:
    """The first condition that does not hold."""
    if candidate.result is None:
        return "not known"
    clauses = candidate.result.value.get("clauses")
    assert isinstance(clauses, list)
    return next((str(c["clause"]) for c in clauses if isinstance(c, dict) and c["answer"] != "yes"), "not known")


def membership_conditions(table: ExactTable, primary: str, id_: str, ability: str) -> Conditions:
    me, unit = table.miniature(id_), table.miniature(primary).unit
    has, same = me.has(ability), me.unit == unit  # without units told, those who strike together are one
    return (
        ("advantage", lambda _: plain_condition(id_, has, _ADVANTAGE)),
        ("unit", lambda _: plain_condition(id_, same, _UNIT)),
        ("formation", lambda at: check_formation(at, id_)),
    )
