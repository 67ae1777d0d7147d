"""Block pose: where the rectangle of a regiment would stand, and the steps that lead there."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from pydantic import JsonValue

from models.pose import Pose
from models.turn import Step, UnitPose
from models.unit_conversion import inches, radians
from models.vocabulary import Point
from referee.geometry.shapes import RoundedShape, convex_hull


class Block(Protocol):
    """What stands as one rectangle."""

    @property
    def front(self) -> Point: ...
    @property
    def facing_rad(self) -> float: ...
    @property
    def width_mm(self) -> float: ...
    @property
    def depth_mm(self) -> float: ...


@dataclass(frozen=True)
class BlockPose:
    """Block pose: the middle of the front edge, the facing, the width and the depth of a regiment."""

    front: Point
    facing_rad: float
    width_mm: float
    depth_mm: float

    @classmethod
    def of(cls, own: Block) -> "BlockPose":
        return cls(own.front, own.facing_rad, own.width_mm, own.depth_mm)

    def point_at(self, ahead_mm: float, left_mm: float) -> Point:
        c, s = math.cos(self.facing_rad), math.sin(self.facing_rad)
        return (self.front[0] + ahead_mm * c - left_mm * s, self.front[1] + ahead_mm * s + left_mm * c)

    @property
    def centre(self) -> Point:
        return self.point_at(-self.depth_mm / 2, 0.0)

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Front left, rear left, rear right, front right."""
        half, back = self.width_mm / 2, -self.depth_mm
        return (self.point_at(0, half), self.point_at(back, half), self.point_at(back, -half), self.point_at(0, -half))

    @property
    def shape(self) -> RoundedShape:
        return RoundedShape(self.corners)

    def pose_value(self) -> dict[str, JsonValue]:
        return {"front_mm": [*self.front], "facing_deg": math.degrees(self.facing_rad) % 360.0, "at_mm": [*self.centre]}

    def translate(self, ahead_mm: float, left_mm: float = 0.0) -> "BlockPose":
        return replace(self, front=self.point_at(ahead_mm, left_mm))

    def rotate(self, by_rad: float, pivot: Point) -> "BlockPose":
        """Turned about a point, anticlockwise."""
        return replace(self, front=rotate_about(self.front, pivot, by_rad), facing_rad=self.facing_rad + by_rad)

    def wheel(self, hand: str, by_rad: float) -> "BlockPose":
        """Wheeled about its front corner on that side. Source: Wheel, p. 15."""
        left = hand == "left"
        corner = self.point_at(0.0, self.width_mm / 2 if left else -self.width_mm / 2)
        return self.rotate(by_rad if left else -by_rad, corner)

    def apply_step(self, step: Step) -> "BlockPose":
        """After one step."""
        mm, turn = inches(step.by_in or 0.0), radians(step.by_deg or 0.0)
        match step.do:
            case "forward":
                return self.translate(mm)
            case "backward":
                return self.translate(-mm)
            case "left":
                return self.translate(0.0, mm)
            case "right":
                return self.translate(0.0, -mm)
            case "wheel-left":
                return self.wheel("left", turn)
            case "wheel-right":
                return self.wheel("right", turn)
            case "pivot":
                return self.rotate(turn, self.centre)

    def place_at(self, to: Pose | UnitPose) -> "BlockPose":
        """At a pose told of its front, or of its centre."""
        facing = self.facing_rad if to.facing_deg is None else radians(to.facing_deg)
        if isinstance(to, UnitPose):
            return replace(self, front=to.front_mm, facing_rad=facing)
        placed = replace(self, front=to.at_mm, facing_rad=facing)
        return placed.translate(self.depth_mm / 2)


def rotate_about(point: Point, pivot: Point, by_rad: float) -> Point:
    """The point turned about another, anticlockwise."""
    c, s = math.cos(by_rad), math.sin(by_rad)
    dx, dy = point[0] - pivot[0], point[1] - pivot[1]
    return (pivot[0] + c * dx - s * dy, pivot[1] + s * dx + c * dy)


def poses_after_steps(start: BlockPose, steps: Iterable[Step]) -> list[BlockPose]:
    """The pose after each step, the start first."""
    poses = [start]
    for step in steps:
        poses.append(poses[-1].apply_step(step))
    return poses


_TURN_RAD = math.radians(3.0)  # the rim bulges beyond the hull of such a piece by a fifteenth of a millimetre


def swept_shapes(
    start: BlockPose, step: Step, part: Callable[[BlockPose], BlockPose] = lambda whole: whole
) -> Iterator[RoundedShape]:
    """Swept area of a step, of all of a block or a `part`: a turn in small pieces, each the hull of its ends."""
    parts = 1
    if step.by_deg is not None:
        parts = max(1, math.ceil(radians(abs(step.by_deg)) / _TURN_RAD))
    before = start
    for k in range(1, parts + 1):
        share = k / parts
        shares = {"by_in": None if step.by_in is None else step.by_in * share,
                "by_deg": None if step.by_deg is None else step.by_deg * share}  # fmt: skip
        end = start.apply_step(step.model_copy(update=shares))
        yield RoundedShape(convex_hull([*part(before).corners, *part(end).corners]))
        before = end
