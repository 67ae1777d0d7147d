"""What is kept, and what of it survives."""

import gc
import os
import tempfile
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.corrections.entries import CorrectionMade
from api.corrections.schemas import MiniatureCorrection
from api.errors import JournalFailed
from api.journal.entry import Entry, EventObserved, Line, TableSettled
from api.journal.file_journal import NAME, FileJournal
from api.journal.interface import Journal, MemoryJournal
from api.server.journal_entries import ENTRY_CLASSES
from models.errors import BadFile
from models.timeline import EventLine
from tests.api.worlds import skirmish

MOVED = EventObserved(event=EventLine(type="moved", t_s=2.5, frame=20, ids=("m1",)))
SETTLED = TableSettled(t_s=3.25, state=skirmish())
NAMED = CorrectionMade(by="judge", correction=MiniatureCorrection(do="miniature", ids=("m1",), name="Idrian"))


@pytest.fixture(params=["memory", "file"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    made: Journal = MemoryJournal() if request.param == "memory" else FileJournal(tmp_path, ENTRY_CLASSES)
    yield made
    made.close()


def read(folder: Path) -> list[Line]:
    with closing(FileJournal(folder, ENTRY_CLASSES)) as journal:
        return list(journal.lines())


def written(folder: Path, *entries: Entry, at_s: float = 7.5) -> None:
    with closing(FileJournal(folder, ENTRY_CLASSES, clock=lambda: at_s)) as journal:
        for entry in entries:
            journal.write(entry)


def test_lines_are_read_as_they_were_written(journal: Journal) -> None:
    first, second = journal.write(MOVED), journal.write(SETTLED)

    assert list(journal.lines()) == [first, second]
    assert (first.n, second.n, second.entry) == (1, 2, SETTLED)


def test_lines_of_one_type_after_a_number_are_read_alone(journal: Journal) -> None:
    for entry in (MOVED, SETTLED, MOVED, SETTLED):
        journal.write(entry)

    assert [line.n for line in journal.lines(TableSettled, after=2)] == [4]


def test_a_journal_opened_again_goes_on(tmp_path: Path) -> None:
    written(tmp_path, MOVED, SETTLED)
    written(tmp_path, MOVED, at_s=8.5)

    assert [(line.n, line.at_s, line.entry) for line in read(tmp_path)] == [
        (1, 7.5, MOVED), (2, 7.5, SETTLED), (3, 8.5, MOVED),
    ]  # fmt: skip


@settings(max_examples=25)
@given(kept=st.integers(0, 400))
def test_wherever_the_last_line_is_torn_the_lines_before_it_stay(
    tmp_path_factory: pytest.TempPathFactory, kept: int
) -> None:
    folder = tmp_path_factory.mktemp("torn")
    written(folder, MOVED, MOVED, SETTLED)
    path = folder / NAME
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) - len(whole) * kept // 400])
    lines = whole.splitlines(keepends=True)
    ends = [sum(map(len, lines[: i + 1])) for i in range(len(lines))]
    survivors = sum(end <= path.stat().st_size for end in ends)

    written(folder, MOVED)

    assert [line.n for line in read(folder)] == list(range(1, survivors + 2))


def test_a_line_torn_within_a_letter_of_several_bytes_loses_nothing_else_and_is_told(
    tmp_path_factory: pytest.TempPathFactory, caplog: pytest.LogCaptureFixture
) -> None:
    named = CorrectionMade(
        by="player-a", correction=MiniatureCorrection(do="miniature", ids=("m3",), name="Größe 巨人")
    )
    whole = tmp_path_factory.mktemp("whole")
    written(whole, MOVED, named)
    text = (whole / NAME).read_bytes()
    start = text.index(b"\n") + 1
    cuts = [i for i, byte in enumerate(text) if byte & 0xC0 == 0x80]  # a cut before it parts a letter
    for cut in cuts:
        folder = tmp_path_factory.mktemp("torn")
        (folder / NAME).write_bytes(text[:cut])
        caplog.clear()
        written(folder, named)

        assert caplog.messages == [f"journal: a crash cut its last line off; all before it is kept bytes={cut - start}"]
        assert [line.entry for line in read(folder)] == [MOVED, named]
    assert len(cuts) == 6


@pytest.mark.parametrize(
    "rubbish", [b"\n", b"\x00\x00\xff\n", b"{}\n", b'{"n":2,"at_s":1,"entry":{"type":"of-next-year"}}\n']
)
def test_a_line_that_is_none_is_passed_over(tmp_path: Path, rubbish: bytes) -> None:
    written(tmp_path, MOVED)
    with (tmp_path / NAME).open("ab") as file:
        file.write(rubbish)

    written(tmp_path, SETTLED)

    assert [line.entry for line in read(tmp_path)] == [MOVED, SETTLED]


def test_a_line_whose_inside_is_spoilt_is_passed_over(tmp_path: Path) -> None:
    written(tmp_path, MOVED, MOVED)
    path = tmp_path / NAME
    path.write_bytes(path.read_bytes().replace(b'"frame":20', b'"frame":"?', 1))

    assert [line.n for line in read(tmp_path)] == [2]


def test_two_servers_do_not_keep_one_table(tmp_path: Path) -> None:
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)), pytest.raises(BadFile, match="another server"):
        FileJournal(tmp_path, ENTRY_CLASSES)

    assert read(tmp_path) == []


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")

    with pytest.raises(BadFile) as wrong:
        FileJournal(tmp_path / "taken", ENTRY_CLASSES)
    assert wrong.value.field == "data"


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    really = os.write

    def full(handle: int, text: bytes) -> int:
        if len(text) < 40:
            raise OSError(28, "No space left on device")
        return really(handle, text[:-30])

    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        journal.write(MOVED)
        size = (tmp_path / NAME).stat().st_size
        with monkeypatch.context() as patched:
            patched.setattr(os, "write", full)
            with pytest.raises(JournalFailed):
                journal.write(SETTLED)

        assert (tmp_path / NAME).stat().st_size == size
        assert journal.write(SETTLED).n == 2


def test_only_the_owner_may_read_a_journal(tmp_path: Path) -> None:
    """It holds the codes of the seats."""
    written(tmp_path, MOVED)

    assert (tmp_path / NAME).stat().st_mode & 0o077 == 0


def test_a_journal_in_memory_keeps_looks_on_the_disk_and_gives_them_all_back() -> None:
    journal = MemoryJournal()
    looks = [journal.write(SETTLED).n for _ in range(2500)]

    assert [line.n for line in journal.lines(after=2490)] == looks[2490:]
    assert journal.newest(TableSettled, until=1) == next(journal.lines())


@pytest.mark.parametrize("entry", [SETTLED, NAMED])
def test_lines_take_no_memory_of_a_journal_in_memory(entry: Entry) -> None:
    journal = MemoryJournal()
    journal.write(entry)

    def bytes_taken() -> int:
        tracemalloc.start(12)
        for _ in range(200):
            journal.write(entry.model_copy(deep=True))
        gc.collect()
        taken = tracemalloc.take_snapshot()
        tracemalloc.stop()
        here = tracemalloc.Filter(True, __file__, all_frames=True)  # other threads of this process take memory too
        return sum(one.size for one in taken.filter_traces([here]).statistics("filename"))

    assert bytes_taken() / 200 < 300  # packed, a look is some thousand bytes


def test_what_a_journal_in_memory_put_on_the_disk_ends_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    MemoryJournal().write(SETTLED)

    assert list(tmp_path.iterdir()) == []


def test_a_journal_in_memory_that_finds_no_disk_says_so_and_counts_on(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = MemoryJournal()
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda handle, packed: len(packed) - 1)
        with pytest.raises(JournalFailed, match="full"):
            journal.write(SETTLED)

    assert journal.write(SETTLED).n == 1


def test_what_must_last_is_kept_by_a_journal_in_memory_without_a_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = MemoryJournal()
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda handle, packed: len(packed) - 1)
        kept = journal.write(NAMED)

    assert journal.newest(CorrectionMade) == kept


def test_every_type_of_entry_has_a_name_of_its_own() -> None:
    assert len({cls.model_fields["type"].default for cls in ENTRY_CLASSES}) == len(ENTRY_CLASSES)
