"""Journal entries of rulings: everything the verdict stood on, so that it can be looked at for ever."""

import math
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import shapely
from pydantic import Field
from shapely.geometry.base import BaseGeometry

from api.answers.answer_line import Line
from api.corrections.placed_bases import MOVED_MM, is_where_seen
from api.corrections.told_facts import RecordedFact
from api.evidence.schemas import Evidence
from api.journal.entry import Entry
from api.live.entities import members_of
from api.live.table_view import outline_of
from api.rulings.schemas import Decision, RulingSubject, TapeComparison
from api.seats.permissions import Seat
from models.base import RoundBase
from models.frozen import Frozen
from models.miniature import Miniature
from models.state import TableState
from models.terrain import Effect, Terrain
from models.verdict import Verdict
from models.vocabulary import Id, Point

TURNED_DEG = 5.0  # beyond its doubt, and it looks another way
AROUND_MM = 5.0  # so near to what lies between the two counts as lying between them


class BasisThing(Frozen):
    """A miniature or an area that the ruling rests on, as it was then."""

    id: Id
    at_mm: Point
    facing_deg: float | None = None
    outline_mm: tuple[Point, ...] = Field((), description="of an area; empty: a miniature")


class RulingBasis(Frozen):
    """The two, what decides, and all that lies between them; `area_mm` is the convex outline around the two."""

    things: tuple[BasisThing, ...]
    area_mm: tuple[Point, ...]


class PackedBasis:
    """A basis in a tenth of the memory: one is kept for each ruling that holds, and looked at when a thing moves."""

    __slots__ = ("_packed",)

    def __init__(self, basis: RulingBasis) -> None:
        self._packed = zlib.compress(basis.model_dump_json().encode())

    def whole(self) -> RulingBasis:
        return RulingBasis.model_validate_json(zlib.decompress(self._packed))


@dataclass(frozen=True)
class StandingThings:
    """All that stands or lies on a table, each with its outline: worked out once for all rulings."""

    state: TableState
    by_id: Mapping[Id, tuple[BasisThing, BaseGeometry]]

    @classmethod
    def of(cls, state: TableState) -> "StandingThings":
        return cls(state, {thing.id: (thing, shape) for thing, shape in _things(state)})


def basis_of(state: TableState, ids: Iterable[Id], verdict: Verdict) -> RulingBasis:
    """What a ruling about this verdict between these rests on."""
    between = [m for id_ in ids for m in members_of(state, id_)]
    area = shapely.unary_union([*map(_footprint, between), *_ways(verdict)]).convex_hull
    near = area.buffer(AROUND_MM)
    named = {m.id for m in between} | set(verdict.blockers)
    things = tuple(thing for thing, shape in _things(state) if thing.id in named or shape.intersects(near))
    corners = getattr(area, "exterior", area).coords
    return RulingBasis(things=things, area_mm=tuple((x, y) for x, y, *_ in corners))


def find_change(basis: RulingBasis, standing: StandingThings) -> str | None:
    """What of it moved, turned, left or came, in words; None while all is as it was."""
    now, state = standing.by_id, standing.state
    for thing in basis.things:
        if thing.id not in now:
            return f"{_name(state, thing.id)} is gone"
        if (deed := _find_deed(thing, now[thing.id][0], state)) is not None:
            return f"{_name(state, thing.id)} {deed}"
    area, known = shapely.Polygon(basis.area_mm), {thing.id for thing in basis.things}
    came = next((id_ for id_, (_, shape) in now.items() if id_ not in known and shape.intersects(area)), None)
    return None if came is None else f"{_name(state, came)} came between"


def _find_deed(was: BasisThing, now: BasisThing, state: TableState) -> str | None:
    if was.outline_mm or now.outline_mm:
        if not (was.outline_mm and now.outline_mm):
            return "is another"
        off_mm = shapely.hausdorff_distance(shapely.Polygon(was.outline_mm), shapely.Polygon(now.outline_mm))
        return "moved" if off_mm > MOVED_MM else None
    miniature = state.by_id[now.id]
    assert isinstance(miniature, Miniature)
    if not is_where_seen(miniature, was.at_mm):
        return "moved"
    if was.facing_deg is None or now.facing_deg is None:
        return None  # told or seen only later: it did not move
    turned_deg = abs(math.remainder(now.facing_deg - was.facing_deg, 360.0))
    return "turned" if turned_deg > TURNED_DEG + 3 * miniature.sigma.facing_deg else None


def _things(state: TableState) -> Iterator[tuple[BasisThing, BaseGeometry]]:
    """All that stands or lies on the table, with its outline."""
    for m in state.miniatures:
        if "removed" not in m.status:
            yield BasisThing(id=m.id, at_mm=m.at_mm, facing_deg=m.facing_deg), _footprint(m)
    areas: list[Terrain | Effect] = [*state.terrain, *(effect for effect in state.effects if effect.has_outline())]
    for area in areas:
        if len(outline := outline_of(area)) >= 3:
            yield BasisThing(id=area.id, at_mm=outline[0], outline_mm=outline), shapely.Polygon(outline)


def _footprint(m: Miniature) -> BaseGeometry:
    """A circle that holds the base, whichever way it looks."""
    base = m.base
    radius_mm = base.radius_mm if isinstance(base, RoundBase) else math.hypot(base.width_mm, base.depth_mm) / 2
    return shapely.Point(m.at_mm).buffer(radius_mm)


def _ways(verdict: Verdict) -> Iterator[BaseGeometry]:
    """The ways that it found, such as that of a charge."""
    for shape in verdict.witness:
        if shape.role == "path" and shape.points_mm and len(shape.points_mm) > 1:
            yield shapely.LineString(shape.points_mm)


def _name(state: TableState, id_: Id) -> str:
    return getattr(state.by_id.get(id_), "name", None) or id_


class RulingMade(Entry):
    """The judge has decided. `state` is the table the verdict is about, as supposed by players and tape."""

    type: Literal["ruled"] = "ruled"
    by: Seat
    decision: Decision
    stands: str | None
    reason: str
    about: RulingSubject
    line: Line
    compared: TapeComparison | None
    state: TableState
    key: str | None = None
    evidence: Evidence | None = Field(None, description="files beside the journal; null: none could be kept")
    told: tuple[RecordedFact, ...] = Field((), description="what was said of the two and of the table, and who agreed")
    basis: RulingBasis | None = Field(None, description="what must not move; null: it lies over no verdict")
    waits_for: tuple[Seat, ...] = Field((), description="players at the table then: each is to see it")


class RollDecided(Entry):
    """The players rolled, as the judge had let them."""

    type: Literal["roll-decided"] = "roll-decided"
    by: Seat
    ruling: int = Field(ge=1)
    stands: str


class RulingSeen(Entry):
    """A player tapped that the ruling was seen."""

    type: Literal["ruling-seen"] = "ruling-seen"
    by: Seat
    ruling: int = Field(ge=1)


class RulingEnded(Entry):
    """Something that the ruling rests on moved: the referee's answer is plain again."""

    type: Literal["ruling-ended"] = "ruling-ended"
    ruling: int = Field(ge=1)
    why: str


class VerdictKept(Entry):
    """Somebody at the table keeps a verdict with its evidence; nothing is decided by it."""

    type: Literal["kept"] = "kept"
    by: Seat
    about: RulingSubject
    line: Line
    state: TableState
    evidence: Evidence = Field(description="files beside the journal")
    told: tuple[RecordedFact, ...] = Field((), description="what was said of the two and of the table, and who agreed")


class RulingWithdrawn(Entry):
    """The ruling does not hold any more; it stays in the journal."""

    type: Literal["ruling-withdrawn"] = "ruling-withdrawn"
    by: Seat
    ruling: int = Field(ge=1)
    reason: str = Field(min_length=1, max_length=400)


RULING_ENTRIES: tuple[type[Entry], ...] = (RulingMade, RollDecided, RulingSeen, RulingEnded, RulingWithdrawn)
