"""Game export: the files of a kept game that is handed on."""

import json
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

from api.books.kept_books import FOLDER as BOOKS
from api.evidence.service import THUMBNAILS, moment_picture
from api.evidence.store import FOLDER
from api.evidence.verification import named_files
from api.games.calibration import calibration_files
from api.games.names import without_names
from api.journal.camera_entries import TableSettled
from api.journal.chain import read_chain
from api.journal.entry import Entry
from api.journal.file_journal import NAME, FileJournal


def game_files(
    ours: Path, pictures: Path, *, is_nameless: bool, entry_classes: tuple[type[Entry], ...]
) -> Iterator[tuple[str, Path | bytes]]:
    """Journal, evidence that it names, calibration, written books, a picture of each table at rest, and what it is.

    `ours` holds a copy of the journal, `pictures` is the game's folder. Raises: BadFile, OSError, ValueError.
    """
    journal = ours / NAME
    report = read_chain(journal)
    about = {
        "version": 1,
        "software": version("tableside"),
        "head": None if report.head is None else str(report.head),
        "is_whole": report.why is None,
        "is_nameless": is_nameless,
    }
    yield "game.json", json.dumps(about, indent=1).encode()
    if is_nameless:
        yield from without_names(journal, pictures)
    else:
        yield NAME, journal
        names = {name for _, named in named_files(journal) for name in named}
        for name in sorted(names):
            if (pictures / FOLDER / name).is_file():
                yield f"{FOLDER}/{name}", pictures / FOLDER / name
    yield from calibration_files(pictures).items()
    for book in sorted((pictures / BOOKS).glob("*.toml")):
        yield f"{BOOKS}/{book.name}", book
    yield from _thumbnails(ours, pictures, entry_classes)


def _thumbnails(ours: Path, pictures: Path, entry_classes: tuple[type[Entry], ...]) -> Iterator[tuple[str, bytes]]:
    with closing(FileJournal(ours, entry_classes)) as journal:
        for line in journal.lines(TableSettled):
            picture = moment_picture(pictures, line.n)
            if picture is not None:
                yield f"{THUMBNAILS}/{line.n:08d}.jpg", picture
