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
