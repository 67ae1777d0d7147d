"""Challenge: where two who accepted one meet."""

from pydantic import JsonValue

from models.queries import Challenge
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.engagement import contact_mm
from referee.editions.warhammer_9.units.obstacle_contact import contact_between
from referee.editions.warhammer_9.units.regiment import members_of, regiment, regiment_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_MEET = because("Challenges", 83, "They meet in contact where there is room; if there is none they are taken to.")


def challenge(table: ExactTable, query: Challenge) -> RuleResult:
    """Challenge: where two who accepted it meet. Source: Challenges, p. 83."""
    first = members_of(table, query.a)[0]
    unit = regiment_of(table, query.b)
    front = regiment(table, unit).rank(0)
    taken = [m for m in front if "character" in table.miniature(m).role and m != query.b]
    near = [m for m in front if m not in taken and _is_touching(table, first, m)]
    meet = _is_touching(table, first, members_of(table, query.b)[0])
    places: list[JsonValue] = [{"id": m, "at_mm": [*table.centre(m)]} for m in near]
    return RuleResult(
        status="measured",
        value={"places": places, "assumed": not near and not meet, "in_contact": meet},
        because=(with_effect(table, _MEET, f"{len(near)} places touch {name_of(table, query.a)}."),),
    )


def _is_touching(table: ExactTable, a: str, b: str) -> bool:
    found = contact_between(table, a, b)
    return is_at_least(contact_mm(table), found.mm, "touches", found.depends_on)
