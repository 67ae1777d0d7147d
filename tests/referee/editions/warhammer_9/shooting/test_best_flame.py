"""The best heading of a flame: where it hits most and harms no friend."""

from typing import Any

from tests.referee.scenarios.warhammer.field import field, lone
from tests.referee.tables import asked

DRAGON = lone("d", (600, 275), 90)
BEST: dict[str, Any] = {"attacker": "d", "best": True}


def test_the_heading_that_burns_an_enemy_is_taken() -> None:
    foe = lone("e", (700, 450), 270, kind="infantry", side="blue")

    verdict: Any = asked(field(DRAGON, foe), "spray-hits", **BEST)

    assert verdict.answer == "yes"
    assert len(verdict.value["best"]["enemies"]) == 1


def test_a_friend_is_never_touched_for_it() -> None:
    foe = lone("e", (700, 450), 270, kind="infantry", side="blue")
    friend = lone("f", (700, 420), 270, kind="infantry")

    verdict: Any = asked(field(DRAGON, foe, friend), "spray-hits", **BEST)

    assert verdict.answer == "yes"
    assert verdict.value["best"]["friends"] == []


def test_a_heading_that_is_told_is_kept() -> None:
    verdict: Any = asked(field(DRAGON), "spray-hits", **BEST, heading_deg=80)

    assert "best" not in verdict.value
