"""Pairing files: what tournament programs write is read, what is wrong is said by name, and never half of it taken."""

import csv
import io
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.errors import TooMuch
from api.hall.errors import BadPairings
from api.hall.pairing_file import export_csv, read_pairings
from api.hall.pairing_rows import MOST_ROWS
from api.hall.rounds import Pairing, Round, RoundView
from models.errors import BadInput

TABLES = range(1, 13)


def read(text: str, *, round_number: int | None = 1, columns: dict[str, str] | None = None) -> tuple[Pairing, ...]:
    return read_pairings(text.encode(), round_number=round_number, columns=columns or {}, tables=TABLES)[0]


def pairs(pairings: tuple[Pairing, ...]) -> list[tuple[int | None, str, str | None]]:
    return [(one.table, one.a.name, one.b.name if one.b else None) for one in pairings]


@pytest.mark.parametrize(
    "text",
    [
        "Round,Table,Player 1,Player 2\n2,3,Ada,Ben\n2,5,Cem,Dot\n",
        "\ufeffround;table;player1;player2\r\n2;3;Ada;Ben\r\n2;5;Cem;Dot\r\n",
        "Round\tTable No.\tPlayer A\tPlayer B\n2\t3\tAda\tBen\n\n2\t5\tCem\tDot\n",
        json.dumps(
            [
                {"round": 2, "table": 3, "player1": {"firstName": "Ada", "lastName": ""}, "player2": {"name": "Ben"}},
                {"round": 2, "table": 5, "player1": "Cem", "player2": "Dot", "metaData": {"x": 1}},
            ]
        ),
    ],
)
def test_what_programs_write_is_read_without_being_told(text: str) -> None:
    found = read(text, round_number=None)

    assert pairs(found) == [(3, "Ada", "Ben"), (5, "Cem", "Dot")]
    assert {one.round for one in found} == {2}


def test_armies_and_lists_come_with_the_players() -> None:
    (one,) = read("Table,Player 1,Player 2,Faction 1,Faction 2,List 1\n1,Ada,Ben,Cygnar,Khador,ada.txt\n")

    assert (one.a.army, one.a.list_file) == ("Cygnar", "ada.txt")
    assert one.b is not None
    assert (one.b.army, one.b.list_file) == ("Khador", None)


def test_who_has_a_bye_is_at_no_table() -> None:
    assert pairs(read("Table,Player 1,Player 2\n1,Ada,BYE\n2,Ben,Cem\n")) == [(None, "Ada", None), (2, "Ben", "Cem")]


def test_without_a_column_of_tables_they_are_counted() -> None:
    assert pairs(read("Player 1,Player 2\nAda,Ben\nCem,Dot\n")) == [(1, "Ada", "Ben"), (2, "Cem", "Dot")]


def test_unknown_columns_are_named_and_understood_once_mapped() -> None:
    text = "Tisch,Heim,Gast\n4,Ada,Ben\n"
    with pytest.raises(BadPairings) as wrong:
        read(text)

    assert wrong.value.facts["columns"] == ["Tisch", "Heim", "Gast"]
    assert wrong.value.facts["known"] == {"Tisch": "table"}
    assert "'Heim'" in wrong.value.detail
    assert pairs(read(text, columns={"Heim": "player_a", "Gast": "player_b"})) == [(4, "Ada", "Ben")]


def test_a_column_that_is_mapped_to_nothing_is_passed_over() -> None:
    text = "Table,Player 1,Player 2,Name 1\n4,Ada,Ben,x\n"
    _, ignored = read_pairings(text.encode(), round_number=1, columns={"Name 1": "nothing"}, tables=TABLES)

    assert ignored == ("Name 1",)


@pytest.mark.parametrize(
    ("text", "field", "says"),
    [
        ("Table,Player 1,Player 2\n1,Ada,Ben\n2,Cem,ada \n", "player", "'ada' is paired twice"),
        ("Table,Player 1,Player 2\n1,Ada,Ben\n1,Cem,Dot\n", "table", "table 1 is there twice"),
        ("Table,Player 1,Player 2\n13,Ada,Ben\n", "table", "no table 13"),
        ("Table,Player 1,Player 2\nx,Ada,Ben\n", "table", "row 1: 'x' is no number"),
        ("Table,Player 1,Player 2\n1,bye,\n", "player_a", "row 1 names no player"),
        ("Table,Table,Player 1,Player 2\n1,1,Ada,Ben\n", "columns", "'Table' is there twice"),
        ("Table,Player 1,Player 2\n1,Ada,Ben,Cem\n", "file", "more cells"),
        ("Table,Player 1,Player 2\n", "file", "no pairing"),
        ("", "file", "no pairing"),
        ("[1, 2]", "file", "list of objects"),
        ("[{", "file", "no JSON"),
        (f"Table,Player 1,Player 2\n1,{'x' * 81},Ben\n", "name", "row 1"),
    ],
)
def test_what_is_wrong_is_said_by_name(text: str, field: str, says: str) -> None:
    with pytest.raises(BadPairings) as wrong:
        read(text)

    assert wrong.value.field == field
    assert says in wrong.value.detail


@pytest.mark.parametrize(
    "name", ["BYE", "bye", "(bye)", "*BYE*", "--- Bye ---", "[Freilos]", "FREILOS", "-", "—", " ", "Spielfrei"]
)
def test_who_has_nobody_to_play_is_written_in_many_ways(name: str) -> None:
    assert pairs(read(f"Table,Player 1,Player 2\n1,Ada,{name}\n2,{name},Ben\n")) == [
        (None, "Ada", None),
        (None, "Ben", None),
    ]


@pytest.mark.parametrize("name", ["Bye-bye Birdie", "Tobye", "Bo", "Freilosky", "Ø", "不戦勝"])
def test_a_name_that_looks_a_little_like_that_is_a_name(name: str) -> None:
    assert pairs(read(f"Table,Player 1,Player 2\n1,Ada,{name}\n")) == [(1, "Ada", name)]


EVENT_FILE = "Round,Table,Player 1,Player 2\n1,1,Ada,Ben\n2,1,Ada,Cem\n1,2,Cem,Dot\n2,2,Ben,Dot\n"


def test_rows_of_another_round_are_not_taken_for_the_one_that_was_asked_for() -> None:
    with pytest.raises(BadPairings, match="the file holds round 2, not round 1"):
        read("Round,Table,Player 1,Player 2\n2,1,Ada,Ben\n", round_number=1)


def test_a_whole_event_is_read_round_by_round_or_one_round_of_it() -> None:
    whole = read(EVENT_FILE, round_number=None)

    assert [(one.round, one.table, one.a.name) for one in whole] == [
        (1, 1, "Ada"), (1, 2, "Cem"), (2, 1, "Ada"), (2, 2, "Ben"),
    ]  # fmt: skip
    assert pairs(read(EVENT_FILE, round_number=2)) == [(1, "Ada", "Cem"), (2, "Ben", "Dot")]


@pytest.mark.parametrize("column", ["Player 3", "player3name", "Player C", "Name 4"])
def test_more_than_two_players_of_a_table_are_told_not_left_out(column: str) -> None:
    text = f"Table,Player 1,Player 2,{column}\n1,Ada,Ben,Cem\n"
    with pytest.raises(BadPairings, match="names another player, 'Cem', and at a table sit two"):
        read(text)

    assert pairs(read(text, columns={column: "nothing"})) == [(1, "Ada", "Ben")]
    assert pairs(read(f"Table,Player 1,Player 2,{column}\n1,Ada,Ben,\n")) == [(1, "Ada", "Ben")]


@pytest.mark.parametrize("winner", ["Ben", "ben", "2", "Player 2", "player-b", "B"])
def test_who_won_is_said_by_name_or_by_side(winner: str) -> None:
    (one,) = read(f"Table,Player 1,Player 2,Winner,Score 1,Score 2\n1,Ada,Ben,{winner},2,5.5\n")

    assert one.result is not None
    assert (one.result.winner, one.result.points_a, one.result.points_b) == ("player-b", 2, 5.5)
    assert one.confirmed_by == "the file"


def test_a_winner_that_is_neither_of_the_two_is_told() -> None:
    with pytest.raises(BadPairings, match="row 1: 'Cem' is no winner"):
        read("Table,Player 1,Player 2,Winner\n1,Ada,Ben,Cem\n")


def test_twenty_thousand_rows_are_too_many() -> None:
    text = "Player 1,Player 2\n" + "".join(f"a{n},b{n}\n" for n in range(20_000))
    with pytest.raises(TooMuch, match=f"20000 rows; a round has at most {MOST_ROWS}"):
        read(text)


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_whatever_the_file_holds_it_is_read_or_refused_by_name(data: bytes) -> None:
    with suppress(BadInput):
        assert read_pairings(data, round_number=1, columns={}, tables=TABLES)[0]


_NAMES = st.text(st.characters(codec="utf-8", categories=("L", "N"), include_characters=" .'-,;\""), min_size=1)


@given(st.lists(_NAMES, max_size=12, unique_by=lambda name: " ".join(name.casefold().split())))
def test_what_is_exported_is_read_again_as_the_same_pairings(names: list[str]) -> None:
    names = [name.strip() for name in names if name.strip().strip("-=+@").strip() and len(name) < 80]
    names = [name for name in names if name.lower() not in {"bye", "draw"} and name[0] not in "-=+@'"]
    told = [{"Player 1": a, "Player 2": b} for a, b in zip(names[::2], names[1::2], strict=False)]
    if not told:
        return
    out = io.StringIO()
    writer = csv.DictWriter(out, ["Player 1", "Player 2"])
    writer.writeheader()
    writer.writerows(told)
    found = read(out.getvalue(), round_number=3)
    again = read(export_csv([RoundView(round=Round(number=3), pairings=found)]), round_number=None)

    assert again == found


def test_no_cell_of_the_export_is_a_formula() -> None:
    pairings = read('Table,Player 1,Player 2\n1,=HYPERLINK("x"),Ben\n')
    text = export_csv([RoundView(round=Round(number=1), pairings=pairings)])

    assert "'=HYPERLINK" in text


BCP_META = {"p1-gamePoints": "68", "p2-gamePoints": "66", "p1-gameResult": "2", "p2-gameResult": "0", "p1-listId": "a1"}
BCP_GAMES = [
    {
        "round": 2, "table": 3, "id": "x1", "metaData": BCP_META,
        "player1": {"user": {"firstName": "Ada", "lastName": "Byron"}, "faction": {"name": "Orks"}},
        "player2": {"user": {"firstName": "Ben", "lastName": "Ali"}},
    },
    {
        "round": 2, "table": 4, "player1Game": {"points": 40, "result": 1}, "player2Game": {"points": 40, "result": 1},
        "player1": {"firstName": "Cem", "lastName": "Oz"}, "player2": {"firstName": "Dot", "lastName": "Lee"},
    },
    {"round": 2, "table": 5, "player1": {"firstName": "Eve", "lastName": "Fay"}, "player2": None, "metaData": {}},
]  # fmt: skip


@pytest.mark.parametrize("inside", ["active", "data", "pairings"])
def test_best_coast_pairings_tells_names_armies_and_results_nested(inside: str) -> None:
    games, ignored = read_pairings(
        json.dumps({inside: BCP_GAMES, "nextKey": "x"}).encode(), round_number=None, columns={}, tables=TABLES
    )

    assert pairs(games) == [(3, "Ada Byron", "Ben Ali"), (4, "Cem Oz", "Dot Lee"), (None, "Eve Fay", None)]
    assert [one.result and (one.result.winner, one.result.points_a, one.result.points_b) for one in games] == [
        ("player-a", 68, 66), ("draw", 40, 40), None,
    ]  # fmt: skip
    assert games[0].a.army == "Orks"
    assert ignored == ("id",)


def test_a_game_that_nobody_entered_has_no_result_and_two_winners_are_told() -> None:
    head = "Table,Player 1,Player 2,Player 1 Result,Player 2 Result\n1,Ada,Ben,"

    assert read(f"{head}0,0\n")[0].result is None
    assert read(f"{head}Loss,Win\n")[0].result is not None
    with pytest.raises(BadPairings, match="'win' and 'win' are no results of one game"):
        read(f"{head}Win,Win\n")


LONGSHANKS = """<!DOCTYPE html><html><head><title>Longshanks</title></head><body><select id="round_selector">
<option value="1">Round 1</option><option value="2" selected>Round 2 - Scramble</option></select>
<div class="results"><div class="player winner"><img src="x.png"><a class="player_link">Ada Byron <span>#4711</span></a>
<div class="score">12</div></div>
<div class="player loser"><a class="player_link">Ben</a><div class="score">7</div></div></div>
<div class="results"><div class="player"><a class="player_link">Cem #12</a></div>
<div class="player"><a class="player_link">BYE</a></div></div></body></html>"""


def test_a_saved_page_of_longshanks_gives_the_round_that_it_shows() -> None:
    games = read(LONGSHANKS, round_number=None)

    assert pairs(games) == [(1, "Ada Byron", "Ben"), (None, "Cem", None)]
    assert {one.round for one in games} == {2}
    assert games[0].result is not None
    assert (games[0].result.winner, games[0].result.points_a, games[0].result.points_b) == ("player-a", 12, 7)


def test_a_page_of_somebody_else_is_refused_with_what_to_export_instead() -> None:
    with pytest.raises(BadPairings, match="none of Longshanks: export CSV or JSON"):
        read("<html><body><table><tr><td>Ada</td></tr></table></body></html>")


def test_games_a_line_each_are_read_with_their_rounds_and_tables() -> None:
    text = "Spring Cup\nRound 1\nTable 3: Ada Byron vs. Ben\n4) Cem gegen Dot\n\n"
    text += "Round 2 (Saturday)\n#5 Ada Byron v Cem\nDot: bye\n"
    games, ignored = read_pairings(text.encode(), round_number=None, columns={}, tables=TABLES)

    assert [(one.round, *pair) for one, pair in zip(games, pairs(games), strict=True)] == [
        (1, 3, "Ada Byron", "Ben"), (1, 4, "Cem", "Dot"), (2, 5, "Ada Byron", "Cem"), (2, None, "Dot", None),
    ]  # fmt: skip
    assert ignored == ("Spring Cup",)


def test_a_line_between_games_that_is_none_is_told_not_left_out() -> None:
    with pytest.raises(BadPairings, match="line 2 is no game: 'Cem plays Dot'"):
        read("1 Ada vs Ben\nCem plays Dot\n2 Eve vs Fay\n")


def test_results_go_back_below_the_headings_that_were_mapped() -> None:
    columns = {"Heim": "player_a", "Gast": "player_b", "Sieger": "winner"}
    (game,) = read("Tisch,Heim,Gast,Sieger\n4,Ada,Ben,Ben\n", columns=columns)
    text = export_csv([RoundView(round=Round(number=1), pairings=(game,))], columns=columns)

    assert text.splitlines()[0].split(",")[:4] == ["Round", "Table", "Heim", "Gast"]
    assert text.splitlines()[0].split(",")[8] == "Sieger"
    assert read(text, columns=columns) == (game,)
