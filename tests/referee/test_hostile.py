"""Hostile geometry is refused by the types with the value named, or answered; it never hangs and never raises."""

import cmath
import json
import math
import random
from typing import Any

import pytest

from models.errors import BadState
from models.parsing import parse, parse_query
from models.state import TableState
from referee import ask
from tests.strategies import mini, state_of

SIGHT = parse_query({"kind": "los", "viewer": "a", "target": "b"})
SQUARE = [[380, 580], [420, 580], [420, 620], [380, 620]]


def state_text(**changes: Any) -> str:
    plain = state_of([mini("a", 300, 600), mini("b", 500, 600)]).model_dump(mode="json", exclude_none=True)
    return json.dumps(plain | changes)


def wall(outline: Any) -> dict[str, Any]:
    return {"terrain": [{"id": "w", "kind": "wall", "polygon_mm": outline, "height_mm": 60}]}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        (wall([[0, 0], [40, 40], [40, 0], [0, 40]]), "terrain.0.polygon_mm"),
        (wall([[0, 0], [10, 0], [20, 0]]), "terrain.0.polygon_mm"),
        (wall([[0, 0], [1e12, 0], [1e12, 1e12]]), "terrain.0.polygon_mm"),
        (wall([[0, 0], [1, 0]]), "terrain.0.polygon_mm"),
        (wall([[7, 9], [7, 9], [7, 9]]), "terrain.0.polygon_mm"),
        ({"terrain": [{"id": "w", "kind": "wall", "line_mm": [[7, 9]] * 2, "thickness_mm": 3}]}, "terrain.0.line_mm"),
        (wall([[float(k), float(k % 2)] for k in range(20_000)]), "terrain.0.polygon_mm"),
        ({"miniatures": [mini("a", 300, 600, 0)]}, "miniatures.0.base.round.diameter_mm"),
        ({"miniatures": [mini("a", float("nan"), 600)]}, "miniatures.0.at_mm.0"),
        ({"miniatures": [mini("a", float("inf"), 600)]}, "miniatures.0.at_mm.0"),
        ({"table": {"width_mm": -1, "depth_mm": 1000}}, "table.width_mm"),
    ],
)
def test_geometry_that_is_none_is_refused_with_its_field(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(BadState) as wrong:
        parse(TableState, state_text(**changes), error=BadState)

    assert wrong.value.field == field


def test_very_many_corners_are_refused_before_they_are_looked_at() -> None:
    with pytest.raises(BadState):
        parse(
            TableState,
            state_text(**wall([[float(k % 1000), float(k // 1000)] for k in range(200_000)])),
            error=BadState,
        )


def test_a_line_without_length_is_refused_with_the_place_named() -> None:
    with pytest.raises(BadState, match=r"all of it lies at \(7, 9\)"):
        parse(
            TableState,
            state_text(terrain=[{"id": "w", "kind": "wall", "line_mm": [[7, 9]] * 2, "thickness_mm": 3}]),
            error=BadState,
        )


def test_a_thousand_blockers_are_answered() -> None:
    r = random.Random(4)
    crowd = [mini(f"c{k}", r.uniform(330, 470), r.uniform(300, 900), r.uniform(1, 12)) for k in range(1000)]

    assert ask(state_of([mini("a", 300, 600), mini("b", 500, 600), *crowd]), SIGHT).answer in ("yes", "no")


@pytest.mark.parametrize("low", [False, True])
def test_an_outline_of_very_many_corners_is_answered(low: bool) -> None:
    points = [cmath.rect(50 if k % 2 else 45, math.tau * k / 400) + complex(400, 610) for k in range(400)]
    state = parse(TableState, state_text(**wall([[p.real, p.imag] for p in points])), error=BadState)
    sizes = (40, 120) if low else (40, 40)
    minis = [mini("a", 300, 600, sizes[0]), mini("b", 520, 600, sizes[1])]

    assert ask(state_of(minis, terrain=list(state.terrain)), SIGHT).answer in ("yes", "no")


@pytest.mark.parametrize(
    "minis",
    [
        [mini("a", 300, 600), mini("b", 300, 600)],
        [mini("a", 300, 600), mini("b", 310, 600)],
        [mini("a", 300, 600), mini("b", 330, 600)],
        [mini("a", 300, 600), mini("b", 500, 600), mini("c", 300, 600)],
        [mini("a", 300, 600), mini("b", 500, 600), mini("c", 400, 600), mini("d", 400, 600)],
        [mini("a", 1e12, 600), mini("b", 500, 600), mini("c", 1e6, 600)],
        [mini("a", 300, 600), mini("b", 1e9, 1e9), mini("c", 400, 600)],
        [mini("a", 300, 600, 1e-9), mini("b", 500, 600, 1e-9), mini("c", 400, 600)],
        [mini("a", 300, 600, 1000), mini("b", 500, 600, 1000)],
    ],
    ids=["same place", "overlapping", "touching", "inside a third", "twice the same", "far viewer", "far target",
         "specks", "giants"],
)  # fmt: skip
def test_odd_places_are_answered(minis: list[dict[str, Any]]) -> None:
    verdict = ask(state_of(minis), SIGHT)

    assert verdict.answer in ("yes", "no")


@pytest.mark.parametrize("shape", ["rect", "oval"])
def test_a_base_so_thin_that_its_corners_fall_together_is_answered_about(shape: str) -> None:
    """At 1e-300 mm of width a corner and the next are the same number."""
    thin = {"shape": shape, "width_mm": 1e-300, "depth_mm": 50.0}
    a = {"id": "a", "base": thin, "at_mm": [0.0, 1.0], "facing_deg": 0.0}
    c = mini("c", 0, 0, 50) | {"sigma": {"at_mm": 0.3}}

    assert ask(state_of([a, mini("b", 8, 0), c]), SIGHT).answer in ("yes", "no", "too-close")


@pytest.mark.parametrize(
    "outline",
    [
        SQUARE,
        [[285, 580], [315, 580], [315, 620], [285, 620]],
        [[0, 0], [1200, 0], [1200, 1200], [0, 1200]],
        [[400, 0], [400 + 1e-9, 0], [400 + 1e-9, 1200], [400, 1200]],
        [[380, 580], [420, 580], [420, 620], [400, 600], [380, 620]],
    ],
    ids=["between", "over the viewer", "over everything", "thin as nothing", "nested"],
)
def test_odd_walls_are_answered(outline: Any) -> None:
    state = parse(TableState, state_text(**wall(outline)), error=BadState)

    assert ask(state, SIGHT).answer in ("yes", "no")
