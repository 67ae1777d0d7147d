"""Turned switches: what a comparison changes on tables where it has turned, it changes at rest where it is turned."""

import random
from collections.abc import Iterator

import pytest

from benchmarks.rules.doubt_everywhere import place_at_a_clause
from models.errors import TablesideError
from models.parsing import parse_query
from referee import EDITIONS
from referee.rules.candidates import traced
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import FacingUnknown, RuleResult
from referee.rules.switches import Switch
from referee.uncertainty.monte_carlo import Redrawing
from referee.uncertainty.open_switches import SwitchOpening, finding_of, reachable_switches
from tests.referee.test_rules_covered import BOOKS

FAR_SIGMAS = 6.0
MEASURED_BESIDES = frozenset(("trample", "cross-obstacle", "cannon", "flee", "shield-wall", "climb"))
"""Kinds in which comparisons are noted of what decides by its own measure."""
CLEAR = ("has its centre in",)  # says by which of two lengths a clear line is held; the line is clear by either


@pytest.mark.parametrize("book", BOOKS)
def test_what_changes_where_a_comparison_turns_changes_at_rest_where_it_is_turned(book: str) -> None:
    _hold_the_law(book, tables=40, seed=5, kinds=MEASURED_BESIDES)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_it_does_so_on_thousands_of_tables(book: str) -> None:
    _hold_the_law(book, tables=2000, seed=6)


@pytest.mark.parametrize("book", BOOKS)
def test_a_draw_that_others_will_ask_about_is_answered_as_one_that_nobody_will(book: str) -> None:
    for kind, _, redrawing in _near_switches(book, 40, frozenset(("los", "charge", "cover")), random.Random(3)):
        kept, once = (redrawing.ask_at(redrawing.draws[0], name=name) for name in (0, None))

        assert (kept is None) == (once is None), kind
        assert kept is None or once is None or kept.numeric_key() == once.numeric_key(), kind


def _hold_the_law(book: str, *, tables: int, seed: int, kinds: frozenset[str] = frozenset()) -> None:
    silent = [
        (switch.clause, kind)
        for kind, switch, redrawing in _near_switches(book, tables, kinds, random.Random(seed))
        if _changes_by_turning(redrawing, switch) and not SwitchOpening(redrawing).changes_with((switch,))
    ]

    assert not [row for row in silent if row[0] not in CLEAR]


def _near_switches(
    book: str, tables: int, kinds: frozenset[str], r: random.Random
) -> Iterator[tuple[str, Switch, Redrawing]]:
    """Worked tables moved until a comparison lies within reach of its errors, and the margin far beyond."""
    scenarios = [one for one in BOOKS[book] if not kinds or one.query["kind"] in kinds]  # type: ignore[index]
    for _ in range(tables):
        scenario = r.choice(scenarios)
        query = parse_query(scenario.query)
        try:
            placed = place_at_a_clause(scenario.state, query, r)
            if placed is None:
                continue
            state, clause = placed
            rule = traced(lambda table, query=query: EDITIONS[table.state.edition].rules[type(query)](table, query))
            redrawing = Redrawing(
                rule, ExactTable(state, EDITIONS[state.edition]), rule(ExactTable(state, EDITIONS[state.edition]))
            )
        except (TablesideError, FacingUnknown):
            continue
        near = [s for s in reachable_switches(redrawing.result.switches, state) if s.clause == clause]
        if near and _is_far(redrawing):
            yield scenario.query["kind"], near[0], redrawing


def _is_far(redrawing: Redrawing) -> bool:
    """Whether the margin itself is too far off to turn."""
    state = redrawing.table.state
    sigmas = sum(
        state.by_id[id_].sigma.at_mm
        for id_ in redrawing.result.depends_on_place
        if id_ in state.by_id and hasattr(state.by_id[id_], "sigma")
    )
    return abs(redrawing.result.decisive_mm) > FAR_SIGMAS * sigmas


def _changes_by_turning(redrawing: Redrawing, switch: Switch) -> bool:
    """Whether something else is found on a drawn table on which this comparison alone of those near has turned."""
    near = reachable_switches(redrawing.result.switches, redrawing.table.state)
    for draw in redrawing.draws[:8]:
        drawn = redrawing.ask_at(draw, in_full=True)
        if drawn is None:
            continue
        turned = [s.key for s in near if _has_turned(s, drawn)]
        if turned == [switch.key] and _differs(drawn, redrawing):
            return True
    return False


def _has_turned(switch: Switch, drawn: RuleResult) -> bool:
    return any(s.key == switch.key and (s.margin > 0) != (switch.margin > 0) for s in drawn.switches)


def _differs(result: RuleResult, redrawing: Redrawing) -> bool:
    return finding_of(result) != finding_of(redrawing.result)
