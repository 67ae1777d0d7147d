"""Charge redirection: whom a charger whose target fled may charge in its place."""

from pydantic import JsonValue

from models.queries import ChargeRedirect
from referee.editions.warhammer_9.charges.charge_candidates import charge_candidate
from referee.editions.warhammer_9.leadership.inspiring_presence import command_doubts, manoeuvre_chance
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import all_regiments, are_friends
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_REDIRECT = because("Declare Charge", 17, "Its target gone, it may charge another after a Leadership test, once.")


def charge_redirect(table: ExactTable, query: ChargeRedirect) -> RuleResult:
    """Charge redirection: which other enemies the unit may charge. Source: Declare Charge, p. 17."""
    foes = [one for one in all_regiments(table) if not are_friends(table, query.attacker, one)]
    members = tuple(charge_candidate(table, query.attacker, one) for one in foes)
    by_id: dict[str, JsonValue] = {}
    for one in members:
        if one.result is not None and "chance" in one.result.value:
            by_id[one.id] = {"chance": one.result.value["chance"]}
    return RuleResult(
        status="measured",
        value={"by_id": by_id, "chance": manoeuvre_chance(table, query.attacker)},
        members=members,
        because=(_REDIRECT,),
        readings=("unit-in-range", "garrison-edge"),
        outcome_house_rules=command_doubts(table, query.attacker),
    )
