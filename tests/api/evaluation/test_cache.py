"""Verdict cache: what was asked is not asked again, and old tables are forgotten."""

import gc
import pickle
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import referee
from api.answers.pair_sheet import Pair, pair_sheets
from api.evaluation.cache import VerdictCache
from models.queries import BaseQuery, Distance
from models.state import TableState
from models.verdict import Verdict
from tests.api import fakes
from tests.api.worlds import drop_miniatures, move_miniature, skirmish

SOME = 2000  # pieces: forty tables that stay are more


class Counting:
    """A referee who counts how often he is asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, state: TableState, query: BaseQuery) -> Verdict:
        self.times += 1
        return fakes.ask(state, query)


def test_the_same_question_about_the_same_table_is_asked_once() -> None:
    asked = Counting()
    ask = VerdictCache(asked)

    first, again = ask(skirmish(), Distance(a="m1", b="m2")), ask(skirmish(), Distance(a="m1", b="m2"))

    assert first == again
    assert asked.times == 1


def test_another_table_is_another_question() -> None:
    ask = VerdictCache(asked := Counting())

    ask(skirmish(), Distance(a="m1", b="m2"))
    ask(drop_miniatures(skirmish(), "m5"), Distance(a="m1", b="m2"))

    assert asked.times == 2


def test_who_asks_meanwhile_waits_for_the_same_answer() -> None:
    go_on, asked = threading.Event(), Counting()

    def slow(state: TableState, query: BaseQuery) -> Verdict:
        go_on.wait(120)
        return asked(state, query)

    ask = VerdictCache(slow)
    with ThreadPoolExecutor(4) as phones:
        answers = [phones.submit(ask, skirmish(), Distance(a="m3", b="m4")) for _ in range(4)]
        go_on.set()

    assert len({answer.result().state_id for answer in answers}) == 1
    assert asked.times == 1


def test_a_failure_is_not_remembered() -> None:
    answers = iter([KeyError("first"), None])

    def moody(state: TableState, query: BaseQuery) -> Verdict:
        wrong = next(answers)
        if wrong is not None:
            raise wrong
        return fakes.ask(state, query)

    ask = VerdictCache(moody)
    with pytest.raises(KeyError):
        ask(skirmish(), Distance(a="m1", b="m2"))

    assert ask(skirmish(), Distance(a="m1", b="m2")).kind == "distance"


def test_only_so_many_verdicts_are_kept() -> None:
    ask = VerdictCache(asked := Counting(), most=2)
    for b in ("m2", "m3", "m4", "m2"):
        ask(skirmish(), Distance(a="m1", b=b))

    assert asked.times == 4


def test_what_is_told_again_is_the_same_to_the_byte() -> None:
    ask = VerdictCache(referee.ask)

    first, again = (ask(skirmish(), Distance(a="m1", b="m2")).model_dump_json() for _ in range(2))

    assert first == again


@pytest.mark.slow
def test_an_evening_of_tables_takes_no_more_memory_than_its_beginning() -> None:
    """In pieces of memory that Python has given out: what the system counts wavers with all that comes and goes."""
    ask, held = VerdictCache(referee.ask, most=50), list[int]()
    for k in range(150):
        (*_, _) = pair_sheets(state_with_number(k), Pair(a="m1", b="m13"), ask=ask)
        if k % 5 == 4:
            gc.collect()
            held.append(sys.getallocatedblocks())

    assert max(held[20:]) < max(held[10:20]) + SOME


def state_with_number(k: int) -> TableState:
    """The table as it settled again, as it comes from the camera's process."""
    at = skirmish().by_id["m1"].at_mm  # type: ignore[union-attr]
    state: TableState = pickle.loads(pickle.dumps(move_miniature(skirmish(), "m1", (at[0] + 0.01 * k, at[1]))))
    return state
