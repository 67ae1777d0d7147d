"""Intervening: whose base lies between two others, and whether it counts."""

from models.queries import Intervening
from models.verdict import Witness
from referee.corridor import depth_in_corridor
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.terms import terms_of
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of, names

_BETWEEN = because("Line of Sight & Targeting", 36, "It intervenes when some line from base to base crosses its base.")
_SIZE = because("Line of Sight & Targeting", 36, "Only a base at least as large as the target's closes the line.")


def intervening(table: Situation, query: Intervening) -> Ruling:
    """Whether the blocker's base meets the corridor between the two; touching it does.

    Source: Line of Sight & Targeting, p. 36.
    """
    ends = table.base(query.viewer), table.base(query.target)
    depth = depth_in_corridor(*ends, table.area(query.blocker))
    terms = terms_of(table)
    why = terms.why_ignored(table, query.viewer, query.target, table.miniature(query.blocker), None)
    middle = Witness(
        type="segment", role="path", points_mm=(ends[0].centre, ends[1].centre), of=(query.viewer, query.target)
    )
    return Ruling(
        margin_mm=depth,
        value={"counts": why is None, "why": why},
        witness=(middle,),
        blockers=(query.blocker,) if why is None and depth >= 0 else (),
        because=(
            applied(table, _BETWEEN, _told(table, query, depth)),
            _SIZE if why is None else terms.looked_past[why],
        ),
        readings=("los-touch",),
        touches=(query.viewer, query.target, query.blocker),
    )


def _told(table: Situation, query: Intervening, depth_mm: float) -> str:
    who, ends = name_of(table, query.blocker), names(table, [query.viewer, query.target])
    how = f"reaches {length(depth_mm)} into" if depth_mm >= 0 else f"stays {length(-depth_mm)} out of"
    return f"{who} {how} the corridor between {ends}."
