"""Validation: whether a table and a question can be asked about at all, before any rule runs."""

from collections.abc import Sequence

from models.base import LARGEST_MM
from models.errors import BadQuery, BadState, UnknownThing
from models.miniature import Miniature
from models.queries import TABLE_EDGES, BaseQuery
from models.state import TableState
from models.terrain import Objective, Terrain, Zone
from models.unit import Unit
from referee.editions.registry import edition_of
from referee.rules.edition import Edition


def check_names(state: TableState, query: BaseQuery) -> None:
    """Raises: UnknownThing naming the field and the id that is not on the table."""
    _check_apart(query)
    alone = edition_of(state).plays_units  # there who is in no unit is one of his own
    allowed, whole = (Miniature | Unit, Unit | Miniature) if alone else (Miniature, Unit)
    for field, id_ in query.names():
        thing, is_edge = state.by_id.get(id_), id_ in TABLE_EDGES
        if thing is None and not is_edge:
            raise UnknownThing(f"{field}: there is no {id_!r} on the table", field=field, value=id_)
        if query.wants_miniature(field) and not isinstance(thing, allowed):
            raise UnknownThing(f"{field}: {id_!r} is no miniature", field=field, value=id_)
        if query.wants_unit(field) and not isinstance(thing, whole):
            raise UnknownThing(f"{field}: {id_!r} is no unit", field=field, value=id_)
        if query.wants_objective(field) and not isinstance(thing, Objective | Zone | Terrain):
            raise UnknownThing(f"{field}: {id_!r} is nothing that can be held", field=field, value=id_)


def _check_apart(query: BaseQuery) -> None:
    """Raises: BadQuery naming the second of two roles that are the same one's."""
    for first, second in query.APART:
        if getattr(query, first) == getattr(query, second):
            id_ = getattr(query, second)
            raise BadQuery(f"{second}: {id_!r} is the {first} itself", field=second, value=id_)


def check_kind(tables: Sequence[TableState], query: BaseQuery) -> None:
    """Raises: BadQuery naming the kind that none of the books knows by which these tables are judged."""
    books = [edition_of(table) for table in tables]
    if not any(type(query) in book.rules for book in books):
        kind = type(query).model_fields["kind"].default
        names = ", ".join(book.book for book in books)
        raise BadQuery(f"kind: {names} does not know the question {kind!r}", field="kind", value=kind)


def check_points(state: TableState, query: BaseQuery) -> None:
    """Raises: BadQuery naming the field and the point that lies off the table."""
    size = state.table
    for field, (x, y) in query.points():
        if not (0 <= x <= size.width_mm and 0 <= y <= size.depth_mm):
            detail = f"{field}: ({x:g}, {y:g}) lies off the table of {size.width_mm:g} x {size.depth_mm:g} mm"
            raise BadQuery(detail, field=field, value=[x, y])


def check_bases(state: TableState) -> None:
    """Raises: BadState naming a base that is larger than any there is."""
    for k, miniature in enumerate(state.miniatures):
        for field in ("diameter_mm", "width_mm", "depth_mm"):
            if (mm := getattr(miniature.base, field, 0.0)) > LARGEST_MM:
                detail = f"no base is larger than {LARGEST_MM:g} mm, and that of {miniature.id!r} has {mm:g}"
                raise BadState(detail, field=f"miniatures.{k}.base.{field}", value=mm)


def check_terrain(state: TableState, edition: Edition) -> None:
    """Raises: BadState naming a piece of terrain of a kind that the book has no rules for."""
    for k, piece in enumerate(state.terrain):
        if piece.kind in edition.unknown_terrain:
            detail = f"{edition.book} knows no {piece.kind}: give {piece.id!r} a kind that it knows, such as rough"
            raise BadState(detail, field=f"terrain.{k}.kind", value=piece.kind)
