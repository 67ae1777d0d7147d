"""Readings: every house rule under which this very answer would be another is named in the verdict."""

import random

import pytest

from models.house_rules import HOUSE_RULES
from models.parsing import parse_query
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict
from models.vocabulary import EditionId
from referee import EDITIONS, ask
from referee.rules.exact_table import ExactTable
from tests.referee.tables import box, mini, table
from tests.referee.test_rules_covered import BOOKS

TABLES = 8
POLICY = "measure-policy"  # who may ask what: no reading of what is found


def other_readings(state: TableState) -> list[tuple[str, str]]:
    """All that this table's book leaves in doubt, under each reading but the one in force."""
    edition = EDITIONS[state.edition]
    rules = [r for r in HOUSE_RULES.values() if state.edition in r.defaults and r.key != POLICY]
    here = ExactTable(state, edition)
    open_ = [rule for rule in rules if rule.key not in edition.settled_readings]
    return [(rule.key, reading) for rule in open_ for reading in rule.readings if reading != here.reading(rule.key)]


def unlike(state: TableState, query: BaseQuery, verdict: Verdict) -> dict[tuple[str, str], object]:
    """The readings under which the answer is another, found by asking each."""
    under = {(key, how): ask(state.with_house_rules(**{key: how}), query) for key, how in other_readings(state)}
    return {k: v.answer for k, v in under.items() if v.status == "decided" and v.answer is not verdict.answer}


def named(verdict: Verdict) -> dict[tuple[str, str], object]:
    return {(flip.house_rule, flip.reading): flip.answer for flip in verdict.flips_under}


def jostled(state: TableState, r: random.Random) -> TableState:
    """Each miniature left where it is, or moved by a little."""
    raw = state.model_dump()
    for miniature in raw["miniatures"]:
        if not miniature["unit"] and r.random() < 0.5:
            x, y = miniature["at_mm"]
            miniature["at_mm"] = [x + r.choice((0.0, r.gauss(0, 8.0))), y + r.choice((0.0, r.gauss(0, 8.0)))]
    return TableState.model_validate(raw)


@pytest.mark.parametrize("number", range(TABLES))
@pytest.mark.parametrize("book", BOOKS)
def test_no_reading_turns_an_answer_in_silence(book: EditionId, number: int) -> None:
    r = random.Random(f"{book} {number}")
    scenario = r.choice([s for s in BOOKS[book] if s.verdict.status == "decided"])
    state, query = jostled(scenario.state, r), parse_query(scenario.query)
    verdict = ask(state, query)

    if verdict.status == "decided":
        assert unlike(state, query, verdict).items() <= named(verdict).items()


def test_rough_ground_that_stops_a_charge_of_the_first_edition_is_named_where_half_rate_goes_on() -> None:
    charger = mini("a", 300, 600, 0, side="red", reach=0.5, profile={"spd_in": 6})
    state = table(
        charger,
        mini("t", 480, 600, 180, side="blue"),
        terrain=[box("g", "rough", 360, 500, 400, 700)],
    ).in_edition("warmachine-mk1").with_house_rules(measure_policy="allow")  # fmt: skip
    query = parse_query({"kind": "charge", "attacker": "a", "target": "t", "heading_deg": 0, "step": "attack"})
    verdict = ask(state, query)

    assert unlike(state, query, verdict) == named(verdict)
    assert ("charge-rough", "half-rate") in named(verdict)


@pytest.mark.parametrize("book", ["warmachine-prime", "hordes-mk2"])
def test_a_base_touched_in_passing_is_named_where_contact_would_not_stop(book: EditionId) -> None:
    charger = mini("a", 300, 600, 0, side="red", reach=0.5, profile={"spd_in": 6})
    grazed = mini("b", 360, 630, 180, side="blue")
    target = mini("t", 470, 600, 180, side="blue")
    state = table(charger, grazed, target).in_edition(book).with_house_rules(measure_policy="allow")
    query = parse_query({"kind": "charge", "attacker": "a", "target": "t", "heading_deg": 0, "step": "attack"})
    verdict = ask(state, query)

    assert unlike(state, query, verdict) == named(verdict)
    assert ("graze", "passes") in named(verdict)
