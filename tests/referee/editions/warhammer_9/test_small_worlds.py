"""A small world of regiments counted in full, against counts made without the referee."""

from collections import Counter
from pathlib import Path

import pytest

from models.parsing import parse_query
from referee import ask
from tests.referee.editions.warhammer_9.lattice import FACINGS, KINDS, asked, counted, told, world

_COUNTS = Path(__file__).parents[2] / "counts" / "warhammer-9.txt"


def _lines() -> dict[str, str]:
    lines = [line for line in _COUNTS.read_text().splitlines() if not line.startswith("#")]
    return dict(line.split(": ") for line in lines)


def test_every_question_of_the_lattice_has_a_count() -> None:
    assert set(_lines()) == set(KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_the_count_is_the_one_made_without_the_referee(name: str) -> None:
    assert told(counted(name)) == _lines()[name]


@pytest.mark.parametrize("name", KINDS)
def test_the_answers_of_the_whole_lattice_add_up(name: str) -> None:
    by_facing: dict[int, Counter[str]] = {}
    for facing in FACINGS:
        state = world(facing)
        verdicts = [ask(state, parse_query(query)) for query in asked(name)]
        by_facing[facing] = Counter(str(v.value["arc"] if name == "arc" else v.answer) for v in verdicts)

    total = sum(by_facing.values(), Counter())
    assert told(total) == _lines()[name], by_facing
