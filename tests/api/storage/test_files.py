"""What is said of a folder that cannot keep a table: which fault, and what to do."""

import errno
from pathlib import Path

import pytest

from api.journal.file_journal import FileJournal
from api.server.journal_entries import ENTRY_CLASSES
from api.storage.files import folder_fault
from models.errors import BadFile


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.EACCES, "this user may not write there"),
        (errno.EROFS, "that disk is read-only"),
        (errno.ENOSPC, "the disk is full"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_a_fault_of_a_folder_says_what_to_do(number: int, says: str) -> None:
    wrong = OSError(number, {errno.EIO: "Input/output error"}.get(number, "?"))

    fault = folder_fault(Path("/tables/one"), wrong)

    assert str(fault).startswith(f"/tables/one: {says}")
    assert "another folder with --data" in str(fault)


def test_a_file_in_the_place_of_the_folder_is_told_as_one(tmp_path: Path) -> None:
    (tmp_path / "game").write_text("kept")

    with pytest.raises(BadFile, match="is a file, not a folder; choose another folder with --data"):
        FileJournal(tmp_path / "game", ENTRY_CLASSES)

    assert (tmp_path / "game").read_text() == "kept"
