from typing import Any

from models.verdict import Verdict
from tests.referee.tables import asked, mini, table


def swap(diameter: float, at: Any) -> Verdict:
    state = table(mini("m", 600, 600, mm=30))
    base = {"shape": "round", "diameter_mm": diameter}
    return asked(state, "replacement", mover="m", base=base, to={"at_mm": at})


def test_the_smaller_base_lies_within_the_larger() -> None:
    assert (swap(50, (610, 600)).answer, swap(50, (610, 600)).margin_mm) == ("yes", 0)
    assert swap(50, (611, 600)).answer == "no"
    assert swap(30, (600, 600)).answer == "yes"
    assert swap(30, (601, 600)).margin_mm == -0.5


def test_a_replacement_needs_room() -> None:
    state = table(mini("m", 600, 600, mm=30), mini("b", 632, 600))
    base = {"shape": "round", "diameter_mm": 50}

    assert asked(state, "replacement", mover="m", base=base, to={"at_mm": (600, 600)}).answer == "no"
