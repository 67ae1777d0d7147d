"""Who is who: what is proposed from size, side, formation and deployment, and what nobody guesses."""

import pytest

from api.cards.card_file import SHIPPED as MARCHES
from api.cards.card_file import CardLibrary, load_files
from api.errors import BadCorrection
from api.lists.army import add_list, answer_question, remove_list
from api.lists.naming import naming_of
from api.lists.schemas import ListAnswer, ListNaming
from api.rosters.read import read_roster
from api.setups.schemas import Roster
from models.base import RoundBase
from models.profile import Card
from models.state import TableState
from tests.api.lists.tables import TYPED_BLUE, TYPED_RED, deployed
from tests.api.rosters.lists import body, force, ros, selection

LIBRARY = load_files([MARCHES])


def two_lists(library: CardLibrary = LIBRARY) -> Roster:
    roster = add_list(Roster(expected=()), read_roster(TYPED_RED), "red", library.cards(), file="red.txt")
    return add_list(roster, read_roster(TYPED_BLUE), "blue", library.cards(), file="blue.txt")


def proposed(naming: ListNaming) -> dict[str, list[str]]:
    return {one.expected.name: sorted(one.proposed, key=lambda id_: int(id_[1:])) for one in naming.entries}


def ids(first: int, count: int) -> list[str]:
    return [f"m{first + i}" for i in range(count)]


def test_units_are_proposed_by_size_side_and_formation() -> None:
    assert proposed(naming_of(two_lists(), deployed())) == {
        "Reeve": ids(0, 6),
        "Slinger": ids(6, 8),
        "Bellwether": ids(14, 1),
        "Pikeman": ids(15, 10),
        "Toll Guard": ids(25, 2),
        "Drover": ids(27, 1),
    }


def test_only_what_nobody_else_may_be_is_sure() -> None:
    sure = {one.expected.name for one in naming_of(two_lists(), deployed()).entries if one.is_sure}

    assert sure == {"Bellwether", "Pikeman", "Toll Guard", "Drover"}


def test_a_side_that_was_told_comes_before_the_edge() -> None:
    state = deployed()
    told = state.model_dump()
    for one in told["miniatures"]:
        one["side"] = "blue" if one["id"] in ids(0, 6) else "red" if one["id"] in ids(15, 10) else None
    naming = naming_of(two_lists(), TableState.model_validate(told))

    assert not set(proposed(naming)["Reeve"]) & set(ids(0, 6))


def test_a_card_brings_numbers_and_says_where_from() -> None:
    reeve = two_lists().expected[0]

    assert reeve.card == "Reeve, invented for Tableside"
    assert (reeve.profile.spd_in, reeve.profile.melee[0].reach_in, reeve.command_in) == (6, 2, 7)


def test_where_two_cards_fit_a_player_is_asked_and_his_answer_holds() -> None:
    twins = (
        Card(id="a", name="Osk the Elder", also=("Osk",), base=RoundBase(diameter_mm=40)),
        Card(id="b", name="Osk the Younger", also=("Osk",)),
    )
    roster = add_list(Roster(expected=()), read_roster(b"Osk, red\n"), "red", twins)
    (question,) = roster.lists[0].questions
    answered = answer_question(roster, ListAnswer(entry=question.entry, asks="card", choice="Osk the Elder"), twins)

    assert (question.asks, question.choices) == ("card", ("Osk the Elder", "Osk the Younger"))
    assert answered.expected[0].base == RoundBase(diameter_mm=40)
    assert answered.lists[0].questions == ()


def test_a_number_in_a_name_is_asked_about() -> None:
    read = read_roster(ros(force(selection("Rabble", "unit", selection("10 Rabble", "model", cards=body("Rabble"))))))
    roster = add_list(Roster(expected=()), read, "red", ())
    (question,) = roster.lists[0].questions
    answered = answer_question(roster, ListAnswer(entry=question.entry, asks="count", choice="10"), ())

    assert question.choices == ("1", "10")
    assert answered.expected[0].count == 10


def test_an_answer_that_makes_more_than_a_table_takes_is_refused() -> None:
    read = read_roster(ros(force(selection("Rabble", "unit", selection("10 Rabble", "model", cards=body("Rabble"))))))
    roster = Roster(expected=())
    for side in ("red", "blue", "green"):
        roster = add_list(roster, read, side, ())
    first, second, _ = (ListAnswer(entry=one.questions[0].entry, asks="count", choice="500") for one in roster.lists)
    roster = answer_question(roster, first, ())

    with pytest.raises(BadCorrection, match="1001 miniatures"):
        answer_question(roster, second, ())


def test_a_base_that_the_list_leaves_open_is_asked_for() -> None:
    read = read_roster(ros(force(selection("Elk", "model", cards=body("Elk", Base="60mm oval")))))
    roster = add_list(Roster(expected=()), read, "red", ())
    (question,) = roster.lists[0].questions
    answered = answer_question(roster, ListAnswer(entry=question.entry, asks="base", choice="60"), ())

    assert "60mm oval" in question.says
    assert answered.expected[0].base == RoundBase(diameter_mm=60)


def test_another_list_of_a_side_takes_the_place_of_its_own_only() -> None:
    roster = add_list(two_lists(), read_roster(b"3 Heron, red, 40\n"), "red", ())

    assert [(one.side, one.name) for one in roster.expected if one.side == "red"] == [("red", "Heron")]
    assert len([one for one in roster.expected if one.side == "blue"]) == 3
    assert {one.side for one in remove_list(roster, "red").lists} == {"blue"}


def test_a_list_far_too_large_for_the_table_is_said() -> None:
    roster = add_list(Roster(expected=()), read_roster(b"200 Reeve, red, 30\n" * 2), "red", ())

    assert any("400 miniatures, and 28 stand" in note for note in naming_of(roster, deployed()).notes)


def test_two_lists_of_one_name_are_said_and_kept_apart() -> None:
    roster = add_list(Roster(expected=()), read_roster(b"6 Reeve, red, 30\n"), "red", (), file="army.txt")
    roster = add_list(roster, read_roster(b"10 Reeve, blue, 30\n"), "blue", (), file="army.txt")
    naming = naming_of(roster, deployed())

    assert any("army.txt" in note for note in naming.notes)
    assert [sorted(one.proposed) for one in naming.entries] == [sorted(ids(0, 6)), sorted(ids(15, 10))]


def test_a_size_that_the_rulebook_does_not_know_is_said() -> None:
    roster = add_list(Roster(expected=()), read_roster(b"2 Reeve, red, 33\n"), "red", ())

    assert any(note.startswith("Reeve: no base of the rulebook") for note in naming_of(roster, deployed()).notes)


@pytest.mark.parametrize(("game", "is_said"), [("Warmachine", False), ("Copper Wars 2", True)])
def test_only_another_game_than_the_one_played_is_said_to_be_no_rulebook_here(game: str, is_said: bool) -> None:
    read = read_roster(ros(force(selection("Hare", "model", cards=body("Hare"))), game=game))
    roster = add_list(Roster(expected=()), read, "red", ())

    assert any("is no rulebook here" in note for note in naming_of(roster, deployed()).notes) == is_said


def test_units_of_one_name_are_told_apart() -> None:
    units = [selection("Reeves", "unit", selection("Reeve", "model", number=3), cards=body("Reeve")) for _ in range(2)]
    roster = add_list(Roster(expected=()), read_roster(ros(force(*units))), "red", ())

    assert [one.unit_name for one in roster.expected] == ["Reeves 1", "Reeves 2"]
    assert len({one.entry for one in roster.expected}) == len({one.unit for one in roster.expected}) == 2
