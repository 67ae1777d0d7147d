"""Sight lanes: all lanes between two bases that could decide, each as the least of its critical lines.

A lane is a family of lines that pass everything on the same side. Near a table its clearance is the top of a small
linear programme: the line slides along both rims, everything leaves it some room. By duality that top is the least of a
few sums that do not depend on the line any more, only on where things stand: the clearances of critical lines.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from referee.arrays import Booleans, Complexes, Floats
from referee.cached_attribute import cached_attribute
from referee.geometry.shapes import Area, RoundedShape
from referee.line_of_sight import End, Obstacle
from referee.line_of_sight.boundary_curve import Piece as RimPiece
from referee.line_of_sight.boundary_curve import pieces_of
from referee.line_of_sight.critical_lines import closest_and_central, critical_segments, resting_segments
from referee.line_of_sight.segment_clearance import to_convex
from referee.margins.lane_clearance import MovableObstacle, Row, dot, rows_of
from referee.rules.margin_form import LinearPiece, MarginForm, Maximum, Minimum
from referee.rules.perturbation import NO_PERTURBATION, Perturbation

Ends = Callable[[Mapping[str, Perturbation]], tuple[End, End]]

_STEP = 1e-5  # how far things are moved to see how the ends follow, mm or radians
_MOST_ROWS = 9  # things that hold one lane, at most
_BESIDE_MM = 8.0  # what leaves this much more room than the lane is wide does not hold it
_SLIDE_MM = 10.0  # how far along a rim the picture of straight lines is trusted
_CLIMBS = 12
_MOST_LANES = 10
_DUST = 1e-9
_ON_RIM_MM = 1e-6


@dataclass(frozen=True)
class Slide:
    """A line on one piece of either rim: the way each end slides, and how far it may."""

    tangents: tuple[complex, complex]
    boxes: tuple[tuple[float, float], tuple[float, float]]
    anchors: tuple[tuple[int, float, bool], tuple[int, float, bool]]


@dataclass(frozen=True)
class Lanes:
    """One question: ends as functions of what is perturbed, and what stands between."""

    ends: Ends
    movers: tuple[str, str]
    things: tuple[MovableObstacle, ...]

    def form(self, start: complex, stop: complex, margin_mm: float, within_mm: float) -> MarginForm | None:
        """The form of the widest lane's margin, with every lane that could be open within so much of the threshold.

        `start` and `stop` are the ends of the widest line. None where its critical lines cannot be told.
        """
        close = abs(margin_mm) < within_mm
        if not all(self._rims):
            return None
        lanes = [lane for lane in (self._widest(start, stop, margin_mm, close=close),) if lane is not None]
        if close and lanes:
            others = (self._ascend(p, q) for p, q in self._others(start, stop, within_mm))
            lanes += [lane for lane in (self._lane(*line, aside=True) for line in others) if lane is not None]
        return Maximum(tuple(lanes)) if len(lanes) > 1 else lanes[0] if lanes else None

    def _widest(self, start: complex, stop: complex, margin_mm: float, *, close: bool) -> MarginForm | None:
        """The form of the lane that is the widest, as wide as it is; None where none is found.

        What stands at one end only, by its height, may be closer to a line that is cut short: it is then taken whole.
        """
        first, last = self.ends({})
        cut = _outward(first, start, stop), _outward(last, stop, start)
        for p, q in dict.fromkeys((cut, (start, stop))):
            for aside in dict.fromkeys((close, False)):
                lane = self._lane(p, q, aside=aside) if self._is_on_rims(p, q) else None
                if lane is not None and abs(_value(lane) - margin_mm) <= _slack_mm(margin_mm, aside=aside):
                    return lane
        return None

    def _is_on_rims(self, p: complex, q: complex) -> bool:
        return all(
            min(abs(piece.point_at(piece.nearest_mm(at)) - at) for piece in rim) < _ON_RIM_MM
            for rim, at in zip(self._rims, (p, q), strict=True)
        )

    @cached_attribute
    def _rims(self) -> tuple[tuple[RimPiece, ...], tuple[RimPiece, ...]]:
        start, stop = self.ends({})
        return pieces_of(start), pieces_of(stop)

    @cached_attribute
    def _perturbed_rims(self) -> list[tuple[str, str, tuple[tuple[RimPiece, ...], tuple[RimPiece, ...]]]]:
        """Both rims after either of their bases moved a little each way."""
        rims = []
        for id_ in self.movers:
            for axis in ("dx_mm", "dy_mm", "turn_rad"):
                start, stop = self.ends({id_: Perturbation(**{axis: _STEP})})
                rims.append((id_, axis, (pieces_of(start), pieces_of(stop))))
        return rims

    def _lane(self, p: complex, q: complex, *, aside: bool) -> MarginForm | None:
        """The form of the lane about a line that is the best of its lane; see `_features` for `aside`."""
        rows = self._rows(p, q, aside=aside)
        if not rows:
            return None
        forms = []
        for slide in self._slides(p, q):
            duals = [self._piece(weights, slide, rows, p, q) for weights in _duals(rows, slide)[0]]
            if not duals or any(dual is None for dual in duals):
                return None
            forms.append(Minimum(tuple(dual for dual in duals if dual is not None)))
        return Maximum(tuple(forms)) if len(forms) > 1 else forms[0]

    def _rows(self, p: complex, q: complex, *, aside: bool = True) -> list[Row]:
        rows = [row for thing in self.things for row in rows_of(thing, p, q, aside=aside)]
        rows.sort(key=lambda row: row.mm)
        return [row for row in rows[:_MOST_ROWS] if row.mm <= rows[0].mm + _BESIDE_MM]

    def _slides(self, p: complex, q: complex) -> list[Slide]:
        ways = [_pieces_at(rim, at) for rim, at in zip(self._rims, (p, q), strict=True)]
        return [Slide((a[0], b[0]), (a[1], b[1]), (a[2], b[2])) for a in ways[0] for b in ways[1]]

    def _piece(self, weights: Floats, slide: Slide, rows: list[Row], p: complex, q: complex) -> LinearPiece | None:
        """One dual sum as a length over perturbations."""
        value = _bounds(slide) @ weights[len(rows) :]
        slopes: dict[str, Perturbation] = {}
        for weight, row in zip(weights, rows, strict=False):
            if weight > _DUST:
                value += weight * row.mm
                for id_ in row.of.movers:
                    turned = dot(row.by_feature, 1j * (row.feature - row.of.about))
                    slope = Perturbation(row.by_feature.real, row.by_feature.imag, turned)
                    slopes[id_] = slopes.get(id_, NO_PERTURBATION).add(slope, float(weight))
        by_p = sum(w * row.by_p for w, row in zip(weights, rows, strict=False))
        by_q = sum(w * row.by_q for w, row in zip(weights, rows, strict=False))
        resting = [_follow_point(self._rims[k], slide.anchors[k]) for k in (0, 1)]
        for id_, axis, rims in self._perturbed_rims:
            moved = [_follow_point(rims[k], slide.anchors[k]) for k in (0, 1)]
            if moved[0] is None or moved[1] is None or resting[0] is None or resting[1] is None:
                return None
            speed = (dot(by_p, moved[0] - resting[0]) + dot(by_q, moved[1] - resting[1])) / _STEP
            slopes[id_] = slopes.get(id_, NO_PERTURBATION).add(Perturbation(**{axis: 1.0}), speed)
        return LinearPiece(float(value), slopes)

    def _ascend(self, p: complex, q: complex) -> tuple[complex, complex]:
        """The best line of the lane that this line is in."""
        room, here = 4.0, _least(self._rows(p, q))
        for _ in range(_CLIMBS):
            rows = self._rows(p, q)
            best = max((self._step(slide, rows, room) for slide in self._slides(p, q)), key=lambda step: step[0])
            slid = [_slide_line(rim, anchor, by) for rim, anchor, by in zip(self._rims, *best[1:], strict=True)]
            reached = _least(self._rows(*slid))
            if reached > here + _DUST:
                (p, q), here = slid, reached
            elif room < 1e-4:
                break
            else:
                room /= 8
        return p, q

    def _step(
        self, slide: Slide, rows: list[Row], room: float
    ) -> tuple[float, tuple[tuple[int, float, bool], ...], tuple[float, float]]:
        boxes = tuple((max(low, -room), min(high, room)) for low, high in slide.boxes)
        weights, steps = _duals(rows, Slide(slide.tangents, (boxes[0], boxes[1]), slide.anchors))
        values = [
            sum(w * row.mm for w, row in zip(weight, rows, strict=False))
            + float(_bounds_of(boxes) @ weight[len(rows) :])
            for weight in weights
        ]
        if not values:
            return (-np.inf, slide.anchors, (0.0, 0.0))
        k = int(np.argmin(values))
        return (values[k], slide.anchors, (float(steps[k][0]), float(steps[k][1])))

    def _others(self, start: complex, stop: complex, within_mm: float) -> list[tuple[complex, complex]]:
        """One line of every other lane that is not closed by more than this."""
        ends = self.ends({})
        areas = [_as_area(part) for thing in self.things for part in thing.obstacle.area.parts]
        is_flat = all(thing.obstacle.is_flat for thing in self.things)
        segments = resting_segments if is_flat else critical_segments
        critical = [segments(*ends, areas, level) for level in (-within_mm, 0.0)]
        p, q = (np.concatenate(both) for both in zip(closest_and_central(*ends), *critical, strict=True))
        room = np.min([_room(p, q, thing.obstacle) for thing in self.things], axis=0)
        kept = np.flatnonzero(room >= -within_mm - 1e-6)
        order = kept[np.argsort(-room[kept], kind="stable")]
        seen = {self._sides(np.array([start]), np.array([stop])).tobytes()}
        lines: list[tuple[complex, complex]] = []
        for k in order:
            side = self._sides(p[k : k + 1], q[k : k + 1]).tobytes()
            if side not in seen and len(lines) < _MOST_LANES:
                seen.add(side)
                lines.append((complex(p[k]), complex(q[k])))
        return lines

    def _sides(self, p: Complexes, q: Complexes) -> Booleans:
        """On which side of each line every part stands."""
        centres = np.array([complex(*part.centre) for thing in self.things for part in thing.obstacle.area.parts])
        return np.imag(np.conjugate(q - p)[:, None] * (centres[None, :] - p[:, None])) > 0


def _value(form: MarginForm) -> float:
    if isinstance(form, LinearPiece):
        return form.mm
    values = [_value(part) for part in form.of]
    return min(values) if isinstance(form, Minimum) else max(values)


def _slack_mm(margin_mm: float, *, aside: bool) -> float:
    """By how much a form may differ from the margin, which shrinks walls where the form pushes them aside."""
    return 1e-3 + (max(0.0, -margin_mm) if aside else 0.0)


def _least(rows: list[Row]) -> float:
    return min((row.mm for row in rows), default=np.inf)


def _room(p: Complexes, q: Complexes, obstacle: Obstacle) -> Floats:
    a, b = p + obstacle.from_share * (q - p), p + obstacle.to_share * (q - p)
    return np.asarray(np.min([to_convex(a, b, part) for part in obstacle.area.parts], axis=0))


def _outward(end: End, at: complex, toward: complex) -> complex:
    """Where a line that begins in an end leaves it: what is left of the line is as clear."""
    aim = (toward - at) / (abs(toward - at) or 1.0)
    far = abs(toward - at) / 2
    if end.shape.is_disc():
        from_centre = at - complex(*end.shape.points[0])
        along = dot(from_centre, aim)
        room = end.shape.radius_mm**2 - abs(from_centre) ** 2 + along * along
        far = min(far, max(0.0, math.sqrt(max(0.0, room)) - along))
    planes = [(complex(*a), -1j * (complex(*b) - complex(*a))) for a, b in end.shape.edges()]
    if end.normal is not None:
        planes.append((complex(*end.normal) * end.offset_mm, -complex(*end.normal)))
    for corner, outward in planes:
        if (speed := dot(aim, outward)) > 0:
            far = min(far, max(0.0, dot(corner - at, outward) / speed))
    return at + far * aim


def _pieces_at(
    rim: Sequence[RimPiece], at: complex
) -> list[tuple[complex, tuple[float, float], tuple[int, float, bool]]]:
    """The pieces of the rim that a point lies on: the way along each, how far it may slide, and where on it it is."""
    near = [(abs(piece.point_at(piece.nearest_mm(at)) - at), k) for k, piece in enumerate(rim)]
    closest = min(away for away, _ in near)
    pieces = []
    for away, k in near:
        if away <= closest + 1e-7:
            piece = rim[k]
            s = piece.nearest_mm(at)
            tangent = piece.along if piece.radius_mm == 0 else 1j * (piece.point_at(s) - piece.centre) / piece.radius_mm
            whole = len(rim) == 1 and piece.radius_mm > 0
            box = (-_SLIDE_MM, _SLIDE_MM) if whole else (max(-_SLIDE_MM, -s), min(_SLIDE_MM, piece.length_mm - s))
            from_end = not whole and s > piece.length_mm / 2
            pieces.append((tangent, box, (k, piece.length_mm - s if from_end else s, from_end)))
    return pieces


def _follow_point(rim: Sequence[RimPiece], anchor: tuple[int, float, bool]) -> complex | None:
    """Where a point of the rim went; None when its piece is gone."""
    k, s, from_end = anchor
    if k >= len(rim):
        return None
    return rim[k].point_at(rim[k].length_mm - s if from_end else s)


def _slide_line(rim: Sequence[RimPiece], anchor: tuple[int, float, bool], by_mm: float) -> complex:
    k, s, from_end = anchor
    return rim[k].point_at((rim[k].length_mm - s if from_end else s) + by_mm)


def _bounds(slide: Slide) -> Floats:
    return _bounds_of(slide.boxes)


def _bounds_of(boxes: Sequence[tuple[float, float]]) -> Floats:
    """What the sides of the box add to a dual sum."""
    return np.array([-boxes[0][0], boxes[0][1], -boxes[1][0], boxes[1][1]])


def _duals(rows: list[Row], slide: Slide) -> tuple[list[Floats], list[Floats]]:
    """Weights over rows and sides of the box, one for each vertex of the dual; and the step each belongs to."""
    slopes = np.array([[1.0, dot(r.by_p, slide.tangents[0]), dot(r.by_q, slide.tangents[1])] for r in rows])
    sides = np.array([[0.0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])
    columns = np.concatenate([slopes, sides])
    room = np.concatenate([[r.mm for r in rows], _bounds(slide)])
    triples = np.array([t for t in combinations(range(len(columns)), 3) if t[0] < len(rows)])
    systems = columns[triples].transpose(0, 2, 1)
    solid = np.abs(np.linalg.det(systems)) > 1e-10
    triples, systems = triples[solid], systems[solid]
    solved = np.linalg.solve(systems, np.broadcast_to(np.array([[1.0], [0], [0]]), (len(systems), 3, 1)))[:, :, 0]
    held = (solved >= -_DUST).all(axis=1)
    weights, steps, seen = [], [], set()
    for triple, system, part in zip(triples[held], systems[held], solved[held], strict=True):
        whole = np.zeros(len(columns))
        whole[triple] = np.maximum(part, 0.0)
        key = whole.round(9).tobytes()
        if key not in seen:
            seen.add(key)
            weights.append(whole)
            steps.append(-np.linalg.solve(system.T, room[triple])[1:])
    return weights, steps


def _as_area(part: RoundedShape) -> Area:
    """A convex part that can shrink."""
    return Area((part,)) if part.radius_mm > 0 else Area((part,), part.points)
