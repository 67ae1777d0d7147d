"""Where damage comes from: front or back of the one who suffers it."""

from models.queries import DamageArc
from models.terrain import Effect, Terrain
from models.verdict import CAPPED_MM
from models.words import Point
from referee.arcs import arc_edge
from referee.editions.warmachine_prime.arcs import arc_depth_mm
from referee.editions.warmachine_prime.distances import touched
from referee.editions.warmachine_prime.parameters import because
from referee.ruling import Ruling
from referee.situation import Situation

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


def damage_arc(table: Situation, query: DamageArc) -> Ruling:
    """Whether the damage comes from the front: a base by any part of it, a point by itself.

    Source: Weapon Qualities, p. 20; Point of Origin & Origin of Damage, p. 40; Free Strikes, p. 44.
    """
    if query.cause == "free-strike":
        return Ruling(margin_mm=-CAPPED_MM, value={"arc": "back"}, because=(_SHIELD, _FREE), touches=(query.target,))
    if "inert" in table.miniature(query.target).status:
        return Ruling(margin_mm=-CAPPED_MM, value={"arc": "none"}, because=(_INERT,), touches=(query.target,))
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
        because=(_SHIELD, _ORIGIN),
        readings=("arc-line-touch",),
        doubtful=("arc-line-touch",) if abs(depth) < 1e-6 else (),
        touches=touched(target, origin),
        faces=(target,),
    )


def _origin(table: Situation, query: DamageArc) -> str | Point | None:
    """Where the damage comes from; of an area that is its centre."""
    if query.origin is None:
        return query.attacker if query.cause == "direct-hit" else None
    thing = table.state.by_id.get(query.origin) if isinstance(query.origin, str) else None
    return table.area(query.origin).parts[0].centre if isinstance(thing, Effect | Terrain) else query.origin


def _needed(query: DamageArc) -> str:
    return "attacker" if query.cause == "direct-hit" else "origin"
