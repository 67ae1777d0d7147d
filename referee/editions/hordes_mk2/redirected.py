"""Shots that missed into a melee: whom terrain does not hide may be drawn."""

from pydantic import JsonValue

from models.queries import InMeleeGroup, Range
from models.verdict import CAPPED_MM
from models.words import Point
from referee.candidates import is_met
from referee.clauses import all_of
from referee.editions.hordes_mk2.parameters import because
from referee.editions.warmachine_prime import melee_group
from referee.editions.warmachine_prime.sprays import past_all_but
from referee.ruling import Ruling
from referee.situation import Situation

_DRAWN = because(
    "Targeting a Model in Melee", "Not those to whom terrain closes every line; models in the way hide nobody."
)


_FAR = because("Targeting a Model in Melee", "A shot out of range misses altogether; nobody else is hit.")


def in_melee_group(table: Situation, query: InMeleeGroup) -> Ruling:
    """Everybody who may be drawn after a miss in range; nobody after one out of the declared range.

    Source: Targeting a Model in Melee.
    """
    turn = table.state.turn
    told = None if turn is None or turn.declared is None else turn.declared
    if told is not None and told.range_in is not None and told.target == query.target:
        asked = Range(attacker=query.attacker, target=query.target, range_in=told.range_in, origin=query.origin)
        if not is_met(table.ruled(asked)):
            nobody: dict[str, JsonValue] = {"links": [], "bands": {}, "by_id": {}}
            return Ruling(status="measured", value=nobody, because=(_FAR,), touches=(query.attacker, query.target))
    return melee_group.in_melee_group(table, query)


def drawn(table: Situation, source: str | Point, id_: str) -> Ruling:
    """Whether terrain leaves the attacker a line to it. Source: Targeting a Model in Melee."""
    if not isinstance(source, str) or source not in table.miniatures:
        return Ruling(margin_mm=CAPPED_MM, because=(_DRAWN,), touches=(id_,))
    woods = (t.id for t in table.state.terrain if t.kind == "forest")
    past = tuple(woods) if table.reading("redirect-blockers") == "solids" else ()
    found = past_all_but(table, source, id_, (*past, *(e.id for e in table.state.effects)), (_DRAWN,))
    reach = _in_range(table, source, id_)
    return found if reach is None else all_of((("open", found), ("range", reach)))


def _in_range(table: Situation, source: str, id_: str) -> Ruling | None:
    """Whether it is in the declared range, where players leave out who is not; else that is found by the new roll."""
    turn = table.state.turn
    told = None if turn is None or turn.declared is None else turn.declared.range_in
    if told is None or table.reading("redirect-range") != "not-drawn":
        return None
    return table.ruled(Range(attacker=source, target=id_, range_in=told))
