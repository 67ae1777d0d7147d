"""Verification of a kept game: no edit of its journal or its pictures goes unnoticed, and each is named."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from api.cli import app
from api.errors import BrokenJournal
from api.evidence.service import EvidenceKeeper
from api.evidence.store import FOLDER
from api.journal.file_journal import NAME, FileJournal
from api.live.hub import Hub
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES
from tests.api.evidence.test_evidence import FEW, RULING, picture, report_with
from tests.api.fakes import ask
from tests.api.worlds import move_miniature


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with two tables at rest, a ruling about each, and the head that its slip shows."""
    folder = tmp_path_factory.mktemp("game")
    with closing(FileJournal(folder, ENTRY_CLASSES)) as journal:
        hub = Hub(title="Table 4", journal=journal)
        keeper = EvidenceKeeper(hub, folder, most_bytes=10**7)
        with TestClient(create_app(hub, ask=ask, evidence=keeper)) as judge:
            for grey, x_mm in ((90, 120.0), (150, 90.0)):
                hub.handle_report(report_with(picture(grey=grey), move_miniature(FEW, "m7", (x_mm, 140.0))))
                assert judge.post("/api/v1/rulings", json=RULING).status_code == 201
        return folder, str(journal.head())


@contextmanager
def edited(path: Path, content: bytes | None) -> Iterator[None]:
    """This file with other content, or without it for None; afterwards it is what it was."""
    was = path.read_bytes()
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    try:
        yield
    finally:
        path.write_bytes(was)


def find_wrong(folder: Path, head: str) -> BrokenJournal | None:
    try:
        app(["verify", str(folder), "--json", *([] if head is None else ["--head", head])], standalone_mode=False)
    except BrokenJournal as wrong:
        return wrong
    return None


def test_a_game_that_nobody_touched_is_whole(game: tuple[Path, str]) -> None:
    assert find_wrong(*game) is None


@settings(max_examples=100)
@given(data=st.data())
def test_every_random_edit_of_a_game_is_named(game: tuple[Path, str], data: st.DataObject) -> None:
    check_edit(game, data)


@pytest.mark.slow
@settings(max_examples=1000)
@given(data=st.data())
def test_a_thousand_random_edits_of_a_game_are_named(game: tuple[Path, str], data: st.DataObject) -> None:
    check_edit(game, data)


def check_edit(game: tuple[Path, str], data: st.DataObject) -> None:
    """A byte changed anywhere, a line removed, the tail cut, a picture swapped for another or taken away."""
    folder, head = game
    journal = folder / NAME
    pictures = sorted((folder / FOLDER).iterdir())
    lines = journal.read_bytes().splitlines(keepends=True)
    edit = data.draw(st.sampled_from(["byte", "line", "tail", "picture-byte", "picture-tail", "swap", "remove"]))
    path = journal if edit in ("byte", "line", "tail") else data.draw(st.sampled_from(pictures))
    content = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    match edit:
        case "byte" | "picture-byte":
            content[at] ^= data.draw(st.integers(1, 255))
        case "line":
            gone = data.draw(st.integers(0, len(lines) - 1))
            content = bytearray(b"".join(lines[:gone] + lines[gone + 1 :]))
        case "tail" | "picture-tail":
            del content[at:]
        case "swap":
            content = bytearray(data.draw(st.sampled_from([one for one in pictures if one != path])).read_bytes())
    with edited(path, None if edit == "remove" else bytes(content)):
        wrong = find_wrong(folder, head)

    assert wrong is not None, edit
    assert wrong.field in ("line", "head") if path == journal else (wrong.field, wrong.value) == ("evidence", path.name)
