import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from api.memory import Remembering
from models.queries import Asked, Distance
from models.state import TableState
from models.verdict import Verdict
from tests.api import fakes
from tests.api.worlds import skirmish, without


class Counting:
    """A referee who counts how often he is asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, state: TableState, query: Asked) -> Verdict:
        self.times += 1
        return fakes.ask(state, query)


def test_the_same_question_about_the_same_table_is_asked_once() -> None:
    asked = Counting()
    ask = Remembering(asked)

    first, again = ask(skirmish(), Distance(a="m1", b="m2")), ask(skirmish(), Distance(a="m1", b="m2"))

    assert first == again
    assert asked.times == 1


def test_another_table_is_another_question() -> None:
    ask = Remembering(asked := Counting())

    ask(skirmish(), Distance(a="m1", b="m2"))
    ask(without(skirmish(), "m5"), Distance(a="m1", b="m2"))

    assert asked.times == 2


def test_who_asks_meanwhile_waits_for_the_same_answer() -> None:
    go_on, asked = threading.Event(), Counting()

    def slow(state: TableState, query: Asked) -> Verdict:
        go_on.wait(10)
        return asked(state, query)

    ask = Remembering(slow)
    with ThreadPoolExecutor(4) as phones:
        answers = [phones.submit(ask, skirmish(), Distance(a="m3", b="m4")) for _ in range(4)]
        go_on.set()

    assert len({answer.result().state_id for answer in answers}) == 1
    assert asked.times == 1


def test_a_failure_is_not_remembered() -> None:
    answers = iter([KeyError("first"), None])

    def moody(state: TableState, query: Asked) -> Verdict:
        wrong = next(answers)
        if wrong is not None:
            raise wrong
        return fakes.ask(state, query)

    ask = Remembering(moody)
    with pytest.raises(KeyError):
        ask(skirmish(), Distance(a="m1", b="m2"))

    assert ask(skirmish(), Distance(a="m1", b="m2")).kind == "distance"


def test_only_so_many_verdicts_are_kept() -> None:
    ask = Remembering(asked := Counting(), most=2)
    for b in ("m2", "m3", "m4", "m2"):
        ask(skirmish(), Distance(a="m1", b=b))

    assert asked.times == 4
