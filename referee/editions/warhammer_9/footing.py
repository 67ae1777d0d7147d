"""Footing: where a regiment would stand, and the steps that lead there."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.pose import Pose
from models.turn import Step, UnitPose
from models.units import inches, radians
from models.words import Point
from referee.editions.warhammer_9.regiments import Regiment
from referee.shapes import Rounded


@dataclass(frozen=True)
class Footing:
    """The outline of a regiment: the middle of its front edge, where it looks, how wide and how deep it is."""

    front: Point
    facing_rad: float
    width_mm: float
    depth_mm: float

    @classmethod
    def of(cls, own: Regiment) -> "Footing":
        return cls(own.front, own.facing_rad, own.width_mm, own.depth_mm)

    def at(self, ahead_mm: float, left_mm: float) -> Point:
        c, s = math.cos(self.facing_rad), math.sin(self.facing_rad)
        return (self.front[0] + ahead_mm * c - left_mm * s, self.front[1] + ahead_mm * s + left_mm * c)

    @property
    def centre(self) -> Point:
        return self.at(-self.depth_mm / 2, 0.0)

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Front left, rear left, rear right, front right."""
        half, back = self.width_mm / 2, -self.depth_mm
        return (self.at(0, half), self.at(back, half), self.at(back, -half), self.at(0, -half))

    @property
    def shape(self) -> Rounded:
        return Rounded(self.corners)

    def pose(self) -> dict[str, JsonValue]:
        return {"front_mm": [*self.front], "facing_deg": math.degrees(self.facing_rad) % 360.0, "at_mm": [*self.centre]}

    def moved(self, ahead_mm: float, left_mm: float = 0.0) -> "Footing":
        return replace(self, front=self.at(ahead_mm, left_mm))

    def turned(self, by_rad: float, pivot: Point) -> "Footing":
        """Turned about a point, anticlockwise."""
        c, s = math.cos(by_rad), math.sin(by_rad)
        dx, dy = self.front[0] - pivot[0], self.front[1] - pivot[1]
        front = (pivot[0] + c * dx - s * dy, pivot[1] + s * dx + c * dy)
        return replace(self, front=front, facing_rad=self.facing_rad + by_rad)

    def wheeled(self, way: str, by_rad: float) -> "Footing":
        """Wheeled about its front corner on that side. Source: Wheel, p. 15."""
        left = way == "left"
        corner = self.at(0.0, self.width_mm / 2 if left else -self.width_mm / 2)
        return self.turned(by_rad if left else -by_rad, corner)

    def stepped(self, step: Step) -> "Footing":
        """After one step."""
        mm, turn = inches(step.by_in or 0.0), radians(step.by_deg or 0.0)
        match step.do:
            case "forward":
                return self.moved(mm)
            case "backward":
                return self.moved(-mm)
            case "left":
                return self.moved(0.0, mm)
            case "right":
                return self.moved(0.0, -mm)
            case "wheel-left":
                return self.wheeled("left", turn)
            case "wheel-right":
                return self.wheeled("right", turn)
            case "pivot":
                return self.turned(turn, self.centre)

    def standing(self, to: Pose | UnitPose) -> "Footing":
        """At a pose told of its front, or of its centre."""
        facing = self.facing_rad if to.facing_deg is None else radians(to.facing_deg)
        if isinstance(to, UnitPose):
            return replace(self, front=to.front_mm, facing_rad=facing)
        there = replace(self, front=to.at_mm, facing_rad=facing)
        return there.moved(self.depth_mm / 2)


def after(start: Footing, steps: Iterable[Step]) -> list[Footing]:
    """Where it stands after each step, the start first."""
    found = [start]
    for step in steps:
        found.append(found[-1].stepped(step))
    return found


_TURN_RAD = math.radians(3.0)  # the rim bulges beyond the hull of such a piece by a fifteenth of a millimetre


def on_the_way(start: Footing, step: Step) -> Iterator[Rounded]:
    """What a step sweeps: a straight one whole, a turn in small pieces, each as the hull of its ends."""
    from referee.shapes import hull

    parts = 1
    if step.by_deg is not None:
        parts = max(1, math.ceil(radians(abs(step.by_deg)) / _TURN_RAD))
    before = start
    for k in range(1, parts + 1):
        share = k / parts
        told = {"by_in": None if step.by_in is None else step.by_in * share,
                "by_deg": None if step.by_deg is None else step.by_deg * share}  # fmt: skip
        there = start.stepped(step.model_copy(update=told))
        yield Rounded(hull([*before.corners, *there.corners]))
        before = there
