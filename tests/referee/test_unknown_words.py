"""Unknown words of a card: refused with the field that holds them, in every book."""

import json
from typing import Any

import pytest

from models.errors import BadState
from models.parsing import parse_state
from models.vocabulary import EditionId
from referee import EDITIONS


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("profile", "field"),
    [
        ({"spells": [{"name": "Bolt", "type": "banana"}]}, "type"),
        ({"abilities": ["banana"]}, "abilities"),
        ({"melee": [{"name": "Axe", "rules": ["banana"]}]}, "rules"),
    ],
)
def test_a_word_that_no_book_knows_is_refused_with_its_field(
    edition: EditionId, profile: dict[str, Any], field: str
) -> None:
    me = {"id": "a", "base": {"shape": "round", "diameter_mm": 30}, "at_mm": [1, 1], "profile": profile}
    state = {"version": 1, "edition": edition, "table": {"width_mm": 9, "depth_mm": 9}, "miniatures": [me]}

    with pytest.raises(BadState) as refused:
        parse_state(json.dumps(state))

    assert field in (refused.value.field or "")
