"""Doubt through the switches of machines, magic and ground: a hair beside each the verdict says what would flip it."""

from typing import Any

import pytest

from models.state import TableState
from tests.referee.editions.warhammer_9.tables import block, lone, table
from tests.referee.tables import asked, box

SIGMA = {"at_mm": 0.3}
INCH = 25.4


def one(x: float, y: float, **more: Any) -> dict[str, Any]:
    """A monster of 50 by 50 known to 0.3 mm."""
    return lone("m", "blue", (x, y), 270, type="monster", sigma=SIGMA, **more)


def shooter(y: float) -> dict[str, Any]:
    return block("A", "red", (600, y), 90, 5, 5)


def rivers(y: float) -> TableState:
    fight = [block("A", "red", (600, 300), 90, 5, 11, sigma=SIGMA), block("E", "blue", (600, 300), 270, 5, 10)]
    return table(fight, terrain=[box("r", "river", 0, 0, 1800, y)])


CASES = [
    ("the hole lies over", table([], [one(600, 500)]), {"kind": "template-hits", "at": [600, 474.9], "diameter_in": 3}),
    ("stands in the river", rivers(240.1), {"kind": "combat-bonuses", "a": ["A"], "b": ["E"]}),
    ("is nearer than 4 in to", table([shooter(300)], [one(600, 300 + 4 * INCH + 24.9)]),
     {"kind": "attack-modifiers", "attacker": "A", "target": "m", "attack": "ranged", "weapon": "bow"}),
    ("is stopped by", table([], [one(600, 500), lone("c", "red", (600, 200), 90)],
                            terrain=[box("w", "impassable", 500, 525 + 2 * INCH - 0.1, 700, 700)]),
     {"kind": "push", "attacker": "c", "target": "m", "distance_in": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "state", "query"), CASES, ids=[one[0] for one in CASES])
def test_a_hair_beside_a_switch_is_said_to_flip_it(clause: str, state: TableState, query: dict[str, Any]) -> None:
    fields = dict(query)
    verdict = asked(state, fields.pop("kind"), **fields)

    assert clause in " ".join(flip.whether for flip in verdict.flips_if)


def wizard(*others: dict[str, Any]) -> TableState:
    return table([], [lone("w", "red", (600, 275), 90, type="monster"), *others])


def test_whom_a_vortex_crosses_by_a_hair_is_a_doubtful_member() -> None:
    """It goes along +y from 600, 38.1 wide to either side; the monster's edge lies 0.1 within."""
    beside = lone("m", "blue", (600 + 38.0 + 25.0, 500), 270, type="monster", sigma=SIGMA)

    verdict = asked(wizard(beside), "vortex", caster="w", diameter_in=3, distance_in=8)

    assert next(one.answer for one in verdict.members if one.id == "m") == "too-close"


def test_a_vortex_laid_a_hair_beside_a_friend_is_too_close() -> None:
    """Its rim ends at 376.2 above the caster; the friend's edge lies 0.1 off."""
    friend = lone("m", "red", (600, 376.3 + 25.0), 270, type="monster", sigma=SIGMA)

    assert asked(wizard(friend), "vortex", caster="w", diameter_in=3).answer == "too-close"
