"""Rest moments: which picture belongs to what is answered."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from api.camera.protocol import FrameReport, SettledPicture
from api.evidence.service import EvidenceKeeper
from api.journal.file_journal import FileJournal
from api.journal.interface import MemoryJournal
from api.live.hub import Hub
from api.live.moments import Moments
from api.server.journal_entries import ENTRY_CLASSES
from tests.api.cameras import CAMERA, LAYOUT, POSE
from tests.api.worlds import frame_report, move_miniature, skirmish, state_line

MOVED = move_miniature(skirmish(), "m7", (120.0, 140.0))


def report(is_moved: bool, *, is_pictured: bool = True) -> FrameReport:
    picture = SettledPicture(b"pixels", 1.5, 7.0, CAMERA, POSE, 0.25, LAYOUT.table_mm)
    told = frame_report(state_line(MOVED if is_moved else skirmish()))
    return FrameReport(**{**vars(told), "settled": picture if is_pictured else None})


def test_the_table_that_phones_hear_of_says_that_its_picture_is_kept(tmp_path: Path) -> None:
    hub = Hub(title="Table 4", journal=MemoryJournal())
    EvidenceKeeper(hub, tmp_path, most_bytes=10**6)

    hub.handle_report(report(False))

    table = hub.snapshot().table
    assert table is not None
    assert table.rest is not None
    assert (table.rest.n, table.rest.is_pictured) == (1, True)


def test_a_table_without_a_picture_of_its_own_claims_none(tmp_path: Path) -> None:
    hub = Hub(title="Table 4", journal=MemoryJournal())
    EvidenceKeeper(hub, tmp_path, most_bytes=10**6)

    hub.handle_report(report(False))
    hub.handle_report(report(True, is_pictured=False))

    now, before = hub.rests.now(), Moments(hub).rest(1)
    assert now is not None
    assert before is not None
    assert (now.n, now.is_pictured, before.n, before.is_pictured) == (2, False, 1, True)


def test_pictures_are_known_again_after_a_restart(tmp_path: Path) -> None:
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        hub = Hub(title="Table 4", journal=journal)
        EvidenceKeeper(hub, tmp_path, most_bytes=10**6)
        hub.handle_report(report(False))
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        hub = Hub(title="Table 4", journal=journal)
        EvidenceKeeper(hub, tmp_path, most_bytes=10**6)

        table = hub.snapshot().table
        assert table is not None
        assert table.rest is not None
        assert table.rest.is_pictured


def test_what_could_not_be_written_down_has_no_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    hub = Hub(title="Table 4", journal=MemoryJournal())
    hub.handle_report(report(False))
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda handle, packed: len(packed) - 1)
        hub.handle_report(report(True))

    assert hub.rests.now() is None
