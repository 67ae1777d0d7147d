"""The inch that all on a table owe one another, asked of the whole table as it stands.

Numbers are worked by hand: A reaches from 550 to 650 and from 260 to 300; who faces it begins at the y of its front.
"""

from itertools import combinations
from typing import Any

import pytest
from shapely.geometry import Polygon
from shapely.ops import unary_union

from models.parsing import parse_query
from models.state import TableState
from models.verdict import Answer, Verdict
from referee import EDITIONS, ask
from referee.editions.warhammer_9.units.regiment import side_of
from referee.rules.exact_table import ExactTable
from tests.referee.editions.warhammer_9.tables import drawn, regiments_of
from tests.referee.scenarios.warhammer.field import field, lone, unit
from tests.referee.tables import box

A = unit("A", (600, 300), 90, 5, 10)
INCH_MM = 25.4


def audited(state: TableState) -> Verdict:
    return ask(state, parse_query({"kind": "one-inch-rule"}))


def facing(y: float, **more: Any) -> TableState:
    return field(A, unit("E", (600, y), 270, 5, 10, "blue"), **more)


def pairs(verdict: Verdict) -> list[tuple[str, str, float, str | None]]:
    told: Any = verdict.value["pairs"]
    return [(one["a"], one["b"], round(one["margin_mm"], 3), one["exempt"]) for one in told]


def test_all_who_stand_an_inch_apart_and_more_keep_it() -> None:
    verdict = audited(facing(330))

    assert (verdict.answer, verdict.margin_mm, pairs(verdict)) == (Answer.YES, pytest.approx(4.6), [])
    assert {m.id: m.margin_mm for m in verdict.members} == {"A": pytest.approx(4.6), "E": pytest.approx(4.6)}


def test_every_pair_that_is_too_close_is_told_with_its_margin_and_its_gap() -> None:
    verdict = audited(field(A, unit("E", (600, 320), 270, 5, 10, "blue"), unit("F", (710, 300), 90, 5, 10)))

    assert (verdict.answer, verdict.margin_mm) == (Answer.NO, pytest.approx(-15.4))
    assert pairs(verdict) == [("A", "E", -5.4, None), ("A", "F", -15.4, None), ("E", "F", -3.039, None)]
    assert [(one.role, one.of[0][0], one.of[1][0]) for one in verdict.witness] == [
        ("blocked", "A", "E"), ("blocked", "A", "F"), ("blocked", "E", "F")
    ]  # fmt: skip
    assert verdict.value["shift_mm"] == pytest.approx(15.4)


def test_exactly_an_inch_is_legal_unless_the_table_agreed_otherwise() -> None:
    verdict, strict = audited(facing(325.4)), audited(facing(325.4, house_rules={"one-inch-exact": "too-near"}))

    assert (verdict.answer, verdict.at_edge, verdict.house_rules) == (Answer.YES, True, {"one-inch-exact": "legal"})
    assert [(flip.house_rule, flip.answer) for flip in verdict.flips_under] == [("one-inch-exact", Answer.NO)]
    assert strict.answer is Answer.NO


def test_an_inch_measured_within_the_doubt_is_too_close_to_call() -> None:
    there = audited(field(*(one | {"sigma": {"at_mm": 0.3}} for one in (
        lone("a", (600, 300), 90), lone("b", (600, 375.5), 90)))))  # fmt: skip

    assert (there.answer, there.margin_mm) == (Answer.TOO_CLOSE, pytest.approx(0.1))


@pytest.mark.parametrize(("kind", "margin_mm"), [("impassable", -5.4), ("building", -5.4), ("forest", 1000.0)])
def test_the_inch_is_owed_to_ground_that_nobody_enters(kind: str, margin_mm: float) -> None:
    verdict = audited(field(A, terrain=[box("g", kind, 500, 320, 700, 400)]))

    assert verdict.margin_mm == pytest.approx(margin_mm)


def test_who_fights_may_be_close_and_the_pair_says_why() -> None:
    verdict = audited(field(A, unit("E", (600, 300), 270, 5, 10, "blue"), unit("F", (710, 300), 90, 5, 10)))

    assert verdict.answer is Answer.YES
    assert pairs(verdict) == [
        ("A", "E", -25.4, "fighting"),
        ("A", "F", -15.4, "fighting"),
        ("E", "F", -15.4, "fighting"),
    ]


def test_who_came_there_by_a_charge_may_be_close() -> None:
    verdict = audited(field(A | {"this_turn": {"moved": ["charge"]}}, unit("F", (710, 300), 90, 5, 10)))

    assert (verdict.answer, pairs(verdict)) == (Answer.YES, [("A", "F", -15.4, "charged")])


def test_a_character_who_touches_friends_joins_them_and_near_them_is_too_close() -> None:
    hero = {"kind": "infantry", "role": ["character"], "base": (20, 20)}

    assert pairs(audited(field(A, lone("h", (600, 310), 90, **hero)))) == [("A", "h", -25.4, "joining")]
    assert pairs(audited(field(A, lone("h", (600, 315), 90, **hero)))) == [("A", "h", -20.4, None)]
    assert pairs(audited(field(A, lone("h", (600, 310), 90, "blue", **hero)))) == [("A", "h", -25.4, "fighting")]


def test_a_garrison_is_in_nobodys_way_and_who_enters_touches_the_building() -> None:
    house = box("g", "building", 500, 300, 700, 400)
    guard = lone("G", (600, 305), 90, kind="infantry", base=(20, 20), inside="g")

    assert pairs(audited(field(A, guard, terrain=[house]))) == [("A", "g", -25.4, "entering")]


def test_nobody_owes_anything_alone() -> None:
    verdict = audited(field(A))

    assert (verdict.answer, verdict.capped, verdict.members) == (Answer.YES, True, ())


def _outlines(state: TableState) -> dict[str, Any]:
    """Whatever owes and is owed an inch, by another library."""
    table = ExactTable(state, EDITIONS[state.edition])
    found: dict[str, Any] = {}
    for id_ in regiments_of(state):
        ids = [m.id for m in state.miniatures if id_ in (m.id, m.unit)]
        found[id_] = unary_union([Polygon(table.base(m).points) for m in ids])
    closed = (t for t in state.terrain if t.kind in ("impassable", "building"))
    return found | {t.id: Polygon(t.polygon_mm) for t in closed}


@pytest.mark.parametrize("seed", range(25))
def test_on_any_table_just_those_pairs_are_told_that_another_library_finds_too_close(seed: int) -> None:
    state = drawn(seed)
    outlines = _outlines(state)
    terrain = {t.id for t in state.terrain}
    gaps = {
        frozenset((a, b)): outlines[a].distance(outlines[b])
        for a, b in combinations(outlines, 2)
        if not {a, b} <= terrain
    }
    verdict = audited(state)
    told = {frozenset((a, b)): exempt for a, b, _, exempt in pairs(verdict)}
    sides = {id_: side_of(ExactTable(state, EDITIONS[state.edition]), id_) for id_ in outlines if id_ not in terrain}
    touching = [pair for pair, mm in gaps.items() if mm <= state.contact_tolerance_mm and not pair & terrain]
    fighting = {id_ for pair in touching for id_ in pair if len({sides[one] for one in pair}) > 1}
    owed = [mm for pair, mm in gaps.items() if told.get(pair) is None and not pair & fighting]

    assert set(told) == {pair for pair, mm in gaps.items() if mm < INCH_MM - 1e-6}
    assert verdict.margin_mm is not None
    assert max(verdict.margin_mm, -INCH_MM) == pytest.approx(min(owed, default=1000 + INCH_MM) - INCH_MM, abs=1e-6)
