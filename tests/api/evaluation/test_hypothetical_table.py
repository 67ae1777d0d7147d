"""Hypothetical table: what is thought of as standing elsewhere takes all of itself along."""

import pytest

from api.evaluation.hypothetical_table import Ghost, with_ghosts
from models.miniature import Miniature
from tests.referee.tables import mini, table

OUTLINE = [[280, 290], [320, 290], [320, 310], [280, 310]]


@pytest.mark.parametrize(
    ("ghost", "first"),
    [({"at_mm": [400, 350]}, (380, 340)), ({"at_mm": [400, 350], "facing_deg": 90}, (410, 330))],
    ids=["moved", "turned"],
)
def test_the_outline_of_a_body_goes_and_turns_with_it(ghost: dict[str, object], first: tuple[float, float]) -> None:
    state = table(mini("a", 300, 300, 0, outline_mm=OUTLINE))
    there = with_ghosts(state, {"a": Ghost.model_validate(ghost)}).by_id["a"]

    assert isinstance(there, Miniature)
    assert there.outline_mm is not None
    assert there.outline_mm[0] == pytest.approx(first)
