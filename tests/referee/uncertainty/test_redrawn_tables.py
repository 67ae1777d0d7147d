"""Redrawn tables: what rests on a search, an allowance or several paths is as probable as independent redraws say."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.rules.redrawn_states import redraw_query, redraw_states
from models.parsing import parse_query
from models.queries import Los
from models.state import TableState
from models.verdict import Answer
from referee import EDITIONS, ask
from referee.editions.warhammer_9.line_of_sight.los import line_of_sight
from referee.rules.candidates import traced
from referee.rules.exact_table import ExactTable
from referee.uncertainty.monte_carlo import Redrawing
from referee.uncertainty.redrawn_tables import draw_state
from tests.referee.editions.warhammer_9.tables import block, drawn, lone, regiments_of
from tests.referee.editions.warhammer_9.tables import table as ranked_table
from tests.referee.tables import box, mini, table

SIGMA_MM = 0.4
FAR_MM = 50.0  # what stands farther beside a line may be left out


def share(state: TableState, asked: dict[str, Any], draws: int = 250) -> float:
    query = parse_query(asked)
    drawn = (ask(each, redraw_query(query, state, each)) for each in redraw_states(state, draws, seed=5))
    return sum(verdict.answer is Answer.YES for verdict in drawn) / draws


def compare(state: TableState, asked: dict[str, Any]) -> None:
    verdict = ask(state, parse_query(asked))

    assert verdict.probability == pytest.approx(share(state, asked), abs=0.1)
    assert verdict.estimate is not None
    assert verdict.estimate.low <= verdict.probability <= verdict.estimate.high


@pytest.mark.parametrize("missed_mm", [0.1, 0.6])
def test_a_free_strike_whose_reach_is_just_missed(missed_mm: float) -> None:
    mover = mini("M", 600, 600, 90, side="red", sigma=SIGMA_MM)
    striker = mini("a", 600 + 30 + 50.8 + missed_mm, 600, 180, side="blue", reach=2, sigma=SIGMA_MM)

    compare(
        table(mover, striker),
        {"kind": "free-strike", "mover": "M", "path_mm": [[600, 600], [600, 500]], "cause": "advance"},
    )


def test_a_wall_along_the_lines_of_fire() -> None:
    target = mini("b", 700, 600, 180, side="blue", sigma=SIGMA_MM)

    compare(
        table(
            mini("a", 300, 600, side="red", sigma=SIGMA_MM),
            target,
            terrain=[box("w", "wall", 600, 615.0, 800, 625.0, height_mm=20)],
        ),
        {"kind": "cover", "attacker": "a", "target": "b"},
    )


def test_an_allowance_exactly_spent_past_a_base_that_is_brushed() -> None:
    mover = mini("M", 300, 600, 0, side="red", sigma=SIGMA_MM, profile={"spd_in": 6})
    beside = mini("x", 380, 630.3, 180, side="red", sigma=SIGMA_MM)

    compare(table(mover, beside), {"kind": "move", "mover": "M", "heading_deg": 0, "distance_in": 6})


@given(st.integers(0, 10**6), st.integers(0, 100), st.sampled_from(("los", "los", "cover", "charge", "within")))
@settings(max_examples=60, deadline=None)
def test_a_drawn_table_is_answered_as_the_same_table_is_of_which_nothing_is_known(
    seed: int, row: int, kind: str
) -> None:
    """What was found of the table as told shortens the way and changes nothing."""
    state = _crowd(seed) if row % 2 else drawn(seed, sigma_mm=0.5)
    attacker, target, *_ = regiments_of(state)
    names = {"los": ("viewer", "target"), "within": ("a", "b")}.get(kind, ("attacker", "target"))
    more = {"range_in": 12} if kind == "within" else {}
    query, edition = parse_query({"kind": kind, names[0]: attacker, names[1]: target, **more}), EDITIONS[state.edition]
    rule = traced(lambda on: edition.rules[type(query)](on, query))
    told = ExactTable(state, edition)
    redrawing = Redrawing(rule, told, rule(told))
    z = 3.0 * redrawing.draws[row]

    found, fresh = redrawing.ask_at(z, name=row), rule(ExactTable(draw_state(state, z).state, edition))

    assert found is not None
    assert (found.status, found.blockers) == (fresh.status, fresh.blockers)
    assert min(found.decisive_mm, FAR_MM) == pytest.approx(min(fresh.decisive_mm, FAR_MM), abs=1e-4)


@given(st.integers(0, 10**6), st.floats(100, 1700), st.floats(50, 350))
@settings(max_examples=40, deadline=None)
def test_a_rule_that_puts_somebody_elsewhere_on_a_drawn_table_sees_from_there(seed: int, x: float, y: float) -> None:
    state, query = _crowd(seed), Los(viewer="C", target="B")
    edition = EDITIONS[state.edition]

    def moved(on: ExactTable) -> ExactTable:
        return on.with_place("C", (x, y))

    told = ExactTable(state, edition)
    line_of_sight(told, query)  # known from where it stands
    redrawing = Redrawing(lambda on: line_of_sight(moved(on), query), told, line_of_sight(moved(told), query))
    z = redrawing.draws[0]

    found, fresh = (
        redrawing.ask_at(z, name=0),
        line_of_sight(moved(ExactTable(draw_state(state, z).state, edition)), query),
    )

    assert found is not None
    assert (found.blockers, min(found.decisive_mm, FAR_MM)) == (
        fresh.blockers,
        pytest.approx(min(fresh.decisive_mm, FAR_MM)),
    )


def _crowd(seed: int) -> TableState:
    """Two units that face each other, and smaller ones between them that leave a few gaps about as wide."""
    r, sigma = random.Random(seed), {"at_mm": 0.5, "facing_deg": 1.5}
    between = [
        block(f"X{k}", "red", (r.uniform(480, 720), r.uniform(440, 560)), r.uniform(0, 360), 2, 4, sigma=sigma)
        for k in range(r.randint(2, 5))
    ]
    units = [
        block("A", "red", (600, 300), 90, 5, 10, sigma=sigma),
        block("B", "blue", (600, 700), 270, 5, 10, sigma=sigma),
    ]
    alone = lone("C", "red", (200, 200), 90, type="monster", sigma=sigma)
    return ranked_table([*units, *between], [alone])
