"""Moved ends: whatever ends elsewhere than its dice say tells where, and what stopped it."""

from typing import Any

from tests.referee.scenarios.warhammer.field import field, lone, unit
from tests.referee.tables import asked

RUNNER = unit("A", (600, 300), 90, 5, 10)


def words(kind: str, *things: dict[str, Any], **fields: Any) -> str:
    return " ".join(filter(None, (one.effect for one in asked(field(*things), kind, **fields).because)))


def test_a_flight_runs_on_past_whom_it_would_end_on() -> None:
    """It flees along -y from the enemy ahead; friends lie across its way."""
    foe, friend = unit("E", (600, 330), 270, 5, 10, "blue"), unit("F", (600, 150), 90, 5, 10)

    told = words("flee", RUNNER, foe, friend, mover="A", threats=("E",), dice={"flee": 5})

    assert "farther." in told


def test_a_free_flight_ends_where_it_was_rolled() -> None:
    foe = unit("E", (600, 330), 270, 5, 10, "blue")

    assert "farther." not in words("flee", RUNNER, foe, mover="A", threats=("E",), dice={"flee": 5})


def test_random_movement_says_what_stops_it() -> None:
    friend = unit("F", (600, 400), 90, 5, 5)

    told = words("random-move", RUNNER, friend, mover="A", dice={"move": 9})

    assert "of 228.6 mm (9.00 in): F stops it." in told


def test_a_push_says_what_stops_it() -> None:
    pushed, behind = unit("E", (600, 500), 270, 5, 10, "blue"), lone("x", (600, 600), 90, "blue")

    told = words("push", RUNNER, pushed, behind, attacker="A", target="E", distance_in=4)

    assert "of 101.6 mm (4.00 in): x stops it." in told


def test_a_vortex_says_by_how_much_it_goes_past_a_unit() -> None:
    wizard, foe = lone("w", (600, 275), 90), unit("E", (600, 500), 270, 5, 10, "blue")

    told = words("vortex", wizard, foe, caster="w", diameter_in=3, distance_in=8)

    assert "farther." in told
