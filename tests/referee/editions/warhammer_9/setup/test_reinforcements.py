"""Reinforcements: everybody of the rear rank has a share in whether it stands on the edge."""

import pytest

from benchmarks.rules.redrawn_states import redraw_states
from models.parsing import parse_query
from models.verdict import Answer
from referee import ask
from tests.referee.editions.warhammer_9.tables import block, table

QUERY = parse_query({"kind": "reinforcements", "who": "A", "edge": "edge:near"})


@pytest.mark.parametrize("front_mm", [40.0, 40.6])
def test_it_is_as_probable_as_redrawn_tables_say(front_mm: float) -> None:
    state = table([block("A", "red", (600, front_mm), 90, 4, 8, sigma={"at_mm": 0.3, "facing_deg": 0.3})])

    redrawn = [ask(one, QUERY).answer is Answer.YES for one in redraw_states(state, 150, seed=5)]

    assert ask(state, QUERY).probability == pytest.approx(sum(redrawn) / len(redrawn), abs=0.12)
