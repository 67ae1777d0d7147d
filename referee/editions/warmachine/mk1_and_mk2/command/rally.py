"""Rally: who may stop fleeing."""

from models.queries import CommandRange, Formation, Rally
from models.verdict import CAPPED_MM
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.rules.conditions import any_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult

_RALLY = because("Rallying", "A trooper in formation with its leader, or near a Commander, may rally.")


def rally(table: ExactTable, query: Rally) -> RuleResult:
    """Rally: whether it may try to rally; help near another trooper counts only for a unit that flees whole.

    Source: Rallying.
    """
    me = table.miniature(query.who)
    if "fleeing" not in me.status:
        return RuleResult(margin_mm=-CAPPED_MM, because=(_RALLY,), depends_on_place=(me.id,))
    troop = [
        m for m in table.state.miniatures if me.unit is not None and m.unit == me.unit and "removed" not in m.status
    ]
    together = troop if all("fleeing" in m.status for m in troop) else []
    found = [_check_help(table, me.id, me.unit, whole=bool(together))]
    found += [
        table.evaluate_query(CommandRange(commander=c.id, who=who, purpose="rally"))
        for c in table.state.miniatures
        for who in dict.fromkeys((me.id, *(m.id for m in together)))
        if c.has("commander") and c.side == me.side and c.id != who and "removed" not in c.status
    ]
    best = any_of(tuple(r for r in found if r.status == "decided"))
    return RuleResult(
        margin_mm=best.decisive_mm,
        because=(with_effect(table, _RALLY, _describe_help(best.decisive_mm)),),
        depends_on_place=tuple(dict.fromkeys((me.id, *best.depends_on_place))),
        conditions=best.conditions,
        joined_by="greatest",
    )


def _describe_help(margin_mm: float) -> str:
    """By how much somebody is near enough to help it."""
    if abs(margin_mm) >= CAPPED_MM:
        return "Nobody has to be near." if margin_mm > 0 else "Nobody can help it."
    return (
        f"Help is near by {format_length(margin_mm)}."
        if margin_mm >= 0
        else f"Help is {format_length(-margin_mm)} too far."
    )


def _check_help(table: ExactTable, who: str, unit: str | None, *, whole: bool) -> RuleResult:
    """A solo needs nobody; a trooper its leader's formation, and a unit that flees whole its leader on the table.

    Source: Rallying.
    """
    leader = next((u.commander for u in table.state.units if u.id == unit), None)
    present = leader in table.miniatures and "removed" not in table.miniature(leader or "").status
    if unit is None or (whole and present):
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(who,))
    if not present:
        return RuleResult(margin_mm=-CAPPED_MM, depends_on_place=(who,))
    found = table.evaluate_query(Formation(unit=unit, who=who))
    return found if found.margin_mm is not None else RuleResult(margin_mm=-CAPPED_MM, depends_on_place=(who,))
