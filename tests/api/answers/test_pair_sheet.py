"""Everything about a pair, in one call."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from api.answers.answer_line import Line
from api.answers.pair_sheet import Pair, Sheet, pair_sheet, pair_sheets
from models.state import TableState
from referee import ask
from tests.referee.tables import box, mini, table


def sheet(state: TableState, a: str = "a", b: str = "b", **told: Any) -> Sheet:
    return pair_sheet(state, Pair(a=a, b=b, **told), ask=ask)


def line(found: Sheet, slot: str) -> Line:
    return next(one for one in found.lines if one.slot == slot)


def slots(found: Sheet) -> set[str]:
    return {one.slot for one in found.lines}


def armed(id_: str, x: float, facing: float, side: str, **more: Any) -> dict[str, Any]:
    return mini(id_, x, 300, facing, side=side, reach=1, gun=10, **more)


def test_what_only_the_viewers_back_hides_is_not_called_blocked() -> None:
    state = table(mini("a", 300, 300, 180), mini("b", 600, 310, 10, mm=40))

    assert line(sheet(state), "sight").headline == "Not in front"
    assert line(sheet(state), "sight-ba").headline == "Not in front"


def test_what_stands_between_is_called_blocked() -> None:
    state = table(mini("a", 300, 300), mini("x", 400, 302, None, mm=50), mini("b", 500, 301, None, mm=40))

    assert line(sheet(state), "sight").headline == "Blocked"


def test_what_two_may_do_to_each_other_is_asked_both_ways() -> None:
    found = sheet(table(armed("a", 300, 0, "red"), armed("b", 400, 180, "blue")))

    both = {slot for slot in slots(found) if f"{slot}-ba" in slots(found)}
    assert both >= {"sight", "engaged", "melee", "back"}
    asked = {one.slot: one.verdict.query for one in found.lines if one.verdict is not None}
    assert (asked["melee-ba"]["attacker"], asked["melee-ba"]["target"]) == ("b", "a")


def test_each_gun_on_a_card_has_a_line_of_its_own() -> None:
    guns = {"ranged": [{"name": "Rifle", "rng_in": 10}, {"name": "Pistol", "rng_in": 6}]}
    state = table(mini("a", 300, 300, side="red", profile=guns), mini("b", 530, 300, 180, side="blue"))

    found = sheet(state)

    assert [line(found, slot).headline for slot in ("gun-0", "gun-1")] == ["In range", "Out of range"]
    assert line(found, "gun-1").title == "A shoots B: Pistol"
    assert "range" not in slots(found)


def test_without_a_card_the_told_range_is_asked_about() -> None:
    state = table(mini("a", 300, 300), mini("b", 530, 300, 180))

    assert line(sheet(state), "range").headline == "In range"
    assert line(sheet(state, range_in=6), "range").headline == "Out of range"


def test_what_changes_nothing_is_not_shown() -> None:
    found = sheet(table(armed("a", 300, 0, "red"), armed("b", 500, 180, "blue")))

    assert slots(found).isdisjoint({"cover", "trench", "stealth", "into-melee", "height", "wall", "shot", "may-shoot"})


@pytest.mark.parametrize(
    ("slot", "more", "ground"),
    [
        ("cover", {}, [box("w", "wall", 455, 200, 465, 400, height_mm=20)]),
        ("trench", {}, [box("w", "trench", 450, 250, 550, 350)]),
        ("height", {}, [box("w", "hill", 450, 200, 600, 400, height_mm=25.4)]),
        ("stealth", {"abilities": ["stealth"]}, []),
    ],
)
def test_what_shelters_the_target_is_shown(slot: str, more: dict[str, Any], ground: list[dict[str, Any]]) -> None:
    found = sheet(table(armed("a", 300, 0, "red"), armed("b", 500, 180, "blue", **more), terrain=ground))

    assert slot in slots(found)


def test_modifiers_are_summed_and_named() -> None:
    wall = box("w", "wall", 455, 200, 465, 400, height_mm=20)
    found = sheet(table(armed("a", 300, 0, "red"), armed("b", 500, 180, "blue"), terrain=[wall]))

    assert line(found, "shot").headline == "\u22124 to hit"
    assert "cover" in str(line(found, "shot").note)


def test_one_in_melee_is_told_that_it_may_not_shoot() -> None:
    foe = armed("x", 270, 0, "blue")
    found = sheet(table(armed("a", 300, 0, "red"), armed("b", 500, 180, "blue"), foe))

    assert line(found, "may-shoot").headline == "No"
    assert line(found, "may-shoot").note == "it may not shoot now"


def test_only_what_the_rules_forbid_is_told_as_forbidden() -> None:
    foe = armed("x", 270, 0, "blue")
    found = sheet(table(armed("a", 300, 0, "red"), armed("b", 500, 180, "blue"), foe))

    assert [one.slot for one in found.lines if one.permits and one.headline == "No"] == ["may-shoot"]
    assert not line(found, "may-shoot").is_plain


def test_what_is_met_or_missed_by_far_is_plain_and_what_is_near_is_not() -> None:
    far, near = (sheet(table(armed("a", 300, 0, "red"), armed("b", x, 180, "blue"))) for x in (700, 560))

    assert line(far, "melee").is_plain
    assert line(far, "contact").is_plain
    assert not line(near, "gun-0").is_plain
    assert not any(one.is_plain for one in far.lines if one.verdict is None or one.verdict.answer is None)


def test_the_phase_comes_first_and_then_who_acts() -> None:
    state = table(armed("a", 300, 0, "red"), armed("b", 400, 180, "blue"))
    turn = {"active": "blue", "phase": "combat"}

    found = sheet(TableState.model_validate(state.model_dump() | {"turn": turn}))

    order = [(one.topic == "melee", one.is_of_b) for one in found.lines]
    assert [one.slot for one in found.lines[:2]] == ["sight", "distance"]
    assert order[2:] == sorted(order[2:], reverse=True)


def test_without_a_turn_the_one_that_was_tapped_first_acts() -> None:
    found = sheet(table(armed("a", 300, 0, "red"), armed("b", 400, 180, "blue")))

    of_b = [one.is_of_b for one in found.lines]
    assert of_b == sorted(of_b)
    assert any(of_b)


def test_friends_are_not_asked_about_fighting_but_about_command() -> None:
    caster = {"profile": {"control_stat": 6}, "side": "red"}
    found = sheet(table(mini("a", 300, 300, **caster), mini("b", 400, 300, side="red", reach=1)))

    assert slots(found).isdisjoint({"engaged", "engaged-ba"})
    assert line(found, "control").headline == "Inside"


def test_swapping_the_two_swaps_the_answers() -> None:
    state = table(armed("a", 300, 40, "red"), armed("b", 420, 100, "blue", mm=40))
    one, other = sheet(state), sheet(state, "b", "a")

    assert line(one, "melee-ba").verdict == line(other, "melee").verdict
    assert line(one, "sight").verdict == line(other, "sight-ba").verdict


def test_parts_of_a_sheet_grow_until_the_last_is_whole() -> None:
    state = table(armed("a", 300, 0, "red"), armed("b", 400, 180, "blue"))

    parts = list(pair_sheets(state, Pair(a="a", b="b"), ask=ask))

    assert [part.is_whole for part in parts] == [False] * (len(parts) - 1) + [True]
    assert all(slots(before) <= slots(after) for before, after in pairwise(parts))
    assert parts[-1] == sheet(state)


def test_every_line_of_a_whole_sheet_has_its_words() -> None:
    skirmish = Path(__file__).parents[1] / "states" / "skirmish.json"
    state = TableState.model_validate(json.loads(skirmish.read_text()))

    assert [one.slot for one in sheet(state, "m7", "m10").lines if not one.headline] == []


def test_a_charge_is_searched_for_when_all_else_can_be_read() -> None:
    state = table(armed("a", 300, 0, "red"), armed("b", 500, 180, "blue"))

    parts = list(pair_sheets(state, Pair(a="a", b="b"), ask=ask))

    first = next(part for part in parts if part.is_readable)
    assert {line.slot for line in first.lines if line.verdict is None} == {"charge", "charge-ba"}
    assert parts[-1].is_whole


@pytest.mark.parametrize(("x", "is_shown"), [(370, True), (700, False)])
def test_what_changes_a_blow_is_told_only_of_those_whom_it_nearly_reaches(x: float, is_shown: bool) -> None:
    wall = box("w", "wall", x - 25, 200, x - 20, 400, height_mm=20)
    found = sheet(table(armed("a", 300, 0, "red"), armed("b", x, 180, "blue"), terrain=[wall]))

    assert ({"wall", "blow"} <= slots(found)) == is_shown


def test_a_table_without_a_book_has_the_lines_that_need_none() -> None:
    found = sheet(table(armed("a", 300, 0, "red"), armed("b", 400, 180, "blue"), edition="open"))

    assert {"sight", "distance", "engaged", "engaged-ba", "front-ab", "contact", "within"} <= slots(found)
    assert not {"charge", "melee", "blow", "may-shoot"} & slots(found)


def test_without_a_book_a_setting_and_no_weapon_tells_how_near_engages() -> None:
    near = sheet(table(armed("a", 300, 0, "red"), armed("b", 400, 180, "blue"), edition="open"), reach_in=6)
    far = table(armed("a", 300, 0, "red"), armed("b", 400, 180, "blue"), edition="open")

    assert line(near, "engaged").headline == "Not engaged"
    assert line(near, "engaged").turns_on is None
    assert line(sheet(far.with_house_rules(open_engage_in="3")), "engaged").headline == "Engaged"
