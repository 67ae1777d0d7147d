"""Open edition: verdicts on tables worked by hand, and that every question has one."""

import pytest

from models.parsing import parse_query
from models.queries import QUERIES, QUERY_CLASSES
from referee import EDITIONS, ask
from tests.referee.scenario import Scenario
from tests.referee.scenarios.open_edition import SCENARIOS
from tests.referee.test_cases import difference


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.name)
def test_the_verdict_is_the_one_worked_by_hand(scenario: Scenario) -> None:
    verdict = ask(scenario.state, parse_query(scenario.query)).model_dump(mode="json")
    expected = dict(scenario.expect)

    tolerance = expected.pop("tolerance", 0.05)
    assert difference(expected, verdict, tolerance) is None


def test_every_question_that_it_answers_has_a_worked_table() -> None:
    assert {QUERIES[one.query["kind"]] for one in SCENARIOS} == set(EDITIONS["open"].rules)


def test_every_question_that_names_the_edition_is_answered_and_no_other() -> None:
    assert {cls for cls in QUERY_CLASSES if "open" in cls.EDITIONS} == set(EDITIONS["open"].rules)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.name)
def test_no_reason_cites_a_book(scenario: Scenario) -> None:
    verdict = ask(scenario.state, parse_query(scenario.query))

    assert {reason.source.book for reason in verdict.because} == {EDITIONS["open"].book}
    assert {reason.source.page for reason in verdict.because} == {None}
