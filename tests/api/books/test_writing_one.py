"""The page about writing a book, followed to the letter: files written, commands run, outputs compared."""

import re
from pathlib import Path

import pytest

from api.errors import BadBook
from tests.api.books.files import read
from tests.api.cli.commands import run

PAGE = (Path(__file__).parents[3] / "docs" / "editions" / "writing-one.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)


def _played() -> int:
    """The number of blocks before those that need a camera or a server."""
    return next(k for k, (_, text) in enumerate(BLOCKS) if "tableside serve" in text)


def test_the_book_of_the_page_grows_as_it_says_and_each_command_prints_what_stands_below_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    book, shown = tmp_path / "goblin-market.toml", ""
    for language, text in BLOCKS[: _played()]:
        if language == "toml":
            book.write_text(f"{book.read_text() if book.exists() else ''}{text}")
        elif language == "sh":
            ended = run(*text.split()[1:])
            assert (ended.code, ended.err) == (0, "")
            shown = ended.out
        else:
            assert shown == text

    assert run("edition", "check", "goblin-market.toml", "--json").code == 0


def test_the_slip_that_the_page_shows_is_told_as_it_says() -> None:
    first, second = [text for language, text in BLOCKS if language == "toml"][:2]
    wrong = second.replace("open-cover-in =", "open-cover-inch =")
    with pytest.raises(BadBook) as refused:
        read(first + wrong, head="")

    said = refused.value.detail.removeprefix("steel.toml: ")
    assert said in " ".join(PAGE.split())


def test_the_page_names_every_question_that_a_sheet_may_ask() -> None:
    from models.written_book import PAIR_KINDS

    assert all(f"`{kind}`" in PAGE for kind in PAIR_KINDS)


def test_the_page_names_every_key_of_a_book() -> None:
    from api.books.book_file import BookFile, BookTest
    from models.written_book import SheetLine

    keys = {key for cls in (BookFile, BookTest, SheetLine) for key in cls.model_fields}
    assert {key for key in keys if not re.search(rf"\b{key}\b", PAGE)} == set()


def test_every_recipe_of_the_language_page_is_a_rule() -> None:
    from models.book_language.program import RuleText, check_program
    from scripts.generate_docs import RECIPES

    rules = {f"recipe-{k}": RuleText(text, None) for k, text in enumerate(RECIPES.values())}

    assert check_program(rules, {"bonus": {"Grib": 1}}, {})[1] == []
