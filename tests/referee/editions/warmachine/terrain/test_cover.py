"""Cover and concealment, and the bonus for a target of a blow behind an obstacle."""

from typing import Any

import pytest

from models.state import TableState
from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table

INCH = 25.4


def scene(*terrain: dict[str, Any], target: dict[str, Any] | None = None, **more: Any) -> TableState:
    shooter = mini("a", 100, 300, abilities=more.pop("shooter", []))
    return table(shooter, target or mini("t", 400, 300, 180), terrain=list(terrain), **more)


def covered(*terrain: dict[str, Any], **more: Any) -> Verdict:
    fields = {key: more.pop(key) for key in ("shape", "origin") if key in more}
    return asked(scene(*terrain, **more), "cover", attacker="a", target="t", **fields)


def behind(kind: str, apart: float, **more: Any) -> dict[str, Any]:
    """A thin feature square to the line, this far in front of the target's base."""
    return box(kind, kind, 385 - apart - 5, 200, 385 - apart, 400, height_mm=30, **more)


def test_a_wall_an_inch_away_grants_cover_and_a_little_more_does_not() -> None:
    at, beyond = covered(behind("wall", INCH)), covered(behind("wall", INCH + 1))

    assert (at.answer, at.at_edge, at.value["kind"], at.value["bonus"]) == ("yes", True, "cover", 4)
    assert (beyond.answer, beyond.margin_mm, beyond.value["kind"]) == ("no", pytest.approx(-1.0), "none")


def test_a_hedge_grants_concealment() -> None:
    verdict = covered(behind("hedge", 10))

    assert (verdict.value["kind"], verdict.value["bonus"], verdict.margin_mm) == (
        "concealment", 2, pytest.approx(INCH - 10),
    )  # fmt: skip


def test_cover_and_concealment_do_not_add_up() -> None:
    verdict = covered(behind("hedge", 10), behind("wall", 20))

    assert (verdict.value["kind"], verdict.value["bonus"], verdict.margin_mm) == (
        "cover", 4, pytest.approx(INCH - 20),
    )  # fmt: skip


def test_a_wall_behind_the_target_grants_nothing() -> None:
    assert covered(box("w", "wall", 416, 200, 420, 400, height_mm=30)).answer == "no"


def test_an_obstacle_grants_what_the_players_agreed() -> None:
    assert covered(behind("obstacle", 10)).value["kind"] == "none"
    assert covered(behind("obstacle", 10, grants="concealment")).value["kind"] == "concealment"


def test_concealment_in_a_forest_takes_the_whole_base() -> None:
    whole, part = box("f", "forest", 380, 200, 450, 400), box("f", "forest", 390, 200, 450, 400)

    assert (covered(whole).value["kind"], covered(whole).margin_mm) == ("concealment", pytest.approx(5.0))
    assert (covered(part).answer, covered(part).margin_mm) == ("no", pytest.approx(-5.0))


def test_a_forest_in_front_grants_nothing_unless_the_players_say_so() -> None:
    verdict = covered(box("f", "forest", 300, 200, 380, 400))

    assert verdict.answer == "no"
    assert [(flip.house_rule, flip.answer) for flip in verdict.flips_under] == [("cover-from-behind", "yes")]


def test_rubble_grants_cover_to_those_completely_inside() -> None:
    assert covered(box("r", "rubble", 380, 200, 450, 400)).value["kind"] == "cover"


def test_a_cloud_conceals_the_whole_base_only_and_says_which_reading_would_differ() -> None:
    def cloud(x: float) -> list[dict[str, Any]]:
        return [{"id": "c", "kind": "cloud", "centre_mm": [x, 300], "diameter_mm": 76.2}]

    inside, partly = covered(effects=cloud(400)), covered(effects=cloud(430))

    assert inside.value["kind"] == "concealment"
    assert (partly.answer, [flip.house_rule for flip in partly.flips_under]) == ("no", ["cloud-inside"])


def test_amphibious_models_are_concealed_by_shallow_water() -> None:
    water = box("w", "shallow-water", 350, 200, 450, 400)

    assert covered(water).answer == "no"
    assert covered(water, target=mini("t", 400, 300, abilities=["amphibious"])).value["kind"] == "concealment"


def test_eyeless_sight_ignores_concealment_but_not_cover() -> None:
    hedge, wall = behind("hedge", 10), behind("wall", 10)

    assert covered(hedge, shooter=["eyeless-sight"]).answer == "no"
    assert covered(wall, shooter=["eyeless-sight"]).value["kind"] == "cover"


def test_sprays_and_huge_bases_know_no_cover() -> None:
    assert covered(behind("wall", 10), shape="spray").answer == "no"
    assert covered(behind("wall", 10), target=mini("t", 445, 300, mm=120)).value["bonus"] == 0


def test_on_top_of_a_terrace_there_is_no_cover_and_behind_it_there_is() -> None:
    terrace = box("p", "terraced-obstruction", 300, 200, 384, 400, height_mm=40)

    assert covered(terrace).value["kind"] == "cover"
    assert covered(terrace, target=mini("t", 350, 300)).answer == "no"


def test_a_trench_grants_cover() -> None:
    assert covered(box("x", "trench", 380, 250, 480, 350)).value["kind"] == "cover"


def test_a_channelled_spell_looks_from_the_channeler() -> None:
    assert covered(behind("wall", 10), origin=[600, 300]).answer == "no"


def test_a_measured_wall_at_the_inch_is_too_close() -> None:
    verdict = covered(behind("wall", INCH - 0.1, sigma_mm=0.5))

    assert (verdict.answer, verdict.sigma_mm) == ("too-close", pytest.approx(0.5, abs=0.05))


def test_what_is_too_far_to_shelter_changes_nothing_of_how_sure_a_near_wall_is() -> None:
    wall = behind("wall", INCH + 0.5, sigma_mm=0.5)
    far = [box("x", "trench", 800, 800, 860, 860), box("w", "wall", 900, 300, 905, 400, height_mm=30)]

    alone, among_others = covered(wall), covered(wall, *far)

    assert (among_others.probability, among_others.sigma_mm) == (alone.probability, alone.sigma_mm)


def fight(*terrain: dict[str, Any], **rules: str) -> Any:
    state = table(mini("a", 300, 300), mini("t", 350, 300, 180), terrain=list(terrain), house_rules=rules)
    return asked(state, "melee-terrain-bonus", attacker="a", target="t")


def test_a_wall_between_them_adds_two() -> None:
    verdict = fight(box("w", "wall", 320, 200, 330, 400, height_mm=20))

    assert (verdict.answer, verdict.value["bonus"], verdict.value["feature"]) == ("yes", 2, "w")


def test_a_corner_in_the_way_is_enough_and_its_depth_is_told() -> None:
    verdict = fight(box("w", "obstruction", 320, 305, 330, 400, height_mm=60))

    assert (verdict.answer, verdict.margin_mm) == ("yes", pytest.approx(10.0))


def test_a_corner_that_hides_nothing_wholly_is_not_enough_under_the_other_reading() -> None:
    verdict = fight(box("w", "obstruction", 320, 312, 330, 400, height_mm=60))

    assert [(flip.house_rule, flip.reading, flip.answer) for flip in verdict.flips_under] == [
        ("obscured", "hidden-part", "no")
    ]


def test_a_line_that_grazes_it_is_enough() -> None:
    verdict = fight(box("w", "wall", 320, 315, 330, 400, height_mm=20))

    assert (verdict.answer, verdict.at_edge) == ("yes", True)


def test_a_wall_beside_or_behind_them_does_nothing() -> None:
    beside = fight(box("w", "wall", 320, 320, 330, 400, height_mm=20))

    assert (beside.answer, beside.margin_mm) == ("no", pytest.approx(-5.0))
    assert fight(box("w", "wall", 365, 200, 370, 400, height_mm=20)).answer == "no"


def test_a_forest_is_neither_obstacle_nor_obstruction() -> None:
    assert fight(box("f", "forest", 320, 200, 330, 400)).answer == "no"
