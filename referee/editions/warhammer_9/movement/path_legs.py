"""Path legs: a unit's way as straight pieces and turns, and where each of its miniatures stands at the end.

A verdict holds them as `paths: {unit: [leg, ..]}`. The unit moves as one body along its legs, one after the other:

- `straight`: the middle of its front edge goes from `from_mm` to `to_mm`; it looks to `facing_deg` all the while.
- `turn`: it turns about `about_mm` by `by_deg` (anticlockwise positive); `facing_deg` is where it looks afterwards.
- `each`: every miniature goes straight to its own pose in `poses`, and the block is formed anew.

`length_mm` is how far the front's middle, the outermost corner, or the miniature that goes farthest, travels.
"""

import math
from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from models.pose import Pose
from models.turn import Step, UnitPose
from models.verdict import Witness
from models.vocabulary import Point
from referee.editions.warhammer_9.units.regiment import Regiment, regiment
from referee.motion.block_pose import BlockPose
from referee.rules.exact_table import ExactTable

Legs = list[JsonValue]
_STILL = 1e-9


def straight_leg(before: BlockPose, after: BlockPose) -> Legs:
    """The leg of a move without a turn; none where it does not move."""
    length = math.dist(before.front, after.front)
    if length <= _STILL:
        return []
    return [
        {
            "do": "straight",
            "from_mm": [*before.front],
            "to_mm": [*after.front],
            "facing_deg": _degrees(after.facing_rad),
            "length_mm": length,
        }
    ]


def turn_leg(before: BlockPose, by_rad: float, about: Point) -> Legs:
    """The leg of a turn about a point; none where it does not turn."""
    if abs(by_rad) <= _STILL:
        return []
    after = before.rotate(by_rad, about)
    return [
        {
            "do": "turn",
            "about_mm": [*about],
            "by_deg": math.degrees(by_rad),
            "from_mm": [*before.front],
            "to_mm": [*after.front],
            "facing_deg": _degrees(after.facing_rad),
            "length_mm": abs(by_rad) * max(math.dist(about, corner) for corner in before.corners),
        }
    ]


def reform_leg(longest_mm: float) -> Legs:
    """The leg of a block that reforms: every miniature goes on its own."""
    return [] if longest_mm <= _STILL else [{"do": "each", "length_mm": longest_mm}]


def label_legs(what: str, legs: Legs) -> Legs:
    """The same legs, each with its purpose."""
    return [leg | {"for": what} for leg in legs if isinstance(leg, dict)]


def legs_of_steps(start: BlockPose, steps: Iterable[Step]) -> Legs:
    """The legs of the steps of a query."""
    legs: Legs = []
    for step in steps:
        after = start.apply_step(step)
        legs += straight_leg(start, after) if step.by_deg is None else turn_leg(start, *_step_turn(start, step, after))
        start = after
    return legs


def _step_turn(start: BlockPose, step: Step, after: BlockPose) -> tuple[float, Point]:
    about = {
        "wheel-left": start.point_at(0.0, start.width_mm / 2),
        "wheel-right": start.point_at(0.0, -start.width_mm / 2),
    }
    return after.facing_rad - start.facing_rad, about.get(step.do, start.centre)


def turn_and_run_legs(own: BlockPose, end_pose: BlockPose) -> Legs:
    """The legs of one that turns about its own centre and then goes straight on."""
    by_rad = math.remainder(end_pose.facing_rad - own.facing_rad, math.tau)
    return [*turn_leg(own, by_rad, own.centre), *straight_leg(own.rotate(by_rad, own.centre), end_pose)]


def unit_poses(table: ExactTable, own: Regiment, end_pose: BlockPose) -> dict[str, JsonValue]:
    """The pose of the unit and of each of its miniatures, moved there as one body."""
    by_rad = end_pose.facing_rad - own.facing_rad
    poses: dict[str, JsonValue] = {}
    for id_, place in zip(own.members, own.places, strict=True):
        poses[id_] = _pose_value(end_pose.point_at(*own.to_local(place, own.front)), table.facing_rad(id_) + by_rad)
    return poses | {own.id: end_pose.pose_value()}


def block_poses(own: Regiment, end_pose: BlockPose, places: Mapping[str, Point]) -> dict[str, JsonValue]:
    """The pose of the unit and of each of its miniatures, each at a place of its own."""
    poses: dict[str, JsonValue] = {id_: _pose_value(place, end_pose.facing_rad) for id_, place in places.items()}
    return poses | {own.id: end_pose.pose_value()}


def draw_legs(own: BlockPose, end_pose: BlockPose, legs: Legs, unit: str) -> tuple[Witness, ...]:
    """The way as it is drawn: the line of the front's middle along the straight legs and turns, and where it ends."""
    points = [own.front, *(p for leg in legs for p in _leg_points(leg))]
    end = Witness(type="polygon", role="limit", points_mm=end_pose.corners, of=(unit,))
    return (Witness(type="polyline", role="path", points_mm=tuple(points), of=(unit,)), end) if legs else (end,)


def _leg_points(leg: JsonValue) -> Iterable[Point]:
    """The points of a leg after its first: of a turn, one every few degrees."""
    assert isinstance(leg, dict)
    named_points = {name: leg[name] for name in ("about_mm", "from_mm", "to_mm") if name in leg}
    points = {name: (float(at[0]), float(at[1])) for name, at in named_points.items() if isinstance(at, list)}  # type: ignore[arg-type]
    if leg["do"] == "turn":
        (cx, cy), (x, y), by = points["about_mm"], points["from_mm"], math.radians(float(leg["by_deg"]))  # type: ignore[arg-type]
        parts = max(2, math.ceil(abs(by) / math.radians(6.0)))
        for k in range(1, parts):
            c, s = math.cos(by * k / parts), math.sin(by * k / parts)
            yield (cx + c * (x - cx) - s * (y - cy), cy + s * (x - cx) + c * (y - cy))
    if "to_mm" in points:
        yield points["to_mm"]


def _pose_value(at: Point, facing_rad: float) -> JsonValue:
    return {"at_mm": [*at], "facing_deg": _degrees(facing_rad)}


def _degrees(rad: float) -> float:
    return math.degrees(rad) % 360.0


def place_unit(table: ExactTable, id_: str, to: Pose | UnitPose) -> ExactTable:
    """The table with a unit in another pose, its members as they stand to each other."""
    own = regiment(table, id_)
    end_pose = BlockPose.of(own).place_at(to)
    for member, place in zip(own.members, own.places, strict=True):
        turned = table.facing_rad(member) + end_pose.facing_rad - own.facing_rad
        table = table.with_place(member, end_pose.point_at(*own.to_local(place, own.front)))
        table = table.with_facing(member, turned)
    return table
