"""Garrison: who comes out of a building needs room beside others too."""

from typing import Any

import pytest

from tests.referee.scenarios.warhammer.field import field, lone, unit
from tests.referee.tables import asked

HOUSE = [{"id": "house", "kind": "building", "polygon_mm": [[550, 300], [650, 300], [650, 400], [550, 400]]}]
OUT = {"at_mm": [600, 264.6], "facing_deg": 270}


@pytest.mark.parametrize(("near", "answer"), [(40.0, "yes"), (20.0, "no"), (-5.0, "no")])
def test_who_comes_out_keeps_its_inch_from_others(near: float, answer: str) -> None:
    """It would stand from 254.6 to 274.6; the enemy's front is so far before it."""
    inside = lone("A", (600, 350), 90, base=(20, 20), kind="infantry", inside="house")
    foe = unit("E", (600, 254.6 - near), 90, 5, 5, "blue")

    verdict: Any = asked(
        field(inside, foe, terrain=HOUSE), "garrison", unit="A", feature="house", manner="leave", to=OUT
    )

    assert verdict.answer == answer
