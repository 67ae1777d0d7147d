"""Candidates: what may be a base, confirmed or dismissed, and remembered for as long as it lies there."""

import pytest

from api.corrections.schemas import CandidateCorrection
from api.corrections.undo_log import UndoLog
from api.errors import BadCorrection
from api.journal.interface import MemoryJournal
from models.base import RoundBase
from models.state import TableState
from models.unconfirmed_base import UnconfirmedBase
from tests.referee.tables import mini, table


def seen(*places: tuple[float, float]) -> TableState:
    round_30 = RoundBase(diameter_mm=30)
    told = tuple(UnconfirmedBase(base=round_30, at_mm=at, sigma_mm=0.5, probability=0.4) for at in places)
    return table(mini("m1", 700, 700)).with_sightings(looked_for=(), unconfirmed=told)


def about(x: float, y: float, *, id_: str | None = None) -> CandidateCorrection:
    return CandidateCorrection(do="candidate", at_mm=(x, y), is_base=id_ is not None, id=id_)


@pytest.fixture
def log() -> UndoLog:
    return UndoLog(MemoryJournal())


def test_a_confirmed_one_is_a_miniature_from_now_on(log: UndoLog) -> None:
    step = log.correct(seen((100, 100), (300, 300)), about(100, 100, id_="base-1"), by="player-a")
    again = log.lay_over(seen((101, 100), (300, 300))).state

    assert step.says == "A base, now base-1"
    assert [(m.id, m.at_mm) for m in again.miniatures] == [("m1", (700, 700)), ("base-1", (101, 100))]
    assert [one.at_mm for one in again.unconfirmed] == [(300, 300)]


def test_a_dismissed_one_is_remembered_as_long_as_it_lies_there(log: UndoLog) -> None:
    log.correct(seen((100, 100)), about(100, 100), by="player-a")

    assert log.lay_over(seen((101, 100))).state.unconfirmed == ()
    assert [one.at_mm for one in log.lay_over(seen((150, 100))).state.unconfirmed] == [(150, 100)]


def test_one_that_was_measured_meanwhile_is_not_there_twice(log: UndoLog) -> None:
    log.correct(seen((100, 100)), about(100, 100, id_="base-1"), by="player-a")

    assert [m.id for m in log.lay_over(seen()).state.miniatures] == ["m1"]


def test_the_second_phone_hears_that_it_is_settled(log: UndoLog) -> None:
    table_now = seen((100, 100))
    log.correct(table_now, about(100, 100, id_="base-1"), by="player-a")

    with pytest.raises(BadCorrection, match="nothing unconfirmed lies there any more"):
        log.correct(table_now, about(100, 100), by="player-b")


def test_it_is_taken_back_as_any_step(log: UndoLog) -> None:
    table_now = seen((100, 100))
    log.correct(table_now, about(100, 100, id_="base-1"), by="player-a")
    log.undo(by="player-b")

    assert log.lay_over(table_now).state == table_now


def test_a_base_without_a_name_is_refused() -> None:
    with pytest.raises(ValueError, match="needs an id"):
        CandidateCorrection(do="candidate", at_mm=(1, 1), is_base=True)
