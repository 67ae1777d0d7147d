"""Small worlds counted in full, against counts made without the referee."""

from collections import Counter
from pathlib import Path

import pytest

from models.parsing import parse_query
from models.vocabulary import EditionId
from referee import ask
from tests.referee.lattice import FACINGS, QUERIES, asked, told, world

_COUNTS = Path(__file__).with_name("counts")


def counted(book: EditionId) -> dict[str, str]:
    lines = [line for line in (_COUNTS / f"{book}.txt").read_text().splitlines() if not line.startswith("#")]
    return {line.split(":")[0]: line for line in lines}


@pytest.mark.parametrize("book", FACINGS)
def test_every_question_of_the_lattice_has_a_count(book: EditionId) -> None:
    assert set(counted(book)) == set(QUERIES)


@pytest.mark.parametrize("book", FACINGS)
@pytest.mark.parametrize("name", QUERIES)
def test_the_answers_of_the_whole_lattice_add_up(name: str, book: EditionId) -> None:
    by_facing = {facing: Counter[str]() for facing in FACINGS[book]}
    for facing in FACINGS[book]:
        state = world(facing, book)
        for _, _, query in asked(name):
            by_facing[facing][str(ask(state, parse_query(query)).answer)] += 1

    total = sum(by_facing.values(), Counter())
    assert told({name: total}).strip() == counted(book)[name], by_facing
