"""Regiments from measured bases: outline, quadrants, who goes where, what hides."""

import math
import random
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import UnknownThing
from models.parsing import parse_query
from models.state import TableState
from referee import EDITIONS, ask
from referee.editions.warhammer_9.movement.place_assignment import assign_places
from referee.editions.warhammer_9.units.quadrants import front_quadrant, quadrant
from referee.editions.warhammer_9.units.regiment import regiment
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, disc
from referee.rules.exact_table import ExactTable
from tests.referee.editions.warhammer_9.tables import block, lone, table


def _situation(state: TableState) -> ExactTable:
    return ExactTable(state, EDITIONS[state.edition])


def test_a_block_stands_for_its_miniatures_the_short_rank_in_the_middle() -> None:
    state = table([block("A", "red", (500, 500), 90, 5, 13)])

    places = {m.id: m.at_mm for m in state.miniatures}
    assert len(places) == 13
    assert places["A/0-0"] == pytest.approx((460, 490))
    assert [places[f"A/2-{k}"] for k in range(3)] == [pytest.approx((x, 450)) for x in (480, 500, 520)]


def test_a_block_that_is_wrong_is_named_with_its_field() -> None:
    with pytest.raises(ValueError, match=r"block\.files"):
        table([block("A", "red", (500, 500), 90, 0, 13)])


def test_the_foremost_rank_that_is_left_is_the_front() -> None:
    raw = table([block("A", "red", (500, 500), 90, 5, 15)]).model_dump(mode="json", exclude_none=True)
    raw["miniatures"] = [m for m in raw["miniatures"] if m["rank"] != 0]
    own = regiment(_situation(TableState.model_validate(raw)), "A")

    assert own.rank(0) == tuple(f"A/1-{k}" for k in range(5))


def test_a_unit_of_which_nobody_is_left_is_named_with_its_field() -> None:
    state = table([block("A", "red", (500, 500), 90, 5, 5), block("B", "blue", (500, 800), 270, 5, 5)])
    raw = state.model_dump(mode="json", exclude_none=True)
    raw["miniatures"] = [m for m in raw["miniatures"] if m["unit"] == "A"]
    with pytest.raises(UnknownThing) as told:
        ask(TableState.model_validate(raw), parse_query({"kind": "los", "viewer": "A", "target": "B"}))

    assert (told.value.field, told.value.value) == ("target", "B")


def crooked(seed: int, facing: float, by_mm: float, by_deg: float, files: int = 6, count: int = 17) -> TableState:
    """A block as a hand leaves it and a camera finds it: nobody tells rank and file."""
    r = random.Random(seed)
    raw = table([block("A", "red", (800, 600), facing, files, count)]).model_dump(mode="json", exclude_none=True)
    for one in raw["miniatures"]:
        one.pop("rank"), one.pop("file")
        one["at_mm"] = [x + r.uniform(-by_mm, by_mm) for x in one["at_mm"]]
        one["facing_deg"] += r.uniform(-by_deg, by_deg)
    r.shuffle(raw["miniatures"])
    return TableState.model_validate(raw)


@given(st.integers(0, 10**6), st.floats(0, 360), st.floats(0, 2.5), st.floats(0, 6), st.integers(3, 8))
@settings(max_examples=40, deadline=None)
def test_a_crooked_block_keeps_ranks_files_and_outline(
    seed: int, facing: float, by_mm: float, by_deg: float, files: int
) -> None:
    count = 2 * files + files // 2
    own = regiment(_situation(crooked(seed, facing, by_mm, by_deg, files, count)), "A")

    aside = 40 * math.radians(by_deg) + 2 * by_mm  # what a turned heading and a shifted base add at the ends
    assert own.rank_sizes == (files, files, files // 2)
    assert own.width_mm == pytest.approx(20 * files, abs=2 * aside + 0.1)
    assert own.front == pytest.approx((800, 600), abs=2 * aside + 0.1)
    assert abs(math.remainder(own.facing_rad - math.radians(facing), math.tau)) <= math.radians(by_deg) + 1e-9


@given(st.integers(0, 10**6), st.floats(0, 360), st.floats(0, 2), st.floats(0, 5))
@settings(max_examples=30, deadline=None)
def test_it_says_how_crooked_it_is(seed: int, facing: float, by_mm: float, by_deg: float) -> None:
    straight, own = (regiment(_situation(crooked(seed, facing, *by)), "A") for by in ((0, 0), (by_mm, by_deg)))

    assert (straight.crooked_mm, straight.crooked_deg) == pytest.approx((0, 0), abs=1e-6)
    assert own.crooked_deg <= 2 * by_deg + 1e-9
    assert own.crooked_mm <= 2 * math.hypot(by_mm, by_mm) + 60 * math.radians(by_deg) + 1e-6


def test_one_who_stands_out_of_his_rank_is_told_by_how_far() -> None:
    raw = crooked(1, 90, 0, 0, 5, 5).model_dump(mode="json", exclude_none=True)
    middle = next(one for one in raw["miniatures"] if one["id"] == "A/0-2")
    middle["at_mm"][1] += 5
    own = regiment(_situation(TableState.model_validate(raw)), "A")

    assert own.crooked_mm == pytest.approx(4)  # 5 ahead of the others is 4 ahead of the mean of all five


@given(st.integers(0, 10**6), st.floats(0, 360), st.floats(0, 0.9))
@settings(max_examples=15, deadline=None)
def test_gaps_that_a_hand_leaves_make_no_illegal_formation(seed: int, facing: float, by_mm: float) -> None:
    verdict = ask(crooked(seed, facing, by_mm, 2), parse_query({"kind": "ranked-formation", "unit": "A"}))

    assert (verdict.answer, verdict.value["defects"]) == ("yes", [])
    gaps: Any = [gap for one in verdict.value["by_id"].values() for gap in one["gaps_mm"]]  # type: ignore[union-attr]
    assert (verdict.advice is not None) is (max(gaps) > 0.5)


@given(st.integers(0, 10**6), st.floats(-500, 500), st.floats(-500, 500))
@settings(max_examples=40, deadline=None)
def test_a_crooked_block_has_the_quadrants_of_the_straight_one_but_for_its_borders(
    seed: int, x: float, y: float
) -> None:
    straight, own = (regiment(_situation(crooked(seed, 90, *by)), "A") for by in ((0, 0), (1.0, 2.0)))
    side, border = quadrant(straight, (800 + x, 600 + y), ())

    if border > 4 + math.radians(2) * math.hypot(x, y):
        assert quadrant(own, (800 + x, 600 + y), ())[0] == side


@given(st.floats(-400, 400), st.floats(-400, 400))
@settings(max_examples=200)
def test_the_quadrants_part_the_table_by_lines_at_45_degrees(x: float, y: float) -> None:
    own = regiment(_situation(table([block("A", "red", (0, 0), 0, 5, 10)])), "A")
    side, border = quadrant(own, (x, y), ())

    ahead, aside = x - 0.0, abs(y) - 50.0
    behind = -40.0 - x
    expected = "front" if ahead > max(aside, behind) else "rear" if behind > aside else "left" if y > 0 else "right"
    if border > 1e-3 and max(ahead, aside, behind) > 0:
        assert side == expected
        assert (gap(front_quadrant(own), disc((x, y), 0.0)).mm <= 0) is (side == "front")


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_the_kindest_reform_is_the_best_of_all_ways_to_go(seed: int) -> None:
    r = random.Random(seed)
    starts, places = ([(r.uniform(0, 100), r.uniform(0, 100)) for _ in range(5)] for _ in range(2))
    longest = assign_places(starts, places, [str(k) for k in range(5)]).longest_mm

    tried = (max(math.dist(a, b) for a, b in zip(starts, order, strict=True)) for order in permutations(places))
    assert longest == pytest.approx(min(tried))


@given(st.floats(-60, 60), st.floats(100, 300))
@settings(max_examples=20, deadline=None)
def test_cover_hides_as_much_of_a_base_as_points_of_it_are_hidden(aside: float, away: float) -> None:
    """Against a fine grid of points, each looked at along its own line."""
    between = lone("B", "blue", (600 + aside, 225 + away), 0)
    state = table([], [lone("S", "red", (600, 200), 90), lone("T", "blue", (600, 600), 270), between])
    verdict = ask(state, parse_query({"kind": "cover", "attacker": "S", "target": "T"}))

    eye, blocker = (600.0, 225.0), _situation(state).base("B")
    points = [(575 + 2.5 * (i + 0.5), 575 + 2.5 * (j + 0.5)) for i in range(20) for j in range(20)]
    share = sum(gap(RoundedShape((eye, p)), blocker).mm < 0 for p in points) / len(points)
    assert verdict.margin_mm is not None
    if abs(share - 0.5) > 0.02:
        assert (verdict.value["kind"] == "hard") is (share > 0.5)
    assert (verdict.margin_mm > 0) is (verdict.answer == "yes")


def test_sight_needs_the_front_and_a_clear_line() -> None:
    units = [block("A", "red", (600, 300), 90, 5, 5), block("E", "blue", (600, 700), 270, 5, 5)]
    open_ = ask(table(units), parse_query({"kind": "los", "viewer": "A", "target": "E"}))
    wall = {"id": "cliff", "kind": "impassable", "polygon_mm": [[0, 480], [1800, 480], [1800, 500], [0, 500]]}
    closed = ask(table(units, terrain=[wall]), parse_query({"kind": "los", "viewer": "A", "target": "E"}))
    behind = ask(
        table([block("A", "red", (600, 300), 270, 5, 5), units[1]]),
        parse_query({"kind": "los", "viewer": "A", "target": "E"}),
    )

    assert (open_.answer, open_.value["seen"]) == ("yes", "clear")
    assert (closed.answer, closed.blockers, closed.margin_mm) == ("no", ("cliff",), pytest.approx(-10))
    assert (behind.answer, behind.value["decided_by"]) == ("no", "arc")


def test_exactly_two_inches_of_forest_let_a_line_pass_by_default() -> None:
    units = [block("A", "red", (600, 300), 90, 5, 5), block("E", "blue", (600, 700), 270, 5, 5)]
    wood = {"id": "wood", "kind": "forest", "polygon_mm": [[0, 400], [1800, 400], [1800, 450.8], [0, 450.8]]}
    asked = parse_query({"kind": "los", "viewer": "A", "target": "E"})
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
        verdict = ask(table(units), parse_query({"kind": "range", "attacker": "A", "target": "E", "weapon": "bow"}))

        assert (verdict.answer == "too-close") is expected
        assert ((verdict.sigma_mm or 0) > 0.1) is expected


@given(st.integers(0, 10**6), st.floats(0.0, 0.5))
@settings(max_examples=20, deadline=None)
def test_a_rank_half_a_file_aside_stands_behind_somebody_however_it_is_measured(seed: int, off_mm: float) -> None:
    r = random.Random(seed)
    raw = table([block("A", "red", (500, 500), 90, 5, 9)]).model_dump(mode="json", exclude_none=True)
    for one in raw["miniatures"]:
        one["at_mm"] = [at + r.uniform(-off_mm, off_mm) for at in one["at_mm"]]
    own = regiment(_situation(TableState.model_validate(raw)), "A")

    assert all(own.in_front_of(f"A/1-{k}") is not None for k in range(4))


@pytest.mark.parametrize(("aside_mm", "is_behind"), [(9.9, True), (10.1, False)])
def test_beside_the_rank_ahead_half_a_base_aside_is_the_limit(aside_mm: float, is_behind: bool) -> None:
    raw = table([block("A", "red", (500, 500), 90, 5, 6)]).model_dump(mode="json", exclude_none=True)
    (last,) = (one for one in raw["miniatures"] if one["rank"] == 1)
    last["at_mm"][0] = 540.0 + aside_mm
    own = regiment(_situation(TableState.model_validate(raw)), "A")

    assert (own.in_front_of("A/1-0") is not None) == is_behind
