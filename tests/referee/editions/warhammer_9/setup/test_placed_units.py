"""Units that are set up: an inch from one another, out of impassable ground, and only in the ways their rules allow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.state import TableState
from models.verdict import Verdict
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from tests.referee.editions.warhammer_9.tables import CARD, block, lone, table
from tests.referee.tables import asked

INCH = 25.4
ROCK = ((900.0, 100.0), (1000.0, 100.0), (1000.0, 160.0), (900.0, 160.0))


def set_up(x: float, y: float) -> TableState:
    rock = {"id": "rock", "kind": "impassable", "polygon_mm": ROCK}
    units = [block("A", "red", (x, y), 90, 5, 10), block("B", "red", (700, 200), 90, 5, 10)]
    return table(units, scenario={"name": "battleline"}, terrain=[rock])


def box(left: float, near: float, right: float, far: float) -> RoundedShape:
    return RoundedShape(((left, near), (right, near), (right, far), (left, far)))


@given(st.floats(560, 1100), st.floats(60, 300))
def test_a_unit_is_set_up_an_inch_from_units_and_out_of_rock(x: float, y: float) -> None:
    own = box(x - 50, y - 40, x + 50, y)

    deploys, comes_on = (
        asked(set_up(x, y), "deployment", who="A"),
        asked(set_up(x, y), "reinforcements", who="A", edge="edge:near", to={"front_mm": [x, y], "facing_deg": 90}),
    )

    apart = min(gap(own, box(650, 160, 750, 200)).mm - INCH, gap(own, RoundedShape(ROCK)).mm)
    assert apart == pytest.approx(0, abs=1e-6) or deploys.answer == ("yes" if apart > 0 else "no")
    assert apart > 0 or comes_on.answer == "no"


@pytest.mark.parametrize(
    ("rule", "kind", "asks"),
    [
        ("scouts", "deployment", {"who": "A", "manner": "scout"}),
        ("ambushers", "reinforcements", {"who": "A", "edge": "edge:near", "manner": "ambush"}),
        ("vanguard", "move", {"mover": "A", "manner": "vanguard", "steps": ({"do": "forward", "by_in": 2},)}),
    ],
)
def test_what_needs_a_rule_is_for_those_who_have_it(rule: str, kind: str, asks: dict[str, object]) -> None:
    """Source: Special Rules, p. 56."""
    answers = [
        asked(table([], [lone("A", "red", (600, 25), 90, profile=CARD | {"abilities": words})]), kind, **asks).answer
        for words in ([rule], [])
    ]

    assert answers == ["yes", "no"]


@pytest.mark.parametrize("round_", [1, 2])
def test_ambushers_come_on_from_the_second_turn_on(round_: int) -> None:
    hidden = lone("A", "red", (600, 25), 90, profile=CARD | {"abilities": ["ambushers"]})
    state = table([], [hidden], turn={"round": round_, "active": "red"})

    verdict = asked(state, "reinforcements", who="A", edge="edge:near", manner="ambush")

    assert verdict.answer == ("no" if round_ == 1 else "yes")


def in_the_pass(kind: str, **asks: object) -> Verdict:
    units = [block("A", "red", (600, 1150), 90, 5, 10), block("E", "blue", (600, 1150), 270, 5, 10)]
    return asked(table(units, scenario={"name": "Battle for the Pass"}), kind, **asks)


@given(st.integers(2, 12))
def test_pursuers_stop_an_inch_from_the_cliffs_of_the_pass(roll: int) -> None:
    verdict = in_the_pass("pursuit", winner="A", loser="E", dice={"flee": 12, "pursue": roll})

    assert verdict.value["result"] == "stays"
    assert verdict.value["poses"]["A"]["front_mm"][1] == pytest.approx(min(1150 + roll * INCH, 1219.2 - INCH))


def test_nobody_comes_on_over_the_cliffs_of_the_pass() -> None:
    verdict = in_the_pass(
        "reinforcements", who="A", edge="edge:far", to={"front_mm": [1200, 1179.2], "facing_deg": 270}
    )

    assert "closed-edge" in [clause["clause"] for clause in verdict.value["clauses"] if clause["answer"] == "no"]


@given(st.integers(1, 30), st.sampled_from(["infantry", "cavalry", "monstrous-infantry"]))
def test_half_the_strength_is_half_the_models_where_only_these_are_told(models: int, kind: str) -> None:
    unit = block("E", "blue", (600, 600), 270, 5, 10, type=kind, started={"battle": {"models": models}}, worth=100)

    verdict = asked(table([unit]), "score", scorer="red")

    assert verdict.value["points"] == (50 if models / 2 >= 10 else 0)
