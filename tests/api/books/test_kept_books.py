"""Kept books: a game names the book it is played by, and keeps it."""

import zipfile
from pathlib import Path

import pytest

from api.books.kept_books import BookOpened
from api.cli.table_options import read_edition
from api.errors import BadBook, OtherBook
from api.rulings.entries import RulingMade
from api.server.hosting import Hosting
from models.parsing import parse_query
from models.state import TableState
from referee import ask
from tests.api.books.files import PAIR, read
from tests.api.cli.commands import run
from tests.api.serving import call_api, serve_table
from tests.referee.tables import mini, table

BOOK = read("[settings]\nopen-measure = 'centre'" + PAIR)
OTHER = read("[settings]\nopen-measure = 'edge'" + PAIR)


def _played() -> TableState:
    return table(mini("a", 300, 300), mini("b", 400, 300), edition="open")


def _play(data: Path) -> None:
    hosting = Hosting(data=data, book=BOOK)
    with hosting.journal() as journal:
        hosting.open_hub(journal, title="t").show(_played())


def test_what_is_seen_is_judged_by_the_book(tmp_path: Path) -> None:
    hosting = Hosting(book=BOOK)
    with hosting.journal() as journal:
        hub = hosting.open_hub(journal, title="t")
        hub.show(_played())

        assert hub.state is not None
        verdict = ask(hub.state, parse_query({"kind": "distance", "a": "a", "b": "b"}))
        assert (verdict.measured[0].value_mm, verdict.book) == (100.0, BOOK.in_play.stamp)


def test_a_game_keeps_the_file_as_it_is_under_its_hash_and_writes_it_down_once(tmp_path: Path) -> None:
    _play(tmp_path)
    _play(tmp_path)

    assert (tmp_path / "books" / f"{BOOK.in_play.sha256}.toml").read_bytes() == BOOK.whole
    with Hosting(data=tmp_path).journal() as journal:
        assert [line.entry for line in journal.lines(BookOpened)] == [BookOpened(book=BOOK.in_play.stamp)]


@pytest.mark.parametrize("book", [None, OTHER], ids=["removed", "changed"])
def test_a_game_does_not_go_on_by_another_book_than_it_was_begun_with(tmp_path: Path, book: object) -> None:
    _play(tmp_path)
    hosting = Hosting(data=tmp_path, book=book)  # type: ignore[arg-type]

    with hosting.journal() as journal, pytest.raises(OtherBook) as refused:
        hosting.open_hub(journal, title="t")
    assert f"books/{BOOK.in_play.sha256}.toml" in refused.value.detail
    assert "tableside replay" in refused.value.detail


def test_the_old_game_is_looked_at_and_asked_by_the_book_it_was_played_by(tmp_path: Path) -> None:
    _play(tmp_path)
    (tmp_path / "books" / f"{BOOK.in_play.sha256}.toml").unlink()

    with serve_table("replay", str(tmp_path)) as url:
        verdict = call_api(url, "ask", body={"kind": "distance", "a": "a", "b": "b"}, method="POST")
    assert (verdict["measured"][0]["value_mm"], verdict["book"]["sha256"]) == (100.0, BOOK.in_play.sha256)


def test_a_table_hands_its_book_on_by_a_link_with_the_hash(tmp_path: Path) -> None:
    path, state = tmp_path / "steel.toml", tmp_path / "state.json"
    path.write_bytes(BOOK.whole)
    state.write_text(_played().model_dump_json())

    with serve_table("serve", "--state", str(state), "--edition", str(path)) as url:
        link = f"{url}api/v1/book.toml"
        assert read_edition(f"{link}#sha256={BOOK.in_play.sha256}").book == BOOK.in_play
        with pytest.raises(BadBook, match="another book than"):
            read_edition(f"{link}#sha256={'0' * 64}")
    with pytest.raises(BadBook, match="no book came"):
        read_edition(link)


def test_an_exported_game_brings_its_book_along(tmp_path: Path) -> None:
    data, archive = tmp_path / "data", tmp_path / "game.zip"
    _play(data)
    assert run("export", str(data), "-o", str(archive)).code == 0

    with zipfile.ZipFile(archive) as packed:
        assert packed.read(f"books/{BOOK.in_play.sha256}.toml") == BOOK.whole


def test_a_ruling_keeps_the_table_with_its_book() -> None:
    assert "state" in RulingMade.model_fields
    state = _played().in_edition("open", BOOK.in_play)

    assert TableState.model_validate_json(state.model_dump_json()).book == BOOK.in_play
