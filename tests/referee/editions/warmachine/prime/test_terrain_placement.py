from typing import Any

from models.verdict import Verdict
from tests.referee.tables import asked, box, table

INCH = 25.4


def put(piece: dict[str, Any], name: str) -> Verdict:
    return asked(table(terrain=[piece], scenario={"name": name}), "terrain-placement", feature="t")


def test_no_obstruction_lies_in_a_control_zone() -> None:
    middle = 609.6

    def block(gap: float, kind: str = "obstruction") -> dict[str, Any]:
        left = middle + 6 * INCH + gap
        return box("t", kind, left, middle - 50, left + 80, middle + 50)

    assert put(block(1), "incoming").margin_mm == 1
    assert (put(block(0), "incoming").answer, put(block(0), "incoming").at_edge) == ("no", True)
    assert put(block(-20, "forest"), "incoming").answer == "yes"


def test_nothing_that_keeps_a_base_off_lies_within_five_inches_of_a_flag() -> None:
    left = 30 * INCH + 20 + 5 * INCH + 1

    assert put(box("t", "obstruction", left, 500, left + 40, 560), "close-quarters").margin_mm == 1
    assert put(box("t", "obstruction", left - 2, 500, left + 40, 560), "close-quarters").answer == "no"
    assert put(box("t", "rubble", left - 90, 500, left + 40, 560), "close-quarters").answer == "yes"


def test_a_placement_needs_to_know_the_scenario() -> None:
    verdict = asked(table(terrain=[box("t", "wall", 1, 1, 9, 9)]), "terrain-placement", feature="t")

    assert verdict.needs == ("scenario.name",)
