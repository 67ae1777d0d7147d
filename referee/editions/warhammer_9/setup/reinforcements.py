"""Reinforcements: how a unit comes on from a table edge."""

import math

from pydantic import JsonValue

from models.queries import Reinforcements
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.cards import lacks_rule
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.movement.movement_dice import speed_mm
from referee.editions.warhammer_9.movement.spacing import ids_near, impassable_edges, nearest_where_placed
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import edge_members, leading_miniature, regiment
from referee.motion.block_pose import BlockPose
from referee.rules.conditions import list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_margin_met

_COMING = because("Reinforcements", 24, "Rear rank on the edge, facing straight in, all within twice the move of it.")


def reinforcements(table: ExactTable, query: Reinforcements) -> RuleResult:
    """Reinforcements: whether a unit stands where one that comes on must.

    Source: Reinforcements, p. 24; Ambushers, p. 57.
    """
    own, speed = regiment(table, query.who), speed_mm(table, query.who)
    if speed is None:
        return RuleResult(status="unknown", needs=(f"profile.spd_in of {query.who}",), because=(_COMING,))
    if query.edge not in _INWARD:
        return RuleResult(status="refused", because=(_COMING,), advice="Name a table edge, such as edge:left.")
    size = table.state.table
    at = {"near": 0.0, "far": size.depth_mm, "left": 0.0, "right": size.width_mm}[query.edge.removeprefix("edge:")]
    axis = int(query.edge in ("edge:near", "edge:far"))
    end_pose = BlockPose.of(own) if query.to is None else BlockPose.of(own).place_at(query.to)
    depths = [abs(p[axis] - at) for p in end_pose.corners]
    turn = abs(math.remainder(end_pose.facing_rad - math.radians(_INWARD[query.edge]), math.tau))
    limit, far = 2 * speed, format_length(max(depths))
    short_mm = own.base_mm[1] if table.reading("reserve-within") == "partly" else 0.0  # the farthest rank's own depth
    clauses: dict[str, float] = {
        "depth": limit - (max(depths) - short_mm),
        "rear-on-the-edge": parameters.CONTACT_MM - abs(min(depths)),
        "straight-in": table.state.facing_tolerance_deg - math.degrees(turn),
    }
    placed = table if query.to is None else path_legs.place_unit(table, query.who, query.to)
    near = nearest_where_placed(placed, query.who)
    clauses |= {} if near is None else {"one-inch": near.mm - parameters.SPACING_MM}
    clauses |= dict.fromkeys(_bars(table, query), -CAPPED_MM)
    failed = {name: mm for name, mm in clauses.items() if not is_margin_met(mm)}
    left_mm = 0.0 if failed or table.reading("reserve-depth") == "placement" else speed
    margin = min(failed.values()) if failed else clauses["depth"]
    on = edge_members(table, query.who) if query.to is None else own.rank(0)
    on = tuple(dict.fromkeys((*on, *(() if near is None else ids_near(table, near.thing, near.part)))))
    return RuleResult(
        margin_mm=margin,
        slack_mm=min(clauses.values()),
        conditions=tuple(
            RuleResult(margin_mm=mm, depends_on_place=on, depends_on_facing=(query.who,)) for mm in clauses.values()
        ),
        value={
            "depth_mm": limit,
            "left_mm": left_mm,
            "poses": path_legs.unit_poses(table, own, end_pose),
            **_ambush_value(table, query),
            "clauses": list_margins(clauses),
        },
        because=(with_effect(table, _COMING, f"Its front is {far} in, of {format_length(limit)}."),),
        readings=("reserve-depth", "reserve-within"),
        doubtful=("reserve-depth", "reserve-within"),
        deciding_house_rules=("reserve-within",) if margin == clauses["depth"] else (),
        outcomes=(left_mm,),
        depends_on_place=on,
        depends_on_facing=(query.who,),
    )


def _bars(table: ExactTable, query: Reinforcements) -> list[str]:
    """Why it does not come on there at all. Source: Ambushers, p. 57; Battle for the Pass, p. 109."""
    bars = ["closed-edge"] * (query.edge in dict(impassable_edges(table, query.who)))
    if query.manner == "ambush":
        bars += ["ambushers"] * lacks_rule(leading_miniature(table, query.who), "ambushers")
        bars += ["second-turn"] * _is_first_round(table)
    return bars


def _ambush_value(table: ExactTable, query: Reinforcements) -> dict[str, JsonValue]:
    """The roll with which ambushers come, from the second turn on. Source: Ambushers, p. 57."""
    if query.manner != "ambush":
        return {}
    chance: JsonValue = {"needs": 3, "dice": "1d6", "exact": "2/3", "p": 2 / 3}
    return {"chance": None if _is_first_round(table) else chance}


def _is_first_round(table: ExactTable) -> bool:
    return table.state.turn is not None and table.state.turn.round == 1


_INWARD = {"edge:near": 90.0, "edge:far": 270.0, "edge:left": 0.0, "edge:right": 180.0}
