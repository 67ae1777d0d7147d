"""Growth slack: by how much each thing may grow before it closes a line."""

import math
from collections.abc import Sequence

from referee.line_of_sight.plane import foot_on
from referee.line_of_sight.scene import End
from tests.referee.oracles.endpoints import rows_of_end
from tests.referee.oracles.forests import PassReason, conditions_inside, row_of_depth, wood_growth
from tests.referee.oracles.linear_constraints import Row, Stretch, rows_of_gap
from tests.referee.oracles.obstacle_clearance import thing_gap
from tests.referee.oracles.obstacles import NEVER_MM, Kind, Thing
from tests.referee.oracles.segment_intervals import core_span, disc_span, share_inside

_STEP_MM = 1e-6


def _clearance_over(thing: Thing, p: complex, q: complex) -> float:
    """By how much a line from top to top passes over a solid; never where it does not cross it."""
    found = [
        disc_span(p, q, part.corners[0], part.radius_mm) if len(part.corners) == 1 else core_span(part, p, q, 0.0)
        for part in thing.parts
    ]
    spans = [span for span in found if span is not None]
    if not spans:
        return NEVER_MM
    falls = thing.to_share <= thing.from_share
    share = max(s[1] for s in spans) if falls else min(s[0] for s in spans)
    return thing.from_share + share * (thing.to_share - thing.from_share) - thing.depth_mm


def slack_of(thing: Thing, p: complex, q: complex, level: float, enough: float) -> float:
    if thing.kind is Kind.SPARE:
        return _clearance_over(thing, p, q)
    if thing.kind is Kind.LENGTH:
        return -abs(q - p) * share_inside(thing, p, q, 0.0)
    if thing.kind is Kind.WOOD:
        return wood_growth(thing, p, q, level, enough)[0]
    on = Stretch.of(thing, p, q)
    return thing_gap(thing, on.p, on.q, enough)


class Slack:
    """What some things leave to lines between two ends, as they grow from `level`."""

    def __init__(self, start: End, stop: End, things: Sequence[Thing]) -> None:
        self.ends, self.things = (start, stop), list(things)
        self.level = 0.0
        self.circles = {id(thing): thing.circle() for thing in things}

    def take(self, thing: Thing) -> None:
        """Take one more thing into account."""
        self.things.append(thing)
        self.circles[id(thing)] = thing.circle()

    @property
    def is_woody(self) -> bool:
        return any(thing.kind is Kind.WOOD for thing in self.things)

    @property
    def is_sloped(self) -> bool:
        return any(thing.kind is Kind.SOLID and not thing.is_flat for thing in self.things)

    def _least_at(self, p: complex, q: complex, enough: float, level: float) -> float:
        best = math.inf
        for thing in sorted(self.things, key=lambda thing: thing.kind is Kind.WOOD):  # the quick ones first
            centre, reach = self.circles[id(thing)]
            if thing.kind is Kind.SOLID and abs(centre - foot_on(centre, p, q)) - reach >= best:
                continue
            best = min(best, slack_of(thing, p, q, level, enough))
            if best <= enough:
                return best
        return -math.inf if best >= NEVER_MM / 2 and any(t.kind is Kind.SPARE for t in self.things) else best

    def least(self, p: complex, q: complex, enough: float = -math.inf) -> tuple[float, float]:
        """The least slack, or anything at most `enough`; and the level at which it was found.

        A line that is closed at the level is as good as the nearest growth below at which all let it pass.
        """
        level, best = self.level, self._least_at(p, q, enough, self.level)
        for _ in range(8 if self.is_woody else 0):
            if not enough < best < level:
                break
            lower = self._least_at(p, q, enough, best)
            if lower >= best:
                break
            level, best = best, lower
        return best, level

    def rows(self, value: float, p: complex, q: complex, level: float, window: float) -> tuple[list[Row], list[Row]]:
        """The conditions that are no farther than `window` from deciding, and those that must go on holding."""
        rows: list[Row] = []
        held: list[Row] = []
        for thing in self.things:
            if thing.kind in (Kind.LENGTH, Kind.SPARE):
                rows.append(_measure_slack(thing, p, q))
                continue
            growth, how = (
                wood_growth(thing, p, q, level, -math.inf) if thing.kind is Kind.WOOD else (0.0, PassReason.UNTOUCHED)
            )
            if how is PassReason.UNTOUCHED:
                rows += rows_of_gap(thing, p, q, window)
                continue
            rows += row_of_depth(thing, p, q, growth) if how is PassReason.BY_DEPTH else []
            held += conditions_inside(thing, p, q, how, level, value)
        for which, (end, point) in enumerate(zip(self.ends, (p, q), strict=True)):
            held += rows_of_end(end, point, which, 2 * window)
        return rows, held


def _measure_slack(thing: Thing, p: complex, q: complex) -> Row:
    def rise(dp: complex, dq: complex) -> float:
        up, down = slack_of(thing, p + dp, q + dq, 0, -math.inf), slack_of(thing, p - dp, q - dq, 0, -math.inf)
        return (up - down) / (2 * _STEP_MM)

    h, v = _STEP_MM + 0j, 1j * _STEP_MM
    return Row(slack_of(thing, p, q, 0, -math.inf), (rise(h, 0j), rise(v, 0j), rise(0j, h), rise(0j, v)))
