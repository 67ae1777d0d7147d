"""Areas: who is within one, and within an aura."""

import pytest

from tests.referee.tables import answers, asked, box, mini, table

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


def test_reaching_the_limit_is_within_and_the_source_counts() -> None:
    state = table(mini("s", 300, 300), mini("at", 300 + 30 + 25.4, 300), mini("beyond", 300, 300 + 30 + 25.5))
    verdict = asked(state, "aura", source="s", range_in=1)

    assert answers(verdict) == {"s": "yes", "at": "yes", "beyond": "no"}
    assert verdict.value["source_counts"] is True


def test_completely_within_takes_the_far_rim() -> None:
    state = table(mini("s", 300, 300), mini("half", 350, 300), mini("whole", 300, 320))
    verdict = asked(state, "aura", source="s", range_in=1)

    assert verdict.value["by_id"]["half"] == {"completely": "no", "distance_mm": pytest.approx(20.0)}  # type: ignore[call-overload, index]
    assert verdict.value["by_id"]["whole"]["completely"] == "yes"  # type: ignore[call-overload, index]


def test_only_friends_are_asked_about() -> None:
    state = table(mini("s", 300, 300, side="red"), mini("f", 340, 300, side="red"), mini("e", 300, 340, side="blue"))

    assert set(answers(asked(state, "aura", source="s", range_in=2, only="friends"))) == {"s", "f"}
    assert set(answers(asked(state, "aura", source="s", range_in=2, only="enemies"))) == {"e"}


def test_focus_is_induced_within_six_inches_and_within_the_battlegroup() -> None:
    def jack(id_: str, x: float, controller: str) -> dict[str, object]:
        return mini(id_, x, 300, mm=50, side="red", type="warjack", controller=controller)

    state = table(
        mini("w", 100, 100, side="red"), mini("v", 100, 200, side="red"),
        jack("giver", 200, "w"), jack("near", 400, "w"), jack("far", 403, "w"), jack("foreign", 300, "v"),
    )  # fmt: skip

    assert answers(asked(state, "aura", source="giver", effect="focus-induction")) == {"near": "yes", "far": "no"}


def test_the_control_range_is_twice_the_stat() -> None:
    state = table(mini("s", 100, 300, profile={"control_stat": 5}), mini("m", 100 + 30 + 254, 300))

    assert asked(state, "aura", source="s", effect="control").value["limit_mm"] == pytest.approx(254.0)


def test_without_a_range_the_verdict_says_what_to_supply() -> None:
    verdict = asked(table(mini("s", 300, 300)), "aura", source="s", effect="control")

    assert (verdict.status, verdict.needs) == ("unknown", ("profile.control_stat of s",))


def test_a_member_near_the_limit_of_a_measured_table_is_too_close() -> None:
    state = table(mini("s", 300, 300, sigma=0.2), mini("edge", 355.3, 300, sigma=0.2), mini("in", 340, 300, sigma=0.2))
    verdict = asked(state, "aura", source="s", range_in=1)

    assert answers(verdict) == {"s": "yes", "edge": "too-close", "in": "yes"}
    assert (verdict.margin_mm, verdict.sigma_mm) == (pytest.approx(0.1), pytest.approx(0.2828, abs=1e-3))
