"""Who is answered first."""

from collections.abc import Iterator
from threading import Thread

from api.evaluation.request_priority import RequestPriority


def counted(told: list[str], name: str, most: int) -> Iterator[int]:
    for k in range(most):
        told.append(f"{name}{k}")
        yield k


def test_who_can_wait_goes_on_when_the_hurried_has_what_suffices() -> None:
    priority, told = RequestPriority(longest_s=60), list[str]()
    hurried = priority.urgent(counted(told, "pair ", 4), until=lambda k: k == 1)
    next(hurried)
    waiting = Thread(target=lambda: list(priority.background(counted(told, "alone ", 2))))
    waiting.start()
    next(hurried)
    before = list(told)
    next(hurried)
    waiting.join(120)

    assert before == ["pair 0", "pair 1"]
    assert told.count("alone 1") == 1


def test_a_page_that_is_closed_in_a_hurry_holds_nobody_up() -> None:
    priority, told = RequestPriority(longest_s=60), list[str]()
    hurried = priority.urgent(counted(told, "pair ", 4), until=lambda k: k == 3)
    next(hurried)
    hurried.close()  # type: ignore[attr-defined]

    assert list(priority.background(counted(told, "alone ", 1))) == [0]


def test_nobody_waits_for_ever() -> None:
    priority, told = RequestPriority(longest_s=0.01), list[str]()
    hurried = priority.urgent(counted(told, "pair ", 4), until=lambda k: k == 3)
    next(hurried)

    assert list(priority.background(counted(told, "alone ", 2))) == [0, 1]
