"""Every rule of a book is answered by a question, and each answer is held by a yes, a no and an edge worked by hand."""

from collections import Counter

import pytest

from models.queries import QUERIES, QUERY_CLASSES
from models.reading import read_query
from referee import ask
from tests.referee.scenario import Scenario
from tests.referee.scenarios.groups import GROUPS, SCENARIOS
from tests.referee.test_cases import difference

RULES = {
    rule: cls
    for cls in QUERY_CLASSES
    if cls.__module__.removeprefix("models.queries.") in GROUPS
    for rule in cls.rules_of("warmachine-prime")
}
_NO_NUMBER = 0.05  # hand-worked numbers are given to a few hundredths


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.name)
def test_the_verdict_is_the_one_worked_by_hand(scenario: Scenario) -> None:
    verdict = ask(scenario.state, read_query(scenario.query)).model_dump(mode="json")
    expected = dict(scenario.expect)

    tolerance = expected.pop("tolerance", _NO_NUMBER)
    assert difference(expected, verdict, tolerance) is None


def test_every_rule_has_its_yes_its_no_and_its_edge() -> None:
    have = Counter((s.rule, s.side) for s in SCENARIOS)

    assert have == Counter({(rule, side): 1 for rule in RULES for side in ("yes", "no", "edge")})


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.name)
def test_a_scenario_asks_the_question_that_covers_its_rule(scenario: Scenario) -> None:
    assert QUERIES[scenario.query["kind"]] is RULES[scenario.rule]


@pytest.mark.parametrize("scenario", [s for s in SCENARIOS if s.side == "edge"], ids=lambda s: s.name)
def test_an_edge_is_at_zero_or_says_what_is_exactly_at_its_limit(scenario: Scenario) -> None:
    told = {scenario.expect.get("margin_mm"), scenario.expect.get("margin_deg")}

    assert scenario.exactly or 0.0 in told


@pytest.mark.parametrize("scenario", [s for s in SCENARIOS if s.side != "edge"], ids=lambda s: s.name)
def test_a_question_that_decides_is_answered_with_its_side(scenario: Scenario) -> None:
    assert scenario.expect.get("answer") in (scenario.side, None)


def test_at_most_a_tenth_of_the_rules_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    answered = {"decided", "measured"}
    refused = {
        s.rule for s in SCENARIOS if s.side == "yes" and ask(s.state, read_query(s.query)).status not in answered
    }
    with capsys.disabled():
        print(f"\nwarmachine-prime: {len(RULES) - len(refused)} rules answered, "
              f"{len(refused)} refused, {len(RULES)} in all")  # fmt: skip

    assert len(refused) <= len(RULES) / 10
