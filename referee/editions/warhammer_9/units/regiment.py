"""Regiment: a unit as one body, worked out from where its miniatures really stand.

A block that a hand moved has small gaps and small angles. Heading and outline are those of the members together, and
`crooked_mm` and `crooked_deg` say how far the members are off. A character's base may be larger than the others'.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeVar

from models.base import OvalBase, RectBase, RoundBase
from models.miniature import Miniature
from models.unit import Unit
from models.vocabulary import Point
from referee.cached_attribute import cached_attribute
from referee.editions.warhammer_9.parameters import SKIRMISH_GAP_MM
from referee.rules.exact_table import ExactTable
from referee.rules.memo import memoize, memoize_told
from referee.rules.rule_result import NobodyLeft
from referee.rules.sides import is_unit
from referee.rules.switches import is_at_least
from referee.uncertainty.error_modes import place_sigma_mm

Cell = tuple[int, int]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Regiment:
    """A unit, or one miniature that is a unit of its own. `cells` holds (rank, file) of each member, in their order."""

    id: str
    members: tuple[str, ...]
    cells: tuple[Cell, ...]
    places: tuple[Point, ...]
    facing_rad: float
    base_mm: tuple[float, float]
    sizes_mm: tuple[tuple[float, float], ...]
    """Front and depth of each member's own base; `base_mm` is that of the rank and file."""
    crooked_deg: float
    """How far the member that is turned the most looks aside."""

    @property
    def ahead(self) -> Point:
        return (math.cos(self.facing_rad), math.sin(self.facing_rad))

    @property
    def left(self) -> Point:
        return (-math.sin(self.facing_rad), math.cos(self.facing_rad))

    def to_local(self, p: Point, origin: Point = (0.0, 0.0)) -> Point:
        """A point as (ahead, to the left) of an origin."""
        dx, dy = p[0] - origin[0], p[1] - origin[1]
        (ux, uy), (vx, vy) = self.ahead, self.left
        return (dx * ux + dy * uy, dx * vx + dy * vy)

    def to_table(self, ahead_mm: float, left_mm: float, origin: Point) -> Point:
        (ux, uy), (vx, vy) = self.ahead, self.left
        return (origin[0] + ahead_mm * ux + left_mm * vx, origin[1] + ahead_mm * uy + left_mm * vy)

    @cached_attribute
    def _span(self) -> tuple[float, float, float, float]:
        """The least and the greatest (ahead, left) that a base reaches, in the frame of the table's origin."""
        local = [(self.to_local(p), size) for p, size in zip(self.places, self.sizes_mm, strict=True)]
        ahead = [x + sign * deep / 2 for (x, _), (_, deep) in local for sign in (-1, 1)]
        aside = [y + sign * wide / 2 for (_, y), (wide, _) in local for sign in (-1, 1)]
        return (min(ahead), max(ahead), min(aside), max(aside))

    @cached_attribute
    def _reaches(self) -> tuple[list[tuple[float, str]], ...]:
        """How far each member reaches ahead, to the left, behind and to the right."""
        local = [
            (m, *self.to_local(p), *size) for m, p, size in zip(self.members, self.places, self.sizes_mm, strict=True)
        ]
        return (
            [(x + deep / 2, m) for m, x, _, _, deep in local],
            [(y + wide / 2, m) for m, _, y, wide, _ in local],
            [(deep / 2 - x, m) for m, x, _, _, deep in local],
            [(wide / 2 - y, m) for m, _, y, wide, _ in local],
        )

    @cached_attribute
    def outermost(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Who makes the front, the left, the rear and the right edge: of each the outermost two, if they tie."""
        ahead, left, behind, right = map(_outermost, self._reaches)
        return ahead, left, behind, right

    def edge_ids(self, beside_mm: float) -> tuple[str, ...]:
        """Everybody who makes an edge, or is no more than this farther in than who does."""
        far = (max(reach) for reach in self._reaches)
        edges = zip(self._reaches, far, strict=True)
        return tuple(dict.fromkeys(m for reach, (most, _) in edges for mm, m in reach if mm >= most - beside_mm))

    @cached_attribute
    def outline_ids(self) -> tuple[str, ...]:
        """Everybody who makes an edge."""
        return tuple(dict.fromkeys(id_ for edge in self.outermost for id_ in edge))

    @cached_attribute
    def crooked_mm(self) -> float:
        """How far the member that stands the worst is off the straight and even line of its rank."""
        where = {m: self.to_local(p) for m, p in zip(self.members, self.places, strict=True)}
        wide = {m: size[0] for m, size in zip(self.members, self.sizes_mm, strict=True)}
        return max(_off_line_mm([(*where[m], wide[m]) for m in self.rank(k)]) for k in range(self.ranks))

    @property
    def width_mm(self) -> float:
        return self._span[3] - self._span[2]

    @property
    def depth_mm(self) -> float:
        return self._span[1] - self._span[0]

    @cached_attribute
    def front(self) -> Point:
        """The middle of the front edge."""
        _, x, y0, y1 = self._span
        return self.to_table(x, (y0 + y1) / 2, (0.0, 0.0))

    @cached_attribute
    def centre(self) -> Point:
        return self.to_table(-self.depth_mm / 2, 0.0, self.front)

    @cached_attribute
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Front left, rear left, rear right, front right: anticlockwise."""
        half, back = self.width_mm / 2, -self.depth_mm
        return tuple(self.to_table(x, y, self.front) for x, y in ((0, half), (back, half), (back, -half), (0, -half)))  # type: ignore[return-value]

    @property
    def reach_mm(self) -> float:
        """How far a corner is from the centre."""
        return math.hypot(self.width_mm, self.depth_mm) / 2

    @property
    def ranks(self) -> int:
        return 1 + max(rank for rank, _ in self.cells)

    @property
    def files(self) -> int:
        return max(self.rank_sizes)

    @cached_attribute
    def rank_sizes(self) -> tuple[int, ...]:
        """How many stand in each rank, from the front."""
        ranks = [rank for rank, _ in self.cells]
        return tuple(ranks.count(rank) for rank in range(1 + max(ranks)))

    def rank(self, number: int) -> tuple[str, ...]:
        """Who stands in that rank, from the unit's own left."""
        row = sorted((file, id_) for id_, (rank, file) in zip(self.members, self.cells, strict=True) if rank == number)
        return tuple(id_ for _, id_ in row)

    def in_front_of(self, id_: str) -> str | None:
        """The member that stands directly ahead in the next rank, if there is one: within half a base of its file.

        Behind two neighbours it stands behind the nearer, whatever gaps and measuring add to half a file.
        """
        here = self.members.index(id_)
        rank, (_, y) = self.cells[here][0], self.to_local(self.places[here])
        row = sorted(
            (abs(self.to_local(place)[1] - y), wide, other)
            for other, cell, place, (wide, _) in zip(self.members, self.cells, self.places, self.sizes_mm, strict=True)
            if cell[0] == rank - 1
        )
        if not row:
            return None
        aside_mm, wide_mm, other = row[0]
        if len(row) > 1 and aside_mm + row[1][0] <= _NEIGHBOURS * wide_mm:  # it stands between these two
            return other
        is_ahead = is_at_least(wide_mm / 2, aside_mm, "stands directly behind", (id_, other))
        return other if is_ahead else None

    def file_of(self, id_: str) -> int:
        """The file of the front rank that a member stands in or is nearest to, also where its own rank is short."""
        y = self.to_local(self.places[self.members.index(id_)])[1]
        row = [(abs(self.to_local(p)[1] - y), cell[1]) for p, cell in zip(self.places, self.cells, strict=True)
               if cell[0] == 0]  # fmt: skip
        return min(row)[1]


_NEIGHBOURS = 1.25  # of a base: so far apart at most do two stand in files beside each other
_EDGE_SIGMAS = 4.0  # so many sigmas of a place, those of two together, bring no member past the outermost
_TIE_MM = 0.2  # who is so little farther in than the outermost may come to be it


def _outermost(reach: list[tuple[float, str]]) -> tuple[str, ...]:
    """Who reaches farthest, and the next one where it nearly does."""
    first, *rest = sorted(reach, key=lambda pair: -pair[0])[:2]
    return (first[1], *(id_ for mm, id_ in rest if mm > first[0] - _TIE_MM))


def _off_line_mm(row: list[tuple[float, float, float]]) -> float:
    """How far the worst of a rank (ahead, to the left, width; from its own left) is off its line.

    The line is square to the heading, and its gaps are equal, whatever the widths.
    """
    before = accumulate((wide for _, _, wide in row), initial=0.0)
    packed = [y + done + wide / 2 for (_, y, wide), done in zip(row, before, strict=False)]
    middle, count = (len(row) - 1) / 2, len(row)
    spread = sum((k - middle) ** 2 for k in range(count))
    level, aside = sum(x for x, _, _ in row) / count, sum(packed) / count
    step = sum((k - middle) * y for k, y in enumerate(packed)) / spread if spread else 0.0
    off = (math.hypot(row[k][0] - level, y - aside - step * (k - middle)) for k, y in enumerate(packed))
    return max(off)


def regiment(table: ExactTable, id_: str) -> Regiment:
    """The regiment that this unit, or this miniature, is; a member of a unit alone is a regiment of one."""
    return memoize_at_rest(table, "regiment", id_, lambda: _make_regiment(table, id_, members_of(table, id_)))


def drawn_off_mm(table: ExactTable, stated: ExactTable, id_: str) -> float:
    """How far what belongs to a unit or a piece of terrain lies at most, on a drawn table, from where it was told."""
    return memoize(table.state, ("drawn off", id_), lambda: _find_drawn_off_mm(table, stated, id_))


def _find_drawn_off_mm(table: ExactTable, stated: ExactTable, id_: str) -> float:
    """By the corners of its bases; of a unit also by what its turn moves at a base's depth, by which ranks reach on."""
    if id_ not in members_of(table, id_) and not is_unit(table.state, id_):
        parts = zip(table.area(id_).parts, stated.area(id_).parts, strict=True)
        return max(math.dist(p, q) for drawn, before in parts for p, q in zip(drawn.points, before.points, strict=True))
    bases = ((table.base(m), stated.base(m)) for m in members_of(table, id_))
    off = max(math.dist(p, q) for drawn, before in bases for p, q in zip(drawn.points, before.points, strict=True))
    drawn, before = regiment(table, id_), regiment(stated, id_)
    return off + before.base_mm[1] * abs(math.remainder(drawn.facing_rad - before.facing_rad, math.tau))


def edge_members(table: ExactTable, id_: str) -> tuple[str, ...]:
    """Everybody who makes an edge of the unit, or by a measuring error may come to make it."""
    own = regiment(table, id_)
    widest = max(place_sigma_mm(table.state, m) for m in own.members)
    return own.edge_ids(max(_TIE_MM, _EDGE_SIGMAS * widest))


def memoize_at_rest(table: ExactTable, what: str, id_: str, find: Callable[[], Result]) -> Result:
    """Memoize a value of a unit as long as its members stand where the state has them.

    It must hang on nothing but its members and the state, and on no house rule.
    """
    if not table.perturbations.keys().isdisjoint(members_of(table, id_)):
        return find()
    return table.without_readings(frozenset(table.readings)).memoize_unperturbed((what, id_), lambda _: find())


def members_of(table: ExactTable, id_: str) -> tuple[str, ...]:
    """The miniatures of a unit that are still in play; of a miniature, itself; of a building nobody.

    Raises: NobodyLeft where a unit has none.
    """
    ids = members_left(table, id_)
    if not ids and isinstance(table.state.by_id.get(id_), Unit):
        raise NobodyLeft(id_)
    return ids


def members_left(table: ExactTable, id_: str) -> tuple[str, ...]:
    """The miniatures of a unit still in play, which may be none."""
    return memoize_told(table.state, ("members", id_), lambda: _find_members(table, id_))


def _find_members(table: ExactTable, id_: str) -> tuple[str, ...]:
    if isinstance(table.state.by_id.get(id_), Miniature):
        return (id_,)
    return tuple(m.id for m in table.state.miniatures if m.unit == id_ and "removed" not in m.status)


def regiment_of(table: ExactTable, id_: str) -> str:
    """The id of the unit a miniature belongs to, else its own; of a unit, itself."""
    miniature = table.miniatures.get(id_)
    return id_ if miniature is None or miniature.unit is None else miniature.unit


def all_regiments(table: ExactTable) -> tuple[str, ...]:
    """Every unit with somebody in it, and every miniature that is a unit of its own."""
    return memoize_told(table.state, "regiments", lambda: _find_regiments(table))


def _find_regiments(table: ExactTable) -> tuple[str, ...]:
    units = [unit.id for unit in table.state.units if members_left(table, unit.id)]
    alone = [m.id for m in table.state.miniatures if m.unit is None and "removed" not in m.status]
    return (*units, *alone)


def side_of(table: ExactTable, id_: str) -> str | None:
    """The side of a unit: its own, else that of its first member."""
    thing = table.state.by_id[id_]
    if isinstance(thing, Unit) and thing.side is not None:
        return thing.side
    return next((table.miniature(m).side for m in members_left(table, id_)), None)


def are_friends(table: ExactTable, a: str, b: str) -> bool:
    """Whether both fight on one side; who has no side is everybody's enemy."""
    mine, theirs = side_of(table, a), side_of(table, b)
    if mine is None or theirs is None:
        return a == b
    allies = {side.id: side.allies for side in table.state.sides}
    return mine == theirs or theirs in allies.get(mine, ()) or mine in allies.get(theirs, ())


def leading_miniature(table: ExactTable, id_: str) -> Miniature:
    """The miniature whose type and card stand for the unit: the first of the rank and file."""
    minis = [table.miniature(m) for m in members_of(table, id_)]
    plain = [m for m in minis if "character" not in m.role]
    return (plain or minis)[0]


def kind_of(miniature: Miniature) -> str:
    """Troop type of a miniature; infantry when none is given."""
    return miniature.type or "infantry"


def is_skirmishing(table: ExactTable, id_: str) -> bool:
    """Whether the unit is ordered to stand loosely, or is of skirmishers, who stay so where they have closed up.

    Source: Skirmishers, p. 65; Swarms, p. 71; Fly, p. 59, for units of two flyers and more.
    """
    thing, first = table.state.by_id[id_], leading_miniature(table, id_)
    if first.has("skirmishers") or (isinstance(thing, Unit) and thing.formation == "skirmish"):
        return True
    return (first.has("fly") or first.has("hover")) and len(members_of(table, id_)) > 1


def is_loose(table: ExactTable, id_: str) -> bool:
    """Whether it reforms freely and shoots on the march: skirmishers, and fast cavalry whom only riders joined.

    Source: Fast Cavalry, p. 58; Skirmishers, p. 65.
    """
    heroes = [m for m in map(table.miniature, members_of(table, id_)) if "character" in m.role]
    swift = leading_miniature(table, id_).has("fast-cavalry") and all(kind_of(m) == "cavalry" for m in heroes)
    return swift or is_skirmishing(table, id_)


def member_gap_mm(table: ExactTable, id_: str) -> float:
    """The gap at which members of the unit stand, as ordered. Source: Skirmishers, p. 65."""
    thing = table.state.by_id[id_]
    ordered = thing.formation if isinstance(thing, Unit) else None
    if ordered not in (None, "skirmish") or not is_skirmishing(table, id_):
        return 0.0
    stated_in = thing.spacing_in if isinstance(thing, Unit) else None
    return SKIRMISH_GAP_MM if stated_in is None else stated_in * 25.4


def garrisoned_building(table: ExactTable, id_: str) -> str | None:
    """The building that a unit holds, if any. Source: Garrisoning a Building, p. 98."""
    return memoize_told(
        table.state,
        ("garrison of", id_),
        lambda: next((table.miniature(m).inside for m in members_of(table, id_) if table.miniature(m).inside), None),
    )


def base_size_mm(miniature: Miniature) -> tuple[float, float]:
    """Front and depth of a base."""
    match miniature.base:
        case RoundBase(diameter_mm=d):
            return (d, d)
        case RectBase(width_mm=w, depth_mm=d) | OvalBase(width_mm=w, depth_mm=d):
            return (w, d)


def _make_regiment(table: ExactTable, id_: str, ids: tuple[str, ...]) -> Regiment:
    facings = [table.facing_rad(m) for m in ids]
    heading = _mean_angle(facings)
    off = [abs(math.remainder(f - heading, math.tau)) for f in facings]
    places = tuple(table.centre(m) for m in ids)
    return Regiment(
        id=id_,
        members=ids,
        cells=table.memoize_unperturbed(
            ("cells", id_), lambda still: _cells(still, ids, _mean_angle([still.facing_rad(m) for m in ids]))
        ),
        places=places,
        facing_rad=heading,
        base_mm=base_size_mm(leading_miniature(table, id_)),
        sizes_mm=tuple(base_size_mm(table.miniature(m)) for m in ids),
        crooked_deg=math.degrees(max(off)),
    )


def _mean_angle(angles_rad: list[float]) -> float:
    return math.atan2(sum(map(math.sin, angles_rad)), sum(map(math.cos, angles_rad)))


def _cells(table: ExactTable, ids: tuple[str, ...], heading: float) -> tuple[Cell, ...]:
    """Rank and file of each: as told, else by where they stand, rank by rank of those that are left."""
    cells = [
        (miniature.rank, miniature.file)
        for miniature in map(table.miniature, ids)
        if miniature.rank is not None and miniature.file is not None
    ]
    if len(cells) == len(ids):
        left = sorted({rank for rank, _ in cells})
        return tuple((left.index(rank), file) for rank, file in cells)
    depth = base_size_mm(table.miniature(ids[0]))[1]
    c, s = math.cos(heading), math.sin(heading)
    local = {m: (x * c + y * s, y * c - x * s) for m in ids for x, y in (table.centre(m),)}
    placed: dict[str, Cell] = {}
    for number, row in enumerate(_split_rows(local, depth)):
        placed |= {m: (number, file) for file, m in enumerate(sorted(row, key=lambda m: -local[m][1]))}
    return tuple(placed[m] for m in ids)


def _split_rows(local: dict[str, Point], depth_mm: float) -> Iterable[list[str]]:
    """Who stands side by side, front first: a step back of more than half a base begins a new rank."""
    row: list[str] = []
    for m in sorted(local, key=lambda m: -local[m][0]):
        if row and local[row[0]][0] - local[m][0] > depth_mm / 2:
            yield row
            row = []
        row.append(m)
    yield row
