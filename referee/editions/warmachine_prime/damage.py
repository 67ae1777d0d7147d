"""Where damage comes from: front or back of the one who suffers it."""

from pydantic import JsonValue

from models.queries import DamageArc
from models.verdict import CAPPED_MM
from models.words import Point
from referee.arcs import arc_edge
from referee.editions.warmachine_prime.arcs import arc_depth_mm
from referee.editions.warmachine_prime.distances import touched
from referee.editions.warmachine_prime.parameters import because
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import ahead as told_ahead
from referee.telling import applied

_SHIELD = because("Weapon Qualities", 20, "Shield and buckler do not count against damage that comes from behind.")
_ORIGIN = because(
    "Point of Origin & Origin of Damage",
    40,
    "A direct hit comes from where the attack does, a blast from the point of impact, a chain from its last hop.",
)
_FREE = because(
    "Free Strikes", 44, "A free strike counts as made from the back arc.", "Shield and buckler do not count."
)
_INERT = because("Inert Warjacks", 59, "An inert warjack has no facing and no bonus for shields.")
_WILD = because("Wild Warbeasts", 103, "A wild warbeast has no bonus for shields and bucklers.")
_BARE = {"inert": _INERT, "wild": _WILD}


def damage_arc(table: Situation, query: DamageArc) -> Ruling:
    """Whether the damage comes from the front: a base by any part of it, a point by itself.

    Source: Weapon Qualities, p. 20; Point of Origin & Origin of Damage, p. 40; Free Strikes, p. 44.
    """
    if query.cause == "free-strike":
        told: dict[str, JsonValue] = {"arc": "back", "origin": query.attacker}
        return Ruling(margin_mm=-CAPPED_MM, value=told, because=(_SHIELD, _FREE), touches=(query.target,))
    for status, reason in _BARE.items():
        if status in table.miniature(query.target).status:
            return Ruling(margin_mm=-CAPPED_MM, value={"arc": "none"}, because=(reason,), touches=(query.target,))
    origin = _origin(table, query)
    if origin is None:
        return Ruling(status="unknown", needs=(_needed(query),), because=(_ORIGIN,), touches=(query.target,))
    return _about(table, query.target, origin)


def _about(table: Situation, target: str, origin: str | Point) -> Ruling:
    depth = arc_depth_mm(table, target, origin)
    front = depth > 1e-6 or (depth >= -1e-6 and table.reading("arc-line-touch") == "front")
    all_round = depth >= CAPPED_MM
    arc = () if all_round else (arc_edge(target, table.centre(target), table.facing_rad(target), 100.0),)
    return Ruling(
        margin_mm=depth,
        zero_is_met=table.reading("arc-line-touch") == "front",
        value={"arc": "front" if front else "back", "origin": origin if isinstance(origin, str) else list(origin)},
        lengths_mm={} if all_round else {"depth": depth},
        witness=arc,
        because=(_SHIELD, applied(table, _ORIGIN, told_ahead(table, target, origin, depth))),
        readings=("arc-line-touch",),
        doubtful=("arc-line-touch",) if abs(depth) < 1e-6 else (),
        touches=touched(target, origin),
        faces=(target,),
    )


def _origin(table: Situation, query: DamageArc) -> str | Point | None:
    """Where the damage comes from: of an area its centre, of a blast about a base the middle of that base.

    Source: Point of Origin & Origin of Damage, p. 40; Point of Impact & Origin of Damage, p. 53.
    """
    if query.origin is None:
        return query.attacker if query.cause == "direct-hit" else None
    return middle_of(table, query.origin) if query.cause == "blast" else origin_of(table, query.origin)


def origin_of(table: Situation, place: str | Point) -> str | Point:
    """The origin of damage: a miniature by its base, anything else by its middle. Source: p. 40."""
    return place if isinstance(place, str) and place in table.miniatures else middle_of(table, place)


def middle_of(table: Situation, place: str | Point) -> Point:
    """The middle of a place on the table. Source: Point of Origin & Origin of Damage, p. 40: where areas hurt from."""
    if not isinstance(place, str):
        return place
    area = table.area(place)
    corners = area.outline or area.parts[0].points
    return (sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners))


def _needed(query: DamageArc) -> str:
    return "attacker" if query.cause == "direct-hit" else "origin"
