"""Processes that answer beside the server."""

import multiprocessing
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

import pytest

import referee
from api.crew import Crew, Task
from api.memory import Remembering
from api.pair import Pair, sheet_of, sheets_of
from models.queries import Asked, Distance, Los
from models.state import TableState
from models.verdict import Verdict
from tests.api import fakes
from tests.api.worlds import skirmish

PATIENCE_S = 60.0
SIGHT, DISTANCE = Los(viewer="m1", target="m2"), Distance(a="m1", b="m2")


def until(holds: object) -> None:
    end = time.monotonic() + PATIENCE_S
    while not (holds() if callable(holds) else holds):
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def at_work(workers: int = 1) -> Iterator[Crew]:
    crew = Crew(workers=workers)
    crew.start()
    until(lambda: crew.is_there)
    yield crew
    crew.close()
    until(lambda: not crew.is_there)


class LyingThere(Crew):
    """A crew that begins with nothing until it is told to."""

    def __init__(self) -> None:
        super().__init__(workers=0)
        self.tasks: list[Task] = []

    @property
    def is_there(self) -> bool:
        return True

    def begin(self, state: TableState, query: Asked) -> Future[Verdict]:
        self.tasks.append(Task(state, query))
        return self.tasks[-1].told


def test_a_worker_answers_as_the_server_would_and_goes_with_it() -> None:
    with at_work() as crew:
        told = crew.begin(skirmish(), SIGHT).result(PATIENCE_S)

    assert told.model_dump_json() == referee.ask(skirmish(), SIGHT).model_dump_json()
    until(lambda: not multiprocessing.active_children())


def test_a_sheet_worked_out_by_two_is_the_same_sheet() -> None:
    pair = Pair(a="m1", b="m5")
    with at_work() as crew:
        ask = Remembering(referee.ask, crew=crew)
        (*_, whole) = sheets_of(skirmish(), pair, ask=ask, begin=ask.begin)

    assert whole.model_dump_json() == sheet_of(skirmish(), pair, ask=referee.ask).model_dump_json()


def test_what_a_worker_cannot_answer_goes_wrong_as_at_the_server() -> None:
    with at_work() as crew:
        ask = Remembering(referee.ask, crew=crew)
        ask.begin(skirmish(), [Los(viewer="m1", target="nobody")])

        with pytest.raises(Exception, match="nobody"):
            ask(skirmish(), Los(viewer="m1", target="nobody"))


def test_when_a_worker_dies_who_asked_answers() -> None:
    with at_work() as crew:
        for child in multiprocessing.active_children():
            child.kill()
        ask = Remembering(fakes.ask, crew=crew)
        ask.begin(skirmish(), [SIGHT, DISTANCE])

        assert ask(skirmish(), SIGHT).kind == "los"
        assert ask(skirmish(), DISTANCE).kind == "distance"


def test_what_no_worker_has_begun_is_answered_by_who_asks() -> None:
    crew = LyingThere()
    ask = Remembering(fakes.ask, crew=crew)
    ask.begin(skirmish(), [SIGHT, DISTANCE])

    assert ask(skirmish(), SIGHT) == fakes.ask(skirmish(), SIGHT)
    assert [task.told.cancelled() for task in crew.tasks] == [True, False]


def test_what_a_worker_has_begun_is_waited_for_and_asked_once() -> None:
    crew, told = LyingThere(), list[Verdict]()
    ask = Remembering(fakes.ask, crew=crew)
    ask.begin(skirmish(), [SIGHT])
    ask.begin(skirmish(), [SIGHT])
    assert crew.tasks[0].told.set_running_or_notify_cancel()
    phones = [threading.Thread(target=lambda: told.append(ask(skirmish(), SIGHT))) for _ in range(3)]
    for phone in phones:
        phone.start()
    its_own = fakes.ask(skirmish(), DISTANCE)
    crew.tasks[0].told.set_result(its_own)
    for phone in phones:
        phone.join(PATIENCE_S)

    assert told == [its_own] * 3
    assert len(crew.tasks) == 1


def test_without_workers_nothing_is_begun() -> None:
    ask = Remembering(fakes.ask, crew=Crew(workers=0))
    ask.begin(skirmish(), [SIGHT])

    assert ask.kept == 0
