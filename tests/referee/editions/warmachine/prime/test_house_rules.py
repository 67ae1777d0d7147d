"""Every doubt of the Prime book is a switch: where it matters the verdict shows it, where it does not it is silent."""

from typing import Any, NamedTuple

import pytest

from models.house_rules import HOUSE_RULES
from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict
from referee import ask
from tests.referee.tables import box, mini, table


class Switch(NamedTuple):
    """A doubt: the question, a table where the other reading answers otherwise, and one where it does not matter."""

    key: str
    reading: str
    query: dict[str, Any]
    matters: TableState
    silent: TableState
    answers: tuple[str, str]
    """Under the default, and under the other reading."""


LOS = {"kind": "los", "viewer": "a", "target": "t"}
COVER = {"kind": "cover", "attacker": "a", "target": "t"}
TRENCH = {"kind": "trench", "target": "t", "attacker": "a"}


def line(*others: dict[str, Any], mm: float = 30, **more: Any) -> TableState:
    """Red a at 100, 300 looks at blue t at 400, 300."""
    return table(mini("a", 100, 300, side="red", mm=mm), mini("t", 400, 300, 180, side="blue"), *others, **more)


def shadowed(*abilities: str) -> TableState:
    """A Stealth model stands before t, more than 5 in from a."""
    return table(
        mini("a", 100, 300, side="red", profile={"abilities": [*abilities]}),
        mini("s", 340, 300, side="blue", profile={"abilities": ["stealth"]}),
        mini("t", 400, 300, 180, side="blue"),
    )


def two(x: float, y: float, *, reach: float = 1) -> TableState:
    """a at 300, 300 looks along +x; t stands elsewhere."""
    return table(mini("a", 300, 300, side="red", reach=reach), mini("t", x, y, 180, side="blue", reach=0.5))


def hill(id_: str, left: float, right: float, height: float) -> dict[str, Any]:
    return box(id_, "hill", left, 200, right, 400, height_mm=height)


def wall(left: float, right: float, height: float) -> dict[str, Any]:
    return box("w", "obstruction", left, 100, right, 500, height_mm=height)


def fog(dx: float) -> list[dict[str, Any]]:
    return [{"id": "c", "kind": "fog", "centre_mm": [400 + dx, 300], "diameter_mm": 101.6}]


def rear_start(screen: bool) -> TableState:
    """Only a sliver of t is in front of a, and the screen stands before a's front half."""
    others = [mini("s", 556.26, 525.78, mm=50)] if screen else []
    return table(mini("a", 508, 508, 90, mm=50), mini("t", 622.3, 500.38), *others)


def toe() -> TableState:
    """a's toe is in a finger of the wood; from there a base hides t, and past it the line starts outside the wood."""
    outline = [[125, 200], [145, 200], [145, 400], [125, 400], [125, 330], [105, 330], [105, 308], [125, 308]]
    return line(mini("b", 200, 306), terrain=[{"id": "f", "kind": "forest", "polygon_mm": outline}])


def ledge(height: float) -> TableState:
    ledges = [hill("h", 200, 316, height)] if height else []
    a = mini("a", 300, 300, side="red", reach=1)
    return table(a, mini("t", 340, 300, 180, side="blue", reach=0.5), terrain=ledges)


def looked_down(*hills: dict[str, Any], blocker: float = 250) -> TableState:
    return line(mini("b", blocker, 300, mm=50), terrain=list(hills))


def near(x: float) -> TableState:
    """Down a hill along a metre: a base of 50 mm beside the middle line, in front of a target at 1000."""
    high = box("h", "hill", 50, 200, 150, 400, height_mm=50.8)
    return table(mini("a", 100, 300), mini("t", 1000, 300), mini("b", x, 309, mm=50), terrain=[high])


def slanting() -> TableState:
    """A wall that comes within 10.5 mm of the base beside the lines, and meets the lines far from it."""
    outline = [[200, 310], [395, 325], [393, 330], [198, 315]]
    return line(terrain=[{"id": "w", "kind": "wall", "polygon_mm": outline, "height_mm": 25}])


def fought(corner: float) -> TableState:
    other = box("w", "obstruction", 320, corner, 330, 500, height_mm=60)
    return table(mini("a", 300, 300), mini("t", 350, 300, 180), terrain=[other])


def hulk() -> TableState:
    """A huge base 23 mm off behind the arc line; what of it is in front begins at 300, 356.8, which is 36.8 off."""
    return table(mini("a", 300, 300, mm=40), mini("t", 250, 390, mm=120))


def trenched(x: float, *, a: float = 100) -> TableState:
    ditches = [box("d", "trench", 360, 240, 487, 360), box("e", "trench", 233, 240, 360, 360)]
    return table(mini("a", a, 300, side="red"), mini("t", x, 300, side="blue"), terrain=ditches)


GUN = {"profile": {"ranged": [{"name": "Gun", "rng_in": 10}]}}
SHOT = {"kind": "range", "attacker": "a", "target": "t", "weapon": "Gun"}
THREE = (hill("h", 50, 150, 76.2), hill("i", 200, 300, 50.8), hill("j", 350, 450, 25.4))
WOODS = [box("f", "forest", 0, 200, 165, 400), box("g", "forest", 335, 200, 600, 400)]
LOW_WOOD, HIGH_WOOD = (box("f", "forest", 240, 100, 260, 500, height_mm=height) for height in (40, 60))
LOW_FIRE, HIGH_FIRE = (box("f", "burning-earth", 240, 100, 260, 500, height_mm=height) for height in (40, 60))

SWITCHES = (
    Switch("arc-line-touch", "back", {"kind": "in-back-arc", "viewer": "a", "target": "t"},
           two(285, 360), two(280, 360), ("no", "yes")),
    Switch("los-start", "front-half", LOS, rear_start(True), rear_start(False), ("yes", "no")),
    Switch("los-touch", "clear", LOS, line(mini("b", 250, 300)), line(mini("b", 250, 310)), ("no", "yes")),
    Switch("eyeless-stealth", "intervenes", LOS, shadowed("eyeless-sight"), shadowed(), ("yes", "no")),
    Switch("los-wall", "height-table", LOS, line(mm=50, terrain=[wall(240, 260, 50)]),
           line(mm=50, terrain=[wall(240, 260, 40)]), ("yes", "no")),
    Switch("forest-sum", "whole-line", LOS, line(terrain=WOODS), line(terrain=WOODS[:1]), ("yes", "no")),
    Switch("forest-ends", "miniature", LOS, toe(), line(terrain=WOODS[1:]), ("no", "yes")),
    Switch("forest-height", "declared", LOS, line(terrain=[LOW_WOOD]), line(terrain=[HIGH_WOOD]), ("no", "yes")),
    Switch("cloud-height", "declared", LOS, line(terrain=[LOW_FIRE]), line(terrain=[HIGH_FIRE]), ("no", "yes")),
    Switch("equal-height", "ignored", LOS, looked_down(hill("h", 50, 150, 50.8), hill("i", 350, 450, 50.8)),
           looked_down(), ("no", "yes")),
    Switch("lower-than-whom", "target", LOS, looked_down(*THREE), looked_down(THREE[0]), ("yes", "no")),
    Switch("near-target", "along-line", LOS, near(1000 - 64.7), near(800), ("no", "yes")),
    Switch("range-elevation", "space", SHOT, table(mini("a", 100, 300, **GUN), mini("t", 383, 300, elevation_mm=50.8)),
           table(mini("a", 100, 300, **GUN), mini("t", 383, 300)), ("yes", "no")),
    Switch("engage-elevation", "attacks", {"kind": "engaged", "attacker": "a", "target": "t"},
           ledge(76.2), ledge(0), ("no", "yes")),
    Switch("melee-shape", "ring-and-arc", {"kind": "melee-range", "attacker": "a", "target": "t", "reach_in": 1},
           hulk(), two(340, 300), ("no", "yes")),
    Switch("obscured", "hidden-part", {"kind": "melee-terrain-bonus", "attacker": "a", "target": "t"},
           fought(312), fought(320), ("yes", "no")),
    Switch("cover-distance", "nearest", COVER, slanting(),
           line(terrain=[box("w", "wall", 370, 200, 375, 400, height_mm=25)]), ("no", "yes")),
    Switch("cover-from-behind", "bonus", COVER, line(terrain=[box("f", "forest", 50, 200, 375, 400)]),
           line(terrain=[box("f", "forest", 450, 200, 600, 400)]), ("no", "yes")),
    Switch("cloud-inside", "any-part", COVER, line(effects=fog(40)), line(effects=fog(30)), ("no", "yes")),
    Switch("trench-joined", "one-must-hold-it", TRENCH, trenched(360), trenched(420), ("yes", "no")),
    Switch("area-touch", "not-covered", TRENCH, trenched(420, a=345), trenched(420, a=340), ("no", "yes")),
)  # fmt: skip
KEYS = [switch.key for switch in SWITCHES]
ELSEWHERE = {
    "move-measure", "move-slope", "toward-from", "charge-no-sight", "graze", "trample-touched",
    "throw-measure", "throw-axis", "edge-stop",
    "fall-trigger", "displaced", "deviation-sense", "deviation-cap", "deviation-far-point", "template-outline",
    "spray-axis", "one-inch-tall", "deploy-advance", "deploy-corner", "flag-distance",
    "odd-base-size", "shield-wall-needs",
}  # fmt: skip # doubts of moving, templates, set-up and units


def verdict(switch: Switch, state: TableState) -> Verdict:
    return ask(state, parse_query(switch.query))


@pytest.mark.parametrize("switch", SWITCHES, ids=KEYS)
def test_the_other_reading_answers_otherwise(switch: Switch) -> None:
    chosen = switch.matters.with_house_rules(**{switch.key.replace("-", "_"): switch.reading})

    assert (verdict(switch, switch.matters).answer, verdict(switch, chosen).answer) == switch.answers


@pytest.mark.parametrize("switch", SWITCHES, ids=KEYS)
def test_where_it_matters_it_is_shown_with_the_readings_that_answer_otherwise(switch: Switch) -> None:
    told = verdict(switch, switch.matters)
    flips = {(flip.house_rule, flip.reading): flip.answer for flip in told.flips_under}

    assert told.house_rules[switch.key] == HOUSE_RULES[switch.key].defaults["warmachine-prime"]
    assert flips[switch.key, switch.reading] == switch.answers[1]


@pytest.mark.parametrize("switch", SWITCHES, ids=KEYS)
def test_a_chosen_reading_is_named_and_the_default_stands_among_the_flips(switch: Switch) -> None:
    chosen = switch.matters.with_house_rules(**{switch.key.replace("-", "_"): switch.reading})
    told = verdict(switch, chosen)
    default = HOUSE_RULES[switch.key].defaults["warmachine-prime"]

    assert told.house_rules[switch.key] == switch.reading
    assert (switch.key, default) in {(flip.house_rule, flip.reading) for flip in told.flips_under}


@pytest.mark.parametrize("switch", SWITCHES, ids=KEYS)
def test_where_it_makes_no_difference_it_is_not_shown(switch: Switch) -> None:
    told = verdict(switch, switch.silent)
    chosen = switch.silent.with_house_rules(**{switch.key.replace("-", "_"): switch.reading})

    assert switch.key not in told.house_rules
    assert switch.key not in {flip.house_rule for flip in told.flips_under}
    assert verdict(switch, chosen).answer == told.answer


def test_every_doubt_of_these_questions_has_its_switch() -> None:
    prime = {key for key, rule in HOUSE_RULES.items() if "warmachine-prime" in rule.defaults}

    assert set(KEYS) == prime - ELSEWHERE
