"""Several chargers at once: walked one after another they run into nothing, and they stand flush in the end."""

import math
import random
from typing import Any, NamedTuple

import pytest
import shapely

from models.parsing import parse_query
from models.state import TableState
from referee import ask
from tests.referee.editions.warhammer_9.charges.stepped_charges import (
    DEEP_MM,
    Unit,
    deep,
    in_contact,
    side_edge,
    walked,
)
from tests.referee.editions.warhammer_9.tables import block, table
from tests.referee.scenarios.warhammer.field import field, unit


class Field(NamedTuple):
    """Two or three chargers before one target, and rocks beside their ways."""

    state: TableState
    chargers: dict[str, Unit]
    target: Unit
    rocks: list[Any]


def random_field(seed: int) -> Field:
    r = random.Random(seed)
    target = Unit(900.0, 700.0, 270.0 + r.uniform(-15, 15), 20.0 * r.randint(5, 14), 40.0)
    count = r.choice((2, 2, 3))
    places = [target.x + (k - (count - 1) / 2) * r.uniform(130, 190) for k in range(count)]
    chargers = {
        name: Unit(x, r.uniform(480, 560), 90.0 + r.uniform(-25, 25), 20.0 * r.randint(3, 5), 20.0 * r.randint(1, 3))
        for name, x in zip("ABC", places, strict=False)
    }
    rocks = [shapely.box(x, y, x + 30, y + 30) for x, y in ((r.uniform(500, 1300), r.uniform(560, 650)),)]
    stand = [one.shape for one in (*chargers.values(), target)]
    if any(a.distance(b) < 2 for k, a in enumerate((*stand, *rocks)) for b in stand[:k]):
        return random_field(seed + 10**6)
    told = [*chargers.items(), ("T", target)]
    blocks = [
        block(
            name, "blue" if name == "T" else "red", (u.x, u.y), u.deg, round(u.wide / 20), round(u.wide * u.deep / 400)
        )
        for name, u in told
    ]
    ground = [
        {"id": f"rock{k}", "kind": "impassable", "polygon_mm": [list(p) for p in rock.exterior.coords[:-1]]}
        for k, rock in enumerate(rocks)
    ]
    return Field(table(blocks, terrain=ground), chargers, target, rocks)


def faults(world: Field, value: Any) -> list[str]:
    """What is wrong with the ways of a verdict, walked one after another."""
    stand, found = dict(world.chargers), list[str]()
    for name in value["order"]:
        others = shapely.union_all([*(u.shape for k, u in stand.items() if k != name), *world.rocks])
        for leg in value["paths"][name]:
            for at in walked(stand[name], leg):
                found += [f"{name} runs into something"] * (deep(at.shape, others) > DEEP_MM)
                found += [f"{name} runs through its target"] * (deep(at.shape, world.target.shape) > DEEP_MM)
            stand[name] = at
        told, edge = value["poses"][name], side_edge(world.target, "front")
        off = math.dist((at.x, at.y), told["front_mm"]) + abs(math.remainder(at.deg - told["facing_deg"], 360))
        found += [f"{name} ends elsewhere than told"] * (off > 1e-3)
        found += [f"{name} is not square"] * (abs(math.remainder(at.deg - world.target.deg - 180, 360)) > 1e-4)
        found += [f"{name}: contacts"] * (in_contact(at, edge) != value["in_contact"][name])
    return sorted(set(found))


def together(state: TableState, attackers: str, *targets: str) -> Any:
    return ask(state, parse_query({"kind": "multi-charge", "attackers": [*attackers], "targets": [*targets]})).value


@pytest.mark.parametrize("seed", range(16))
def test_chargers_walk_to_their_places_without_running_into_anything(seed: int) -> None:
    world = random_field(seed)
    value = together(world.state, "".join(world.chargers), "T")

    assert faults(world, value) == []
    assert set(value["order"]) == set(value["paths"]) == {a for a, files in value["places"].items() if files}
    assert set(value["fail"]) == set(world.chargers) - set(value["order"])


def test_most_of_them_find_room() -> None:
    """A side too short, or a rock, leaves some behind; not often."""
    placed = [
        len(together(world.state, "".join(world.chargers), "T")["order"]) for world in map(random_field, range(16))
    ]

    assert sum(placed) >= 30


def test_who_walks_sees_one_that_runs_into_another() -> None:
    world = random_field(1)
    value = together(world.state, "".join(world.chargers), "T")
    a, b, *_ = value["order"]
    value["poses"][b], value["paths"][b] = value["poses"][a], value["paths"][a]

    assert any(fault.startswith(b) for fault in faults(world, value))


def test_two_fronts_side_by_side_fill_a_side_of_both_widths() -> None:
    """Both go straight on; the side is 200 long, and each of them 100 wide."""
    units = [
        unit("A", (550, 300), 90, 5, 5),
        unit("B", (650, 300), 90, 5, 5),
        unit("E", (600, 450), 270, 10, 10, "blue"),
    ]
    value = together(field(*units), "AB", "E")

    assert [value["poses"][one]["front_mm"] for one in "AB"] == [[550, 450], [650, 450]]
    assert value["in_contact"] == {"A": 5, "B": 5, "E": 10}


def test_who_finds_no_room_stays_and_bars_nobody_who_goes() -> None:
    """Between two fronts of 100 a third would have to stand, before a side of 80."""
    chargers = [unit(name, (x, 300), 90, 5, 5) for name, x in (("A", 490), ("B", 600), ("C", 710))]
    value = together(field(*chargers, unit("E", (600, 450), 270, 4, 8, "blue")), "ABC", "E")

    assert len(value["order"]) == 2
    assert len(value["fail"]) == 1


def test_one_front_before_two_targets_touches_both() -> None:
    """160 wide from 520 to 680, the targets from 500 to 600 and 601 to 701: five, one by its corner, and four."""
    targets = [unit("E", (550, 450), 270, 5, 10, "blue"), unit("F", (651, 450), 270, 5, 10, "blue")]
    value = together(field(unit("A", (600, 300), 90, 8, 16), *targets), "A", "E", "F")

    assert (value["in_contact"]["E"], value["in_contact"]["F"]) == (5, 4)
    assert value["poses"]["A"]["front_mm"] == [600, 450]


def test_chargers_of_two_sides_go_each_to_its_own() -> None:
    """One stands before the front, one to the left of E, which looks down: at greater x."""
    units = [
        unit("A", (600, 300), 90, 5, 5),
        unit("B", (800, 500), 180, 5, 5),
        unit("E", (600, 450), 270, 5, 25, "blue"),
    ]
    value = together(field(*units), "AB", "E")

    assert value["poses"]["A"]["front_mm"] == [600, 450]
    assert value["poses"]["B"]["front_mm"] == [650, 500]
    assert value["fail"] == []
