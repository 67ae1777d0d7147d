"""Named things: the id of a miniature or unit by the name its player gave it, as people write it."""

from typing import Any

from api.cards.matching import find_by_name
from models.errors import UnknownThing
from models.parsing import parse_query
from models.queries import TABLE_EDGES, BaseQuery
from models.state import TableState
from models.vocabulary import Id


def resolve_id(state: TableState, name: str, *, field: str, wants_unit: bool = False) -> Id:
    """The id itself, else that of the one that is called so; unknown words stay as they are, for the rules to refuse.

    Raises: UnknownThing naming the ids where several are called so.
    """
    if name in state.by_id or name in TABLE_EDGES:
        return name
    miniatures = () if wants_unit else state.miniatures
    named = [(thing.id, thing.name or "") for thing in miniatures] + [
        (thing.id, thing.name or "") for thing in state.units
    ]
    matches = find_by_name(name, ((id_, name) for id_, name in named if name))
    if len(matches) > 1:
        ids = {m.id for m in miniatures}
        matches = tuple(id_ for id_ in matches if id_ in ids) or matches  # a unit and its only member bear one name
    if len(matches) > 1:
        detail = f"{field}: {len(matches)} are called {name!r}: say which of {', '.join(sorted(matches))}"
        raise UnknownThing(detail, field=field, value=name, ids=sorted(matches))
    return matches[0] if matches else name


def resolve_names(state: TableState, query: BaseQuery) -> BaseQuery:
    """The question with ids in place of names. Raises: UnknownThing."""
    raw: dict[str, Any] = query.model_dump(mode="json")
    changed = False
    for field in query.PLACES:
        value = raw.get(field)
        if isinstance(value, str):
            raw[field] = resolve_id(state, value, field=field, wants_unit=query.wants_unit(field))
        elif isinstance(value, list):
            raw[field] = [_resolve_one(state, name, field, query) for name in value]
        changed = changed or raw.get(field) != value
    return parse_query(raw) if changed else query


def _resolve_one(state: TableState, name: Any, field: str, query: BaseQuery) -> Any:
    if not isinstance(name, str):
        return name
    return resolve_id(state, name, field=field, wants_unit=query.wants_unit(field))
