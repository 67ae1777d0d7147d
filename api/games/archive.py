"""Game archive: a kept game as one zip file, and what of a zip is taken for one.

A zip may come from anybody: only files that a game has are unpacked, into a folder of ours, and no more of them than
any game holds. What the zip says about its sizes is not believed; bytes are counted as they come.
"""

import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from api.errors import BadGame
from api.journal.file_journal import NAME
from models.errors import BadFile

MOST_FILES = 100_000
MOST_BYTES = 8_000_000_000
MOST_IN_FILE = {"jsonl": 2_000_000_000, "json": 50_000_000, "svg": 50_000_000, "toml": 1_100_000, "jpg": 50_000_000}
MOST_RATIO = 200  # a journal packs to a twentieth; a bomb to a thousandth
_FREE_BYTES = 10_000_000  # so much may be packed as tightly as it likes
_ENTRY = re.compile(
    r"journal\.jsonl|game\.json|calibration/(?:camera|layout)\.json|books/[0-9a-f]{64}\.toml|evidence/[0-9a-f]{64}\.(?:jpg|svg|json)|(?:thumbnails|pictures)/\d{8,15}\.(?:jpg|json)"
)
_CHUNK = 1 << 20


def write_archive(output: Path, files: Iterable[tuple[str, Path | bytes]]) -> None:
    """Write these files, whole or not at all; pictures are not packed a second time. Raises: BadFile."""
    try:
        with tempfile.NamedTemporaryFile(dir=output.parent, prefix=f".{output.name}.", delete=False) as part:
            try:
                with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
                    for name, content in files:
                        how = zipfile.ZIP_STORED if name.endswith(".jpg") else zipfile.ZIP_DEFLATED
                        data = content.read_bytes() if isinstance(content, Path) else content
                        archive.writestr(name, data, compress_type=how)
                Path(part.name).chmod(0o644)
                Path(part.name).replace(output)
            except BaseException:
                Path(part.name).unlink(missing_ok=True)
                raise
    except OSError as wrong:
        raise BadFile(f"{output}: {wrong.strerror or wrong}", field="output", value=str(output)) from wrong


@contextmanager
def open_game(path: Path) -> Iterator[tuple[Path, Path]]:
    """A folder of ours with a copy of the journal, and the folder of its pictures; nothing of the game is changed.

    `path` is a folder that `--data` named or a zip of one. Raises: BadFile, BadGame.
    """
    with tempfile.TemporaryDirectory(prefix="tableside-game-") as name:
        ours = Path(name)
        if path.is_dir():
            _copy_journal(path / NAME, ours)
            yield ours, path
        else:
            extract(path, ours / "game")
            _copy_journal(ours / "game" / NAME, ours)
            yield ours, ours / "game"


def extract(path: Path, into: Path) -> None:
    """Unpack a game; nothing stays of one that cannot be. Raises: BadFile, BadGame."""
    try:
        with zipfile.ZipFile(path) as archive:
            _check_entries(archive, path)
            into.mkdir()
            for entry in archive.infolist():
                if not entry.is_dir():
                    _extract_one(archive, entry, into, path)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as wrong:
        shutil.rmtree(into, ignore_errors=True)
        raise BadGame(f"{path.name} is no zip file that can be read: {wrong}", field="game", value=path.name) from wrong
    except OSError as wrong:
        shutil.rmtree(into, ignore_errors=True)
        raise BadFile(f"{path}: {wrong.strerror or wrong}", field="game", value=str(path)) from wrong
    except BadGame:
        shutil.rmtree(into, ignore_errors=True)
        raise


def _check_entries(archive: zipfile.ZipFile, path: Path) -> None:
    entries = archive.infolist()
    if len(entries) > MOST_FILES:
        raise BadGame(f"{path.name} holds {len(entries)} files; a game holds fewer", field="game", value=len(entries))
    for entry in entries:
        if not entry.is_dir() and not _ENTRY.fullmatch(entry.filename):
            says = f"{path.name} holds {entry.filename!r}, which no game has"
            raise BadGame(says, field="game", value=entry.filename)
    if sum(entry.file_size for entry in entries) > MOST_BYTES:
        raise BadGame(f"{path.name} is larger than any game when unpacked", field="game", value=path.name)
    if NAME not in archive.namelist():
        raise BadGame(f"{path.name} holds no {NAME}", field="game", value=path.name)


def _extract_one(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, into: Path, path: Path) -> None:
    """Raises: BadGame when more comes out than was said, or than any such file holds."""
    most = min(
        MOST_IN_FILE[entry.filename.rsplit(".", 1)[1]], entry.file_size, _FREE_BYTES + MOST_RATIO * entry.compress_size
    )
    target = into / entry.filename
    target.parent.mkdir(exist_ok=True)
    with archive.open(entry) as packed, target.open("wb") as out:
        while data := packed.read(_CHUNK):
            if out.tell() + len(data) > most:
                says = f"{path.name}: {entry.filename} unpacks to more than a game holds"
                raise BadGame(says, field="game", value=entry.filename)
            out.write(data)


def _copy_journal(journal: Path, ours: Path) -> None:
    """The journal's whole lines, where the server may write; what a crash cut off stays behind."""
    try:
        shutil.copyfile(journal, ours / NAME)
        (ours / NAME).chmod(0o600)
    except OSError as wrong:
        raise BadFile(f"{journal}: {wrong.strerror}", field="game", value=str(journal.parent)) from wrong
