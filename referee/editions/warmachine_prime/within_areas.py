"""Within an area: any part of the base is enough; completely within takes all of it."""

from models.queries import InArea
from models.verdict import Witness
from referee.areas import depth_of_base, reach_into
from referee.editions.warmachine_prime.parameters import because
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of

_WITHIN = because("Measuring Distances", 12, "A model is within an area when any part of its base is; touching counts.")
_WHOLLY = because("Within Vs. Completely Within", 12, "Completely within takes every part of the base.")


def in_area(table: Situation, query: InArea) -> Ruling:
    """Whether some part of the base is in the area; just touching it is met. Source: Measuring Distances, p. 12."""
    base, area = table.base(query.who), table.area(query.area)
    depth, whole = reach_into(base, area), depth_of_base(base, (area,))
    covered = table.reading("area-touch") == "covered"
    return Ruling(
        margin_mm=depth,
        zero_is_met=covered,
        value={"completely": {"answer": "yes" if whole >= -1e-9 else "no", "margin_mm": whole}},
        lengths_mm={"completely": whole},
        witness=(Witness(type="circle", role="hit", centre_mm=base.centre, radius_mm=base.reach_mm, of=(query.who,)),),
        because=(applied(table, _WITHIN, _told(table, query, depth, whole)), _WHOLLY),
        readings=("area-touch",),
        doubtful=("area-touch",) if abs(depth) < 1e-6 else (),
        touches=(query.who, query.area),
    )


def _told(table: Situation, query: InArea, depth_mm: float, whole_mm: float) -> str:
    who = name_of(table, query.who)
    if depth_mm < 0:
        return f"{who} stays {length(-depth_mm)} outside {query.area}."
    rest = f"{length(-whole_mm)} of it are outside" if whole_mm < 0 else f"all of it is inside, by {length(whole_mm)}"
    return f"{who} reaches {length(depth_mm)} into {query.area}, and {rest}."
