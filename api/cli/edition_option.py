"""Edition option: a rulebook by its id, or one written as data by its file."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from models.base import Catalogue
from models.errors import BadFile, BadQuery
from models.state import TableState
from models.vocabulary import OPEN_EDITION, EditionId
from models.written_book import BookInPlay, catalogue_in_play

if TYPE_CHECKING:
    from api.books.book_file import ReadBook

HELP = "Whose rules: an id from `tableside editions`, or FILE.toml, a rulebook written as data."


@dataclass(frozen=True)
class EditionChoice:
    """A rulebook that was named, and its file where it is written as data."""

    id: EditionId
    read: "ReadBook | None" = None

    @property
    def book(self) -> "BookInPlay | None":
        return None if self.read is None else self.read.in_play

    def catalogue(self) -> Catalogue:
        """The base sizes in play."""
        return catalogue_in_play(self.id, self.book)

    def judge(self, state: TableState) -> TableState:
        """The table as this rulebook judges it."""
        return state.in_edition(self.id, self.book)


def read_edition(named: str) -> EditionChoice:
    """What `--edition` names. Raises: BadQuery when it is no id and no file; BadFile, BadBook."""
    known = next((id_ for id_ in get_args(EditionId) if id_ == named.strip()), None)
    if known is not None:
        return EditionChoice(known)
    if not named.strip().lower().endswith(".toml"):
        says = f"edition: there is no {named!r}, only {', '.join(get_args(EditionId))}, or a file FILE.toml"
        raise BadQuery(says, field="edition", value=named)
    from api.books.book_file import read_book  # here, so that no id waits for it

    return EditionChoice(OPEN_EDITION, read_book(Path(named.strip())))


def read_served_edition(named: str, data: Path | None) -> EditionChoice:
    """The same for a table that is kept in `data`; where the book's file is gone, what the game kept is named."""
    from api.books.kept_books import missing_book

    try:
        return read_edition(named)
    except BadFile as wrong:
        raise missing_book(named, data, wrong) from wrong
