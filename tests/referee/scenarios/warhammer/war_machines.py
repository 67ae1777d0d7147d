"""Templates and war machines."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.warhammer.field import field, lone, unit
from tests.referee.tables import box


def _near(y: float) -> Any:
    """t of 50 by 50 round 600, y."""
    return field(lone("t", (600, y), 270, "blue", kind="infantry"))


def _house() -> Any:
    """Five in a house from 500 to 700 and 400 to 500."""
    inside = [
        lone(f"G/{k}", (550 + k, 450), 90, base=(20, 20), kind="infantry", unit="G", inside="g") for k in range(5)
    ]
    return field({"id": "G", "side": "red"}, *inside, terrain=[box("g", "building", 500, 400, 700, 500)])


def _under(y: float) -> dict[str, Any]:
    """A template of 3 in: 38.1 round its centre."""
    return {"kind": "template-hits", "at": [600, y], "diameter_in": 3}


def _breath(gap: float) -> Any:
    """A dragon looks up from y = 300; its flame ends at 300 + 203.2, and a friend stands so far beyond."""
    return field(lone("d", (600, 275), 90), lone("f", (600, 528.2 + gap), 270, kind="infantry"))


FLAME = {"kind": "spray-hits", "attacker": "d", "heading_deg": 90}
SCATTER = {"kind": "deviation", "origin": [600, 300], "target": [600, 600]}
TEMPLATES = (
    Scenario("template-hits", "yes", "its near edge is 435 - 400 = 35 off: 3.1 deep", _near(460), _under(400),
             {"status": "measured", "members": [{"id": "t", "answer": "yes", "margin_mm": 3.1}],
              "value": {"by_id": {"t": {"hit": "blast"}}}}),
    Scenario("template-hits", "no", "38.1 - 40 = -1.9", _near(465), _under(400),
             {"members": [{"id": "t", "answer": "no", "margin_mm": -1.9}]}),
    Scenario("template-hits", "edge", "463.1 - 25 - 400 = 38.1: the rim only touches", _near(463.1), _under(400),
             {"members": [{"id": "t", "answer": "no", "margin_mm": 0.0}]}, exactly="tangent to the template"),
    Scenario("building-template", "yes", "38.1 - 30 = 8.1 over the house: D6 hits on who holds it", _house(),
             _under(370), {"members": [{"id": "G", "answer": "yes", "margin_mm": 8.1}],
             "value": {"by_id": {"G": {"hit": "garrison", "hits": "d6", "hole": False}}}}),
    Scenario("building-template", "no", "38.1 - 40 = -1.9", _house(), _under(360),
             {"members": [{"id": "G", "answer": "no", "margin_mm": -1.9}]}),
    Scenario("building-template", "edge", "361.9 + 38.1 = 400: the rim only touches", _house(), _under(361.9),
             {"members": [{"id": "G", "answer": "no", "margin_mm": 0.0}]}, exactly="tangent to the house"),
    Scenario("template-flame", "yes", "10 before the friend; the tip is 15.82 inside its front", _breath(10), FLAME,
             {"answer": "yes", "margin_mm": 10.0}),
    Scenario("template-flame", "no", "5 over the friend", _breath(-5), FLAME, {"answer": "no", "margin_mm": -5.0}),
    Scenario("template-flame", "edge", "it ends where the friend begins", _breath(0), FLAME, {"answer": "yes",
             "margin_mm": 0.0}),
    Scenario("scatter-point", "yes", "4 in along +x: 600 + 101.6", _near(1000),
             SCATTER | {"dice": {"scatter": "arrow", "heading_deg": 0, "artillery": 4}},
             {"status": "measured", "value": {"point_mm": [701.6, 600]}}),
    Scenario("scatter-point", "no", "a hit stays", _near(1000),
             SCATTER | {"dice": {"scatter": "hit", "heading_deg": 0, "artillery": 4}},
             {"value": {"point_mm": [600, 600]}}),
    Scenario("scatter-point", "edge", "3 in in a random direction: 600 - 76.2", _near(1000),
             SCATTER | {"dice": {"heading_deg": 180, "distance": 3}}, {"value": {"point_mm": [523.8, 600]}},
             exactly="a direction without a scatter"),
)  # fmt: skip


def _machine(*others: dict[str, Any], rng: tuple[float, float] = (12, 60), **more: Any) -> Any:
    """A machine looks up from its muzzle at 600, 100."""
    told = {"kind": "war-machine", "card": {"ranged": [{"name": "gun", "rng_in": rng}]}} | more
    return field(lone("m", (600, 75), 90, **told), *others)


def _stone(y: float) -> dict[str, Any]:
    return {"kind": "stone-thrower", "attacker": "m", "at": [600, y]}


def _ball(y: float, **dice: Any) -> dict[str, Any]:
    return {"kind": "cannon", "attacker": "m", "at": [600, y], **({"dice": {"scatter": "hit", **dice}} if dice else {})}


FOE = unit("E", (600, 700), 270, 5, 10, "blue")  # its ranks begin at 700 and 720


def _friend(y: float) -> Any:
    """The longest bounce from 600 ends at 600 + 254 = 854."""
    return _machine(unit("F", (600, y), 270, 5, 5))


def _turned(heading: float) -> dict[str, Any]:
    return {"kind": "war-machine-pivot", "who": "m", "heading_deg": heading}


def _bolt(target: str = "E") -> dict[str, Any]:
    return {"kind": "bolt-thrower", "attacker": "m", "target": target}


MACHINES = (
    Scenario("stone-thrower", "yes", "500 - 304.8 = 195.2 beyond the least range of 12 in", _machine(), _stone(600),
             {"answer": "yes", "margin_mm": 195.2}),
    Scenario("stone-thrower", "no", "300 - 304.8 = -4.8", _machine(), _stone(400), {"answer": "no",
             "margin_mm": -4.8}),
    Scenario("stone-thrower", "edge", "404.8 - 100 = 12 in", _machine(), _stone(404.8), {"answer": "yes",
             "margin_mm": 0.0}),
    Scenario("cannon-line", "yes", "4 in from 650 end at 751.6, through both ranks at x = 600", _machine(FOE),
             _ball(650, bounce=4), {"answer": "yes", "margin_mm": 245.2, "members": [{"id": "E/0-2", "answer": "yes"},
             {"id": "E/1-2", "answer": "yes"}]}),
    Scenario("cannon-line", "no", "2 in from 640 end at 690.8, before them", _machine(FOE), _ball(640, bounce=2),
             {"members": []}),
    Scenario("cannon-line", "edge", "2 in from 649.2 end at 700: the rim is only touched", _machine(FOE),
             _ball(649.2, bounce=2), {"members": []}, exactly="it ends at their rim"),
    Scenario("cannon-aim-legal", "yes", "the friend begins 864 - 854 = 10 beyond", _friend(864), _ball(600),
             {"answer": "yes", "margin_mm": 10.0}),
    Scenario("cannon-aim-legal", "no", "854 is 4 deep in it", _friend(850), _ball(600),
             {"answer": "no", "margin_mm": -4.0}),
    Scenario("cannon-aim-legal", "edge", "the bounce ends at its rim, and may hit it", _friend(854), _ball(600),
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("bolt-thrower", "yes", "from the front, one of each rank at x = 600; (600 + 50) / 1.41421 off the border",
             _machine(FOE), _bolt(), {"status": "measured", "value": {"side": "front", "border_mm": 459.62,
             "by_id": {"E/0-2": {"strength": 6}, "E/1-2": {"strength": 5}}}}),
    Scenario("bolt-thrower", "no", "a monster has no second rank", _machine(lone("t", (600, 725), 270, "blue")),
             _bolt("t"), {"members": [{"id": "t", "answer": "yes"}], "value": {"by_id": {"t": {"strength": 6}}}}),
    Scenario("bolt-thrower", "edge", "its seven files from the right: six are pierced, the seventh is out of reach",
             _machine(unit("E", (610, 700), 0, 7, 7, "blue")), _bolt(), {"value": {"side": "right",
             "by_id": {"E/0-6": {"strength": 6}, "E/0-1": {"strength": 1}}}}, exactly="no strength is left"),
    Scenario("war-machine-pivot", "yes", "45 - 30", _machine(), _turned(120), {"answer": "yes", "margin_deg": 15.0}),
    Scenario("war-machine-pivot", "no", "45 - 50", _machine(), _turned(140), {"answer": "no", "margin_deg": -5.0}),
    Scenario("war-machine-pivot", "edge", "45 - 45", _machine(), _turned(135), {"answer": "yes", "margin_deg": 0.0}),
)  # fmt: skip


def _party(*attackers: str) -> dict[str, Any]:
    return {"kind": "war-machine-combat", "attackers": attackers, "target": "m"}


def _round(*others: dict[str, Any]) -> Any:
    return _machine(*others)


SWORDS = unit("A", (600, 100), 270, 5, 10, "blue")
OGRES = unit("O", (600, 100), 270, 3, 3, "blue", base=(40, 40), kind="monstrous-infantry")
DRAGON = lone("D", (600, 125), 270, "blue")
PARTIES = (
    Scenario("war-machine-combat", "yes", "six of ten find room", _round(SWORDS), _party("A"),
             {"status": "measured", "value": {"places": 6, "count": {"A": 6}}}),
    Scenario("war-machine-combat", "no", "a monster takes five of six, and leaves no three for an ogre",
             _round(DRAGON, OGRES), _party("D", "O"), {"value": {"count": {"D": 1, "O": 0}}}),
    Scenario("war-machine-combat", "edge", "two ogres of three take all six", _round(OGRES), _party("O"),
             {"value": {"count": {"O": 2}, "left": 0.0}}, exactly="all places are taken"),
)  # fmt: skip


def _crew(near: float) -> Any:
    """A machine with a crew of four, whose body is told to begin at this y; A looks up from y = 300."""
    body = [[580, near], [620, near], [620, near + 50], [580, near + 50]]
    gun = lone("m", (600, near + 10), 270, "blue", kind="war-machine", outline_mm=body, crew=4)
    return field(unit("A", (600, 300), 90, 5, 5), gun)


APART = {"kind": "distance", "a": "A", "b": "m"}
CREWS = (
    Scenario("war-machine-crew", "yes", "400 - 300 to its body, wherever its crew is", _crew(400), APART,
             {"value": {"distance_mm": 100.0}}),
    Scenario("war-machine-crew", "no", "250 < 300: they overlap", _crew(250), APART, {"value": {"distance_mm": 0.0}}),
    Scenario("war-machine-crew", "edge", "300 - 300", _crew(300), APART, {"value": {"distance_mm": 0.0}},
             exactly="the body is touched"),
)  # fmt: skip

SCENARIOS: tuple[Scenario, ...] = (*TEMPLATES, *MACHINES, *PARTIES, *CREWS)
