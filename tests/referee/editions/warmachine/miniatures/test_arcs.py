"""Arcs: who is in front or behind, or faced directly, which arm of a colossal bears, and where damage falls."""

from typing import Any

import pytest

from tests.referee.tables import asked, mini, table

COLOSSAL = mini("c", 600, 600, 90, mm=120, type="warjack")  # looks away: left is toward smaller x
STATE = table(
    mini("t", 300, 300, 0), mini("ahead", 400, 300), mini("beside", 290, 400), mini("behind", 200, 300),
    effects=[{"id": "fire", "kind": "burning", "centre_mm": [295, 400], "diameter_mm": 76.2}],
)  # fmt: skip


@pytest.mark.parametrize(("x", "arc", "border"), [(290, "front", 5.0), (285, "front", 0.0), (284, "back", -1.0)])
def test_any_part_ahead_of_the_line_is_in_front(x: float, arc: str, border: float) -> None:
    verdict = asked(table(mini("v", 300, 300), mini("t", x, 400)), "arc", viewer="v", target="t")

    assert verdict.value == {"arc": arc, "border_mm": pytest.approx(border)}


def test_a_point_has_no_breadth() -> None:
    verdict = asked(table(mini("v", 300, 300)), "arc", viewer="v", target=[295, 400])

    assert verdict.value == {"arc": "back", "border_mm": pytest.approx(-5.0)}


def test_an_inert_warjack_has_no_arc() -> None:
    state = table(mini("v", 300, 300, status=["inert"]), mini("t", 400, 300))

    assert asked(state, "arc", viewer="v", target="t").value == {"arc": "none"}


def test_without_a_facing_the_arc_is_not_known() -> None:
    verdict = asked(table(mini("v", 300, 300, None), mini("t", 400, 300)), "arc", viewer="v", target="t")

    assert (verdict.status, verdict.needs) == ("unknown", ("facing_deg of v",))


def test_looking_through_the_centre_is_directly_facing() -> None:
    verdict = asked(table(mini("v", 300, 300, 45), mini("t", 400, 400)), "directly-facing", viewer="v", target="t")

    assert (verdict.answer, verdict.margin_deg, verdict.margin_mm) == ("yes", pytest.approx(1.0), None)


def test_the_error_is_counted_the_short_way_round() -> None:
    verdict = asked(table(mini("v", 300, 300, 350), mini("t", 400, 300)), "directly-facing", viewer="v", target="t")

    assert (verdict.answer, verdict.margin_deg, verdict.value["error_deg"]) == (
        "no",
        pytest.approx(-9.0),
        pytest.approx(10.0),
    )


def test_the_tolerance_itself_is_met() -> None:
    verdict = asked(table(mini("v", 300, 300, 1), mini("t", 400, 300)), "directly-facing", viewer="v", target="t")

    assert (verdict.answer, verdict.at_edge) == ("yes", True)


def test_it_is_not_mutual() -> None:
    state = table(mini("v", 300, 300, 0), mini("t", 400, 300, 90))

    assert asked(state, "directly-facing", viewer="t", target="v").answer == "no"


def test_a_facing_measured_roughly_widens_the_tolerance_and_has_an_angle_for_its_doubt() -> None:
    state = table(mini("v", 300, 300, 2) | {"sigma": {"facing_deg": 1.5}}, mini("t", 400, 300))
    verdict = asked(state, "directly-facing", viewer="v", target="t")

    assert (verdict.margin_deg, verdict.sigma_mm) == (pytest.approx(1.0), None)
    assert verdict.sigma_deg is not None
    assert 0.5 < verdict.sigma_deg < 2.0


@pytest.mark.parametrize(("sigma", "answer"), [(0.2, "yes"), (0.4, "yes"), (0.6, "too-close"), (2.0, "too-close")])
def test_only_a_facing_measured_finely_is_told_to_look_straight_at_somebody(sigma: float, answer: str) -> None:
    state = table(mini("v", 300, 300, 0) | {"sigma": {"facing_deg": sigma}}, mini("t", 400, 300))
    verdict = asked(state, "directly-facing", viewer="v", target="t")

    assert verdict.answer == answer
    assert verdict.probability is not None
    assert verdict.probability > 0.9


def test_an_inert_warjack_faces_nothing() -> None:
    state = table(mini("v", 300, 300, 0, status=["inert"]), mini("t", 400, 300))

    assert asked(state, "directly-facing", viewer="v", target="t").answer == "no"


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


def hit(**fields: Any) -> object:
    verdict = asked(STATE, "damage-arc", target="t", **fields)
    return verdict.answer, verdict.margin_mm, verdict.value.get("arc")


def test_an_attacker_partly_in_front_hits_from_the_front() -> None:
    assert hit(attacker="beside") == ("yes", pytest.approx(5.0), "front")
    assert hit(attacker="behind") == ("no", pytest.approx(-85.0), "back")


def test_a_blast_comes_from_its_point_of_impact() -> None:
    assert hit(attacker="ahead", cause="blast", origin=[290, 300]) == ("no", pytest.approx(-10.0), "back")


def test_a_blast_on_the_arc_line_comes_from_the_front() -> None:
    assert hit(cause="blast", origin=[300, 400]) == ("yes", pytest.approx(0.0), "front")


def test_a_chain_comes_from_its_last_hop() -> None:
    assert hit(attacker="ahead", cause="chain", origin="behind") == ("no", pytest.approx(-85.0), "back")


def test_the_damage_of_an_area_comes_from_its_centre() -> None:
    assert hit(cause="effect", origin="fire") == ("no", pytest.approx(-5.0), "back")


def test_a_free_strike_comes_from_behind() -> None:
    assert hit(attacker="ahead", cause="free-strike") == ("no", -1000.0, "back")


def test_a_blast_without_a_point_of_impact_asks_for_it() -> None:
    verdict = asked(STATE, "damage-arc", target="t", attacker="ahead", cause="blast")

    assert (verdict.status, verdict.needs) == ("unknown", ("origin",))
