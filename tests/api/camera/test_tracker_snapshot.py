"""What a camera's process knew outlives the server, and nothing else is ever taken for it."""

import asyncio
import os
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from api.camera.protocol import Job, SnapshotReport, SourceNotice
from api.camera.tracker_snapshot import EXPIRES_S, TrackerSnapshot, unpickle_memory
from api.live.camera_supervisor import CameraSupervisor, open_commands
from models.base import catalogue_of
from tests.api.cameras import CAMERA, LAYOUT
from tests.api.live.test_camera_supervisor import Noting, dies_once
from vision.tracking.tracker import Tracker

JOB = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime")
KNOWN = SnapshotReport(frame=70, t_s=7.0, at_s=107.0, memory=pickle.dumps("who is who"))


def kept(folder: Path, job: Job = JOB) -> None:
    """At 109 s of the machine and 1,000 of the calendar."""
    TrackerSnapshot(folder, job, clock=lambda: 109.0, calendar=lambda: 1000.0).keep(KNOWN)


def taken_up(folder: Path, job: Job = JOB, *, later_s: float = 10.0) -> SnapshotReport | None:
    """By a machine that was started again in between: its clock stands at 5."""
    return TrackerSnapshot(folder, job, clock=lambda: 5.0, calendar=lambda: 1000.0 + later_s).last()


def test_the_next_server_knows_it_and_how_long_ago_that_was(tmp_path: Path) -> None:
    kept(tmp_path)

    assert taken_up(tmp_path) == replace(KNOWN, at_s=5.0 - 12.0)


def test_of_another_source_camera_or_table_nothing_is_known(tmp_path: Path) -> None:
    kept(tmp_path)

    assert taken_up(tmp_path, replace(JOB, source="1")) is None
    assert taken_up(tmp_path, replace(JOB, edition="hordes-mk2")) is None
    assert taken_up(tmp_path, replace(JOB, layout=LAYOUT.model_copy(update={"table_mm": (500.0, 300.0)}))) is None


def test_the_next_day_it_is_forgotten(tmp_path: Path) -> None:
    kept(tmp_path)

    assert taken_up(tmp_path, later_s=EXPIRES_S + 1) is None


def test_without_a_folder_nothing_is_kept() -> None:
    nowhere = TrackerSnapshot(None, JOB)
    nowhere.keep(KNOWN)

    assert nowhere.last() is None


@pytest.mark.parametrize("damage", [lambda b: b[:-4], lambda b: b"", lambda b: b"{}\n" + b, lambda b: b"\xff" + b])
def test_a_damaged_file_is_told_and_the_table_looked_at_as_for_the_first_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: Any
) -> None:
    kept(tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(damage(file.read_bytes()))

    assert taken_up(tmp_path) is None
    assert "cannot be read" in caplog.text


def test_a_file_of_the_version_before_is_told_of_and_stays_as_it_is(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Version 0.1.0 wrote one file without version or format, which holds classes that have other names by now."""
    old = tmp_path / "who-is-who"
    written = b'{"about": "0f", "frame": 70, "t_s": 7.0, "at_s": 1000.0}\n' + b"cvision.glance\nMemory\n)R."
    old.write_bytes(written)

    assert taken_up(tmp_path) is None
    (told,) = caplog.messages
    assert "another version" in told
    kept(tmp_path)
    assert old.read_bytes() == written
    assert taken_up(tmp_path) == replace(KNOWN, at_s=5.0 - 12.0)
    assert len(caplog.messages) == 1


def test_a_folder_that_cannot_be_written_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    gone = TrackerSnapshot(tmp_path / "gone", JOB)
    gone.keep(KNOWN)
    gone.keep(KNOWN)

    assert caplog.text.count("is not kept") == 1


class Trap:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("trapped",)


def test_what_is_none_of_ours_is_not_even_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(pickle.UnpicklingError, match="mkdir is none of ours"):
        unpickle_memory(pickle.dumps(Trap()))
    assert not (tmp_path / "trapped").exists()


def test_functions_of_ours_are_not_called_by_a_file() -> None:
    class Call:
        def __reduce__(self) -> tuple[Any, ...]:
            return catalogue_of, (("warmachine-prime",),)

    with pytest.raises(pickle.UnpicklingError):
        unpickle_memory(pickle.dumps(Call()))


def test_a_trackers_state_is_made_of_nothing_else() -> None:
    tracker = Tracker(CAMERA, LAYOUT, edition="warmachine-prime", catalogue=catalogue_of(("warmachine-prime",)))

    assert type(unpickle_memory(pickle.dumps(tracker.state))) is type(tracker.state)


async def _said(folder: Path) -> list[str]:
    wanted = open_commands()
    hub = Noting(wanted)
    async with (
        CameraSupervisor(dies_once, JOB, wanted, tracker_snapshot=TrackerSnapshot(folder, JOB))(hub),
        asyncio.timeout(30),
    ):
        while not any(isinstance(one, SourceNotice) for one in hub.taken):
            await asyncio.sleep(0.02)
    return [one.text for one in hub.taken if isinstance(one, SourceNotice)]


def test_a_server_that_starts_again_goes_on_with_what_the_camera_knew(tmp_path: Path) -> None:
    """The first process says nothing but what it was told: it did not begin anew, and so did not die."""
    TrackerSnapshot(tmp_path, JOB).keep(KNOWN)

    (said,) = asyncio.run(_said(tmp_path))

    assert said.startswith("I know ")
    assert said.endswith("since frame 70")
