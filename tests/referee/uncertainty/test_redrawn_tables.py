"""Redrawn tables: what rests on a search, an allowance or several paths is as probable as independent redraws say."""

from typing import Any

import pytest

from benchmarks.rules.redrawn_states import redraw_query, redraw_states
from models.parsing import parse_query
from models.state import TableState
from models.verdict import Answer
from referee import ask
from tests.referee.tables import box, mini, table

SIGMA_MM = 0.4


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
