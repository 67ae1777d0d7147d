"""BattleScribe and New Recruit: what a selection stands for, whatever it is called."""

import json

import pytest

from api.errors import BadRoster
from api.rosters.read import read_roster
from models.base import RectBase, RoundBase
from models.roster import RosterList
from tests.api.rosters.lists import body, card, force, ros, selection, zipped


def counts(roster: RosterList) -> list[tuple[str, list[tuple[str, int]]]]:
    return [(unit.name, [(model.name, model.count) for model in unit.models]) for unit in roster.units]


def test_one_and_seventeen_models_in_a_unit() -> None:
    leader = selection("Reeve", "model")
    others = selection("Reeve", "model", number=17)
    roster = read_roster(ros(force(selection("Reeves", "unit", leader, others, cards=body("Reeve")))))

    assert counts(roster) == [("Reeves", [("Reeve", 1), ("Reeve", 17)])]
    assert roster.miniatures == 18


def test_a_model_at_top_level_is_a_unit_of_one() -> None:
    roster = read_roster(ros(force(selection("Old Marl", "model", cards=body("Old Marl", move="7")))))

    assert counts(roster) == [("Old Marl", [("Old Marl", 1)])]
    assert roster.units[0].models[0].profile.spd_in == 7


def test_units_on_the_force_and_in_nested_forces() -> None:
    inner = force(selection("Wains", "unit", selection("Wain", "model", number=2)), name="Vanguard")
    roster = read_roster(ros(force(selection("Bier", "unit", cards=body("Bier")), inside=inner)))

    assert [(unit.name, unit.force) for unit in roster.units] == [("Bier", "Host"), ("Wains", "Vanguard")]
    assert (roster.counts.forces, roster.counts.nested_forces, roster.counts.model_count) == (1, 1, 2)


def test_a_leader_on_the_unit_and_a_helper_with_numbers_of_its_own_are_two() -> None:
    helper = selection("Lamp Boy", "model", cards=body("Lamp Boy"))
    roster = read_roster(ros(force(selection("Lampwright", "unit", helper, cards=body("Lampwright")))))

    assert counts(roster) == [("Lampwright", [("Lampwright", 1), ("Lamp Boy", 1)])]


def test_an_option_with_numbers_stands_for_as_many_as_it_says() -> None:
    pikes = selection("Pikes", "upgrade", selection("Pike", "upgrade", number=9), number=9, cards=body("Pikeman"))
    roster = read_roster(ros(force(selection("Pike Band", "unit", pikes))))

    assert counts(roster) == [("Pike Band", [("Pikes", 9)])]


def test_a_unit_that_its_catalogue_calls_an_option_is_one_unit() -> None:
    models = (selection("Sapper", "model", cards=body("Sapper")), selection("Sappers", "model", number=4))
    roster = read_roster(ros(force(selection("Sapper Squad", "upgrade", *models))))

    assert counts(roster) == [("Sapper Squad", [("Sapper", 1), ("Sappers", 4)])]


def test_a_mount_is_no_further_miniature() -> None:
    mount = selection("Elk", "upgrade", cards=body("Elk", move="9"))
    roster = read_roster(ros(force(selection("Rider", "model", mount, cards=body("Rider")))))

    assert roster.miniatures == 1
    assert roster.units[0].models[0].profile.spd_in == 6


def test_a_form_below_a_model_brings_its_numbers() -> None:
    form = selection("Lance and shield", "model", cards=body("Guard with shield", move="5"))
    roster = read_roster(ros(force(selection("Guard", "model", form))))

    assert counts(roster) == [("Guard", [("Guard", 1)])]
    assert roster.units[0].models[0].profile.spd_in == 5


def test_a_number_in_a_name_is_asked_about_and_not_taken() -> None:
    roster = read_roster(ros(force(selection("Rabble", "unit", selection("10 Rabble", "model", number=2)))))

    (model,) = roster.units[0].models
    assert (model.count, model.may_be_count) == (2, 20)
    assert "20 miniatures" in roster.remarks[-1].why


def test_a_custom_name_is_kept_beside_the_catalogue_name() -> None:
    roster = read_roster(ros(force(selection("Reeve", "model", more='customName="Aunt Hild"', cards=body("Reeve")))))

    assert (roster.units[0].name, roster.units[0].display_name) == ("Reeve", "Aunt Hild")


@pytest.mark.parametrize(
    ("text", "rng_in", "spray_in"),
    [('10"', 10, None), ("3-15", (3, 15), None), ("Spray 8", 8, 8), ("12", 12, None), ("SP 6", 6, 6)],
)
def test_ranges_as_free_text(text: str, rng_in: object, spray_in: float | None) -> None:
    gun = card("Sling", Range=text, Attacks="1")
    roster = read_roster(ros(force(selection("Slinger", "model", cards=body("Slinger") + gun))))

    (weapon,) = roster.units[0].models[0].profile.ranged
    assert (weapon.rng_in, weapon.spray_in) == (rng_in, spray_in)


@pytest.mark.parametrize("text", ["D6", '2D6"', "see below"])
def test_a_range_that_is_no_number_is_kept_and_listed(text: str) -> None:
    gun = card("Squib", Range=text, Attacks="1")
    roster = read_roster(ros(force(selection("Slinger", "model", cards=body("Slinger") + gun))))

    assert roster.units[0].models[0].profile.ranged == ()
    assert roster.remarks[-1].text == f"range {text}"


def test_a_move_in_dice_is_kept_and_listed() -> None:
    roster = read_roster(ros(force(selection("Hare", "model", cards=body("Hare", move="2D6")))))

    assert roster.units[0].models[0].profile.spd_in is None
    assert [remark.text for remark in roster.remarks[1:]] == ["move 2D6"]


def test_a_base_size_on_the_card() -> None:
    roster = read_roster(ros(force(selection("Hare", "model", cards=body("Hare", Base_Size="32mm")))))

    assert roster.units[0].models[0].base == RoundBase(diameter_mm=32)


def test_a_rectangular_base_written_the_other_way_round_is_turned_and_said() -> None:
    game = "Warhammer 9th edition"
    roster = read_roster(ros(force(selection("Hare", "model", cards=body("Hare", Base="50x25"))), game=game))

    assert roster.edition == "warhammer-9"
    assert roster.units[0].models[0].base == RectBase(width_mm=25, depth_mm=50)
    assert roster.remarks[-1].why.startswith("written 50x25")


def test_another_game_is_named_and_still_read() -> None:
    roster = read_roster(ros(force(selection("Hare", "model"))))

    assert roster.edition is None
    assert (roster.remarks[0].text, roster.miniatures) == ("Copper Wars 2", 1)


def test_zip_and_json_twins_read_the_same() -> None:
    raw = ros(force(selection("Reeves", "unit", selection("Reeve", "model", number=3), cards=body("Reeve"))))
    cells = [{"name": "Move", "$text": '6"'}, {"name": "Health", "$text": "1"}, {"name": "Save", "$text": "5+"}]
    model = {"name": "Reeve", "type": "model", "number": 3, "entryId": "e-Reeve"}
    unit = {"name": "Reeves", "type": "unit", "number": 1, "entryId": "e-Reeves", "selections": [model]}
    unit["profiles"] = [{"id": "p-Reeve", "name": "Reeve", "characteristics": cells}]
    forces = [{"name": "Host", "selections": [unit]}]
    twin = json.dumps({"roster": {"name": "My host", "gameSystemName": "Copper Wars 2", "forces": forces}}).encode()

    plain = read_roster(raw)
    assert read_roster(zipped(raw), name="wrong.json") == plain
    assert read_roster(twin) == plain


def test_a_list_without_forces_is_one_problem() -> None:
    with pytest.raises(BadRoster, match="no force"):
        read_roster(ros())


def test_a_list_without_miniatures_is_one_problem() -> None:
    with pytest.raises(BadRoster, match="no miniature"):
        read_roster(ros(force(selection("Rules", "upgrade"))))
