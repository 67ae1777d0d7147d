"""Back strikes: the attack comes from wholly behind the target."""

from dataclasses import replace

from models.queries import BackStrike
from models.verdict import CAPPED_MM
from models.words import Point
from referee.arcs import arc_edge, depth_line, foremost
from referee.candidates import is_met
from referee.editions.warmachine_prime.arcs import arc_depth_mm
from referee.editions.warmachine_prime.distances import touched
from referee.editions.warmachine_prime.parameters import because
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import ahead as told_ahead
from referee.telling import applied

_BACK = because("Back Strikes", 42, "The base the attack comes from must lie completely in the target's back arc.")
_INERT = because("Inert Warjacks", 59, "An inert warjack has no facing.", "It has no back to strike.")
_ROUND = because("Facing", 21, "All round it is front.", "It has no back to strike.")


def back_strike(table: Situation, query: BackStrike) -> Ruling:
    """Whether the origin of the attack lies wholly behind the target at the blow; touching the arc line does not.

    Source: Back Strikes, p. 42; for tramples at first contact, p. 48: the end of the path given.
    """
    if query.path_mm is not None:
        table = table.placed(query.attacker, query.path_mm[-1])
    origin: str | Point = query.attacker if query.origin is None else query.origin
    ruling = behind(table, query.target, origin)
    return replace(ruling, value={"bonus": 2 if is_met(ruling) else 0, "bonus_to": "attack"})


def behind(table: Situation, target: str, origin: str | Point) -> Ruling:
    """Whether the origin lies wholly behind the target where both stand. Source: Back Strikes, p. 42."""
    if "inert" in table.miniature(target).status:
        return Ruling(margin_mm=-CAPPED_MM, because=(_BACK, _INERT), touches=touched(target, origin))
    depth = arc_depth_mm(table, target, origin)
    if depth >= CAPPED_MM:
        return Ruling(margin_mm=-CAPPED_MM, because=(_BACK, _ROUND), touches=touched(target, origin))
    centre, facing = table.centre(target), table.facing_rad(target)
    ahead = foremost(facing, table.area(origin))
    length = max(abs(ahead[0] - centre[0]), abs(ahead[1] - centre[1]), 60.0)
    return Ruling(
        margin_mm=-depth,
        zero_is_met=table.reading("arc-line-touch") == "back",
        lengths_mm={"depth": depth},
        witness=(arc_edge(target, centre, facing, length), depth_line(ahead, centre, facing, target)),
        because=(applied(table, _BACK, told_ahead(table, target, origin, depth)),),
        readings=("arc-line-touch",),
        doubtful=("arc-line-touch",) if abs(depth) < 1e-6 else (),
        touches=touched(origin, target),
        faces=(target,),
    )
