"""Kept verdicts: evidence without a ruling, and the slip that tells whether the journal is whole."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from api.cli import app as command_line
from api.errors import BrokenJournal
from api.evidence.service import EvidenceKeeper
from api.evidence.store import FOLDER, is_unaltered
from api.journal.file_journal import NAME, FileJournal
from api.live.hub import Hub
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES
from tests.api.evidence.test_evidence import FEW, picture, report_with
from tests.api.fakes import ask
from tests.api.worlds import move_miniature

WANTED = {"pair": {"a": "m7", "b": "m10"}, "slot": "distance"}


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        yield Hub(title="Table 4", journal=journal)


@pytest.fixture
def keeper(hub: Hub, tmp_path: Path) -> EvidenceKeeper:
    return EvidenceKeeper(hub, tmp_path, most_bytes=10**6)


@pytest.fixture
def client(hub: Hub, keeper: EvidenceKeeper) -> Iterator[TestClient]:
    hub.handle_report(report_with(picture()))
    with TestClient(create_app(hub, ask=ask, evidence=keeper)) as client:
        yield client


def keep(client: TestClient, **more: Any) -> Any:
    return client.post("/api/v1/kept", json=WANTED | more)


def test_a_kept_verdict_names_evidence_that_is_there(client: TestClient, keeper: EvidenceKeeper) -> None:
    kept = keep(client).json()

    assert all(is_unaltered(keeper.path(name)) for name in kept["evidence"].values())
    assert (kept["by"], kept["line"]["slot"]) == ("judge", "distance")
    assert client.get(f"/api/v1/kept/{kept['n']}").json() == kept


def test_the_same_again_is_the_same_line(client: TestClient, hub: Hub) -> None:
    first = keep(client).json()["n"]
    again = keep(client).json()["n"]
    hub.handle_report(report_with(picture(grey=140), move_miniature(FEW, "m7", (90.0, 140.0))))

    assert again == first
    assert keep(client).json()["n"] > first


def test_an_earlier_moment_is_kept_with_its_own_picture(client: TestClient, hub: Hub, keeper: EvidenceKeeper) -> None:
    now = keep(client).json()
    hub.handle_report(report_with(picture(grey=140), move_miniature(FEW, "m7", (90.0, 140.0))))
    then = keep(client, at=1).json()

    assert then["evidence"]["table"] == now["evidence"]["table"]
    assert keep(client).json()["evidence"]["table"] != now["evidence"]["table"]


def test_its_record_shows_what_the_camera_saw_and_decides_nothing(client: TestClient) -> None:
    page = client.get(f"/api/v1/kept/{keep(client).json()['n']}/record.html").text

    assert page.count("data:image/jpeg;base64,") == 2
    assert "Nothing is decided by it" in page
    assert "<h1>Kept verdict" in page


def test_a_disk_that_takes_no_evidence_is_told_and_nothing_is_written(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("in the way")
    keeper = EvidenceKeeper(hub, tmp_path, most_bytes=10**6)
    hub.handle_report(report_with(picture()))
    with TestClient(create_app(hub, ask=ask, evidence=keeper)) as client:
        refused = keep(client)
        alarms = client.get("/api/v1/bench").json()["alarms"]

    assert (refused.status_code, refused.json()["type"]) == (503, "world/evidence_not_kept")
    assert [alarm["code"] for alarm in alarms] == ["evidence"]
    assert [line.entry.type for line in hub.journal.lines()] == ["settled"]


def test_a_table_that_keeps_nothing_says_so() -> None:
    hub = Hub(title="Table 4")
    hub.handle_report(report_with(picture()))
    with TestClient(create_app(hub, ask=ask)) as client:
        assert keep(client).json()["type"] == "evidence/nothing_kept"
        assert client.get("/api/v1/slip").status_code == 409


def test_pictures_that_go_with_the_server_prove_nothing_later(tmp_path: Path) -> None:
    hub = Hub(title="Table 4")
    keeper = EvidenceKeeper(hub, tmp_path, most_bytes=10**6, is_lasting=False)
    hub.handle_report(report_with(picture()))
    with TestClient(create_app(hub, ask=ask, evidence=keeper)) as client:
        assert keep(client).json()["type"] == "evidence/nothing_kept"
        assert client.get("/api/v1/moments/1/picture.jpg").status_code == 200
    assert not hub.keeps_evidence


def test_who_only_watches_keeps_nothing(hub: Hub, keeper: EvidenceKeeper) -> None:
    hub.handle_report(report_with(picture()))
    with TestClient(create_app(hub, seats=SeatSessions(hub.journal), ask=ask, evidence=keeper)) as client:
        assert keep(client).status_code == 403


def test_the_slip_notices_a_journal_that_was_shortened(client: TestClient, hub: Hub, tmp_path: Path) -> None:
    keep(client)
    slip = client.get("/api/v1/slip").json()
    hub.journal.close()
    whole = CliRunner().invoke(command_line, ["verify", str(tmp_path), "--head", slip["head"]])
    lines = (tmp_path / NAME).read_bytes().splitlines(keepends=True)
    (tmp_path / NAME).write_bytes(b"".join(lines[:-1]))
    cut = CliRunner().invoke(command_line, ["verify", str(tmp_path), "--head", slip["head"]])

    assert whole.exit_code == 0
    assert slip["n"] == len(lines)
    assert isinstance(cut.exception, BrokenJournal)
    assert cut.exception.field == "head"


def test_the_code_of_a_slip_is_a_picture_that_needs_nothing(client: TestClient) -> None:
    answer = client.get("/api/v1/qr.svg", params={"says": client.get("/api/v1/slip").json()["head"]})

    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg")
    assert client.get("/api/v1/qr.svg", params={"says": "x" * 900}).status_code == 422
