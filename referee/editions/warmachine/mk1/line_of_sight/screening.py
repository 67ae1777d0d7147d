"""Screening: an intervening model within an inch of the target, with a base as large, makes it harder to hit."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import Intervening, Los, Screening
from models.verdict import CAPPED_MM
from referee.editions.warmachine.miniatures.base_state import size_mm
from referee.editions.warmachine.mk1.line_of_sight.blockers import is_below, is_shown_by_terrain
from referee.editions.warmachine.mk1.parameters import SCREEN_BONUS, SCREEN_MM, because
from referee.editions.warmachine.plain_condition import plain_condition
from referee.geometry.distance import gap
from referee.rules.candidates import in_play, is_met
from referee.rules.conditions import all_of, any_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.rule_trace import traced
from referee.rules.switches import is_out_of_reach

_SCREEN = because(
    "Screening, Prime p. 33", "An intervening model within 1 in of the target, its base no smaller, screens it: +2 DEF."
)
_NONE = because(
    "Screening, Prime p. 33", "Smaller bases, the knocked down, those lower than the target or hid by terrain never do."
)


def screening(table: ExactTable, query: Screening) -> RuleResult:
    """Screening: whether somebody screens the target. Source: Screening, Prime p. 33; Elevated models, Prime p. 34."""
    sight = table.evaluate_query(Los(viewer=query.attacker, target=query.target))
    others = in_play(table, query.attacker, query.target)
    apart = {id_: gap(table.base(id_), table.base(query.target)).mm for id_ in others}
    near = [id_ for id_ in others if not is_out_of_reach(apart[id_], 3 * SCREEN_MM)]
    members = tuple(_candidate_of(table, query, id_) for id_ in near)
    found = {m.id: m.result for m in members if m.result is not None}
    best = max(found, key=lambda id_: found[id_].decisive_mm, default=None)
    screened, seen_at_all = best is not None and is_met(found[best], "screens"), is_met(sight, "sees")
    screens = screened and seen_at_all
    seen: dict[str, JsonValue] = {"answer": "yes" if seen_at_all else "no", "margin_mm": sight.margin_mm}
    value: dict[str, JsonValue] = {"bonus": SCREEN_BONUS if screens else 0, "bonus_to": "defence", "sight": seen}
    margin = -CAPPED_MM if best is None else min(found[best].decisive_mm, sight.decisive_mm)
    joined = _join(tuple(found.values()), sight)
    return RuleResult(
        margin_mm=margin,
        value=value,
        members=members,
        witness=() if best is None else found[best].witness,
        because=(with_effect(table, _SCREEN, _describe_screen(table, best, screens, margin)), _NONE),
        depends_on_place=tuple(dict.fromkeys((query.attacker, query.target, *joined.depends_on_place))),
        depends_on_facing=tuple(dict.fromkeys((query.attacker, *joined.depends_on_facing))),
        conditions=joined.conditions,
    )


def _join(found: tuple[RuleResult, ...], sight: RuleResult) -> RuleResult:
    """Somebody screens, and the target is in sight: all that this hangs on."""
    told = tuple(one for one in found if one.status == "decided")
    if not told or sight.status != "decided":
        return RuleResult()
    return all_of((("screen", any_of(told)), ("sight", sight)))


def _describe_screen(table: ExactTable, best: str | None, screens: bool, margin_mm: float) -> str:
    if best is None:
        return "Nobody stands near it."
    how = (
        f"screens it by {format_length(margin_mm)}"
        if screens
        else f"comes nearest to it, {format_length(-margin_mm)} short"
    )
    return f"{name_of(table, best)} {how}."


def _candidate_of(table: ExactTable, query: Screening, id_: str) -> Candidate:
    def rule(asked: ExactTable) -> RuleResult:
        return _check_screen(asked, query, id_)

    alone = traced(rule)
    return Candidate(id_, alone(table), alone)


def _check_screen(table: ExactTable, query: Screening, id_: str) -> RuleResult:
    """What one model needs to screen. Source: Screening, Prime p. 33; Elevation and LOS, p. 33; Knockdown, p. 49."""
    it, them = table.miniature(id_), table.miniature(query.target)
    apart = max(0.0, gap(table.base(id_), table.base(query.target)).mm)
    asked = table.evaluate_query(Intervening(viewer=query.attacker, target=query.target, blocker=id_))
    between = replace(asked, margin_mm=asked.lengths_mm["depth"], slack_mm=None)  # who is looked past may screen
    within = RuleResult(
        margin_mm=SCREEN_MM - apart,
        because=(with_effect(table, _SCREEN, f"It is {format_length(apart)} from the target."),),
        depends_on_place=(id_, query.target),
    )
    plain = {
        "standing": not set(it.status) & {"knocked-down", "removed"},
        "size": size_mm(it) >= size_mm(them),
        "level": not is_below(table, id_, query.target),
        "shown": is_shown_by_terrain(table, query.attacker, id_),
    }
    clauses = [(name, plain_condition(id_, held, _NONE)) for name, held in plain.items()]
    return all_of((*clauses, ("within", within), ("intervening", between)))
