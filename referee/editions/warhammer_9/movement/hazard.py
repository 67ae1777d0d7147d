"""Dangerous terrain: who of a unit must test on the way."""

from fractions import Fraction

from pydantic import JsonValue

from models.queries import Hazard
from models.terrain import Terrain
from models.turn import Step
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.charges.obstacles import defended_obstacle
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.engagement import contact_mm
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    are_friends,
    is_skirmishing,
    kind_of,
    leading_miniature,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.units.unit_strength import has_charged, this_turn_of
from referee.geometry.distance import gap
from referee.motion.block_pose import BlockPose, poses_after_steps, swept_shapes
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

_DANGER = because("Dangerous Terrain", 91, "Who marches, charges or runs through it rolls; on a 1 it is wounded.")
_RUSHING = frozenset({"march", "charge", "flee", "pursuit", "overrun"})
_WRECKED = 3.5  # a chariot or shrine loses D6 wounds
_SAFE = frozenset({"hill", "open"})


def hazard(table: ExactTable, query: Hazard) -> RuleResult:
    """Dangerous terrain: who must test on the way. Source: Dangerous Terrain, p. 91; p. 92-95; Skirmishers, p. 65."""
    kinds = {m: kind_of(table.miniature(m)) for m in members_of(table, query.mover)}
    kind, steps = kind_of(leading_miniature(table, query.mover)), query.steps or ()
    areas = [t for t in table.state.terrain if query.area in (None, t.id)]
    deeds = this_turn_of(table, query.mover)
    flying = "fly" in (query.manner, *deeds.moved)  # over open ground. Source: Moving Flyers, p. 59
    rushing = query.manner in _RUSHING or bool(_RUSHING & set(deeds.moved))
    risky = {
        of: [t for t in areas if rushing and not flying and is_dangerous(table, query.mover, of, t)]
        for of in dict.fromkeys(kinds.values())
    }
    if flying and not leading_miniature(table, query.mover).has("ethereal"):  # Source: Forests, p. 92
        risky = {of: [t for t in areas if t.kind == "forest"] for of in risky}
    charging = query.manner == "charge" or has_charged(deeds)
    stopped_at = _obstacles_charged_at(table, query.mover, areas) if charging and any(risky.values()) else []
    depths = {
        m: _depth_mm(table, query.mover, m, steps, risky[of], stopped_at, flying=flying) for m, of in kinds.items()
    }
    tested = [m for m, mm in depths.items() if is_more_than(mm, 0.0, "goes over dangerous ground", (m,))]
    if tested and table.reading("dangerous-who") == "whole-unit":
        tested = list(depths)
    mounted = [t for m in tested if kinds[m] in parameters.MOUNTED for t in risky[kinds[m]]]
    fails = 2 if any(t.kind == "marsh" for t in mounted) else 1
    count = len(tested)
    value: dict[str, JsonValue] = {
        "tests": count,
        "fails_on": fails,
        "chance": _chance_of_failure(count, fails),
        "expected": count * fails / 6 * (_WRECKED if kind in ("chariot", "shrine") else 1.0),
        "by_id": {m: {"entry_mm": None} for m in tested},
    }
    return RuleResult(
        margin_mm=max(depths.values(), default=-CAPPED_MM),
        zero_is_met=False,
        value=value,
        because=(with_effect(table, _DANGER, f"{count} of them roll."),),
        readings=("dangerous-who",),
        outcome_house_rules=("dangerous-who",) if tested else (),
        depends_on_place=tuple(tested[:4] or members_of(table, query.mover)[:1]),
    )


def _chance_of_failure(count: int, fails: int) -> dict[str, JsonValue]:
    """The chance that somebody fails. Source: Dangerous Terrain, p. 91."""
    p = 1 - Fraction(6 - fails, 6) ** count
    return {"needs": None, "dice": "1d6", "exact": str(p), "p": float(p)}


def expected_wounds(table: ExactTable, id_: str, thing: str) -> float:
    """The wounds that one loses on average to its test for a thing. Source: p. 91; Marshland, p. 94."""
    kind, terrain = kind_of(table.miniature(id_)), table.state.by_id[thing]
    fails = 1 + (isinstance(terrain, Terrain) and terrain.kind == "marsh" and kind in parameters.MOUNTED)
    return fails / 6 * (_WRECKED if kind in ("chariot", "shrine") else 1.0)


def is_dangerous(table: ExactTable, mover: str, kind: str, terrain: Terrain) -> bool:
    """Whether one of that kind tests who rushes through. Source: Dangerous Terrain, p. 91; p. 92-95."""
    first = leading_miniature(table, mover)
    if first.has("ethereal") or first.has("strider"):  # Source: p. 58, 66
        return False
    if terrain.ground == "dangerous":
        return True
    if kind in parameters.MOUNTED:
        return terrain.kind not in _SAFE and terrain.ground != "open"
    if terrain.kind == "marsh":
        return not is_skirmishing(table, mover)
    return terrain.kind == "scree"


def _obstacles_charged_at(table: ExactTable, mover: str, areas: list[Terrain]) -> list[str]:
    """Obstacles behind which a charged enemy stands: who is stopped by one has crossed it. Source: Obstacles, p. 95."""
    foes = [id_ for id_ in all_regiments(table) if not are_friends(table, mover, id_)]
    if not any(area.kind in parameters.OBSTACLE_KINDS for area in areas):
        return []
    charged = this_turn_of(table, mover).charged
    behind = (defended_obstacle(table, mover, foe) for foe in foes if charged in (None, foe))
    return [id_ for id_ in dict.fromkeys(behind) if id_ is not None]


def _depth_mm(
    table: ExactTable,
    mover: str,
    id_: str,
    steps: tuple[object, ...],
    areas: list[Terrain],
    touched: list[str],
    *,
    flying: bool,
) -> float:
    """How deep the way of one base leads into dangerous ground, by flight its ends; negative when it passes by.

    Of an obstacle that stops a charge, touching it is deep enough.
    """
    own = regiment(table, mover)
    wide, deep = own.sizes_mm[own.members.index(id_)]
    x, y = own.to_local(table.centre(id_), own.front)
    block = BlockPose.of(own)
    taken = tuple(step for step in steps if isinstance(step, Step))
    swept = [table.base(id_)]

    def pose_of_member(whole: BlockPose) -> BlockPose:
        return BlockPose(whole.point_at(x + deep / 2, y), whole.facing_rad, wide, deep)

    stands = poses_after_steps(block, taken)
    for before, step in zip(stands, taken, strict=False):
        swept += [] if flying else swept_shapes(before, step, pose_of_member)
    swept += [pose_of_member(stands[-1]).shape] if taken else []
    depths = [
        contact_mm(table) * (t.id in touched) - gap(shape, part).mm
        for shape in swept
        for t in areas
        for part in table.area(t.id).parts
    ]
    return max(depths, default=-CAPPED_MM)
