"""Questions made up to hurt: each is answered, or refused with its field and value."""

import json
from typing import Any

import pytest

from models.errors import BadInput, BadQuery, BadState
from models.parsing import parse, parse_query
from models.state import TableState
from referee import ask
from tests.referee.editions.warhammer_9.tables import block, drawn, lone, table
from tests.referee.hostile_questions import find_faults

STATES = [drawn(seed) for seed in range(6)]


@pytest.mark.parametrize("start", range(0, 300, 60))
def test_every_kind_of_question_is_answered_or_refused(start: int) -> None:
    assert list(find_faults("warhammer-9", STATES, range(start, start + 60))) == []


def plain() -> TableState:
    hero = lone("H", "red", (900, 300), 90, type="infantry", role=["character"], unit="A")
    units = [block("A", "red", (600, 300), 90, 5, 10), block("E", "blue", (600, 500), 270, 5, 10)]
    return table(units, [hero], terrain=[{"id": "w", "kind": "forest", "polygon_mm": [[0, 0], [90, 0], [0, 90]]}])


@pytest.mark.parametrize(
    ("question", "field", "value"),
    [
        ({"kind": "charge", "attacker": "A", "target": "E", "step": "outcome", "dice": {"charge": [6]}},
         "dice.charge", [6]),
        ({"kind": "charge", "attacker": "A", "target": "E", "step": "outcome", "dice": {"charge": [1, 2, 3]}},
         "dice.charge", [1, 2, 3]),
        ({"kind": "flee", "mover": "A", "threats": ["E"], "dice": {"flee": 18}}, "dice.flee", 18),
        ({"kind": "pursuit", "winner": "A", "loser": "E", "dice": {"flee": 7, "pursue": 13}}, "dice.pursue", 13),
        ({"kind": "pursuit", "winner": "A", "loser": "E", "dice": {"flee": 14, "pursue": 7}}, "dice.flee", 14),
        ({"kind": "charge-chance", "attacker": "A", "target": "E", "flees": True, "dice": {"flee": 15}},
         "dice.flee", 15),
        ({"kind": "casualties", "unit": "E", "lost": 11}, "lost", 11),
        ({"kind": "join-unit", "who": "H", "unit": "A"}, "who", "H"),
        ({"kind": "garrison", "unit": "E", "feature": "w", "manner": "enter"}, "feature", "w"),
        ({"kind": "building-assault", "attacker": "A", "target": "E"}, "target", "E"),
        ({"kind": "march", "mover": "edge:near"}, "mover", "edge:near"),
        ({"kind": "stand-and-shoot", "attacker": "edge:near", "target": "A"}, "attacker", "edge:near"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_field(question: dict[str, Any], field: str, value: Any) -> None:
    with pytest.raises(BadQuery) as wrong:
        ask(plain(), parse_query(question))

    assert (wrong.value.field, wrong.value.value) == (field, value)


@pytest.mark.parametrize(
    "question",
    [
        {"kind": "charge", "attacker": "A", "target": "E", "dice": {"charge": []}},
        {"kind": "vortex", "caster": "A", "diameter_in": 1e14, "to": [300, 300]},
        {"kind": "move", "mover": "A", "steps": [{"do": "forward", "by_in": -1}]},
        {"kind": "move", "mover": "A", "steps": [{"do": "forward"}]},
        {"kind": "move", "mover": "A", "steps": [{"do": "forward", "by_in": 2, "by_deg": 10}]},
        {"kind": "move", "mover": "A", "steps": [{"do": "wheel-left", "by_in": 2}]},
        {"kind": "move", "mover": "A", "steps": [{"do": "wheel-left", "by_deg": -20}]},
        {"kind": "multi-charge", "attackers": ["A", "A"], "targets": ["E"]},
        {"kind": "combat-bonuses", "a": ["A"], "b": ["E", "E"]},
    ],
)
def test_a_question_that_is_none_is_refused(question: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        parse_query(question)


def test_no_question_is_answered_about_a_base_that_there_is_not() -> None:
    raw = plain().model_dump(mode="json", exclude_none=True)
    raw["miniatures"][-1]["base"]["width_mm"] = 9999
    with pytest.raises(BadState) as wrong:
        ask(TableState.model_validate(raw), parse_query({"kind": "march", "mover": "A"}))

    assert (wrong.value.field, wrong.value.value) == ("miniatures.20.base.width_mm", 9999)


@pytest.mark.parametrize(
    ("hero", "says"),
    [
        ({"inside": "nowhere"}, "nowhere"),
        ({"this_turn": {"steps": [{"do": "forward"}]}}, "by_in"),
    ],
)
def test_a_state_that_is_none_is_refused(hero: dict[str, Any], says: str) -> None:
    raw = plain().model_dump(mode="json", exclude_none=True)
    raw["miniatures"][-1] |= hero
    with pytest.raises(BadState, match=says):
        parse(TableState, json.dumps(raw), error=BadState)
