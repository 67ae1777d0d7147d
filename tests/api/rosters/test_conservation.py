"""Conservation: each line of a text is accounted for once, and no text is read wrongly without a word."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.errors import BadRoster
from api.rosters.conservation import is_name
from api.rosters.read import read_roster
from benchmarks.rosters.layout_accuracy import judge
from benchmarks.rosters.text_breaks import BREAKS
from benchmarks.rosters.written_texts import GRAMMARS, Text, make_army
from models.base import RoundBase

ASKED = ("no known program", "WarOrgan, tree")
"""Of the one nothing is known; the other ends in models whose number nothing tells."""
seeds = st.integers(min_value=0, max_value=10**6)


def write(name: str, seed: int) -> Text:
    dice = random.Random(seed)
    return GRAMMARS[name](make_army(dice), dice)


@pytest.mark.parametrize("name", sorted(GRAMMARS.keys() - set(ASKED)))
def test_a_whole_text_is_read_rightly(name: str) -> None:
    assert {judge(write(name, seed), "whole") for seed in range(3)} == {"right"}


@pytest.mark.parametrize("name", ASKED)
def test_a_text_that_does_not_tell_all_is_asked_about(name: str) -> None:
    assert "asked" in {judge(write(name, seed), "whole") for seed in range(6)} <= {"asked", "right"}


@given(st.sampled_from(sorted(GRAMMARS)), st.sampled_from(sorted(BREAKS)), seeds)
@settings(max_examples=60, deadline=None)
def test_a_broken_text_is_never_read_wrongly_without_a_word(name: str, label: str, seed: int) -> None:
    broken = BREAKS[label](write(name, seed), random.Random(seed + 1))

    assert judge(broken, label) != "wrong"


lines_of_text = st.text(st.sampled_from("aB 1259()[]:,.-•xé@\n\t"), max_size=30)


@given(st.sampled_from(sorted(GRAMMARS)), seeds, st.lists(lines_of_text, max_size=6))
@settings(max_examples=60, deadline=None)
def test_each_line_is_accounted_for_once_and_no_unit_is_beyond_belief(name: str, seed: int, extra: list[str]) -> None:
    text = str(write(name, seed)).split("\n")
    dice = random.Random(seed)
    for line in extra:
        text.insert(dice.randrange(len(text) + 1), line)
    whole = "\n".join(text)
    try:
        roster = read_roster(whole.encode())
    except BadRoster:
        return

    numbers = [line.number for line in roster.lines]
    assert numbers == [number for number, line in enumerate(whole.splitlines(), start=1) if line.strip()]
    for unit in roster.units:
        assert is_name(unit.name)
        for model in unit.models:
            assert model.count <= 200
            assert not isinstance(model.base, RoundBase) or model.base.diameter_mm >= 15


def test_a_list_that_is_pasted_twice_is_asked_about() -> None:
    text = str(write("Army Builder", 4))

    questions = read_roster(f"{text}\n{text}".encode()).questions

    assert questions[0].says.startswith("The text holds all of its lines twice")
