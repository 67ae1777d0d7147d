"""Unconfirmed log: candidates outlive a look elsewhere, and end with a look that does not see them."""

from models.base import RoundBase
from models.unconfirmed_base import UnconfirmedBase
from vision.candidates import Candidate, NetworkScore
from vision.rectification.ground_height import FLAT
from vision.selection.network_bases import bases_seen
from vision.tracking.transit_log import UnconfirmedLog

DISC = RoundBase(diameter_mm=32)
LEFT = (0.0, 0.0, 200.0, 200.0)


def at(x: float, y: float) -> UnconfirmedBase:
    return UnconfirmedBase(base=DISC, at_mm=(x, y), sigma_mm=1.0, probability=0.4)


def test_a_look_at_a_part_of_the_table_says_nothing_of_the_rest() -> None:
    log = UnconfirmedLog()
    log.note([at(50, 60), at(700, 60)], None)
    log.note([at(90, 60)], (LEFT,))

    assert log.apart_from(()) == (at(700, 60), at(90, 60))


def test_a_look_at_all_of_it_begins_anew() -> None:
    log = UnconfirmedLog()
    log.note([at(50, 60)], None)
    log.note([at(700, 60)], None)

    assert log.apart_from(()) == (at(700, 60),)


def test_what_stands_there_by_now_is_no_candidate() -> None:
    log = UnconfirmedLog()
    log.note([at(50, 60), at(120, 60)], None)
    score = NetworkScore(0.9, 0.0)
    standing = bases_seen([Candidate(DISC, (53, 61), FLAT, 0.9, network_score=score, sigma_mm=0.8)], measured=())

    assert log.apart_from(standing) == (at(120, 60),)
