"""Texts of War Room 2 and Army Builder, written by small grammars that the readers do not share, whole and broken."""

import random

import pytest

from api.rosters.read import read_roster
from models.roster import RosterList

NAMES = (
    "Sluice Hand",
    "Ada, Piper of the Weir",
    "Über-Vogt",
    "Mill Wheel 2",
    "Coal-Wagon",
    "Otter Hound",
    "Reed & Rush",
)
Army = list[tuple[str, int, int]]
"""Name, how many, points."""


def make_army(seed: int) -> Army:
    dice = random.Random(seed)
    return [
        (dice.choice(NAMES), dice.choice((1, 1, 1, 3, 6, 10)), dice.randrange(2, 19))
        for _ in range(dice.randrange(2, 9))
    ]


def war_room(army: Army, *, is_new: bool, extra: int = 0) -> str:
    total = sum(points for _, _, points in army) + extra
    tail = "Army" if is_new else f"({total}+3)    Warlock(s) : 1/1    Solos : 2"
    text = [
        "War Room Army",
        "",
        "Weir Folk - Spring 4",
        "",
        *(["Theme: Low Water"] if is_new else []),
        f"{total} / 75 {tail}",
        "",
    ]
    text += ["Osk of the Locks - WJ: +28" if is_new else "Osk of the Locks - WB: +5"]
    for number, (name, count, points) in enumerate(army):
        who = f"Leader & {count - 1} Grunts:" if count > 1 else "PC:"
        text.append(f"{'-    ' if number % 3 == 0 else ''}{name} - {who} {points}")
    return "\n".join(
        [*text, "", "---", "", "GENERATED : 11/10/2026 20:19:18", *(["BUILD ID : 2099.20"] if is_new else [])]
    )


def army_builder(army: Army, *, extra: int = 0) -> str:
    text = ["2000 Pts - Weir Folk Roster", "", "   1 Osk of the Locks @ 110 Pts", "      General; Pole"]
    text += [
        line
        for name, count, points in army
        for line in (f"{count:>4} {name} @ {points}.0 Pts", "      Musician; Standard")
    ]
    return "\n".join(
        [*text, "", "Casting Pool: 4", f"Total Roster Cost: {110 + extra + sum(points for _, _, points in army)}.0"]
    )


TEXTS = {
    "War Room 2 of 2020": lambda army, **more: war_room(army, is_new=True, **more),
    "War Room 2 of 2014": lambda army, **more: war_room(army, is_new=False, **more),
    "Army Builder": army_builder,
}
BREAKS = {
    "capitals": str.upper, "small letters": str.lower, "narrow spaces": lambda text: text.replace(" ", "\u2009"),
    "other ends of lines": lambda text: text.replace("\n", "\r\n"),
    "space around": lambda text: "\n \n" + text + " \n\n",
}  # fmt: skip


def read(text: str) -> RosterList:
    return read_roster(text.encode())


def counts(roster: RosterList) -> list[tuple[str, int]]:
    return [(unit.name.lower(), unit.count) for unit in roster.units]


def expected(army: Army) -> list[tuple[str, int]]:
    return [("osk of the locks", 1), *((name.lower(), count) for name, count, _ in army)]


@pytest.mark.parametrize("program", TEXTS)
@pytest.mark.parametrize("seed", range(20))
def test_units_and_counts_are_right_and_nothing_is_asked(program: str, seed: int) -> None:
    army = make_army(seed)
    roster = read(TEXTS[program](army))

    assert (counts(roster), roster.questions) == (expected(army), ())
    assert all(model.base is None for unit in roster.units for model in unit.models)


@pytest.mark.parametrize("program", TEXTS)
@pytest.mark.parametrize("how", BREAKS)
def test_letter_case_and_spaces_change_nothing(program: str, how: str) -> None:
    army = make_army(7)

    assert counts(read(BREAKS[how](TEXTS[program](army)))) == expected(army)


@pytest.mark.parametrize("program", TEXTS)
def test_a_unit_that_is_missing_or_twice_there_is_asked_about(program: str) -> None:
    army = make_army(3)
    text = TEXTS[program](army)

    assert [question.asks for question in read(TEXTS[program](army, extra=7)).questions] == ["points"]
    assert [question.asks for question in read(f"{text}\n{text}").questions] != []


@pytest.mark.parametrize("program", TEXTS)
def test_lines_that_no_pattern_matches_are_shown_and_asked_about(program: str) -> None:
    roster = read(TEXTS[program](make_army(1)) + "\nand a dozen reeves\nby the old weir\nwho are late")

    assert {"and a dozen reeves", "by the old weir"} <= {remark.text for remark in roster.remarks}
    assert "lines" in [question.asks for question in roster.questions]


def test_a_composition_without_a_colon_is_asked_about() -> None:
    roster = read("War Room Army\nWeir Folk\n3 / 50 Army\nStone Herd - Keeper 3\n")

    assert (roster.units[0].models[0].count, roster.units[0].models[0].may_be_count) == (1, 3)
