"""Parsing: from text to a value, or to an error that names the field and the value."""

import json
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from models.errors import BadInput, BadQuery, BadState, FieldFault
from models.queries import QUERIES, QUERY, BaseQuery
from models.references import BrokenReference
from models.state import TableState
from models.vocabulary import Id

Value = TypeVar("Value", bound=BaseModel)


def parse(cls: type[Value], text: str | bytes, *, error: type[BadInput]) -> Value:
    """The value written in this JSON text.

    Raises: `error`, naming field and value, when the text is no JSON or not such a value.
    """
    raw = _parse_json(text, error=error)
    try:
        return cls.model_validate(raw)
    except ValidationError as wrong:
        raise _name_fault(wrong, error=error) from wrong


def parse_state(text: str | bytes) -> TableState:
    """The table written in this JSON text.

    Raises: BadState, naming field and value, also where it names somebody who is not there: at a table that is watched
    such a one may have left, in a file it is a slip of the pen.
    """
    state = parse(TableState, text, error=BadState)
    if (unknown := _find_unknown_name(state)) is not None:
        raise BadState(f"{unknown.field}: {unknown.says}", field=unknown.field, value=unknown.value)
    return state


def _find_unknown_name(state: TableState) -> BrokenReference | None:
    """The first id of somebody who is not there, in a unit, a miniature, the turn or an error they share."""
    known_ids = {thing.id for thing in state.things()}
    for field, id_ in (*_names_in_army(state), *_names_in_turn(state), *_names_in_errors(state)):
        if id_ not in known_ids:
            return BrokenReference(field, id_, f"there is no {id_!r} on the table")
    return None


def _names_in_army(state: TableState) -> Iterator[tuple[str, Id]]:
    for k, unit in enumerate(state.units):
        if unit.commander is not None:
            yield f"units.{k}.commander", unit.commander
    for k, miniature in enumerate(state.miniatures):
        if miniature.controller is not None:
            yield f"miniatures.{k}.controller", miniature.controller
        if miniature.lock is not None:
            yield f"miniatures.{k}.lock.partner", miniature.lock.partner


def _names_in_turn(state: TableState) -> Iterator[tuple[str, Id]]:
    declared = None if state.turn is None else state.turn.declared
    if declared is None:
        return
    yield "turn.declared.by", declared.by
    yield from ((f"turn.declared.participants.{k}", id_) for k, id_ in enumerate(declared.participants))


def _names_in_errors(state: TableState) -> Iterator[tuple[str, Id]]:
    for k, mode in enumerate(state.common_mm):
        yield from ((f"common_mm.{k}.shift_mm", id_) for id_ in mode.shift_mm)
        yield from ((f"common_mm.{k}.turn_deg", id_) for id_ in mode.turn_deg)


def parse_query(raw: Any, *, index: int | None = None) -> BaseQuery:
    """One question from its JSON object.

    Raises: BadQuery with the field, the value and, in a list, the index.
    """
    place = {} if index is None else {"index": index}
    if not isinstance(raw, dict):
        raise BadQuery(f"a question is an object, not {raw!r}", field="", value=raw, **place)
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in QUERIES:
        raise BadQuery(f"there is no question {kind!r}", field="kind", value=kind, **place)
    try:
        return QUERY.validate_python(raw, strict=False)
    except ValidationError as wrong:
        raise _name_fault(wrong, error=BadQuery, skip=1, **place) from wrong


def parse_queries(text: str | bytes) -> tuple[list[BaseQuery], bool]:
    """All questions of a text, and whether it was a list: a JSON array, or one question a line.

    A list is checked whole before anything is answered. Raises: BadQuery with the index of the first that is wrong.
    """
    lines: list[str | bytes] = [*text.splitlines()]
    raw = (
        [_parse_line(line, index=i) for i, line in enumerate(lines)]
        if _is_one_a_line(lines)
        else _parse_json(text, error=BadQuery)
    )
    if isinstance(raw, list):
        return [parse_query(entry, index=i) for i, entry in enumerate(raw)], True
    return [parse_query(raw)], False


def _is_one_a_line(lines: list[str | bytes]) -> bool:
    """Whether the text is JSON Lines: its first line is a whole object, and others follow."""
    if len(lines) < 2:
        return False
    try:
        return isinstance(json.loads(lines[0]), dict)
    except (ValueError, RecursionError):
        return False


def _parse_line(text: str | bytes, *, index: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as wrong:
        detail = f"line {index + 1} is no JSON: {wrong}"
        raise BadQuery(detail, field="", value=_excerpt(text), index=index) from wrong


def _parse_json(text: str | bytes, *, error: type[BadInput]) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as wrong:  # bad UTF-8 is a ValueError too
        raise error(f"this is no JSON: {wrong}", field="", value=_excerpt(text)) from wrong


def _excerpt(text: str | bytes) -> str:
    return (text if isinstance(text, str) else text.decode("utf-8", "replace"))[:60]


def _name_fault(wrong: ValidationError, *, error: type[BadInput], skip: int = 0, **facts: Any) -> BadInput:
    first = wrong.errors(include_url=False)[0]
    cause = first.get("ctx", {}).get("error")
    inner = [cause.field] if isinstance(cause, FieldFault) else []
    field = ".".join([*(str(part) for part in first["loc"][skip:]), *inner])
    refused = cause.value if isinstance(cause, FieldFault) else first["input"]
    value = refused if isinstance(refused, str | int | float | bool | None) else None
    name = field or "(whole)"
    return error(f"{name}: {first['msg']}", field=field, value=value, errors=wrong.error_count(), **facts)
