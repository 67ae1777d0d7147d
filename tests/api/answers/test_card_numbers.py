"""Numbers of a card in the answers, and asking by name."""

import pytest

from api.answers.answer_line import describe_card
from api.answers.named_things import resolve_id, resolve_names
from models.errors import UnknownThing
from models.parsing import parse_query
from models.state import TableState

SMALL = {"shape": "round", "diameter_mm": 30}
CARD = {
    "spd_in": 6,
    "melee": [{"name": "Bill", "reach_in": 2}],
    "ranged": [{"name": "Sling", "rng_in": [3, 15]}],
    "abilities": ["arc-node"],
    "source": "Reeve, invented",
}
STATE = TableState.model_validate(
    {
        "edition": "warmachine-prime",
        "table": {"width_mm": 1000, "depth_mm": 1000},
        "units": [{"id": "u1", "name": "Reeves", "command_in": 7}],
        "miniatures": [
            {"id": "m1", "name": "Reeve", "unit": "u1", "base": SMALL, "at_mm": [100, 100], "profile": CARD},
            {"id": "m2", "name": "Drover", "base": SMALL, "at_mm": [300, 100]},
            {"id": "m3", "name": "Pikeman", "base": SMALL, "at_mm": [500, 100]},
            {"id": "m4", "name": "Pikeman", "base": SMALL, "at_mm": [600, 100]},
        ],
    }
)


def test_an_answer_says_whose_card_its_numbers_are_of() -> None:
    told = "A Reeve: speed 6″, Bill reach 2″, Sling 3–15″, command 7″, arc node (card: Reeve, invented)"

    assert describe_card(STATE, "m1", letter="A") == told


def test_what_no_card_tells_is_said_to_be_supposed() -> None:
    assert describe_card(STATE, "m2", letter="B") == "B Drover: speed and reach supposed"


def test_a_name_stands_for_its_id() -> None:
    query = resolve_names(STATE, parse_query({"kind": "los", "viewer": "REEVES", "target": "Drovr"}))

    assert query.model_dump(include={"viewer", "target"}) == {"viewer": "m1", "target": "m2"}
    assert resolve_id(STATE, "m3", field="a") == "m3"
    assert resolve_id(STATE, "Nobody", field="a") == "Nobody"


def test_a_name_that_several_bear_is_asked_about() -> None:
    with pytest.raises(UnknownThing) as caught:
        resolve_id(STATE, "pikemen", field="a")

    assert caught.value.facts["ids"] == ["m3", "m4"]
