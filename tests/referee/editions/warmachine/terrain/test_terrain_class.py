import pytest

from tests.referee.tables import asked, box, table

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
