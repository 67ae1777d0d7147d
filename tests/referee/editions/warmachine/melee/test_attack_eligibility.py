"""Attack eligibility: whether a miniature strikes from behind."""

from typing import Any

import pytest

from tests.referee.tables import asked, mini, table


def strike(x: float, **more: Any) -> object:
    state = table(mini("t", 300, 300, 0, status=more.pop("status", [])), mini("a", x, 320), mini("node", 200, 300))
    verdict = asked(state, "back-strike", attacker="a", target="t", **more)
    return verdict.answer, verdict.margin_mm, verdict.value["bonus"]


def test_wholly_behind_earns_two() -> None:
    assert strike(280) == ("yes", pytest.approx(5.0), 2)


def test_a_toe_in_front_earns_nothing() -> None:
    assert strike(290) == ("no", pytest.approx(-5.0), 0)


def test_touching_the_arc_line_is_not_behind() -> None:
    assert strike(285) == ("no", pytest.approx(0.0), 0)


def test_a_channelled_spell_strikes_from_the_channeler() -> None:
    assert strike(400, origin="node") == ("yes", pytest.approx(85.0), 2)


def test_the_end_of_the_path_is_where_it_strikes() -> None:
    assert strike(400, path_mm=[[400, 320], [270, 320]]) == ("yes", pytest.approx(15.0), 2)


def test_an_inert_warjack_has_no_back() -> None:
    assert strike(200, status=["inert"]) == ("no", -1000.0, 0)
