"""Files of versions before: what they kept opens, or is told of in one sentence; nothing of it is overwritten.

`tests/api/version_0_1_0/` and `version_0_2_0/` were written by those versions over a short game: a `--data` folder with
corrections, clocks, rulings and a setup, and what their own server answered from it (`answers.json`). The first holds
every type of journal entry of its time, the tracker's memory and a saved camera; the second the evidence of rulings.
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

from api.books.kept_books import BookOpened
from api.camera.protocol import Job, SnapshotReport
from api.camera.tracker_snapshot import TrackerSnapshot
from api.cli.serve import SHIPPED
from api.clocks.entries import ClockLent, ClockRunOut, ClocksKept
from api.corrections.disputes import DisputeAnswered, DisputeOpened
from api.corrections.entries import BaseMeasured, CorrectionAgreed
from api.corrections.settlements import DoubtSettled
from api.hall.rounds import HALL_ENTRIES
from api.journal.chain import read_chain
from api.journal.countersignature import HubSigned, PhoneSigned
from api.journal.file_journal import NAME, FileJournal
from api.journal.signature import HeadSigned, KeyMade
from api.journal.timestamp import HeadStamped
from api.live.entries import PastOpened
from api.live.hub import Hub
from api.rulings.entries import RollDecided, RulingEnded, RulingSeen, VerdictKept
from api.seats.entries import PlayerNamed, ScoreSaid, SeatsWithdrawn
from api.server.app import create_app
from api.server.hosting import Hosting
from api.server.journal_entries import ENTRY_CLASSES
from api.storage.camera_profiles import Profiles
from api.storage.files import load
from models.errors import BadLayout
from models.layout import Layout
from tests.api.cli.commands import run
from tests.api.fakes import ask

FOLDERS = {version: Path(__file__).parent.parent / f"version_{version}" for version in ("0_1_0", "0_2_0")}
TOLD = {
    version: json.loads((folder / "answers.json").read_text(encoding="utf-8")) for version, folder in FOLDERS.items()
}
WRITTEN = FOLDERS["0_1_0"]
ASKED = [(version, path) for version, told in TOLD.items() for path in told["answers"]]
of_each = pytest.mark.parametrize("version", FOLDERS)
of_the_first = pytest.mark.parametrize("version", ["0_1_0"])


@pytest.fixture
def data(version: str, tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDERS[version] / "table", tmp_path / "table"))


@pytest.fixture
def client(data: Path) -> Iterator[TestClient]:
    hosting = Hosting(data=data)
    with hosting.journal() as journal:
        app = create_app(Hub(title="x", journal=journal), ask=ask, seats=hosting.seats(journal), shelf=hosting.shelf())
        with TestClient(app) as client:
            yield client


def judge_of(version: str) -> str:
    return next(token for token, seat in TOLD[version]["seats_by_token"].items() if seat == "judge")


def ask_server(client: TestClient, path: str, *, token: str) -> Any:
    answer = client.get(f"/api/v1/{path}", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.text
    return answer.json()


def path_by_number(version: str, path: str) -> str:
    """The path of today: a ruling was asked for by its line in the journal, and is by its number."""
    rulings = [told for told in TOLD[version]["answers"] if told.startswith("rulings/")]
    return f"rulings/{1 + rulings.index(path)}" if path in rulings else path


_NEWER = {"number", "tape_sigma_mm", "by", "slot", "reason", "says", "distance_mm"}  # of rulings and moments


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


@pytest.mark.parametrize(("version", "path"), ASKED)
def test_the_server_answers_from_the_old_journal_as_the_old_server_did(
    client: TestClient, version: str, path: str
) -> None:
    answered = TOLD[version]["answers"][path]
    path = path_by_number(version, path)

    assert drop_new_fields(ask_server(client, path, token=judge_of(version)), answered) == answered


@of_each
def test_who_had_a_seat_has_it_still(client: TestClient, version: str) -> None:
    tokens = TOLD[version]["seats_by_token"]

    assert {token: ask_server(client, "seat", token=token)["seat"] for token in tokens} == tokens


@of_each
def test_the_stream_is_fed_as_it_was(client: TestClient, version: str) -> None:
    assert ask_server(client, "overlay", token=judge_of(version))["production"] == TOLD[version]["production"]


@of_each
def test_every_line_is_read_and_no_field_is_lost(data: Path, caplog: pytest.LogCaptureFixture) -> None:
    kept = [json.loads(line) for line in (data / NAME).read_bytes().splitlines()]
    with closing(FileJournal(data, ENTRY_CLASSES)) as journal:
        read = [json.loads(line.model_dump_json()) for line in journal.lines()]

    assert [drop_new_fields(one, old) for one, old in zip(read, kept, strict=True)] == [
        {key: one for key, one in line.items() if key in read[0]} for line in kept
    ]
    assert caplog.messages == []


@pytest.mark.parametrize("version", ["0_2_0"])
def test_a_chain_that_was_whole_is_whole_and_its_evidence_with_it(data: Path) -> None:
    chain = read_chain(data / NAME)
    verified = run("verify", data)

    assert (chain.why, chain.unchained_until) == (None, 0)
    assert (verified.code, verified.err) == (0, "")


@pytest.mark.parametrize("version", ["0_2_0"])
def test_evidence_that_was_changed_since_is_noticed(data: Path) -> None:
    evidence = next((data / "evidence").glob("*.json"))
    evidence.write_bytes(evidence.read_bytes().replace(b"mm", b"nn", 1))

    assert run("verify", data).code == 1


@of_the_first
def test_every_type_of_entry_is_among_the_lines(data: Path) -> None:
    with closing(FileJournal(data, ENTRY_CLASSES)) as journal:
        lines = list(journal.lines())

    assert [line.n for line in lines] == list(range(1, len(lines) + 1))
    assert {type(line.entry) for line in lines} == set(ENTRY_CLASSES) - {
        *HALL_ENTRIES,
        BaseMeasured,
        BookOpened,
        ClockRunOut,
        ClocksKept,
        CorrectionAgreed,
        ClockLent,
        DisputeAnswered,
        DisputeOpened,
        DoubtSettled,
        HeadSigned,
        HeadStamped,
        HubSigned,
        KeyMade,
        PastOpened,
        PhoneSigned,
        PlayerNamed,
        RollDecided,
        RulingEnded,
        RulingSeen,
        ScoreSaid,
        SeatsWithdrawn,
        VerdictKept,
    }  # these are newer


@of_each
def test_the_game_goes_on_behind_the_old_lines(client: TestClient, data: Path, version: str) -> None:
    written = (data / NAME).read_bytes()
    headers = {"Authorization": f"Bearer {judge_of(version)}"}
    name = {"do": "miniature", "ids": ["m4"], "name": "Defender"}
    first = next(one["n"] for one in TOLD[version]["answers"]["corrections"] if not one["is_undone"])
    step = client.post("/api/v1/corrections", json=name, headers=headers).json()
    client.post("/api/v1/corrections/undo", json={"n": first}, headers=headers)
    steps = ask_server(client, "corrections", token=judge_of(version))

    assert step["n"] == written.count(b"\n") + 1
    assert (data / NAME).read_bytes().startswith(written)
    assert {one["n"]: one["is_undone"] for one in steps if one["n"] in (first, step["n"])} == {
        first: True,
        step["n"]: False,
    }


def test_a_saved_camera_is_the_same_lens(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(WRITTEN / "cameras", tmp_path / "cameras"))
    (file,) = folder.iterdir()
    written = file.read_bytes()
    profile = Profiles(folder).of_device("Brio 4K")
    assert profile is not None
    Profiles(folder).save(profile.camera, device=profile.device)

    assert json.loads(written)["camera"] == profile.camera.model_dump(mode="json", exclude_none=True)
    assert file.read_bytes() == written


@of_the_first
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
