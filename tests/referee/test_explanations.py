"""A verdict explains itself as a judge would: which rule, and what was found here, in a few sentences."""

from referee import EDITIONS
from tests.referee.scenario import Scenario
from tests.referee.tables import asked, mini, table
from tests.referee.test_rules_covered import BOOKS
from tests.rows import every_row

PRIME = EDITIONS["warmachine-prime"]  # the field test of HORDES numbers no page that it refers to
SCENARIOS = [one for scenarios in BOOKS.values() for one in scenarios]


@every_row("scenario", SCENARIOS, ids=lambda s: s.full_name)
def test_a_verdict_gives_few_reasons_and_each_has_its_place(scenario: Scenario) -> None:
    reasons = scenario.verdict.because

    assert 1 <= len(reasons) <= 4
    assert all(reason.source.section for reason in reasons)
    assert all(reason.source.page for reason in reasons if reason.source.book == PRIME.book)


@every_row("scenario", SCENARIOS, ids=lambda s: s.full_name)
def test_what_was_found_is_said_in_whole_sentences(scenario: Scenario) -> None:
    reasons = scenario.verdict.because

    assert all(text.endswith(".") for reason in reasons for text in (reason.says, reason.effect) if text)


@every_row("scenario", SCENARIOS, ids=lambda s: s.full_name)
def test_a_margin_is_never_given_without_the_length_it_came_from(scenario: Scenario) -> None:
    verdict = scenario.verdict
    effects = " ".join(reason.effect or "" for reason in verdict.because)

    told = any(word in effects for word in ("mm (", "degrees", "limit", "touches", "equally high", ":"))
    assert told or verdict.capped or verdict.margin_mm is None


def test_names_are_used_where_they_are_known() -> None:
    state = table(mini("a", 300, 300, name="Stryker"), mini("b", 450, 300, name="Deneghra"))
    reason = asked(state, "within", a="a", b="b", range_in=5).because[0]

    assert reason.effect == "Stryker and Deneghra are 120.0 mm (4.72 in) apart, 7.0 mm (0.28 in) to spare."


def test_who_does_not_count_is_named_with_the_rule() -> None:
    state = table(mini("a", 100, 300), mini("t", 400, 300), mini("b", 250, 300, mm=50, status=["knocked-down"]))
    reasons = asked(state, "los", viewer="a", target="t").because

    assert ("Knockdown", 61, "b: looked past.") in {(r.source.section, r.source.page, r.effect) for r in reasons}
