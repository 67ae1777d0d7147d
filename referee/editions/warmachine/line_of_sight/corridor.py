"""Corridor of lines of sight: what closes it, and by how much."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from models.miniature import Miniature
from models.queries import Los
from models.terrain import Effect, Terrain
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.arrays import Floats
from referee.editions.warmachine import parameters
from referee.editions.warmachine.miniatures.arcs import arc_piece, swing_mm
from referee.editions.warmachine.miniatures.base_state import has_stealth, is_at_rim, may_raise
from referee.geometry.broad_phase import BoundingDiscs, Discs
from referee.geometry.distance import gap, nearest_on_segment
from referee.geometry.shapes import Area, RoundedShape, turn
from referee.line_of_sight import End, Lane, Obstacle, Wood
from referee.margins.lane_clearance import MovableObstacle
from referee.margins.sight_lanes import Lanes
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import KnownForm, LinearPiece, MarginForm, Minimum
from referee.rules.switches import is_out_of_reach
from referee.uncertainty.error_modes import place_sigma_mm

Ends = Callable[[ExactTable], tuple[End, End]]
_SIGMAS = 6.0  # what is farther off than so many sigmas is not waited for
_BOTH_WAYS = 1.5  # at most so many sigmas of a place go into a lane: both its sides, and both ends of the line
_WOOD_MM = 10.0  # a wood that leaves this much more room than the lane is wide does not hold it


@dataclass(frozen=True)
class Corridor:
    """The hull of two bases, widened to the larger of them."""

    a: Point
    b: Point
    half_mm: float

    @classmethod
    def between(cls, a: RoundedShape, b: RoundedShape) -> "Corridor":
        return cls(a.centre, b.centre, max(a.reach_mm, b.reach_mm))

    def meets(self, area: Area) -> bool:
        """Whether the area lies in the way."""
        return self.beyond_mm(area) <= 0

    def beyond_mm(self, area: Area) -> float:
        """How far the area at least stays from it; over zero when it lies nowhere in the way."""
        return min((self._beyond_mm(part) for part in area.parts), default=math.inf)

    def all_beyond_mm(self, areas: Iterable[Area], discs: Discs) -> list[float]:
        """The same for many areas; `discs` hold their parts, in order."""
        rough = iter((discs.beyond_mm(self.a, self.b) - self.half_mm).tolist())
        parts = ([far if far > 0 else self._near_mm(p) for p, far in zip(a.parts, rough, strict=False)] for a in areas)
        return [min(beyond, default=math.inf) for beyond in parts]

    def _beyond_mm(self, part: RoundedShape) -> float:
        centre = part.centre
        rough = math.dist(centre, nearest_on_segment(centre, self.a, self.b)) - part.reach_mm - self.half_mm
        return rough if rough > 0 else self._near_mm(part)

    def _near_mm(self, part: RoundedShape) -> float:
        """The same for a part whose surrounding disc lies in the way."""
        rim, least = part.radius_mm + self.half_mm, math.inf
        for corner in part.points:  # one corner in the way is enough to know that the part is
            least = min(least, math.dist(corner, nearest_on_segment(corner, self.a, self.b)))
            if least <= rim:
                return least - rim
        if self._crosses(part):
            return -rim
        for side in part.edges():
            for end in (self.a, self.b):
                least = min(least, math.dist(end, nearest_on_segment(end, *side)))
        return least - rim

    def _crosses(self, part: RoundedShape) -> bool:
        """Whether the middle line runs through a polygon: something of it is left, cut off at every side."""
        first, last = 0.0, 1.0
        for p, q in part.edges():
            at_a, at_b = turn(p, q, self.a), turn(p, q, self.b)
            if at_a < 0 and at_b < 0:
                return False
            if at_a < 0 or at_b < 0:
                cut = at_a / (at_a - at_b)
                first, last = (max(first, cut), last) if at_a < 0 else (first, min(last, cut))
        return len(part.points) > 2 and first <= last


@dataclass
class InTheWay:
    """Everything near the lane between two miniatures, sorted by what it does."""

    corridor: Corridor
    crowd: BoundingDiscs
    crowd_beyond_mm: Floats
    """How far each base of the crowd at least stays from the corridor."""
    grounds: list[tuple[float, Terrain | Effect]]
    """The same for all terrain and effects, as the state lists them."""
    obstacles: list[Obstacle] = field(default_factory=list)
    woods: list[Wood] = field(default_factory=list)
    solids: list[tuple[Area, float]] = field(default_factory=list)
    solid_ids: set[str] = field(default_factory=set)
    ignored: dict[str, str] = field(default_factory=dict)
    needs: list[str] = field(default_factory=list)
    by_level: set[str] = field(default_factory=set)
    reach_mm: float = -math.inf
    """What stands up to this far from the corridor has been looked at."""
    doubtful: set[str] = field(default_factory=set)
    purpose: str | None = None
    """What the line is wanted for."""
    past_models: bool = False
    """Whether the viewer ignores intervening models, as one with Flight does when it picks whom to charge."""

    def bases_up_to(self, up_to_mm: float) -> list[tuple[float, str]]:
        """The bases not yet looked at that stand up to this far from the corridor, nearest first."""
        beyond = self.crowd_beyond_mm
        rows = np.flatnonzero((beyond > self.reach_mm) & (beyond <= up_to_mm))
        rows = rows[beyond[rows].argsort(kind="stable")]
        return [(float(beyond[k]), self.crowd.ids[k]) for k in rows]


def behind_form(table: ExactTable, query: Los, sigma_mm: float, _sigma_rad: float) -> KnownForm | None:
    """The depth alone, where no error brings the target into the arc; a lane would have to be known else."""
    depth = _depth(table, query)
    if depth is None or depth.mm > -_SIGMAS * (_BOTH_WAYS * sigma_mm + swing_mm(table, query.viewer, query.target)):
        return None
    return KnownForm(depth, {"depth": depth})


def sight_form(
    table: ExactTable, query: Los, blockers: InTheWay, lane: Lane, ends: Ends, _sigma_mm: float, _sigma_rad: float
) -> KnownForm | None:
    """Every lane that could decide and the depth in the arc; None where something counts or not by where it stands."""
    start, stop = ends(table)
    standing = tuple(_standing_of(table, obstacle) for obstacle in blockers.obstacles)
    ids = {query.viewer, query.target, *(id_ for stand in standing for id_ in stand.movers)}
    within = _SIGMAS * _BOTH_WAYS * max(place_sigma_mm(table.state, id_) for id_ in ids)
    if _is_cut(start) or _is_cut(stop):
        within += _SIGMAS * swing_mm(table, query.viewer, query.target)
    depth = _depth(table, query)
    pieces: list[MarginForm] = [] if depth is None else [depth]
    if math.isfinite(lane.margin_mm) and lane.margin_mm < CAPPED_MM:
        if _depends_on_places(table, query, blockers, lane, within):
            return None
        lanes = Lanes(lambda nudges: ends(table.with_perturbations(nudges)), (query.viewer, query.target), standing)
        form = lanes.form(complex(*lane.start), complex(*lane.stop), lane.margin_mm, within)
        if form is None:
            return None
        pieces.append(form)
    margin = pieces[0] if len(pieces) == 1 else Minimum(tuple(pieces))
    return KnownForm(margin, {} if depth is None else {"depth": depth}) if pieces else None


def _depth(table: ExactTable, query: Los) -> LinearPiece | None:
    """The depth of the target in the front arc; None where all round is front."""
    return None if table.miniature(query.viewer).front_arc_deg == 360 else arc_piece(table, query.viewer, query.target)


def _is_cut(end: End) -> bool:
    return end.normal is not None and end.depth_mm() < 2 * end.shape.reach_mm


def _standing_of(table: ExactTable, obstacle: Obstacle) -> MovableObstacle:
    thing = table.state.by_id[obstacle.id]
    if obstacle.id in table.miniatures:
        return MovableObstacle(obstacle, (obstacle.id,), complex(*table.centre(obstacle.id)))
    carrier = thing.on if isinstance(thing, Effect) and not thing.has_outline() else None
    movers = (obstacle.id,) if carrier is None else (obstacle.id, carrier)
    return MovableObstacle(obstacle, movers, complex(*obstacle.area.parts[0].centre))


def _depends_on_places(table: ExactTable, query: Los, blockers: InTheWay, lane: Lane, within_mm: float) -> bool:
    """Whether anything that a measuring error could change decides what counts, or how much of the line it closes."""
    if any(lane.slack_mm[wood.id] < lane.margin_mm + within_mm + _WOOD_MM for wood in blockers.woods):
        return True
    ids = (query.viewer, query.target, *(o.id for o in blockers.obstacles if o.id in table.miniatures))
    if blockers.solids and any(table.miniature(id_).sigma.elevation_mm > 0 for id_ in ids[:2]):
        return True
    if blockers.by_level or any(_counts_by_place(table, query.viewer, m, within_mm) for m in table.state.miniatures):
        return True
    return any(is_at_rim(table, id_, ground, within_mm) for id_ in ids for ground in _find_deciding_ground(table, id_))


def _counts_by_place(table: ExactTable, viewer: str, miniature: Miniature, within_mm: float) -> bool:
    """Whether an ability lets a base count or not by where it stands, and it stands where an error may change that."""
    if miniature.id == viewer:
        return False
    if has_stealth(miniature):
        apart_mm = gap(table.base(viewer), table.base(miniature.id)).mm
        if not is_out_of_reach(abs(apart_mm - parameters.STEALTH_MM), within_mm):
            return True
    water = (
        (t for t in table.state.terrain if t.kind in parameters.SHALLOW_WATER) if miniature.has("amphibious") else ()
    )
    return any(is_at_rim(table, miniature.id, terrain, within_mm) for terrain in water)


def _find_deciding_ground(table: ExactTable, id_: str) -> Iterator[Terrain | Effect]:
    """Ground and effects that change what counts when that base comes in or goes out."""
    clouds = parameters.CLOUD_TERRAIN
    for terrain in table.state.terrain:
        if may_raise(table, id_, terrain) or terrain.kind in clouds or terrain.blocks_sight == "all":
            yield terrain
    yield from table.state.effects
