"""The search for a charge against a sweep over directions and lengths."""

import math
from typing import Any

import pytest

from models.verdict import Answer
from tests.referee.charge_sweep import faults, most_left, random_charge
from tests.referee.tables import asked


@pytest.mark.parametrize("seed", range(60))
def test_no_charge_is_missed_and_none_is_made_up(seed: int) -> None:
    state, tried = random_charge(seed)
    verdict = asked(state, "charge", attacker="a", target="t")
    found: Any = verdict.value
    got_there = found["stop_mm"] is not None

    if most_left(tried) > 2.0:
        assert got_there, f"a sweep finds a charge, the search does not: {found}"
    if got_there:
        heading = math.radians(found["heading"]["heading_deg"])
        assert faults(tried, heading, found["stop_mm"][0]) == []
    if verdict.answer is Answer.YES:
        assert got_there
