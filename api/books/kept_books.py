"""Rulebooks that a table keeps: each by its digest beside the journal, which names it by an entry."""

from pathlib import Path
from typing import Literal

from api.books.book_file import ReadBook
from api.errors import OtherBook
from api.journal.entry import Entry
from api.journal.interface import Journal
from api.storage.files import folder_fault, write_whole
from models.errors import BadFile
from models.state import TableState
from models.written_book import BookInPlay, BookStamp

FOLDER = "books"


def kept_file(data: Path, sha256: str) -> Path:
    return data / FOLDER / f"{sha256}.toml"


def keep_book(read: ReadBook, journal: Journal, data: Path | None) -> None:
    """Write down that the table is played by this book, and keep its file as it is. Raises: BadFile, JournalFailed."""
    newest = journal.newest(BookOpened)
    if newest is None or newest.entry != BookOpened(book=read.in_play.stamp):
        journal.write(BookOpened(book=read.in_play.stamp))
    if data is None:
        return
    path = kept_file(data, read.in_play.sha256)
    if not path.exists():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as wrong:
            raise folder_fault(path.parent, wrong) from wrong
        write_whole(path, read.whole)


def check_same_book(measured: TableState | None, chosen: BookInPlay | None, data: Path | None) -> None:
    """Raises: OtherBook when the kept game names another written book than the one at hand."""
    kept = None if measured is None else measured.written_book
    if kept is None or data is None or (chosen is not None and chosen.sha256 == kept.sha256):
        return
    at_hand = "none was named" if chosen is None else f"{chosen.stamp.title()} ({chosen.sha256[:12]}) is at hand"
    says = (
        f"{data}: this game is played by {kept.stamp.title()} ({kept.sha256[:12]}), and {at_hand}. "
        f"Go on with --edition {kept_file(data, kept.sha256)}, look at it with `tableside replay {data}`, "
        "or name another --data."
    )
    raise OtherBook(says, field="edition", value=None if chosen is None else chosen.stamp.title(), kept=kept.sha256)


def missing_book(path: str, data: Path | None, wrong: BadFile) -> BadFile | OtherBook:
    """The problem of a book that cannot be read: where the game keeps copies, they are named."""
    kept = sorted((data / FOLDER).glob("*.toml")) if data is not None else []
    if not kept:
        return wrong
    says = f"{wrong.detail}; the game in {data} keeps {', '.join(map(str, kept))}: name it with --edition"
    return OtherBook(f"{says}, or look at the game with `tableside replay {data}`", field="edition", value=path)


class BookOpened(Entry):
    """From now on the table is judged by this book; its file lies beside the journal under its hash."""

    type: Literal["book"] = "book"
    book: BookStamp
