"""Rulebook routes: the editions, and what each knows of bases, terrain and scenarios."""

from typing import get_args

from fastapi import APIRouter, Response
from pydantic import Field

from api.errors import NoBook
from api.http.openapi import media_response, problem_responses
from api.routes.services import Table
from models.base import EDITION_BASES, Base
from models.frozen import Frozen
from models.house_rules import HOUSE_RULES, PRESET_KEY, PRESETS, HouseRule
from models.vocabulary import OPEN_EDITION, EditionId, TerrainKind
from models.written_book import BookInPlay, BookStamp
from referee import EDITIONS


class Setting(Frozen):
    """One thing that a table chooses, in plain words; `readings` is empty where it is a number."""

    key: str
    decides: str
    default: str
    presets: dict[str, str] = Field(description="by the name of a preset that chooses otherwise, what it chooses")
    readings: dict[str, str]
    number: str | None = Field(description="what it is a number of")
    most: float | None = Field(description="the largest number")


class Book(Frozen):
    """One rulebook, with the bases, kinds of terrain and scenarios it knows, and the settings it is played by."""

    id: EditionId
    book: str
    bases: tuple[Base, ...]
    terrain: tuple[TerrainKind, ...]
    scenarios: tuple[str, ...]
    settings: tuple[Setting, ...]
    preset_key: str | None = Field(description="the setting that chooses many at once")
    written: BookStamp | None = Field(None, description="which rulebook written as data this is")
    author: str | None = None
    about: str | None = None


_TOML = media_response("application/toml") | problem_responses(NoBook)
router = APIRouter(prefix="/api/v1", tags=["table"])


@router.get("/choices")
async def books(table: Table) -> tuple[Book, ...]:
    """Every rulebook, and what may be chosen under it; the table's written book in place of the open edition."""
    hub = table.hub
    book = hub.book or (None if hub.state is None else hub.state.book)
    return BOOKS if book is None else _with_written(book)


@router.get("/book.toml", response_class=Response, responses=_TOML)
def give_book(table: Table) -> Response:
    """The rulebook written as data that is played by, as one file; another table takes it by this address."""
    if table.hub.book_file is None:
        raise NoBook("this table is played by no rulebook written as data")
    headers = {"Cache-Control": "no-store", "Content-Disposition": 'attachment; filename="book.toml"'}
    return Response(table.hub.book_file, media_type="application/toml", headers=headers)


def _describe_book(id_: EditionId) -> Book:
    edition = EDITIONS[id_]
    kinds = tuple(kind for kind in get_args(TerrainKind) if kind not in edition.unknown_terrain)
    rules = (rule for rule in HOUSE_RULES.values() if id_ in rule.defaults and rule.means)
    return Book(
        id=id_,
        book=edition.book,
        bases=EDITION_BASES[id_],
        terrain=kinds,
        scenarios=edition.scenarios,
        settings=tuple(_describe_setting(rule, id_) for rule in rules),
        preset_key=PRESET_KEY if id_ in HOUSE_RULES[PRESET_KEY].defaults else None,
    )


def _with_written(book: BookInPlay) -> tuple[Book, ...]:
    """The choices with the written book on top."""
    written = (_write_choice(choice, book) for choice in BOOKS)
    return tuple(sorted(written, key=lambda choice: choice.written is None))


def _write_choice(choice: Book, book: BookInPlay) -> Book:
    """The open edition as the written book has it; every other choice as it is."""
    if choice.id != OPEN_EDITION:
        return choice
    readings, rules = book.rules.readings(), book.rules
    settings = (
        Setting(**{**dict(setting), "default": readings.get(setting.key, setting.default), "presets": {}})
        for setting in choice.settings
        if setting.key != PRESET_KEY
    )
    written = {
        "book": book.stamp.title(), "bases": rules.bases or choice.bases, "settings": tuple(settings),
        "preset_key": None, "written": book.stamp, "author": rules.author, "about": rules.texts.get("about"),
    }  # fmt: skip
    return Book(**{**dict(choice), **written})


def _describe_setting(rule: HouseRule, id_: EditionId) -> Setting:
    is_number = not rule.readings
    return Setting(
        key=rule.key,
        decides=rule.doubt,
        default=rule.defaults[id_],
        presets={name: chosen[rule.key] for name, chosen in PRESETS.items() if rule.key in chosen},
        readings={} if is_number else rule.means,
        number=rule.means["number"] if is_number else None,
        most=rule.most if is_number else None,
    )


BOOKS = tuple(_describe_book(id_) for id_ in EDITIONS)
