"""Stated doubt: the probability told is the share of redrawn exact tables on which the answer is yes."""

from typing import Any

import pytest

from benchmarks.rules.redrawn_states import redraw_query, redraw_states
from models.parsing import parse_query
from models.state import TableState
from models.verdict import Answer
from models.vocabulary import EditionId
from referee import ask
from tests.referee.tables import mini, table

BOOKS: tuple[EditionId, ...] = ("warmachine-prime", "hordes-mk2", "warmachine-mk1")
OLDER = BOOKS[1:]
DRAWS = 150
_OFF = 0.13  # three standard deviations of a share of so many draws, at the worst


def _at(id_: str, x: float, y: float, facing: float, side: str, turn_deg: float = 0.0, **more: Any) -> dict[str, Any]:
    return mini(id_, x, y, facing, side=side, **more) | {"sigma": {"at_mm": 0.3, "facing_deg": turn_deg}}


def _trample(beyond_mm: float) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A trample that ends so far short of, or on, a small base."""
    here, there = _at("a", 300, 600, 0, "red", mm=50, reach=1), _at("b", 568.6 + beyond_mm, 600, 0, "blue")
    asked = {"kind": "trample", "attacker": "a", "heading_deg": 0, "distance_in": 9, "speed_in": 6}
    return [here, there], asked


def _back_strike(behind_mm: float) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    minis = [_at("a", 500, 500, 0, "red", reach=1), _at("b", 500, 515 + behind_mm, 90, "blue")]
    path = [[450, 490], [500, 500]]
    return minis, {"kind": "back-strike", "attacker": "a", "target": "b", "path_mm": path}


def _aim(shift_mm: float) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    start = {"this_turn": {"start": {"at_mm": [500, 500], "facing_deg": 0}}}
    return [_at("a", 500 + shift_mm, 500, 0, "red", gun=10, **start), _at("b", 800, 500, 0, "blue")], {
        "kind": "aim",
        "who": "a",
    }


def _directly_facing(off_deg: float) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    minis = [_at("a", 500, 500, off_deg, "red", 0.3), _at("b", 560, 500, 180, "blue")]
    return minis, {"kind": "directly-facing", "viewer": "a", "target": "b"}


def _charge_past(deep_mm: float) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A charge at somebody behind a base that its way meets by so much."""
    minis = [
        _at("a", 300, 600, 0, "red", profile={"spd_in": 6}, reach=0.5),
        _at("x", 360, 630 - deep_mm, 0, "blue"),
        _at("b", 450, 600, 180, "blue"),
    ]
    return minis, {"kind": "charge", "attacker": "a", "target": "b", "heading_deg": 0}


def _placement(apart_mm: float) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Placed so far from a base: the place is told, and only that base is in doubt."""
    minis = [_at("a", 300, 600, 0, "red"), _at("b", 590 + apart_mm, 600, 0, "blue")]
    return minis, {"kind": "placement", "mover": "a", "to": {"at_mm": [560, 600]}}


def _move_past(apart_mm: float) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A move past a base so far beside its way: what overlaps by less than the tolerance touches."""
    minis = [_at("a", 300, 600, 0, "red", profile={"spd_in": 6}), _at("b", 360, 630 + apart_mm, 0, "blue")]
    return minis, {"kind": "move", "mover": "a", "heading_deg": 0, "distance_in": 5}


def _spray(off_mm: float) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A template that lies so far off its base: it touches within the tolerance to either side."""
    near = 320 + off_mm
    outline = [[near, 580], [near, 620], [near + 200, 640], [near + 200, 560]]
    minis = [_at("a", 300, 600, 0, "red", mm=40), _at("b", 450, 600, 180, "blue")]
    return minis, {"kind": "spray-hits", "attacker": "a", "target": "b", "outline_mm": outline}


def _free_strike(within_mm: float) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A way out of reach that begins where the mover stands: its place is as unsure as the mover's."""
    minis = [_at("a", 500, 500, 0, "red", 0.3, reach=0.5), _at("b", 542.7 - within_mm, 500, 180, "blue")]
    return minis, {"kind": "free-strike", "mover": "b", "path_mm": [[542.7 - within_mm, 500], [700, 500]]}


NEAR = [
    *((book, made) for book in BOOKS for made in (_free_strike(0.3), _free_strike(-0.4))),
    *((book, made) for book in BOOKS for made in (_placement(0.3), _placement(-0.5), _spray(0.0), _spray(0.4))),
    *((book, made) for book in BOOKS for made in (_move_past(0.0), _move_past(-0.4), _move_past(-0.9))),
    *((book, made) for book in BOOKS for made in (_trample(0.3), _trample(-0.4), _aim(0.4), _aim(0.8))),
    *((book, made) for book in BOOKS for made in (_directly_facing(0.8), _directly_facing(1.4))),
    *((book, made) for book in BOOKS for made in (_charge_past(0.2), _charge_past(-0.3), _charge_past(9.0))),
    *((book, made) for book in OLDER for made in (_back_strike(0.2), _back_strike(-0.2))),
]


def _table(book: EditionId, minis: list[dict[str, Any]]) -> TableState:
    rules = {} if book == "warmachine-prime" else {"measure-policy": "allow"}
    return table(*minis, edition=book, house_rules=rules)


@pytest.mark.parametrize(
    ("book", "made"), NEAR, ids=[f"{book}-{made[1]['kind']}-{k}" for k, (book, made) in enumerate(NEAR)]
)
def test_the_probability_is_the_share_of_redrawn_tables(
    book: EditionId, made: tuple[list[dict[str, Any]], dict[str, Any]]
) -> None:
    state, query = _table(book, made[0]), parse_query(made[1])
    told = ask(state, query)
    drawn = ((one, redraw_query(query, state, one)) for one in redraw_states(state, DRAWS, seed=1))
    share = sum(ask(*one).answer is Answer.YES for one in drawn) / DRAWS

    assert told.probability == pytest.approx(share, abs=_OFF)


@pytest.mark.parametrize("book", BOOKS)
def test_a_member_who_is_too_close_bears_his_bonus_and_his_probability(book: EditionId) -> None:
    card = {"reach": 1, "unit": "u", "side": "red", "abilities": ["combined-melee-attack"]}
    minis = [
        mini("a", 500, 500, 0, **card, sigma=0.3),
        mini("c", 500, 545, 0, **card, sigma=0.3),
        mini("b", 545.3, 511, 180, side="blue", sigma=0.3),
    ]
    query = {"kind": "combined-melee", "participants": ["a", "c"], "primary": "a", "target": "b"}
    units = [{"id": "u", "commander": "a", "spacing_in": 3}]
    rules = {} if book == "warmachine-prime" else {"measure-policy": "allow"}
    verdict = ask(table(*minis, edition=book, house_rules=rules, units=units), parse_query(query))

    assert all(member.probability is not None for member in verdict.members)
    assert {m.id: m.answer for m in verdict.members}["a"] is Answer.YES


@pytest.mark.parametrize("book", BOOKS)
def test_a_way_begins_as_unsurely_as_its_mover_stands(book: EditionId) -> None:
    """Both bases have a sigma of 0.3 mm, so that what is 0.4 mm within reach is 0.94 sigmas within."""
    minis, query = _free_strike(0.4)

    told = ask(_table(book, minis), parse_query(query))

    assert told.probability == pytest.approx(0.827, abs=0.02)
