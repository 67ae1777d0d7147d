"""Which card an entry means: by id, by name as people write it, and asked where two fit."""

import pytest

from api.cards.matching import edit_distance, find_by_name, fold_name, match_card
from models.profile import Card
from models.roster import RosterModel, RosterUnit

CARDS = (
    Card(id="reeve", name="Reeve", also=("Vögte",)),
    Card(id="pike", name="Pikeman"),
    Card(id="ferry", name="Fernyman Courier"),
    Card(id="osk-1", name="Osk, the Elder", also=("Osk",)),
    Card(id="osk-2", name="Osk, the Younger", also=("Osk",)),
    Card(id="wolf", name="Wolf"),
)


def find(name: str, *, unit: str = "Nobody at all", entry_id: str | None = None) -> tuple[str | None, str | None]:
    model = RosterModel(name=name, entry_id=entry_id)
    found = match_card(model, RosterUnit(name=unit, models=(model,)), CARDS)
    return (found.card.id if found.card else None, found.by)


@pytest.mark.parametrize(
    ("name", "id_", "by"),
    [
        ("Reeve", "reeve", "name"),
        ("REEVES", "reeve", "name"),
        ("Vogte", "reeve", "name"),
        ("Pikemen", "pike", "name"),
        ("Reeve w/ bill", "reeve", "name"),
        ("Pikeman, champion", "pike", "name"),
        ("Ferryman Courier", "ferry", "likeness"),
        ("Reeev", "reeve", "likeness"),
        ("Slinger", None, None),
        ("Wulf", "wolf", "likeness"),
        ("Elf", None, None),
    ],
)
def test_names_as_people_write_them(name: str, id_: str | None, by: str | None) -> None:
    assert find(name) == (id_, by)


def test_an_id_comes_before_a_name() -> None:
    assert find("Pikeman", entry_id="reeve") == ("reeve", "id")
    assert find("Pikeman", entry_id="army::reeve") == ("reeve", "id")


def test_the_units_name_helps_where_the_models_says_nothing() -> None:
    assert find("Champion", unit="Pikemen") == ("pike", "name")


def test_where_two_fit_nobody_chooses() -> None:
    model = RosterModel(name="Osk")
    found = match_card(model, RosterUnit(name="Osk", models=(model,)), CARDS)

    assert found.card is None
    assert [card.id for card in found.candidates] == ["osk-1", "osk-2"]


@pytest.mark.parametrize(
    ("a", "b", "slips"), [("", "abc", 3), ("abc", "acb", 1), ("kitten", "sitting", 3), ("a", "a", 0)]
)
def test_edit_distance(a: str, b: str, slips: int) -> None:
    assert edit_distance(a, b) == edit_distance(b, a) == slips


def test_folded_names() -> None:
    assert fold_name("  Ümlaut’s LADIES-in-Waiting ") == "umlaut lady in waiting"
    assert find_by_name("pikemen", [("m1", "Pikeman"), ("m2", "Pikeman"), ("m3", "Reeve")]) == ("m1", "m2")
