"""Registry of rulebooks, by id. The core never asks which one it is in."""

from models.state import TableState
from models.vocabulary import EditionId
from referee.editions import open as open_edition
from referee.editions import warhammer_9
from referee.editions.open import write_edition
from referee.editions.warmachine import prime
from referee.editions.warmachine.mk1_and_mk2 import hordes_mk2, mk1
from referee.rules.edition import Edition

_ALL = (prime, hordes_mk2, mk1, warhammer_9, open_edition)
EDITIONS: dict[EditionId, Edition] = {book.EDITION.id: book.EDITION for book in _ALL}


def edition_of(state: TableState) -> Edition:
    """The rulebook that a table is judged by: the one it names, as its written book has it where there is one."""
    edition, book = EDITIONS[state.edition], state.written_book
    return edition if book is None else write_edition(edition, book)
