import pytest

from tests.referee.tables import asked, mini, table


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
