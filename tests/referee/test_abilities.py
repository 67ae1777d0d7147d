"""What abilities change: each row of the page of abilities, asked again on the table that showed it."""

import re

import pytest

from benchmarks.rules.ability_effects import BOOKS, PAGE, WORDS, effects_on
from models.vocabulary import EditionId

_ROW = re.compile(r"\| `([\w-]+)` \| `([\w-]+)` \| (.*) \| (.*) \| (\d+) \|")


def rows_of(book: EditionId) -> list[tuple[str, str, str, str, int]]:
    """Word, question, sentence, place and table of each row of a book."""
    part = PAGE.read_text(encoding="utf-8").split(f"\n## {book}\n")[1].split("\n## ")[0]
    return [(word, kind, says, place, int(seed)) for word, kind, says, place, seed in _ROW.findall(part)]


@pytest.mark.parametrize("book", BOOKS)
def test_each_word_changes_what_the_page_says_by_the_sentence_it_cites(book: EditionId) -> None:
    lost = []
    for seed in sorted({row[4] for row in rows_of(book)}):
        rows = [row for row in rows_of(book) if row[4] == seed]
        words, kinds = sorted({row[0] for row in rows}), {row[1] for row in rows}
        found = {(word, kind): reason.says for word, kind, reason in reversed([*effects_on(book, seed, words, kinds)])}
        lost += [(*row[:2], found.get(row[:2])) for row in rows if found.get(row[:2]) != row[2]]

    assert lost == []


@pytest.mark.parametrize("book", BOOKS)
def test_the_page_names_only_words_of_the_book(book: EditionId) -> None:
    rows = rows_of(book)

    assert rows
    assert {row[0] for row in rows} <= set(WORDS[book])
    assert all(row[2] and row[3] for row in rows)
