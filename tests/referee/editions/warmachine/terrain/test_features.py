"""Terrain features: what a piece counts as, and trenches."""

from typing import Any

import pytest

from tests.referee.tables import asked, box, mini, table

INCH = 25.4
ONE, TWO = box("one", "trench", 100, 100, 227, 176), box("two", "trench", 227, 100, 354, 176)


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


def stand(
    x: float, *, attacker: tuple[float, float] | None = None, rules: dict[str, str] | None = None, **more: Any
) -> Any:
    minis = [mini("t", x, 138)] + ([mini("a", *attacker)] if attacker else [])
    state = table(*minis, terrain=[ONE, TWO], house_rules=rules or {})
    return asked(state, "trench", target="t", **({"attacker": "a"} if attacker else {}), **more)


def test_wholly_inside_has_cover_and_screens_nobody() -> None:
    verdict = stand(160, attacker=(600, 138))

    assert (verdict.answer, verdict.margin_mm) == ("yes", pytest.approx(23.0))
    assert (verdict.value["cover"], verdict.value["blast_immune"], verdict.value["screens"]) == (True, True, False)


def test_a_toe_outside_has_nothing() -> None:
    verdict = stand(113)

    assert (verdict.answer, verdict.margin_mm, verdict.value["screens"]) == ("no", pytest.approx(-2.0), True)


def test_the_rim_itself_is_inside() -> None:
    assert stand(115).answer == "yes"


def test_across_two_joined_trenches_counts_and_the_other_reading_is_named() -> None:
    verdict = stand(227, attacker=(600, 138))

    assert (verdict.answer, verdict.margin_mm) == ("yes", pytest.approx(23.0))
    assert [flip.house_rule for flip in verdict.flips_under] == ["trench-joined"]


def test_an_attacker_touching_the_same_trench_sees_into_it() -> None:
    assert stand(160, attacker=(90, 138)).answer == "no"
    assert stand(160, attacker=(85, 138)).answer == "no"
    assert stand(160, attacker=(84, 138)).margin_mm == pytest.approx(1.0)


def test_an_attacker_in_the_next_trench_touches_none_the_target_is_in() -> None:
    assert stand(160, attacker=(300, 138)).value["cover"] is True


def test_touching_is_a_matter_the_players_may_settle() -> None:
    assert stand(160, attacker=(85, 138), rules={"area-touch": "not-covered"}).answer == "yes"


def test_a_blast_from_the_same_trench_hurts_and_from_elsewhere_does_not() -> None:
    inside, outside = stand(160, origin=[200, 150]), stand(160, origin=[300, 150])

    assert (inside.answer, inside.value["blast_immune"]) == ("no", False)
    assert (outside.answer, outside.value["blast_immune"]) == ("yes", True)


def test_without_a_trench_there_is_nothing_to_have() -> None:
    verdict = asked(table(mini("t", 160, 138)), "trench", target="t")

    assert (verdict.answer, verdict.capped) == ("no", True)
