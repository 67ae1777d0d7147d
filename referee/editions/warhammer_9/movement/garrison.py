"""Garrison: whether a unit may enter or leave a building."""

from pydantic import JsonValue

from models.errors import BadQuery
from models.queries import Garrison
from models.terrain import Terrain
from models.turn import UnitPose
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.movement.place_assignment import block_about_centre
from referee.editions.warhammer_9.movement.spacing import edge_clearance, resting_obstacles
from referee.editions.warhammer_9.movement.turn_ledger import ledger_of
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.engagement import contact_mm
from referee.editions.warhammer_9.units.regiment import (
    kind_of,
    leading_miniature,
    member_gap_mm,
    members_of,
    regiment,
)
from referee.geometry.distance import gap
from referee.motion.block_pose import BlockPose
from referee.rules.conditions import list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult

_HOUSE = because(
    "Garrisoning a Building", 98, "Infantry, war beasts, swarms enter by contact; they come out an inch off."
)
_INDOORS = frozenset({"infantry", "war-beast", "swarm"})


def garrison(table: ExactTable, query: Garrison) -> RuleResult:
    """Garrison: whether a unit may enter or leave a building.

    Source: Garrisoning a Building; Abandoning a Building, p. 98.

    Raises: BadQuery where the feature is no building.
    """
    first = leading_miniature(table, query.unit)
    held = [m.id for m in table.state.miniatures if m.inside == query.feature]
    barred = ledger_of(table, query.unit).why_not("garrison")
    thing = table.state.by_id.get(query.feature)
    if not isinstance(thing, Terrain) or thing.kind != "building":
        raise BadQuery(f"feature: {query.feature} is no building", field="feature", value=query.feature)
    clauses: dict[str, float] = {"not-moved-off": -CAPPED_MM if barred else CAPPED_MM}
    poses: dict[str, JsonValue] = {}
    touches: tuple[str, ...] = ()
    if query.manner == "enter":
        between = closest_bases(table, query.unit, query.feature)
        touches = between.depends_on
        clauses |= {
            "contact": contact_mm(table) - between.mm,
            "kind": CAPPED_MM if kind_of(first) in _INDOORS else -CAPPED_MM,
            "empty": -CAPPED_MM if held else CAPPED_MM,
        }
    else:
        clauses["inside"] = CAPPED_MM if set(held) & set(members_of(table, query.unit)) else -CAPPED_MM
        if query.to is not None:
            own = regiment(table, query.unit)
            files = query.to.files if isinstance(query.to, UnitPose) and query.to.files else own.files
            block = block_about_centre(own, files, own.facing_rad, member_gap_mm(table, query.unit))
            end_pose = block.place_at(query.to)  # in any formation
            mm = min(gap(end_pose.shape, part).mm for part in table.area(query.feature).parts)
            clauses["one-inch"] = contact_mm(table) - abs(mm - parameters.SPACING_MM)
            poses[query.unit] = end_pose.pose_value()
            clauses |= _room_clauses(table, query, end_pose)
    name = min(clauses, key=lambda clause: clauses[clause])
    return RuleResult(
        margin_mm=clauses[name],
        value={"clauses": list_margins(clauses), "poses": poses},
        because=(with_effect(table, _HOUSE, f"{name.capitalize()} decides."),),
        depends_on_place=touches,
    )


def _room_clauses(table: ExactTable, query: Garrison, end_pose: BlockPose) -> dict[str, float]:
    """What it comes out beside: an inch from everything else. Source: Abandoning a Building, p. 98; p. 15."""
    others = (
        gap(end_pose.shape, shape).mm for id_, shape in resting_obstacles(table, query.unit) if id_ != query.feature
    )
    least = min(others, default=CAPPED_MM)
    clauses = {} if least >= CAPPED_MM else {"clear": least - parameters.SPACING_MM}
    return clauses | {"on-table": min(CAPPED_MM, edge_clearance(table, [end_pose.shape]).mm)}
