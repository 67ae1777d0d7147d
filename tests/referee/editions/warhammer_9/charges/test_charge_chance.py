"""Odds of charges and flights through the questions themselves, against every roll of the dice written out."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from models.errors import BadQuery
from models.parsing import parse_query
from referee import ask
from tests.referee.editions.warhammer_9.tables import table

KINDS = {"infantry": (20, 20), "cavalry": (25, 50), "monstrous-infantry": (40, 40)}
WOOD = {"id": "wood", "kind": "forest", "polygon_mm": [[0, 330], [1800, 330], [1800, 345], [0, 345]]}
INCH = 25.4


def _unit(id_: str, side: str, y: float, facing: float, kind: str, move: float, *abilities: str) -> dict[str, Any]:
    wide, deep = KINDS[kind]
    shape = {"shape": "rect", "width_mm": wide, "depth_mm": deep}
    card = {"spd_in": move, "ld": 7, "abilities": [*abilities]}
    block = {"front_mm": [600, y], "facing_deg": facing, "files": 5, "count": 5, "base": shape, "type": kind}
    return {"id": id_, "side": side, "formation": "ranked", "block": block | {"profile": card}}


def _rolled(faces: tuple[int, ...], swift: bool, fast: bool) -> int:
    """What a charge adds to Movement, as the book says it: the highest of two, both, or the best two of three."""
    if not swift:
        return max(faces[:2])
    return sum(sorted(faces)[1:]) if fast else faces[0] + faces[1]


CASES = [
    ("infantry", 4, (), False, 0), ("infantry", 4, (), True, 0), ("infantry", 8, (), False, 0),
    ("infantry", 6, ("swiftstride",), False, 0), ("infantry", 7, ("swiftstride",), False, 0),
    ("cavalry", 8, (), False, 0), ("cavalry", 8, ("barding",), False, 1), ("cavalry", 7, ("barding",), False, 1),
    ("cavalry", 7, (), True, 0), ("monstrous-infantry", 6, (), False, 0),
    ("cavalry", 8, ("ethereal",), True, 0), ("infantry", 4, ("strider",), True, 0),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "move", "abilities", "wooded", "less"), CASES)
@pytest.mark.parametrize("inches", [3.0, 7.9, 9.0, 12.6, 17.0])
def test_the_odds_of_a_charge_are_the_share_of_all_rolls_that_reach(
    kind: str, move: float, abilities: tuple[str, ...], wooded: bool, less: int, inches: float
) -> None:
    units = [
        _unit("A", "red", 300, 90, kind, move, *abilities),
        _unit("E", "blue", 300 + inches * INCH, 270, "infantry", 4),
    ]
    state = table(units, terrain=[WOOD] if wooded else [])
    value: Any = ask(state, parse_query({"kind": "charge-chance", "attacker": "A", "target": "E"})).value

    slowed = wooded and not {"ethereal", "strider"} & set(abilities)
    speed = move - less - slowed
    swift = kind != "infantry" or "swiftstride" in abilities
    rolls = list(product(range(1, 7), repeat=3))
    met = sum(speed + _rolled(faces, swift, speed >= 7) - less >= inches - 1e-9 for faces in rolls)
    assert Fraction(value["chance"]["exact"]) == Fraction(met, len(rolls))


@pytest.mark.parametrize("inches", [12.0, 19.5, 22.0])
def test_the_odds_of_a_flying_charge_are_the_share_of_all_rolls_that_reach(inches: float) -> None:
    units = [
        _unit("A", "red", 300, 90, "infantry", 4, "fly"),
        _unit("E", "blue", 300 + inches * INCH, 270, "infantry", 4),
    ]
    query = {"kind": "charge", "attacker": "A", "target": "E", "manner": "fly", "step": "declare"}
    value: Any = ask(table(units), parse_query(query)).value

    rolls = list(product(range(1, 7), repeat=3))
    met = sum(10 + sum(sorted(faces)[1:]) >= inches - 1e-9 for faces in rolls)
    assert Fraction(value["chance"]["exact"]) == Fraction(met, len(rolls))


@pytest.mark.parametrize("inches", [2.0, 4.5])
def test_the_odds_against_a_flight_are_those_of_all_rolls_of_both(inches: float) -> None:
    units = [_unit("A", "red", 300, 90, "infantry", 4), _unit("E", "blue", 300 + inches * INCH, 270, "infantry", 4)]
    query = {"kind": "charge-chance", "attacker": "A", "target": "E", "flees": True}
    value: Any = ask(table(units), parse_query(query)).value

    faces = list(product(range(1, 7), repeat=4))  # two dice of the flight, two of the charge; E is one rank deep
    met = sum(4 + max(c, d) >= inches + a + b - 1e-9 for a, b, c, d in faces)
    assert Fraction(value["chance"]["exact"]) == Fraction(met, len(faces))


@pytest.mark.parametrize(("chaser", "runner"), [((), ()), (("barding",), ()), ((), ("barding",)), (("barding",),) * 2])
def test_the_odds_of_catching_are_those_of_all_rolls_of_both(chaser: tuple[str, ...], runner: tuple[str, ...]) -> None:
    units = [_unit("A", "red", 300, 90, "cavalry", 8, *chaser), _unit("E", "blue", 300, 270, "cavalry", 6, *runner)]
    value: Any = ask(table(units), parse_query({"kind": "pursuit", "winner": "A", "loser": "E"})).value

    chase = [sum(faces) - len(chaser) for faces in product(range(1, 7), repeat=3)]  # 8, or 7 in barding: three dice
    run = [sum(sorted(faces)[1:]) - len(runner) for faces in product(range(1, 7), repeat=3)]
    met = sum(a >= b for a in chase for b in run)
    assert Fraction(value["chance"]["exact"]) == Fraction(met, len(chase) * len(run))


def test_odds_against_what_cannot_flee_are_not_asked_for() -> None:
    state = table([_unit("A", "red", 300, 90, "infantry", 4)])

    with pytest.raises(BadQuery, match="nobody who flees"):
        ask(state, parse_query({"kind": "charge-chance", "attacker": "A", "target": "edge:far", "flees": True}))


def test_a_charge_far_out_of_reach_fails_by_its_distance() -> None:
    state = table([_unit("A", "red", 300, 90, "infantry", 4), _unit("E", "blue", 1100, 270, "infantry", 4)])

    verdict = ask(state, parse_query({"kind": "charge", "attacker": "A", "target": "E"}))

    assert verdict.margin_mm == pytest.approx((4 + 6) * INCH - 800.0)
    assert str(verdict.because[0].effect).startswith("Distance: ")
