"""A game that was played by a written book is replayed by that book, from the zip alone."""

from pathlib import Path
from typing import Any

from api.books.book_file import read_book
from api.books.examples import EXAMPLES
from tests.api.games.test_export import run
from tests.api.serving import call_api, serve_table
from tests.api.worlds import SKIRMISH

BOOK = EXAMPLES["lantern-street"]
PAIR = {"a": "m7", "b": "m10"}


def lines_of(url: str) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = call_api(url, "ask-pair", body=PAIR, method="POST")["lines"]
    return [
        {key: line[key] for key in ("slot", "title", "headline")} | {"by": line["verdict"]["book"]} for line in lines
    ]


def test_a_game_of_a_written_book_is_replayed_by_it_from_the_zip_alone(tmp_path: Path) -> None:
    book, data, game = tmp_path / "book.toml", tmp_path / "data", tmp_path / "GAME.zip"
    book.write_bytes(BOOK.read_bytes())
    hash_ = read_book(book).in_play.sha256
    with serve_table("serve", "--state", str(SKIRMISH), "--open", "--edition", str(book), "--data", str(data)) as url:
        played = lines_of(url)
    run("export", str(data), "-o", str(game))
    book.unlink()
    with serve_table("replay", str(game)) as url:
        replayed = lines_of(url)

    assert replayed == played
    assert {line["by"]["sha256"] for line in replayed} == {hash_}
