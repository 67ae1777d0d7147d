"""Everybody who ever stood on the table, and what could not be told about them."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from models.base import RoundBase
from models.camera import CameraPose
from models.errors import BadInput
from models.timeline import EventLine
from models.vocabulary import Point
from tests.vision import rendered
from tests.vision.fits import seen
from vision.capture.sources import Frame
from vision.tracking.track_registry import ChangeSet, TrackRegistry

POSE: CameraPose = rendered.Eye().pose()
HERE, THERE, FAR = (100.0, 100.0), (160.0, 100.0), (400.0, 300.0)


def _frame(t_s: float) -> Frame:
    return Frame(round(10 * t_s), t_s, np.zeros((1, 1, 3), np.uint8))


def _change(touched: Sequence[str], *found: tuple[Point, float], gone: Sequence[str] = ()) -> ChangeSet:
    """Bases of these places and looks were found, who is touched may be any of them."""
    bases = tuple((seen(at), np.concatenate([np.full(22, 100.0), np.full(20, grey)])) for at, grey in found)
    return ChangeSet(tuple(touched), bases, frozenset(gone), np.zeros((len(touched), len(found)), np.bool_))


def _registry(*first: tuple[Point, float]) -> TrackRegistry:
    registry = TrackRegistry()
    registry.update(_frame(1.0), _change((), *first), pose=POSE)
    return registry


def _update(registry: TrackRegistry, t_s: float, change: ChangeSet) -> list[EventLine]:
    return list(registry.update(_frame(t_s), change, pose=POSE))


def test_those_who_are_there_at_first_are_no_event() -> None:
    registry = TrackRegistry()

    assert registry.update(_frame(1.0), _change((), (HERE, 60), (FAR, 120)), pose=POSE) == ()
    assert set(registry.standing) == {"m1", "m2"}


def _doubt_mm(start: Point, end: Point) -> float:
    """Along the way, at both ends: 0.1 mm of the fit, 0.05 of the base, 0.15 of the height of its rim seen aslant."""
    (x, y, z), length = POSE.centre_mm, math.dist(start, end)
    way = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    aslant = [((px - x) * way[0] + (py - y) * way[1]) / z for px, py in (start, end)]
    return math.sqrt(sum(0.1**2 + 0.05**2 + (0.15 * one) ** 2 for one in aslant))


def test_who_moved_is_told_with_length_doubt_and_confidence() -> None:
    (event,) = _update(_registry((HERE, 60.0)), 2.0, _change(["m1"], (FAR, 60)))

    assert (event.type, event.ids) == ("moved", ("m1",))
    assert event.distance_mm == pytest.approx(360.56, abs=0.01)
    assert event.sigma_mm == pytest.approx(_doubt_mm(HERE, FAR), abs=0.001)
    assert event.confidence == pytest.approx(1.0, abs=0.01)


def test_who_is_not_found_and_not_seen_to_be_gone_stands_there_still() -> None:
    registry = _registry((HERE, 60.0))

    assert _update(registry, 2.0, _change(["m1"])) == []
    assert registry.standing["m1"].hidden_since_s == 2.0


def test_who_was_hidden_and_is_seen_again_is_no_event() -> None:
    registry = _registry((HERE, 60.0))
    _update(registry, 2.0, _change(["m1"]))

    assert _update(registry, 3.0, _change(["m1"], ((100.3, 100.0), 60))) == []
    assert registry.standing["m1"].hidden_since_s is None
    assert registry.standing["m1"].seen.fit.at_mm == HERE


def test_who_left_is_told_and_known_when_back() -> None:
    registry = _registry((HERE, 60.0))
    (left,) = _update(registry, 2.0, _change(["m1"], gone=["m1"]))
    (back,) = _update(registry, 9.0, _change([], (FAR, 60)))

    assert (left.type, left.ids, left.from_mm) == ("removed", ("m1",), HERE)
    assert (back.type, back.ids, back.to_mm) == ("appeared", ("m1",), FAR)
    assert back.detail == "back on the table, which it left at 2.0 s"


def test_who_was_never_seen_gets_a_name_that_nobody_had() -> None:
    registry = _registry((HERE, 60.0))
    _update(registry, 2.0, _change(["m1"], gone=["m1"]))
    (event,) = _update(registry, 3.0, _change([], (FAR, 200)))

    assert (event.type, event.ids) == ("appeared", ("m2",))


SMALL = RoundBase(diameter_mm=30)


def _back_or_new(expected: int | None) -> EventLine:
    """What is told of one who came, looking rather unlike the only one who ever left."""
    registry = _registry((HERE, 60.0))
    registry.expected = None if expected is None else {SMALL: expected}
    _update(registry, 2.0, _change(["m1"], gone=["m1"]))
    return _update(registry, 3.0, _change([], (FAR, 120)))[0]


@pytest.mark.parametrize(("expected", "ids"), [(None, ("m2",)), (1, ("m1",)), (2, ("m2",))])
def test_whoever_comes_when_all_who_are_expected_are_known_is_one_of_them(
    expected: int | None, ids: tuple[str, ...]
) -> None:
    assert _back_or_new(expected).ids == ids


def test_a_list_of_those_expected_makes_who_comes_surer() -> None:
    assert (_back_or_new(2).confidence or 0) > (_back_or_new(None).confidence or 0)


def _registry_with_question() -> tuple[TrackRegistry, EventLine]:
    registry = _registry((HERE, 60.0), (THERE, 60.0))
    *_, asked = _update(registry, 2.0, _change(["m1", "m2"], ((400, 300), 60), ((470, 300), 60)))
    assert asked.type == "unsure"
    return registry, asked


def test_what_is_in_doubt_is_asked_with_all_namings_and_their_shares() -> None:
    _, asked = _registry_with_question()

    assert asked.question == "q1"
    assert {naming.ids for naming in asked.namings} == {("m1", "m2"), ("m2", "m1")}
    assert sum(naming.probability for naming in asked.namings) == pytest.approx(1.0, abs=0.01)
    assert asked.namings[0].probability == max(naming.probability for naming in asked.namings)


def test_an_answer_gives_everybody_the_right_name_and_says_since_when() -> None:
    registry, asked = _registry_with_question()
    was = {id_: one.seen.fit.at_mm for id_, one in registry.standing.items()}
    (event,) = registry.resolve_question(_frame(5.0), "q1", asked.namings[1].ids)

    assert (event.type, event.since_s, event.renamed) == ("swapped", 2.0, {"m1": "m2", "m2": "m1"})
    assert {id_: one.seen.fit.at_mm for id_, one in registry.standing.items()} == {"m1": was["m2"], "m2": was["m1"]}


def test_an_answer_that_says_what_was_told_only_closes_the_question() -> None:
    registry, asked = _registry_with_question()
    (event,) = registry.resolve_question(_frame(5.0), "q1", asked.namings[0].ids)

    assert (event.type, event.renamed, [one.probability for one in event.namings]) == ("unsure", None, [1.0])
    with pytest.raises(BadInput, match="no open question"):
        registry.resolve_question(_frame(6.0), "q1", asked.namings[0].ids)


def test_the_one_who_left_may_turn_out_to_be_the_one_who_stayed() -> None:
    registry = _registry((HERE, 60.0), (THERE, 60.0))
    *_, asked = _update(registry, 2.0, _change(["m1", "m2"], (FAR, 60), gone=["m1", "m2"]))
    other = asked.namings[1].ids
    registry.resolve_question(_frame(5.0), "q1", other)

    assert tuple(registry.standing) == other
    assert {id_ for id_, one in registry.known.items() if one.away_since_s is not None} == {"m1", "m2"} - set(other)
