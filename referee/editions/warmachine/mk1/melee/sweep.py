"""Sweep: one blow at everybody in reach, friends too."""

from models.queries import Sweep
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from referee.editions.warmachine.melee.melee_range import HELPLESS, check_reach, weapon_reaches
from referee.editions.warmachine.mk1.melee.free_line import free_line
from referee.editions.warmachine.mk1.parameters import because
from referee.rules.candidates import evaluate_each, in_play, is_met
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_out_of_reach

_ALL = because("Q/A: Circular Strike", "It strikes everybody in reach, friend or foe, or is not made at all.")
_FAR_MM = 25.4  # this far out of reach no line decides


def sweep(table: ExactTable, query: Sweep) -> RuleResult:
    """Sweep: whom a blow at everybody in reach strikes, friends too. Source: Q/A: Circular Strike."""
    reaches = weapon_reaches(table.miniature(query.attacker), query.weapon)
    reach = inches(query.reach_in) if query.reach_in is not None else max(reaches.values(), default=None)
    if reach is None:
        return RuleResult(status="unknown", needs=(f"profile.melee of {query.attacker}",), because=(_ALL,))
    barred = next((why for word, why in HELPLESS.items() if word in table.miniature(query.attacker).status), None)

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        if barred is not None:
            return RuleResult(margin_mm=-CAPPED_MM, because=(barred,), depends_on_place=(query.attacker,))
        near = check_reach(perturbed, query.attacker, id_, {"sweep": reach})
        if is_out_of_reach(-near.decisive_mm, _FAR_MM):
            return all_of((("reach", near),))
        return all_of((("reach", near), ("free-line", free_line(perturbed, query.attacker, id_, reach))))

    members = evaluate_each(table, in_play(table, query.attacker), about)
    struck = [c.id for c in members if c.result is not None and is_met(c.result, "is struck by the sweep of")]
    return RuleResult(
        status="measured",
        because=(with_effect(table, _ALL, f"Struck: {format_names(table, struck)}."),),
        members=members,
    )
