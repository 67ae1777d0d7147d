"""Pasted texts by small grammars that the reader does not share: points in any language, counts before and behind."""

import random
from collections.abc import Callable

import pytest

from api.lists.army import add_list
from api.rosters.read import read_roster
from api.setups.schemas import Roster
from models.roster import RosterList

POINTS = ("points", "Points", "POINTS", "pts", "PTS", "Punkte", "puntos", "punti", "pkt", "PC")
NAMES = ("Sluice Hand", "Bill Reeve", "Otter Hound", "Über Vogt", "Lockkeeper's Man")
Army = list[tuple[str, int, int]]
"""Name, how many, points."""


def make_army(seed: int) -> Army:
    dice = random.Random(seed)
    names = (dice.choice(NAMES) for _ in range(dice.randrange(2, 8)))
    return [(name, dice.choice((3, 5, 10, 20)), 10 * dice.randrange(2, 40)) for name in names]


def app_text(army: Army, points: str) -> str:
    text = [f"Low water (1 995 {points})", "", "Weir Folk", f"Strike Force (2,000 {points})", "", "CHARACTERS", ""]
    text += [f"Osk (80 {points})", "  • Warlord", "  • 1x Long pole", "", "BATTLELINE"]
    for name, count, cost in army:
        text += ["", f"{name}s ({cost} {points})", f"  • 1x {name} Sergeant", "     ◦ 1x Pole"]
        text += [f"  • {count - 1}x {name}", f"     ◦ {count - 1}x Bill"]
    return "\n".join([*text, "", "Exported with App Version: v1.48.0 (1), Data Version: v750"])


def old_world_text(army: Army, *, missing: int = 0) -> str:
    text = ["++ Low water (Warhammer: The Old World) [2,000pts] ++", "", "+ Core +"]
    text += [line for name, count, cost in army for line in ("", f"{name}s [{count}] [{cost:,}pts]", ". Full Command")]
    total = sum(cost for _, _, cost in army) + missing
    return "\n".join(
        [*text, "", f"++ Total: [{total:,}pts] ++", "", "Created with New Recruit", "https://www.newrecruit.eu"]
    )


def dotted_text(army: Army) -> str:
    text = ["++ Low water (Copper Wars) [2,000pts] ++", "", "+ Core +"]
    for number, (name, count, cost) in enumerate(army):
        if number % 2:
            text += ["", f"{name}s [{cost}pts]: {count}x {name}, Bill (4+)", ". Runic Pole: Pole of Order"]
        else:
            text += ["", f"{name}s [{cost}pts]", f". {count - 1}x {name}: {count - 1}x Bill", f". {name} First: Pole"]
    return "\n".join(
        [*text, "", f"++ Total: [{sum(cost for _, _, cost in army)}pts] ++", "", "Created with BattleScribe"]
    )


def read(text: str) -> RosterList:
    return read_roster(text.encode())


def counts(roster: RosterList) -> list[tuple[str, int]]:
    return [(unit.name, unit.count) for unit in roster.units]


@pytest.mark.parametrize("points", POINTS)
@pytest.mark.parametrize("seed", range(4))
def test_points_in_any_language_and_letter_case_are_points(points: str, seed: int) -> None:
    army = make_army(seed)

    assert counts(read(app_text(army, points))) == [("Osk", 1), *((f"{name}s", count) for name, count, _ in army)]


@pytest.mark.parametrize("write", [old_world_text, dotted_text])
@pytest.mark.parametrize("seed", range(12))
def test_counts_behind_the_name_behind_the_colon_and_behind_dots(write: Callable[[Army], str], seed: int) -> None:
    army = make_army(seed)
    roster = read(write(army))

    assert (counts(roster), roster.questions) == ([(f"{name}s", count) for name, count, _ in army], ())


def test_points_that_do_not_add_up_are_asked_about() -> None:
    (question,) = read(old_world_text(make_army(2), missing=35)).questions

    assert question.asks == "points"


def test_a_number_behind_the_colon_that_may_be_weapons_is_asked_about() -> None:
    roster = read("+ Heroes +\nOsk [80pts]: 2x Pistol, Pole\nLamp Guard [90pts]: Champion, 28x Lamp Guard\n")

    assert [(q.where, q.asks) for q in roster.questions] == [("Osk", "count"), ("Lamp Guard", "count")]
    assert [unit.models[0].may_be_count for unit in roster.units] == [2, 29]


def test_the_app_that_tells_no_counts_is_asked_for_them() -> None:
    regiment = "Regiment 1\nOsk of the Locks (100)\nReeves (90)\nReeves (2 models) (70)\n"
    footer = "-----\nCreated with Warhammer Age of Sigmar: The App\n"
    roster = read(f"Low\u202fwater 👨\u200d👩 260/1000 pts\n-----\n{regiment}{footer}")
    laid = add_list(Roster(expected=()), roster, "red", ())

    assert [(unit.name, unit.count) for unit in roster.units][::2] == [("Osk of the Locks", 1), ("Reeves", 2)]
    assert [question.where for question in roster.questions] == ["Reeves"]
    assert [question.asks for question in laid.lists[0].questions] == ["count"]


def test_more_than_any_unit_has_is_no_unit() -> None:
    roster = read("+ Core +\nReeves [5] [40pts]\n2000 Weir Folk [90pts]\nHerons [300] [90pts]\n")

    assert counts(roster) == [("Reeves", 5)]
    assert {"2000 Weir Folk [90pts]", "Herons [300] [90pts]"} <= {remark.text for remark in roster.remarks}
    assert [question.asks for question in roster.questions] == ["lines"]
