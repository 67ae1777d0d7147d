import pytest

from tests.referee.tables import asked, mini, table

COLOSSAL = mini("c", 600, 600, 90, mm=120, type="warjack")  # looks away: left is toward smaller x


def field(x: float, y: float, location: str) -> object:
    verdict = asked(table(COLOSSAL, mini("t", x, y)), "field-of-fire", attacker="c", target="t", location=location)
    return verdict.answer, verdict.margin_mm, verdict.value["fields"]


def test_a_base_ahead_and_left_is_in_the_left_field_only() -> None:
    assert field(500, 700, "left") == ("yes", pytest.approx(115.0), ["left"])
    assert field(500, 700, "right") == ("no", pytest.approx(-85.0), ["left"])


def test_a_base_on_the_line_between_them_is_in_both() -> None:
    assert field(610, 800, "left") == ("yes", pytest.approx(5.0), ["left", "right"])


def test_touching_the_line_is_in_the_field() -> None:
    assert field(615, 800, "left") == ("yes", pytest.approx(0.0), ["left", "right"])


def test_behind_the_arc_line_is_in_neither() -> None:
    assert field(500, 580, "left") == ("no", pytest.approx(-5.0), [])


def test_a_base_that_is_not_huge_bears_on_its_whole_front() -> None:
    state = table(mini("c", 600, 600, 90, mm=50), mini("t", 700, 700))

    assert asked(state, "field-of-fire", attacker="c", target="t", location="left").answer == "yes"


def grid(origin: object) -> object:
    state = table(COLOSSAL, mini("front", 600, 900), mini("left", 400, 700), mini("back", 600, 400))
    return asked(state, "damage-grid", target="c", origin=origin).value["grid"]


def test_damage_from_one_side_marks_that_grid() -> None:
    assert grid("left") == "left"
    assert grid([700.0, 700.0]) == "right"


def test_an_attacker_dead_ahead_or_behind_chooses() -> None:
    assert grid("front") == grid("back") == "choose"


def test_other_damage_from_there_or_from_nowhere_is_drawn() -> None:
    assert grid([600.0, 900.0]) == grid([650.0, 400.0]) == grid(None) == "random"


def test_a_single_grid_is_no_question() -> None:
    assert asked(table(mini("c", 600, 600, mm=50)), "damage-grid", target="c").status == "refused"
