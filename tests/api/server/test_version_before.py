"""Files of the version before: what 0.1.0 kept opens, or is told of in one sentence; nothing of it is overwritten.

`tests/api/version_0_1_0/` was written by that version over a short game: a `--data` folder with every type of journal
entry, a setup and the tracker's memory, a saved camera, and what its own server answered from them (`answers.json`).
"""

import json
import logging
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.books.entries import BookOpened
from api.camera.protocol import Job, SnapshotReport
from api.camera.tracker_snapshot import TrackerSnapshot
from api.cli.demo import SHIPPED
from api.clocks.entries import ClocksKept
from api.corrections.entries import CorrectionAgreed
from api.hall.entries import HALL_ENTRIES
from api.journal.file_journal import NAME, FileJournal
from api.live.entries import PastOpened
from api.live.hub import Hub
from api.rulings.entries import RollDecided, RulingEnded, RulingSeen, VerdictKept
from api.seats.entries import SeatsWithdrawn
from api.server.app import create_app
from api.server.hosting import Hosting
from api.server.journal_entries import ENTRY_CLASSES
from api.settlements.entries import DoubtSettled
from api.storage.camera_profiles import Profiles
from api.storage.files import load
from models.errors import BadLayout
from models.layout import Layout
from tests.api.fakes import ask

WRITTEN = Path(__file__).parent.parent / "version_0_1_0"
TOLD = json.loads((WRITTEN / "answers.json").read_text(encoding="utf-8"))
TOKENS: dict[str, str] = TOLD["seats_by_token"]
JUDGE = next(token for token, seat in TOKENS.items() if seat == "judge")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return Path(shutil.copytree(WRITTEN / "table", tmp_path / "table"))


@pytest.fixture
def client(data: Path) -> Iterator[TestClient]:
    hosting = Hosting(data=data)
    with hosting.journal() as journal:
        app = create_app(Hub(title="x", journal=journal), ask=ask, seats=hosting.seats(journal), shelf=hosting.shelf())
        with TestClient(app) as client:
            yield client


def ask_server(client: TestClient, path: str, *, token: str = JUDGE) -> Any:
    answer = client.get(f"/api/v1/{path}", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.text
    return answer.json()


_NEWER = {"number", "tape_sigma_mm", "by", "slot", "reason"}  # of rulings and their list


def drop_new_fields(value: Any, old: Any) -> Any:
    """The value without fields that the version before did not have: those that say nothing, and a ruling's number."""
    if isinstance(value, dict) and isinstance(old, dict):
        kept = {
            key: one
            for key, one in value.items()
            if key in old or (one not in (None, [], {}) and one is not False and key not in _NEWER)
        }
        return {key: drop_new_fields(one, old[key]) if key in old else one for key, one in kept.items()}
    if isinstance(value, list) and isinstance(old, list) and len(value) == len(old):
        return [drop_new_fields(one, before) for one, before in zip(value, old, strict=True)]
    return value


@pytest.mark.parametrize("path", TOLD["answers"])
def test_the_server_answers_from_the_old_journal_as_the_old_server_did(client: TestClient, path: str) -> None:
    assert drop_new_fields(ask_server(client, path), TOLD["answers"][path]) == TOLD["answers"][path]


def test_who_had_a_seat_has_it_still(client: TestClient) -> None:
    assert {token: ask_server(client, "seat", token=token)["seat"] for token in TOKENS} == TOKENS


def test_the_stream_is_fed_as_it_was(client: TestClient) -> None:
    assert ask_server(client, "overlay")["production"] == TOLD["production"]


def test_every_line_is_read_and_every_type_of_entry_is_among_them(data: Path, caplog: pytest.LogCaptureFixture) -> None:
    written = (data / NAME).read_bytes()
    with closing(FileJournal(data, ENTRY_CLASSES)) as journal:
        lines = list(journal.lines())

    assert [line.n for line in lines] == list(range(1, written.count(b"\n") + 1))
    assert {type(line.entry) for line in lines} == set(ENTRY_CLASSES) - {
        *HALL_ENTRIES,
        BookOpened,
        ClocksKept,
        CorrectionAgreed,
        DoubtSettled,
        PastOpened,
        RollDecided,
        RulingEnded,
        RulingSeen,
        SeatsWithdrawn,
        VerdictKept,
    }  # these are newer
    kept = [json.loads(line) for line in written.splitlines()]
    read = [json.loads(line.model_dump_json()) for line in lines]
    assert [drop_new_fields(one, old) for one, old in zip(read, kept, strict=True)] == kept
    assert caplog.messages == []


def test_the_game_goes_on_behind_the_old_lines(client: TestClient, data: Path) -> None:
    written = (data / NAME).read_bytes()
    headers = {"Authorization": f"Bearer {JUDGE}"}
    name = {"do": "miniature", "ids": ["m4"], "name": "Defender"}
    step = client.post("/api/v1/corrections", json=name, headers=headers).json()
    client.post("/api/v1/corrections/undo", json={"n": 10}, headers=headers)

    assert step["n"] == written.count(b"\n") + 1
    assert (data / NAME).read_bytes().startswith(written)
    assert [s["is_undone"] for s in ask_server(client, "corrections") if s["n"] in (10, step["n"])] == [True, False]


def test_a_saved_camera_is_the_same_lens(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(WRITTEN / "cameras", tmp_path / "cameras"))
    (file,) = folder.iterdir()
    written = file.read_bytes()
    profile = Profiles(folder).of_device("Brio 4K")
    assert profile is not None
    Profiles(folder).save(profile.camera, device=profile.device)

    assert json.loads(written)["camera"] == profile.camera.model_dump(mode="json", exclude_none=True)
    assert file.read_bytes() == written


def test_the_trackers_memory_is_told_of_and_stays_as_it_is(data: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It was pickled by names that classes had then, so it cannot be read; the table is looked at anew."""
    written = (data / "who-is-who").read_bytes()
    job = _job()
    with caplog.at_level(logging.WARNING):
        snapshot = TrackerSnapshot(data, job)
        known = snapshot.last()
        snapshot.keep(SnapshotReport(frame=1, t_s=0.1, at_s=0.0, memory=b""))

    assert known is None
    (sentence,) = caplog.messages
    assert "kept by another version of the program and cannot be read by this one" in sentence
    assert str(data / "who-is-who") in sentence
    assert (data / "who-is-who").read_bytes() == written


def _job() -> Job:
    """What the file is about: this camera over this table."""
    profile = Profiles(WRITTEN / "cameras").of_device("Brio 4K")
    assert profile is not None
    layout = load(Layout, SHIPPED / "layout.json", error=BadLayout)
    return Job(source="0", camera=profile.camera, layout=layout, edition="warmachine-prime")
