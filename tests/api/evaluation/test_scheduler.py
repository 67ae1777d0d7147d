"""Which answer is worked out first."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest

import referee
from api.evaluation.scheduler import DeadlineScheduler, deadline, yield_to_urgent
from api.server.app import ask_interruptibly
from models.queries import BaseQuery, Distance
from models.state import TableState
from models.verdict import Verdict
from tests.api import fakes
from tests.api.worlds import skirmish

FIRST, OTHER, THIRD = (Distance(a="m1", b=b) for b in ("m2", "m3", "m4"))


class Slow:
    """A referee who answers when he may, and notes whom he was asked about."""

    def __init__(self) -> None:
        self.go_on, self.began = Event(), Event()
        self.asked: list[BaseQuery] = []
        self.at_once = 0
        self.most_at_once = 0

    def __call__(self, state: TableState, query: BaseQuery) -> Verdict:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.asked.append(query)
        self.began.set()
        self.go_on.wait(120)
        self.at_once -= 1
        return fakes.ask(state, query)


@contextmanager
def asking(ask: Callable[[TableState, BaseQuery], Verdict], *wanted: tuple[BaseQuery, float]) -> Iterator[None]:
    """Ask each of these on a thread of its own, wanted by then."""

    def one(query: BaseQuery, by_s: float) -> None:
        with deadline(by_s):
            ask(skirmish(), query)

    threads = [Thread(target=one, args=each) for each in wanted]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join(120)


def waiting(in_order: DeadlineScheduler, how_many: int) -> None:
    """Return when so many wait."""
    for _ in range(3000):
        if len(in_order._waiting) == how_many:
            return
        Event().wait(0.01)
    raise AssertionError(in_order._waiting)


def test_what_is_wanted_first_is_worked_out_first() -> None:
    slow = Slow()
    in_order = DeadlineScheduler(slow)
    with asking(in_order, (FIRST, 9.0)):
        slow.began.wait(120)
        with asking(in_order, (OTHER, 5.0), (THIRD, 1.0)):
            waiting(in_order, 2)
            slow.go_on.set()

    assert slow.asked == [FIRST, THIRD, OTHER]
    assert slow.most_at_once == 1


def test_who_asks_without_haste_waits_for_who_is_in_a_hurry() -> None:
    slow = Slow()
    in_order = DeadlineScheduler(slow, clock=lambda: 100.0)
    with asking(in_order, (FIRST, 0.0)):
        slow.began.wait(120)
        calm = Thread(target=lambda: in_order(skirmish(), OTHER))
        calm.start()
        with asking(in_order, (THIRD, 100.5)):
            waiting(in_order, 2)
            slow.go_on.set()
        calm.join(120)

    assert slow.asked == [FIRST, THIRD, OTHER]


def test_a_question_that_fails_holds_nobody_up() -> None:
    def failing(state: TableState, query: BaseQuery) -> Verdict:
        if query == FIRST:
            raise KeyError("first")
        return fakes.ask(state, query)

    in_order = DeadlineScheduler(failing)
    with pytest.raises(KeyError):
        in_order(skirmish(), FIRST)

    assert in_order(skirmish(), OTHER).kind == "distance"


class Stepping:
    """A referee who works out long questions in four steps of so long, and gives way between them."""

    def __init__(self, *, step_s: float, long: tuple[BaseQuery, ...] = (FIRST,)) -> None:
        self.now_s, self.step_s, self.long = 0.0, step_s, long
        self.done: list[BaseQuery | str] = []
        self.priority: list[BaseQuery] = []
        self.began, self.go_on = Event(), Event()

    def __call__(self, state: TableState, query: BaseQuery) -> Verdict:
        if query in self.long:
            self.began.set()
            self.go_on.wait(120)
            for _ in range(4):
                self.now_s += self.step_s
                self.done.append("step")
                self.priority.append(query)
                yield_to_urgent()
        self.done.append(query)
        return fakes.ask(state, query)


def asked_both(stepping: Stepping, *, first_by_s: float, other_by_s: float) -> None:
    """Ask the other while the first is at work."""
    in_order = DeadlineScheduler(stepping, clock=lambda: stepping.now_s)
    with asking(in_order, (FIRST, first_by_s)):
        stepping.began.wait(120)
        with asking(in_order, (OTHER, other_by_s)):
            waiting(in_order, 1)
            stepping.go_on.set()


def in_steps(step_s: float, *, first_by_s: float, other_by_s: float) -> list[BaseQuery | str]:
    """What is done, in this order."""
    stepping = Stepping(step_s=step_s)
    asked_both(stepping, first_by_s=first_by_s, other_by_s=other_by_s)
    return stepping.done


def test_a_long_question_gives_way_to_what_is_wanted_before_it_would_be_done_if_it_took_as_long_again() -> None:
    assert in_steps(0.1, first_by_s=0.0, other_by_s=0.5) == ["step", "step", "step", OTHER, "step", FIRST]


def test_a_question_gives_way_to_nobody_who_can_wait_longer() -> None:
    assert in_steps(0.1, first_by_s=0.0, other_by_s=0.9) == ["step", "step", "step", "step", FIRST, OTHER]


def test_a_question_that_is_not_wanted_yet_gives_way_to_one_that_is() -> None:
    assert in_steps(0.1, first_by_s=0.9, other_by_s=0.5) == ["step", OTHER, "step", "step", "step", FIRST]


def test_a_short_question_gives_way_to_nobody() -> None:
    assert in_steps(0.004, first_by_s=0.9, other_by_s=0.0) == ["step", "step", "step", "step", FIRST, OTHER]


def test_two_long_questions_take_turns_and_both_are_answered() -> None:
    stepping = Stepping(step_s=0.1, long=(FIRST, OTHER))
    asked_both(stepping, first_by_s=0.0, other_by_s=0.0)

    assert stepping.priority == [FIRST, OTHER] * 4
    assert [one for one in stepping.done if one != "step"] == [FIRST, OTHER]


def test_who_asks_where_nothing_is_in_order_is_answered_as_by_the_referee() -> None:
    assert ask_interruptibly(skirmish(), FIRST) == referee.ask(skirmish(), FIRST)
