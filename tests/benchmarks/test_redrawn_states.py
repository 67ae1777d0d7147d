"""Redrawn states: the reference scatters as the state says."""

import numpy as np
import pytest

from benchmarks.rules.redrawn_states import redraw_query, redraw_states
from models.parsing import parse_query
from models.queries import Move
from models.state import TableState
from tests.referee.tables import box, mini, table

DRAWS = 600


def _places(states: list[TableState], id_: str) -> np.ndarray:
    return np.array([next(m.at_mm for m in one.miniatures if m.id == id_) for one in states])


def test_each_base_scatters_by_its_own_sigma() -> None:
    state = table(mini("a", 300, 600, sigma=0.4), mini("b", 500, 600))
    drawn = list(redraw_states(state, DRAWS, seed=1))

    assert _places(drawn, "a").std(axis=0) == pytest.approx([0.4, 0.4], rel=0.1)
    assert (_places(drawn, "b") == [500, 600]).all()


def test_what_is_common_moves_together() -> None:
    common = [{"name": "camera", "shift_mm": {"a": [0.3, 0.0], "b": [0.3, 0.0]}}]
    state = table(mini("a", 300, 600, sigma=0.3), mini("b", 500, 600, sigma=0.3), common_mm=common)
    drawn = list(redraw_states(state, DRAWS, seed=2))
    between = _places(drawn, "b") - _places(drawn, "a")

    assert between[:, 0].std() == pytest.approx(0.0, abs=1e-9)
    assert between[:, 1].std() == pytest.approx(0.3 * np.sqrt(2), rel=0.1)


def test_a_block_moves_and_turns_as_one_piece() -> None:
    base = {"shape": "rect", "width_mm": 20, "depth_mm": 20}
    sigma = {"at_mm": 0.5, "facing_deg": 1.0}
    block = {"front_mm": [600, 600], "facing_deg": 90, "files": 3, "count": 6, "base": base, "sigma": sigma}
    size = {"width_mm": 1800, "depth_mm": 1200}
    state = TableState.model_validate({"edition": "warhammer-9", "table": size, "units": [{"id": "u", "block": block}]})
    drawn = list(redraw_states(state, DRAWS, seed=3))
    gaps = np.linalg.norm(_places(drawn, "u/0-0") - _places(drawn, "u/1-2"), axis=1)
    turns = np.array([[m.facing_deg for m in one.miniatures] for one in drawn])

    assert gaps.std() < 0.02
    assert _places(drawn, "u/0-1").std(axis=0) == pytest.approx([0.53, 0.5], rel=0.12)
    assert np.ptp(turns, axis=1).max() < 1e-9
    assert turns[:, 0].std() == pytest.approx(1.0, rel=0.1)


def test_a_facing_is_drawn_among_its_alternatives() -> None:
    other = [{"facing_deg": 180.0, "probability": 0.25}]
    state = table(mini("a", 300, 600, facing=0.0, facing_alternatives=other))
    facings = [one.miniatures[0].facing_deg for one in redraw_states(state, DRAWS, seed=4)]

    assert np.mean([facing == 180.0 for facing in facings]) == pytest.approx(0.25, abs=0.05)


def test_terrain_is_shifted_as_a_whole() -> None:
    state = table(terrain=[box("w", "wall", 100, 100, 200, 120, sigma_mm=0.5, height_mm=40)])
    corners = np.array([one.terrain[0].polygon_mm for one in redraw_states(state, DRAWS, seed=5)])

    assert corners.std(axis=0) == pytest.approx(np.full((4, 2), 0.5), rel=0.15)
    assert (corners[:, 1] - corners[:, 0]).std(axis=0) == pytest.approx([0, 0], abs=1e-9)


def test_a_drawn_state_is_exact() -> None:
    state = table(mini("a", 300, 600, sigma=0.4), contacts=[])

    assert all(one.is_exact() for drawn in redraw_states(state, 5, seed=6) for one in drawn.miniatures)


def test_a_path_that_begins_where_its_mover_stands_does_so_in_every_draw() -> None:
    state = table(mini("a", 300, 300, sigma=0.5), mini("b", 400, 300, sigma=0.5))
    query = parse_query({"kind": "move", "mover": "a", "path_mm": [[300, 300], [400, 300]]})

    for drawn in redraw_states(state, 5, seed=7):
        redrawn = redraw_query(query, state, drawn)
        assert isinstance(redrawn, Move)
        assert redrawn.path_mm == (drawn.miniatures[0].at_mm, (400.0, 300.0))


def test_a_tracked_path_ends_where_its_mover_is_drawn() -> None:
    gone = {"this_turn": {"path_mm": [[200, 300], [300, 300]]}}
    state = table(mini("a", 300, 300, sigma=0.5, **gone))

    for drawn in redraw_states(state, 5, seed=8):
        one = drawn.miniatures[0]
        assert one.this_turn.path_mm == ((200.0, 300.0), one.at_mm)
