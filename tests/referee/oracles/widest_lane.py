"""Widest lane in Python, step for step as the compiled kernel finds it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from models.vocabulary import Point
from referee.geometry.shapes import Area
from referee.line_of_sight.boundary_curve import centre_of, clamp_to_end, reach_mm
from referee.line_of_sight.critical_lines import critical_segments, resting_segments
from referee.line_of_sight.scene import End, Obstacle, Wood
from referee.line_of_sight.widest_lane import Lane, lane_of
from tests.referee.oracles.blocked_proof import ascend_all_round, find_better
from tests.referee.oracles.growth_slack import Slack, slack_of
from tests.referee.oracles.local_search import Best, ascend_locally, trim_segment
from tests.referee.oracles.obstacle_clearance import point_gap
from tests.referee.oracles.obstacles import Kind, Thing, of_obstacle, of_solid, of_wood

_STEP_MM = 4e-10  # how much wider a lane must be to be looked for again
_FINE_MM = 1e-6  # the same where climbing from such a lane leads no further
_STRIDE = 8.0  # and then by so many times more or less
_HAIR_MM = 0.03  # the same where cells of lines are closed
_FAR_MM = 8.0  # what is better by far is found among few cells
_MORE = 3  # how many more things are taken into account at a time
_ENOUGH_MM = 2000.0  # no answer tells margins this large apart
_ROUNDS = 400


def plain_lane(start: End, stop: End, obstacles: tuple[Obstacle, ...] = (), woods: tuple[Wood, ...] = ()) -> Lane:
    """As `widest_lane`."""
    things = [*map(of_obstacle, obstacles), *map(of_wood, woods)]
    best, slacks = _LaneSearch(start, stop, things).run()
    return lane_of(best.value, _point(best.p), _point(best.q), slacks, _ids(obstacles, woods))


def plain_least_length_mm(start: End, stop: End, wood: Wood) -> float:
    """As `least_length_mm`."""
    return -best_by(start, stop, (of_wood(wood, Kind.LENGTH),)).value


def plain_height_to_spare_mm(
    start: End, stop: End, tops_mm: tuple[float, float], solids: tuple[tuple[Area, float], ...]
) -> float | None:
    """As `height_to_spare_mm`."""
    spare_mm = best_by(start, stop, tuple(of_solid(area, height, tops_mm) for area, height in solids)).value
    return spare_mm if math.isfinite(spare_mm) else None


def _ids(obstacles: tuple[Obstacle, ...], woods: tuple[Wood, ...]) -> list[str]:
    return [*(o.id for o in obstacles), *(w.id for w in woods)]


def _point(p: complex) -> Point:
    return p.real, p.imag


def best_by(start: End, stop: End, things: tuple[Thing, ...]) -> Best:
    """The best line by a measure of its own, climbed from there and from all round: a length, or height."""
    slack = Slack(start, stop, things)
    plain = ascend_locally(slack, Best(-math.inf, *_central_line(start, stop)))
    line = _best_critical(slack, 0.0, Best(-math.inf, *_central_line(start, stop)))
    line = plain if plain.value > line.value else line
    line = ascend_locally(slack, line) if line.value > -math.inf else line
    return ascend_all_round(slack, line)


def _central_line(start: End, stop: End) -> tuple[complex, complex]:
    return clamp_to_end(start, centre_of(stop)), clamp_to_end(stop, centre_of(start))


def _best_critical(slack: Slack, growth: float, best: Best) -> Best:
    """The best of all critical segments at this growth, if it beats `best`."""
    for p, q in _critical(slack, growth):
        value = slack.least(p, q, best.value)[0]
        if value > best.value:
            best = Best(value, p, q)
    return best


def _critical(slack: Slack, growth: float) -> Iterator[tuple[complex, complex]]:
    areas = [thing.area for thing in slack.things]
    measured = any(thing.kind in (Kind.LENGTH, Kind.SPARE) for thing in slack.things)
    is_flat = not (slack.is_woody or slack.is_sloped or measured)
    starts, stops = (resting_segments if is_flat else critical_segments)(*slack.ends, areas, growth)
    for p, q in zip(starts.tolist(), stops.tolist(), strict=True):
        yield clamp_to_end(slack.ends[0], p), clamp_to_end(slack.ends[1], q)


@dataclass(frozen=True)
class _Stride:
    """By how much a wider lane is looked for: by ever more while climbing leads no further, and less where none is."""

    mm: float = _STEP_MM
    failed_mm: float = math.inf

    def after(self, gain_mm: float) -> "_Stride":
        if gain_mm >= 2 * self.mm:
            return _Stride()
        longer = self.mm * _STRIDE
        return _Stride(max(longer, _FINE_MM), self.failed_mm) if longer < self.failed_mm else self

    def shorter(self) -> "_Stride":
        return _Stride(max(self.mm / _STRIDE, _FINE_MM), self.mm)


class _LaneSearch:
    """One question."""

    def __init__(self, start: End, stop: End, things: list[Thing]) -> None:
        self.start, self.stop = start, stop
        self.asked = things
        self.things = [self._as_solid(thing) if self._is_far(thing, 0.0) else thing for thing in things]
        self.slack = Slack(start, stop, ())

    @staticmethod
    def _as_solid(thing: Thing) -> Thing:
        """A wood that no end can come into closes a line as a wall does, unless it is told to let any line in."""
        return thing.with_kind(Kind.SOLID) if thing.kind is Kind.WOOD and thing.told is not True else thing

    def _is_far(self, thing: Thing, growth: float) -> bool:
        ends = (self.start, self.stop)
        return all(point_gap(thing, centre_of(end)) - reach_mm(end) > growth for end in ends)

    def run(self) -> tuple[Best, list[float]]:
        """The widest lane, and what each thing leaves it."""
        while True:
            best = self._widest()
            level = min(self.slack.level, best.value)
            slacks = [slack_of(thing, best.p, best.q, level, -math.inf) for thing in self.things]
            if not self._let_in(best.value):
                return best, slacks

    def _let_in(self, margin: float) -> bool:
        """Whether a wood grows to hold an end before the lane closes: then it is one after all."""
        more = False
        for i, (thing, asked) in enumerate(zip(self.things, self.asked, strict=True)):
            if asked.kind is not thing.kind and not self._is_far(thing, margin + 1):
                self.things[i], more = asked, True
        return more

    def _widest(self) -> Best:
        self.slack, taken = Slack(self.start, self.stop, ()), set[int]()
        best, stride = Best(math.inf, *_central_line(self.start, self.stop)), _Stride()
        for _ in range(_ROUNDS):
            if self._take_nearer(best, taken):
                self.slack.level, stride = 0.0, _Stride()
                best = self._ascend(best)
            elif not taken or best.value >= _ENOUGH_MM:
                break
            elif (wider := self._find_wider(best, stride.mm)) is not None:
                before, best = best, self._ascend(wider)
                stride = stride.after(best.value - before.value)
            elif stride.mm <= _FINE_MM:
                break
            else:
                stride, self.slack.level = stride.shorter(), max(best.value, 0.0)
        if taken:
            self.slack.level = min(best.value, max(0.0, best.value))
        return best

    def _ascend(self, line: Best) -> Best:
        best = ascend_locally(self.slack, line)
        return best if self.slack.is_woody or self.slack.is_sloped else trim_segment(self.slack, best)

    def _take_nearer(self, best: Best, taken: set[int]) -> bool:
        """Take into account what comes nearer to the line than the margin; whether there was any."""
        level = self.slack.level
        slacks = {
            i: slack_of(thing, best.p, best.q, level, -math.inf)
            for i, thing in enumerate(self.things)
            if i not in taken
        }
        nearer = sorted((i for i in slacks if slacks[i] < best.value - _STEP_MM / 10), key=lambda i: slacks[i])[:_MORE]
        for i in nearer:
            self.slack.take(self.things[i])
        taken.update(nearer)
        return bool(nearer)

    def _find_wider(self, best: Best, by_mm: float) -> Best | None:
        bar = best.value + by_mm / 2  # a line that is critical at a growth just has it
        if best.value >= 0:
            self.slack.level = best.value + by_mm
        found = _best_critical(self.slack, best.value + by_mm, Best(bar, best.p, best.q))
        if found.value > bar:
            return found
        if by_mm > _FINE_MM or not (self.slack.is_woody or self.slack.is_sloped) or self._is_held_flat(best.value):
            return None
        return self._prove_blocked(best)

    def _is_held_flat(self, value: float) -> bool:
        """Whether what closes whole lines leaves none that is wider, even if nothing else stood there."""
        flat = [thing for thing in self.slack.things if thing.is_flat]
        if not flat:
            return False
        slack, bar = Slack(self.start, self.stop, flat), value + _STEP_MM / 2
        return _best_critical(slack, value + _STEP_MM, Best(bar, *_central_line(self.start, self.stop))).value <= bar

    def _prove_blocked(self, best: Best) -> Best | None:
        by, found, all_judged = _FAR_MM, None, True
        while by >= _HAIR_MM and found is None and all_judged:
            low = best.value + by
            high = max(low, 0.0) if self.slack.is_woody and best.value < 0 else low
            self.slack.level = low if best.value >= 0 else 0.0
            found, all_judged = find_better(self.slack, low, high, best)
            by /= 4
        return found
