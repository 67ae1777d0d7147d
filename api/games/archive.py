"""Game archive: a kept game as one zip file, and what of a zip is taken for one.

A zip may come from anybody: only files that a game has are unpacked, into a folder of ours, and no more of them than
any game holds. What the zip says about its sizes is not believed; bytes are counted as they come.
"""

import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from api.errors import BadGame
from api.journal.file_journal import NAME
from api.storage.untrusted_files import ZipLimits, open_zip
from models.errors import BadFile

MOST_FILES = 100_000
MOST_BYTES = 8_000_000_000
MOST_IN_FILE = {"jsonl": 2_000_000_000, "json": 50_000_000, "svg": 50_000_000, "toml": 1_100_000, "jpg": 50_000_000}
MOST_RATIO = 200  # a journal packs to a twentieth; a bomb to a thousandth
_FREE_BYTES = 10_000_000  # so much may be packed as tightly as it likes
_ENTRY = re.compile(
    r"journal\.jsonl|game\.json|calibration/(?:camera|layout)\.json|books/[0-9a-f]{64}\.toml|evidence/[0-9a-f]{64}\.(?:jpg|svg|json)|(?:thumbnails|pictures)/\d{8,15}\.(?:jpg|json)"
)


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
    limits = ZipLimits("a game", members=MOST_FILES, total_bytes=MOST_BYTES, error=BadGame, field="game")
    try:
        with open_zip(path, name=path.name, limits=limits) as archive:
            names = [entry.filename for entry in archive.members]
            _check_names(names, path)
            into.mkdir()
            for entry in archive.members:
                suffix = entry.filename.rsplit(".", 1)[1]
                # a bomb is told by its ratio long before it is large
                most_bytes = min(MOST_IN_FILE[suffix], _FREE_BYTES + MOST_RATIO * entry.compress_size)
                target = into / entry.filename
                target.parent.mkdir(exist_ok=True)
                with target.open("wb") as out:
                    out.writelines(archive.read_chunks(entry, most_bytes=most_bytes))
    except OSError as wrong:
        shutil.rmtree(into, ignore_errors=True)
        raise BadFile(f"{path}: {wrong.strerror or wrong}", field="game", value=str(path)) from wrong
    except BadGame:
        shutil.rmtree(into, ignore_errors=True)
        raise


def _check_names(names: Sequence[str], path: Path) -> None:
    for name in names:
        if not _ENTRY.fullmatch(name):
            raise BadGame(f"{path.name} holds {name!r}, which no game has", field="game", value=name)
    if NAME not in names:
        raise BadGame(f"{path.name} holds no {NAME}", field="game", value=path.name)


def _copy_journal(journal: Path, ours: Path) -> None:
    """The journal's whole lines, where the server may write; what a crash cut off stays behind."""
    try:
        shutil.copyfile(journal, ours / NAME)
        (ours / NAME).chmod(0o600)
    except OSError as wrong:
        raise BadFile(f"{journal}: {wrong.strerror}", field="game", value=str(journal.parent)) from wrong
