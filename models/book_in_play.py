"""Book in play: a written book as a table is judged by it, and the hash of its file."""

from typing import Annotated

from pydantic import Field, model_validator

from models.base import EDITION_BASES, Catalogue, catalogue_of
from models.book_faults import book_faults
from models.frozen import Frozen
from models.vocabulary import OPEN_EDITION, EditionId
from models.written_book import BookStamp, WrittenBook


class BookInPlay(Frozen):
    """A written book without contradictions; `sha256` is that of the file it was read from."""

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    rules: WrittenBook

    @property
    def stamp(self) -> BookStamp:
        return BookStamp(name=self.rules.name, version=self.rules.version, sha256=self.sha256)

    @model_validator(mode="after")
    def _contradicts_nothing(self) -> "BookInPlay":
        for fault in book_faults(self.rules):
            raise ValueError(f"{'.'.join(map(str, fault.path))}: {fault.says}")
        return self


def catalogue_in_play(edition: EditionId, book: BookInPlay | None) -> Catalogue:
    """Every size on sale; usual are those of the written book where it names any, else the edition's."""
    on_sale = catalogue_of().bases
    usual = book.rules.bases if book is not None and book.rules.bases else catalogue_of((edition,)).bases
    is_any = set(usual).issuperset(EDITION_BASES[OPEN_EDITION])
    return Catalogue(bases=tuple(dict.fromkeys((*usual, *on_sale))), usual=() if is_any else usual)
