"""A table followed frame by frame: small stories with exact truth."""

import math
import pickle
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from api.camera.tracker_snapshot import unpickle_memory
from calibration.arrays import Image
from models.base import catalogue_of
from models.errors import BadInput
from models.timeline import EventLine, StateLine
from models.unit_conversion import radians
from models.vocabulary import Point
from tests.vision import rendered
from tests.vision.fits import seen
from vision.capture.sources import Frame
from vision.tracking.association import is_occupied
from vision.tracking.remeasure_sweep import RemeasureSweep
from vision.tracking.tracker import FrameResult, Tracker, TrackerState

FPS = 10.0
SKIN = (120.0, 150.0, 200.0)
RED = rendered.Base((150.0, 140.0), 40.0, 60.0, "front-half", paint=rendered.WHITE, basing=rendered.RED)
BONE = rendered.Base((420.0, 130.0), 40.0, 150.0, "front-half", paint=rendered.WHITE, basing=rendered.BONE, seed=2)
SMALL = rendered.Base((300.0, 310.0), 30.0, 0.0, seed=3)
CALM = rendered.Scene((RED, BONE, SMALL))
ELSEWHERE = (220.0, 290.0)


@cache
def _picture(scene: rendered.Scene) -> Image:
    return rendered.photograph(scene)


def _track(*shots: tuple[rendered.Scene, float]) -> list[FrameResult]:
    """What every frame of a film made known; a shot is a scene and how many seconds it lasts."""
    tracker = Tracker(
        CALM.eye.camera(), rendered.layout(), edition="warmachine-prime", catalogue=catalogue_of(("warmachine-prime",))
    )
    pictures = [_picture(scene) for scene, lasts_s in shots for _ in range(round(lasts_s * FPS))]
    return [tracker.update(Frame(index, index / FPS, picture)) for index, picture in enumerate(pictures)]


def _events(results: list[FrameResult]) -> list[EventLine]:
    return [line for result in results for line in result.lines if isinstance(line, EventLine)]


def _states(results: list[FrameResult]) -> list[StateLine]:
    return [line for result in results for line in result.lines if isinstance(line, StateLine)]


def _with(scene: rendered.Scene, index: int, **facts: Any) -> rendered.Scene:
    bases = list(scene.bases)
    bases[index] = replace(bases[index], **facts)
    return replace(scene, bases=tuple(bases))


def _with_arm(scene: rendered.Scene) -> rendered.Scene:
    """An arm from the near edge to the middle of the table."""
    return replace(scene, balls=tuple(rendered.Ball((290.0, 18.0 * k - 80, 60.0), 22.0, SKIN) for k in range(16)))


def _id_at(line: StateLine, at_mm: Point) -> str:
    near = min(line.state.miniatures, key=lambda one: math.dist(one.at_mm, at_mm))
    assert math.dist(near.at_mm, at_mm) < 1.5
    return near.id


def test_a_state_says_which_sizes_were_looked_for() -> None:
    told = _states(_track((CALM, 1.0)))[0].state.looked_for

    assert told == catalogue_of(("warmachine-prime",)).bases


def test_a_table_at_rest_is_told_once() -> None:
    results = _track((CALM, 1.5))
    (line,) = _states(results)

    assert _events(results) == []
    assert {_id_at(line, base.at_mm) for base in CALM.bases} == {"m1", "m2", "m3"}
    assert line.settled_at_s <= line.t_s < 0.5


def test_a_glance_says_whether_the_table_is_settled() -> None:
    results = _track((CALM, 1.0), (_with_arm(CALM), 0.5), (CALM, 1.0))

    assert [result.is_settled for result in results[5:10]] == [True] * 5
    assert not any(result.is_settled for result in results[10:15])
    assert results[-1].is_settled


def test_a_hand_that_changes_nothing_is_seen_and_not_told() -> None:
    results = _track((CALM, 0.6), (_with_arm(CALM), 1.0), (CALM, 1.0))

    assert all(result.hand for result in results[6:16])
    assert [line.t_s for result in results[6:] for line in result.lines] == []


def test_while_a_hand_is_there_it_is_only_told_who_left_his_place() -> None:
    after = _with(CALM, 0, at_mm=ELSEWHERE)
    results = _track((CALM, 0.6), (_with_arm(after), 1.5), (after, 1.0))
    (lifted,) = [line for result in results[6:21] for line in result.lines]

    assert isinstance(lifted, EventLine)
    assert (lifted.type, lifted.ids) == ("in-hand", (_id_at(_states(results)[0], RED.at_mm),))
    assert lifted.from_mm == pytest.approx(RED.at_mm, abs=1)


def test_who_was_in_a_hand_and_stands_elsewhere_was_moved_and_lifted_once() -> None:
    after = _with(CALM, 0, at_mm=ELSEWHERE)
    results = _track((CALM, 0.6), (_with_arm(CALM.without(0)), 1.5), (_with_arm(after), 0.5), (after, 1.0))
    lifted, moved = _events(results)

    assert [lifted.type, moved.type] == ["in-hand", "moved"]
    assert moved.ids == lifted.ids
    assert moved.lifted_s == lifted.t_s
    assert next(result.in_hand for result in results if result.t_s > lifted.t_s) == lifted.ids
    assert results[-1].in_hand == ()


def test_who_is_put_back_where_he_stood_was_in_a_hand_and_is_told_as_standing() -> None:
    results = _track((CALM, 0.6), (_with_arm(CALM.without(0)), 1.0), (CALM, 1.0))
    before, after = _states(results)

    assert [event.type for event in _events(results)] == ["in-hand"]
    assert after.state == before.state
    assert results[-1].in_hand == ()


def test_who_is_carried_off_was_in_a_hand_first() -> None:
    results = _track((CALM, 0.6), (_with_arm(CALM.without(0)), 1.0), (CALM.without(0), 1.0))
    lifted, removed = _events(results)

    assert [lifted.type, removed.type] == ["in-hand", "removed"]
    assert (removed.ids, removed.lifted_s) == (lifted.ids, lifted.t_s)


def test_a_token_put_where_somebody_was_lifted_off_does_not_hide_that_he_left() -> None:
    token = rendered.Base(RED.at_mm, 40.0, rim=rendered.BONE, basing=rendered.BONE, is_bare=True)
    without = CALM.without(0)
    instead = replace(without, bases=(*without.bases, token))
    results = _track((CALM, 0.6), (_with_arm(without), 1.0), (instead, 0.8))

    assert [event.type for event in _events(results)][:2] == ["in-hand", "removed"]


def test_a_shadow_that_passes_over_with_a_hand_lifts_nobody() -> None:
    shaded = replace(_with_arm(CALM), light=0.8)

    assert _events(_track((CALM, 0.6), (shaded, 1.0), (CALM, 1.0))) == []


def test_a_moved_base_is_told_with_its_name_and_both_places() -> None:
    results = _track((CALM, 0.6), (_with_arm(CALM), 0.5), (_with(CALM, 0, at_mm=ELSEWHERE), 1.0))
    before, after = _states(results)
    (event,) = _events(results)

    assert event.type == "moved"
    assert event.ids == (_id_at(before, RED.at_mm),) == (_id_at(after, ELSEWHERE),)
    assert event.from_mm == pytest.approx(RED.at_mm, abs=1)
    assert event.to_mm == pytest.approx(ELSEWHERE, abs=1)


def test_a_base_that_rests_for_a_moment_on_its_way_is_told_once() -> None:
    on_its_way, there = _with(CALM, 0, at_mm=(180.0, 200.0)), _with(CALM, 0, at_mm=ELSEWHERE)
    (event,) = _events(_track((CALM, 0.6), (on_its_way, 0.2), (there, 1.0)))

    assert event.to_mm == pytest.approx(ELSEWHERE, abs=1)


def test_what_was_not_touched_keeps_its_place_to_the_last_digit() -> None:
    before, after = _states(_track((CALM, 0.6), (_with(CALM, 0, at_mm=ELSEWHERE), 1.0)))
    places = [{one.id: one.at_mm for one in line.state.miniatures} for line in (before, after)]
    stayed = {_id_at(before, BONE.at_mm), _id_at(before, SMALL.at_mm)}

    assert all(places[0][id_] == places[1][id_] for id_ in stayed)


def test_a_turned_base_is_told_with_both_facings() -> None:
    (event,) = _events(_track((CALM, 0.6), (_with(CALM, 1, facing_deg=240.0), 1.0)))

    assert event.type == "turned"
    assert event.from_deg == pytest.approx(150, abs=5)
    assert event.to_deg == pytest.approx(240, abs=5)


def test_a_base_that_left_is_told() -> None:
    results = _track((CALM, 0.6), (CALM.without(2), 1.0))
    before, after = _states(results)
    (event,) = _events(results)

    assert (event.type, event.ids) == ("removed", (_id_at(before, SMALL.at_mm),))
    assert len(after.state.miniatures) == 2


def test_a_base_that_came_has_a_new_name() -> None:
    new = rendered.Base((500.0, 320.0), 50.0, seed=8)
    results = _track((CALM, 0.6), (replace(CALM, bases=(*CALM.bases, new)), 1.0))
    _, after = _states(results)
    (event,) = _events(results)

    assert (event.type, event.ids) == ("appeared", (_id_at(after, new.at_mm),)) == ("appeared", ("m4",))


def test_the_name_of_a_base_that_left_is_not_given_again() -> None:
    new = rendered.Base((500.0, 320.0), 50.0, seed=8)
    without = CALM.without(2)
    results = _track((CALM, 0.6), (without, 0.6), (replace(without, bases=(*without.bases, new)), 1.0))

    assert [event.ids for event in _events(results) if event.type == "appeared"] == [("m4",)]


def test_two_of_a_size_that_change_places_keep_their_names() -> None:
    swapped = _with(_with(CALM, 0, at_mm=BONE.at_mm), 1, at_mm=RED.at_mm)
    before, after = _states(_track((CALM, 0.6), (_with_arm(CALM), 0.3), (swapped, 1.0)))

    assert _id_at(before, RED.at_mm) == _id_at(after, BONE.at_mm)
    assert _id_at(before, BONE.at_mm) == _id_at(after, RED.at_mm)


def test_look_alikes_that_move_together_are_told_as_unsure() -> None:
    twins = rendered.Scene(tuple(rendered.Base((100.0 + 60 * k, 120.0), 30.0, seed=3) for k in range(2)))
    apart = replace(
        twins, bases=tuple(replace(one, at_mm=(430.0 + 60 * k, 280.0)) for k, one in enumerate(twins.bases))
    )
    events = _events(_track((twins, 0.6), (apart, 1.0)))

    assert sorted(event.type for event in events) == ["moved", "moved", "unsure"]
    assert next(event.ids for event in events if event.type == "unsure") == ("m1", "m2")


TWINS = rendered.Scene(tuple(rendered.Base((100.0 + 60 * k, 120.0), 30.0, seed=3) for k in range(2)))


def test_when_one_of_two_look_alikes_leaves_and_the_other_moves_nobody_can_say_which() -> None:
    left = replace(TWINS, bases=(replace(TWINS.bases[0], at_mm=(430.0, 280.0)),))
    events = _events(_track((TWINS, 0.6), (_with_arm(left), 0.4), (left, 1.0)))
    (asked,) = [event for event in events if event.type == "unsure"]

    assert sorted({event.type for event in events} - {"in-hand"}) == ["moved", "removed", "unsure"]
    assert {naming.ids for naming in asked.namings} == {("m1",), ("m2",)}
    assert asked.places_mm[0] == pytest.approx((430.0, 280.0), abs=1)


def test_an_answer_is_told_and_corrects_the_states_from_then_on() -> None:
    apart = replace(
        TWINS, bases=tuple(replace(one, at_mm=(430.0, 200 + 90.0 * k)) for k, one in enumerate(TWINS.bases))
    )
    tracker = Tracker(
        CALM.eye.camera(), rendered.layout(), edition="warmachine-prime", catalogue=catalogue_of(("warmachine-prime",))
    )
    before = [tracker.update(Frame(k, k / FPS, _picture(scene))) for k, scene in enumerate([TWINS] * 6 + [apart] * 6)]
    (asked,) = [event for event in _events(before) if event.type == "unsure"]
    assert asked.question is not None
    held = _id_at(_states(before)[-1], asked.places_mm[0])
    other = {"m1": "m2", "m2": "m1"}[held]
    tracker.resolve_identity(asked.question, (other, held))
    after = tracker.update(Frame(12, 1.2, _picture(apart)))
    swapped, state = after.lines

    assert isinstance(swapped, EventLine)
    assert (swapped.type, swapped.renamed, swapped.since_s) == ("swapped", {"m1": "m2", "m2": "m1"}, asked.t_s)
    assert isinstance(state, StateLine)
    assert _id_at(state, asked.places_mm[0]) == other


def test_what_nobody_asked_cannot_be_answered() -> None:
    tracker = Tracker(
        CALM.eye.camera(), rendered.layout(), edition="warmachine-prime", catalogue=catalogue_of(("warmachine-prime",))
    )

    with pytest.raises(BadInput, match="no open question 'q1'"):
        tracker.resolve_identity("q1", ("m1",))


def test_a_base_that_left_and_comes_back_has_its_name_again() -> None:
    back = _with(CALM, 2, at_mm=ELSEWHERE)
    events = _events(_track((CALM, 0.6), (CALM.without(2), 0.8), (back, 1.0)))

    assert [event.type for event in events] == ["removed", "appeared"]
    assert events[0].ids == events[1].ids
    assert events[1].detail is not None


def test_what_something_lies_on_is_not_told_as_removed() -> None:
    """A sleeve that rests for long is taken for part of the table; whoever stands below stands there still."""
    sleeve = replace(CALM, balls=tuple(rendered.Ball((300.0, 18.0 * k - 80, 40.0), 30.0, SKIN) for k in range(25)))
    results = _track((CALM, 0.6), (sleeve, 14.0), (CALM, 14.0))

    assert _events(results) == []
    assert len(_states(results)[-1].state.miniatures) == 3


def _taken_over(first: list[rendered.Scene], then: list[rendered.Scene]) -> list[EventLine]:
    """What a second tracker tells who has the memory of a first; it comes over as bytes."""

    def tracker(state: TrackerState | None = None) -> Tracker:
        catalogue = catalogue_of(("warmachine-prime",))
        return Tracker(
            CALM.eye.camera(), rendered.layout(), edition="warmachine-prime", catalogue=catalogue, state=state
        )

    before = tracker()
    for k, scene in enumerate(first):
        before.update(Frame(k, k / FPS, _picture(scene)))
    after = tracker(unpickle_memory(pickle.dumps(before.state)))
    began = len(first) + 50
    return _events([after.update(Frame(k, k / FPS, _picture(scene))) for k, scene in enumerate(then, start=began)])


def test_a_tracker_who_takes_over_knows_who_is_who_and_what_moved_meanwhile() -> None:
    (event,) = _taken_over([CALM] * 4, [_with(CALM, 0, at_mm=ELSEWHERE)] * 4)

    assert event.type == "moved"
    assert event.from_mm == pytest.approx(RED.at_mm, abs=1)


def test_a_tracker_who_takes_over_knows_who_had_left() -> None:
    (event,) = _taken_over([CALM] * 4 + [CALM.without(2)] * 4, [CALM] * 4)

    assert event.type == "appeared"
    assert event.detail == "back on the table, which it left at 0.6 s"


def test_a_tracker_who_takes_over_tells_nothing_of_a_table_that_stayed_as_it_was() -> None:
    assert _taken_over([CALM] * 4, [CALM] * 4) == []


def test_what_a_tracker_hands_on_holds_no_picture() -> None:
    tracker = Tracker(
        CALM.eye.camera(), rendered.layout(), edition="warmachine-prime", catalogue=catalogue_of(("warmachine-prime",))
    )
    for k in range(4):
        tracker.update(Frame(k, k / FPS, _picture(CALM)))

    assert len(pickle.dumps(tracker.state)) < 3000 * (len(CALM.bases) + 2) < _picture(CALM).nbytes / 100


def test_a_move_is_told_with_its_length_and_how_surely() -> None:
    (event,) = _events(_track((CALM, 0.6), (_with(CALM, 0, at_mm=ELSEWHERE), 1.0)))
    true_mm = math.dist(RED.at_mm, ELSEWHERE)

    assert event.distance_mm is not None
    assert event.sigma_mm is not None
    assert abs(event.distance_mm - true_mm) < 4 * event.sigma_mm < 3.0
    assert event.confidence == pytest.approx(1.0, abs=0.02)


def test_a_push_of_two_millimetres_is_found_by_the_slow_sweep() -> None:
    pushed = _with(CALM, 2, at_mm=(SMALL.at_mm[0] + 2.1, SMALL.at_mm[1]))
    (event,) = _events(_track((CALM, 0.6), (pushed, 9.0)))

    assert event.type == "moved"
    assert event.distance_mm == pytest.approx(2.1, abs=0.7)


def test_a_close_look_that_finds_everybody_in_place_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The slow sweep was mistaken: of a shadow's edge, or of noise."""
    monkeypatch.setattr(RemeasureSweep, "remeasure_next", lambda _, __, standing, **___: tuple(standing)[:1])
    results = _track((CALM, 1.5))

    assert len(_states(results)) == 1
    assert _events(results) == []


def test_a_base_that_did_not_change_is_not_found_a_second_time_in_its_neighbours_change() -> None:
    """A larger one is lifted off right beside it: the ground that changed reaches under it."""
    beside = rendered.Base((150.0, 186.0), 50.0, seed=6)
    crowded = replace(CALM, bases=(*CALM.bases, beside))
    events = _events(_track((crowded, 0.6), (CALM, 1.0)))

    assert [event.type for event in events] == ["removed"]


@pytest.mark.parametrize(("apart_mm", "wanted"), [(10.0, True), (27.0, True), (29.0, False), (200.0, False)])
def test_a_place_is_taken_by_whoever_stands_on_most_of_it(apart_mm: float, wanted: bool) -> None:
    one, other = seen((100.0, 100.0), diameter_mm=30.0), seen((100.0 + apart_mm, 100.0), diameter_mm=40.0)

    assert is_occupied(one, by=[other]) is wanted


def test_a_dimmed_lamp_is_not_told() -> None:
    assert _events(_track((CALM, 0.6), (replace(CALM, light=0.8), 1.0))) == []


def test_a_bumped_camera_is_told_and_moves_no_base() -> None:
    bumped = replace(CALM, eye=replace(CALM.eye, turn_rad=0.025, centre_mm=(316.0, 190.0, 800.0)))
    results = _track((CALM, 0.6), (bumped, 1.5))

    assert [event.type for event in _events(results)] == ["camera-moved"]


def test_after_a_bump_bases_are_measured_through_the_new_pose() -> None:
    """A move that happens under the bumped camera lands where it is."""
    eye = replace(CALM.eye, turn_rad=0.025, centre_mm=(316.0, 190.0, 800.0))
    moved = replace(_with(CALM, 0, at_mm=ELSEWHERE), eye=eye)
    results = _track((CALM, 0.6), (replace(CALM, eye=eye), 0.8), (moved, 1.0))

    assert [event.type for event in _events(results)] == ["camera-moved", "moved"]
    assert _events(results)[1].to_mm == pytest.approx(ELSEWHERE, abs=1)


def test_covered_fiducials_are_told_once_and_so_is_their_return() -> None:
    covered = replace(CALM, has_fiducials=False)
    results = _track((CALM, 0.6), (covered, 2.6), (CALM, 1.5))

    assert [event.type for event in _events(results)] == ["obstructed", "back"]


def test_a_table_that_is_not_seen_is_no_state() -> None:
    results = _track((replace(CALM, has_fiducials=False), 1.5))

    assert [event.type for event in _events(results)] == ["obstructed"]
    assert _states(results) == []
    assert results[-1].pose is None


def test_a_table_that_is_seen_later_is_told_then() -> None:
    results = _track((replace(CALM, has_fiducials=False), 0.5), (CALM, 2.0))

    assert [line.type for result in results for line in result.lines] == ["obstructed", "back", "state"]


def test_a_frame_of_another_size_is_refused() -> None:
    tracker = Tracker(
        CALM.eye.camera(), rendered.layout(), edition="warmachine-prime", catalogue=catalogue_of(("warmachine-prime",))
    )

    with pytest.raises(BadInput, match="calibrated at 960x720"):
        tracker.update(Frame(0, 0.0, _picture(CALM)[:-2]))


def test_a_facing_is_told_in_degrees_from_the_tables_right() -> None:
    (line,) = _states(_track((CALM, 0.6)))
    found = next(one for one in line.state.miniatures if one.id == _id_at(line, RED.at_mm))

    assert found.facing_rad == pytest.approx(radians(60.0), abs=0.07)


def test_a_turn_is_told_by_what_stands_there_when_the_rim_shows_no_facing() -> None:
    plain = _with(CALM, 0, marking="none")
    results = _track((plain, 0.6), (_with(plain, 0, facing_deg=170.0), 0.6))
    (turned,) = _events(results)

    assert (turned.type, turned.ids) == ("turned", (_id_at(_states(results)[0], RED.at_mm),))
    assert (turned.from_deg, turned.to_deg) == (None, None)
