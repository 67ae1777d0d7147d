"""Distances: who is nearest, and whether bases overlap."""

import pytest

from tests.referee.tables import answers, asked, mini, table


def test_the_nearest_base_edge_wins_not_the_nearest_centre() -> None:
    state = table(mini("s", 300, 300), mini("small", 360, 300), mini("big", 300, 380, mm=120))
    verdict = asked(state, "nearest", a="s")

    assert answers(verdict) == {"big": "yes", "small": "no"}
    assert verdict.value["by_id"] == {
        "big": {"distance_mm": pytest.approx(5.0)},
        "small": {"distance_mm": pytest.approx(30.0)},
    }


def test_only_those_named_take_part() -> None:
    state = table(mini("s", 300, 300), mini("b", 350, 300), mini("c", 400, 300))

    assert answers(asked(state, "nearest", a="s", among=["c"])) == {"c": "yes"}


def test_equal_distances_are_a_tie_for_the_players_to_draw() -> None:
    verdict = asked(table(mini("s", 300, 300), mini("b", 350, 300), mini("c", 250, 300)), "nearest", a="s")

    assert verdict.value["ties"] == ["b", "c"]
    assert verdict.advice is not None


def test_measured_bases_nearly_as_near_as_each_other_are_too_close() -> None:
    state = table(mini("s", 300, 300), mini("b", 350, 300, sigma=0.2), mini("c", 249.9, 300, sigma=0.2))

    assert set(answers(asked(state, "nearest", a="s")).values()) == {"too-close"}


def test_touching_bases_stand_free() -> None:
    verdict = asked(table(mini("a", 300, 300), mini("b", 330, 300), mini("c", 500, 300)), "bases-clear")

    assert (verdict.answer, verdict.margin_mm, verdict.value["pairs"]) == ("yes", pytest.approx(0.0), [])


def test_overlapping_bases_are_named() -> None:
    verdict = asked(table(mini("a", 300, 300), mini("b", 328, 300), mini("c", 500, 300)), "bases-clear")

    assert (verdict.answer, verdict.margin_mm) == ("no", pytest.approx(-2.0))
    assert verdict.value["pairs"] == [{"a": "a", "b": "b", "gap_mm": pytest.approx(-2.0)}]


def test_only_those_named_are_looked_at() -> None:
    state = table(mini("a", 300, 300), mini("b", 328, 300), mini("c", 500, 300))

    assert asked(state, "bases-clear", among=["a", "c"]).margin_mm == pytest.approx(170.0)


def test_bases_known_to_touch_do_not_overlap() -> None:
    touching = [{"a": "a", "b": "b", "probability": 1.0}]
    state = table(mini("a", 300, 300, sigma=0.2), mini("b", 329.8, 300, sigma=0.2), contacts=touching)

    assert asked(state, "bases-clear").answer == "yes"
    assert asked(state.model_copy(update={"contacts": ()}), "bases-clear").answer == "too-close"
