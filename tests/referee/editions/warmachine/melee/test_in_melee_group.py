from typing import Any

from models.verdict import Verdict
from referee.editions.warmachine.melee.in_melee import die_faces
from tests.referee.tables import answers, asked, box, mini, table


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
