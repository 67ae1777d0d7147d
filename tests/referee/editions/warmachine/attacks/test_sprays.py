"""Sprays: whom the template hits, and the heading along which it hits the most enemies."""

from typing import Any

import pytest

from models.verdict import Verdict
from models.vocabulary import EditionId
from tests.referee.tables import answers, asked, box, mini, table

INCH = 25.4
BOOKS: tuple[EditionId, ...] = ("warmachine-prime", "hordes-mk2", "warmachine-mk1")
LAID = [[315, 290], [315, 310], [515, 340], [515, 260]]
"""A template of 200 along +x, laid at the base of 30 at (300, 300)."""


def outline(x: float = 220.0, y: float = 400.0, length_in: float = 8) -> list[list[float]]:
    """A template laid along +x: half an inch wide at its narrow end, two and a half at the other."""
    far = x + length_in * INCH
    return [[x, y - 6.35], [far, y - 31.75], [far, y + 31.75], [x, y + 6.35]]


def spray(*minis: dict[str, Any], laid: Any = None, **more: Any) -> Verdict:
    state = table(mini("a", 200, 400, mm=40), *minis, **more.pop("state", {}))
    fields = {"target": minis[0]["id"], "length_in": 8} | more
    return asked(state, "spray-hits", attacker="a", outline_mm=laid or outline(), **fields)


def clauses(verdict: Verdict) -> dict[str, str | None]:
    told: Any = verdict.value["clauses"]
    return {one["clause"]: one["answer"] for one in told}


def test_everybody_partly_under_it_can_be_hit_and_the_target_need_not_be() -> None:
    verdict = spray(mini("t", 480, 400), mini("near", 300, 420), mini("side", 300, 440))

    assert verdict.answer == "yes"
    assert answers(verdict) == {"t": "no", "near": "yes", "side": "no"}
    assert verdict.value["by_id"] == {"t": {"why": "not-covered"}, "side": {"why": "not-covered"}}


def test_it_has_to_touch_the_base_it_comes_from() -> None:
    verdict = spray(mini("t", 350, 400), laid=outline(x=225.0))

    assert (verdict.answer, clauses(verdict)["touching"], verdict.margin_mm) == ("no", "no", 0.5 - 5)


def test_its_middle_has_to_run_over_the_target() -> None:
    verdict = spray(mini("t", 350, 420))

    assert (verdict.answer, clauses(verdict)["axis"]) == ("no", "no")
    free = spray(mini("t", 350, 420), state={"house_rules": {"spray-axis": "free"}})
    assert free.answer == "yes"


def test_the_target_has_to_be_in_sight() -> None:
    wall = box("w", "wall", 255, 350, 260, 450, height_mm=200)
    verdict = spray(mini("t", 350, 400), state={"terrain": [wall]})

    assert (verdict.answer, clauses(verdict)["sight"]) == ("no", "no")


def test_whom_terrain_hides_altogether_is_not_hit_though_under_it() -> None:
    wall = box("w", "wall", 380, 340, 385, 460, height_mm=200)
    verdict = spray(mini("t", 300, 400), mini("hidden", 405, 400), state={"terrain": [wall]})

    assert answers(verdict) == {"t": "yes", "hidden": "no"}
    assert verdict.value["by_id"] == {"hidden": {"why": "walled-off"}}


def test_clouds_and_models_hide_nobody_from_it() -> None:
    cloud = {"id": "c", "kind": "cloud", "centre_mm": [340, 400], "diameter_mm": 60}
    verdict = spray(mini("t", 270, 400), mini("behind", 405, 400), state={"effects": [cloud]})

    assert answers(verdict) == {"t": "yes", "behind": "yes"}


def test_the_outline_has_to_be_told_as_the_book_prints_no_widths() -> None:
    state = table(mini("a", 200, 400, mm=40), mini("t", 300, 400))
    verdict = asked(state, "spray-hits", attacker="a", target="t", length_in=8)

    assert verdict.status == "unknown"
    assert verdict.needs[0].startswith("outline_mm")


def test_a_heading_may_stand_for_a_target() -> None:
    assert spray(mini("t", 300, 400), target=None, heading_deg=0).answer == "yes"
    assert spray(mini("t", 300, 400), target=None, heading_deg=20).answer == "no"


def field(*others: dict[str, Any], book: EditionId = "warmachine-prime") -> Any:
    me = mini("a", 300, 300, 90, side="red", profile={"spd_in": 5}, front_arc_deg=360)
    return table(me, *others).in_edition(book).with_house_rules(measure_policy="allow")


def foe(id_: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    return mini(id_, x, y, 270, **({"side": "blue"} | more))


@pytest.mark.parametrize("book", BOOKS)
def test_it_is_laid_where_it_hits_most(book: EditionId) -> None:
    state = field(foe("x", 450, 300), foe("y", 300, 430), foe("z", 330, 480), book=book)

    verdict: Any = asked(state, "spray-hits", attacker="a", outline_mm=LAID, best=True)

    assert set(verdict.value["best"]["enemies"]) == {"y", "z"}
    assert {m.id for m in verdict.members if m.answer == "yes"} == {"y", "z"}


def test_it_touches_the_base_and_points_over_its_target() -> None:
    verdict: Any = asked(field(foe("y", 300, 430)), "spray-hits", attacker="a", outline_mm=LAID, best=True)

    assert verdict.answer == "yes"
    assert verdict.value["best"]["heading_deg"] == pytest.approx(90.0)


def test_a_target_that_is_named_is_the_one() -> None:
    state = field(foe("x", 450, 300), foe("y", 300, 430), foe("z", 330, 480))

    verdict: Any = asked(state, "spray-hits", attacker="a", outline_mm=LAID, best=True, target="x")

    assert verdict.value["best"]["target"] == "x"


def test_friends_under_it_count_against_it() -> None:
    state = field(foe("x", 450, 300), foe("y", 300, 430), foe("f", 310, 480, side="red"))

    verdict: Any = asked(state, "spray-hits", attacker="a", outline_mm=LAID, best=True)

    assert verdict.value["best"]["target"] == "x"


def test_without_an_enemy_there_is_nothing_to_lay_it_over() -> None:
    assert asked(field(), "spray-hits", attacker="a", outline_mm=LAID, best=True).status == "refused"
