import pytest

from models.state import TableState
from tests.referee.tables import answers, asked, box, mini, table


def fight(apart: float, *, reach: float = 0.5, facing: float = 180.0, **more: object) -> TableState:
    """Blue stands `apart` mm off red's base and looks at it; red has its back turned."""
    blue = mini("b", 300 + 30 + apart, 300, facing, side="blue", reach=reach, **more)
    return table(mini("r", 300, 300, 180, side="red", reach=0.5), blue)


def test_being_engaged_is_enough() -> None:
    verdict = asked(fight(40, reach=2), "in-melee", who="r")

    assert (verdict.answer, verdict.margin_mm, answers(verdict)) == ("yes", pytest.approx(10.8), {"b": "yes"})
    assert verdict.value["by_id"] == {"b": {"engages": "no", "engaged": "yes"}}


def test_reach_at_its_limit_is_in_melee() -> None:
    assert asked(fight(12.7), "in-melee", who="r").answer == "yes"


def test_out_of_reach_is_not() -> None:
    verdict = asked(fight(13.7), "in-melee", who="r")

    assert (verdict.answer, verdict.margin_mm) == ("no", pytest.approx(-1.0))


def test_nobody_is_in_melee_with_the_knocked_down() -> None:
    assert asked(fight(5, status=["knocked-down"]), "in-melee", who="r").answer == "no"


def test_a_wall_between_them_keeps_them_out_of_melee() -> None:
    wall = box("w", "obstruction", 317, 200, 320, 400, height_mm=200)
    state = fight(10).model_dump() | {"terrain": [wall]}

    assert asked(TableState.model_validate(state), "in-melee", who="r").answer == "no"


def test_a_friend_is_no_partner() -> None:
    state = table(mini("r", 300, 300, side="red", reach=2), mini("f", 335, 300, 180, side="red", reach=2))

    assert asked(state, "in-melee", who="r").answer == "no"


def test_an_untold_card_within_reach_of_any_weapon_is_asked_for() -> None:
    state = table(mini("r", 300, 300, 180, side="red", reach=0.5), mini("b", 340, 300, 180, side="blue"))
    untold = state.model_dump()
    untold["miniatures"][1].pop("profile")
    verdict = asked(TableState.model_validate(untold), "in-melee", who="r")

    assert (verdict.status, verdict.needs) == ("unknown", ("profile.melee of b",))


def test_a_card_that_only_some_facings_make_matter_is_asked_for_beside_the_facing() -> None:
    state = table(mini("r", 300, 300, 180, side="red", reach=0.5), mini("b", 340, 300, 180, side="blue"))
    untold = state.model_dump()
    untold["miniatures"][0].update(facing_deg=None)
    untold["miniatures"][1].pop("profile")
    verdict = asked(TableState.model_validate(untold), "in-melee", who="r")

    assert (verdict.status, verdict.needs) == ("unknown", ("profile.melee of b", "facing_deg of r"))


def test_who_is_far_away_and_just_behind_the_arc_line_is_out_of_reach_by_the_distance() -> None:
    """Else a hair's doubt about the arc would make it too close to call, half a table away."""
    state = table(
        mini("a", 300, 300, facing_deg=0, profile={"melee": [{"name": "Axe", "reach_in": 1}]}),
        mini("b", 284.9, 800, side="blue"),
    )
    verdict = asked(state, "engaged", attacker="a", target="b")

    assert verdict.answer == "no"
    assert verdict.margin_mm is not None
    assert verdict.margin_mm < -400
