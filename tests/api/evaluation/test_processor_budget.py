"""Processor time is shared out by seat, and by address where there is none."""

import pytest

from api.errors import OverBudget
from api.evaluation.asker import Allowance, Asker, Rank, answering
from api.evaluation.processor_budget import LIMITS, ProcessorBudget
from api.evaluation.scheduler import DeadlineScheduler, yield_to_urgent
from models.queries import BaseQuery, Distance
from models.state import TableState
from models.verdict import Verdict
from tests.api import fakes
from tests.api.worlds import skirmish

VIEWER = LIMITS[Rank.VIEWER]


def test_an_empty_bucket_refuses_its_address_alone_and_refills() -> None:
    now_s = [0.0]
    budget = ProcessorBudget(clock=lambda: now_s[0])
    budget.admit(Rank.VIEWER, "10.0.0.1").spend(VIEWER.burst_s + 1)

    with pytest.raises(OverBudget) as refused:
        budget.admit(Rank.VIEWER, "10.0.0.1")
    budget.admit(Rank.VIEWER, "10.0.0.2")
    budget.admit(Rank.PLAYER, "player-a")
    now_s[0] += refused.value.facts["retry_after_s"]
    budget.admit(Rank.VIEWER, "10.0.0.1")


def test_a_bucket_holds_no_more_than_its_burst() -> None:
    now_s = [0.0]
    budget = ProcessorBudget(clock=lambda: now_s[0])
    budget.admit(Rank.VIEWER, "10.0.0.1")
    now_s[0] += 1e6
    budget.admit(Rank.VIEWER, "10.0.0.1").spend(VIEWER.burst_s)

    with pytest.raises(OverBudget):
        budget.admit(Rank.VIEWER, "10.0.0.1")


def test_addresses_that_come_and_go_are_forgotten() -> None:
    budget = ProcessorBudget(clock=lambda: 0.0)
    for k in range(10_000):
        budget.admit(Rank.VIEWER, f"10.0.{k // 250}.{k % 250}")

    assert len(budget._buckets) <= 4096


def test_an_answer_that_takes_longer_than_it_may_ends_between_two_steps_and_is_charged() -> None:
    spent_s, steps = list[float](), [0]

    def endless(state: TableState, query: BaseQuery) -> Verdict:
        while steps[0] < 10_000_000:
            steps[0] += 1
            yield_to_urgent()
        return fakes.ask(state, query)

    with answering(Asker(allowance=Allowance(0.05, spent_s.append))), pytest.raises(OverBudget):
        DeadlineScheduler(endless)(skirmish(), Distance(a="m1", b="m2"))

    assert 0.05 <= spent_s[0] < 2
