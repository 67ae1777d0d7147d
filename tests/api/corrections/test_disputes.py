"""Disputes: both agree, each rolls a die once, both read a tape; what ends it is one settlement."""

from collections.abc import Iterator

import pytest

from api.corrections.disputes import DisputeDeed, Disputes, NewDispute
from api.corrections.settlements import Settlements
from api.errors import NothingToSettle
from api.journal.interface import MemoryJournal
from api.seats.permissions import Seat
from models.queries.distances import Within
from models.unit_conversion import inches
from tests.api.worlds import move_miniature, skirmish

WITHIN = Within(a="m7", b="m10", range_in=9).model_dump(mode="json")
ASKED = NewDispute(query=WITHIN, a="m7", b="m10", title="B within", yes="Within", no="Beyond", limit_mm=inches(9))


class Bench:
    """Both players at one table, whose dice fall as they are told to."""

    def __init__(self, *dice: int, journal: MemoryJournal | None = None) -> None:
        self.journal = journal or MemoryJournal()
        self.settlements = Settlements(self.journal, changed=lambda: None)
        self._dice: Iterator[int] = iter(dice)
        self.disputes = Disputes(self.journal, self.settlements, changed=lambda: None, roll=lambda: next(self._dice))

    def open(self) -> None:
        self.disputes.open(ASKED, skirmish(), by="player-a")

    def do(self, by: Seat, how: str, **told: object) -> bool:
        """Whether the dispute is still open."""
        deed = DisputeDeed.model_validate({"how": how, **told})
        return self.disputes.answer(deed, skirmish(), by=by, is_alone=False) is not None

    def ended(self) -> list[tuple[str, str | None]]:
        return [(one.how, one.answer) for one in self.settlements.standing(skirmish())]


def test_it_ends_when_both_agree_and_not_before() -> None:
    bench = Bench()
    bench.open()

    assert bench.do("player-a", "agree", answer="yes")
    assert bench.do("player-b", "agree", answer="no")
    assert not bench.do("player-b", "agree", answer="yes")
    assert bench.ended() == [("agreed", "yes")]


def test_each_rolls_once_and_the_higher_roll_decides() -> None:
    bench = Bench(3, 5)
    bench.open()
    bench.do("player-a", "agree", answer="yes")
    bench.do("player-b", "agree", answer="no")

    bench.do("player-a", "roll")
    with pytest.raises(NothingToSettle, match="once"):
        bench.do("player-a", "roll")
    assert not bench.do("player-b", "roll")

    assert bench.ended() == [("rolled", "no")]
    (settled,) = bench.settlements.standing(skirmish())
    assert settled.dice == {"player-a": 3, "player-b": 5}


def test_after_a_tie_both_roll_again_and_who_wins_says_which() -> None:
    bench = Bench(4, 4, 6, 1)
    bench.open()
    for seat in ("player-a", "player-b", "player-a", "player-b"):
        assert bench.do(seat, "roll")

    with pytest.raises(NothingToSettle):
        bench.do("player-b", "roll")
    assert not bench.do("player-a", "agree", answer="yes")
    assert bench.ended() == [("rolled", "yes")]


@pytest.mark.parametrize(("second_in", "ended"), [(9.125, [("taped", "no")]), (9.75, []), (8.9, [])])
def test_two_readings_of_a_tape_end_it_where_they_say_the_same(second_in: float, ended: list[tuple[str, str]]) -> None:
    bench = Bench()
    bench.open()
    bench.do("player-a", "tape", tape_in=9.1)

    assert bench.do("player-b", "tape", tape_in=second_in) is (ended == [])
    assert bench.ended() == ended


def test_it_is_known_again_after_a_restart_and_ends_when_somebody_moves() -> None:
    bench = Bench(2)
    bench.open()
    bench.do("player-a", "roll")
    again = Bench(journal=bench.journal).disputes

    known = again.standing(skirmish())
    assert known is not None
    assert known.dice == {"player-a": (2,)}
    assert again.standing(move_miniature(skirmish(), "m10", (900.0, 600.0))) is None


def test_one_question_is_disputed_at_a_time_and_is_put_away() -> None:
    bench = Bench()
    bench.open()
    other = ASKED.model_copy(update={"query": Within(a="m1", b="m2", range_in=9).model_dump(mode="json")})

    with pytest.raises(NothingToSettle, match="another"):
        bench.disputes.open(other, skirmish(), by="player-b")
    assert not bench.do("player-b", "put-away")
    assert bench.ended() == []
