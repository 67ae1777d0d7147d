"""Kept games handed on: one file or pages, and what of a zip is taken for one."""

import json
import shutil
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from api.cli import app as command_line
from api.cli.serve import shipped_job
from api.corrections.settlements import DoubtSettled
from api.errors import BadGame
from api.evidence.service import EvidenceKeeper
from api.games import archive
from api.games.archive import open_game
from api.games.calibration import keep_calibration
from api.games.verification import verify_game
from api.journal.chain import read_chain
from api.journal.file_journal import NAME, FileJournal
from api.live.hub import Hub
from api.seats.entries import CodesMade
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES
from api.storage.files import load
from models.camera import Camera
from models.errors import BadFile, BadInput
from models.layout import Layout
from models.verdict import Answer
from tests.api.evidence.test_evidence import FEW, RULING, picture, report_with
from tests.api.fakes import ask


def sided(side: str) -> object:
    parts = [m.model_dump() | {"side": side} for m in FEW.miniatures]
    return type(FEW).model_validate(FEW.model_dump() | {"miniatures": parts})


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A folder with a picture, a ruling and codes."""
    folder = tmp_path / "club-night"
    with closing(FileJournal(folder, ENTRY_CLASSES)) as journal:
        SeatSessions(journal, unjoined="viewer")
        hub = Hub(title="club night", journal=journal)
        keeper = EvidenceKeeper(hub, folder, most_bytes=10**7)
        hub.handle_report(report_with(picture(), sided("Anna")))  # type: ignore[arg-type]
        with TestClient(create_app(hub, ask=ask, evidence=keeper)) as judge:
            answer = judge.post("/api/v1/rulings", json=RULING | {"reason": "Anna said so"})
            assert answer.status_code == 201, answer.text
    return folder


def run(*arguments: str) -> BaseException | None:
    return CliRunner().invoke(command_line, arguments).exception


def unpack(path: Path, into: Path) -> Path:
    with zipfile.ZipFile(path) as packed:
        packed.extractall(into)
    return into


def test_a_game_that_was_handed_on_is_whole_with_its_evidence(game: Path, tmp_path: Path) -> None:
    assert run("export", str(game), "-o", str(tmp_path / "game.zip")) is None
    folder = unpack(tmp_path / "game.zip", tmp_path / "there")

    assert (folder / NAME).read_bytes() == (game / NAME).read_bytes()
    assert verify_game(folder).fault is None
    assert len(list((folder / "evidence").iterdir())) == 4
    assert [path.name for path in (folder / "thumbnails").iterdir()] == ["00000002.jpg"]


def test_a_game_that_was_handed_on_holds_the_camera_and_layout_it_was_measured_by(game: Path, tmp_path: Path) -> None:
    job = shipped_job(is_looping=False)
    keep_calibration(game, job.camera, job.layout)
    assert run("export", str(game), "-o", str(tmp_path / "game.zip")) is None

    with open_game(tmp_path / "game.zip") as (_, folder):
        assert load(Layout, folder / "calibration" / "layout.json", error=BadFile) == job.layout
        assert load(Camera, folder / "calibration" / "camera.json", error=BadFile) == job.camera


def test_without_names_nobody_is_named_and_no_code_is_told(game: Path, tmp_path: Path) -> None:
    codes = json.loads((game / "secrets.json").read_bytes())["codes"]
    assert run("export", str(game), "-o", str(tmp_path / "game.zip"), "--without-names") is None
    folder = unpack(tmp_path / "game.zip", tmp_path / "there")
    text = b"".join(path.read_bytes() for path in folder.rglob("*") if path.suffix in (".jsonl", ".json", ".svg"))

    assert b"Anna" not in text
    assert not [code for code in codes.values() if code.encode() in text]
    assert b"Side 1 said so" in text
    assert verify_game(folder).fault is None


def test_a_game_is_looked_at_without_changing_it(game: Path) -> None:
    before = {path: path.read_bytes() for path in game.rglob("*") if path.is_file()}
    with open_game(game) as (ours, pictures), closing(FileJournal(ours, ENTRY_CLASSES)) as journal:
        hub = Hub(title="again", journal=journal)
        keeper = EvidenceKeeper(hub, pictures, most_bytes=0, is_read_only=True)
        with TestClient(create_app(hub, ask=ask, evidence=keeper)) as viewer:
            seen = viewer.get("/api/v1/moments/3/picture.jpg")
            asked = viewer.post("/api/v1/ask-pair?at=2", json=RULING["about"]["pair"])  # type: ignore[index]

    assert seen.content.startswith(b"\xff\xd8")
    assert asked.status_code == 200
    assert {path: path.read_bytes() for path in game.rglob("*") if path.is_file() and ".lock" not in path.name} == {
        path: text for path, text in before.items() if ".lock" not in path.name
    }


def test_the_pages_need_nothing_and_hold_no_code(game: Path, tmp_path: Path) -> None:
    codes = json.loads((game / "secrets.json").read_bytes())["codes"]
    assert run("export", str(game), "--html", "-o", str(tmp_path / "pages")) is None
    pages = tmp_path / "pages"
    told = json.loads((pages / "game.js").read_text(encoding="utf-8").removeprefix("window.GAME = ").rstrip(";\n"))

    assert [one["type"] for one in told["moments"]] == ["settled", "ruled"]
    assert told["moments"][0]["picture"] == "thumbnails/00000002.jpg"
    assert "data:image/jpeg" in (pages / told["moments"][1]["record"]).read_text(encoding="utf-8")
    assert not [path for path in pages.rglob("*") if path.name == NAME]
    assert not [code for code in codes.values() if code in (pages / "game.js").read_text(encoding="utf-8")]


def test_the_pages_say_what_players_agreed_and_rolled(game: Path, tmp_path: Path) -> None:
    first, second = (one.id for one in FEW.miniatures[:2])
    stood = {first: (1.0, 1.0), second: (2.0, 2.0)}
    asked = {"kind": "distance", "a": first, "b": second}
    with closing(FileJournal(game, ENTRY_CLASSES)) as journal:
        journal.write(DoubtSettled(by="player-a", query=asked, how="agreed", answer=Answer.YES, stood_mm=stood))
        journal.write(DoubtSettled(by="player-b", query=asked, how="rolled", answer=Answer.NO, die=2, stood_mm=stood))
    assert run("export", str(game), "--html", "-o", str(tmp_path / "pages")) is None
    text = (tmp_path / "pages" / "game.js").read_text(encoding="utf-8")
    told = json.loads(text.removeprefix("window.GAME = ").rstrip(";\n"))

    agreed, rolled = (one["says"] for one in told["moments"][-2:])
    assert agreed.startswith("Both agreed: yes. ")
    assert rolled.startswith("Rolled for it (2): no. ")
    assert agreed.endswith("(said by Player A)")


def test_every_page_of_a_forged_game_says_so_first(game: Path, tmp_path: Path) -> None:
    (game / NAME).write_bytes((game / NAME).read_bytes().replace(b"Anna said so", b"Lena said so"))
    assert run("export", str(game), "--html", "-o", str(tmp_path / "pages")) is None
    pages = [path.read_text("utf-8") for path in (tmp_path / "pages").rglob("*.html")]

    assert len(pages) > 1
    assert all("NOT as it was written" in text for text in pages)


def test_a_folder_that_is_not_empty_is_not_written_over(game: Path, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "mine.txt").write_text("keep me")

    assert isinstance(run("export", str(game), "--html", "-o", str(tmp_path / "pages")), BadInput)
    assert [path.name for path in (tmp_path / "pages").iterdir()] == ["mine.txt"]


def bad_zip(tmp_path: Path, name: str, content: bytes = b"x", *, journal: bool = True) -> Path:
    path = tmp_path / "bad.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        if journal:
            packed.writestr(NAME, b"")
        packed.writestr(name, content)
    return path


@pytest.mark.parametrize(
    "name", ["../journal.jsonl", "/etc/passwd", "evidence/../../x.jpg", "C:\\x.jpg", "evidence\\x.jpg", "run.sh"]
)
def test_a_zip_with_a_path_that_leads_out_or_no_game_has_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadGame), open_game(bad_zip(tmp_path, name)):
        pass


def test_a_zip_bomb_is_refused_before_it_fills_the_disk(tmp_path: Path) -> None:
    bomb = bad_zip(tmp_path, f"evidence/{'0' * 64}.jpg", bytes(45_000_000))
    with pytest.raises(BadGame, match="more than a game holds"), open_game(bomb):
        pass


def test_sizes_that_a_zip_says_are_not_believed(tmp_path: Path) -> None:
    path = bad_zip(tmp_path, f"evidence/{'0' * 64}.jpg", bytes(9_000_000))
    data = bytearray(path.read_bytes())
    said = (9_000_000).to_bytes(4, "little")
    while (at := data.find(said)) >= 0:
        data[at : at + 4] = (1000).to_bytes(4, "little")
    path.write_bytes(data)

    with pytest.raises(BadGame), open_game(path):
        pass


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_FILES", 1)
    with pytest.raises(BadGame, match="2 files"), open_game(bad_zip(tmp_path, "game.json")):
        pass


@pytest.mark.parametrize("make", [lambda p: p.write_bytes(b"no zip"), lambda p: zipfile.ZipFile(p, "w").close()])
def test_a_file_that_is_no_game_is_named(tmp_path: Path, make: Callable[[Path], object]) -> None:
    path = tmp_path / "game.zip"
    make(path)
    with pytest.raises(BadGame) as wrong, open_game(path):
        pass
    assert wrong.value.field == "game"


def test_a_game_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert isinstance(run("export", str(tmp_path / "none"), "-o", str(tmp_path / "x.zip")), BadFile)
    assert isinstance(run("replay", str(tmp_path / "none")), BadFile)


def test_a_full_disk_leaves_no_half_archive(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    there = tmp_path / "there"
    there.mkdir()

    assert isinstance(run("export", str(game), "-o", str(there / "game.zip")), BadFile)
    assert list(there.iterdir()) == []


def test_a_journal_of_the_version_before_is_handed_on_too(tmp_path: Path) -> None:
    old = Path(__file__).parent.parent / "version_0_1_0" / "table"
    folder = Path(shutil.copytree(old, tmp_path / "old"))
    assert run("export", str(folder), "-o", str(tmp_path / "game.zip")) is None
    assert run("export", str(folder), "--html", "-o", str(tmp_path / "pages")) is None

    lines = (folder / NAME).read_bytes().count(b"\n")
    assert read_chain(unpack(tmp_path / "game.zip", tmp_path / "there") / NAME).lines == lines


def test_a_journal_holds_no_code_and_one_of_an_older_version_is_cleaned(tmp_path: Path) -> None:
    folder, codes = tmp_path / "old", {"judge": "ABC234", "players": "DEF567", "viewer": "GHJ789", "overlay": "KMN234"}
    with closing(FileJournal(folder, ENTRY_CLASSES)) as journal:
        journal.write(CodesMade(codes=codes))
        assert SeatSessions(journal).codes == codes
    with closing(FileJournal(folder, ENTRY_CLASSES)) as journal:
        seats = SeatSessions(journal)
        seats.renew_code("judge", by="judge", withdraws=False)
        written = (folder / NAME).read_text()
        assert seats.codes["players"] == "DEF567"
        assert seats.codes["judge"] not in written
    said = CliRunner().invoke(command_line, ["export", str(folder), "-o", str(tmp_path / "game.zip")])

    copy = unpack(tmp_path / "game.zip", tmp_path / "copy")
    assert "left out" in said.output
    assert not [code for code in (*codes.values(), *seats.codes.values()) if code in (copy / NAME).read_text()]
    assert json.loads((copy / "game.json").read_text())["is_cleaned"] is True
    assert read_chain(copy / NAME).why is None
    assert (folder / "secrets.json").stat().st_mode & 0o077 == 0
