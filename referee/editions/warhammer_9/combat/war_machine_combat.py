"""War machine combat: how many may fight a machine and its crew."""

from collections.abc import Callable

from pydantic import JsonValue

from models.queries import WarMachineCombat
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.combat.impact_attacks import least_gap_mm
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.engagement import contact_mm, engaged_with
from referee.editions.warhammer_9.units.regiment import kind_of, leading_miniature, members_of, regiment_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.switches import is_at_least

_MACHINE = because(
    "War Machines in Close Combat", 87, "Six places round a machine; a monstrous one takes three, a monster five."
)
_PLACES = 6
Rule = Callable[[ExactTable], RuleResult]


def war_machine_combat(table: ExactTable, query: WarMachineCombat) -> RuleResult:
    """War machine combat: how many may fight a machine. Source: War Machines, p. 87."""
    left = float(_PLACES)
    count: dict[str, JsonValue] = {}
    fighting: list[tuple[str, Rule]] = []
    for unit in query.attackers:
        kind = kind_of(leading_miniature(table, unit))
        takes = {"monster": 5.0}.get(kind, 3.0 if kind in parameters.MONSTROUS else 1.0)
        free = [m for m in members_of(table, unit) if not _is_fighting_another(table, m, query.target)]
        free = sorted(free, key=lambda m: least_gap_mm(table, query.target, m))
        many = min(len(free), int(left // takes))
        count[unit] = many
        fighting += [_party_rule(unit, m, query.target) for m in free[:many]]
        left -= many * takes
    return RuleResult(
        status="measured",
        value={"places": _PLACES, "count": count, "left": left},
        members=tuple(Candidate(m, rule(table), rule) for m, rule in fighting),
        because=(with_effect(table, _MACHINE, f"{len(fighting)} fight."),),
    )


def _party_rule(unit: str, id_: str, machine: str) -> tuple[str, Rule]:
    """One who is chosen counts as touching the machine, as long as its unit does. Source: War Machines, p. 87."""

    def rule(asked: ExactTable) -> RuleResult:
        between = closest_bases(asked, unit, machine)
        return RuleResult(margin_mm=contact_mm(asked) - max(0.0, between.mm), depends_on_place=between.depends_on)

    return id_, rule


def _is_fighting_another(table: ExactTable, id_: str, machine: str) -> bool:
    """Whether it touches another enemy."""
    own = regiment_of(table, id_)
    rivals = [one for one in engaged_with(table, own) if one != machine]
    return any(is_at_least(contact_mm(table), least_gap_mm(table, one, id_), "touches", (id_, one)) for one in rivals)
