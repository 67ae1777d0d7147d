"""Blocked proof: whether any line at all is open at a growth, where critical lines alone do not tell.

Lines that climb over a prism are closed on a stretch that begins or ends where the line passes its top, and woods let
them pass for a length. The lines that just pass are then no longer tangents alone: the point at which a line is as high
as a top lies over a rim, or the length inside is just the depth. Two such conditions meet in no closed form. So lines
are closed by whole cells instead, and nothing is sampled:

1. *A line and its two choices.* Every line enters the first end on its far rim and leaves the second on its far rim:
   two numbers along two rims. A player may begin anywhere on the chord of the first end and stop anywhere on that of
   the second: two more numbers, `leave` and `enter`. Everything that closes the line does so on an interval of it, and
   bars those choices for which `leave + share (enter - leave)` lies on one side of an end of an interval. What is
   allowed is thus a union of convex polygons in (leave, enter), and if there is any of it, there is one of its corners:
   where two of these bounds meet. All of them are tried (`Choice`), so a single line is judged exactly.
2. *A cell of lines.* What closes all four outermost lines of a cell closes every line of it, from where the last of
   them meets it to where the first of them leaves it: of the lines from one point, those that meet something convex
   before a share of their length, or leave it after, are an interval. Rims bulge from straight by a little, and things
   are taken smaller by that. Of all lines in a cell, points at the same share lie within half the cell of that point of
   the middle line: ends, and woods where one must be inside them, are taken larger by half the cell, and depths by what
   a length can differ. If the middle line is then not open, the whole cell is closed.
3. Otherwise the middle line's own choice is measured; when it is better than the best line known, the search is over,
   else the cell is cut in two. A cell much smaller than what is asked for decides one way or the other.

Large cells come first. Where very many lines are about as good as the best (a plateau), cells of a few tenths of a
millimetre are left in thousands: then the lines in them are climbed from, those that lie apart, wherever they may begin
and stop; where no wood stands, lines from all over the first end to all over the second are climbed from as well. The
proof is then worth the size of the cells.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from referee.line_of_sight.boundary_curve import Piece, centre_of, clamp_to_end, pieces_of, reach_mm
from referee.line_of_sight.plane import dot, foot_on
from referee.line_of_sight.scene import End
from tests.referee.oracles.endpoints import end_span, rim_outward
from tests.referee.oracles.growth_slack import Slack
from tests.referee.oracles.local_search import Best, ascend_locally
from tests.referee.oracles.obstacles import Kind, Thing
from tests.referee.oracles.segment_intervals import Span, common_spans, spans_of
from tests.referee.oracles.shut_in_ends import is_shut_in

_MOST_CELLS = 2000
_MANY_SIDES = 200  # with more, fewer cells
_MOST_STARTS = 8
_MOST_CHOICES = 16
_MOST_CORNERS = 120
_APART_MM = 8.0
_SPREAD = 3
_ROUND = 24
_MOST_BEND_RAD = 1.5
_DUST = 1e-12
_ROUNDING_MM = 1e-9


@dataclass(frozen=True)
class Cell:
    """Lines from s +- half_s on one piece of rim to t +- half_t on the other, at growths between two."""

    a: Piece
    b: Piece
    s: float
    t: float
    half_s: float
    half_t: float
    low: float
    high: float

    @property
    def line(self) -> tuple[complex, complex]:
        return self.a.point_at(self.s), self.b.point_at(self.t)

    def halves(self) -> "tuple[Cell, Cell]":
        if self.high - self.low > 2 * max(self.half_s, self.half_t):
            middle = (self.low + self.high) / 2
            return replace(self, high=middle), replace(self, low=middle)
        if self.half_s >= self.half_t:
            h = self.half_s / 2
            return replace(self, s=self.s - h, half_s=h), replace(self, s=self.s + h, half_s=h)
        h = self.half_t / 2
        return replace(self, t=self.t - h, half_t=h), replace(self, t=self.t + h, half_t=h)

    def off_beside(self, centre: complex, reach: float) -> float:
        """How far, at most, a line of the cell lies from the middle line beside a circle."""
        p, q = self.line
        length2, most = abs(q - p) ** 2, max(self.half_s, self.half_t)
        if length2 <= 0:
            return most
        at, wide = dot(centre - p, q - p) / length2, (reach + most) / math.sqrt(length2)
        shares = (min(1.0, max(0.0, at - wide)), min(1.0, max(0.0, at + wide)))
        return max(self.half_s + share * (self.half_t - self.half_s) for share in shares)

    def runs_backward(self) -> bool:
        """Whether all its lines leave an end backwards: from the far rim each of them is in another cell."""
        p, q = self.line
        length = abs(q - p)
        if length <= 0 or (turn := (self.half_s + self.half_t) / length) > 0.5:
            return False
        w = (q - p) / length
        return _is_left_by(self.a, p, w, turn, self.half_s) or _is_left_by(self.b, q, -w, turn, self.half_t)


def _is_left_by(piece: Piece, at: complex, way: complex, turn: float, half: float) -> bool:
    if piece.length_mm <= 0:
        return False
    bend = half / piece.radius_mm if piece.radius_mm > 0 else 0.0
    return dot(rim_outward(piece, at), way) > turn + bend


@dataclass(frozen=True)
class Rims:
    """The outermost lines of a cell, and how far its stretches of rim bulge from straight."""

    lines: tuple[tuple[complex, complex], ...]
    bulge_mm: float

    @classmethod
    def of(cls, cell: Cell) -> "Rims":
        bulge = max(_bulge_mm(cell.a, cell.half_s), _bulge_mm(cell.b, cell.half_t))
        if bulge == math.inf:
            return cls((), bulge)
        ps = [cell.a.point_at(cell.s + k * cell.half_s) for k in (-1, 1)]
        qs = [cell.b.point_at(cell.t + k * cell.half_t) for k in (-1, 1)]
        return cls(tuple((p, q) for q in qs for p in ps), bulge + _ROUNDING_MM)


def _bulge_mm(piece: Piece, half: float) -> float:
    if piece.radius_mm == 0:
        return 0.0
    bend = half / piece.radius_mm
    return piece.radius_mm * (1 - math.cos(bend)) if bend < _MOST_BEND_RAD else math.inf


@dataclass(frozen=True)
class ClosedLines:
    """What one thing closes, at the least, on the lines of a cell."""

    thing: Thing
    spans: list[Span]
    inside: list[Span]
    depth: float

    @property
    def is_wood(self) -> bool:
        return self.thing.kind is Kind.WOOD

    def lets_pass(self, leave: float, enter: float) -> bool:
        first, last = (0.0, 1.0) if self.is_wood else (self.thing.from_share, self.thing.to_share)
        low, high = leave + first * (enter - leave), leave + last * (enter - leave)
        met = [s for s in self.spans if s[1] > low + _DUST and s[0] < high - _DUST]
        if not met:
            return True
        if not self.is_wood or sum(min(s[1], high) - max(s[0], low) for s in met) > self.depth + _DUST:
            return False
        if self.thing.told is not None:
            return self.thing.told
        return any(s[0] - _DUST <= x <= s[1] + _DUST for s in self.inside for x in (leave, enter))


Mark = tuple[float, float, float]  # a * leave + b * enter = c


@dataclass
class Choice:
    """From where to where a line may leave the one end and enter the other, and where that begins to matter."""

    last_leave: float
    first_enter: float
    closed: list[ClosedLines]

    def passes(self, leave: float, enter: float) -> bool:
        if (
            not -_DUST <= leave <= min(enter, self.last_leave) + _DUST
            or not self.first_enter - _DUST <= enter <= 1 + _DUST
        ):
            return False
        return all(closed.lets_pass(leave, enter) for closed in self.closed)

    def passing_pairs(self, most: int) -> list[tuple[float, float]]:
        """The first few choices at which all let the line pass: if any does, some corner of what is allowed does."""
        return list(islice((pair for pair in self._corners() if self.passes(*pair)), most))

    def _corners(self) -> Iterator[tuple[float, float]]:
        leaves, enters, marks = self._bounds()
        yield from ((x, y) for x in leaves for y in enters)
        for a, b, c in marks:
            if abs(b) > _DUST:
                yield from ((x, (c - a * x) / b) for x in leaves)
            if abs(a) > _DUST:
                yield from (((c - b * y) / a, y) for y in enters)
            for d, e, f in marks:
                det = a * e - b * d
                if abs(det) > _DUST:
                    yield (c * e - b * f) / det, (a * f - c * d) / det

    def _bounds(self) -> tuple[list[float], list[float], list[Mark]]:
        leaves, enters, marks = [], [], []
        for closed in self.closed:
            found = _marks_of_wood(closed) if closed.is_wood else _marks_of_solid(closed)
            leaves += found[0]
            enters += found[1]
            marks += found[2]
        leaves = [x for x in leaves if 0 < x < self.last_leave]
        enters = [y for y in enters if self.first_enter < y < 1]
        ends = [self.last_leave, *([0.0] if self.last_leave > 0 else [])]
        stops = [self.first_enter, *([1.0] if self.first_enter < 1 else [])]
        return ends + leaves, stops + enters, marks


def _marks_of_solid(closed: ClosedLines) -> tuple[list[float], list[float], list[Mark]]:
    a, b = closed.thing.from_share, closed.thing.to_share
    leaves, enters, marks = [], [], []
    for first, last in closed.spans:
        if a > 0:
            marks.append((1 - a, a, last))
        else:
            leaves.append(last)
        if b < 1:
            marks.append((1 - b, b, first))
        else:
            enters.append(first)
    return leaves, enters, marks


def _marks_of_wood(closed: ClosedLines) -> tuple[list[float], list[float], list[Mark]]:
    leaves = [x for span in closed.spans + closed.inside for x in span]
    enters, marks = list(leaves), []
    for i, (first, last) in enumerate(closed.spans):
        before = 0.0
        for low, high in closed.spans[i:]:  # the full depth between one stretch and another
            enters.append(closed.depth - before + low)
            marks.append((-1.0, 1.0, closed.depth - before + low - first))
            before += high - low
            leaves.append(last - (closed.depth - (before - (last - first))))
    return leaves, enters, marks


def find_better(slack: Slack, low: float, high: float, best: Best) -> tuple[Best | None, bool]:
    """A line better than the best if one is open at any growth from low to high; and whether all cells were judged."""
    if is_shut_in(slack, 0, low) or is_shut_in(slack, 1, low):
        return None, True
    cells = [_whole_cell(a, b, low, high) for a in pieces_of(slack.ends[0]) for b in pieces_of(slack.ends[1])]
    most = _MOST_CELLS * _MANY_SIDES // max(_MANY_SIDES, sum(map(_sides, slack.things)))
    for k, cell in enumerate(cells):  # grows as it is walked
        if len(cells) + 2 > most:
            return _ascend_from(slack, cells[k:], best), False
        for line in _open_lines(slack, cell, 1):
            value = slack.least(*line, best.value)[0]
            if value > best.value + _ROUNDING_MM:
                return Best(value, *line), True
            cells += cell.halves()
    return None, True


def _sides(thing: Thing) -> int:
    return len(thing.parts) + len(thing.outline) + 1


def _whole_cell(a: Piece, b: Piece, low: float, high: float) -> Cell:
    return Cell(a, b, a.length_mm / 2, b.length_mm / 2, a.length_mm / 2, b.length_mm / 2, low, high)


Line = tuple[complex, complex]


def _open_lines(slack: Slack, cell: Cell, most: int) -> list[Line]:
    """Lines of the cell that may be open, as far as it lets tell; none if every one of them is closed."""
    if cell.runs_backward():
        return []
    p, q = cell.line
    leave, enter = (
        end_span(end, p, q, cell.off_beside(centre_of(end), reach_mm(end)) + _ROUNDING_MM) for end in slack.ends
    )
    choice = Choice(leave[1] if leave else 0.0, enter[0] if enter else 1.0, [])
    rims = Rims.of(cell)
    for thing in slack.things:
        closed = _judge_cell(slack, thing, cell, rims)
        if (
            closed.spans
            and thing.is_flat
            and any(
                last > choice.last_leave + _DUST and first < choice.first_enter - _DUST for first, last in closed.spans
            )
        ):
            return []  # it bars all that lies between both ends
        choice.closed += [closed] if closed.spans else []
    start, stop = slack.ends
    return [
        (clamp_to_end(start, p + x * (q - p)), clamp_to_end(stop, p + y * (q - p)))
        for x, y in choice.passing_pairs(most)
    ]


def _judge_cell(slack: Slack, thing: Thing, cell: Cell, rims: Rims) -> ClosedLines:
    p, q = cell.line
    centre, reach = slack.circles[id(thing)]
    off = cell.off_beside(centre, reach + max(cell.high, 0.0))
    if abs(centre - foot_on(centre, p, q)) >= reach + cell.low - off + _ROUNDING_MM:
        return ClosedLines(thing, [], [], 0.0)
    if rims.bulge_mm < off and (not thing.is_nested or cell.low - rims.bulge_mm >= 0):
        spans = common_spans(thing, rims.lines, cell.low - rims.bulge_mm)
    else:
        spans = spans_of(thing, p, q, cell.low - off)
    if thing.kind is not Kind.WOOD or not spans:
        return ClosedLines(thing, spans, [], 0.0)
    length = abs(q - p) - cell.half_s - cell.half_t
    inside = spans_of(thing, p, q, cell.high + off + 2 * _ROUNDING_MM) if thing.told is None else []
    return ClosedLines(thing, spans, inside, thing.depth_mm / length if length > 0 else math.inf)


def _ascend_from(slack: Slack, cells: list[Cell], best: Best) -> Best | None:
    """Better lines about those that could not be closed in time."""
    starts: list[Best] = []
    if any(thing.is_nested and len(thing.outline) > _MOST_CORNERS for thing in slack.things):
        return None  # every step among so many corners takes long: what was found must do
    for cell in cells:
        for line in _open_lines(slack, cell, _MOST_CHOICES):
            _keep(starts, Best(slack.least(*line)[0], *line))
    for start in starts if slack.is_woody else chain(starts, _lines_across(slack)):
        found = ascend_locally(slack, start)
        if found.value > best.value + _ROUNDING_MM:
            return found
    return None


def _lines_across(slack: Slack) -> Iterator[Best]:
    """Lines from all over the first end to all over the second."""
    for k in range(_SPREAD * _SPREAD):
        places = zip(slack.ends, (k % _SPREAD, k // _SPREAD), strict=True)
        p, q = (_keep_apart(end, 0.7 if j else 0.0, j / (_SPREAD - 1)) for end, j in places)
        yield Best(0.0, p, q)


def ascend_all_round(slack: Slack, best: Best) -> Best:
    """The best line by climbing from the best of those from rim to rim that lie apart."""
    starts: list[Best] = []
    for k in range(_ROUND * _ROUND):
        p, q = (_keep_apart(end, 1.0, j / _ROUND) for end, j in zip(slack.ends, (k % _ROUND, k // _ROUND), strict=True))
        _keep(starts, Best(slack.least(p, q)[0], p, q))
    for start in starts:
        found = ascend_locally(slack, start)
        best = found if found.value > best.value + _ROUNDING_MM else best
    return best


def _keep_apart(end: End, share: float, turns: float) -> complex:
    far, angle = share * reach_mm(end), turns * math.tau
    return clamp_to_end(end, centre_of(end) + far * complex(math.cos(angle), math.sin(angle)))


def _keep(starts: list[Best], line: Best) -> None:
    """Keep the best few that lie apart."""
    for i, other in enumerate(starts):
        if abs(other.p - line.p) + abs(other.q - line.q) < _APART_MM:
            if line.value > other.value:
                starts[i] = line
            return
    if len(starts) < _MOST_STARTS:
        starts.append(line)
        return
    worst = min(range(len(starts)), key=lambda i: starts[i].value)
    if line.value > starts[worst].value:
        starts[worst] = line
