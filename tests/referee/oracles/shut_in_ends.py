"""Shut-in ends: whether an end has any room at all; patches of it are closed one by one."""

import cmath
import math
from typing import NamedTuple

from referee.line_of_sight.plane import dot
from referee.line_of_sight.scene import End
from tests.referee.oracles.growth_slack import Slack
from tests.referee.oracles.obstacle_clearance import point_gap
from tests.referee.oracles.obstacles import Kind, Thing

_MOST_PATCHES, _DEEPEST = 400, 120


class Patch(NamedTuple):
    """A stretch of angles and of distances from the centre of a disc."""

    angle: float
    half: float
    near: float
    far: float

    def corners(self, centre: complex) -> list[complex]:
        """Four points whose hull holds the patch."""
        reaches = (self.near, self.far / math.cos(self.half))
        return [centre + cmath.rect(r, self.angle + side * self.half) for r in reaches for side in (-1, 1)]

    def halves(self) -> "tuple[Patch, Patch]":
        if self.far * self.half * 2 > self.far - self.near:
            h = self.half / 2
            return self._replace(angle=self.angle - h, half=h), self._replace(angle=self.angle + h, half=h)
        middle = (self.near + self.far) / 2
        return self._replace(far=middle), self._replace(near=middle)


def is_shut_in(slack: Slack, which: int, growth: float) -> bool:
    """Whether no point of a round end keeps clear, by `growth`, of all that closes the first (or last) of a line.

    A gap to something convex is convex: nowhere on a patch is it larger than at a corner.
    """
    end = slack.ends[which]
    if not end.shape.is_disc():
        return False
    closing = [thing for thing in slack.things if _closes_end(thing, which)]
    patches = [Patch((k + 0.5) * math.tau / 8, math.tau / 16, 0.0, end.shape.radius_mm) for k in range(8)]
    looked = -1
    while patches:
        patch, looked = patches.pop(), looked + 1
        corners = patch.corners(complex(*end.shape.points[0]))
        if _is_cut_off(end, corners) or _most_room(closing, corners) <= growth:
            continue
        if looked > _MOST_PATCHES or len(patches) > _DEEPEST:
            return False
        patches += patch.halves()
    return True


def _closes_end(thing: Thing, which: int) -> bool:
    reaches = thing.to_share >= 1 if which else thing.from_share <= 0
    return thing.kind is Kind.SOLID and reaches and len(thing.parts) == 1


def _is_cut_off(end: End, corners: list[complex]) -> bool:
    return end.normal is not None and all(dot(c, complex(*end.normal)) < end.offset_mm for c in corners)


def _most_room(closing: list[Thing], corners: list[complex]) -> float:
    return min((max(point_gap(thing, c) for c in corners) for thing in closing), default=math.inf)
