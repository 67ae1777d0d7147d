"""Line mends: what a player says of a line holds, and no other line is read otherwise for it."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.errors import BadRoster
from api.rosters.line_mends import LineMend, propose_unit, read_mended
from api.rosters.read import read_roster
from benchmarks.rosters.written_texts import GRAMMARS, make_army

UNKNOWN = "no known program"
seeds = st.integers(min_value=0, max_value=10**6)


@given(st.sampled_from(sorted(GRAMMARS.keys() - {UNKNOWN})), seeds)
@settings(max_examples=30, deadline=None)
def test_a_strange_line_that_is_left_out_changes_no_unit(name: str, seed: int) -> None:
    dice = random.Random(seed)
    text = str(GRAMMARS[name](make_army(dice), dice))
    read = read_roster(text.encode())
    lines = [*text.splitlines(), "~ ~ ?"]

    mended = read_mended("\n".join(lines), [LineMend(line=len(lines))])

    assert mended.units == read.units
    assert "unread" not in {line.kind for line in mended.lines} or any(line.kind == "unread" for line in read.lines)


def test_a_mended_line_is_the_unit_that_the_player_says() -> None:
    text = "10 Reeve, red, 30\n8: Slinger, red\n"

    mended = read_mended(text, [LineMend(line=2, name="Slinger", count=8)])

    assert [(unit.name, unit.count) for unit in mended.units] == [("Reeve", 10), ("Slinger", 8)]
    assert [line.kind for line in mended.lines] == ["unit", "unit"]
    assert mended.questions == ()


@pytest.mark.parametrize(
    ("line", "proposed"),
    [
        ("10: Trenchers", ("Trenchers", 10)),
        ("Trencher Infantry (10) ...... 16", ("Trencher Infantry", 10)),
        ("• Long Gunners x 8 [120pts]", ("Long Gunners", 8)),
        ("Dame Marl", ("Dame Marl", 1)),
        ("400 Trenchers", ("Trenchers", 1)),
        ("~~~", ("", 1)),
    ],
)
def test_a_line_proposes_its_words_and_the_number_beside_them(line: str, proposed: tuple[str, int]) -> None:
    assert propose_unit(line) == proposed


@pytest.mark.parametrize("name", ["Points", "120 pts", "###"])
def test_no_unit_is_called_like_a_price_or_a_frame(name: str) -> None:
    with pytest.raises(BadRoster, match="No unit is called"):
        read_mended("10: Trenchers", [LineMend(line=1, name=name)])
