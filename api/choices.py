"""What may be chosen when a table is set up: rulebooks, and what each knows of bases, terrain and scenarios."""

from typing import get_args

from fastapi import APIRouter

from models.base import EDITION_BASES, Base
from models.frozen import Frozen
from models.words import EditionId, TerrainKind
from referee import EDITIONS


class Book(Frozen):
    """One rulebook, with the bases, kinds of terrain and scenarios it knows."""

    id: EditionId
    book: str
    bases: tuple[Base, ...]
    terrain: tuple[TerrainKind, ...]
    scenarios: tuple[str, ...]


def choices() -> APIRouter:
    """The route that tells them."""
    router = APIRouter(prefix="/api/v1", tags=["table"])

    @router.get("/choices")
    async def books() -> tuple[Book, ...]:
        """Every rulebook, and what may be chosen under it."""
        return BOOKS

    return router


def _book(id_: EditionId) -> Book:
    edition = EDITIONS[id_]
    kinds = tuple(kind for kind in get_args(TerrainKind) if kind not in edition.unknown_terrain)
    return Book(id=id_, book=edition.book, bases=EDITION_BASES[id_], terrain=kinds, scenarios=edition.scenarios)


BOOKS = tuple(_book(id_) for id_ in EDITIONS)
