"""Candidates: a question about many asks about each of them alone, and traces the switches that it hangs on."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import Candidate, FacingUnknown, RuleResult
from referee.rules.sides import friends_of
from referee.rules.switches import Switch, is_at_least, is_margin_met, is_more_than, record_switches, replay

_LEVER_MM = 300.0  # a margin that hangs on a facing changes by at most about so much per radian
About = Callable[[ExactTable, str], RuleResult]
Ask = Callable[[ExactTable], RuleResult]


def evaluate_each(table: ExactTable, ids: Iterable[str], about: About) -> tuple[Candidate, ...]:
    """What is found of each; nothing where only margins are wanted."""
    return () if table.margins_only else tuple(_evaluate_candidate(table, id_, about) for id_ in ids)


def _evaluate_candidate(table: ExactTable, id_: str, about: About) -> Candidate:
    @traced
    def alone(perturbed: ExactTable) -> RuleResult:
        return about(perturbed, id_)

    try:
        result = alone(table)
    except FacingUnknown as needed:
        return Candidate(id_, None, alone, (f"facing_deg of {needed.id}",))
    return Candidate(id_, None if result.status == "unknown" else result, alone, result.needs)


def is_met(result: RuleResult, clause: str = "meets a condition on") -> bool:
    """Whether the condition holds on the exact table; what else is decided by it hangs on its margin."""
    if result.status != "decided":
        return False
    compare = is_at_least if result.zero_is_met else is_more_than
    turning = result.depends_on_facing
    on = result.depends_on_place
    return compare(result.decisive_mm, 0.0, clause, on, turning=turning, lever_mm=_LEVER_MM, is_noted=True)


def is_zero_or_more(result: RuleResult) -> bool:
    """The same with no trace: for what joins margins and for what only tells them, where nothing leaps."""
    if result.status != "decided":
        return False
    return is_margin_met(result.decisive_mm, zero_is_met=result.zero_is_met)


def answer_word(result: RuleResult) -> str | None:
    """Yes or no of the exact table; None when it cannot be told."""
    if result.status != "decided":
        return None
    return "yes" if is_zero_or_more(result) else "no"


def in_play(table: ExactTable, *but: str) -> tuple[str, ...]:
    """Every miniature that has not just left play, but for these."""
    return tuple(m.id for m in table.state.miniatures if m.id not in but and "removed" not in m.status)


def filter_by_side(table: ExactTable, ids: Iterable[str], side: str | None, only: str | None) -> tuple[str, ...]:
    """Those of them that are friends, or enemies, of a side; nobody is a friend of no side."""
    if only is None:
        return tuple(ids)
    friends = frozenset[str | None]() if side is None else friends_of(table.state, side)
    return tuple(id_ for id_ in ids if (table.miniature(id_).side in friends) == (only == "friends"))


def traced(rule: Ask) -> Ask:
    """The same rule, whose results bear the switches they hang on."""

    def ask(table: ExactTable) -> RuleResult:
        with record_switches() as trace:
            result = rule(table)
        replay(trace)
        return replace(result, switches=nearest_of_each(trace))

    return ask


def nearest_of_each(trace: Sequence[Switch]) -> tuple[Switch, ...]:
    """Of each switch the time it came nearest to its threshold."""
    nearest: dict[object, Switch] = {}
    for switch in trace:
        known = nearest.get(switch.key)
        if known is None or abs(switch.margin) < abs(known.margin):
            nearest[switch.key] = switch
    return tuple(nearest.values())
