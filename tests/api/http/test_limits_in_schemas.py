"""Whatever is asked has limits that the schema tells: no length, count or text of a question is without an end."""

from collections.abc import Iterator
from typing import Any

import pytest

from api.answers.miniature_sheet import MiniatureQuestion
from api.answers.pair_sheet import Pair
from api.answers.what_if import Manoeuvre, WhatIfMove
from models.frozen import Frozen
from models.queries import QUERIES

ASKED: list[type[Frozen]] = [*QUERIES.values(), Pair, MiniatureQuestion, WhatIfMove, Manoeuvre]


@pytest.mark.parametrize("asked", ASKED, ids=lambda cls: str(cls.__name__))
def test_every_field_of_a_question_has_limits(asked: type[Frozen]) -> None:
    schema = asked.model_json_schema()
    fields = schema["$defs"][asked.__name__] if "$ref" in schema else schema

    assert list(_endless(fields, schema.get("$defs", {}), ())) == []


def _endless(schema: dict[str, Any], known: dict[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """What has no limit, each by its path; a type that holds itself is looked at once."""
    if (name := schema.get("$ref", "").rpartition("/")[2]) and name not in path:
        yield from _endless(known[name], known, (*path, name))
    for inner in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("prefixItems", ())):
        yield from _endless(inner, known, path)
    for field, inner in schema.get("properties", {}).items():
        yield from _endless(inner, known, (*path, field))
    if isinstance(inner := schema.get("items"), dict):
        yield from _endless(inner, known, (*path, "[]"))
    if isinstance(inner := schema.get("additionalProperties"), dict):
        yield from _endless(inner, known, (*path, "{}"))
    if not _has_end(schema):
        yield f"{'.'.join(path)}: {schema}"


def _has_end(schema: dict[str, Any]) -> bool:
    if "enum" in schema or "const" in schema:
        return True
    match schema.get("type"):
        case "number" | "integer":
            return bool({"minimum", "exclusiveMinimum"} & set(schema)) and bool(
                {"maximum", "exclusiveMaximum"} & set(schema)
            )
        case "string":
            return "maxLength" in schema
        case "array":
            return "maxItems" in schema or "prefixItems" in schema
        case "object":
            return "properties" in schema or "maxProperties" in schema
        case _:
            return True
