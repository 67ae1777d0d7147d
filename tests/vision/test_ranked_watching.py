"""Ranked units followed frame by frame: they keep their members, and ranks are counted anew."""

import math
from dataclasses import replace

import numpy as np
import pytest

from models.base import catalogue_of
from models.miniature import Miniature
from models.timeline import EventLine, StateLine
from tests.vision import regiments
from tests.vision.regiments import Look, Stood, regiment
from vision.capture.sources import Frame
from vision.tracking.tracker import Tracker

FPS = 10.0
SHOWN, PASSED = 6, 2  # frames of a scene that rests, and of one that is passed through
MOTTLED = Look(mottled=7.0)  # a mat by which a camera without fiducials keeps its place
INFANTRY = regiment((140.0, 240.0), 75.0, ranks=3, files=4)
MONSTER = Stood((400.0, 300.0), 30.0, (50.0, 100.0), is_marked=True)
AHEAD = np.array([math.cos(math.radians(75.0)), math.sin(math.radians(75.0))])


def _carried(unit: list[Stood], shift_mm: tuple[float, float], turn_deg: float = 0.0) -> list[Stood]:
    """The unit on its tray, turned about its middle."""
    turn, middle = math.radians(turn_deg), np.mean([one.at_mm for one in unit], axis=0)
    matrix = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    places = [(matrix @ (one.at_mm - middle) + middle + shift_mm).tolist() for one in unit]
    return [
        replace(one, at_mm=(x, y), facing_deg=one.facing_deg + turn_deg)
        for one, (x, y) in zip(unit, places, strict=True)
    ]


def _watched(*scenes: list[Stood], through: list[Stood] | None = None) -> tuple[list[StateLine], list[EventLine]]:
    layout = regiments.layout()
    bare = layout.fiducials.model_copy(update={"dictionary": "APRILTAG_36h11", "markers": ()})
    tracker = Tracker(
        regiments.camera(MOTTLED), layout.model_copy(update={"fiducials": bare}), edition="warhammer-9",
        catalogue=catalogue_of(("warhammer-9",)), start=regiments.pose(MOTTLED),
    )  # fmt: skip
    shots = [(scene, SHOWN) for scene in scenes]
    shots[1:1] = [] if through is None else [(through, PASSED)]
    pictures = [picture for scene, times in shots for picture in [regiments.photograph(scene, MOTTLED)] * times]
    results = [tracker.update(Frame(k, k / FPS, picture)) for k, picture in enumerate(pictures)]
    lines = [line for result in results for line in result.lines]
    return [one for one in lines if isinstance(one, StateLine)], [one for one in lines if isinstance(one, EventLine)]


def _nearest(line: StateLine, one: Stood) -> Miniature:
    seen = min(line.state.miniatures, key=lambda other: math.dist(other.at_mm, one.at_mm))
    assert math.dist(seen.at_mm, one.at_mm) < 1.5
    return seen


def _places(line: StateLine, stood: list[Stood]) -> list[tuple[str | None, int | None, int | None]]:
    return [(seen.unit, seen.rank, seen.file) for seen in (_nearest(line, one) for one in stood)]


@pytest.mark.parametrize(
    ("shift_mm", "turn_deg"),
    [((60.0, 40.0), 8.0), ((90.0, 10.0), 90.0), ((90.0, 10.0), 180.0), (tuple(25.4 * AHEAD), 0.0), ((0.8, 4.0), 0.0)],
    ids=["on a tray", "a quarter turn", "about", "by just one rank", "a little"],
)
def test_a_unit_that_moves_keeps_every_member_in_his_rank_and_file(
    shift_mm: tuple[float, float], turn_deg: float
) -> None:
    after = _carried(INFANTRY, shift_mm, turn_deg)
    halfway = _carried(INFANTRY, (0.5 * shift_mm[0] + 6.0, 0.5 * shift_mm[1]), 0.5 * turn_deg)
    (before_line, line), events = _watched([*INFANTRY, MONSTER], [*after, MONSTER], through=[*halfway, MONSTER])
    moved = [event for event in events if event.type == "moved"]

    assert [_nearest(line, one).id for one in after] == [_nearest(before_line, one).id for one in INFANTRY]
    assert _places(line, after) == _places(before_line, INFANTRY) == [("u1", one.rank, one.file) for one in INFANTRY]
    assert sorted(event.ids for event in moved) == sorted((_nearest(line, one).id,) for one in after)
    assert events == moved


def test_a_casualty_is_told_once_and_the_others_keep_their_ranks() -> None:
    after = INFANTRY[:-1]
    (first, line), events = _watched([*INFANTRY, MONSTER], [*after, MONSTER])

    assert [(event.type, event.ids) for event in events] == [("removed", (_nearest(first, INFANTRY[-1]).id,))]
    assert _places(line, after) == [("u1", one.rank, one.file) for one in after]


def test_a_casualty_within_the_ranks_is_told_though_bases_stand_all_around_its_place() -> None:
    gone = next(k for k, one in enumerate(INFANTRY) if (one.rank, one.file) == (1, 1))
    after = [*INFANTRY[:gone], *INFANTRY[gone + 1 :]]
    (first, line), events = _watched([*INFANTRY, MONSTER], [*after, MONSTER])

    assert [(event.type, event.ids) for event in events] == [("removed", (_nearest(first, INFANTRY[gone]).id,))]
    assert _places(line, after) == [("u1", one.rank, one.file) for one in after]


def test_a_unit_that_meets_another_stays_a_unit_of_its_own() -> None:
    """Side by side they look like one block."""
    others = regiment((390.0, 120.0), 75.0, ranks=1, files=4, seed=8)
    behind = regiment(tuple((140.0, 240.0) - 2 * 25.4 * AHEAD), 75.0, ranks=1, files=4, seed=8)
    (first, line), events = _watched([*INFANTRY, *others], [*INFANTRY, *behind])

    assert [event.type for event in events] == ["moved"] * 4
    assert {_nearest(line, one).unit for one in behind} == {_nearest(first, one).unit for one in others} == {"u2"}
    assert {_nearest(line, one).unit for one in INFANTRY} == {"u1"}


def test_who_comes_to_a_unit_joins_it_and_its_ranks_are_counted_anew() -> None:
    (_, line), events = _watched(INFANTRY[4:], INFANTRY)

    assert [event.type for event in events] == ["appeared"] * 4
    assert _places(line, INFANTRY) == [("u1", one.rank, one.file) for one in INFANTRY]
