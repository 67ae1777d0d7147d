"""Old World Builder, WARMACHINE's tools, pasted text and typed lines."""

import json

import pytest

from api.errors import BadRoster
from api.rosters.base_sizes import read_base_size
from api.rosters.read import read_roster
from models.base import Base, OvalBase, RectBase, RoundBase
from models.roster import RosterList
from models.vocabulary import EditionId


def counts(roster: RosterList) -> list[tuple[str, list[tuple[str, int]]]]:
    return [(unit.name, [(model.name, model.count) for model in unit.models]) for unit in roster.units]


def test_old_world_builder() -> None:
    command = [{"name_en": "Bearer of the standard", "active": True}, {"name_en": "Musician"}]
    core = {"id": "reeves", "name_en": "Reeves {levy}", "name_de": "Vögte", "strength": 20, "command": command}
    core["detachments"] = [{"name_en": "Slingers", "strength": 5}, {"name_en": "Dogs"}]
    army = {"name": "Autumn", "game": "the-old-world", "army": "marches", "core": [core], "special": [], "rare": []}
    army["characters"] = [{"id": "marl", "name_en": "Old Marl", "name": "Aunt Hild", "command": command[1:]}]
    roster = read_roster(json.dumps(army).encode(), name="autumn.owb.json")

    assert roster.format == "old-world-builder"
    assert counts(roster) == [
        ("Old Marl", [("Old Marl", 1)]),
        ("Reeves", [("Reeves, standard", 1), ("Reeves", 19)]),
        ("Slingers", [("Slingers", 5)]),
    ]
    assert roster.units[0].display_name == "Aunt Hild"
    assert roster.remarks[0].text == "Warhammer: The Old World"


def test_ttga_units_are_made_of_their_troopers() -> None:
    axe = {"name": "Axe", "range": 1}
    gun = {"name": "Sling", "range": 8, "area_of_effect": 3}
    grunt = {
        "name": "Reeve Grunt",
        "basic_type": "Trooper",
        "base_size": 30,
        "model_statistics": {"spd": 6, "ctrl": -1},
    }
    grunt |= {"melee_weapons": [axe], "range_weapons": [gun], "advantages": ["Pathfinder", "Well Fed"]}
    unit = {"name": "Reeves", "basic_type": "Unit", "troopers": [{"model_name": "Reeve Grunt", "quantity": 5}]}
    roster = read_roster(json.dumps({"models": [grunt, unit]}).encode())

    assert counts(roster) == [("Reeves", [("Reeve Grunt", 5)])]
    (model,) = roster.units[0].models
    assert (model.base, model.type, model.profile.spd_in) == (RoundBase(diameter_mm=30), "trooper", 6)
    assert (model.profile.melee[0].reach_in, model.profile.ranged[0].aoe_in) == (1, 3)
    assert model.profile.control_stat is None
    assert model.profile.abilities == ("pathfinder",)
    assert "Well Fed" in [remark.text for remark in roster.remarks]


def test_warmachine_data_by_id() -> None:
    spray = {"name": "Smoke", "type": "ranged", "statistics": {"range": "Spray 8"}}
    entry = {
        "name": "Reeves",
        "type": "unit",
        "baseSize": 40,
        "grunts": 5,
        "statistics": {"speed": 5, "controlRange": 12},
    }
    entry |= {"weapons": {"smoke": spray}, "advantages": ["eyelessSight"]}
    (unit,) = read_roster(json.dumps({"reeves": entry}).encode()).units

    (model,) = unit.models
    assert (model.entry_id, model.count, model.base) == ("reeves", 5, RoundBase(diameter_mm=40))
    assert (model.profile.spd_in, model.profile.control_stat, model.profile.ranged[0].spray_in) == (5, 12, 8)
    assert model.profile.abilities == ("eyeless-sight",)


APP = """Autumn march (1005 points)

Marches
Strike Force (2000 points)

CHARACTERS

Old Marl (80 points)
  • 1x Ladle
  • Warlord

BATTLELINE

Reeves (160 points)
  • 1x Reeve Sergeant
     ◦ 1x Bill
  • 9x Reeve
     ◦ 9x Bill

Exported with App Version: v1.2.3
"""
NEW_RECRUIT = """# ++ Army Roster ++ (Copper Wars) [1005 pts]
## Configuration
## Characters [80 pts]
Old Marl [80 pts]: Ladle, Warlord

10x Reeves (160 pts)
• 1x Reeve Sergeant: Bill
• 9x Reeve: 9 with Bill
"""
OLD_WORLD = """===
Autumn march [1005 pts]
Warhammer: The Old World, Marches
===

++ Characters [80 pts] ++

Old Marl [80 pts]
- General

++ Core Units [160 pts] ++

10 Reeves [160 pts]
- Bills
- 5 Slingers

---
Created with "Old World Builder"

[https://old-world-builder.com]
"""


def test_text_of_the_app() -> None:
    assert counts(read_roster(APP.encode())) == [
        ("Old Marl", [("Old Marl", 1)]),
        ("Reeves", [("Reeve Sergeant", 1), ("Reeve", 9)]),
    ]


def test_text_of_new_recruit() -> None:
    assert counts(read_roster(NEW_RECRUIT.encode())) == [
        ("Old Marl", [("Old Marl", 1)]),
        ("Reeves", [("Reeve Sergeant", 1), ("Reeve", 9)]),
    ]


def test_text_of_old_world_builder_asks_about_a_detachment() -> None:
    roster = read_roster(OLD_WORLD.encode())

    assert counts(roster) == [("Old Marl", [("Old Marl", 1)]), ("Reeves", [("Reeves", 10)])]
    assert ("Reeves", "5 Slingers") in [(remark.where, remark.text) for remark in roster.remarks]
    assert roster.game == "Warhammer: The Old World"


def test_typed_lines_keep_what_they_do_not_understand() -> None:
    roster = read_roster(b"3 Reeve, red, 30\n???\nOld Marl\n2 Elk, blue, 25x50\n")

    assert counts(roster) == [("Reeve", [("Reeve", 3)]), ("Old Marl", [("Old Marl", 1)]), ("Elk", [("Elk", 2)])]
    assert roster.units[2].models[0].base == RectBase(width_mm=25, depth_mm=50)
    assert [remark.where for remark in roster.remarks] == ["line 2"]


def test_typed_lines_that_name_nobody_are_one_problem() -> None:
    with pytest.raises(BadRoster, match="names a miniature"):
        read_roster(b"30\n12\n")


@pytest.mark.parametrize(
    ("text", "edition", "base"),
    [
        ("30mm", None, RoundBase(diameter_mm=30)),
        ("50", "warhammer-9", RectBase(width_mm=50, depth_mm=50)),
        ("50", "warmachine-prime", RoundBase(diameter_mm=50)),
        ("25x50 mm", "warhammer-9", RectBase(width_mm=25, depth_mm=50)),
        ("75 x 42mm oval", None, OvalBase(width_mm=42, depth_mm=75)),
        ("60mm oval", None, None),
        ("25-32mm", None, None),
        ("small", None, None),
        ("9000", None, None),
    ],
)
def test_base_sizes_as_they_are_written(text: str, edition: EditionId | None, base: Base | None) -> None:
    read = read_base_size(text, edition)

    assert read.base == base
    assert (read.base is None) == (read.why is not None)


def test_a_size_that_no_catalogue_holds_is_said() -> None:
    assert read_base_size("33", "warmachine-prime").why == "warmachine-prime knows no base of this size"


def wrap(kind: str, nodes: list[dict[str, object]], *, is_xml2js: bool) -> object:
    """A list as converters of XML write it: an object with the only child, or a list of one such object."""
    return [{kind: nodes}] if is_xml2js else {kind: nodes if len(nodes) > 1 else nodes[0]}


@pytest.mark.parametrize("is_xml2js", [True, False], ids=["xml2js", "xml2json"])
def test_json_that_a_converter_made_of_xml_is_read(is_xml2js: bool) -> None:
    def node(children: dict[str, object], **attributes: str) -> dict[str, object]:
        return {"$": attributes, **children} if is_xml2js else {**attributes, **children}

    def inside(*nodes: dict[str, object]) -> dict[str, object]:
        return {"selections": wrap("selection", list(nodes), is_xml2js=is_xml2js)}

    slinger = node({}, name="Slinger", type="model", number="8")
    reeve = node({}, name="Reeve", type="model", number="1")
    force = node(inside(reeve, node(inside(slinger), name="Slingers", type="unit", number="1")), name="Patrol")
    roster = node({"forces": wrap("force", [force], is_xml2js=is_xml2js)}, name="Low water")

    read = read_roster(json.dumps({"roster": roster}).encode())

    assert read.name == "Low water"
    assert [(unit.name, unit.count) for unit in read.units] == [("Reeve", 1), ("Slingers", 8)]
