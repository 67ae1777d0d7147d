from typing import Any

import pytest

from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table

INCH = 25.4


@pytest.mark.parametrize(
    ("kind", "height", "counts", "ground", "grants"),
    [
        ("wall", 20, "obstacle", "open", "cover"),
        ("wall", 40, "obstruction", "impassable", "cover"),
        ("hedge", 20, "obstacle", "open", "concealment"),
        ("forest", None, "forest", "rough", "concealment"),
        ("rubble", None, "rubble", "rough", "cover"),
        ("hill", 38, "hill", "open", "none"),
        ("shallow-water", None, "shallow-water", "rough", "none"),
        ("obstruction", None, "obstruction", "impassable", "cover"),
    ],
)
def test_a_piece_counts_by_its_kind_and_height(
    kind: str, height: float | None, counts: str, ground: str, grants: str
) -> None:
    piece = box("t", kind, 100, 100, 200, 200, **({} if height is None else {"height_mm": height}))
    value = asked(table(terrain=[piece]), "terrain-class", feature="t").value

    assert (value["counts_as"], value["ground"], value["grants"]) == (counts, ground, grants)


def test_exactly_an_inch_is_an_obstacle_unless_the_table_says_otherwise() -> None:
    piece = box("t", "wall", 100, 100, 200, 200, height_mm=INCH)

    assert asked(table(terrain=[piece]), "terrain-class", feature="t").value["counts_as"] == "obstacle"
    other = table(terrain=[piece], house_rules={"one-inch-tall": "obstruction"})
    assert asked(other, "terrain-class", feature="t").value["counts_as"] == "obstruction"


def test_a_wall_of_untold_height_asks_for_it() -> None:
    verdict = asked(table(terrain=[box("t", "wall", 100, 100, 200, 200)]), "terrain-class", feature="t")

    assert (verdict.status, verdict.needs) == ("unknown", ("height_mm of t",))


HILL = box("h", "hill", 100, 100, 300, 300, height_mm=40, level=1)


def test_who_is_completely_inside_a_hill_is_elevated_and_its_rim_will_do() -> None:
    inside = asked(table(mini("a", 200, 115), terrain=[HILL]), "elevation", who="a")

    assert (inside.answer, inside.margin_mm, inside.value["level"], inside.value["on"]) == ("yes", 0, 1, ["h"])
    assert inside.value["height_mm"] == 40
    half = asked(table(mini("a", 200, 110), terrain=[HILL]), "elevation", who="a")
    assert (half.answer, half.margin_mm) == ("no", -5)


def test_on_flat_ground_nobody_is_elevated() -> None:
    assert asked(table(mini("a", 200, 200)), "elevation", who="a").answer == "no"


def test_an_amphibious_model_wholly_in_shallow_water_is_concealed() -> None:
    pool = box("p", "shallow-water", 100, 100, 300, 300)

    def wade(y: float, *abilities: str) -> Verdict:
        return asked(table(mini("a", 200, y, abilities=list(abilities)), terrain=[pool]), "water", who="a")

    assert (wade(115, "amphibious").answer, wade(115, "amphibious").value["concealed"]) == ("yes", True)
    assert wade(115).value["concealed"] is False
    assert (wade(110, "amphibious").answer, wade(110, "amphibious").value["concealed"]) == ("no", False)


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
