"""Charge redirection: whom a charger whose target fled may charge in its place."""

from pydantic import JsonValue

from models.queries import ChargeRedirect
from referee.editions.warhammer_9.charges.charge_candidates import charge_candidate
from referee.editions.warhammer_9.leadership.leadership_test import manoeuvre_chance
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import all_regiments, are_friends, leading_miniature
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_REDIRECT = because("Declare Charge", 17, "Its target gone, it may charge another after a Leadership test, once.")


def charge_redirect(table: ExactTable, query: ChargeRedirect) -> RuleResult:
    """Charge redirection: which other enemies the unit may charge. Source: Declare Charge, p. 17."""
    foes = [one for one in all_regiments(table) if not are_friends(table, query.attacker, one)]
    members = tuple(charge_candidate(table, query.attacker, one) for one in foes)
    ld = leading_miniature(table, query.attacker).profile.ld
    by_id: dict[str, JsonValue] = {}
    for one in members:
        if one.result is not None and "chance" in one.result.value:
            by_id[one.id] = {"chance": one.result.value["chance"]}
    return RuleResult(
        status="measured",
        value={"by_id": by_id, "chance": None if ld is None else manoeuvre_chance(table, query.attacker, ld)},
        members=members,
        because=(_REDIRECT,),
    )
