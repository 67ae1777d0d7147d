"""A referee that is quick and knows one number: how far apart two round bases are."""

import math

from models.errors import UnknownThing
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Answer, MeasuredLength, Verdict, Witness

LIMIT_MM = 254.0


def ask(state: TableState, query: BaseQuery) -> Verdict:
    """Distance is measured; everything else about two is met up to ten inches; about one nothing is known."""
    told = {"kind": query.kind, "edition": state.edition, "state_id": state.state_id}  # type: ignore[attr-defined]
    named = {"query": query.model_dump(mode="json", exclude_none=True)}
    for field, id_ in query.names():
        if id_ not in state.by_id:
            raise UnknownThing(f"{field}: there is no {id_!r} on the table", field=field, value=id_)
    things = [state.by_id[id_] for _, id_ in query.names()]
    if len(things) < 2:
        return Verdict(**told, **named, status="unknown")
    (a, b) = things[:2]
    gap_mm = math.dist(a.at_mm, b.at_mm) - a.base.radius_mm - b.base.radius_mm  # type: ignore[union-attr]
    if told["kind"] == "distance":
        line = Witness(type="segment", role="limit", points_mm=(a.at_mm, b.at_mm))  # type: ignore[union-attr]
        return Verdict(
            **told, **named, status="measured", measured=(MeasuredLength(name="gap", value_mm=gap_mm),), witness=(line,)
        )
    answer = Answer.YES if gap_mm <= LIMIT_MM else Answer.NO
    return Verdict(**told, **named, status="decided", answer=answer, margin_mm=LIMIT_MM - gap_mm)
