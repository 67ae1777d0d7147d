"""A journal that is damaged, deleted, stolen or has no room says so, and loses no more than it must."""

import errno
import os
import re
from contextlib import closing
from pathlib import Path

import pytest

from api.errors import JournalFailed
from api.journal.entry import EventObserved
from api.journal.file_journal import NAME, FileJournal
from api.live.hub import Hub
from api.rulings.bench import JudgesBench
from api.server.journal_entries import ENTRY_CLASSES
from models.errors import BadFile, SourceLost
from models.timeline import EventLine
from tests.api.worlds import frame_report

MOVED = EventObserved(event=EventLine(type="moved", t_s=2.5, frame=20, ids=("m1",)))


def opened(folder: Path) -> FileJournal:
    return FileJournal(folder, ENTRY_CLASSES)


def renumber(folder: Path, line: int, to: str) -> None:
    """One number in the file is another, as after a flipped digit."""
    lines = (folder / NAME).read_text().splitlines(keepends=True)
    lines[line - 1] = re.sub(r'"n":\d+,"type"', f'"n":{to},"type"', lines[line - 1])
    (folder / NAME).write_text("".join(lines))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A journal of twenty lines."""
    with closing(opened(tmp_path)) as journal:
        for _ in range(20):
            journal.write(MOVED)
    return tmp_path


@pytest.mark.parametrize("to", ["78", "999999999999999", "1", "0"])
@pytest.mark.parametrize("line", [1, 8, 19, 20])
def test_a_number_that_jumps_hides_its_own_line_alone(folder: Path, line: int, to: str) -> None:
    if to == str(line):
        return
    renumber(folder, line, to)
    with closing(opened(folder)) as journal:
        kept = [one.n for one in journal.lines()]
        newest = journal.write(MOVED)
        assert len(journal.damage) == 1

    assert kept == [n for n in range(1, 21) if n != line]
    assert newest.n in (20, 21)
    with closing(opened(folder)) as journal:
        assert [one.n for one in journal.lines()] == [*kept, newest.n]


def test_lines_that_are_missing_hide_none_that_follow(folder: Path) -> None:
    lines = (folder / NAME).read_text().splitlines(keepends=True)
    (folder / NAME).write_text("".join(lines[:5] + lines[12:]))

    with closing(opened(folder)) as journal:
        assert [one.n for one in journal.lines()] == [*range(1, 6), *range(13, 21)]


def test_damage_is_told_to_the_judge_and_the_phones(folder: Path) -> None:
    renumber(folder, 8, "78")
    with closing(opened(folder)) as journal:
        hub = Hub(title="test table", journal=journal)

        assert [alarm.code for alarm in JudgesBench(hub).bench().alarms] == ["journal-damage"]
        assert "line 7" in hub.snapshot().alarms[0].says


if os.name == "posix":  # Windows lets nobody remove a file that is open

    def test_without_its_lock_a_journal_is_held_all_the_same(folder: Path) -> None:
        with closing(opened(folder)):
            (folder / f".{NAME}.lock").unlink()

            with pytest.raises(BadFile, match="another server"):
                opened(folder)

    def test_a_journal_that_was_deleted_is_noticed_and_told(folder: Path) -> None:
        with closing(opened(folder)) as journal:
            hub = Hub(title="test table", journal=journal)
            (folder / NAME).unlink()
            hub.beat()

            assert [alarm.code for alarm in hub.alarms.all()] == ["journal"]
            with pytest.raises(JournalFailed):
                journal.write(MOVED)


def test_a_full_disk_is_told_to_everybody_and_so_is_its_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with closing(opened(folder)) as journal:
        hub = Hub(title="test table", journal=journal)
        with monkeypatch.context() as patched:
            patched.setattr(os, "write", full)
            with pytest.raises(JournalFailed):
                journal.write(MOVED)
            hub.beat()
            assert "No space left" in JudgesBench(hub).bench().alarms[0].says
        hub.beat()

        assert hub.alarms.all() == ()
        assert journal.write(MOVED).n == 21


def test_a_source_that_was_lost_is_kept_beside_its_return() -> None:
    from api.camera.protocol import FailureReport

    hub = Hub(title="test table")
    lost = EventLine(type="lost-source", t_s=3.0, frame=30)
    hub.handle_report(FailureReport(SourceLost("gone").problem(), lines=(lost,)))
    hub.handle_report(frame_report(EventLine(type="back", t_s=4.0, frame=40)))

    kept = [line.entry.event.type for line in hub.journal.lines(EventObserved)]  # type: ignore[attr-defined]
    assert kept == ["lost-source", "back"]
