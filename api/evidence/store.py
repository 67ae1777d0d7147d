"""Evidence store: files of a folder, each named by the SHA-256 of its content, whole or not there at all."""

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

FOLDER = "evidence"
_NAMES_SOME = b'"evidence":{'


def name_content(content: bytes, suffix: str) -> str:
    """The only name a file of this content may have."""
    return f"{sha256(content).hexdigest()}.{suffix}"


def is_unaltered(path: Path) -> bool:
    """Whether the file still is what its name says. Raises: OSError."""
    return sha256(path.read_bytes()).hexdigest() == path.stem


class EvidenceStore:
    """Content-addressed files below a table's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    def path(self, name: str) -> Path:
        return self._folder / name

    def put(self, contents: Iterable[tuple[bytes, str]]) -> tuple[str, ...]:
        """Names of these contents, each with its suffix, on the disk; all of them, or none that was not there before.

        Raises: OSError.
        """
        made: list[Path] = []
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            names = tuple(self._put_one(content, suffix, made) for content, suffix in contents)
            _sync_folder(self._folder)
        except OSError:
            for path in made:
                with contextlib.suppress(OSError):
                    path.unlink()
            raise
        return names

    def probe(self, size: int) -> None:
        """Raises: OSError when so many bytes cannot be written now."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        with tempfile.TemporaryFile(dir=self._folder, prefix=".part-") as file:
            file.write(bytes(size))

    def _put_one(self, content: bytes, suffix: str, made: list[Path]) -> str:
        name = name_content(content, suffix)
        path = self._folder / name
        if path.exists() and is_unaltered(path):
            return name
        handle, part = tempfile.mkstemp(dir=self._folder, prefix=".part-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(part)
            raise
        made.append(path)
        return name


def _sync_folder(folder: Path) -> None:
    """The names of new files last too. Windows keeps them of itself and opens no folder."""
    with contextlib.suppress(PermissionError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@dataclass(frozen=True)
class EvidenceReport:
    """How many files are named, and which are missing or altered, each with the line that names it first."""

    named: int
    missing: tuple[tuple[str, int], ...]
    altered: tuple[tuple[str, int], ...]


def check_evidence(journal: Path) -> EvidenceReport:
    """Look at every file that the lines of this journal name; lines that cannot be read name none. Raises: OSError."""
    lines: dict[str, int] = {}
    for n, names in named_files(journal):
        for name in names:
            lines.setdefault(name, n)
    missing, altered = [], []
    for name, n in lines.items():
        path = journal.parent / FOLDER / Path(name).name
        if not path.is_file():
            missing.append((name, n))
        elif not is_unaltered(path):
            altered.append((name, n))
    return EvidenceReport(len(lines), tuple(missing), tuple(altered))


def named_files(journal: Path) -> Iterator[tuple[int, list[str]]]:
    """Each line that names evidence, by its number. Raises: OSError."""
    with journal.open("rb") as lines:
        for text in lines:
            if _NAMES_SOME in text:
                try:
                    line = json.loads(text)
                except (ValueError, RecursionError):
                    continue
                match line:
                    case {"n": int(n), "entry": {"evidence": dict(named)}}:
                        yield n, [name for name in named.values() if isinstance(name, str)]
