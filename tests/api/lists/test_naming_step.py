"""The demo's names: who stands where when the recording begins."""

import json

from api.cards.card_file import SHIPPED as MARCHES
from api.cards.card_file import load_files
from api.cli.serve import LISTS, SHIPPED
from api.corrections.apply import apply_correction
from api.corrections.schemas import note_places
from api.lists.army import add_list
from api.lists.naming import Places, placed_correction
from api.rosters.read import read_roster
from api.setups.schemas import Roster
from models.state import TableState

CARDS = load_files([MARCHES]).cards()
PLACES = Places.model_validate(json.loads((SHIPPED / "names.json").read_text()))


def shipped_lists() -> Roster:
    roster = Roster(expected=())
    for side, file in LISTS:
        roster = add_list(roster, read_roster((SHIPPED / file).read_bytes()), side, CARDS, file=file)
    return roster


def beginning() -> TableState:
    """The recording's first table: sizes by the cards, a little off as measured, nobody known."""
    bases = {(one.name, one.side): one.base for one in shipped_lists().expected}
    miniatures = [
        {"id": f"m{i}", "base": bases[place.name, place.side], "at_mm": (place.at_mm[0] + 0.4, place.at_mm[1])}
        for i, place in enumerate(PLACES.places)
    ]
    table = {"width_mm": 1219.2, "depth_mm": 1219.2}
    return TableState.model_validate({"edition": "warmachine-prime", "table": table, "miniatures": miniatures})


def test_the_lists_of_the_demo_name_everybody_and_every_card_is_found() -> None:
    expected = shipped_lists().expected

    assert sum(one.count for one in expected) == len(PLACES.places) == 17
    assert all(one.card is not None and one.base is not None for one in expected)


def test_everybody_at_his_place_is_named_in_one_step_with_his_facing() -> None:
    state = beginning()
    step = placed_correction(shipped_lists(), state, PLACES)
    assert step is not None
    named = apply_correction(state, note_places(step, state))

    assert {(m.name, m.side) for m in named.miniatures} == {(place.name, place.side) for place in PLACES.places}
    assert all(m.facing_deg is not None and m.profile.spd_in is not None for m in named.miniatures)
    assert {unit.name for unit in named.units} == {"Reeves", "Fen Archers", "Slingers"}
    assert placed_correction(shipped_lists(), named, PLACES) is None


def test_what_was_told_once_is_not_told_again() -> None:
    state = beginning()

    assert placed_correction(shipped_lists(), state, PLACES, frozenset(m.id for m in state.miniatures)) is None
