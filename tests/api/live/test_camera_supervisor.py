import asyncio
import os
import pickle
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import pytest

from api.camera.protocol import (
    AliveReport,
    CameraCommands,
    FailureReport,
    FrameReport,
    Job,
    Report,
    SnapshotReport,
    SourceNotice,
)
from api.errors import CameraFailed
from api.live.camera_supervisor import BEATS, BeatTimeouts, CameraSupervisor, open_commands
from api.live.hub import Hub
from models.errors import SourceLost
from tests.api.cameras import CAMERA, LAYOUT
from tests.api.worlds import frame_report, skirmish, state_line

PATIENCE_S = 120


def dies_at_once(_job: Any, _out: Connection, _wanted: Any) -> None:
    os._exit(9)


def sees_and_dies(_job: Any, out: Connection, _wanted: Any) -> None:
    out.send(frame_report(state_line(skirmish())))
    os._exit(9)


def loses_its_source(_job: Any, out: Connection, _wanted: Any) -> None:
    out.send(FailureReport(SourceLost("the stream went away", field="source", value="cam7").problem()))


def looks_forever(_job: Any, out: Connection, _wanted: Any) -> None:
    out.send(frame_report(state_line(skirmish())))
    time.sleep(600)


def dies_once(job: Job, out: Connection, _wanted: Any) -> None:
    """And says, when it lives again, what it was told of its former life."""
    if job.kept is None:
        out.send(frame_report(state_line(skirmish())))
        out.send(SnapshotReport(frame=70, t_s=7.0, at_s=107.0, memory=pickle.dumps("who is who")))
        os._exit(9)
    out.send(SourceNotice(f"I know {pickle.loads(job.kept.memory)} since frame {job.kept.frame}"))
    out.send(frame_report(t_s=9.0))
    time.sleep(600)


def stands_still_once(job: Job, out: Connection, _wanted: Any) -> None:
    """As a process that was stopped: it lives, and says nothing more."""
    if job.kept is None:
        out.send(SnapshotReport(frame=5, t_s=0.5, at_s=0.5, memory=b""))
        time.sleep(600)
    out.send(frame_report(state_line(skirmish())))
    time.sleep(600)


def is_stopped_while_it_loads(_job: Any, _out: Connection, _wanted: Any) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def beats_before_it_sees(_job: Any, out: Connection, _wanted: Any) -> None:
    for _ in range(50):
        out.send(AliveReport())
        time.sleep(0.02)
    out.send(frame_report(state_line(skirmish())))
    time.sleep(600)


def stumbles_once(job: Job, out: Connection, _wanted: Any) -> None:
    if job.kept is None:
        out.send(SnapshotReport(frame=3, t_s=0.3, at_s=0.3, memory=b""))
        out.send(FailureReport(CameraFailed("ZeroDivisionError: one over none").problem()))
        return
    out.send(frame_report())
    time.sleep(600)


def garbles_once(job: Job, out: Connection, _wanted: Any) -> None:
    if job.kept is None:
        out.send(SnapshotReport(frame=3, t_s=0.3, at_s=0.3, memory=b""))
        out.send_bytes(b"no report")
        time.sleep(600)
    out.send(frame_report())
    time.sleep(600)


class Noting(Hub):
    """A hub that keeps what it took in, in order."""

    def __init__(self, wanted: CameraCommands) -> None:
        super().__init__(title="fed", commands=wanted)
        self.taken: list[Report] = []
        self.attached: list[CameraCommands] = []

    def handle_report(self, report: Report) -> None:
        self.taken.append(report)
        super().handle_report(report)

    def attach_camera(self, commands: CameraCommands) -> None:
        self.attached.append(commands)
        super().attach_camera(commands)


async def _lived_through(
    target: Any, *, until: Callable[[Noting], bool], is_live: bool = True, beats: BeatTimeouts = BEATS
) -> Noting:
    wanted = open_commands()
    hub = Noting(wanted)
    job = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime")
    async with CameraSupervisor(target, job, wanted, is_live=is_live, beats=beats)(hub), asyncio.timeout(PATIENCE_S):
        while not until(hub):
            await asyncio.sleep(0.02)
    return hub


def _has_said(kind: type[Report], times: int) -> Callable[[Noting], bool]:
    return lambda hub: sum(isinstance(one, kind) for one in hub.taken) >= times


@pytest.fixture(scope="module")
def survivor() -> Noting:
    """A hub whose camera's process died once."""
    return asyncio.run(_lived_through(dies_once, until=_has_said(FrameReport, 2)))


def test_another_process_takes_over_from_one_that_died_and_knows_what_it_knew(survivor: Noting) -> None:
    assert [type(one) for one in survivor.taken] == [FrameReport, FailureReport, SourceNotice, FrameReport]
    assert survivor.taken[2] == SourceNotice("I know who is who since frame 70")
    assert (survivor.state, survivor.source.problem, len(survivor.attached)) == (skirmish(), None, 1)


def test_one_that_says_what_cannot_be_read_is_ended_and_another_takes_over() -> None:
    hub = asyncio.run(_lived_through(garbles_once, until=_has_said(FrameReport, 1)))

    assert [type(one) for one in hub.taken] == [FailureReport, FrameReport]
    assert hub.source.problem is None


def test_that_it_died_is_told_with_where_the_timeline_broke_off(survivor: Noting) -> None:
    told = survivor.taken[1]

    assert isinstance(told, FailureReport)
    assert told.problem["type"] == "world/camera_failed"
    assert [(line.type, line.t_s, line.frame) for line in told.lines] == [("lost-source", 7.0, 70)]


def test_one_that_stumbles_over_a_picture_is_started_again_too() -> None:
    hub = asyncio.run(_lived_through(stumbles_once, until=_has_said(FrameReport, 1)))

    assert [type(one) for one in hub.taken] == [FailureReport, FailureReport, FrameReport]
    assert hub.source.problem is None


def test_one_that_stands_still_is_told_of_ended_and_replaced() -> None:
    beats = BeatTimeouts(silent_s=0.2, ended_s=0.5)
    hub = asyncio.run(_lived_through(stands_still_once, until=_has_said(FrameReport, 1), beats=beats))

    assert [type(one) for one in hub.taken[:3]] == [FailureReport, FailureReport, FrameReport]
    told = hub.taken[0]
    assert isinstance(told, FailureReport)
    assert "does not answer" in told.problem["detail"]


if hasattr(os, "waitid"):

    def test_one_that_the_system_has_stopped_is_told_of_though_it_never_beat() -> None:
        beats = BeatTimeouts(start_s=600.0, stopped_s=0.1, stopped_ended_s=0.2)
        hub = asyncio.run(_lived_through(is_stopped_while_it_loads, until=_has_said(FailureReport, 2), beats=beats))

        told = [one.problem["detail"] for one in hub.taken if isinstance(one, FailureReport)]
        assert ["does not answer" in told[0], "another one is started" in told[1]] == [True, True]


def test_one_that_beats_is_left_alone_though_it_sees_nothing() -> None:
    beats = BeatTimeouts(silent_s=0.4, ended_s=0.5)
    hub = asyncio.run(_lived_through(beats_before_it_sees, until=_has_said(FrameReport, 1), beats=beats))

    assert type(hub.taken[0]) is FrameReport


def test_a_recording_is_not_begun_anew() -> None:
    hub = asyncio.run(_lived_through(dies_at_once, until=_has_said(FailureReport, 1), is_live=False))

    assert (len(hub.taken), hub.attached) == (1, [])


async def _until_trouble(target: Any) -> Hub:
    wanted = open_commands()
    hub = Hub(title="fed", commands=wanted)
    async with CameraSupervisor(target, None, wanted)(hub), asyncio.timeout(PATIENCE_S):
        while hub.source.problem is None:
            await asyncio.sleep(0.02)
    return hub


def test_a_camera_that_dies_is_noticed() -> None:
    hub = asyncio.run(_until_trouble(dies_at_once))

    assert hub.source.problem is not None
    assert hub.source.problem.type == "world/camera_failed"


def test_what_a_dying_camera_saw_stays() -> None:
    hub = asyncio.run(_until_trouble(sees_and_dies))

    assert hub.state == skirmish()
    assert hub.source.freshness().source == "lost"


def test_a_lost_source_is_told_in_its_own_words() -> None:
    hub = asyncio.run(_until_trouble(loses_its_source))

    assert hub.source.problem is not None
    assert (hub.source.problem.type, hub.source.problem.value) == ("world/source_lost", "cam7")


def test_the_camera_stops_when_the_server_does() -> None:
    async def serve_a_moment() -> float:
        wanted = open_commands()
        hub = Hub(title="fed", commands=wanted)
        async with CameraSupervisor(looks_forever, None, wanted)(hub), asyncio.timeout(PATIENCE_S):
            while hub.state is None:
                await asyncio.sleep(0.02)
            began = asyncio.get_running_loop().time()
        return asyncio.get_running_loop().time() - began

    assert asyncio.run(serve_a_moment()) < 5
