"""House rules of Warhammer: every ambiguity of the book is a key, and where it matters the verdict names it."""

import re

import pytest

from models.house_rules import HOUSE_RULES
from models.reading import read_query
from models.state import TableState
from models.verdict import Verdict
from referee import ask
from tests.referee.regiments.readings import SWITCHES, Switch

_KEYS = {key: rule for key, rule in HOUSE_RULES.items() if "warhammer-9" in rule.defaults}
_ELSEWHERE = {
    "toward-from", "missing-text", "twelve-inches", "charge-side-by", "one-inch-when", "one-inch-exact",
    "wheel-measure", "reform-partner", "wheel-double-move", "swiftstride-move",
    "most-contact", "corner-contact", "dangerous-who", "pursuit-landing",
    "high-ground", "defended-by", "stand-shoot-move",
}  # fmt: skip # doubts of moves, charges, flight, combat and set-up
_IDS = [switch.key for switch in SWITCHES]


def asked(switch: Switch, reading: str | None = None) -> Verdict:
    state: TableState = switch.state
    if reading is not None:
        state = state.with_house_rules(**{switch.key.replace("-", "_"): reading})
    return ask(state, read_query(switch.query))


@pytest.mark.parametrize("switch", SWITCHES, ids=_IDS)
def test_the_other_reading_finds_something_else(switch: Switch) -> None:
    default, other = asked(switch), asked(switch, switch.reading)

    if switch.found is not None:
        assert (default.answer, other.answer) == switch.found
    else:
        assert (default.margin_mm, default.value, default.members) != (other.margin_mm, other.value, other.members)


@pytest.mark.parametrize("switch", SWITCHES, ids=_IDS)
def test_where_it_matters_it_is_named_with_the_reading_in_force(switch: Switch) -> None:
    default = _KEYS[switch.key].defaults["warhammer-9"]

    assert asked(switch).house_rules.get(switch.key) == default
    assert asked(switch, switch.reading).house_rules.get(switch.key) == switch.reading


@pytest.mark.parametrize("switch", [s for s in SWITCHES if s.found], ids=[s.key for s in SWITCHES if s.found])
def test_a_reading_that_turns_the_answer_stands_among_the_flips(switch: Switch) -> None:
    flips = {(flip.house_rule, flip.reading): flip.answer for flip in asked(switch).flips_under}

    assert switch.found is not None
    assert flips[switch.key, switch.reading] == switch.found[1]


def test_every_ambiguity_of_the_book_has_its_key_and_every_key_its_place() -> None:
    told = {int(n) for rule in _KEYS.values() for n in re.findall(r"W[^·]*?AMB-(\d+)", rule.digest)}

    assert told == set(range(1, 39))
    assert set(_IDS) | _ELSEWHERE == set(_KEYS)
    assert _ELSEWHERE.isdisjoint(_IDS)
