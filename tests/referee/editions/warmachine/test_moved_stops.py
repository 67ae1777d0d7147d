"""Moved stops: a charge or slam told to stop before its reach goes on to the first lawful place, and says so."""

from typing import Any

import pytest

from tests.referee.tables import asked, mini, table

CARD: dict[str, Any] = {"type": "warjack", "profile": {"spd_in": 6}}
STATE = table(
    mini("a", 300, 300, 0, side="red", reach=1, mm=50, **CARD), mini("t", 500, 300, 180, side="blue", reach=1)
)


def effects(kind: str, stop_after_in: float) -> tuple[float, str]:
    """The bases begin 160 mm apart; a charge has its target in reach from 5.3 in on, a slam from 5.8 in on."""
    verdict = asked(STATE, kind, attacker="a", target="t", stop_after_in=stop_after_in)
    return verdict.value["travelled_mm"], " ".join(filter(None, (one.effect for one in verdict.because)))


@pytest.mark.parametrize(("kind", "there"), [("charge", 5.3), ("slam", 5.8)])
def test_a_stop_before_reach_is_moved_in_words(kind: str, there: float) -> None:
    travelled, told = effects(kind, 1)

    assert travelled == pytest.approx(there * 25.4, abs=0.1)
    assert f"After 1.00 in it is not in reach yet and goes on to {there:.2f} in." in told


@pytest.mark.parametrize("kind", ["charge", "slam"])
def test_a_stop_beyond_contact_is_moved_in_words(kind: str) -> None:
    travelled, told = effects(kind, 8)

    assert travelled == pytest.approx(160)
    assert "It gets no farther than 6.30 in." in told


@pytest.mark.parametrize("kind", ["charge", "slam"])
def test_a_lawful_stop_is_kept_without_a_word(kind: str) -> None:
    travelled, told = effects(kind, 6)

    assert travelled == pytest.approx(152.4)
    assert " in." not in told
