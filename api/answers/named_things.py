"""Named things: the id of a miniature or unit by the name its player gave it, as people write it."""

from typing import Any

from api.cards.matching import find_by_name
from models.errors import UnknownThing
from models.parsing import parse_query
from models.queries import TABLE_EDGES, BaseQuery
from models.state import TableState
from models.vocabulary import Id


def resolve_id(state: TableState, told: str, *, field: str, wants_unit: bool = False) -> Id:
    """The id itself, else that of the one that is called so; unknown words stay as they are, for the rules to refuse.

    Raises: UnknownThing naming the ids where several are called so.
    """
    if told in state.by_id or told in TABLE_EDGES:
        return told
    miniatures = () if wants_unit else state.miniatures
    named = [(one.id, one.name or "") for one in miniatures] + [(one.id, one.name or "") for one in state.units]
    found = find_by_name(told, ((id_, name) for id_, name in named if name))
    if len(found) > 1:
        ids = {m.id for m in miniatures}
        found = tuple(id_ for id_ in found if id_ in ids) or found  # a unit and its only member bear one name
    if len(found) > 1:
        detail = f"{field}: {len(found)} are called {told!r}: say which of {', '.join(sorted(found))}"
        raise UnknownThing(detail, field=field, value=told, ids=sorted(found))
    return found[0] if found else told


def resolve_names(state: TableState, query: BaseQuery) -> BaseQuery:
    """The question with ids in place of names. Raises: UnknownThing."""
    raw: dict[str, Any] = query.model_dump(mode="json")
    changed = False
    for field in query.PLACES:
        value = raw.get(field)
        if isinstance(value, str):
            raw[field] = resolve_id(state, value, field=field, wants_unit=query.wants_unit(field))
        elif isinstance(value, list):
            raw[field] = [_resolve_one(state, one, field, query) for one in value]
        changed = changed or raw.get(field) != value
    return parse_query(raw) if changed else query


def _resolve_one(state: TableState, one: Any, field: str, query: BaseQuery) -> Any:
    if not isinstance(one, str):
        return one
    return resolve_id(state, one, field=field, wants_unit=query.wants_unit(field))
