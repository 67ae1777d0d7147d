"""House rules of Warhammer: every ambiguity of the book is a key; where it matters the verdict names it, else not."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from models.house_rules import HOUSE_RULES
from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict
from referee import ask
from referee.rules.exact_table import ExactTable
from tests.referee.editions.warhammer_9 import house_rule_tables, house_rule_tables_of_moves
from tests.referee.editions.warhammer_9.house_rule_tables import Switch
from tests.referee.scenarios.warhammer.book import SCENARIOS

SWITCHES = (*house_rule_tables.SWITCHES, *house_rule_tables_of_moves.SWITCHES)
QUIET = (*house_rule_tables.QUIET, *house_rule_tables_of_moves.QUIET)
_KEYS = {key: rule for key, rule in HOUSE_RULES.items() if "warhammer-9" in rule.defaults}
_NEVER = {
    ("missing-text", "borrow-hordes-mk2"): "HORDES has neither the maps nor the tables that this book lacks: it asks",
}
TURNING = [switch for switch in SWITCHES if switch.found]


def _id(switch: Switch) -> str:
    return f"{switch.key}-{switch.reading}"


_IDS = [_id(switch) for switch in SWITCHES]


def asked(switch: Switch, reading: str | None = None) -> Verdict:
    chosen = {} if reading is None else {switch.key: reading}
    return _asked(switch.state, switch.query, chosen)


def _asked(state: TableState, query: dict[str, Any], chosen: dict[str, str]) -> Verdict:
    return ask(state.with_house_rules(**chosen) if chosen else state, parse_query(query))


def _told(verdict: Verdict) -> tuple[object, ...]:
    """All that a verdict finds; of clauses and members of a question that decides, how each is answered."""
    decided = verdict.status == "decided"
    members = sorted((m.id, m.answer) for m in verdict.members) if decided else verdict.members
    value = _without_margins(verdict.value) if decided else verdict.value
    return verdict.status, verdict.answer, verdict.margin_mm, verdict.margin_deg, value, members


def _without_margins(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_margins(one) for one in value]
    left = (
        {k: v for k, v in value.items() if k != "margin_mm" or "clause" not in value} if isinstance(value, dict) else {}
    )
    return {k: _without_margins(v) for k, v in left.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize("switch", SWITCHES, ids=_IDS)
def test_the_other_reading_finds_something_else(switch: Switch) -> None:
    default, other = asked(switch), asked(switch, switch.reading)

    assert _told(default) != _told(other)
    assert switch.found is None or (default.answer, other.answer) == switch.found


@pytest.mark.parametrize("switch", SWITCHES, ids=_IDS)
def test_where_it_matters_it_is_named_with_the_reading_in_force(switch: Switch) -> None:
    default = _KEYS[switch.key].defaults["warhammer-9"]

    assert asked(switch).house_rules.get(switch.key) == default
    assert asked(switch, switch.reading).house_rules.get(switch.key) == switch.reading


@pytest.mark.parametrize("switch", TURNING, ids=[_id(switch) for switch in TURNING])
def test_a_reading_that_turns_the_answer_stands_among_the_flips(switch: Switch) -> None:
    flips = {(flip.house_rule, flip.reading): flip.answer for flip in asked(switch).flips_under}

    assert switch.found is not None
    assert flips[switch.key, switch.reading] == switch.found[1]


class Heard(NamedTuple):
    """A table, what was said of it, and which house rules were read for it."""

    name: str
    state: TableState
    query: dict[str, Any]
    verdict: Verdict
    read: frozenset[str]

    @property
    def mattering(self) -> set[str]:
        """The house rules whose other readings would have found something else."""
        asked = {key: _others(self.state, self.query, key) for key in self.read}
        return {key for key, others in asked.items() if any(_told(other) != _told(self.verdict) for other in others)}


@pytest.fixture(scope="module")
def heard() -> list[Heard]:
    """Every table of the switches, of those where nothing is to be named, and of the scenarios."""
    tables = [(name, switch.state, switch.query) for name, switch in zip(_IDS, SWITCHES, strict=True)]
    tables += [(f"{quiet.key}-quiet", quiet.state, quiet.query) for quiet in QUIET]
    tables += [(scenario.name, scenario.state, scenario.query) for scenario in SCENARIOS]
    with pytest.MonkeyPatch.context() as patched:
        read = _recorded(patched)
        return [_heard(name, state, query, read) for name, state, query in tables]


def _recorded(patched: pytest.MonkeyPatch) -> set[str]:
    """The house rules that are read from now on."""
    read: set[str] = set()
    plain = ExactTable.reading

    def reading(self: ExactTable, key: str) -> str:
        read.add(key)
        return plain(self, key)

    patched.setattr(ExactTable, "reading", reading)
    return read


def _heard(name: str, state: TableState, query: dict[str, Any], read: set[str]) -> Heard:
    read.clear()
    verdict = _asked(state, query, {})
    return Heard(name, state, query, verdict, frozenset(read & set(_KEYS)))


def _others(state: TableState, query: dict[str, Any], key: str) -> Iterator[Verdict]:
    """What is found under each other reading than that in force."""
    now = state.house_rules.get(key, _KEYS[key].defaults["warhammer-9"])
    return (_asked(state, query, {key: how}) for how in _KEYS[key].readings if how != now)


def _misnamed(heard: list[Heard]) -> dict[str, set[str]]:
    """By table the house rules that are named and do not matter, or matter and are not named."""
    return {h.name: wrong for h in heard if (wrong := set(h.verdict.house_rules) ^ h.mattering)}


def test_a_verdict_names_just_those_house_rules_that_mattered(heard: list[Heard]) -> None:
    """On each table of a switch, and on each third scenario."""
    others = len(heard) - len(SCENARIOS)

    assert _misnamed([*heard[:others], *heard[others::3]]) == {}


@pytest.mark.slow
def test_a_verdict_names_just_those_house_rules_that_mattered_in_every_scenario(heard: list[Heard]) -> None:
    assert _misnamed(heard) == {}


def test_every_house_rule_is_named_on_some_table_and_read_in_silence_on_another(heard: list[Heard]) -> None:
    named = {key for one in heard for key in one.verdict.house_rules}
    silent = {key for one in heard for key in one.read - set(one.verdict.house_rules)}

    assert set(_KEYS) - named == {"missing-text"}
    assert set(_KEYS) - silent == {"missing-text"}


def test_what_the_text_lacks_is_asked_for_and_the_verdict_says_by_which_rule() -> None:
    state = house_rule_tables_of_moves.SWITCHES[0].state
    verdict = _asked(state, {"kind": "deployment", "who": "A", "manner": "normal"}, {})

    assert (verdict.status, verdict.house_rules) == ("unknown", {"missing-text": "ask"})


def test_every_other_reading_has_a_table_on_which_it_finds_something_else_or_a_reason_why_there_is_none() -> None:
    shown = {(switch.key, switch.reading) for switch in SWITCHES}
    others = {(key, how) for key, rule in _KEYS.items() for how in rule.readings if how != rule.defaults["warhammer-9"]}

    assert others - shown - set(_NEVER) == set()
    assert shown | set(_NEVER) <= others


def test_every_ambiguity_of_the_book_has_its_key() -> None:
    told = {int(n) for rule in _KEYS.values() for n in re.findall(r"W[^·]*?AMB-(\d+)", rule.digest)}

    assert told == set(range(1, 39))
