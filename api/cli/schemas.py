"""`tableside queries`, `tableside schema NAME`, `tableside editions`: what may be asked, and in which words."""

import json
from typing import Annotated, Any

import typer
from pydantic import BaseModel

from api.cli.table_options import read_edition
from models.errors import BadInput
from models.queries import QUERIES, QUERY

_NAMES = (
    "state",
    "query",
    "verdict",
    "layout",
    "board",
    "camera",
    "catalogue",
    "edition",
    "hints",
    "marks",
    "corrections",
)


def queries_command(
    edition: Annotated[str | None, typer.Option(help="Only the questions of this rulebook.")] = None,
) -> None:
    """Every kind of question with its fields, as JSON Schema."""
    id_ = None if edition is None else read_edition(edition).id
    kinds = {
        kind: {"asks": cls.title(), "editions": sorted(cls.EDITIONS), "schema": cls.schema_of_fields()}
        for kind, cls in QUERIES.items()
        if id_ is None or id_ in cls.EDITIONS
    }
    _print(kinds)


def schema_command(name: Annotated[str, typer.Argument(help=f"One of {', '.join(_NAMES)}.")]) -> None:
    """The JSON Schema of a file format."""
    if name == "query":
        _print(QUERY.json_schema())
        return
    _print(_class_of(name).model_json_schema())


def editions_command() -> None:
    """What each rulebook knows."""
    from models.base import EDITION_BASES
    from referee import EDITIONS

    _print(
        {
            id_: {
                "book": edition.book,
                "measuring": edition.measuring,
                "answers": [kind for kind, cls in QUERIES.items() if cls in edition.rules],
                "not_yet": [k for k, cls in QUERIES.items() if cls not in edition.rules and id_ in cls.EDITIONS],
                "bases": [base.model_dump(mode="json", exclude_none=True) for base in EDITION_BASES[id_]],
            }
            for id_, edition in EDITIONS.items()
        }
    )


def _class_of(name: str) -> type[BaseModel]:
    from api.books.book_file import BookFile
    from api.cli.correct import Corrections
    from models.base import Catalogue
    from models.board import BoardFile
    from models.camera import Camera
    from models.hint import Hints
    from models.layout import Layout
    from models.marks import Marks
    from models.state import TableState
    from models.verdict import Verdict

    classes: dict[str, type[BaseModel]] = {
        "state": TableState, "verdict": Verdict, "layout": Layout, "board": BoardFile, "camera": Camera,
        "catalogue": Catalogue, "edition": BookFile, "hints": Hints, "marks": Marks,
        "corrections": Corrections,
    }  # fmt: skip
    if name not in classes:
        raise BadInput(f"Unknown schema {name!r}: known are {', '.join(_NAMES)}", field="name", value=name)
    return classes[name]


def _print(value: Any) -> None:
    print(json.dumps(value, indent=1, ensure_ascii=False))
