"""Doctor: each thing that can be wrong is said by name, with what to do."""

import os
import socket
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from api.camera.live_source import list_devices
from api.diagnosis.machine import (
    check_cameras,
    check_disk,
    check_game,
    check_lenses,
    check_network,
    check_port,
    check_program,
    check_speed,
)
from api.journal.file_journal import NAME, FileJournal
from api.seats.sessions import SeatSessions
from api.server.journal_entries import ENTRY_CLASSES
from api.storage.camera_profiles import profiles_in
from calibration.arrays import Image
from models.errors import SourceLost
from tests.api.cameras import CAMERA

PICTURE: Image = np.zeros((720, 1280, 3), np.uint8)


def test_a_port_that_somebody_holds_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        found = check_port("127.0.0.1", held.getsockname()[1])

    assert found.grade == "bad"
    assert "--port" in found.advice


def test_a_free_port_is_good() -> None:
    assert check_port("127.0.0.1", 0).grade == "good"


def test_a_machine_without_a_network_is_told_where_phones_would_come_from() -> None:
    assert (check_network(None).grade, check_network("192.0.2.7").grade) == ("bad", "good")
    assert "hotspot" in check_network(None).advice


def test_a_server_that_no_phone_can_reach_is_said_with_what_to_do() -> None:
    found = check_network("192.0.2.7", host="127.0.0.1")

    assert (found.grade, "--host" in found.advice) == ("bad", True)


def test_a_phone_that_still_does_not_reach_it_is_told_of_firewall_and_guests() -> None:
    assert all(word in check_network("192.0.2.7").says for word in ("192.0.2.7", "firewall", "guests"))


def test_a_folder_that_does_not_exist_yet_is_looked_for_above(tmp_path: Path) -> None:
    assert str(tmp_path) in check_disk(tmp_path / "a" / "b").says


def test_a_folder_that_cannot_be_written_to_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)

    assert check_disk(tmp_path).grade == "bad"


@pytest.mark.parametrize(("free", "grade"), [(1e8, "bad"), (1e9, "warning"), (1e10, "good")])
def test_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: float, grade: str) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": free}))

    assert check_disk(tmp_path).grade == grade


@pytest.mark.parametrize(("step_s", "grade"), [(0.3, "good"), (1.5, "warning")])
def test_a_slow_processor_is_said(step_s: float, grade: str) -> None:
    ticks = count()

    assert check_speed(lambda _: None, clock=lambda: step_s * next(ticks)).grade == grade


def test_the_program_tells_its_parts() -> None:
    assert {one.subject for one in check_program()} == {"program", "packages", "streams", "kernels", "page", "weights"}


def test_a_camera_that_another_program_holds_is_named_and_the_next_is_looked_at(tmp_path: Path) -> None:
    def grab(number: str) -> Image:
        if number == "0":
            raise SourceLost("there is no such camera, or another program holds it", field="source", value="0")
        return PICTURE

    held, fine = check_cameras((("0", "Brio"), ("2", "C920")), grab, keep=lambda number, _: f"{number}.jpg")

    assert (held.grade, held.says) == ("bad", "Brio: there is no such camera, or another program holds it")
    assert (fine.grade, fine.says) == ("good", "C920: 1280 x 720, picture in 2.jpg")


def test_a_machine_without_a_camera_is_told_what_else_will_do() -> None:
    (found,) = check_cameras((), lambda _: PICTURE)

    assert found.grade == "warning"
    assert "photographs with a phone" in found.advice


@pytest.mark.parametrize(("days", "grade"), [(3, "good"), (200, "warning")])
def test_an_old_lens_is_said(tmp_path: Path, days: int, grade: str) -> None:
    profiles_in(tmp_path).save(CAMERA, device="Brio")
    saved_s = next(tmp_path.iterdir()).stat().st_mtime
    (found,) = check_lenses(profiles_in(tmp_path), now_s=saved_s + 86_400.0 * days)

    assert (found.grade, found.says) == (grade, f"Brio, {days} days old")


def test_a_broken_lens_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "a@1x1.json").write_text("{")

    assert next(check_lenses(profiles_in(tmp_path))).grade == "bad"


def _kept_game(folder: Path) -> Path:
    journal = FileJournal(folder, ENTRY_CLASSES)
    SeatSessions(journal)
    journal.close()
    return folder / NAME


def test_a_whole_game_is_good_and_stays_as_it_is(tmp_path: Path) -> None:
    path = _kept_game(tmp_path)
    before = path.read_bytes()

    assert check_game(tmp_path).grade == "good"
    assert path.read_bytes() == before


def test_a_damaged_game_names_the_line(tmp_path: Path) -> None:
    path = _kept_game(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"players", b"plaxers"))
    found = check_game(tmp_path)

    assert found.grade == "warning"
    assert found.says.startswith("line 1: ")


def test_this_machine_lists_its_cameras_without_an_error() -> None:
    assert isinstance(list_devices(), tuple)
