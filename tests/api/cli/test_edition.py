"""`tableside edition`, and `--edition FILE` of the commands that take an edition."""

import io
import json
import sys
from pathlib import Path
from unittest import mock

import pytest

from api.books.book_file import BookFile, read_book
from api.books.examples import EXAMPLES
from api.cli.locate import judged_by
from api.cli.table_options import read_edition
from models.house_rules import PRESETS
from models.state import TableState
from models.timeline import EventLine, StateLine
from tests.api.books.files import HEAD, PAIR
from tests.api.cli.commands import Ended, run

SKIRMISH = str(EXAMPLES["lantern-street"])
STATE = {
    "edition": "warmachine-prime",
    "table": {"width_mm": 900, "depth_mm": 900},
    "miniatures": [
        {"id": "a", "base": {"shape": "round", "diameter_mm": 30}, "at_mm": [300, 300]},
        {"id": "b", "base": {"shape": "round", "diameter_mm": 30}, "at_mm": [400, 300]},
    ],
}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "steel.toml"
    path.write_text(f"{HEAD}[settings]\nopen-measure = 'centre'\n{PAIR}")
    return path


def test_check_says_how_many_tests_are_right() -> None:
    ended = run("edition", "check", SKIRMISH)

    assert (ended.code, ended.out) == (0, "Lantern Street 1.1: 36 of 36 tests are right\n")


def test_check_names_the_test_that_is_wrong_with_its_line(book: Path) -> None:
    wrong = "[[tests]]\nname = 'near'\ntable = 'plain'\nquestion = { kind = 'b2b', a = 'a', b = 'b' }\nanswer = 'yes'\n"
    book.write_text(book.read_text() + wrong)
    ended = run("edition", "check", str(book))

    assert (ended.code, ended.problem["type"], ended.problem["field"]) == (2, "edition/wrong_answers", "tests.0")
    assert book.read_text().splitlines()[ended.problem["line"] - 1] == "[[tests]]"


def test_show_tells_every_choice_of_the_book_in_plain_words(book: Path) -> None:
    ended = run("edition", "show", str(book))

    assert "* from where to where one measures: from the middle of one base to the middle of the other" in ended.out
    assert json.loads(run("edition", "show", str(book), "--json").out)["readings"] == {"open-measure": "centre"}


def test_try_shows_the_sheet_of_the_book_in_its_words_and_order() -> None:
    lines = run("edition", "try", SKIRMISH, "--table", "walls").out.splitlines()

    assert lines[0] == "A is a, B is b"
    assert [line.partition(":")[0] for line in lines[1:5]] == ["A sees B", "B sees A", "Distance", "A's pistol at B"]


@pytest.mark.parametrize("options", [("--table", "none-such"), ("--a", "z")])
def test_try_refuses_what_is_not_in_the_file(options: tuple[str, str]) -> None:
    ended = run("edition", "try", SKIRMISH, *options)

    assert ended.code == 2
    assert ended.problem["value"] == options[1]


def test_an_example_is_printed_as_it_is_and_can_be_checked(tmp_path: Path) -> None:
    copy = tmp_path / "mine.toml"
    copy.write_text(run("edition", "show", "pike-and-banner", "--text").out)

    assert copy.read_bytes() == EXAMPLES["pike-and-banner"].read_bytes()
    assert run("edition", "check", str(copy)).code == 0


def test_ask_answers_by_the_book_beside_other_rulebooks(tmp_path: Path, book: Path) -> None:
    (tmp_path / "state.json").write_text(json.dumps(STATE))
    (tmp_path / "query.json").write_text('{"kind": "distance", "a": "a", "b": "b"}')
    ended = run(
        "ask", str(tmp_path / "state.json"), str(tmp_path / "query.json"), "--edition", f"{book},warmachine-prime"
    )

    by_book, by_prime = (json.loads(line) for line in ended.out.splitlines())
    assert (by_book["measured"][0]["value_mm"], by_book["book"]["name"]) == (100.0, "Steel")
    assert (by_prime["measured"][0]["value_mm"], by_prime["book"]) == (70.0, None)


@pytest.mark.parametrize(
    ("named", "code"),
    [("steel", "query/invalid"), ("none-such.toml", "input/bad_file")],
)
def test_an_edition_that_is_none_is_refused(tmp_path: Path, named: str, code: str) -> None:
    (tmp_path / "state.json").write_text(json.dumps(STATE))
    (tmp_path / "query.json").write_text('{"kind": "distance", "a": "a", "b": "b"}')
    ended = run("ask", str(tmp_path / "state.json"), str(tmp_path / "query.json"), "--edition", named)

    assert (ended.code, ended.problem["type"]) == (2, code)


def test_serve_names_the_kept_copy_of_a_book_that_is_gone(tmp_path: Path) -> None:
    kept = tmp_path / "books" / f"{'a' * 64}.toml"
    kept.parent.mkdir()
    kept.write_text(HEAD)
    ended = run("serve", "--state", "state.json", "--data", str(tmp_path), "--edition", str(tmp_path / "gone.toml"))

    assert (ended.code, ended.problem["type"]) == (2, "edition/other_book")
    assert str(kept) in ended.problem["detail"]


def test_the_schema_of_a_book_is_that_of_the_class() -> None:
    assert json.loads(run("schema", "edition").out) == json.loads(json.dumps(BookFile.model_json_schema()))


def test_queries_of_a_book_are_those_of_the_open_edition(book: Path) -> None:
    assert json.loads(run("queries", "--edition", str(book)).out) == json.loads(run("queries", "--edition", "open").out)


def test_usual_base_sizes_are_those_of_the_book_or_all_that_are_sold(book: Path) -> None:
    assert [base.diameter_mm for base in read_edition(SKIRMISH).catalogue().usual] == [25, 32, 40, 50]  # type: ignore[union-attr]
    assert read_edition(str(book)).catalogue() == read_edition("open").catalogue()


def test_a_line_of_a_timeline_bears_the_book_and_an_event_is_as_it_was(book: Path) -> None:
    choice, state = read_edition(str(book)), TableState.model_validate(STATE)
    line = StateLine(t_s=1, frame=25, settled_at_s=1, state=state.in_edition("open"))
    moved = EventLine(type="moved", t_s=1, frame=25, ids=("a",))

    judged = judged_by(choice, line)
    assert isinstance(judged, StateLine)
    assert judged.state.book == choice.book
    assert judged_by(choice, moved) is moved
    assert judged_by(read_edition("open"), line) is line


def _begin(path: Path, *answers: str) -> Ended:
    with mock.patch.object(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers))):
        return run("edition", "new", path)


@pytest.mark.parametrize("family", PRESETS)
def test_a_book_that_was_begun_by_questions_is_right(tmp_path: Path, family: str) -> None:
    ended = _begin(
        tmp_path / "fens.toml", 'Iron "Fens"', family, "25", "1.5", "3", "walk 5, long shot 30", "walk + 2D6"
    )
    file = read_book(tmp_path / "fens.toml").file

    assert (ended.code, ended.out.splitlines()[-1].strip()) == (0, 'Iron "Fens" 0.1: 2 of 2 tests are right')
    assert (file.ranges, file.bases[0].diameter_mm) == ({"walk": 5, "long-shot": 30}, 25)  # type: ignore[union-attr]
    assert file.rules["charge"] == "sees(a, b) and free_way(a, b) and way(a, b) <= walk + 2D6"


def test_an_answer_that_makes_no_book_is_asked_for_again_and_a_file_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "fens.toml"
    ended = _begin(path, "Fens", "chess", "plain", "x", "32", "1", "2", "walk", "walk 6", "2D7", "none")

    assert ended.code == 0
    assert ended.err.count("That does not do") == 4
    assert read_book(path).file.rules == {}
    again = _begin(path)
    assert (again.code, again.problem["field"]) == (2, "file")
