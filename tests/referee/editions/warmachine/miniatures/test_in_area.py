import pytest

from tests.referee.tables import asked, box, mini, table

WOOD = box("wood", "forest", 100, 100, 200, 200)


def test_a_base_with_one_edge_in_the_wood_is_within_it_but_not_completely() -> None:
    verdict = asked(table(mini("a", 90, 150), terrain=[WOOD]), "in-area", who="a", area="wood")

    assert (verdict.answer, verdict.margin_mm) == ("yes", pytest.approx(5.0))
    assert verdict.value["completely"] == {"answer": "no", "margin_mm": pytest.approx(-25.0)}


def test_a_base_in_the_middle_is_completely_within() -> None:
    verdict = asked(table(mini("a", 150, 150), terrain=[WOOD]), "in-area", who="a", area="wood")

    assert verdict.value["completely"] == {"answer": "yes", "margin_mm": pytest.approx(35.0)}


def test_a_base_beside_the_wood_is_not_within() -> None:
    verdict = asked(table(mini("a", 80, 150), terrain=[WOOD]), "in-area", who="a", area="wood")

    assert (verdict.answer, verdict.margin_mm) == ("no", pytest.approx(-5.0))


def test_just_touching_is_within_unless_the_players_say_otherwise() -> None:
    touching = table(mini("a", 85, 150), terrain=[WOOD])
    verdict = asked(touching, "in-area", who="a", area="wood")

    assert (verdict.answer, verdict.at_edge) == ("yes", True)
    assert [(flip.reading, flip.answer) for flip in verdict.flips_under] == [("not-covered", "no")]


def test_all_of_a_base_lies_within_reach_of_a_bent_wood_it_stands_in_the_bend_of() -> None:
    """Its middle is 63 from the nearest rim of the wood, at x = 400: with an inch that is enough for 60."""
    bent = [[400, 300], [700, 300], [700, 420], [520, 420], [520, 700], [400, 700]]
    state = table(mini("a", 463, 382, mm=120), terrain=[{"id": "w", "kind": "forest", "polygon_mm": bent}])

    assert asked(state, "completely-within", a="w", b="a", range_in=1).margin_mm == pytest.approx(25.4 + 63 - 60)
