"""Shots that missed into a melee: whom terrain does not hide may be drawn."""

from models.verdict import CAPPED_MM
from models.words import Point
from referee.editions.hordes_mk2.parameters import because
from referee.editions.warmachine_prime.sprays import past_all_but
from referee.ruling import Ruling
from referee.situation import Situation

_DRAWN = because(
    "Targeting a Model in Melee", "Not those to whom terrain closes every line; models in the way hide nobody."
)


def drawn(table: Situation, source: str | Point, id_: str) -> Ruling:
    """Whether terrain leaves the attacker a line to it. Source: Targeting a Model in Melee."""
    if not isinstance(source, str) or source not in table.miniatures:
        return Ruling(margin_mm=CAPPED_MM, because=(_DRAWN,), touches=(id_,))
    woods = (t.id for t in table.state.terrain if t.kind == "forest")
    past = tuple(woods) if table.reading("redirect-blockers") == "solids" else ()
    return past_all_but(table, source, id_, (*past, *(e.id for e in table.state.effects)), (_DRAWN,))
