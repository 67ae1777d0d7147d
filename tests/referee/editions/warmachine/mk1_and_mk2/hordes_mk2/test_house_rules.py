"""The doubts of the HORDES book are switches: another reading answers otherwise, and the verdict says so."""

from typing import Any, NamedTuple

import pytest

from models.house_rules import HOUSE_RULES
from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict
from referee import EDITIONS, ask
from tests.referee.scenarios.hordes.field import field
from tests.referee.tables import box, mini


class Switch(NamedTuple):
    """A doubt: the question, a table where another reading says otherwise, and what each says of it."""

    key: str
    reading: str
    query: dict[str, Any]
    state: TableState
    told: tuple[Any, Any]
    """Under the default, and under the other reading: the answer, or what stands at `at` in the verdict's value."""
    at: str = ""


LOS = {"kind": "los", "viewer": "a", "target": "t"}
COVER = {"kind": "cover", "attacker": "a", "target": "t"}
FALL = {"kind": "fall", "mover": "a"}


def line(*others: dict[str, Any], a: dict[str, Any] | None = None, t: dict[str, Any] | None = None, **more: Any) -> Any:
    """Red a at 100, 300 looks along +x at blue t at 400, 300; both of 30."""
    first = mini("a", 100, 300, **({"side": "red"} | (a or {})))
    return field(first, mini("t", 400, 300, 180, **({"side": "blue"} | (t or {}))), *others, **more)


def awning(kind: str) -> dict[str, Any]:
    """A roof from 30 to 40 above the table, 10 before the target."""
    return box("w", kind, 370, 200, 375, 400, bottom_mm=30, height_mm=40, grants="cover")


def ledge(x: float, kind: str = "platform", **more: Any) -> Any:
    """a moves from the middle of a piece of 50.8 that ends at 400 to this x."""
    moved = mini("a", x, 300, this_turn={"path_mm": [[300, 300], [x, 300]]})
    return field(moved, terrain=[box("h", kind, 200, 200, 400, 400, height_mm=50.8, **more)])


WALL = box("w", "obstruction", 322, 200, 325, 400, height_mm=90)


def beast(*others: dict[str, Any], **more: Any) -> Any:
    """A beast of 40 at 300 looks along +x, at others and past pieces of terrain."""
    pieces = [one for one in others if "kind" in one]
    first = mini("a", 300, 300, mm=40, side="red", type="warbeast", profile={"spd_in": 5}, **more)
    return field(first, *(one for one in others if "kind" not in one), terrain=pieces)


def gang(**more: Any) -> Any:
    """t fights f, whom a wood hides from a."""
    wood = box("w", "forest", 200, 330, 380, 420)
    t, f = mini("t", 400, 300, 180, side="blue", reach=1), mini("f", 400, 345, 270, side="red", reach=1)
    return field(mini("a", 100, 345, side="red"), t, f, terrain=[wood], **more)


def ranked() -> Any:
    """t and one comrade beside it have the order."""
    one: dict[str, Any] = {"side": "blue", "unit": "u", "status": ["shield-wall"]}
    return field(mini("a", 100, 300, side="red"), mini("t", 400, 300, 180, **one), mini("n", 400, 330, 180, **one),
                 units=[{"id": "u", "commander": "t"}])  # fmt: skip


DOWN = (mini("b", 250, 300, mm=50, elevation_mm=0),)
STORM = {"what": "ranged-attack", "by": "a", "target": "t", "range_in": 11}
SWITCHES = (
    Switch("arc-line-touch", "back", {"kind": "in-front-arc", "viewer": "a", "target": "t"},
           field(mini("a", 300, 300), mini("t", 285, 360)), ("yes", "no")),
    Switch("los-touch", "clear", LOS, line(mini("b", 250, 300)), ("no", "yes")),
    Switch("shield-wall-needs", "neighbours-both", {"kind": "shield-wall", "target": "t", "attacker": "a"}, ranked(),
           ("yes", "no")),
    Switch("eyeless-stealth", "intervenes", LOS,
           line(mini("s", 340, 300, side="blue", abilities=["stealth"]), a={"abilities": ["eyeless-sight"]}),
           ("yes", "no")),
    Switch("los-check", "licensed", LOS, line().with_house_rules(measure_policy="refuse"), ("yes", None)),
    Switch("measure-policy", "allow", {"kind": "distance", "a": "a", "b": "t"},
           line().with_house_rules(measure_policy="refuse"), ("refused", "measured"), "status"),
    Switch("elevation-threshold", "over-one-inch", LOS, line(*DOWN, a={"elevation_mm": 25.4}, t={"elevation_mm": 0}),
           ("yes", "no")),
    Switch("looking-down-needs", "screen-and-target", LOS,
           line(*DOWN, a={"elevation_mm": 50.8}, t={"elevation_mm": 50.8}), ("yes", "no")),
    Switch("straddler-height", "highest", {"kind": "elevation-bonus", "attacker": "a", "target": "t"},
           line(terrain=[box("h", "hill", 405, 200, 600, 400, height_mm=50.8)]), ("no", "yes")),
    Switch("melee-elevation", "plan", {"kind": "melee-range", "attacker": "a", "target": "t", "reach_in": 2},
           field(mini("a", 300, 300, elevation_mm=0), mini("t", 340, 300, elevation_mm=63.5)), ("no", "yes")),
    Switch("cover-distance", "along-line", COVER,
           line(terrain=[{"id": "w", "kind": "wall", "height_mm": 25,
                          "polygon_mm": [[200, 310], [395, 325], [393, 330], [198, 315]]}]), ("yes", "no")),
    Switch("obscured-part", "volume", COVER, line(terrain=[awning("wall")]), ("no", "yes")),
    Switch("redirect-blockers", "solids", {"kind": "in-melee-group", "attacker": "a", "target": "t"}, gang(),
           ([], ["f"]), "drawn"),
    Switch("redirect-range", "not-drawn", {"kind": "in-melee-group", "attacker": "a", "target": "t"},
           field(mini("a", 100, 300, side="red"), mini("t", 390, 300, 180, side="blue", reach=1),
                 mini("f", 430, 300, 180, side="red", reach=1), turn={"active": "red", "declared": STORM}),
           (["f"], []), "drawn"),
    Switch("ground-depth", "area", FALL, ledge(395), ("yes", "no")),
    Switch("hill-falls", "always", FALL, ledge(450, "hill"), ("no", "yes")),
    Switch("throw-heading", "straight", {"kind": "throw", "attacker": "a", "target": "t", "heading_deg": 40},
           field(mini("a", 300, 300, mm=40, profile={"strength": 8}), mini("t", 340, 300, mm=40)), ("yes", "no")),
    Switch("throw-measure", "edge-to-edge",
           {"kind": "throw", "attacker": "a", "target": "t", "heading_deg": 0, "dice": {"direction": 1, "distance": 1}},
           field(mini("a", 300, 300, mm=40, profile={"strength": 8}), mini("t", 340, 300, mm=40)),
           ([461.6, 300.0], [441.6, 300.0]), "start_mm"),
    Switch("throw-cap", "none",
           {"kind": "throw", "attacker": "a", "target": "t", "at": "g", "hands": 2, "hit": False,
            "dice": {"direction": 1, "distance": 3}},
           field(mini("a", 300, 300, mm=40, profile={"strength": 8}), mini("t", 340, 300, mm=40),
                 mini("g", 460, 300)), (50.0, None), "cap_mm"),
    Switch("two-hands-too-far", "exact",
           {"kind": "throw", "attacker": "a", "target": "t", "at": "g", "hands": 2,
            "dice": {"direction": 1, "distance": 1}},
           field(mini("a", 300, 300, mm=40, profile={"strength": 8}), mini("t", 340, 300, mm=40),
                 mini("g", 700, 300)), ([487.0, 300.0], [461.6, 300.0]), "point_mm"),
    Switch("one-inch-tall", "obstacle", {"kind": "terrain-class", "feature": "w"},
           field(terrain=[box("w", "wall", 300, 200, 310, 400, height_mm=25.4)]),
           ("obstruction", "linear-obstacle"), "counts_as"),
    Switch("one-inch-thick", "linear", {"kind": "terrain-class", "feature": "w"},
           field(terrain=[box("w", "wall", 300, 200, 325.4, 400, height_mm=20)]), ("obstacle", "linear-obstacle"),
           "counts_as"),
    Switch("regroup-run", "no", {"kind": "regroup-move", "mover": "m", "path_mm": [[300, 300], [500, 300]]},
           field(mini("m", 300, 300, unit="u", profile={"spd_in": 6}), mini("c", 800, 300, unit="u"),
                 units=[{"id": "u", "commander": "c", "command_in": 5}]), ("yes", "no")),
    Switch("flee-toward", "whole-path", {"kind": "flee", "mover": "a", "path_mm": [[100, 300], [150, 300], [50, 300]]},
           line(a={"profile": {"spd_in": 6}}), ("no", "yes")),
    Switch("structure-point", "any-part", {"kind": "structure-target", "attacker": "a", "target": "h",
                                           "section": [400, 290], "attack": "melee"},
           field(mini("a", 300, 245, reach=1), terrain=[box("h", "structure", 320, 200, 400, 290, material="wood")]),
           ("no", "yes")),
    Switch("nearest-tie", "exact", {"kind": "nearest", "a": "a", "among": ["b", "c"]},
           field(mini("a", 300, 300), mini("b", 400, 300, sigma=0.3), mini("c", 199.8, 300, sigma=0.3)),
           (["b", "c"], []), "ties"),
    Switch("frenzy-sight", "no", {"kind": "frenzy", "who": "a"},
           beast(mini("t", 342, 300, 0, side="blue"), WALL), ("advance", "attack"), "mode"),
    Switch("frenzy-closest", "all", {"kind": "frenzy", "who": "a"},
           beast(mini("t", 360, 300, 180, side="blue", reach=2), mini("f", 300, 348, side="red")), ("t", "f"),
           "target"),
    Switch("terror-sight", "sight-too", {"kind": "morale-check", "cause": "terror", "source": "a"},
           beast(mini("t", 342, 300, 0, side="blue"), WALL, abilities=["terror"]), (["t"], []), "units"),
    Switch("three-inches", "spent", {"kind": "charge", "attacker": "a", "target": "t", "heading_deg": 0,
             "step": "attack"},
           field(mini("a", 300, 300, side="red", reach=0.5, profile={"spd_in": 6}), mini("t", 385, 300, side="blue"),
                 terrain=[box("w", "rough", 200, 200, 600, 400)]), ("no", "yes")),
    Switch("cloud-as-terrain", "yes",
           {"kind": "spray-hits", "attacker": "a", "heading_deg": 0,
            "outline_mm": [[115, 290], [450, 250], [450, 350], [115, 310]]},
           line(effects=[{"id": "c", "kind": "cloud", "centre_mm": [250, 300], "diameter_mm": 120}]),
           (["t"], []), "hit"),
)  # fmt: skip
KEYS = [switch.key for switch in SWITCHES]

# Doubts held by the tests of the rules that this book names again, or that no table here can show.
ELSEWHERE = {
    "los-wall", "forest-sum", "forest-ends", "forest-height", "cloud-height", "range-elevation", "obscured",
    "area-touch", "move-measure", "graze", "deviation-sense", "deviation-cap", "deviation-far-point",
    "template-outline", "measure-beyond", "odd-base-size",
}  # fmt: skip
UNTOLD = {
    "arc-line-at": "no state has marks on a base beside its facing",
    "back-strike-since": "a trooper stands still until its turn in the activation comes: both starts are one place",
}


def _of(verdict: Verdict, switch: Switch) -> Any:
    if switch.at in ("drawn", "hit"):
        return [one.id for one in verdict.members if one.answer is not None and one.answer.value == "yes"]
    if switch.at == "status":
        return verdict.status
    found = verdict.value.get(switch.at) if switch.at else verdict.answer
    if isinstance(found, list):
        return [round(one, 6) if isinstance(one, float) else one for one in found]
    return found


@pytest.mark.parametrize("switch", SWITCHES, ids=KEYS)
def test_the_other_reading_says_otherwise(switch: Switch) -> None:
    chosen = switch.state.with_house_rules(**{switch.key.replace("-", "_"): switch.reading})
    told = tuple(_of(ask(state, parse_query(switch.query)), switch) for state in (switch.state, chosen))

    assert told == switch.told


def test_every_doubt_of_this_book_is_held_somewhere() -> None:
    doubts = {key for key, rule in HOUSE_RULES.items() if "hordes-mk2" in rule.defaults}

    assert set(KEYS) | ELSEWHERE | set(UNTOLD) == doubts


def test_what_the_book_settles_is_no_doubt_of_it() -> None:
    hordes = EDITIONS["hordes-mk2"]

    assert not [key for key in hordes.settled_readings if hordes.id in HOUSE_RULES[key].defaults]
    assert not [key for key, left in hordes.settled_readings.items() if not HOUSE_RULES[key].allows(left)]
