"""A forged game is caught, an honest one never called forged: a folder, or the zip that was handed on."""

import json
import shutil
import zipfile
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient
from typer.testing import CliRunner

from api.cli import app as command_line
from api.errors import BrokenJournal
from api.evidence.service import EvidenceKeeper
from api.games.verification import GameReport, verify_game
from api.journal.chain import chain_line, read_chain
from api.journal.countersignature import HeadWitness, witness_head
from api.journal.file_journal import NAME, FileJournal
from api.journal.signature import (
    KEY,
    ChainSigner,
    HeadSigned,
    KeyMade,
    head_text,
    key_words,
    new_secret,
    public_key,
    sign_text,
)
from api.live.alarms import PROOF
from api.live.hub import Hub
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES
from tests.api.cli.commands import run
from tests.api.evidence.test_evidence import FEW, picture, report_with

Change = Callable[[dict[str, Any]], dict[str, Any] | None]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A signed game of a few lines with a picture of its table."""
    folder = tmp_path_factory.mktemp("games") / "final"
    with closing(FileJournal(folder, ENTRY_CLASSES)) as journal:
        signer = ChainSigner(journal)
        hub = Hub(title="final", journal=journal)
        EvidenceKeeper(hub, folder, most_bytes=10**7)
        hub.handle_report(report_with(picture(), FEW))
        signer.sign()
        hub.handle_report(report_with(picture(grey=150), FEW))
        signer.rotate()
        signer.sign()
    return folder


@pytest.fixture
def folder(game: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(game, tmp_path / "final"))


def pack(folder: Path, output: Path) -> Path:
    assert CliRunner().invoke(command_line, ["export", str(folder), "-o", str(output)]).exit_code == 0
    return output


def repack(archive: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    with zipfile.ZipFile(archive) as packed:
        files = {name: change(name, packed.read(name)) for name in packed.namelist()}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            if content is not None:
                packed.writestr(name, content)
    return archive


def remade(text: bytes, change: Change) -> bytes:
    """The journal with changed lines, and every hash made anew."""
    before, lines = sha256().hexdigest(), list[bytes]()
    for line in map(json.loads, text.splitlines()):
        entry = change(line["entry"])
        if entry is not None:
            made, before = chain_line(len(lines) + 1, line["at_s"], entry, before=before)
            lines.append(made + b"\n")
    return b"".join(lines)


def moved(entry: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(entry).replace('"m7"', '"m8"')) if entry["type"] == "settled" else entry


def unsigned(entry: dict[str, Any]) -> dict[str, Any] | None:
    return None if entry["type"] in ("head-signed", "key-made") else moved(entry)


def signed_by(secret: str) -> Change:
    """What somebody with another key would make of it."""

    def change(entry: dict[str, Any]) -> dict[str, Any]:
        return KeyMade(key=public_key(secret)).model_dump() if entry["type"] == "key-made" else moved(entry)

    return change


def fault_of(report: GameReport) -> str:
    assert report.fault is not None
    assert report.sentence.startswith("NOT as it was written")
    return report.fault.says


def test_an_honest_game_is_signed_by_its_key_as_a_folder_and_as_a_zip(folder: Path, tmp_path: Path) -> None:
    words = key_words(public_key(json.loads((folder / "secrets.json").read_text())[KEY]))
    for path in (folder, folder / NAME, pack(folder, tmp_path / "GAME.zip")):
        report = verify_game(path, key=words)

        assert report.fault is None
        assert f"signed to line 4 by {words}" in report.sentence


@pytest.mark.parametrize("flag", [[], ["--without-names"]])
def test_an_honest_zip_is_never_called_forged(folder: Path, tmp_path: Path, flag: list[str]) -> None:
    output = tmp_path / "GAME.zip"
    assert CliRunner().invoke(command_line, ["export", str(folder), "-o", str(output), *flag]).exit_code == 0
    said = CliRunner().invoke(command_line, ["verify", str(output)])

    assert said.stdout.startswith("Whole and unchanged")
    assert ("a copy that proves nothing" in said.stdout) is bool(flag)
    assert said.exit_code == 0


def test_a_zip_of_which_the_signatures_were_taken_out_is_no_signed_one(folder: Path, tmp_path: Path) -> None:
    def change(name: str, content: bytes) -> bytes:
        return remade(content, unsigned) if name == NAME else b"{}" if name == "game.json" else content

    archive = repack(pack(folder, tmp_path / "GAME.zip"), change)
    said = run("verify", archive, "--json")

    assert said.code == 0
    assert "signed by nobody" in json.loads(said.out)["says"]
    assert json.loads(said.out)["is_proved"] is False


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (moved, "hashes were made anew"),
        (unsigned, "the table signed"),
        (signed_by(new_secret()), "a key that this table did not have"),
    ],
)
def test_a_folder_whose_hashes_were_made_anew_is_caught_without_a_slip(folder: Path, change: Change, why: str) -> None:
    journal = folder / NAME
    journal.write_bytes(remade(journal.read_bytes(), change))

    assert why in fault_of(verify_game(folder)) or "another key" in fault_of(verify_game(folder))


def test_a_folder_that_was_cut_is_caught_without_a_slip(folder: Path) -> None:
    journal = folder / NAME
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:3]))

    assert "cut or made anew" in fault_of(verify_game(folder))


def test_an_old_key_signs_nothing_any_more(folder: Path) -> None:
    with closing(FileJournal(folder, ENTRY_CLASSES)) as journal:
        old = new_secret()
        journal.secrets.put(KEY, old)
        head, key = str(journal.head()), public_key(old)
        journal.write(HeadSigned(head=head, key=key, signature=sign_text(old, f"tableside head {key} {head}")))

    assert "a key that this table did not have then" in fault_of(verify_game(folder))


def test_a_zip_that_was_edited_and_hashed_anew_is_caught(folder: Path, tmp_path: Path) -> None:
    archive = repack(
        pack(folder, tmp_path / "GAME.zip"), lambda name, content: remade(content, moved) if name == NAME else content
    )

    assert "hashes were made anew" in fault_of(verify_game(archive))


def test_a_zip_that_was_cut_is_caught(folder: Path, tmp_path: Path) -> None:
    def cut(name: str, content: bytes) -> bytes:
        return b"".join(content.splitlines(keepends=True)[:-1]) if name == NAME else content

    assert "cut" in fault_of(verify_game(repack(pack(folder, tmp_path / "GAME.zip"), cut)))


def test_a_list_of_files_that_was_changed_is_caught(folder: Path, tmp_path: Path) -> None:
    def change(name: str, content: bytes) -> bytes:
        return content.replace(b'"newest"', b'"oldest"') if name == "game.json" else content

    assert "game.json was changed" in fault_of(verify_game(repack(pack(folder, tmp_path / "GAME.zip"), change)))


def test_a_picture_that_was_swapped_is_caught(folder: Path, tmp_path: Path) -> None:
    archive = pack(folder, tmp_path / "GAME.zip")
    with zipfile.ZipFile(archive) as packed:
        pictures = [name for name in packed.namelist() if name.endswith(".jpg")]
    assert pictures

    def swap(name: str, content: bytes) -> bytes:
        return b"another picture" if name == pictures[0] else content

    assert "swapped" in fault_of(verify_game(repack(archive, swap)))


def test_another_tables_key_is_told_by_its_words(folder: Path, tmp_path: Path) -> None:
    archive = pack(folder, tmp_path / "GAME.zip")
    other = key_words(public_key(new_secret()))
    said = CliRunner().invoke(command_line, ["verify", str(archive), "--key", other])

    assert isinstance(said.exception, BrokenJournal)
    assert said.stdout.startswith("NOT as it was written")


def witnessed(folder: Path, secret: str) -> HeadWitness:
    head = str(read_chain(folder / NAME).head)
    return witness_head(secret, event="spring", table=4, head=head, seen_s=1.8e9)


def test_what_a_hub_has_seen_catches_a_game_that_was_made_anew_with_a_key_of_its_own(folder: Path) -> None:
    seen = witnessed(folder, new_secret())
    honest = verify_game(folder, witness=seen)
    journal = folder / NAME
    journal.write_bytes(remade(journal.read_bytes(), unsigned))
    (folder / "secrets.json").unlink()

    assert honest.fault is None
    assert f"seen by hub {key_words(seen.key)}" in honest.sentence
    assert verify_game(folder).fault is None, "nobody signed it, and nothing else tells"
    assert f"a hub had {seen.head}" in fault_of(verify_game(folder, witness=seen))


@pytest.mark.parametrize("change", [{"head": "6:" + "0" * 64}, {"table": 5}, {"seen_s": 1.9e9}, {"key": "00" * 32}])
def test_a_witness_that_was_changed_is_none(folder: Path, change: dict[str, object]) -> None:
    seen = HeadWitness.model_validate(dict(witnessed(folder, new_secret())) | change)

    assert "not signed by the hub or phone" in fault_of(verify_game(folder, witness=seen))


def test_a_key_is_read_out_as_four_words() -> None:
    assert key_words("7f000001" + "ff" * 28) == "lusab-babad-zuzuz-zuzuz"


def test_the_key_is_rotated_by_a_command_and_the_old_one_signs_the_new(folder: Path) -> None:
    before = verify_game(folder).signatures.key
    ended = run("rotate-key", folder, "--json")
    told, after = json.loads(ended.out), verify_game(folder)

    assert before is not None
    assert told["before"] == key_words(before)
    assert told["key"] == after.signatures.key != before
    assert after.fault is None


def test_a_key_that_is_not_beside_its_journal_is_not_replaced(folder: Path) -> None:
    (folder / "secrets.json").unlink()
    lines = (folder / "journal.jsonl").read_bytes()
    ended = run("rotate-key", folder)

    assert (ended.code, ended.problem["type"]) == (2, "input/bad_file")
    assert (folder / "journal.jsonl").read_bytes() == lines


def test_no_journal_is_made_where_none_was_kept(tmp_path: Path) -> None:
    ended = run("rotate-key", tmp_path)

    assert ended.problem["field"] == "data"
    assert list(tmp_path.iterdir()) == []


def resigned(text: bytes, secret: str) -> bytes:
    """What somebody who has a key that was replaced makes of it: the new key never came, and the old one signs all."""
    before, lines, has_key = sha256().hexdigest(), list[bytes](), False
    for line in map(json.loads, text.splitlines()):
        entry = moved(line["entry"])
        if entry["type"] == "key-made":
            if has_key:
                continue
            entry, has_key = KeyMade(key=public_key(secret)).model_dump(), True
        if entry["type"] == "head-signed":
            head, key = f"{len(lines)}:{before}", public_key(secret)
            entry = HeadSigned(head=head, key=key, signature=sign_text(secret, head_text(key, head))).model_dump()
        made, before = chain_line(len(lines) + 1, line["at_s"], entry, before=before)
        lines.append(made + b"\n")
    return b"".join(lines)


def rotated(folder: Path) -> tuple[str, str]:
    """The old secret and the words of the new key."""
    old = json.loads((folder / "secrets.json").read_text())[KEY]
    with closing(FileJournal(folder, ENTRY_CLASSES)) as journal:
        signer = ChainSigner(journal)
        signer.rotate()
        signer.sign()
        return old, key_words(signer.key)


def test_a_folder_that_an_old_key_signed_anew_is_caught_without_a_slip(folder: Path) -> None:
    old, _ = rotated(folder)
    journal = folder / NAME
    journal.write_bytes(resigned(journal.read_bytes(), old))

    assert fault_of(verify_game(folder))


def test_a_zip_that_an_old_key_signed_anew_is_caught_by_the_words_of_the_new_one(folder: Path, tmp_path: Path) -> None:
    old, spelling = rotated(folder)
    archive = pack(folder, tmp_path / "GAME.zip")
    honest = verify_game(archive, key=spelling)

    def change(name: str, content: bytes) -> bytes:
        if name == NAME:
            return resigned(content, old)
        return b"{}" if name == "game.json" else content

    assert honest.fault is None
    assert f"not by {spelling}" in fault_of(verify_game(repack(archive, change), key=spelling))


def test_every_page_of_a_server_that_shows_a_forged_game_says_so() -> None:
    hub = Hub(title="a game")
    hub.alarms.sound(PROOF, "NOT as it was written: line 7")
    app = create_app(hub)
    paths = [route.path for route in app.routes if isinstance(route, Route) and route.path.count("{") == 0]
    with TestClient(app) as client:
        answers = {path: client.get(path) for path in paths if not path.startswith("/api/")}
    shown = {path: a.text for path, a in answers.items() if a.headers.get("content-type", "").startswith("text/html")}

    assert {"/", "/judge", "/measure", "/unsure", "/overlay"} <= shown.keys()
    silent = {path for path, text in shown.items() if "NOT as it was written: line 7" not in text}
    assert silent == {"/licences", "/overlay/loader.html"}, "they show nothing of a game"
