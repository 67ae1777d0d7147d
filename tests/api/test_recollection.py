"""What a camera's process knew outlives the server, and nothing else is ever taken for it."""

import asyncio
import os
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from api.camera_feed import CameraFeed, wishes
from api.job import Job
from api.recollection import FADES_S, Recollection, recalled
from api.sighting import Kept, Said
from models.base import catalogue_of
from tests.api.cameras import CAMERA, LAYOUT
from tests.api.test_camera_feed import Noting, dies_once
from vision.watching import Watcher

JOB = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime")
KNOWN = Kept(frame=70, t_s=7.0, at_s=107.0, memory=pickle.dumps("who is who"))


def kept(folder: Path, job: Job = JOB) -> None:
    """At 109 s of the machine and 1,000 of the calendar."""
    Recollection(folder, job, clock=lambda: 109.0, calendar=lambda: 1000.0).keep(KNOWN)


def taken_up(folder: Path, job: Job = JOB, *, later_s: float = 10.0) -> Kept | None:
    """By a machine that was started again in between: its clock stands at 5."""
    return Recollection(folder, job, clock=lambda: 5.0, calendar=lambda: 1000.0 + later_s).last()


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

    assert taken_up(tmp_path, later_s=FADES_S + 1) is None


def test_without_a_folder_nothing_is_kept() -> None:
    nowhere = Recollection(None, JOB)
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


def test_a_folder_that_cannot_be_written_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    gone = Recollection(tmp_path / "gone", JOB)
    gone.keep(KNOWN)
    gone.keep(KNOWN)

    assert caplog.text.count("is not kept") == 1


class Trap:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("trapped",)


def test_what_is_none_of_ours_is_not_even_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(pickle.UnpicklingError, match="mkdir is none of ours"):
        recalled(pickle.dumps(Trap()))
    assert not (tmp_path / "trapped").exists()


def test_functions_of_ours_are_not_called_by_a_file() -> None:
    class Call:
        def __reduce__(self) -> tuple[Any, ...]:
            return catalogue_of, (("warmachine-prime",),)

    with pytest.raises(pickle.UnpicklingError):
        recalled(pickle.dumps(Call()))


def test_a_watchers_memory_is_made_of_nothing_else() -> None:
    watcher = Watcher(CAMERA, LAYOUT, edition="warmachine-prime", catalogue=catalogue_of(("warmachine-prime",)))

    assert type(recalled(pickle.dumps(watcher.memory))) is type(watcher.memory)


async def _said(folder: Path) -> list[str]:
    wanted = wishes()
    hub = Noting(wanted)
    async with CameraFeed(dies_once, JOB, wanted, recollection=Recollection(folder, JOB))(hub), asyncio.timeout(30):
        while not any(isinstance(one, Said) for one in hub.taken):
            await asyncio.sleep(0.02)
    return [one.text for one in hub.taken if isinstance(one, Said)]


def test_a_server_that_starts_again_goes_on_with_what_the_camera_knew(tmp_path: Path) -> None:
    """The first process says nothing but what it was told: it did not begin anew, and so did not die."""
    Recollection(tmp_path, JOB).keep(KNOWN)

    (said,) = asyncio.run(_said(tmp_path))

    assert said.startswith("I know ")
    assert said.endswith("since frame 70")
