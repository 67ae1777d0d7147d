"""Earlier moments: what was told then, what is known of it now, and how far somebody moved in between."""

from typing import Any

import pytest

from models.base import RoundBase
from models.errors import BadInput
from models.miniature import Miniature
from models.state import CommonMode, TableSize, TableState
from models.timeline import EventLine, StateLine
from models.vocabulary import Point
from vision.tracking.history import History, measure_displacement


def _state(common: tuple[CommonMode, ...] = (), **places: Point) -> TableState:
    """Every miniature is known to half a millimetre, what is common to all included."""
    return TableState(
        edition="warmachine-prime",
        table=TableSize(width_mm=600, depth_mm=400),
        miniatures=tuple(
            Miniature(id=id_, base=RoundBase(diameter_mm=30), at_mm=at, covariance_mm2=((0.25, 0.0), (0.0, 0.25)))
            for id_, at in places.items()
        ),
        common_mm=common,
    )


def _line(t_s: float, state: TableState) -> StateLine:
    return StateLine(t_s=t_s, frame=round(10 * t_s), settled_at_s=t_s, state=state)


def _event(t_s: float, kind: str, **facts: Any) -> EventLine:
    return EventLine.model_validate({"t_s": t_s, "frame": round(10 * t_s), "type": kind} | facts)


def _at(line: StateLine) -> dict[str, Point]:
    return {one.id: one.at_mm for one in line.state.miniatures}


HERE, THERE, FAR = (100.0, 100.0), (140.0, 130.0), (400.0, 300.0)
LINES = [
    _line(1.0, _state(a=HERE, b=FAR)),
    _line(5.0, _state(a=THERE, b=FAR)),
    _event(5.0, "unsure", ids=("a", "b"), question="q1"),
    _event(9.0, "swapped", ids=("a", "b"), renamed={"a": "b", "b": "a"}, since_s=5.0),
    _line(9.0, _state(b=THERE, a=FAR)),
]


def test_the_newest_state_before_a_moment_is_what_was() -> None:
    history = History(LINES)

    assert _at(history.at(4.9)) == {"a": HERE, "b": FAR}
    assert history.at(1.0).t_s == 1.0


def test_before_the_first_state_nothing_was() -> None:
    with pytest.raises(BadInput, match=r"no settled state is known of 0\.5 s"):
        History(LINES).at(0.5)


def test_an_answer_corrects_what_was_told_since_the_question_and_nothing_before_it() -> None:
    history = History(LINES)

    assert _at(history.at(6.0)) == {"b": THERE, "a": FAR}
    assert _at(history.at(2.0)) == {"a": HERE, "b": FAR}


def test_what_was_told_then_can_still_be_asked() -> None:
    assert _at(History(LINES).at(6.0, as_told=True)) == {"a": THERE, "b": FAR}


def test_a_correction_is_not_applied_to_what_was_told_after_it() -> None:
    assert _at(History(LINES).at(10.0)) == {"b": THERE, "a": FAR}


def test_a_distance_has_the_doubt_of_both_places() -> None:
    way = measure_displacement("a", _state(a=HERE), _state(a=THERE))

    assert way.distance_mm == pytest.approx(50.0)
    assert way.sigma_mm == pytest.approx(0.5**0.5)


def test_what_moves_both_places_alike_is_no_doubt_of_the_distance() -> None:
    mode = (CommonMode(name="light-x", shift_mm={"a": (0.4, 0.0)}),)
    way = measure_displacement("a", _state(mode, a=HERE), _state(mode, a=(150.0, 100.0)))

    assert way.sigma_mm == pytest.approx((2 * (0.25 - 0.16)) ** 0.5)


def test_after_a_bump_the_errors_of_the_camera_are_others() -> None:
    mode = (CommonMode(name="pose-1", shift_mm={"a": (0.4, 0.0)}),)
    lines = [
        _line(1.0, _state(mode, a=HERE)),
        _event(2.0, "camera-moved"),
        _line(3.0, _state(mode, a=(150.0, 100.0))),
    ]

    assert History(lines).displacement("a", from_s=1.0, to_s=3.0).sigma_mm == pytest.approx(0.5**0.5)


def test_more_than_allowed_is_a_matter_of_probability() -> None:
    way = measure_displacement("a", _state(a=HERE), _state(a=THERE))

    assert way.probability_beyond(50.0) == pytest.approx(0.5)
    assert way.probability_beyond(47.0) > 0.999
    assert way.probability_beyond(53.0) < 0.001


def test_who_does_not_stand_there_then_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match="no miniature 'x'"):
        measure_displacement("x", _state(a=HERE), _state(a=THERE))


def test_only_so_many_states_are_kept() -> None:
    history = History([_line(float(k), _state(a=HERE)) for k in range(9)], most=4)

    assert history.at(5.0).t_s == 5.0
    with pytest.raises(BadInput):
        history.at(4.0)
