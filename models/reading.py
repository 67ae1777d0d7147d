"""From text to a value, or to an error that names the field and the value."""

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from models.errors import BadInput, BadQuery
from models.queries import QUERIES, QUERY, Asked

Value = TypeVar("Value", bound=BaseModel)


def read(cls: type[Value], text: str | bytes, *, error: type[BadInput]) -> Value:
    """The value written in this JSON text.

    Raises: `error`, naming field and value, when the text is no JSON or not such a value.
    """
    raw = _json(text, error=error)
    try:
        return cls.model_validate(raw)
    except ValidationError as wrong:
        raise _named(wrong, error=error) from wrong


def read_query(raw: Any, *, index: int | None = None) -> Asked:
    """One question from its JSON object.

    Raises: BadQuery with the field, the value and, in a list, the index.
    """
    place = {} if index is None else {"index": index}
    if not isinstance(raw, dict):
        raise BadQuery(f"a question is an object, not {raw!r}", field="", value=raw, **place)
    kind = raw.get("kind")
    if kind not in QUERIES:
        raise BadQuery(f"there is no question {kind!r}", field="kind", value=kind, **place)
    try:
        return QUERY.validate_python(raw, strict=False)
    except ValidationError as wrong:
        raise _named(wrong, error=BadQuery, skip=1, **place) from wrong


def read_queries(text: str | bytes) -> tuple[list[Asked], bool]:
    """All questions of a text, and whether it was a list: a JSON array, or one question a line.

    A list is checked whole before anything is answered. Raises: BadQuery with the index of the first that is wrong.
    """
    lines: list[str | bytes] = [*text.splitlines()]
    raw = [_line(one, index=i) for i, one in enumerate(lines)] if _is_one_a_line(lines) else _json(text, error=BadQuery)
    if isinstance(raw, list):
        return [read_query(one, index=i) for i, one in enumerate(raw)], True
    return [read_query(raw)], False


def _is_one_a_line(lines: list[str | bytes]) -> bool:
    """Whether the text is JSON Lines: its first line is a whole object, and others follow."""
    if len(lines) < 2:
        return False
    try:
        return isinstance(json.loads(lines[0]), dict)
    except (ValueError, RecursionError):
        return False


def _line(text: str | bytes, *, index: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as wrong:
        detail = f"line {index + 1} is no JSON: {wrong}"
        raise BadQuery(detail, field="", value=_start(text), index=index) from wrong


def _json(text: str | bytes, *, error: type[BadInput]) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as wrong:  # bad UTF-8 is a ValueError too
        raise error(f"this is no JSON: {wrong}", field="", value=_start(text)) from wrong


def _start(text: str | bytes) -> str:
    return (text if isinstance(text, str) else text.decode("utf-8", "replace"))[:60]


def _named(wrong: ValidationError, *, error: type[BadInput], skip: int = 0, **facts: Any) -> BadInput:
    first = wrong.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"][skip:])
    value = first["input"] if isinstance(first["input"], str | int | float | bool | None) else None
    name = field or "(whole)"
    return error(f"{name}: {first['msg']}", field=field, value=value, errors=wrong.error_count(), **facts)
