"""Processes that answer beside the server."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

import referee
from api.answers.pair_sheet import Pair, pair_sheet, pair_sheets
from api.errors import OverBudget
from api.evaluation.asker import Allowance, Asker, Rank, answering, current_asker, over_budget
from api.evaluation.cache import VerdictCache
from api.evaluation.worker_pool import Task, WorkerPool
from models.queries import BaseQuery, Distance, Los
from models.state import TableState
from models.verdict import Verdict
from tests.api import fakes
from tests.api.worlds import skirmish

PATIENCE_S = 120
SIGHT, DISTANCE = Los(viewer="m1", target="m2"), Distance(a="m1", b="m2")


def until(holds: object) -> None:
    end = time.monotonic() + PATIENCE_S
    while not (holds() if callable(holds) else holds):
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def at_work(workers: int = 1, **choices: Any) -> Iterator[WorkerPool]:
    pool = WorkerPool(workers=workers, **choices)
    pool.start()
    until(lambda: pool.has_workers)
    yield pool
    pool.close()
    until(lambda: not pool.has_workers)


@dataclass(frozen=True)
class Heavy:
    """A table larger than any line between processes holds."""

    state_id: str = "heavy"
    weight: bytes = b"." * 4_000_000


class LyingThere(WorkerPool):
    """A pool that begins with nothing until it is told to."""

    def __init__(self) -> None:
        super().__init__(workers=0)
        self.tasks: list[Task] = []

    @property
    def has_workers(self) -> bool:
        return True

    def begin(self, state: TableState, query: BaseQuery, **_: Any) -> Future[Verdict]:
        self.tasks.append(Task(state, query))
        return self.tasks[-1].verdict


def test_a_worker_answers_as_the_server_would_and_goes_with_it() -> None:
    with at_work() as pool:
        told = pool.begin(skirmish(), SIGHT).result(PATIENCE_S)

    assert told.model_dump_json() == referee.ask(skirmish(), SIGHT).model_dump_json()
    until(lambda: not multiprocessing.active_children())


def test_a_sheet_worked_out_by_two_is_the_same_sheet() -> None:
    pair = Pair(a="m1", b="m5")
    with at_work() as pool:
        ask = VerdictCache(referee.ask, pool=pool)
        (*_, whole) = pair_sheets(skirmish(), pair, ask=ask, begin=ask.begin)

    assert whole.model_dump_json() == pair_sheet(skirmish(), pair, ask=referee.ask).model_dump_json()


def test_what_a_worker_cannot_answer_goes_wrong_as_at_the_server() -> None:
    with at_work() as pool:
        ask = VerdictCache(referee.ask, pool=pool)
        ask.begin(skirmish(), [Los(viewer="m1", target="nobody")])

        with pytest.raises(Exception, match="nobody"):
            ask(skirmish(), Los(viewer="m1", target="nobody"))


def test_while_a_failed_question_is_answered_instead_its_worker_answers_others() -> None:
    is_answered = threading.Event()
    with at_work() as pool:
        pool.begin(skirmish(), Los(viewer="m1", target="nobody")).add_done_callback(
            lambda _: is_answered.wait(PATIENCE_S)
        )

        assert pool.begin(skirmish(), DISTANCE).result(PATIENCE_S / 2).kind == "distance"
        is_answered.set()


def test_when_a_worker_dies_who_asked_answers() -> None:
    with at_work() as pool:
        for child in multiprocessing.active_children():
            child.kill()
        ask = VerdictCache(fakes.ask, pool=pool)
        ask.begin(skirmish(), [SIGHT, DISTANCE])

        assert ask(skirmish(), SIGHT).kind == "los"
        assert ask(skirmish(), DISTANCE).kind == "distance"


def test_what_takes_longer_than_its_asker_may_spend_is_refused_and_charged_and_its_worker_lives() -> None:
    spent_s = list[float]()
    state = skirmish()
    with at_work() as pool:
        children = multiprocessing.active_children()
        asked = pool.begin(state, SIGHT, allowance=Allowance(1e-9, spent_s.append))

        assert isinstance(asked.exception(PATIENCE_S), OverBudget)
        assert spent_s[0] > 0
        assert pool.begin(state, SIGHT, allowance=Allowance(60.0)).result(PATIENCE_S).kind == "los"
        assert multiprocessing.active_children() == children


def test_who_has_no_seat_is_answered_by_workers_alone() -> None:
    def never(state: TableState, query: BaseQuery) -> Verdict:
        raise AssertionError

    with at_work() as pool:
        ask = VerdictCache(never, pool=pool)
        with answering(Asker(Rank.VIEWER, Allowance(60.0))):
            assert ask(skirmish(), SIGHT).kind == "los"
        with answering(Asker(Rank.VIEWER, Allowance(0.0))), pytest.raises(OverBudget):
            ask(skirmish(), DISTANCE)


def test_who_may_spend_more_is_answered_though_another_may_not() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def ask(state: TableState, query: BaseQuery) -> Verdict:
        asker = current_asker()
        if asker is not None and asker.rank is Rank.VIEWER:
            begun.set()
            go_on.wait(PATIENCE_S)
            raise over_budget()
        return fakes.ask(state, query)

    cache, told = VerdictCache(ask), list[object]()

    def watch() -> None:
        with answering(Asker(Rank.VIEWER)):
            try:
                cache(skirmish(), SIGHT)
            except OverBudget:
                told.append("refused")

    viewer = threading.Thread(target=watch)
    viewer.start()
    begun.wait(PATIENCE_S)
    player = threading.Thread(target=lambda: told.append(cache(skirmish(), SIGHT).kind))
    player.start()
    go_on.set()
    viewer.join(PATIENCE_S)
    player.join(PATIENCE_S)

    assert sorted(map(str, told)) == ["los", "refused"]


def test_a_worker_that_died_is_replaced_and_both_are_told() -> None:
    told: list[int] = []
    with at_work(tell=told.append) as pool:
        (first,) = multiprocessing.active_children()
        first.kill()
        until(lambda: told == [1, 0])

        answer = pool.begin(skirmish(), SIGHT).result(PATIENCE_S)
        assert answer.kind == "los"


if hasattr(signal, "SIGSTOP"):

    def test_a_worker_that_was_stopped_is_replaced_and_what_it_had_is_answered() -> None:
        told: list[int] = []
        with at_work(tell=told.append, still_s=0.8) as pool:
            (first,) = multiprocessing.active_children()
            assert first.pid is not None
            os.kill(first.pid, signal.SIGSTOP)
            ask = VerdictCache(fakes.ask, pool=pool)
            ask.begin(skirmish(), [SIGHT])

            assert ask(skirmish(), SIGHT).kind == "los"
            until(lambda: told == [1, 0])

    def test_it_is_told_and_replaced_before_what_it_had_is_answered() -> None:
        """Who waits works it out on the thread that hears of it: twenty long questions kept it for a minute."""
        told: list[int] = []
        is_replaced = threading.Event()
        with at_work(tell=told.append) as pool:
            (first,) = multiprocessing.active_children()
            assert first.pid is not None
            os.kill(first.pid, signal.SIGSTOP)
            for query in (SIGHT, DISTANCE):
                pool.begin(skirmish(), query).add_done_callback(lambda _: is_replaced.wait(PATIENCE_S))
            first.kill()

            until(lambda: told == [1, 0])
            is_replaced.set()

    def test_a_stopped_worker_is_replaced_though_its_line_is_full() -> None:
        told: list[int] = []
        with at_work(tell=told.append, still_s=0.8) as pool:
            (first,) = multiprocessing.active_children()
            assert first.pid is not None
            os.kill(first.pid, signal.SIGSTOP)
            heavy: Any = Heavy()

            assert isinstance(pool.begin(heavy, SIGHT).exception(PATIENCE_S), EOFError | OSError)
            until(lambda: told == [1, 0])

    def test_a_worker_that_is_stopped_while_it_loads_is_replaced() -> None:
        told: list[int] = []
        pool = WorkerPool(workers=1, tell=told.append)
        until(lambda: not multiprocessing.active_children())  # of the test before
        pool.start()
        until(lambda: bool(multiprocessing.active_children()))
        (first,) = multiprocessing.active_children()
        assert first.pid is not None
        os.kill(first.pid, signal.SIGSTOP)
        until(lambda: told == [1, 0])

        pool.close()
        until(lambda: not pool.has_workers)


def test_what_no_worker_has_begun_is_answered_by_who_asks() -> None:
    pool = LyingThere()
    ask = VerdictCache(fakes.ask, pool=pool)
    ask.begin(skirmish(), [SIGHT, DISTANCE])

    assert ask(skirmish(), SIGHT) == fakes.ask(skirmish(), SIGHT)
    assert [task.verdict.cancelled() for task in pool.tasks] == [True, False]


def test_what_a_worker_has_begun_is_waited_for_and_asked_once() -> None:
    pool, told = LyingThere(), list[Verdict]()
    ask = VerdictCache(fakes.ask, pool=pool)
    ask.begin(skirmish(), [SIGHT])
    ask.begin(skirmish(), [SIGHT])
    assert pool.tasks[0].verdict.set_running_or_notify_cancel()
    phones = [threading.Thread(target=lambda: told.append(ask(skirmish(), SIGHT))) for _ in range(3)]
    for phone in phones:
        phone.start()
    its_own = fakes.ask(skirmish(), DISTANCE)
    pool.tasks[0].verdict.set_result(its_own)
    for phone in phones:
        phone.join(PATIENCE_S)

    assert told == [its_own] * 3
    assert len(pool.tasks) == 1


def test_without_workers_nothing_is_begun() -> None:
    ask = VerdictCache(fakes.ask, pool=WorkerPool(workers=0))
    ask.begin(skirmish(), [SIGHT])

    assert ask.size == 0
