import pytest

from tests.referee.tables import asked, mini, table


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
