"""Move: whether a move in formation is legal, and what it costs."""

import math
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from models.queries import Move
from models.turn import Step
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.cards import lacks_rule
from referee.editions.warhammer_9.line_of_sight.scene import solid_bodies
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.movement.move_inference import infer_cheapest_move
from referee.editions.warhammer_9.movement.movement_dice import (
    FLY_IN,
    MARCH_FACTOR,
    can_fly,
    flying_march_mm,
    heeds_forests,
    speed_mm,
)
from referee.editions.warhammer_9.movement.skirmish_move import skirmish_move
from referee.editions.warhammer_9.movement.spacing import (
    ids_near,
    is_impassable,
    is_impassable_to,
    nearest_along_path,
    path_edge_clearance,
)
from referee.editions.warhammer_9.movement.turn_ledger import LEDGER_READINGS, ledger_doubts, ledger_of
from referee.editions.warhammer_9.movement.wheel_cost import (
    is_wheel,
    twice_the_move_margin_mm,
    wheel_arm_mm,
    wheel_cost_mm,
)
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    are_friends,
    edge_members,
    is_skirmishing,
    kind_of,
    leading_miniature,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.units.unit_strength import this_turn_of
from referee.geometry.distance import gap
from referee.motion.block_pose import BlockPose, poses_after_steps, swept_shapes
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

MOVING = because("Moving Your Units", 15, "It goes straight ahead and wheels, at most its Movement in all.")
_BACK = because(
    "Moving Backwards; Moving Sideways", 23, "Steps back or aside count double, and directions are not mixed."
)
_FLY = because("Fly", 59, "It passes over all, and lands on neither units nor impassable terrain.")
_VANGUARD_IN, _VANGUARD_RIDERS_IN = 6.0, 12.0
_FOOT = ("infantry", "monstrous-infantry")
_FLYING = ("fly", "fly-march")
_MARCHING = ("march", "fly-march")
_DUST_MM = 1e-6
_NEAR_MM = 5.0  # of the margin: what lies so little further may decide as well
_DOUBLE = "wheel-double-move"
_STEP_READINGS = (
    "one-inch-when", "one-inch-exact", "wheel-measure", _DOUBLE, "twelve-inches", *LEDGER_READINGS.values(),
)  # fmt: skip


def move(table: ExactTable, query: Move) -> RuleResult:
    """Move: whether it is legal, and what it costs. Source: p. 15, 23; p. 59, 65, 67."""
    manner = query.manner or ("skirmish" if query.to is not None and is_skirmishing(table, query.mover) else "advance")
    allowance = step_allowance_mm(table, query, manner)
    if allowance is None:
        return result_without_movement(table, query, manner)
    if query.to is not None and (manner == "skirmish" or is_skirmishing(table, query.mover)):
        broken = _broken_rules(table, query, manner, ())
        if manner == "vanguard":
            end = BlockPose.of(regiment(table, query.mover)).place_at(query.to)
            far, _ = _vanguard_clearance(table, query.mover, end)
            broken += ["near-enemy"] * (far < _DUST_MM * (1 if table.reading("twelve-inches") == "too-near" else -1))
        return skirmish_move(table, query.mover, query.to, allowance, broken, flying=manner in _FLYING)
    steps = query.steps
    if steps is None and query.heading_deg is not None and query.distance_in is not None:
        steps = (Step(do="forward", by_in=query.distance_in),)
    own = BlockPose.of(regiment(table, query.mover))
    begun, end_pose = _observed_move(table, query, own)
    if steps is None and end_pose is not None:
        lone = len(members_of(table, query.mover)) == 1
        read = infer_cheapest_move(begun, end_pose, is_lone=lone)
        if read is None:
            return RuleResult(
                margin_mm=-CAPPED_MM, value=_unexplained_value(table, query, begun, end_pose), because=(MOVING, _BACK)
            )
        steps = read.steps
    if steps is None:
        return RuleResult(status="unknown", needs=("steps",), because=(MOVING,))
    asked = Move(mover=query.mover, steps=steps, manner=query.manner, allowance_in=query.allowance_in)
    return evaluate_steps(table, asked, manner, steps, step_allowance_mm(table, asked, manner) or 0.0, begun)


def result_without_movement(table: ExactTable, query: Move, manner: str) -> RuleResult:
    """The result without a Movement on the card: a unit that may not move at all needs none."""
    broken = _broken_rules(table, query, manner, query.steps or ())
    if broken:
        violation: dict[str, JsonValue] = {"what": broken[0], "thing": None}
        return RuleResult(margin_mm=-CAPPED_MM, value={"violation": violation}, because=(MOVING,))
    return RuleResult(status="unknown", needs=(f"profile.spd_in of {query.mover}",), because=(MOVING,))


def _observed_move(table: ExactTable, query: Move, own: BlockPose) -> tuple[BlockPose, BlockPose | None]:
    """Where a move began and where it ends: told, or from where it stood before to where it stands now."""
    if query.to is not None:
        return own, own.place_at(query.to)
    began = this_turn_of(table, query.mover).start
    is_stated = query.steps is not None or query.heading_deg is not None or began is None
    return (own, None) if is_stated or began is None else (own.place_at(began), own)


def _unexplained_value(table: ExactTable, query: Move, begun: BlockPose, end_pose: BlockPose) -> dict[str, JsonValue]:
    """A move that no steps explain: if its centre stayed, it was a reform."""
    stayed = math.dist(begun.centre, end_pose.centre) <= 1.0
    return {
        "violation": {"what": "reform" if stayed else "not-explainable", "thing": None},
        "steps": [],
        "poses": path_legs.unit_poses(table, regiment(table, query.mover), end_pose),
        "paths": {query.mover: []},
    }


def step_allowance_mm(table: ExactTable, query: Move, manner: str) -> float | None:
    """Allowance: how far a move of these steps may go; None where no card has the Movement. Source: p. 15, 59, 67."""
    if query.allowance_in is not None:
        return inches(query.allowance_in)
    speed = speed_mm(table, query.mover)
    first = leading_miniature(table, query.mover)
    if manner in _FLYING:
        return inches(FLY_IN) * (MARCH_FACTOR if manner in _MARCHING else 1.0)
    if manner == "vanguard":  # Source: Vanguard, p. 67: terrain affects it as normal
        speed = inches(_VANGUARD_RIDERS_IN if kind_of(first) in ("cavalry", "monstrous-cavalry") else _VANGUARD_IN)
    if speed is None:
        return None
    if heeds_forests(table, query.mover) and _crossed_terrain(table, query, {"forest"}):
        speed -= inches(1)  # Source: Forests, p. 92
    return max(0.0, speed) * (MARCH_FACTOR if manner == "march" else 1.0)


def _crossed_terrain(table: ExactTable, query: Move, kinds: set[str]) -> list[str]:
    """The terrain of these kinds that the way touches."""
    own = BlockPose.of(regiment(table, query.mover))
    steps = query.steps or ()
    stands = poses_after_steps(own, steps)
    swept = [
        own.shape,
        *(part for before, step in zip(stands, steps, strict=False) for part in swept_shapes(before, step)),
    ]
    front, areas = regiment(table, query.mover).rank(0), [t.id for t in table.state.terrain if t.kind in kinds]
    depths = {id_: max(-gap(s, part).mm for s in swept for part in table.area(id_).parts) for id_ in areas}
    return [id_ for id_, mm in depths.items() if is_more_than(mm, 0.0, f"goes through {id_}", front)]


def _spent_mm(table: ExactTable, mover: str, own: BlockPose, steps: tuple[Step, ...]) -> float:
    """What steps cost: ahead as it is, wheels by the outer corner, back and aside twice. Source: p. 15, 23."""
    arm = wheel_arm_mm(table, mover, own)
    total = 0.0
    for step in steps:
        if step.do == "forward":
            total += inches(step.by_in or 0.0)
        elif step.do in ("backward", "left", "right"):
            total += 2 * inches(step.by_in or 0.0)
        elif step.do != "pivot":
            total += wheel_cost_mm(table, arm, math.radians(step.by_deg or 0.0))
    return total


def evaluate_steps(
    table: ExactTable, query: Move, manner: str, steps: tuple[Step, ...], allowance: float, own: BlockPose
) -> RuleResult:
    """Whether these steps, from where it began, are legal in that manner. Source: p. 15, 23; Manoeuvres, p. 15."""
    stands, front = poses_after_steps(own, steps), regiment(table, query.mover).rank(0)
    spent = _spent_mm(table, query.mover, own, steps)
    broken = _broken_rules(table, query, manner, steps, is_done=own != BlockPose.of(regiment(table, query.mover)))
    near = nearest_along_path(table, query.mover, steps, None, end_only=manner in _FLYING, start=own)
    clear = CAPPED_MM if near is None else near.mm - parameters.SPACING_MM
    edge = path_edge_clearance(table, own, steps)
    speed = inches(FLY_IN) if manner in _FLYING else speed_mm(table, query.mover)
    double = twice_the_move_margin_mm(table, query.mover, own, steps, speed)
    margin = min(allowance - spent, double, clear, edge.mm)
    vanguard = manner == "vanguard"
    far, foes = _vanguard_clearance(table, query.mover, stands[-1]) if vanguard else (CAPPED_MM, ())
    costs = _wheel_doubts(table, query.mover, own, steps, speed, spare=allowance - spent, margin=margin)
    rule, legs = _FLY if manner in _FLYING else MOVING, path_legs.legs_of_steps(own, steps)
    strict = [key for key in _exact_distance_doubts(clear, far) if table.reading(key) == "too-near"]
    over = spent > allowance + _DUST_MM or double < -_DUST_MM
    off = edge.thing if edge.mm < -_DUST_MM else None
    violation = _first_violation(broken, far, clear, strict, None if near is None else near.thing, over=over, off=off)
    margin = -CAPPED_MM if broken else margin
    at_edge = edge_members(table, query.mover) if edge.mm <= margin + _NEAR_MM else ()
    width = edge_members(table, query.mover) if _has_wheel(steps) else ()  # the cost of a wheel hangs on the width
    is_nearer_on_its_way = near is not None and clear < 0 and near.part != stands[-1].shape
    by = ids_near(table, near.thing) if near is not None and clear <= margin + _NEAR_MM else ()
    decisive = *width, *by, *at_edge
    return RuleResult(
        margin_mm=min(margin, far),
        zero_is_met=not strict,
        value={
            "spent_mm": spent,
            "left_mm": max(0.0, allowance - spent),
            "travelled_mm": math.dist(own.centre, stands[-1].centre),
            "poses": path_legs.unit_poses(table, regiment(table, query.mover), stands[-1]),
            "paths": {query.mover: legs},
            "violation": violation,
            "steps": [step.model_dump(exclude_none=True) for step in steps],
        },
        lengths_mm={"spent": spent},
        witness=path_legs.draw_legs(own, stands[-1], legs, query.mover),
        because=(with_effect(table, rule, f"It spends {format_length(spent)} of {format_length(allowance)}."), _BACK),
        readings=_STEP_READINGS,
        doubtful=(*_exact_distance_doubts(clear, far), *costs, *ledger_doubts(table, query.mover)),
        outcome_house_rules=("one-inch-when",) * is_nearer_on_its_way,
        deciding_house_rules=("wheel-measure",) if _has_wheel(steps) else (),
        depends_on_place=tuple(dict.fromkeys((*front, *foes, *decisive))),
        depends_on_facing=(query.mover,) if _has_wheel(steps) else (),
    )


def _wheel_doubts(
    table: ExactTable,
    mover: str,
    own: BlockPose,
    steps: tuple[Step, ...],
    speed: float | None,
    *,
    spare: float,
    margin: float,
) -> Iterator[str]:
    """The house rules about wheels on which the margin hangs, or would by another of their readings."""
    if not _has_wheel(steps):
        return
    spent = _spent_mm(table, mover, own, steps)
    dearer = [_spent_mm(reading, mover, own, steps) - spent for reading in table.other_readings("wheel-measure")]
    if spare - max(0.0, *dearer) <= margin:
        yield "wheel-measure"
    tables = (table, *table.other_readings(_DOUBLE))
    if min(twice_the_move_margin_mm(table, mover, own, steps, speed) for table in tables) <= margin:
        yield _DOUBLE


def _first_violation(
    broken: Sequence[str],
    far: float,
    clear: float,
    strict: Sequence[str],
    thing: str | None,
    *,
    over: bool,
    off: str | None,
) -> dict[str, JsonValue] | None:
    """What the move breaks first, and what it came too near to."""
    if broken:
        return {"what": broken[0], "thing": None}
    if off is not None:
        return {"what": "table-edge", "thing": off}
    if far < 0 or "twelve-inches" in strict:
        return {"what": "near-enemy", "thing": None}
    if (clear < 0 or "one-inch-exact" in strict) and thing is not None:
        return {"what": "one-inch", "thing": thing}
    return {"what": "allowance", "thing": None} if over else None


def _exact_distance_doubts(clear: float, far: float) -> Iterator[str]:
    """The house rules that tell what exactly an inch, and exactly 12, are worth."""
    if abs(clear) < _DUST_MM:
        yield "one-inch-exact"
    if abs(far) < _DUST_MM:
        yield "twelve-inches"


def _has_wheel(steps: tuple[Step, ...]) -> bool:
    return any(map(is_wheel, steps))


def _broken_rules(
    table: ExactTable, query: Move, manner: str, steps: tuple[Step, ...], *, is_done: bool = False
) -> list[str]:
    """Which rules of the manner the steps break; of a move `is_done`, its own words in the ledger bar nothing.

    Source: p. 15, 23; p. 57-60, 72, 86, 93.
    """
    first = leading_miniature(table, query.mover)
    kind, done = kind_of(first), {step.do for step in steps}
    aside = done & {"backward", "left", "right"}
    broken = ["mixed-directions"] * (bool(aside) and len(done - {"pivot"}) > 1)
    if manner == "vanguard":
        others = [table.miniature(m) for m in members_of(table, query.mover)]
        riders = [m for m in others if "character" in m.role and kind_of(m) not in _FOOT and m.id != first.id]
        broken += ["no-vanguard"] * any(lacks_rule(m, "vanguard") for m in (first, *riders))
    else:
        act = "march" if manner in _MARCHING else "move"
        broken += ledger_of(table, query.mover, before_move=is_done).why_not(act)
    if manner in _MARCHING:
        broken += ["aside-on-a-march"] * bool(aside)
    if manner == "march":
        free = any(first.has(word) for word in ("ethereal", "aquatic", "strider"))
        broken += ["river"] * (not free and bool(_crossed_terrain(table, query, set(parameters.RIVER_KINDS))))
    broken += ["sideways"] * (kind == "chariot" and bool(done & {"left", "right"}))
    broken += ["pivot"] * ("pivot" in done and len(members_of(table, query.mover)) > 1)
    if manner not in _FLYING:
        broken += ["entered-impassable"] * _is_entering_impassable(table, query, steps)
    if manner in _FLYING:
        broken += ["cannot-fly"] * (not can_fly(table, query.mover))
        broken += ["hovers"] * (manner in _MARCHING and flying_march_mm(table, query.mover) is None)
    return broken


def _is_entering_impassable(table: ExactTable, query: Move, steps: tuple[Step, ...]) -> bool:
    own, first = BlockPose.of(regiment(table, query.mover)), leading_miniature(table, query.mover)
    may_turn = kind_of(first) == "war-machine"  # also in what it may not drive through
    swept = [
        part
        for before, step in zip(poses_after_steps(own, steps), steps, strict=False)
        if not (may_turn and step.do == "pivot")
        for part in swept_shapes(before, step)
    ]
    closed = [t.id for t in table.state.terrain if is_impassable_to(table, query.mover, t)]
    if first.has("ethereal"):  # it passes through, and may not end there. Source: Ethereal, p. 58
        swept = [poses_after_steps(own, steps)[-1].shape]
        closed = [t.id for t in table.state.terrain if is_impassable(t)]
    parts = [part for id_ in closed for part in table.area(id_).parts]
    deepest = max((-gap(a, b).mm for a in swept for b in parts), default=-CAPPED_MM)
    return is_more_than(deepest, 0.0, "enters impassable ground", regiment(table, query.mover).rank(0))


def _vanguard_clearance(table: ExactTable, mover: str, end: BlockPose) -> tuple[float, tuple[str, ...]]:
    """How much farther than 12 in from every enemy it ends, and who is nearest. Source: Vanguard, p. 67."""
    foes = [id_ for id_ in all_regiments(table) if not are_friends(table, mover, id_)]
    bodies = [body for foe in foes for body in solid_bodies(table, foe)]
    gaps = ((gap(end.shape, body.shape).mm - inches(12), body.members) for body in bodies)
    return min(gaps, key=lambda clearance: clearance[0], default=(CAPPED_MM, ()))
