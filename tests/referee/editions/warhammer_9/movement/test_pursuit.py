"""Pursuit: where it ends behind those it caught, at an edge, and before what stands near already."""

import math
import random
from typing import Any

import pytest

from models.parsing import parse_query
from models.state import TableState
from referee import ask
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from tests.referee.editions.warhammer_9.tables import block, table

INCH = 25.4


def _outline(pose: dict[str, Any], wide: float, deep: float) -> RoundedShape:
    (x, y), facing = pose["front_mm"], math.radians(pose["facing_deg"])
    ax, ay = math.cos(facing), math.sin(facing)
    corners = [(x + s * ay * wide / 2 - b * ax * deep, y - s * ax * wide / 2 - b * ay * deep)
               for s, b in ((1, 0), (-1, 0), (-1, 1), (1, 1))]  # fmt: skip
    return RoundedShape(tuple(corners))


def _pursue(state: TableState, **dice: int) -> Any:
    loser = {"loser": "L"} if "flee" in dice else {}
    return ask(state, parse_query({"kind": "pursuit", "winner": "W", "dice": dice, **loser}))


def _drawn(seed: int) -> tuple[TableState, int, int, int]:
    """Fewer than ten who won, more whom they caught, both anywhere and turned anyhow; how many, and the dice."""
    r = random.Random(seed)
    x, y, way, many = r.uniform(500, 1300), r.uniform(500, 700), r.uniform(0, 360), r.randint(4, 9)
    ahead = (math.cos(math.radians(way)), math.sin(math.radians(way)))
    aside = r.uniform(-40, 40)
    at = (x + aside * ahead[1], y - aside * ahead[0])
    flee = r.randint(2, 6)
    units = [block("W", "red", (x, y), way, many, many), block("L", "blue", at, way + 180, 5, 15)]
    return table(units), many, flee, r.randint(flee, 12)


@pytest.mark.parametrize("seed", range(40))
def test_who_catches_some_ends_an_inch_behind_the_rest(seed: int) -> None:
    state, many, flee, chase = _drawn(seed)

    verdict = _pursue(state, flee=flee, pursue=chase)

    assert verdict.answer == "yes"
    assert verdict.value["casualties"] == {"removed": False, "wounds": many}
    chasers, rest = (verdict.value["poses"][one] for one in ("W", "L"))
    apart = gap(_outline(chasers, many * 20, 20), _outline(rest, 100, 60)).mm
    assert apart == pytest.approx(INCH, abs=1e-3)
    facing = math.radians(chasers["facing_deg"])
    (cx, cy), (lx, ly) = chasers["front_mm"], rest["front_mm"]
    assert (cx - lx) * math.cos(facing) + (cy - ly) * math.sin(facing) > 0  # beyond them


def test_those_of_whom_nobody_is_left_do_not_hold_up_their_pursuers() -> None:
    state = table([block("W", "red", (600, 300), 90, 5, 5), block("L", "blue", (600, 300), 270, 1, 1)])

    verdict = _pursue(state, flee=3, pursue=6)

    assert verdict.value["casualties"]["removed"] is True
    assert verdict.value["poses"]["W"]["front_mm"] == pytest.approx([600, 300 + 6 * INCH])


@pytest.mark.parametrize(("rolled", "ends", "result", "by"), [
    (7, 1219.2, "returns", "edge:far"), (8, 1219.2, "returns", "edge:far"), (6, 1193.8, "stays", None),
])  # fmt: skip
def test_an_overrun_that_touches_the_edge_leaves_and_returns(
    rolled: int, ends: float, result: str, by: str | None
) -> None:
    """The edge is exactly seven inches ahead."""
    verdict = _pursue(table([block("W", "red", (600, 1219.2 - 7 * INCH), 90, 5, 10)]), pursue=rolled)

    assert verdict.value["poses"]["W"]["front_mm"] == pytest.approx([600, ends])
    assert (verdict.value["result"], verdict.value["stopped_by"]) == (result, by)
    assert "reinforcements" in (verdict.because[0].effect or "") or result == "stays"


@pytest.mark.parametrize("facing", [0.0, 37.0, 90.0, 145.0, 200.0, 270.0, 301.0])
def test_no_pursuit_ends_beyond_the_table(facing: float) -> None:
    verdict = _pursue(
        table([block("W", "red", (250, 210), facing, 5, 10)], table={"width_mm": 500, "depth_mm": 420}), pursue=12
    )

    corners = _outline(verdict.value["poses"]["W"], 100, 40).points
    left = min(min(x, y, 500 - x, 420 - y) for x, y in corners)
    assert left == pytest.approx(0.0, abs=1e-3)
    assert verdict.value["result"] == "returns"


def test_a_friend_straight_ahead_within_an_inch_is_not_run_through() -> None:
    state = table([block("W", "red", (600, 300), 90, 5, 10), block("F", "red", (600, 350), 90, 5, 10)])

    verdict = _pursue(state, pursue=6)  # 10 mm lie between them

    assert verdict.value["stopped_by"] == "F"
    assert verdict.value["poses"]["W"]["front_mm"] == pytest.approx([600, 300])


def test_a_friend_beside_does_not_hold_up_an_overrun() -> None:
    state = table([block("W", "red", (600, 300), 90, 5, 10), block("F", "red", (710, 300), 90, 5, 10)])

    verdict = _pursue(state, pursue=6)

    assert verdict.value["poses"]["W"]["front_mm"] == pytest.approx([600, 300 + 6 * INCH])


def test_an_enemy_that_is_just_reached_is_charged() -> None:
    state = table([block("W", "red", (600, 300), 90, 5, 10), block("N", "blue", (600, 300 + 6 * INCH), 270, 5, 10)])

    verdict = _pursue(state, pursue=6)

    assert (verdict.value["contact"], verdict.value["side"]) == ("N", "front")
