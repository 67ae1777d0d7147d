"""Exactly at an edge doubt says what the exact rule says, also where rounding leaves a hair."""

from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table

ROOF = box("w", "platform", 200, 200, 400, 400, height_mm=76.2)
WAY = [[300, 300], [389.6, 300]]  # 400 - 389.6 + 15 = 25.4 of ground under it


def fall(**sigma: float) -> Verdict:
    state = table(mini("m", 300, 300, **sigma), terrain=[ROOF]).in_edition("hordes-mk2")
    return asked(state.with_house_rules(measure_policy="allow"), "fall", mover="m", path_mm=WAY)


def test_who_keeps_just_an_inch_of_ground_falls_neither_exactly_nor_measured() -> None:
    exact, measured = fall(), fall(sigma=0.3)

    assert exact.margin_mm == measured.margin_mm == 0.0
    assert exact.answer == measured.answer == "no"
