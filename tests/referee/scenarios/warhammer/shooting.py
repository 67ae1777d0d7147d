"""Shooting, cover and magic."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.warhammer.field import BOW, field, lone, unit
from tests.referee.tables import box

VOLLEYS = {"ranged": [BOW | {"rules": ["volley-fire"]}]}
HEAVY = {"ranged": [BOW | {"rules": ["move-or-fire"]}]}


def _shot(y: float, count: int = 10, *more: Any, files: int = 5, gap: float = 0.0, **a: Any) -> Any:
    """A looks up from y = 300, five wide; E of five begins at y. A bow reaches 24 in = 609.6."""
    archers = unit("A", (600, 300), 90, files, count, gap=gap, **a)
    return field(archers, unit("E", (600, y), 270, 5, 5, "blue"), *more)


SHOOT = {"kind": "shooters", "attacker": "A", "target": "E"}
VOLLEY = SHOOT | {"manner": "volley"}
SHOTS = (
    Scenario("shooters-eligible", "yes", "609.6 - (800 - 300) = 109.6; the second rank is 520 off", _shot(800), SHOOT,
             {"answer": "yes", "margin_mm": 109.6, "value": {"count": 10, "by_rank": {"0": 5, "1": 5}, "needs": 3}}),
    Scenario("shooters-eligible", "no", "609.6 - 620 = -10.4", _shot(920), SHOOT,
             {"answer": "no", "margin_mm": -10.4, "value": {"count": 0}}),
    Scenario("shooters-eligible", "edge", "909.6 - 300 = 609.6; the second rank is 20 farther", _shot(909.6), SHOOT,
             {"answer": "yes", "margin_mm": 0.0, "value": {"count": 5}}),
    Scenario("fire-two-ranks", "yes", "three ranks of five: ten fire", _shot(700, 15), SHOOT,
             {"answer": "yes", "value": {"count": 10, "by_rank": {"0": 5, "1": 5}}}),
    Scenario("fire-two-ranks", "no", "a single rank has none behind it", _shot(700, 5), SHOOT,
             {"value": {"count": 5, "by_rank": {"0": 5}}}),
    Scenario("fire-two-ranks", "edge", "a second rank of four stands 10 beside those ahead, half of a base of 20",
             _shot(700, 9), SHOOT, {"value": {"count": 9, "by_rank": {"0": 5, "1": 4}}}, exactly="half a base aside"),
    Scenario("volley-fire", "yes", "half of 609.6 is 304.8: 195.2 to spare; the best has 109.6 of range left",
             _shot(800, 15, card=VOLLEYS), VOLLEY, {"answer": "yes", "margin_mm": 109.6, "value": {"count": 15,
             "needs": 4, "expected_hits": 7.5}}),
    Scenario("volley-fire", "no", "300 - 304.8 = -4.8", _shot(600, 15, card=VOLLEYS), VOLLEY,
             {"answer": "no", "margin_mm": -4.8, "value": {"count": 0}}),
    Scenario("volley-fire", "edge", "304.8 is not farther than half the range", _shot(604.8, 15, card=VOLLEYS), VOLLEY,
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("skirmisher-fire", "yes", "all of them, even after a march",
             _shot(700, 8, files=4, gap=12.7, this_turn={"moved": ["march"]}), SHOOT,
             {"answer": "yes", "value": {"count": 8, "reasons": []}}),
    Scenario("skirmisher-fire", "no", "not what may not be fired on the move",
             _shot(700, 8, files=4, gap=12.7, card=HEAVY, this_turn={"moved": ["march"]}), SHOOT,
             {"answer": "no", "value": {"count": 0, "reasons": ["move-or-fire"]}}),
    Scenario("skirmisher-fire", "edge", "the third rank too", _shot(700, 9, files=3, gap=12.7), SHOOT,
             {"answer": "yes", "value": {"count": 9, "by_rank": {"0": 3, "1": 3, "2": 3}}}, exactly="the last rank"),
)  # fmt: skip


def _soldier(id_: str, x: float, y: float, facing: float, side: str, **more: Any) -> dict[str, Any]:
    return lone(id_, (x, y), facing, side, **({"kind": "infantry"} | more))


def _hides(*between: dict[str, Any], **more: Any) -> Any:
    """s shoots from 600, 300 at t of 50 by 50, from 575 to 625 and 500 to 550."""
    return field(_soldier("s", 600, 275, 90, "red"), _soldier("t", 600, 525, 270, "blue"), *between, **more)


def _screen(right: float) -> dict[str, Any]:
    """Somebody from 500 to its right end, 400 to 420."""
    return _soldier("b", (500 + right) / 2, 410, 90, "blue", base=(right - 500, 20))


def _wall(near: float, right: float) -> dict[str, Any]:
    return {"terrain": [box("w", "wall", 500, near, right, near + 5)]}


COVER = {"kind": "cover", "attacker": "s", "target": "t"}
COVERS = (
    Scenario("cover-unit", "yes", "behind 610, 400 lies what is left of 600 + (y - 300) / 10: of t up to 622.5 in the "
             "mean, 0.95 of it: (0.95 - 0.5) x 50", _hides(_screen(610)), COVER,
             {"answer": "yes", "margin_mm": 22.5, "value": {"kind": "hard", "bonus": -2,
              "features": [{"id": "b", "obscures": 1}]}}),
    Scenario("cover-unit", "no", "behind 590, 420 lies what is left of 600 - (y - 300) / 12, 581.25 in the mean: "
             "(0.125 - 0.5) x 50", _hides(_screen(590)), COVER,
             {"answer": "no", "margin_mm": -18.75, "value": {"kind": "none", "bonus": 0}}),
    Scenario("cover-unit", "edge", "left of 600: half, which is not more than half", _hides(_screen(600)), COVER,
             {"answer": "no", "margin_mm": 0.0, "at_edge": True}),
    Scenario("cover-obstacle", "yes", "it touches the wall that crosses the line to its middle",
             _hides(**_wall(495, 610)), COVER, {"answer": "yes", "margin_mm": 1000.0, "value": {"kind": "hard"}}),
    Scenario("cover-obstacle", "no", "35 behind a wall up to 590, 465: left of 600 - 10 / 165 x (y - 300), 586.364 in "
             "the mean: (0.22727 - 0.5) x 50", _hides(**_wall(460, 590)), COVER, {"answer": "no", "margin_mm": -13.64}),
    Scenario("cover-obstacle", "edge", "the wall ends 0.5 before it, which still touches", _hides(**_wall(494.5, 610)),
             COVER, {"answer": "yes", "margin_mm": 1000.0}, exactly="the tolerance of contact"),
)  # fmt: skip
ADDED = {"kind": "attack-modifiers", "attacker": "A", "target": "E", "attack": "ranged"}
ODDS = (
    Scenario("shooting-modifiers", "yes", "100 is nearer than 101.6: +1; skill 4 needs 3, so 2: 5 of 6", _shot(400),
             ADDED, {"status": "measured", "margin_mm": 1.6, "value": {"total": 1, "needs": 2,
             "modifiers": [{"name": "close-range", "bonus": 1}], "chance": {"exact": "5/6"}}}),
    Scenario("shooting-modifiers", "no", "500 off, unmoved, in the open: 4 of 6", _shot(800), ADDED,
             {"margin_mm": -398.4, "value": {"total": 0, "needs": 3, "modifiers": [], "chance": {"exact": "2/3"}}}),
    Scenario("shooting-modifiers", "edge", "401.6 - 300 = 4 in is not nearer than 4 in", _shot(401.6), ADDED,
             {"margin_mm": 0.0, "value": {"total": 0}}),
)  # fmt: skip


def _fight(front: float) -> Any:
    """E looks up from y = 500 and fights F there; its rear is at 460. A looks up from this y."""
    return field(unit("A", (600, front), 90, 5, 5), unit("E", (600, 500), 90, 5, 10, "blue"),
                 unit("F", (600, 500), 270, 5, 10))  # fmt: skip


INTO = {"kind": "shooting-into-combat", "attacker": "A", "target": "E"}
FREE = {"kind": "may-shoot", "attacker": "A"}
COMBATS = (
    Scenario("shooting-into-combat", "yes", "101.6 - (460 - 400) = 41.6", _fight(400), INTO,
             {"answer": "yes", "margin_mm": 41.6, "value": {"side": "rear", "ones_hit": ["F"]}}),
    Scenario("shooting-into-combat", "no", "101.6 - 110 = -8.4", _fight(350), INTO,
             {"answer": "no", "margin_mm": -8.4}),
    Scenario("shooting-into-combat", "edge", "460 - 358.4 = 4 in", _fight(358.4), INTO,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("shooting-forbidden", "yes", "it has done nothing", _shot(700), FREE,
             {"answer": "yes", "value": {"reasons": []}}),
    Scenario("shooting-forbidden", "no", "it marched", _shot(700, this_turn={"moved": ["march"]}), FREE,
             {"answer": "no", "value": {"reasons": ["marched"]}}),
    Scenario("shooting-forbidden", "edge", "a swift reform is none that bars", _shot(700, this_turn={"moved":
             ["swift-reform"]}), FREE, {"answer": "yes"}, exactly="a reform that does not bar"),
)  # fmt: skip


def _garrison(y: float) -> Any:
    """Twelve in a house of two floors from 500 to 700, whose far edge is at y = 300."""
    inside = [_soldier(f"G/{k}", 550 + k, 250, 90, "red", base=(20, 20), unit="G", inside="g") for k in range(12)]
    house = box("g", "building", 500, 200, 700, 300, floors=2)
    return field({"id": "G", "side": "red", "formation": "garrison"}, *inside, unit("E", (600, y), 270, 5, 5, "blue"),
                 terrain=[house])  # fmt: skip


HOUSE = {"kind": "shooters", "attacker": "G", "target": "E"}
HOUSES = (
    Scenario("building-shooting", "yes", "five of each floor, from the edge of the house: 609.6 - 500", _garrison(800),
             HOUSE, {"answer": "yes", "margin_mm": 109.6, "value": {"count": 10}}),
    Scenario("building-shooting", "no", "609.6 - 620", _garrison(920), HOUSE, {"answer": "no", "margin_mm": -10.4}),
    Scenario("building-shooting", "edge", "909.6 - 300 = 24 in", _garrison(909.6), HOUSE,
             {"answer": "yes", "margin_mm": 0.0, "value": {"count": 10}}),
)  # fmt: skip

SPELLS = {"spells": [{"name": "bolt", "rng_in": 12, "type": "missile", "offensive": True}]}


def _cast(near: float) -> Any:
    """A wizard looks up from y = 300; t begins at this y. 12 in are 304.8."""
    return field(_soldier("w", 600, 275, 90, "red", card=SPELLS), _soldier("t", 600, near + 25, 270, "blue"))


CAST = {"kind": "spell-target", "caster": "w", "target": "t", "spell": "bolt"}


def _vortex(y: float) -> dict[str, Any]:
    """A template of 3 in: 38.1 round its centre."""
    return {"kind": "vortex", "caster": "w", "diameter_in": 3, "to": [600, y]}


LINE = {"kind": "line-hits", "attacker": "w", "heading_deg": 90, "length_in": 8}


def _ranks(y: float) -> Any:
    """E's front rank begins at this y, its second 20 farther; a line of 8 in ends at 300 + 203.2."""
    return field(_soldier("w", 600, 275, 90, "red"), unit("E", (600, y), 270, 5, 10, "blue"))


MAGIC = (
    Scenario("spell-target", "yes", "304.8 - 200 = 104.8, the least of all", _cast(500), CAST,
             {"answer": "yes", "margin_mm": 104.8, "value": {"in_range": True}}),
    Scenario("spell-target", "no", "304.8 - 325 = -20.2", _cast(625), CAST,
             {"answer": "no", "margin_mm": -20.2, "value": {"in_range": False}}),
    Scenario("spell-target", "edge", "604.8 - 300 = 12 in", _cast(604.8), CAST, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("vortex-placement", "yes", "its rim touches at 338.1 - 38.1 = 300: all of 0.5 to spare", _cast(900),
             _vortex(338.1), {"answer": "yes", "margin_mm": 0.5}),
    Scenario("vortex-placement", "no", "0.5 - (350 - 38.1 - 300) = -11.4", _cast(900), _vortex(350),
             {"answer": "no", "margin_mm": -11.4}),
    Scenario("vortex-placement", "edge", "338.6 - 38.1 - 300 = 0.5", _cast(900), _vortex(338.6),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("line-spell", "yes", "up to 503.2 it meets both ranks at x = 600, one of each", _ranks(480), LINE,
             {"status": "measured", "members": [{"id": "E/0-2", "answer": "yes"}, {"id": "E/1-2", "answer": "yes"}]}),
    Scenario("line-spell", "no", "they begin at 510", _ranks(510), LINE, {"members": []}),
    Scenario("line-spell", "edge", "they begin at 503.2: the rim is only touched", _ranks(503.2), LINE,
             {"members": []}, exactly="it ends at their rim"),
)  # fmt: skip

SCENARIOS: tuple[Scenario, ...] = (*SHOTS, *COVERS, *ODDS, *COMBATS, *HOUSES, *MAGIC)
