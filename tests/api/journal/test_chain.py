"""A journal's chain: nothing of it can be changed, taken out or cut off without `verify` naming it."""

import json
import shutil
import subprocess
import tempfile
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from api.cli import app
from api.errors import BrokenJournal
from api.journal.chain import ChainReader, ChainReport, Head, canonical_json, read_chain
from api.journal.entry import EventObserved
from api.journal.file_journal import NAME, FileJournal
from api.server.journal_entries import ENTRY_CLASSES
from models.errors import BadFile
from models.timeline import EventLine

OLD = Path(__file__).parent.parent / "version_0_1_0" / "table"
NOTHING = sha256().hexdigest()


def moved(id_: str) -> EventObserved:
    return EventObserved(event=EventLine(type="moved", t_s=2.5, frame=20, ids=(id_,)))


def write(folder: Path, *ids: str) -> Head:
    with closing(FileJournal(folder, ENTRY_CLASSES, clock=lambda: 7.5)) as journal:
        for id_ in ids:
            journal.write(moved(id_))
        head = journal.head()
    assert head is not None
    return head


def verify_bytes(text: bytes) -> ChainReport:
    reader = ChainReader()
    for line in text.splitlines(keepends=True):
        if (why := reader.take(line)) is not None:
            return reader.report(why)
    return reader.report()


@cache
def example() -> bytes:
    """Six lines, one of them with what a hash looks like in its text."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, "m1", "m2", "Größe 巨人", '"hash":"', "m5", "m6")
        return (folder / NAME).read_bytes()


def test_every_line_follows_the_one_before(tmp_path: Path) -> None:
    head = write(tmp_path, "m1", "m2")
    lines = [json.loads(line) for line in (tmp_path / NAME).read_text(encoding="utf-8").splitlines()]

    assert [line["before"] for line in lines] == [NOTHING, lines[0]["hash"]]
    assert head == Head(2, lines[1]["hash"])


def test_a_hash_is_that_of_the_canonical_line_without_it(tmp_path: Path) -> None:
    """As anybody can recompute it, with a JSON library or with sed and sha256sum."""
    write(tmp_path, "Größe 巨人")
    line = json.loads((tmp_path / NAME).read_text(encoding="utf-8"))
    command = r"""sed 's/"hash":"[0-9a-f]*",//' | tr -d '\n' | sha256sum"""
    shell = subprocess.run(command, shell=True, input=(tmp_path / NAME).read_bytes(), capture_output=True, check=True)
    hash_ = line.pop("hash")

    assert sha256(canonical_json(line)).hexdigest() == hash_ == shell.stdout.decode().split()[0]


def test_a_journal_opened_again_is_one_chain(tmp_path: Path) -> None:
    write(tmp_path, "m1", "m2")
    head = write(tmp_path, "m3")
    report = read_chain(tmp_path / NAME)

    assert (report.lines, report.head, report.why) == (3, head, None)


@settings(max_examples=1000, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_no_random_edit_goes_unnoticed(data: st.DataObject) -> None:
    """A byte changed, put in or taken out; a line taken out, doubled or swapped; the tail cut anywhere."""
    whole = example()
    at = data.draw(st.integers(0, len(whole) - 1))
    lines = whole.splitlines(keepends=True)
    i, k = data.draw(st.integers(0, len(lines) - 1)), data.draw(st.integers(0, len(lines) - 1))
    byte = bytes([data.draw(st.integers(0, 255))])
    match data.draw(st.sampled_from(["change", "insert", "delete", "line", "double", "swap", "cut"])):
        case "change":
            edited = whole[:at] + byte + whole[at + 1 :]
        case "insert":
            edited = whole[:at] + byte + whole[at:]
        case "delete":
            edited = whole[:at] + whole[at + 1 :]
        case "line":
            edited = b"".join(lines[:i] + lines[i + 1 :])
        case "double":
            edited = b"".join(lines[: i + 1] + lines[i:])
        case "swap":
            lines[i], lines[k] = lines[k], lines[i]
            edited = b"".join(lines)
        case _:
            edited = whole[:at]
    report = verify_bytes(edited)

    head = verify_bytes(whole).head
    assert edited == whole or report.why is not None or str(head) not in report.heads


@pytest.mark.parametrize("taken", [0, 2, 4])
def test_the_line_after_one_that_was_taken_out_is_named(taken: int) -> None:
    lines = example().splitlines(keepends=True)
    report = verify_bytes(b"".join(lines[:taken] + lines[taken + 1 :]))

    assert report.line == taken + 1
    assert report.why is not None
    assert "taken out" in report.why


def test_an_old_journal_is_unchained_to_its_last_line_and_chained_from_there(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(OLD, tmp_path / "table"))
    written = (folder / NAME).read_bytes()
    old = read_chain(folder / NAME)
    head = write(folder, "m1", "m2")
    report = read_chain(folder / NAME)
    lines = written.count(b"\n")

    assert (old.lines, old.unchained_until, old.head, old.why) == (lines, lines, None, None)
    assert (report.lines, report.unchained_until, report.head, report.why) == (lines + 2, lines, head, None)


def test_from_then_on_old_lines_cannot_be_changed_either(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(OLD, tmp_path / "table"))
    lines = (folder / NAME).read_bytes().count(b"\n")
    write(folder, "m1")
    text = (folder / NAME).read_bytes()
    report = verify_bytes(text.replace(b'"player-a"', b'"player-b"', 1))

    assert (report.line, report.head) == (lines + 1, None)


def test_a_journal_of_a_later_version_is_not_opened(tmp_path: Path) -> None:
    write(tmp_path, "m1")
    path = tmp_path / NAME
    path.write_bytes(path.read_bytes().replace(b'"form":2', b'"form":3'))
    written = path.read_bytes()
    with pytest.raises(BadFile, match=r"line 1 .* later version"):
        FileJournal(tmp_path, ENTRY_CLASSES)

    assert path.read_bytes() == written
    assert "later version" in str(read_chain(path).why)


def test_the_command_says_how_far_a_journal_is_whole(tmp_path: Path) -> None:
    head = write(tmp_path, "m1", "m2")
    said = CliRunner().invoke(app, ["verify", str(tmp_path), "--head", str(head)])

    assert said.exit_code == 0
    unsigned = "signed by nobody: what you gave proves it up to there"
    assert said.stdout == f"Whole and unchanged to line 2, {unsigned}.\nHead: {head}\n"


def test_of_a_whole_journal_that_nobody_signed_it_is_said(tmp_path: Path) -> None:
    head = write(tmp_path, "m1", "m2")
    said = CliRunner().invoke(app, ["verify", str(tmp_path)])

    assert said.exit_code == 0
    unsigned = "but signed by nobody: whoever has it could have made it anew"
    assert said.stdout == f"Whole and unchanged to line 2, {unsigned}.\nHead: {head}\n"


def test_the_command_names_the_line_that_was_changed(tmp_path: Path) -> None:
    write(tmp_path, "m1", "m2", "m3")
    (tmp_path / NAME).write_bytes((tmp_path / NAME).read_bytes().replace(b"m2", b"m9"))
    said = CliRunner().invoke(app, ["verify", str(tmp_path)])

    assert isinstance(said.exception, BrokenJournal)
    assert (said.exception.field, said.exception.value) == ("line", 2)
    assert said.stdout.startswith("NOT as it was written: line 2")
    assert "Whole and unchanged to line 1." in said.stdout


def test_a_journal_without_its_newest_lines_does_not_bear_the_head_out(tmp_path: Path) -> None:
    head = write(tmp_path, "m1", "m2", "m3")
    lines = (tmp_path / NAME).read_bytes().splitlines(keepends=True)
    (tmp_path / NAME).write_bytes(b"".join(lines[:2]))
    said = CliRunner().invoke(app, ["verify", str(tmp_path), "--head", str(head)])

    assert isinstance(said.exception, BrokenJournal)
    assert said.exception.field == "head"


def test_a_folder_without_a_journal_is_named(tmp_path: Path) -> None:
    said = CliRunner().invoke(app, ["verify", str(tmp_path)])

    assert isinstance(said.exception, BadFile)
    assert said.exception.field == "folder"
