"""Small worlds counted in full, against counts made without the referee."""

from collections import Counter
from pathlib import Path

import pytest

from models.reading import read_query
from referee import ask
from tests.referee.lattice import FACINGS, QUERIES, asked, told, world

_COUNTS = Path(__file__).with_name("counts") / "warmachine-prime.txt"


def counted() -> dict[str, str]:
    lines = [line for line in _COUNTS.read_text().splitlines() if not line.startswith("#")]
    return {line.split(":")[0]: line for line in lines}


def test_every_question_of_the_lattice_has_a_count() -> None:
    assert set(counted()) == set(QUERIES)


@pytest.mark.parametrize("name", QUERIES)
def test_the_answers_of_the_whole_lattice_add_up(name: str) -> None:
    by_facing = {facing: Counter[str]() for facing in FACINGS}
    for facing in FACINGS:
        state = world(facing)
        for _, _, query in asked(name):
            by_facing[facing][str(ask(state, read_query(query)).answer)] += 1

    total = sum(by_facing.values(), Counter())
    assert told({name: total}).strip() == counted()[name], by_facing
