"""Doubt through the switches of machines, magic and ground: a hair beside each the verdict says what would flip it."""

from typing import Any

import pytest

from benchmarks.rules.redrawn_states import redraw_states
from models.parsing import parse_query
from models.state import TableState
from models.verdict import Answer
from referee import ask
from tests.referee.editions.warhammer_9.tables import block, lone, table
from tests.referee.tables import asked, box

SIGMA = {"at_mm": 0.3}
INCH = 25.4


def one(x: float, y: float, **more: Any) -> dict[str, Any]:
    """A monster of 50 by 50 known to 0.3 mm."""
    return lone("m", "blue", (x, y), 270, type="monster", sigma=SIGMA, **more)


def shooter(y: float) -> dict[str, Any]:
    return block("A", "red", (600, y), 90, 5, 5)


def rivers(y: float) -> TableState:
    fight = [block("A", "red", (600, 300), 90, 5, 11, sigma=SIGMA), block("E", "blue", (600, 300), 270, 5, 10)]
    return table(fight, terrain=[box("r", "river", 0, 0, 1800, y)])


CASES = [
    ("the hole lies over", table([], [one(600, 500)]), {"kind": "template-hits", "at": [600, 474.9], "diameter_in": 3}),
    ("stands in the river", rivers(240.1), {"kind": "combat-bonuses", "a": ["A"], "b": ["E"]}),
    ("is nearer than 4 in to", table([shooter(300)], [one(600, 300 + 4 * INCH + 24.9)]),
     {"kind": "attack-modifiers", "attacker": "A", "target": "m", "attack": "ranged", "weapon": "bow"}),
    ("is stopped by", table([], [one(600, 500), lone("c", "red", (600, 200), 90)],
                            terrain=[box("w", "impassable", 500, 525 + 2 * INCH - 0.1, 700, 700)]),
     {"kind": "push", "attacker": "c", "target": "m", "distance_in": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "state", "query"), CASES, ids=[one[0] for one in CASES])
def test_a_hair_beside_a_switch_is_said_to_flip_it(clause: str, state: TableState, query: dict[str, Any]) -> None:
    fields = dict(query)
    verdict = asked(state, fields.pop("kind"), **fields)

    assert clause in " ".join(flip.whether for flip in verdict.flips_if)


def wizard(*others: dict[str, Any]) -> TableState:
    return table([], [lone("w", "red", (600, 275), 90, type="monster"), *others])


def test_whom_a_vortex_crosses_by_a_hair_is_a_doubtful_member() -> None:
    """It goes along +y from 600, 38.1 wide to either side; the monster's edge lies 0.1 within."""
    beside = lone("m", "blue", (600 + 38.0 + 25.0, 500), 270, type="monster", sigma=SIGMA)

    verdict = asked(wizard(beside), "vortex", caster="w", diameter_in=3, distance_in=8)

    assert next(one.answer for one in verdict.members if one.id == "m") == "too-close"


def test_a_vortex_laid_a_hair_beside_a_friend_is_too_close() -> None:
    """Its rim ends at 376.2 above the caster; the friend's edge lies 0.1 off."""
    friend = lone("m", "red", (600, 376.3 + 25.0), 270, type="monster", sigma=SIGMA)

    assert asked(wizard(friend), "vortex", caster="w", diameter_in=3).answer == "too-close"


def half_hidden(by_mm: float, **height: Any) -> TableState:
    """A monster of which a screen of 100 by 20 hides so much more than half from somebody straight before it."""
    screen = lone("b", "blue", (550 + by_mm * 22 / 10, 420), 90, sigma=SIGMA, **height)
    screen["base"] = {"shape": "rect", "width_mm": 100, "depth_mm": 20}
    return table([], [lone("s", "red", (600, 300), 90, sigma=SIGMA, type="monster"), screen, one(600, 525)])


def on_the_brow(by_mm: float) -> TableState:
    """Somebody whose centre is so far in on a hill of 60, and who from below would see nothing over a screen."""
    hill = box("h", "hill", 500, 200, 700, 310) | {"height_mm": 60}
    looking = lone("s", "red", (600, 310 - by_mm), 90, body_mm=20, sigma=SIGMA)
    screen = lone("b", "blue", (600, 420), 90, body_mm=28, base={"shape": "rect", "width_mm": 100, "depth_mm": 20})
    return table([], [looking, screen, one(600, 525, body_mm=28)], terrain=[hill])


def far_from(commander_gap_mm: float, *, below: bool = False) -> TableState:
    """Five bases all equally far from their general, above or below them, each with an error of its own."""
    rank = block("A", "red", (600, 450), 90, 5, 5, sigma=SIGMA)
    at = (600, 430 - commander_gap_mm - 100) if below else (600, 450 + commander_gap_mm + 100)
    general = lone("g", "red", at, 90 if below else 270, role=["general"])
    general["base"] = {"shape": "rect", "width_mm": 200, "depth_mm": 200}
    return table([rank], [general])


PRESENCE = {"kind": "command-range", "commander": "g", "who": "A", "purpose": "leadership"}
COVER = {"kind": "cover", "attacker": "s", "target": "m"}
DOUBTED = [
    (half_hidden(-0.3), COVER),
    (half_hidden(0.3), COVER),
    (on_the_brow(0.2), {"kind": "los", "viewer": "s", "target": "m"}),
    (on_the_brow(-0.2), {"kind": "los", "viewer": "s", "target": "m"}),
    (far_from(12 * INCH + 0.2), PRESENCE),
    (far_from(12 * INCH + 0.2, below=True), PRESENCE),
    (far_from(12 * INCH + 0.2), {"kind": "spell-target", "caster": "g", "target": "A", "range_in": 12}),
]
NAMES = ["less than half hidden", "more than half hidden", "on the hill", "before it", "above", "below", "spell"]


@pytest.mark.parametrize(("state", "query"), DOUBTED, ids=NAMES)
def test_beside_a_switch_it_is_as_probable_as_redrawn_tables_say(state: TableState, query: dict[str, Any]) -> None:
    parsed = parse_query(query)

    redrawn = [ask(drawn, parsed).answer is Answer.YES for drawn in redraw_states(state, 200, seed=5)]

    verdict = ask(state, parsed)
    assert verdict.answer is Answer.TOO_CLOSE
    assert verdict.probability == pytest.approx(sum(redrawn) / len(redrawn), abs=0.1)


def test_who_shoots_at_one_half_hidden_is_told_that_its_cover_is_in_doubt() -> None:
    verdict = asked(half_hidden(0.3), "cover", attacker="s", target="m")

    assert verdict.flips_if[0].whether == "whether m is in hard cover from s"


def test_a_reform_a_hair_from_an_inch_is_told_of_the_whole_unit() -> None:
    """Turned about its centre a block of two ranks of five stands where it stood; the cliff lies an inch beyond."""
    unit = block("A", "red", (600, 300), 90, 5, 10, sigma=SIGMA) | {"musician": True}
    cliff = box("c", "impassable", 500, 300 + INCH - 0.1, 700, 400)

    verdict = asked(table([unit], terrain=[cliff]), "reform", unit="A", facing_deg=270, manner="swift")

    assert verdict.flips_if[0].whether == "whether A stays an inch from c"


def test_a_reform_doubts_the_whole_of_both_units_where_it_comes_near_another() -> None:
    unit = block("A", "red", (600, 300), 90, 5, 10, sigma=SIGMA) | {"musician": True}
    foe = block("E", "blue", (600, 300 + INCH + 0.5), 270, 5, 10, sigma=SIGMA)
    state = table([unit, foe])
    query = parse_query({"kind": "reform", "unit": "A", "facing_deg": 270, "manner": "swift"})

    verdict = ask(state, query)

    true = [ask(drawn, query).answer == Answer.YES for drawn in redraw_states(state, 100, seed=1)]
    assert verdict.probability == pytest.approx(sum(true) / len(true), abs=0.15)
    assert [flip.whether for flip in verdict.flips_if] == ["whether A stays an inch from E"]


def test_a_front_that_may_touch_by_either_of_its_ends_is_in_doubt() -> None:
    """Turned either way one end comes nearer, so that no slope of the gap leads to where it has closed."""
    units = [
        block("A", "red", (600, 300), 90, 5, 20, sigma=SIGMA | {"facing_deg": 0.3}),
        block("E", "blue", (600, 301.2), 270, 5, 10, sigma=SIGMA | {"facing_deg": 0.3}),
    ]
    state, query = table(units), parse_query({"kind": "steadfast", "unit": "A"})

    verdict = ask(state, query)

    true = [ask(drawn, query).answer == Answer.YES for drawn in redraw_states(state, 100, seed=1)]
    assert 0.05 < sum(true) / len(true) < 0.95
    assert verdict.answer is Answer.TOO_CLOSE
    assert verdict.probability == pytest.approx(sum(true) / len(true), abs=0.15)
    assert [flip.answer for flip in verdict.flips_if] == [Answer.YES]
