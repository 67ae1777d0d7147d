"""Random movement: where a unit ends that goes as far as its dice say."""

import math
from fractions import Fraction

from pydantic import JsonValue

from models.queries import RandomMove
from models.unit_conversion import inches, radians
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.line_of_sight.scene import is_beside_path
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.movement.spacing import spaced_obstacles
from referee.editions.warhammer_9.movement.table_edge import find_edge_contact, unit_vector
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import all_regiments, are_friends, leading_miniature, regiment
from referee.geometry.shapes import RoundedShape, convex_hull
from referee.motion.block_pose import BlockPose
from referee.motion.sweep import stretch_within
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM, is_at_least, is_more_than

_RANDOM = because("Random Movement", 64, "It turns, then goes as far as the dice say; an enemy in the way it charges.")
_LONGEST_MM = 2500.0  # farther than any table is long


def random_move(table: ExactTable, query: RandomMove) -> RuleResult:
    """Random movement: where the unit ends. Source: Random Movement, p. 64; Stupidity, p. 66."""
    own, own_front = BlockPose.of(regiment(table, query.mover)), regiment(table, query.mover).rank(0)
    facing = own.facing_rad if query.heading_deg is None else radians(query.heading_deg)
    start = own.rotate(facing - own.facing_rad, own.centre)
    reach = _first_enemy(table, query.mover, start)
    value: dict[str, JsonValue] = {"to_enemy_mm": reach[0] if reach is not None else None}
    if query.dice.move is None:
        chance = _chance_to_reach(table, query.mover, reach)
        return RuleResult(status="measured", value=value | {"chance": chance}, because=(_RANDOM,))
    by_mm, stopped_by, contact = inches(query.dice.move), None, None
    heading = unit_vector(start.facing_rad)
    for id_, shape in _obstacles_ahead(table, query.mover, start):
        enemy = id_ in all_regiments(table) and not are_friends(table, query.mover, id_)
        span = stretch_within(start.shape, heading, shape, 0.0 if enemy else parameters.SPACING_MM)
        if span is not None and _is_halted(span[0], by_mm, (own_front[0], id_), enemy=enemy):
            by_mm, stopped_by, contact = max(0.0, span[0]), id_, id_ if enemy else None
    edge = find_edge_contact(table, start, heading)  # Source: Moving of the Board, p. 23
    if is_more_than(by_mm, edge.after_mm, f"goes on past {edge.edge},", own_front[:1]):
        by_mm, stopped_by, contact = edge.after_mm, edge.edge, None
    end = start.translate(by_mm)
    path, poses = (
        path_legs.turn_and_run_legs(own, end),
        path_legs.unit_poses(table, regiment(table, query.mover), end),
    )
    reported: dict[str, JsonValue] = {
        "poses": poses,
        "paths": {query.mover: path},
        "stopped_by": stopped_by,
        "contact": contact,
    }
    return RuleResult(
        status="measured",
        value=value | reported,
        lengths_mm={"travelled": by_mm},
        witness=path_legs.draw_legs(own, end, path, query.mover),
        because=(with_effect(table, _RANDOM, _explain(table, inches(query.dice.move), by_mm, stopped_by)),),
        depends_on_place=tuple(dict.fromkeys((own_front[0], own_front[-1]))),
    )


def _explain(table: ExactTable, wanted_mm: float, went_mm: float, stopped_by: str | None) -> str:
    """How far it goes, and what keeps it from going farther."""
    if stopped_by is None:
        return f"It goes {format_length(went_mm)}."
    return f"It goes {format_length(went_mm)} of {format_length(wanted_mm)}: {name_of(table, stopped_by)} stops it."


def _is_halted(after_mm: float, by_mm: float, on: tuple[str, ...], *, enemy: bool) -> bool:
    """Whether what is met after so far ends the move: an enemy also where it is just reached."""
    ahead = is_at_least(after_mm, 0.0, "moves on toward", on)
    return ahead and (is_at_least if enemy else is_more_than)(by_mm, after_mm, "goes as far as", on)


def _chance_to_reach(table: ExactTable, mover: str, reach: tuple[float, str] | None) -> dict[str, JsonValue]:
    """The least roll that reaches the first enemy; of the stupid, whose die is known, its chance too."""
    least = None if reach is None else math.ceil(reach[0] / 25.4 - 1e-9)
    chance: dict[str, JsonValue] = {"needs": least}
    if "stupid" in leading_miniature(table, mover).status and least is not None:
        p = Fraction(max(0, 7 - max(1, least)), 6)
        chance |= {"dice": "1d6", "exact": str(p), "p": float(p)}
    return chance


def _obstacles_ahead(table: ExactTable, mover: str, start: BlockPose) -> list[tuple[str, RoundedShape]]:
    """What lies on or near its way, however far it goes."""
    swept = RoundedShape(convex_hull([*start.corners, *start.translate(_LONGEST_MM).corners]))
    return [(id_, shape) for id_, shape in spaced_obstacles(table, mover) if not is_beside_path(swept, shape)]


def _first_enemy(table: ExactTable, mover: str, start: BlockPose) -> tuple[float, str] | None:
    heading = unit_vector(start.facing_rad)
    regiments = set(all_regiments(table))
    contacts = [
        (max(0.0, span[0]), id_)
        for id_, shape in _obstacles_ahead(table, mover, start)
        if id_ in regiments and not are_friends(table, mover, id_)
        and (span := stretch_within(start.shape, heading, shape)) is not None and span[0] >= -EXACT_MM
    ]  # fmt: skip
    return min(contacts, default=None)
