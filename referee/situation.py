"""A table as a rule sees it: places, facings, ground and house rules of one edition, all of them exact.

Doubt is asked by nudging: the same situation with some things a little elsewhere.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from models.base import RoundBase
from models.house_rules import HOUSE_RULES, reading
from models.miniature import Miniature
from models.queries import TABLE_EDGES
from models.shape import Shaped
from models.state import TableState, Thing
from models.terrain import Effect, Objective, Terrain
from models.unit import Unit
from models.units import inches
from models.words import EditionId, Point
from referee.crowd import Crowd, Discs, crowd_of
from referee.gaps import gap, holds
from referee.once import once
from referee.outlines import edge_of, outline_at_rest, outline_of, turned
from referee.ruling import FacingNeeded, FacingOpen, Ruling
from referee.shapes import Area, Rounded, disc

if TYPE_CHECKING:
    from models.queries import Asked
    from referee.edition import Edition

_NEARBY_MM = 30.0  # farther than a measuring error moves a base
Found = TypeVar("Found")


@dataclass(frozen=True)
class Nudge:
    """A small displacement of one thing."""

    dx_mm: float = 0.0
    dy_mm: float = 0.0
    turn_rad: float = 0.0
    lift_mm: float = 0.0

    def plus(self, other: "Nudge", times: float) -> "Nudge":
        return Nudge(
            self.dx_mm + times * other.dx_mm,
            self.dy_mm + times * other.dy_mm,
            self.turn_rad + times * other.turn_rad,
            self.lift_mm + times * other.lift_mm,
        )


STILL = Nudge()


@dataclass(frozen=True)
class Situation:
    """One exact table under one edition's readings."""

    state: TableState
    edition: EditionId
    nudges: Mapping[str, Nudge] = field(default_factory=dict)
    facings_rad: Mapping[str, float] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    """House rules tried out in place of the table's own."""
    lean: bool = False
    """Only margin and lengths are wanted: a rule may leave out what is merely told."""
    placed_mm: Mapping[str, Point] = field(default_factory=dict)
    """Miniatures told to stand elsewhere; what they are nudged by nudges them there too."""
    is_drawn: bool = False
    """Everything is nudged at once: nobody will ask about this very table again."""

    def nudged(self, nudges: Mapping[str, Nudge], *, is_drawn: bool = False) -> "Situation":
        # not `replace`, which takes four times as long, and doubt comes here some hundred times a question
        told = self.facings_rad, self.readings, True, self.placed_mm
        return Situation(self.state, self.edition, nudges, *told, is_drawn)

    @once
    def still(self) -> "Situation":
        """The same table with nothing nudged."""
        return replace(self, nudges={}, lean=False, is_drawn=False) if self.nudges or self.lean else self

    def placed(self, id_: str, at_mm: Point) -> "Situation":
        """The same table with the centre of that base elsewhere."""
        return replace(self, placed_mm={**self.placed_mm, id_: at_mm})

    def facing(self, id_: str, facing_rad: float) -> "Situation":
        """The same table with that miniature turned."""
        return replace(self, facings_rad={**self.facings_rad, id_: facing_rad})

    def reading(self, key: str) -> str:
        """The reading in force; where the book leaves no doubt, the one that is left."""
        if (settled := self.book.settled.get(key)) is not None:
            return settled
        return self.readings.get(key) or reading(key, edition=self.edition, chosen=self.state.house_rules)

    @property
    def book(self) -> "Edition":
        """The rulebook that is asked."""
        return _book(self.edition)

    def ruled(self, query: "Asked") -> Ruling:
        """What the rulebook finds on another question that this one hangs on."""
        return self.book.rules[type(query)](self, query)

    def under(self, key: str, chosen: str, *, lean: bool = True) -> "Situation":
        """The same table under another reading."""
        return replace(self, readings={**self.readings, key: chosen}, lean=lean)

    def otherwise(self, key: str) -> "Iterator[Situation]":
        """The same table under each other reading of a house rule."""
        return (self.under(key, how) for how in HOUSE_RULES[key].readings if how != self.reading(key))

    def remembered(self, what: str, id_: str, find: Callable[[], Found]) -> Found:
        """What was found before for a thing that stands where the state has it, on this table and under these readings.

        It must hang on nothing but that thing, the ground, and what no nudge changes.
        """
        if self._is_ground_nudged:
            return self._found_here((what, id_), find)
        if id_ not in self._changed:
            return remember(self.state, (what, id_, self._read), find)
        stands = self.nudges.get(id_), self.facings_rad.get(id_), self.placed_mm.get(id_)
        return _lately(self.state, (what, id_, self._read, *stands), find)

    def regardless_of(self, keys: frozenset[str]) -> "Situation":
        """The same table, none of these house rules tried out: for what hangs on none of them and is found once."""
        if keys.isdisjoint(self.readings):
            return self
        return replace(self, readings={key: one for key, one in self.readings.items() if key not in keys})

    def regardless_of_facings(self, *, but: str | None = None) -> "Situation":
        """The same table, nobody turned `but` one: for what hangs on no other facing and is found once for all of them.

        A base that is not round lies as it looks; where one is turned, this is the table itself.
        """
        others = [id_ for id_ in self.facings_rad if id_ != but]
        if not others or not all(isinstance(self.miniatures[id_].base, RoundBase) for id_ in others):
            return self
        turned = {id_: rad for id_, rad in self.facings_rad.items() if id_ == but}
        return self._found_here(("turned", but), lambda: replace(self, facings_rad=turned))

    def recalled(self, what: Hashable, rule: "Callable[[Situation], Ruling]") -> Ruling:
        """What a rule finds; on a nudged table what it found at rest, when nothing is nudged that this hangs on.

        `what` names the rule and all it was asked about. So a question made of many conditions works out anew only
        those that a nudge can change.
        """
        if self.placed_mm:
            return rule(self)
        told = frozenset(self.facings_rad.items())
        found = remember(self.state, ("ruling", what, self._read, told), lambda: rule(self.still))
        if self.nudges.keys().isdisjoint(found.touches):
            return found
        if self.is_drawn:
            return self._found_here(("ruling", what), lambda: rule(self))
        return self.lately((what, *self.nudges.items()), lambda: rule(self))

    def lately(self, what: Hashable, find: Callable[[], Found]) -> Found:
        """What was found a short while ago; `what` names all that was asked about, and what is nudged of that."""
        return _lately(self.state, (what, self._told), find)

    def settled(self, what: Hashable, find: "Callable[[Situation], Found]") -> Found:
        """What was found before of this table with nothing nudged; `what` names all that was asked about."""
        return remember(self.state, (what, self._told), lambda: find(self.still))

    @once
    def _told(self) -> Hashable:
        """All in which this table differs from the state but for nudges."""
        return self._read, frozenset(self.facings_rad.items()), frozenset(self.placed_mm.items())

    @once
    def _changed(self) -> frozenset[str]:
        """What is not as the state has it."""
        return frozenset((*self.nudges, *self.facings_rad, *self.placed_mm))

    def _found_here(self, what: Hashable, find: Callable[[], Found]) -> Found:
        """What was found before of this very table, nudged as it is."""
        if what not in self._own:
            self._own[what] = find()
        return cast(Found, self._own[what])

    @once
    def _own(self) -> dict[Hashable, object]:
        """Scratch space for what is found of these."""
        return {}

    @once
    def _bases(self) -> dict[str, Rounded]:
        """The bases that stand as the state has them."""
        return remember(self.state, "bases", dict)

    @once
    def _read(self) -> frozenset[tuple[str, str]]:
        return frozenset(self.readings.items())

    @once
    def _is_ground_nudged(self) -> bool:
        return not self.ground_ids.isdisjoint(self.nudges)

    @once
    def ground_ids(self) -> frozenset[str]:
        """Everything that is ground or effect."""
        return remember(
            self.state,
            "ground",
            lambda: frozenset([*(t.id for t in self.state.terrain), *(e.id for e in self.state.effects)]),
        )

    @once
    def miniatures(self) -> dict[str, Miniature]:
        """All miniatures by id, each with those words of its card that the book knows."""
        return remember(self.state, "miniatures", self._miniatures)

    def _miniatures(self) -> dict[str, Miniature]:
        read = self.book.read_card
        return {m.id: m if read is None else read(m) for m in self.state.miniatures}

    def miniature(self, id_: str) -> Miniature:
        return self.miniatures[id_]

    def centre(self, id_: str) -> Point:
        x, y = self.placed_mm[id_] if id_ in self.placed_mm else self.miniatures[id_].at_mm
        nudge = self.nudges.get(id_)
        return (x, y) if nudge is None else (x + nudge.dx_mm, y + nudge.dy_mm)

    def facing_rad(self, id_: str) -> float:
        """Where it looks. Raises: FacingOpen where it may look in one of several ways, else FacingNeeded."""
        known = self.facings_rad.get(id_, self.miniatures[id_].facing_rad)
        if known is None:
            raise FacingOpen(id_) if self.miniatures[id_].facing_alternatives else FacingNeeded(id_)
        return known + self.nudges.get(id_, STILL).turn_rad

    def base(self, id_: str) -> Rounded:
        """The footprint of a miniature. A base that is not round needs a facing to lie on the table."""
        if id_ in self._changed:
            return self._base(id_)
        if id_ not in self._bases:
            self._bases[id_] = self._base(id_)
        return self._bases[id_]

    def _base(self, id_: str) -> Rounded:
        base = self.miniatures[id_].base
        if isinstance(base, RoundBase):
            return disc(self.centre(id_), base.radius_mm)
        return Rounded(turned(outline_at_rest(base), self.centre(id_), self.facing_rad(id_)))

    def area(self, place: str | Point) -> Area:
        """Where a thing, a table edge or a point lies."""
        if not isinstance(place, str):
            return Area((disc(place, 0.0),))
        if place in TABLE_EDGES:
            return Area((edge_of(self.state, place),))
        return self._area_of(self.state.by_id[place])

    def _area_of(self, thing: Thing) -> Area:
        if isinstance(thing, Miniature):
            return Area((self.base(thing.id),))
        if isinstance(thing, Unit):
            return Area(tuple(self.base(m.id) for m in self.state.miniatures if m.unit == thing.id))
        if isinstance(thing, Objective):
            return self._objective(thing)
        return moved(self._effect_or_ground(thing), self.nudges.get(thing.id, STILL))

    def _objective(self, thing: Objective) -> Area:
        if thing.at_mm is not None:
            return Area((disc(thing.at_mm, thing.diameter_mm / 2),))
        return self.area(thing.terrain) if thing.terrain is not None else Area(())

    def _effect_or_ground(self, thing: Shaped) -> Area:
        if isinstance(thing, Effect) and thing.on is not None and not thing.has_outline():
            carrier = self.area(thing.on)
            return Area(tuple(part.grown(inches(thing.radius_in or 0.0)) for part in carrier.parts))
        return outline_of(thing)

    def terrain_under(self, id_: str) -> list[Terrain]:
        """The terrain that holds the centre of a base."""
        return self.remembered("terrain under", id_, lambda: self._terrain_under(id_))

    def _terrain_under(self, id_: str) -> list[Terrain]:
        centre = self.centre(id_)
        near = math.dist(centre, self.miniatures[id_].at_mm) < _NEARBY_MM and not self._is_ground_nudged
        around = self._terrain_around(id_) if near else self.state.terrain
        return [t for t in around if any(holds(part, centre) for part in self.area(t.id).parts)]

    def _terrain_around(self, id_: str) -> tuple[Terrain, ...]:
        """The terrain that may hold the centre of a base, if only it is moved a little."""
        return remember(self.state, ("around", id_), lambda: tuple(_terrain_near(self.state, id_)))

    @once
    def grounds(self) -> tuple[tuple[Terrain | Effect, Area], ...]:
        """All terrain and effects, as the state lists them, with where each lies."""
        if self._changed:
            return self._grounds()
        return remember(self.state, "grounds", self._grounds)

    def _grounds(self) -> tuple[tuple[Terrain | Effect, Area], ...]:
        things: tuple[Terrain | Effect, ...] = (*self.state.terrain, *self.state.effects)
        return tuple((thing, self.area(thing.id)) for thing in things)

    @once
    def ground_discs(self) -> Discs:
        """A disc round each part of `grounds`, in order."""
        if self._changed:
            return self._ground_discs()
        return remember(self.state, "ground discs", self._ground_discs)

    def _ground_discs(self) -> Discs:
        parts = [part for _, area in self.grounds for part in area.parts]
        at = np.array([complex(*part.centre) for part in parts], dtype=np.complex128)
        return Discs(at, np.array([part.reach_mm for part in parts], dtype=np.float64))

    @once
    def crowd(self) -> Crowd:
        """All bases as numbers."""
        resting = remember(self.state, "crowd", lambda: crowd_of(self.state))
        moved = self.placed_mm.keys() | self.nudges.keys()
        return resting.moved({id_: self.centre(id_) for id_ in moved if id_ in resting.place}) if moved else resting


def _terrain_near(state: TableState, id_: str) -> Iterator[Terrain]:
    table = Situation(state, state.edition)
    near = Rounded((table.miniature(id_).at_mm,), _NEARBY_MM)
    for terrain in state.terrain:
        if any(gap(part, near).mm <= 0 for part in table.area(terrain.id).parts):
            yield terrain


def moved(area: Area, nudge: Nudge) -> Area:
    """The same area elsewhere."""
    if nudge is STILL or (nudge.dx_mm == 0 and nudge.dy_mm == 0):
        return area
    dx, dy = nudge.dx_mm, nudge.dy_mm
    parts = tuple(Rounded(tuple((x + dx, y + dy) for x, y in p.points), p.radius_mm) for p in area.parts)
    return Area(parts, tuple((x + dx, y + dy) for x, y in area.outline))


@cache
def _book(id_: EditionId) -> "Edition":
    from referee.editions import EDITIONS  # its rules are written in words of this module

    return EDITIONS[id_]


_MOST_STATES = 8
_MOST_FOUND = 800  # on all of them together: one question that hangs on facings nobody told leaves hundreds
_MEMOS: dict[int, tuple[TableState, dict[object, object]]] = {}


def _memo(state: TableState) -> dict[object, object]:
    """Scratch space that lives as long as the state is asked about; the last few states are kept."""
    known = _MEMOS.get(id(state))
    if known is None or known[0] is not state:
        _make_room()
        known = _MEMOS[id(state)] = (state, {})
    return known[1]


def _make_room() -> None:
    """Forget the oldest states, until another fits in. Several threads may do so at once."""
    kept = [(key, _found_of(memo)) for key, (_, memo) in list(_MEMOS.items())]
    while len(kept) >= _MOST_STATES or sum(found for _, found in kept) > _MOST_FOUND:
        _MEMOS.pop(kept.pop(0)[0], None)


def _found_of(memo: dict[object, object]) -> int:
    return len(memo) + len(cast("dict[object, object]", memo.get("lately", ())))


def remember(state: TableState, key: object, find: Callable[[], Found]) -> Found:
    """What was found before about a state that is asked about again and again."""
    memo = _memo(state)
    if key not in memo:
        memo[key] = find()
    return cast(Found, memo[key])


_MOST_LATELY = 2000


def _lately(state: TableState, key: object, find: Callable[[], Found]) -> Found:
    """What was found a short while ago: several questions about one pair nudge the same things in the same way."""
    found: dict[object, object] = remember(state, "lately", dict)
    if key not in found:
        made = find()
        if len(found) >= _MOST_LATELY:
            found.clear()
        found[key] = made
    return cast(Found, found[key])
