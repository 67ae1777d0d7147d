"""Every rule of a book is answered by a question, and each answer is held by a yes, a no and an edge worked by hand."""

from collections import Counter

import pytest

from models.queries import QUERIES, QUERY_CLASSES, BaseQuery, Distance
from models.vocabulary import EditionId
from referee import EDITIONS
from tests.referee.scenario import Scenario
from tests.referee.scenarios.first import book as first
from tests.referee.scenarios.groups import SCENARIOS
from tests.referee.scenarios.hordes import book as hordes
from tests.referee.scenarios.warhammer import book as warhammer
from tests.referee.test_cases import difference
from tests.rows import every_row

BOOKS: dict[EditionId, tuple[Scenario, ...]] = {
    "warmachine-prime": SCENARIOS, "hordes-mk2": hordes.SCENARIOS, "warmachine-mk1": first.SCENARIOS,
    "warhammer-9": warhammer.SCENARIOS,
}  # fmt: skip
# The first edition amends books that are not at hand: what it does not say itself is named as borrowed.
BORROWED = {"warmachine-mk1": (EDITIONS["hordes-mk2"].book,)}
# Neither older book knows a colossal: that it is never placed is borrowed, with its page.
BORROWED_SECTIONS = {(EDITIONS["warmachine-prime"].book, "Colossal Movement")}
STATE_WORDS: dict[EditionId, dict[str, type[BaseQuery]]] = {"warhammer-9": {"war-machine-crew": Distance}}
"""Rules that are no question but a word of the state, with the question that their scenarios ask."""
RULES = {
    book: {rule: cls for cls in QUERY_CLASSES for rule in cls.rules_of(book)} | STATE_WORDS.get(book, {})
    for book in BOOKS
}
_NO_NUMBER = 0.05  # hand-worked numbers are given to a few hundredths


def _all(*sides: str) -> list[object]:
    """The scenarios of every book, those of some sides only where they are named."""
    asked = ((book, one) for book, scenarios in BOOKS.items() for one in scenarios)
    return [pytest.param(one, id=f"{book}-{one.name}") for book, one in asked if one.side in (sides or (one.side,))]


@every_row("scenario", _all())
def test_the_verdict_is_the_one_worked_by_hand(scenario: Scenario) -> None:
    verdict = scenario.verdict.model_dump(mode="json")
    expected = dict(scenario.expect)

    tolerance = expected.pop("tolerance", _NO_NUMBER)
    assert difference(expected, verdict, tolerance) is None


@pytest.mark.parametrize("book", BOOKS)
def test_every_rule_has_its_yes_its_no_and_its_edge(book: EditionId) -> None:
    have = Counter((s.rule, s.side) for s in BOOKS[book])

    assert have == Counter({(rule, side): 1 for rule in RULES[book] for side in ("yes", "no", "edge")})


@every_row("scenario", _all())
def test_a_scenario_asks_the_question_that_covers_its_rule(scenario: Scenario) -> None:
    assert QUERIES[scenario.query["kind"]] is RULES[scenario.state.edition][scenario.rule]


@every_row("scenario", _all("edge"))
def test_an_edge_is_at_zero_or_says_what_is_exactly_at_its_limit(scenario: Scenario) -> None:
    told = {scenario.expect.get("margin_mm"), scenario.expect.get("margin_deg")}

    assert scenario.exactly or 0.0 in told


@every_row("scenario", _all("yes", "no"))
def test_a_question_that_decides_is_answered_with_its_side(scenario: Scenario) -> None:
    assert scenario.expect.get("answer") in (scenario.side, None)


@pytest.mark.parametrize("book", BOOKS)
def test_at_most_a_tenth_of_the_rules_is_refused(book: EditionId, capsys: pytest.CaptureFixture[str]) -> None:
    answered = {"decided", "measured"}
    refused = {s.rule for s in BOOKS[book] if s.side == "yes" and s.verdict.status not in answered}
    rules = RULES[book]
    with capsys.disabled():
        print(f"\n{book}: {len(rules) - len(refused)} rules answered, {len(refused)} refused, {len(rules)} in all")

    assert len(refused) <= len(rules) / 10


@every_row("scenario", _all())
def test_every_reason_cites_the_book_that_is_asked(scenario: Scenario) -> None:
    edition = scenario.state.edition
    sources = {reason.source for reason in scenario.verdict.because}
    own = {one.book for one in sources if (one.book, one.section) not in BORROWED_SECTIONS}
    assert own <= {EDITIONS[edition].book, *BORROWED.get(edition, ())}
