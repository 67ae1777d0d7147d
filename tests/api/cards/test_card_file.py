"""Card files: read, refused and written."""

from pathlib import Path

import pytest

from api.cards.card_file import SHIPPED, CardLibrary, cards_of, load_files, load_library, read_cards, write_cards
from api.errors import BadCards
from api.rosters.read import read_roster
from models.base import RoundBase
from tests.api.rosters.lists import body, card, force, ros, selection

FILE = """
faction = "Marches"
edition = "warmachine-prime"

[[card]]
id = "reeve"
name = "Reeve"
also = ["Vogt"]
base = "30"
unit = 6
speed = 6
command = 7
abilities = ["pathfinder"]

  [[card.melee]]
  name = "Bill"
  reach = 2

  [[card.ranged]]
  name = "Sling"
  range = [3, 15]

  [[card.ranged]]
  name = "Sluice"
  spray = 8
"""


def test_a_card_has_its_numbers() -> None:
    (reeve,) = read_cards(FILE.encode(), "marches.toml").cards

    assert (reeve.base, reeve.unit_size, reeve.command_in) == (RoundBase(diameter_mm=30), 6, 7)
    assert (reeve.profile.spd_in, reeve.profile.cmd_in, reeve.profile.abilities) == (6, 7, ("pathfinder",))
    assert reeve.profile.melee[0].reach_in == 2
    assert [(gun.rng_in, gun.spray_in) for gun in reeve.profile.ranged] == [((3, 15), None), (8, 8)]


def test_what_is_written_is_read_the_same() -> None:
    faction = read_cards(FILE.encode(), "marches.toml")

    assert read_cards(write_cards(faction).encode(), "again.toml") == faction


def test_the_shipped_faction_has_thirty_whole_cards() -> None:
    (faction,) = load_files([SHIPPED]).factions

    assert len(faction.cards) == 30
    assert all(one.base is not None and one.profile.spd_in is not None and one.source for one in faction.cards)
    assert read_cards(write_cards(faction).encode(), "again.toml") == faction


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        (FILE.replace("speed = 6", 'speed = "fast"'), "speed"),
        (FILE.replace('base = "30"', 'base = "60 oval"'), "base"),
        (FILE.replace("speed = 6", "sped = 6"), "sped"),
        (FILE.replace('abilities = ["pathfinder"]', 'abilities = ["tasty"]'), "abilities.0"),
        (FILE + FILE.replace('faction = "Marches"', "").replace('edition = "warmachine-prime"', ""), "card.id"),
        ("faction = ", "file"),
        ('faction = "Marches"', "card"),
    ],
)
def test_what_is_wrong_names_the_field(wrong: str, field: str) -> None:
    with pytest.raises(BadCards) as caught:
        read_cards(wrong.encode(), "marches.toml")

    assert caught.value.field == field


def test_bytes_that_are_no_text_are_one_problem() -> None:
    with pytest.raises(BadCards):
        read_cards(b"\xff\xfe\x00", "marches.toml")


def test_a_list_brings_its_cards() -> None:
    numbers = body("Reeve", Base="30") + card("Sling", Range='10"', Attacks="1")
    roster = read_roster(
        ros(force(selection("Reeves", "unit", selection("The &quot;Reeve&quot;", "model", number=4, cards=numbers))))
    )
    faction = cards_of(roster, source="my list")

    (made,) = read_cards(write_cards(faction).encode(), "mine.toml").cards
    assert (made.name, made.also, made.base) == ('The "Reeve"', ("Reeves",), RoundBase(diameter_mm=30))
    assert made.profile.ranged[0].rng_in == 10


def test_of_two_cards_of_one_id_the_users_own_counts(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(FILE.replace("speed = 6", "speed = 9"))
    library = load_library(tmp_path)

    assert isinstance(library, CardLibrary)
    assert next(one for one in library.cards() if one.id == "reeve").profile.spd_in == 9
