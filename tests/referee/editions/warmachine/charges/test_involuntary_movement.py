"""Pushes, slams, throws and the rule of least disturbance, against small steps on random tables."""

import pytest

from tests.referee.editions.warmachine.charges.shove_sweep import disagreements, disturbed_too_much


@pytest.mark.parametrize("seed", range(5000, 5048))
def test_shoves_end_and_contact_as_small_steps_find(seed: int) -> None:
    assert disagreements(seed) == []


@pytest.mark.parametrize("seed", range(5000, 5020))
def test_no_small_steps_make_room_with_less(seed: int) -> None:
    assert disturbed_too_much(seed) == []
