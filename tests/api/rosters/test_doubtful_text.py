"""Text that nobody should believe: control characters, half letters, prices that look like counts and sizes."""

import json

import pytest

from api.cards.card_file import SHIPPED, load_files
from api.errors import BadRoster
from api.lists.army import add_list
from api.rosters.read import read_roster
from api.setups.schemas import Roster


def units(text: str) -> list[tuple[str, int]]:
    return [(unit.name, unit.count) for unit in read_roster(text.encode()).units]


@pytest.mark.parametrize(
    "sign", ["👨\u200d👩", "\u202f", "\u2006", "\u00a0", "\u3000", "\u00ad", "\u200e", "\u2066", "e\u0301", "\ue000"]
)
def test_what_prints_passes(sign: str) -> None:
    ((name, count),) = units(f"3 Reeve{sign}Bill, red, 30\n")

    assert count == 3
    assert name.startswith("Reeve")
    assert name.endswith("Bill")


def test_every_space_is_a_space() -> None:
    assert units("3\u202fReeve\u2003Bill, red, 30\n") == [("Reeve Bill", 3)]


@pytest.mark.parametrize("sign", ["\x00", "\x07", "\x1b", "\x7f", "\x9b"])
def test_a_control_character_is_named(sign: str) -> None:
    with pytest.raises(BadRoster, match=rf"line 2 holds the control character U\+{ord(sign):04X}"):
        read_roster(f"3 Reeve, red, 30\n1 Marl{sign}".encode())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_half_a_letter_is_named(encoding: str) -> None:
    with pytest.raises(BadRoster, match="Half a letter"):
        read_roster("3 Reeve\ud83d, red, 30".encode(encoding, "surrogatepass"))


def test_half_a_letter_in_an_escape_is_named() -> None:
    army = {"name": "\ud83d", "game": "the-old-world", "core": [{"id": "reeves", "name_en": "Reeves", "strength": 4}]}

    with pytest.raises(BadRoster, match=r"U\+D83D"):
        read_roster(json.dumps(army).encode())
    assert read_roster(json.dumps(army | {"name": "👨\u200d👩 é"}).encode()).miniatures == 4


@pytest.mark.parametrize("size", ["4", "14", "10x20", "14.9 mm"])
def test_a_base_under_fifteen_millimetres_is_not_believed(size: str) -> None:
    roster = read_roster(f"3 Reeve, red, {size}".encode())

    assert roster.units[0].models[0].base is None
    assert "no base is" in roster.remarks[0].why


@pytest.mark.parametrize("price", ["PC: 4", "40 PTS", "40 Punkte", "000 Points)", "40 puntos", "30 pkt"])
def test_a_price_is_no_size_of_a_base(price: str) -> None:
    roster = read_roster(f"3 Reeve, red, {price}".encode())

    assert roster.units[0].models[0].base is None
    assert roster.remarks[0].why == "points, or no size of a base"


@pytest.mark.parametrize(
    "line", ["Points", "40 Points", "Total: 40 pts", "201 Reeve", "2000 Pts - Autumn", "BUILD ID : 7", "---"]
)
def test_what_is_no_unit_is_a_remark(line: str) -> None:
    roster = read_roster(f"{line}\n3 Reeve, red, 30\n".encode())

    assert [(unit.name, unit.count) for unit in roster.units] == [("Reeve", 3)]
    assert [remark.text for remark in roster.remarks] == [line]


def test_a_text_of_no_known_layout_lays_nothing() -> None:
    roster = read_roster(b"Autumn march\nReeves - a dozen\nOld Marl\n")

    (question,) = roster.questions
    assert (question.where, question.asks) == ("list", "lines")
    assert "Reeves - a dozen" in question.says
    with pytest.raises(BadRoster, match="Nothing is laid out"):
        add_list(Roster(expected=()), roster, "red", load_files([SHIPPED]).cards())


@pytest.mark.parametrize("line", ["180 - Wain, Pole", "Reeve,10,120", "10: Reeve, 120", "Herons,5,95,40"])
def test_a_number_that_may_be_points_is_no_count_and_no_size(line: str) -> None:
    roster = read_roster(f"3 Reeve, red, 30\n{line}\n".encode())

    assert [(unit.name, unit.count) for unit in roster.units] == [("Reeve", 3)]
    assert [question.asks for question in roster.questions] == ["lines"]


@pytest.mark.parametrize(
    "line",
    [
        "three big lads, red, 40",
        "Drei Wachen, red, 30",
        "deux gardes, red",
        "big lads, 40 mm each",
        "A few Reeves, , 30",
    ],
)
def test_a_typed_line_that_counts_in_words_is_asked_about(line: str) -> None:
    roster = read_roster(f"6 Reeve, red, 30\n{line}\n1 Heron, red, 40\n".encode())

    assert [question.asks for question in roster.questions] == ["lines"]
    assert line.split(",")[0] in roster.questions[0].says


@pytest.mark.parametrize(
    "line", ["Dame Marl, red, 50", "Tenner, red", "Trevor, red, 40 mm", "1 three-eyed crow, red, 30"]
)
def test_a_typed_line_of_one_is_one(line: str) -> None:
    roster = read_roster(f"6 Reeve, red, 30\n{line}\n".encode())

    assert (roster.questions, roster.miniatures) == ((), 7)


def test_a_link_is_said_to_be_one() -> None:
    with pytest.raises(BadRoster, match="This is a link"):
        read_roster(b"https://www.newrecruit.eu/app/list/abc12\n")
