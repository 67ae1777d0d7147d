"""Damage arc: whether damage comes from the front or the back of the one who suffers it."""

from pydantic import JsonValue

from models.queries import DamageArc
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.distances import ids_that_matter
from referee.editions.warmachine.miniatures.front_arc import arc_depth_mm
from referee.editions.warmachine.parameters import because
from referee.margins.front_arc import arc_edge
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import describe_arc_depth as told_ahead
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult

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


def damage_arc(table: ExactTable, query: DamageArc) -> RuleResult:
    """Damage arc: whether the damage comes from the front: a base by any part of it, a point by itself.

    Source: Weapon Qualities, p. 20; Point of Origin & Origin of Damage, p. 40; Free Strikes, p. 44.
    """
    if query.cause == "free-strike":
        told: dict[str, JsonValue] = {"arc": "back", "origin": query.attacker}
        return RuleResult(margin_mm=-CAPPED_MM, value=told, because=(_SHIELD, _FREE), depends_on_place=(query.target,))
    for status, reason in _BARE.items():
        if status in table.miniature(query.target).status:
            return RuleResult(
                margin_mm=-CAPPED_MM, value={"arc": "none"}, because=(reason,), depends_on_place=(query.target,)
            )
    origin = _find_origin(table, query)
    if origin is None:
        return RuleResult(
            status="unknown", needs=(_name_missing(query),), because=(_ORIGIN,), depends_on_place=(query.target,)
        )
    return _answer_origin(table, query.target, origin)


def _answer_origin(table: ExactTable, target: str, origin: str | Point) -> RuleResult:
    depth = arc_depth_mm(table, target, origin)
    front = depth > 1e-6 or (depth >= -1e-6 and table.reading("arc-line-touch") == "front")
    all_round = depth >= CAPPED_MM
    arc = () if all_round else (arc_edge(target, table.centre(target), table.facing_rad(target), 100.0),)
    return RuleResult(
        margin_mm=depth,
        zero_is_met=table.reading("arc-line-touch") == "front",
        value={"arc": "front" if front else "back", "origin": origin if isinstance(origin, str) else list(origin)},
        lengths_mm={} if all_round else {"depth": depth},
        witness=arc,
        because=(_SHIELD, with_effect(table, _ORIGIN, told_ahead(table, target, origin, depth))),
        readings=("arc-line-touch",),
        doubtful=("arc-line-touch",) if abs(depth) < 1e-6 else (),
        depends_on_place=ids_that_matter(target, origin),
        depends_on_facing=(target,),
    )


def _find_origin(table: ExactTable, query: DamageArc) -> str | Point | None:
    """Where the damage comes from: of an area its centre, of a blast about a base the middle of that base.

    Source: Point of Origin & Origin of Damage, p. 40; Point of Impact & Origin of Damage, p. 53.
    """
    if query.origin is None:
        return query.attacker if query.cause == "direct-hit" else None
    return middle_of(table, query.origin) if query.cause == "blast" else origin_of(table, query.origin)


def origin_of(table: ExactTable, place: str | Point) -> str | Point:
    """The origin of damage: a miniature by its base, anything else by its middle. Source: p. 40."""
    return place if isinstance(place, str) and place in table.miniatures else middle_of(table, place)


def middle_of(table: ExactTable, place: str | Point) -> Point:
    """The middle of a place on the table. Source: Point of Origin & Origin of Damage, p. 40: where areas hurt from."""
    if not isinstance(place, str):
        return place
    area = table.area(place)
    corners = area.outline or area.parts[0].points
    return (sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners))


def _name_missing(query: DamageArc) -> str:
    return "attacker" if query.cause == "direct-hit" else "origin"
