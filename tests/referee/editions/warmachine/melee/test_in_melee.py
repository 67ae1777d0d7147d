"""Melee: who is in melee with whom, whom a miss may hit, and the penalty for shots into it."""

from typing import Any

import pytest

from models.state import TableState
from models.verdict import Verdict
from referee.editions.warmachine.melee.in_melee import die_faces
from tests.referee.tables import answers, asked, box, mini, table


def fight(apart: float, *, reach: float = 0.5, facing: float = 180.0, **more: object) -> TableState:
    """Blue stands `apart` mm off red's base and looks at it; red has its back turned."""
    blue = mini("b", 300 + 30 + apart, 300, facing, side="blue", reach=reach, **more)
    return table(mini("r", 300, 300, 180, side="red", reach=0.5), blue)


def test_being_engaged_is_enough() -> None:
    verdict = asked(fight(40, reach=2), "in-melee", who="r")

    assert (verdict.answer, verdict.margin_mm, answers(verdict)) == ("yes", pytest.approx(10.8), {"b": "yes"})
    assert verdict.value["by_id"] == {"b": {"engages": "no", "engaged": "yes"}}


def test_reach_at_its_limit_is_in_melee() -> None:
    assert asked(fight(12.7), "in-melee", who="r").answer == "yes"


def test_out_of_reach_is_not() -> None:
    verdict = asked(fight(13.7), "in-melee", who="r")

    assert (verdict.answer, verdict.margin_mm) == ("no", pytest.approx(-1.0))


def test_nobody_is_in_melee_with_the_knocked_down() -> None:
    assert asked(fight(5, status=["knocked-down"]), "in-melee", who="r").answer == "no"


def test_a_wall_between_them_keeps_them_out_of_melee() -> None:
    wall = box("w", "obstruction", 317, 200, 320, 400, height_mm=200)
    state = fight(10).model_dump() | {"terrain": [wall]}

    assert asked(TableState.model_validate(state), "in-melee", who="r").answer == "no"


def test_a_friend_is_no_partner() -> None:
    state = table(mini("r", 300, 300, side="red", reach=2), mini("f", 335, 300, 180, side="red", reach=2))

    assert asked(state, "in-melee", who="r").answer == "no"


def test_an_untold_card_within_reach_of_any_weapon_is_asked_for() -> None:
    state = table(mini("r", 300, 300, 180, side="red", reach=0.5), mini("b", 340, 300, 180, side="blue"))
    untold = state.model_dump()
    untold["miniatures"][1].pop("profile")
    verdict = asked(TableState.model_validate(untold), "in-melee", who="r")

    assert (verdict.status, verdict.needs) == ("unknown", ("profile.melee of b",))


def test_a_card_that_only_some_facings_make_matter_is_asked_for_beside_the_facing() -> None:
    state = table(mini("r", 300, 300, 180, side="red", reach=0.5), mini("b", 340, 300, 180, side="blue"))
    untold = state.model_dump()
    untold["miniatures"][0].update(facing_deg=None)
    untold["miniatures"][1].pop("profile")
    verdict = asked(TableState.model_validate(untold), "in-melee", who="r")

    assert (verdict.status, verdict.needs) == ("unknown", ("profile.melee of b", "facing_deg of r"))


def test_who_is_far_away_and_just_behind_the_arc_line_is_out_of_reach_by_the_distance() -> None:
    """Else a hair's doubt about the arc would make it too close to call, half a table away."""
    state = table(
        mini("a", 300, 300, facing_deg=0, profile={"melee": [{"name": "Axe", "reach_in": 1}]}),
        mini("b", 284.9, 800, side="blue"),
    )
    verdict = asked(state, "engaged", attacker="a", target="b")

    assert verdict.answer == "no"
    assert verdict.margin_mm is not None
    assert verdict.margin_mm < -400


def spill(*more: dict[str, Any], mm: float = 30, **state: Any) -> Verdict:
    """Blue t fights red p; red p fights blue q, who is out of t's sight of things; red z fights q only."""
    fight = [
        mini("t", 300, 300, 0, side="blue", reach=0.5, mm=mm),
        mini("p", 335, 300, 0, side="red", reach=0.5),
        mini("q", 370, 300, 180, side="blue", reach=0.5),
        mini("z", 405, 300, 180, side="red", reach=0.5),
        mini("a", 330, 600, 270, side="red", gun=12),
    ]
    return asked(table(*fight, *more, **state), "in-melee-group", attacker="a", target="t")


def test_partners_and_their_partners_may_be_drawn_and_nobody_beyond() -> None:
    assert answers(spill()) == {"p": "yes", "q": "yes", "z": "no"}


def test_each_has_an_equal_share_of_the_die() -> None:
    assert spill().value["bands"] == {"p": [1, 2, 3], "q": [4, 5, 6]}
    assert die_faces(["a", "b", "c", "d"]) == {"a": [1], "b": [2], "c": [3], "d": [4]}


def test_the_links_of_the_combat_are_named() -> None:
    assert spill().value["links"] == [["t", "p"], ["p", "q"]]


def test_terrain_hides_one_and_models_hide_nobody() -> None:
    wall = box("w", "obstruction", 340, 320, 500, 330, height_mm=300)
    verdict = spill(mini("big", 352, 400, mm=50, side="red", reach=0.5), terrain=[wall])

    assert answers(verdict)["p"] == "yes"
    assert (answers(verdict)["q"], verdict.value["by_id"]["q"]) == ("no", {"why": "out of sight"})  # type: ignore[call-overload, index]


def test_a_miss_against_a_huge_base_misses_altogether() -> None:
    assert answers(spill(mm=120)) == {}


def test_a_target_in_no_melee_has_nobody_beside_it() -> None:
    state = table(
        mini("t", 300, 300, reach=0.5, side="blue"),
        mini("p", 400, 300, side="red", reach=0.5),
        mini("a", 300, 600, 270),
    )

    assert answers(asked(state, "in-melee-group", attacker="a", target="t")) == {"p": "no"}


def shot(*, foe_at: float = 335, mm: float = 30, shooter_at: float = 600, **more: Any) -> Any:
    state = table(
        mini("t", 300, 300, side="blue", reach=0.5, mm=mm),
        mini("foe", foe_at, 300, 180, side="red", reach=0.5),
        mini("a", shooter_at, 330, 180, side="red", reach=0.5, gun=10),
        mini("node", 300, 260, 90, side="red", reach=0.5),
    )  # fmt: skip
    return asked(state, "in-melee-penalty", attacker="a", target="t", **more)


def test_a_target_in_melee_gains_four() -> None:
    verdict = shot()

    assert (verdict.answer, verdict.margin_mm) == ("yes", pytest.approx(7.7))
    assert (verdict.value["bonus"], verdict.value["bonus_to"]) == (4, "defence")


def test_a_shot_from_one_who_is_in_melee_with_it_waives_the_bonus() -> None:
    verdict = shot(shooter_at=322)

    assert (verdict.answer, verdict.value["waived_by"]) == ("no", "a")


def test_so_does_a_channeler_in_melee_with_it() -> None:
    assert shot(attack="magic", origin="node").value["waived_by"] == "node"


@pytest.mark.parametrize(("more", "by"), [({"shape": "spray"}, "spray"), ({"mm": 120}, "huge-base")])
def test_sprays_and_huge_bases_know_no_bonus(more: dict[str, Any], by: str) -> None:
    assert (shot(**more).answer, shot(**more).value["waived_by"]) == ("no", by)


def test_an_area_attack_suffers_it_too() -> None:
    assert shot(shape="aoe").answer == "yes"
