from typing import Any

import pytest

from tests.referee.tables import asked, mini, table


def shot(apart: float, *, shooter: list[str] | None = None, **more: Any) -> object:
    target = mini("t", 100 + 30 + apart, 300, abilities=more.pop("abilities", ["stealth"]))
    state = table(mini("a", 100, 300, abilities=shooter or []), target, mini("node", 200, 300))
    verdict = asked(state, "stealth", attacker="a", target="t", **more)
    return verdict.answer, verdict.margin_mm


def test_a_shot_from_beyond_five_inches_misses() -> None:
    assert shot(137.0) == ("yes", pytest.approx(10.0))


def test_exactly_five_inches_is_near() -> None:
    assert shot(127.0) == ("no", pytest.approx(0.0))


def test_a_spell_is_measured_from_the_channeler() -> None:
    assert shot(137.0, origin="node") == ("no", pytest.approx(-90.0))


def test_without_stealth_distance_makes_no_miss() -> None:
    assert shot(300.0, abilities=[]) == ("no", -1000.0)


def test_eyeless_sight_takes_no_notice() -> None:
    assert shot(300.0, shooter=["eyeless-sight"]) == ("no", -1000.0)
