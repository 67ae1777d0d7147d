"""Moved stops: whatever ends elsewhere than it was told to says where it ends, and what stopped it."""

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


def words(kind: str, state: Any, **fields: Any) -> str:
    return " ".join(filter(None, (one.effect for one in asked(state, kind, **fields).because)))


def heavy(*others: dict[str, Any]) -> Any:
    """a of 50 mm and speed 6 at 300, t of 50 mm touching it, whom a wall of bodies may stop."""
    strong = {"type": "warjack", "profile": {"spd_in": 6, "strength": 12, "melee": FIST}}
    return table(
        mini("a", 300, 300, 0, side="red", mm=50, **strong), mini("t", 350, 300, 180, side="blue", mm=50), *others
    )


FIST = [{"name": "Fist", "reach_in": 0.5, "rules": ["open-fist"]}]
BEHIND = mini("x", 430, 300, 0, side="blue", mm=50)


def test_a_push_says_what_stops_it() -> None:
    """The one behind stands 80 - 50 = 30 away."""
    told = words("push", heavy(BEHIND), attacker="a", target="t", distance_in=3)

    assert "t goes 30.0 mm (1.18 in) of 76.2 mm (3.00 in): x stops it." in told


def test_a_slam_says_what_stops_the_slammed() -> None:
    told = words("slam", heavy(BEHIND), attacker="a", target="t", here=True, by="power-strike", distance_in=3)

    assert "t goes 30.0 mm (1.18 in) of 76.2 mm (3.00 in): x stops it." in told


def test_a_trample_says_where_it_ends_that_was_told_to_go_on() -> None:
    told = words("trample", heavy(), attacker="a", heading_deg=180, distance_in=20)

    assert "a goes 228.6 mm (9.00 in) of 508.0 mm (20.00 in)." in told


def test_a_throw_says_what_stops_it() -> None:
    beside = mini("x", 350, 430, 0, side="blue", mm=120)
    told = words("throw", heavy(beside), attacker="a", target="t", heading_deg=90, distance_in=6)

    assert "of 152.4 mm (6.00 in): x stops it." in told


def test_who_gets_as_far_as_it_should_says_nothing_of_it() -> None:
    assert " of " not in words("push", heavy(), attacker="a", target="t", distance_in=3)
