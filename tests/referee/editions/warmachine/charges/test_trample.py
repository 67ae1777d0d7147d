"""Trample: the heading that runs over most."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.vocabulary import EditionId
from tests.referee.tables import asked, mini, table

BOOKS: tuple[EditionId, ...] = ("warmachine-prime", "hordes-mk2", "warmachine-mk1")
places = st.tuples(st.floats(400, 800), st.floats(400, 800)).filter(lambda at: math.dist(at, (600, 600)) > 40)


def herd(*small: dict[str, Any], book: EditionId = "warmachine-prime", **more: Any) -> Any:
    """a, a warjack of 40 mm and speed 5 at (600, 600): it goes 203.2 mm at most."""
    kind = "warbeast" if book == "hordes-mk2" else "warjack"
    one = mini("a", 600, 600, 0, mm=40, side="red", type=kind, profile={"spd_in": 5})
    return table(one, *small, **more).in_edition(book).with_house_rules(measure_policy="allow")


def foe(id_: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    return mini(id_, x, y, 0, **({"side": "blue"} | more))


@pytest.mark.parametrize("book", BOOKS)
def test_the_heading_over_most_enemies_is_taken(book: EditionId) -> None:
    alone, pair = foe("x", 600, 700), (foe("y", 700, 600), foe("z", 750, 610))

    best = asked(herd(alone, *pair, book=book), "trample", attacker="a").value["best"]

    assert best["enemies"] == ["y", "z"]


def test_it_stops_short_of_one_it_cannot_end_on() -> None:
    """At 803.2 it would end on the second: it stops at contact with it."""
    verdict = asked(herd(foe("y", 680, 600), foe("w", 800, 600), foe("v", 810, 640)), "trample", attacker="a")

    assert verdict.answer == "yes"
    assert verdict.value["poses"]["a"]["at_mm"][0] < 803.2


def test_a_friend_run_over_counts_against_an_enemy() -> None:
    state = herd(foe("y", 700, 600), foe("f", 740, 600, side="red"), foe("z", 600, 700))

    assert asked(state, "trample", attacker="a").value["best"]["enemies"] == ["z"]


def test_without_anybody_in_reach_the_answer_still_says_where_it_may_go() -> None:
    verdict = asked(herd(foe("y", 1100, 600)), "trample", attacker="a")

    assert (verdict.answer, verdict.value["best"]["enemies"]) == ("yes", [])


@given(st.lists(places, min_size=1, max_size=5), st.floats(0, 360))
@settings(max_examples=40, deadline=None)
def test_no_heading_runs_over_more_enemies(at: list[tuple[float, float]], heading: float) -> None:
    state = herd(*(foe(f"e{k}", *one) for k, one in enumerate(at)))

    best: Any = asked(state, "trample", attacker="a").value["best"]
    other = asked(state, "trample", attacker="a", heading_deg=heading)

    run_over = [m for m in other.members if m.answer == "yes" and (m.margin_mm or 0.0) > 1e-6]
    assert other.answer != "yes" or len(best["enemies"]) >= len(run_over)
