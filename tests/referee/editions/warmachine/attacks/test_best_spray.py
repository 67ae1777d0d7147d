from typing import Any

import pytest

from models.vocabulary import EditionId
from tests.referee.tables import asked, mini, table

BOOKS: tuple[EditionId, ...] = ("warmachine-prime", "hordes-mk2", "warmachine-mk1")
LAID = [[315, 290], [315, 310], [515, 340], [515, 260]]
"""A template of 200 along +x, laid at the base of 30 at (300, 300)."""


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
