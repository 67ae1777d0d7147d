"""Abilities by question: what a word may change, and what it changes on tables worked by hand."""

from typing import Any

import pytest

from benchmarks.rules.ability_effects import BOOKS
from benchmarks.rules.ability_kinds import DECLARED, PAGE, page
from models.parsing import parse_query
from models.state import TableState
from models.vocabulary import EditionId
from referee import ask
from tests.referee.ability_scenes import SCENES, Scene
from tests.referee.test_abilities import rows_of


def part_of(scene: Scene, words: tuple[str, ...]) -> Any:
    """What the verdict says of the part that the scene looks at."""
    verdict = ask(TableState.model_validate(scene.state(words)), parse_query(scene.query))
    if scene.part == "members":
        return sorted(member.id for member in verdict.members if member.answer == "yes")
    part: Any = {"answer": verdict.answer, **verdict.value}
    for key in scene.part.split("."):
        part = part[key]
    return part


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.id)
def test_a_word_changes_what_the_book_says(scene: Scene) -> None:
    wanted = (scene.without, scene.having)

    assert (part_of(scene, ()), part_of(scene, (scene.word,))) == (
        pytest.approx(wanted) if isinstance(scene.having, float) else wanted
    )


@pytest.mark.parametrize("book", BOOKS)
def test_a_word_changes_only_questions_that_its_rule_speaks_of(book: EditionId) -> None:
    """On the random tables behind the page of what abilities change, and on those by hand."""
    changes = {(s.word, s.query["kind"]) for s in SCENES if s.book == book and s.without != s.having}
    found = {row[:2] for row in rows_of(book)} | changes

    assert sorted((word, kind) for word, kind in found if kind not in DECLARED[book][word][1].split()) == []


@pytest.mark.parametrize("book", BOOKS)
def test_each_word_is_shown_to_change_something(book: EditionId) -> None:
    shown = {row[0] for row in rows_of(book)} | {s.word for s in SCENES if s.book == book and s.without != s.having}

    assert DECLARED[book].keys() - shown == set()


def test_the_page_lists_what_is_declared() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
