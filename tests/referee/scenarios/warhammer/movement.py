"""Movement: budgets, wheels, reforms, marches, the inch one keeps, ground, edges, flyers, loose units, characters."""

import math
from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.warhammer.field import field, lone, unit

A = unit("A", (600, 300), 90, 5, 10)  # x from 550 to 650, y from 260 to 300; Movement 4 in = 101.6
HERE = field(A)


def _steps(do: str, inches: float, **more: Any) -> dict[str, Any]:
    return {"kind": "move", "mover": "A", "steps": [{"do": do, "by_in": inches}], **more}


def _to(x: float, y: float, facing: float = 90, **more: Any) -> dict[str, Any]:
    return {"kind": "move", "mover": "A", "to": {"front_mm": [x, y], "facing_deg": facing}, **more}


def _wheel(deg: float | None, **more: Any) -> dict[str, Any]:
    return {"kind": "wheel", "mover": "A", "way": "left", **({} if deg is None else {"by_deg": deg}), **more}


DEEP = field(unit("A", (600, 300), 90, 5, 25))
MARCHED = {"allowance_in": 8}
BUDGETS = (
    Scenario("move-budget", "yes", "3 in of 4: 76.2 spent, 25.4 left", HERE, _steps("forward", 3),
             {"answer": "yes", "margin_mm": 25.4, "value": {"spent_mm": 76.2}}),
    Scenario("move-budget", "no", "2.5 in back count twice: 127 of 101.6", HERE, _steps("backward", 2.5),
             {"answer": "no", "margin_mm": -25.4, "value": {"spent_mm": 127.0}}),
    Scenario("move-budget", "edge", "4 in of 4", HERE, _steps("forward", 4), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("move-infer", "yes", "a wheel by 30 degrees about (550, 300): 52.36 of 101.6", HERE,
             _to(550 + 50 * math.cos(math.pi / 6), 325, 120),
             {"answer": "yes", "margin_mm": 49.24, "value": {"steps": [{"do": "wheel-left", "by_deg": 30.0}]}}),
    Scenario("move-infer", "no", "2.5 in back count twice", HERE, _to(600, 236.5),
             {"answer": "no", "margin_mm": -25.4, "value": {"steps": [{"do": "backward", "by_in": 2.5}]}}),
    Scenario("move-infer", "edge", "101.6 ahead", HERE, _to(600, 401.6), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("wheel-distance", "yes", "100 times pi/4 = 78.54", HERE, _wheel(45),
             {"answer": "yes", "margin_mm": 23.06, "value": {"cost_mm": 78.54}}),
    Scenario("wheel-distance", "no", "100 times pi/3 = 104.72", HERE, _wheel(60), {"answer": "no", "margin_mm": -3.12}),
    Scenario("wheel-distance", "edge", "as far as it goes: 1.016 rad = 58.21 degrees", HERE, _wheel(None),
             {"answer": "yes", "margin_mm": 0.0, "value": {"most_deg": 58.21}}),
    Scenario("wheel-double-move", "yes", "100 deep: its rear corner goes 141.42 times 1.3963 = 197.46 of 203.2", DEEP,
             _wheel(80, **MARCHED), {"answer": "yes", "margin_mm": 5.74, "value": {"rear_mm": 197.46}}),
    Scenario("wheel-double-move", "no", "141.42 times pi/2 = 222.14 of 203.2", DEEP, _wheel(90, **MARCHED),
             {"answer": "no", "margin_mm": -18.94}),
    Scenario("wheel-double-move", "edge", "the rear corner goes just 203.2", DEEP,
             _wheel(math.degrees(203.2 / math.hypot(100, 100)), **MARCHED), {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _reform(**more: Any) -> dict[str, Any]:
    return {"kind": "reform", "unit": "A", **more}


FAR_IN = math.hypot(50, 10)  # who stands at 560, 290 goes to 510, 280 when ten stand side by side
LOOSE = math.hypot(49.05, 16.35)  # loose, 32.7 apart, turned by 90 degrees: the outer go to inner places


def _loose(**more: Any) -> Any:
    return field(unit("A", (600, 300), 90, 4, 4, gap=12.7, **more))


CLIFF = {"id": "cliff", "kind": "impassable", "polygon_mm": [[500, 355.4], [700, 355.4], [700, 380], [500, 380]]}
REFORMS = (
    Scenario("reform-legal", "yes", "the outer ones go 50.99 of 203.2", HERE, _reform(files=10),
             {"answer": "yes", "margin_mm": 152.21, "value": {"longest_mm": 50.99}}),
    Scenario("reform-legal", "no", "four wide is too narrow for infantry", HERE, _reform(files=4), {"answer": "no"}),
    Scenario("reform-legal", "edge", "a Movement of half the 50.99 that they go",
             field(unit("A", (600, 300), 90, 5, 10, card={"spd_in": FAR_IN / 50.8})), _reform(files=10),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("swift-reform", "yes", "2D6 up to 7: 21 of 36",
             field(unit("A", (600, 300), 90, 5, 10, musician=True)), _reform(facing_deg=180, manner="swift"),
             {"answer": "yes", "value": {"chance": {"exact": "7/12"}}}),
    Scenario("swift-reform", "no", "no musician", HERE, _reform(facing_deg=180, manner="swift"), {"answer": "no"}),
    Scenario("swift-reform", "edge", "turned by 90 degrees about (600, 280) its flank is at 330; the cliff at 355.4",
             field(unit("A", (600, 300), 90, 5, 10, musician=True), terrain=[CLIFF]),
             _reform(facing_deg=180, manner="swift"), {"answer": "yes"}, exactly="an inch is left"),
    Scenario("free-reform", "yes", "51.70 of 203.2", _loose(), _reform(facing_deg=180, manner="free"),
             {"answer": "yes", "margin_mm": 151.5}),
    Scenario("free-reform", "no", "neither skirmishers nor fast cavalry", HERE, _reform(facing_deg=180, manner="free"),
             {"answer": "no"}),
    Scenario("free-reform", "edge", "a Movement of half the 51.70", _loose(card={"spd_in": LOOSE / 50.8}),
             _reform(facing_deg=180, manner="free"), {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _facing(y: float) -> Any:
    return field(A, unit("E", (600, y), 270, 5, 10, "blue"))


def _rock(x0: float, y0: float, x1: float, y1: float, kind: str = "impassable", id_: str = "rock") -> dict[str, Any]:
    return {"id": id_, "kind": kind, "polygon_mm": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]}


def _rocks(wide: float) -> Any:
    """Two rocks with a lane between them."""
    rocks = [_rock(300, 400, 600 - wide / 2, 420, id_="l"), _rock(600 + wide / 2, 400, 900, 420, id_="r")]
    return field(A, terrain=rocks)


def _inch(inches: float) -> dict[str, Any]:
    return {"kind": "one-inch-rule", "mover": "A", "steps": [{"do": "forward", "by_in": inches}]}


MARCH = {"kind": "march", "mover": "A"}
MAY_MOVE = {"kind": "may-move", "mover": "A"}
FELL_SHORT = {"charged": "E", "charge_failed": True}
BETWEEN = {"kind": "fits-between", "mover": "A", "a": "l", "b": "r"}
ROCK = field(A, terrain=[_rock(500, 400, 700, 420)])
SPACES = (
    Scenario("march", "yes", "8 in = 203.2; 220 - 203.2", _facing(520), MARCH, {"answer": "yes", "margin_mm": 16.8}),
    Scenario("march", "no", "200 - 203.2; 2D6 up to 7", _facing(500), MARCH,
             {"answer": "no", "margin_mm": -3.2, "value": {"chance": {"exact": "7/12"}}}),
    Scenario("may-move", "yes", "it turned swiftly with its musician: it still moves, and does not march",
             field(unit("A", (600, 300), 90, 5, 10, this_turn={"moved": ["swift-reform"]})), MAY_MOVE,
             {"answer": "yes", "value": {"may": ["move"], "barred": {"march": ["swift-reform"]}}}),
    Scenario("may-move", "no", "its charge failed", field(unit("A", (600, 300), 90, 5, 10, this_turn=FELL_SHORT)),
             MAY_MOVE, {"answer": "no", "value": {"may": []}}),
    Scenario("may-move", "edge", "who rallied reforms and does no more",
             field(unit("A", (600, 300), 90, 5, 10, this_turn={"rallied": True})), MAY_MOVE,
             {"answer": "yes", "value": {"may": ["reform"]}}, exactly="it rallied this turn"),
    Scenario("march", "edge", "just 8 in is within", _facing(503.2), MARCH, {"answer": "no", "margin_mm": 0.0}),
    Scenario("one-inch-rule", "yes", "400 - 350.8 - 25.4", ROCK, _inch(2), {"answer": "yes", "margin_mm": 23.8}),
    Scenario("one-inch-rule", "no", "400 - 388.9 - 25.4", ROCK, _inch(3.5),
             {"answer": "no", "margin_mm": -14.3, "value": {"thing": "rock", "shift_mm": 14.3}}),
    Scenario("one-inch-rule", "edge", "to 374.6", ROCK, _inch(74.6 / 25.4), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("fits-between", "yes", "160 - 100 - 50.8", _rocks(160), BETWEEN, {"answer": "yes", "margin_mm": 9.2}),
    Scenario("fits-between", "no", "140 - 150.8; 89.2 hold four files", _rocks(140), BETWEEN,
             {"answer": "no", "margin_mm": -10.8, "value": {"widest": {"files": 4, "ranks": 3}}}),
    Scenario("fits-between", "edge", "150.8 - 150.8", _rocks(150.8), BETWEEN, {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip
WOOD = field(A, terrain=[_rock(500, 310, 700, 330, "forest")])
MARSH = field(A, terrain=[_rock(550, 320, 590, 360, "marsh")])
BESIDE = field(A, terrain=[_rock(450, 320, 550, 360, "marsh")])


def _hazard(manner: str) -> dict[str, Any]:
    return {"kind": "hazard", "mover": "A", "manner": manner, "steps": [{"do": "forward", "by_in": 3}]}


def _edge(inches: float, cause: str) -> dict[str, Any]:
    return {"kind": "table-edge", "mover": "A", "distance_in": inches, "cause": cause}


LAST = field(unit("A", (600, 1150), 90, 5, 10))  # the far edge is at 1219.2
GROUND = (
    Scenario("terrain-movement", "yes", "the wood leaves 76.2; 50.8 spent", WOOD, _steps("forward", 2),
             {"answer": "yes", "margin_mm": 25.4}),
    Scenario("terrain-movement", "no", "88.9 of 76.2", WOOD, _steps("forward", 3.5),
             {"answer": "no", "margin_mm": -12.7}),
    Scenario("terrain-movement", "edge", "76.2 of 76.2", WOOD, _steps("forward", 3),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("dangerous-terrain-models", "yes", "two files of two go through the marsh, their bases wholly over it",
             MARSH, _hazard("march"),
             {"answer": "yes", "margin_mm": 20.0, "value": {"tests": 4, "chance": {"exact": "671/1296"}}}),
    Scenario("dangerous-terrain-models", "no", "nobody rushes", MARSH, _hazard("advance"),
             {"answer": "no", "value": {"tests": 0}}),
    Scenario("dangerous-terrain-models", "edge", "the marsh ends where its left flank runs", BESIDE, _hazard("march"),
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("table-edge", "yes", "1150 + 76.2 is 7 beyond 1219.2", LAST, _edge(3, "flee"),
             {"status": "measured", "value": {"result": "removed", "to_edge_mm": -7.0}}),
    Scenario("table-edge", "no", "1219.2 - 1200.8", LAST, _edge(2, "flee"),
             {"value": {"result": "stays", "to_edge_mm": 18.4}}),
    Scenario("table-edge", "edge", "touching the edge is leaving", LAST, _edge(69.2 / 25.4, "flee"),
             {"value": {"result": "removed", "to_edge_mm": 0.0}}, exactly="the edge is touched"),
)  # fmt: skip


def _on_edge(y: float, **more: Any) -> Any:
    return field(unit("A", (600, y), 90, 5, 10, **more))


COMES = {"kind": "reinforcements", "who": "A", "edge": "edge:near"}
FLYER = {"card": {"spd_in": 4, "abilities": ["fly"]}}
FLIES = field(lone("A", (600, 300), 90, **FLYER))
RANDOM = {"kind": "random-move", "mover": "A"}


def _stupid(y: float) -> Any:
    return field(lone("A", (600, 275), 90, status=["stupid"]), unit("E", (600, y), 270, 5, 10, "blue"))


COMPELLED = (
    Scenario("reinforcement-placement", "yes", "its front is 40 in, of twice 101.6", _on_edge(40), COMES,
             {"answer": "yes", "margin_mm": 163.2}),
    Scenario("reinforcement-placement", "no", "its rear is 20 off the edge, and may be 0.5", _on_edge(60), COMES,
             {"answer": "no", "margin_mm": -19.5}),
    Scenario("reinforcement-placement", "edge", "twice the Movement is 40", _on_edge(40, card={"spd_in": 40 / 50.8}),
             COMES, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("fly-move", "yes", "9 in of 10", FLIES, _steps("forward", 9, manner="fly"),
             {"answer": "yes", "margin_mm": 25.4}),
    Scenario("fly-move", "no", "11 in of 10", FLIES, _steps("forward", 11, manner="fly"),
             {"answer": "no", "margin_mm": -25.4}),
    Scenario("fly-move", "edge", "10 in of 10", FLIES, _steps("forward", 10, manner="fly"),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("random-movement", "yes", "9 in = 228.6 reach E, 200 ahead", _facing(500), RANDOM | {"dice": {"move": 9}},
             {"value": {"contact": "E", "poses": {"A": {"front_mm": [600, 500]}}}}),
    Scenario("random-movement", "no", "6 in = 152.4 do not", _facing(500), RANDOM | {"dice": {"move": 6}},
             {"value": {"contact": None, "poses": {"A": {"front_mm": [600, 452.4]}}}}),
    Scenario("random-movement", "edge", "6 in reach E, 152.4 ahead", _facing(452.4), RANDOM | {"dice": {"move": 6}},
             {"value": {"contact": "E"}}, exactly="it goes to contact"),
    Scenario("compulsory-stupidity", "yes", "100 ahead: 4 or more on a die", _stupid(400), RANDOM,
             {"value": {"to_enemy_mm": 100.0, "chance": {"needs": 4, "exact": "1/2"}}}),
    Scenario("compulsory-stupidity", "no", "200 ahead: no die reaches 8", _stupid(500), RANDOM,
             {"value": {"chance": {"needs": 8, "exact": "0"}}}),
    Scenario("compulsory-stupidity", "edge", "152.4 ahead: a 6", _stupid(452.4), RANDOM,
             {"value": {"chance": {"needs": 6, "exact": "1/6"}}}, exactly="6 in ahead"),
)  # fmt: skip


def _by(x: float, y: float = 290.0, base: tuple[float, float] = (20, 20), **more: Any) -> Any:
    hero = lone("H", (x, y), 90, base=base, kind="infantry", role=["character"], **more)
    return field(A, hero)


def _joins(manner: str = "join") -> dict[str, Any]:
    return {"kind": "join-unit", "who": "H", "unit": "A", "manner": manner}


MARCHING = field(unit("A", (600, 300), 90, 5, 10, this_turn={"moved": ["march"]}),
                 lone("H", (660, 290), 90, base=(20, 20), kind="infantry", role=["character"]))  # fmt: skip
OTHERS = (
    Scenario("skirmish-move", "yes", "80 of 101.6", _loose(), _to(600, 380), {"answer": "yes", "margin_mm": 21.6}),
    Scenario("skirmish-move", "no", "120 of 101.6", _loose(), _to(600, 420), {"answer": "no", "margin_mm": -18.4}),
    Scenario("skirmish-move", "edge", "101.6 of 101.6", _loose(), _to(600, 401.6),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("character-join", "yes", "his base touches at x = 650: all the 0.5 of contact", _by(660), _joins(),
             {"answer": "yes", "margin_mm": 0.5}),
    Scenario("character-join", "no", "0.5 - 10", _by(670), _joins(), {"answer": "no", "margin_mm": -9.5}),
    Scenario("character-join", "edge", "0.5 - 0.5", _by(660.5), _joins(), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("character-leave", "yes", "before his unit moves", _by(660), _joins("leave"), {"answer": "yes"}),
    Scenario("character-leave", "no", "his unit has marched", MARCHING, _joins("leave"), {"answer": "no"}),
    Scenario("character-leave", "edge", "not in the turn in which he joined", _by(660, this_turn={"joined": True}),
             _joins("leave"), {"answer": "no"}, exactly="he joined this turn"),
    Scenario("character-footprint", "yes", "20 by 40 is two places of 20 by 20", _by(660, 280, (20, 40)), _joins(),
             {"value": {"cells": 2, "place": "front-rank"}}),
    Scenario("character-footprint", "no", "25 by 25 is no number of places", _by(662.5, 287.5, (25, 25)), _joins(),
             {"value": {"place": "beside"}}),
    Scenario("character-footprint", "edge", "40 by 40 is just four", _by(670, 280, (40, 40)), _joins(),
             {"value": {"cells": 4, "place": "front-rank"}}, exactly="his base covers whole places"),
)  # fmt: skip
SCENARIOS = BUDGETS + REFORMS + SPACES + GROUND + COMPELLED + OTHERS
