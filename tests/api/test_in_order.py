"""Which answer is worked out first."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from api.in_order import InOrder, wanted_by
from models.queries import Asked, Distance
from models.state import TableState
from models.verdict import Verdict
from tests.api import fakes
from tests.api.worlds import skirmish

FIRST, OTHER, THIRD = (Distance(a="m1", b=b) for b in ("m2", "m3", "m4"))


class Slow:
    """A referee who answers when he may, and notes whom he was asked about."""

    def __init__(self) -> None:
        self.go_on, self.began = Event(), Event()
        self.asked: list[Asked] = []
        self.at_once = 0
        self.most_at_once = 0

    def __call__(self, state: TableState, query: Asked) -> Verdict:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.asked.append(query)
        self.began.set()
        self.go_on.wait(30)
        self.at_once -= 1
        return fakes.ask(state, query)


@contextmanager
def asking(ask: Callable[[TableState, Asked], Verdict], *wanted: tuple[Asked, float]) -> Iterator[None]:
    """Ask each of these on a thread of its own, wanted by then."""

    def one(query: Asked, by_s: float) -> None:
        with wanted_by(by_s):
            ask(skirmish(), query)

    threads = [Thread(target=one, args=each) for each in wanted]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join(30)


def waiting(in_order: InOrder, how_many: int) -> None:
    """Return when so many wait."""
    for _ in range(3000):
        if len(in_order._waiting) == how_many:
            return
        Event().wait(0.01)
    raise AssertionError(in_order._waiting)


def test_what_is_wanted_first_is_worked_out_first() -> None:
    slow = Slow()
    in_order = InOrder(slow)
    with asking(in_order, (FIRST, 9.0)):
        slow.began.wait(30)
        with asking(in_order, (OTHER, 5.0), (THIRD, 1.0)):
            waiting(in_order, 2)
            slow.go_on.set()

    assert slow.asked == [FIRST, THIRD, OTHER]
    assert slow.most_at_once == 1


def test_who_asks_without_haste_waits_for_who_is_in_a_hurry() -> None:
    slow = Slow()
    in_order = InOrder(slow, clock=lambda: 100.0)
    with asking(in_order, (FIRST, 0.0)):
        slow.began.wait(30)
        calm = Thread(target=lambda: in_order(skirmish(), OTHER))
        calm.start()
        with asking(in_order, (THIRD, 100.5)):
            waiting(in_order, 2)
            slow.go_on.set()
        calm.join(30)

    assert slow.asked == [FIRST, THIRD, OTHER]


def test_a_question_that_fails_holds_nobody_up() -> None:
    def failing(state: TableState, query: Asked) -> Verdict:
        if query == FIRST:
            raise KeyError("first")
        return fakes.ask(state, query)

    in_order = InOrder(failing)
    with pytest.raises(KeyError):
        in_order(skirmish(), FIRST)

    assert in_order(skirmish(), OTHER).kind == "distance"
