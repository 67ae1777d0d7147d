import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from api.camera.protocol import DamageReport, FailureReport, SourceNotice
from api.errors import CameraFailed
from api.live.broadcast import MOST_WAITING, Subscriber
from api.live.expected_bases import count_expected
from api.live.hub import Hub
from api.setups.schemas import ExpectedMiniature, RosterSet
from models.base import RoundBase
from models.state import TableState
from models.timeline import EventLine
from tests.api.worlds import camera_commands, drop_miniatures, frame_report, move_miniature, skirmish, state_line


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hub(clock: Clock) -> Hub:
    return Hub(title="test table", clock=clock)


def heard(subscriber: Subscriber) -> list[dict[str, Any]]:
    """All that waits for this listener now."""

    async def drain() -> list[dict[str, Any]]:
        messages = []
        while subscriber.has_news:
            messages.append(json.loads(await subscriber.next()))
        return messages

    return asyncio.run(drain())


def test_a_new_listener_first_hears_a_snapshot_of_the_whole_table(hub: Hub) -> None:
    hub.handle_report(frame_report(state_line(skirmish())))

    first, *rest = heard(hub.broadcast.subscribe())

    assert first["type"] == "snapshot"
    assert len(first["table"]["miniatures"]) == 17
    assert rest == []


def test_a_change_carries_only_what_changed(hub: Hub) -> None:
    hub.handle_report(frame_report(state_line(skirmish())))
    subscriber = hub.broadcast.subscribe()
    heard(subscriber)

    hub.handle_report(frame_report(state_line(drop_miniatures(move_miniature(skirmish(), "m3", (55.5, 700.25)), "m5"))))

    (change,) = heard(subscriber)
    assert [m["id"] for m in change["changed"]] == ["m3"]
    assert change["changed"][0]["at_mm"] == [55.5, 700.25]
    assert change["gone"] == ["m5"]
    assert change["areas"] is None


def test_the_same_table_seen_again_is_no_news(hub: Hub) -> None:
    hub.handle_report(frame_report(state_line(skirmish())))
    subscriber = hub.broadcast.subscribe()
    heard(subscriber)

    hub.handle_report(frame_report(state_line(skirmish(), t_s=2.5), t_s=2.5))

    assert heard(subscriber) == []


def test_sequence_numbers_leave_no_gap(hub: Hub) -> None:
    subscriber = hub.broadcast.subscribe()
    hub.handle_report(frame_report(state_line(skirmish()), jpeg=b"one"))
    hub.handle_report(frame_report(EventLine(type="moved", t_s=2, frame=20, ids=("m1",)), hand=True))
    hub.handle_report(SourceNotice("The recording starts again."))
    hub.beat()
    hub.fail(CameraFailed("gone").problem())

    numbers = [message["seq"] for message in heard(subscriber)]

    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_damage_stands_until_pictures_come_whole_whichever_process_says_so(hub: Hub) -> None:
    hub.handle_report(DamageReport("3 of the last 20 pictures came damaged"))
    hub.handle_report(FailureReport(CameraFailed("Its process ended.").problem()))
    late = hub.broadcast.subscribe()
    (snapshot,) = heard(late)

    hub.handle_report(DamageReport(None))

    assert [one["says"] for one in snapshot["alarms"]] == ["3 of the last 20 pictures came damaged"]
    gone, notice = heard(late)
    assert gone["alarms"] == []
    assert notice["text"] == "Pictures come whole again."


def test_whole_pictures_are_no_news_where_nothing_was_told_of_damage(hub: Hub) -> None:
    subscriber = hub.broadcast.subscribe()
    heard(subscriber)

    hub.handle_report(DamageReport(None))

    assert heard(subscriber) == []


def test_age_is_counted_from_when_the_frame_was_due(hub: Hub, clock: Clock) -> None:
    hub.handle_report(frame_report(lag_s=0.3))
    clock.now_s += 0.4

    assert hub.source.freshness().age_s == pytest.approx(0.7)


def test_a_hand_written_state_has_no_age(hub: Hub) -> None:
    hub.show(skirmish())

    assert hub.source.freshness().age_s is None
    assert hub.source.freshness().source == "still"


def test_a_hand_over_the_table_is_told_at_once(hub: Hub) -> None:
    hub.handle_report(frame_report())
    subscriber = hub.broadcast.subscribe()
    heard(subscriber)

    hub.handle_report(frame_report(hand=True, is_settled=False))

    (beat,) = heard(subscriber)
    assert beat["type"] == "fresh"
    assert beat["fresh"]["hand"] is True


def test_who_is_in_a_hand_is_told_until_he_is_put_down(hub: Hub) -> None:
    subscriber = hub.broadcast.subscribe()
    heard(subscriber)

    hub.handle_report(replace(frame_report(hand=True, is_settled=False), in_hand=("m3",)))
    hub.handle_report(frame_report())

    assert [message["fresh"]["in_hand"] for message in heard(subscriber)] == [["m3"], []]


def test_other_numbers_than_expected_are_told_until_they_agree(hub: Hub) -> None:
    hub.handle_report(frame_report(state_line(skirmish())))
    subscriber = hub.broadcast.subscribe()
    heard(subscriber)
    hub.expect(_roster(skirmish(), more=1))
    hub.handle_report(frame_report(state_line(move_miniature(skirmish(), "m3", (55.5, 700.25)))))
    hub.expect(_roster(skirmish()))

    missed, *_, agreed = [message for message in heard(subscriber) if "amiss" in (message.get("fresh") or {})]
    (counted,) = missed["fresh"]["amiss"]
    assert (counted["base"]["diameter_mm"], counted["expected"], counted["left"]) == (30, counted["seen"] + 1, 0)
    assert agreed["fresh"]["amiss"] == []


def test_whoever_was_seen_to_leave_is_not_missed(hub: Hub) -> None:
    hub.expect(_roster(skirmish()))
    hub.handle_report(frame_report(state_line(skirmish())))
    gone = EventLine(type="removed", t_s=2, frame=20, ids=("m3",))
    hub.handle_report(frame_report(gone, state_line(drop_miniatures(skirmish(), "m3"))))

    assert hub.source.freshness().amiss == ()


def test_the_camera_s_process_is_told_how_many_are_expected_by_each_hub_that_knows() -> None:
    first, next_one = camera_commands(), camera_commands()
    hub = Hub(title="fed", commands=first)
    roster = _roster(skirmish())
    hub.expect(roster)
    hub.attach_camera(next_one)

    assert [first.expected.get(), first.expected.get()] == [{}, next_one.expected.get()]
    assert sum(dict(count_expected(roster.expected)).values()) == 17


def _roster(state: TableState, *, more: int = 0) -> RosterSet:
    """Everybody who stands there, and so many more of 30 mm."""
    expected = [ExpectedMiniature(name=one.id, base=one.base) for one in state.miniatures]
    expected += [ExpectedMiniature(name="late", base=RoundBase(diameter_mm=30), count=more)] if more else []
    return RosterSet(by="player-a", expected=tuple(expected))


def test_a_dead_camera_is_told_and_the_last_table_stays(hub: Hub) -> None:
    hub.handle_report(frame_report(state_line(skirmish())))
    subscriber = hub.broadcast.subscribe()
    heard(subscriber)

    hub.handle_report(FailureReport(CameraFailed("Its process ended.").problem()))

    trouble, beat = heard(subscriber)
    assert trouble["problem"]["type"] == "world/camera_failed"
    assert beat["fresh"]["source"] == "lost"
    assert hub.state == skirmish()


def test_trouble_is_over_when_the_camera_sees_again(hub: Hub) -> None:
    hub.handle_report(FailureReport(CameraFailed("Its process ended.").problem()))
    subscriber = hub.broadcast.subscribe()
    heard(subscriber)

    hub.handle_report(frame_report())

    assert {"type": "trouble", "problem": None}.items() <= heard(subscriber)[0].items()


def test_a_phone_too_slow_for_the_messages_gets_one_snapshot_instead(hub: Hub) -> None:
    subscriber = hub.broadcast.subscribe()
    heard(subscriber)
    for _ in range(MOST_WAITING + 9):
        hub.beat()

    (only,) = heard(subscriber)

    assert only["type"] == "snapshot"
    assert only["seq"] == hub.snapshot().seq


def test_pictures_are_wanted_while_somebody_looks(clock: Clock) -> None:
    flags = camera_commands()
    wanted = flags.pictures
    hub = Hub(title="test table", commands=flags, clock=clock)
    clock.now_s += 60
    subscriber = hub.broadcast.subscribe()

    hub.want_pictures(subscriber, wanted=True)
    assert wanted.is_set()
    hub.want_pictures(subscriber, wanted=False)
    assert not wanted.is_set()


def test_a_fetched_picture_is_renewed_for_a_while_and_then_no_more(clock: Clock) -> None:
    flags = camera_commands()
    wanted = flags.pictures
    hub = Hub(title="test table", commands=flags, clock=clock)

    hub.note_picture_fetched()
    assert wanted.is_set()
    clock.now_s += 11
    hub.beat()
    assert not wanted.is_set()
