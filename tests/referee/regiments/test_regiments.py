"""Regiments from measured bases: outline, quadrants, who goes where, what hides."""

import math
import random
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.reading import read_query
from models.state import TableState
from referee import ask
from referee.editions.warhammer_9.arcs import front_of, quadrant
from referee.editions.warhammer_9.fitting import longest_moves
from referee.editions.warhammer_9.regiments import regiment
from referee.gaps import gap
from referee.shapes import Rounded, disc
from referee.situation import Situation
from tests.referee.regiments.worlds import block, lone, table


def _situation(state: TableState) -> Situation:
    return Situation(state, state.edition)


def test_a_block_stands_for_its_miniatures_the_short_rank_in_the_middle() -> None:
    state = table([block("A", "red", (500, 500), 90, 5, 13)])

    places = {m.id: m.at_mm for m in state.miniatures}
    assert len(places) == 13
    assert places["A/0-0"] == pytest.approx((460, 490))
    assert [places[f"A/2-{k}"] for k in range(3)] == [pytest.approx((x, 450)) for x in (480, 500, 520)]


def test_a_block_that_is_wrong_is_named_with_its_field() -> None:
    with pytest.raises(ValueError, match=r"block\.files"):
        table([block("A", "red", (500, 500), 90, 0, 13)])


@given(st.integers(0, 10**6), st.floats(0, 360))
@settings(max_examples=30)
def test_a_crooked_block_keeps_ranks_files_and_outline(seed: int, facing: float) -> None:
    r = random.Random(seed)
    raw = table([block("A", "red", (800, 600), facing, 6, 17)]).model_dump(mode="json", exclude_none=True)
    for one in raw["miniatures"]:
        one.pop("rank"), one.pop("file")
        one["at_mm"] = [x + r.uniform(-0.8, 0.8) for x in one["at_mm"]]
        one["facing_deg"] += r.uniform(-3, 3)
    own = regiment(_situation(TableState.model_validate(raw)), "A")

    assert (own.rank_sizes, own.files, own.ranks) == ((6, 6, 5), 6, 3)
    assert own.width_mm == pytest.approx(120, abs=8)
    assert own.front == pytest.approx((800, 600), abs=5)
    assert own.crooked_deg <= 6


@given(st.floats(-400, 400), st.floats(-400, 400))
@settings(max_examples=200)
def test_the_quadrants_part_the_table_by_lines_at_45_degrees(x: float, y: float) -> None:
    own = regiment(_situation(table([block("A", "red", (0, 0), 0, 5, 10)])), "A")
    side, border = quadrant(own, (x, y))

    ahead, aside = x - 0.0, abs(y) - 50.0
    behind = -40.0 - x
    expected = "front" if ahead > max(aside, behind) else "rear" if behind > aside else "left" if y > 0 else "right"
    if border > 1e-3 and max(ahead, aside, behind) > 0:
        assert side == expected
        assert (gap(front_of(own), disc((x, y), 0.0)).mm <= 0) is (side == "front")


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_the_kindest_reform_is_the_best_of_all_ways_to_go(seed: int) -> None:
    r = random.Random(seed)
    starts, places = ([(r.uniform(0, 100), r.uniform(0, 100)) for _ in range(5)] for _ in range(2))
    longest = longest_moves(starts, places, [str(k) for k in range(5)]).longest_mm

    tried = (max(math.dist(a, b) for a, b in zip(starts, order, strict=True)) for order in permutations(places))
    assert longest == pytest.approx(min(tried))


@given(st.floats(-60, 60), st.floats(100, 300))
@settings(max_examples=20, deadline=None)
def test_cover_hides_as_much_of_a_base_as_points_of_it_are_hidden(aside: float, away: float) -> None:
    """Against a fine grid of points, each looked at along its own line."""
    between = lone("B", "blue", (600 + aside, 225 + away), 0)
    state = table([], [lone("S", "red", (600, 200), 90), lone("T", "blue", (600, 600), 270), between])
    verdict = ask(state, read_query({"kind": "cover", "attacker": "S", "target": "T"}))

    eye, blocker = (600.0, 225.0), _situation(state).base("B")
    points = [(575 + 2.5 * (i + 0.5), 575 + 2.5 * (j + 0.5)) for i in range(20) for j in range(20)]
    share = sum(gap(Rounded((eye, p)), blocker).mm < 0 for p in points) / len(points)
    assert verdict.margin_mm is not None
    if abs(share - 0.5) > 0.02:
        assert (verdict.value["kind"] == "hard") is (share > 0.5)
    assert (verdict.margin_mm > 0) is (verdict.answer == "yes")


def test_sight_needs_the_front_and_a_clear_line() -> None:
    units = [block("A", "red", (600, 300), 90, 5, 5), block("E", "blue", (600, 700), 270, 5, 5)]
    open_ = ask(table(units), read_query({"kind": "los", "viewer": "A", "target": "E"}))
    wall = {"id": "cliff", "kind": "impassable", "polygon_mm": [[0, 480], [1800, 480], [1800, 500], [0, 500]]}
    closed = ask(table(units, terrain=[wall]), read_query({"kind": "los", "viewer": "A", "target": "E"}))
    behind = ask(
        table([block("A", "red", (600, 300), 270, 5, 5), units[1]]),
        read_query({"kind": "los", "viewer": "A", "target": "E"}),
    )

    assert (open_.answer, open_.value["seen"]) == ("yes", "clear")
    assert (closed.answer, closed.blockers, closed.margin_mm) == ("no", ("cliff",), pytest.approx(-10))
    assert (behind.answer, behind.value["decided_by"]) == ("no", "arc")


def test_exactly_two_inches_of_forest_let_a_line_pass_by_default() -> None:
    units = [block("A", "red", (600, 300), 90, 5, 5), block("E", "blue", (600, 700), 270, 5, 5)]
    wood = {"id": "wood", "kind": "forest", "polygon_mm": [[0, 400], [1800, 400], [1800, 450.8], [0, 450.8]]}
    asked = read_query({"kind": "los", "viewer": "A", "target": "E"})
    default = ask(table(units, terrain=[wood]), asked)
    other = ask(table(units, terrain=[wood], house_rules={"forest-exact": "blocked"}), asked)

    assert (default.answer, default.margin_mm, other.answer) == ("yes", pytest.approx(0, abs=1e-6), "no")


def test_a_measured_unit_has_doubt_and_an_exact_one_has_none() -> None:
    sigma = {"at_mm": 0.3, "facing_deg": 1.0}
    for told, expected in ((sigma, True), ({"at_mm": 0.0, "facing_deg": 0.0}, False)):
        units = [
            block("A", "red", (600, 300), 90, 5, 10, sigma=told),
            block("E", "blue", (600, 300 + 609.6 + 0.4), 270, 5, 10, sigma=told),
        ]
        verdict = ask(table(units), read_query({"kind": "range", "attacker": "A", "target": "E", "weapon": "bow"}))

        assert (verdict.answer == "too-close") is expected
        assert ((verdict.sigma_mm or 0) > 0.1) is expected
