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


@pytest.mark.parametrize(
    ("book", "answer"), [("warmachine-prime", "no"), ("hordes-mk2", "yes"), ("warmachine-mk1", "no")]
)
def test_who_is_only_touched_at_the_end_is_trampled_where_the_book_says_contacted(book: EditionId, answer: str) -> None:
    """They touch after 165: 200 less the radii of 20 and 15."""
    state = herd(foe("p", 680, 600), foe("e", 800, 600), book=book)
    verdict = asked(state, "trample", attacker="a", heading_deg=0, distance_in=165 / 25.4)

    assert {member.id: member.answer for member in verdict.members} == {"p": "yes", "e": answer}
    assert ("trample-touched" in verdict.house_rules) == (book != "hordes-mk2")


def test_a_trample_stops_short_of_a_flag_that_it_cannot_pass() -> None:
    """Off the flag its base stands at 90: the flag is 20 wide at 130, and 60 in front it would stand upon it."""
    flag = {"id": "F", "kind": "flag", "at_mm": [730, 600], "diameter_mm": 40}
    verdict = asked(herd(objectives=[flag]), "trample", attacker="a", heading_deg=0, distance_in=4)

    assert (verdict.value["travelled_mm"], verdict.value["stopped_by"]) == (pytest.approx(90.0), "F")
