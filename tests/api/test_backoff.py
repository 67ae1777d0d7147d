"""Back-off: waits between two tries grow, and differ."""

from itertools import islice
from random import Random

from api.backoff import FIRST_S, MOST_S, backoff_waits


def test_waits_double_and_never_pass_the_most() -> None:
    told = list(islice(backoff_waits(Random(4)), 40))

    assert all(one <= min(MOST_S, FIRST_S * 2**number) for number, one in enumerate(told))
    assert all(one >= min(MOST_S, FIRST_S * 2**number) / 2 for number, one in enumerate(told))


def test_two_who_lost_the_same_source_do_not_come_back_together() -> None:
    assert not set(islice(backoff_waits(Random(1)), 9)) & set(islice(backoff_waits(Random(2)), 9))
