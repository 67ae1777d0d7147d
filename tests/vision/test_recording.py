"""The recording that ships with the project, followed from its first frame to its last, against its exact truth."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from api.camera.protocol import Job
from api.cli.serve import shipped_job
from models.miniature import Miniature
from models.timeline import EventLine, StateLine
from vision.capture.sources import Frame, read_frames
from vision.tracking.tracker import FrameResult, Tracker

TRUTH = json.loads((Path(__file__).parent / "data" / "game_truth.json").read_text())
MOMENTS = {moment["frame"]: moment for moment in TRUTH["moments"]}
KNOWN_MM = 6.0  # nearer than any other base's centre can be
LATE_S = 1.0


@dataclass(frozen=True)
class Followed:
    """What a tracker said of the recording; `job` is what it was given."""

    job: Job
    results: tuple[FrameResult, ...]

    @property
    def lines(self) -> list[StateLine | EventLine]:
        return [line for result in self.results for line in result.lines]

    @property
    def events(self) -> list[EventLine]:
        return [line for line in self.lines if isinstance(line, EventLine)]

    def state_at(self, frame: int) -> StateLine:
        """The newest state that was known when this frame had been seen."""
        return [line for line in self.lines if isinstance(line, StateLine) and line.frame <= frame][-1]

    def pairs_at(self, frame: int) -> list[tuple[dict[str, Any], Miniature]]:
        """Every true base with the measured one that lies nearest."""
        found = self.state_at(frame).state.miniatures
        return [(true, min(found, key=lambda one: _miss_mm(one, true))) for true in MOMENTS[frame]["bases"]]


def _miss_mm(found: Miniature, true: dict[str, Any]) -> float:
    return math.dist(found.at_mm, true["at_mm"])


def _look(job: Job, frames: Iterator[Frame]) -> tuple[FrameResult, ...]:
    tracker = Tracker(job.camera, job.layout, edition=job.edition, catalogue=job.catalogue())
    return tuple(tracker.update(frame) for frame in frames)


@pytest.fixture(scope="module")
def followed() -> Followed:
    job = shipped_job(is_looping=False)
    return Followed(job, _look(job, read_frames(Path(job.source))))


@pytest.fixture(scope="module")
def names(followed: Followed) -> dict[str, str]:
    """The tracker's name of each true base, given at the first moment."""
    return {true["id"]: found.id for true, found in followed.pairs_at(min(MOMENTS))}


def _told(followed: Followed) -> list[tuple[str, tuple[str, ...]]]:
    return sorted((event.type, event.ids) for event in followed.events if event.type != "in-hand")


def test_what_happened_is_told_and_nothing_else(followed: Followed, names: dict[str, str]) -> None:
    """Six moves, a casualty and a bump of the camera; hands that only reach over the table are no event.

    Who was lifted is told besides, where it was seen.
    """
    happened = [
        ("camera-moved", ()) if event["event"] == "camera-bumped" else (event["event"], (names[event["id"]],))
        for event in TRUTH["events"]
    ]

    assert _told(followed) == sorted(happened)


@pytest.mark.parametrize("event", TRUTH["events"], ids=lambda event: f"{event['event']}-{event['t_s']}")
def test_every_event_is_told_within_a_second(followed: Followed, names: dict[str, str], event: dict[str, Any]) -> None:
    kind, ids = ("camera-moved", ()) if "id" not in event else (event["event"], (names[event["id"]],))
    (told,) = [line for line in followed.events if (line.type, line.ids) == (kind, ids)]

    assert 0 <= told.t_s - event["t_s"] <= LATE_S


@pytest.mark.parametrize(
    "event", [event for event in TRUTH["events"] if "to_mm" in event], ids=lambda event: event["id"]
)
def test_a_move_is_told_from_where_to_where(followed: Followed, names: dict[str, str], event: dict[str, Any]) -> None:
    (told,) = [line for line in followed.events if line.type == "moved" and line.ids == (names[event["id"]],)]

    assert told.from_mm == pytest.approx(event["from_mm"], abs=1.5)
    assert told.to_mm == pytest.approx(event["to_mm"], abs=1.5)


@pytest.mark.parametrize("frame", MOMENTS)
def test_every_base_is_in_its_place_with_its_size(followed: Followed, frame: int) -> None:
    misses = {true["id"]: round(_miss_mm(found, true), 2) for true, found in followed.pairs_at(frame)}
    sizes = {true["id"]: found.base.model_dump()["diameter_mm"] for true, found in followed.pairs_at(frame)}

    assert {id_: miss for id_, miss in misses.items() if miss > 1.5} == {}
    assert sizes == {true["id"]: true["diameter_mm"] for true in MOMENTS[frame]["bases"]}


@pytest.mark.parametrize("frame", MOMENTS)
def test_nothing_is_seen_where_no_base_is(followed: Followed, frame: int) -> None:
    assert len(followed.state_at(frame).state.miniatures) == len(MOMENTS[frame]["bases"])


@pytest.mark.parametrize("frame", MOMENTS)
def test_no_miniature_takes_the_name_of_another(followed: Followed, names: dict[str, str], frame: int) -> None:
    now = {true["id"]: found.id for true, found in followed.pairs_at(frame)}

    assert now == {id_: names[id_] for id_ in now}


def test_the_misses_are_well_below_a_millimetre(followed: Followed) -> None:
    """In a recording that shows 0.8 px a millimetre."""
    misses = [_miss_mm(found, true) for frame in MOMENTS for true, found in followed.pairs_at(frame)]

    assert np.median(misses) < 0.6
    assert np.sqrt(np.mean(np.square(misses))) < 0.8


def test_the_stated_doubt_covers_the_misses(followed: Followed) -> None:
    """In units of the stated covariance, the mean square of a miss in two directions is about two."""
    offs = []
    for true, found in followed.pairs_at(min(MOMENTS)):
        off = np.subtract(found.at_mm, true["at_mm"])
        offs.append(off @ np.linalg.solve(np.array(found.covariance()), off))

    assert 0.4 < np.mean(offs) < 4.0


def test_no_facing_that_is_told_is_turned_about(followed: Followed) -> None:
    """A rim that cannot be read has no facing; one that is told must not mislead."""
    assert {which: off for which, off in _turns_deg(followed).items() if abs(off) > 45} == {}


def test_every_facing_that_is_told_is_within_five_degrees(followed: Followed) -> None:
    """Rims with ticks alone, and painted halves of which either may be the front, are left open."""
    off = np.abs(list(_turns_deg(followed).values()))

    assert len(off) > len(MOMENTS) * 3
    assert off.max() < 5


def _turns_deg(followed: Followed) -> dict[tuple[int, str], float]:
    """How far every told facing is off, by frame and base."""
    return {
        (frame, true["id"]): round((found.facing_deg - true["facing_deg"] + 180) % 360 - 180, 1)
        for frame in MOMENTS
        for true, found in followed.pairs_at(frame)
        if found.facing_deg is not None
    }


def test_only_who_was_then_moved_or_taken_off_was_in_a_hand(followed: Followed) -> None:
    lifted = {(line.ids, line.t_s) for line in followed.events if line.type == "in-hand"}

    assert len(lifted) >= 3
    assert lifted == {(line.ids, line.lifted_s) for line in followed.events if line.lifted_s is not None}


def test_the_timeline_never_goes_back_in_time(followed: Followed) -> None:
    frames = [line.frame for line in followed.lines]
    times = [line.t_s for line in followed.lines]

    assert frames == sorted(frames)
    assert times == sorted(times)


def test_a_line_bears_the_time_of_the_newest_frame_it_used(followed: Followed) -> None:
    for result in followed.results:
        assert {(line.frame, line.t_s) for line in result.lines} <= {(result.frame, result.t_s)}


def test_a_state_had_settled_before_it_was_told(followed: Followed) -> None:
    states = [line for line in followed.lines if isinstance(line, StateLine)]

    assert all(line.settled_at_s <= line.t_s for line in states)


def test_the_hands_over_the_table_are_seen(followed: Followed) -> None:
    """Before every event a hand was there."""
    for event in TRUTH["events"]:
        before = [result.hand for result in followed.results if 0.3 < event["t_s"] - result.t_s < 1.0]

        assert any(before)


def test_the_same_frames_give_the_same_bytes(followed: Followed) -> None:
    again = _look(followed.job, islice(read_frames(Path(followed.job.source)), 60))
    first = [line.model_dump_json() for result in followed.results[:60] for line in result.lines]

    assert [line.model_dump_json() for result in again for line in result.lines] == first
    assert len(first) > 2
