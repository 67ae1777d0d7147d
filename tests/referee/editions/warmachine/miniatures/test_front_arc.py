import pytest

from tests.referee.tables import asked, mini, table


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
