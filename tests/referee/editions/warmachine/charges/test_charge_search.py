"""The search for a charge against a sweep over directions and lengths."""

import math
from typing import Any
from unittest.mock import patch

import pytest

from models.state import TableState
from models.verdict import Answer
from referee.editions.warmachine.charges.charge import _ChargeRun
from referee.editions.warmachine.movement.path import passability_of_charge
from tests.referee.editions.warmachine.charges.charge_sweep import faults, most_left, random_charge
from tests.referee.tables import asked


@pytest.mark.parametrize("seed", [*range(30), *(pytest.param(k, marks=pytest.mark.slow) for k in range(30, 60))])
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


@pytest.mark.parametrize("seed", range(20))
def test_what_is_far_from_its_way_at_rest_matters_to_no_doubt(seed: int) -> None:
    raw = random_charge(seed)[0].model_dump(mode="json")
    raw["miniatures"] = [one | {"sigma": {"at_mm": 1.0}} for one in raw["miniatures"]]
    state = TableState.model_validate(raw)
    told = asked(state, "charge", attacker="a", target="t")
    with patch.object(
        _ChargeRun, "_things_around", lambda self: passability_of_charge(self.table, self.query.attacker)
    ):
        of_all = asked(state.model_copy(), "charge", attacker="a", target="t")

    assert told == of_all
