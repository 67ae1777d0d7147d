"""Exact table: the state as a rule sees it, with one edition's readings and nothing uncertain.

Uncertainty is estimated on perturbed tables: the same table with some things a little elsewhere.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from models.base import RoundBase
from models.house_rules import HOUSE_RULES, reading_in_force
from models.miniature import Miniature
from models.queries import TABLE_EDGES
from models.shape import OutlineFields
from models.state import TableState, Thing
from models.terrain import Effect, Objective, Terrain
from models.unit import Unit
from models.unit_conversion import inches
from models.vocabulary import Point
from referee.cached_attribute import cached_attribute
from referee.geometry.broad_phase import BoundingDiscs, Discs, bounding_discs_of
from referee.geometry.distance import area_gap, gap
from referee.geometry.outlines import edge_of, outline_at_rest, outline_of, place_outline
from referee.geometry.shapes import Area, RoundedShape, disc
from referee.rules.consulted_readings import note_consulted
from referee.rules.memo import memoize, memoize_drawn, memoize_read, memoize_recent, memoize_told, remember
from referee.rules.perturbation import NO_PERTURBATION, Perturbation
from referee.rules.rule_result import FacingAmbiguous, FacingMissing, NobodyLeft, RuleResult
from referee.rules.sides import members_of_unit
from referee.rules.size_classes import HOUSE_RULE as SIZE_HOUSE_RULE
from referee.rules.switches import is_at_least, record_switches, replay

if TYPE_CHECKING:
    from models.queries import BaseQuery
    from referee.rules.edition import Edition

_NEARBY_MM = 30.0  # farther than a measuring error moves a base
Found = TypeVar("Found")


@dataclass(frozen=True)
class ExactTable:
    """One exact table under one edition's readings."""

    state: TableState
    edition: "Edition"
    perturbations: Mapping[str, Perturbation] = field(default_factory=dict)
    facings_rad: Mapping[str, float] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    """House rules tried out in place of the table's own."""
    margins_only: bool = False
    """Only margin and lengths are wanted: a rule may leave out what is merely told."""
    places_mm: Mapping[str, Point] = field(default_factory=dict)
    """Miniatures told to stand elsewhere; their perturbations apply there too."""
    is_sample: bool = False
    """Everything is perturbed at once: nobody will ask about this very table again."""
    stated: "ExactTable | None" = None
    """Of a table on a drawn state: the one that was asked about."""
    drawn_as: Hashable = None
    """What names the draw among those of the stated table, whatever is asked; None of one that is drawn once."""

    def with_perturbations(self, perturbations: Mapping[str, Perturbation], *, is_drawn: bool = False) -> "ExactTable":
        # not `replace`, which takes four times as long, and doubt comes here some hundred times a question
        trial = self.facings_rad, self.readings, True, self.places_mm
        return ExactTable(self.state, self.edition, perturbations, *trial, is_drawn, self.stated)

    def on_drawn_state(
        self, drawn: TableState, facings_rad: Mapping[str, float], *, name: Hashable = None
    ) -> "ExactTable":
        """The same question's table where everything stands as this drawn state has it."""
        return replace(self, state=drawn, facings_rad=facings_rad, margins_only=True, stated=self, drawn_as=name)

    def is_own_place(self, id_: str, point: Point) -> bool:
        """Whether a point of a question is where the state has that miniature: it then moves with it."""
        stated = self if self.stated is None else self.stated
        return point in (self.miniatures[id_].at_mm, stated.miniatures[id_].at_mm)

    @property
    def stands_as_drawn(self) -> bool:
        """Whether a draw alone has moved everything here, so that what was found of the stated table may tell of it.

        A rule that puts or turns somebody elsewhere asks of another place than that table knows.
        """
        return self.stated is not None and not (self.perturbations or self.places_mm or self.facings_rad)

    @cached_attribute
    def unperturbed(self) -> "ExactTable":
        """The same table with nothing perturbed."""
        if not self.perturbations and not self.margins_only:
            return self
        return replace(self, perturbations={}, margins_only=False, is_sample=False)

    def with_place(self, id_: str, at_mm: Point) -> "ExactTable":
        """The same table with the centre of that base elsewhere."""
        return replace(self, places_mm={**self.places_mm, id_: at_mm})

    def with_end(self, id_: str, at_mm: Point) -> "ExactTable":
        """The same table with the centre of that base at this very point, as where its own way ends.

        A point of its way is off by as much as the way is, and by no more.
        """
        moved = self.perturbations.get(id_)
        return self.with_place(id_, at_mm if moved is None else (at_mm[0] - moved.dx_mm, at_mm[1] - moved.dy_mm))

    def with_facing(self, id_: str, facing_rad: float) -> "ExactTable":
        """The same table with that miniature turned."""
        return replace(self, facings_rad={**self.facings_rad, id_: facing_rad})

    def reading(self, key: str) -> str:
        """The reading in force; where the book leaves no doubt, the one that is left."""
        if (settled := self.edition.settled_readings.get(key)) is not None:
            return settled
        note_consulted(key)
        return self.readings.get(key) or reading_in_force(
            key, edition=self.edition.id, chosen=self.state.chosen_readings
        )

    def evaluate_query(self, query: "BaseQuery") -> RuleResult:
        """What the rulebook finds on another question that this one hangs on."""
        return self.edition.rules[type(query)](self, query)

    def with_reading(self, key: str, chosen: str, *, margins_only: bool = True) -> "ExactTable":
        """The same table under another reading."""
        return replace(self, readings={**self.readings, key: chosen}, margins_only=margins_only)

    def other_readings(self, key: str) -> "Iterator[ExactTable]":
        """The same table under each other reading of a house rule."""
        return (self.with_reading(key, how) for how in HOUSE_RULES[key].readings if how != self.reading(key))

    def memoize_for(self, what: str, id_: str, find: Callable[[], Found]) -> Found:
        """What was found before for a thing that stands where the state has it, on this table and under these readings.

        It must hang on nothing but that thing, the ground, and what no perturbation changes.
        """
        if self._is_ground_perturbed:
            return self._memoize_here((what, id_), find)
        if id_ not in self._changed_ids:
            return memoize_read(self.state, (what, id_), self._trial_readings, find)
        stands = self.perturbations.get(id_), self.facings_rad.get(id_), self.places_mm.get(id_)
        return memoize_recent(self.state, (what, id_, self._trial_readings, *stands), find)

    def without_readings(self, keys: frozenset[str]) -> "ExactTable":
        """The same table, none of these house rules tried out: for what hangs on none of them and is found once."""
        if keys.isdisjoint(self.readings):
            return self
        return replace(self, readings={key: reading for key, reading in self.readings.items() if key not in keys})

    def without_facings(self, *, but: str | None = None) -> "ExactTable":
        """The same table, nobody turned `but` one: for what hangs on no other facing and is found once for all of them.

        A base that is not round lies as it looks; where one is turned, this is the table itself.
        """
        others = [id_ for id_ in self.facings_rad if id_ != but]
        if not others or not all(isinstance(self.miniatures[id_].base, RoundBase) for id_ in others):
            return self
        turned = {id_: rad for id_, rad in self.facings_rad.items() if id_ == but}
        return self._memoize_here(("turned", but), lambda: replace(self, facings_rad=turned))

    def evaluate_memoized(self, what: Hashable, rule: "Callable[[ExactTable], RuleResult]") -> RuleResult:
        """What a rule finds; on a perturbed table what it found at rest, when nothing is perturbed that this hangs on.

        `what` names the rule and all it was asked about. So a question made of many conditions works out anew only
        those that a perturbation can change.
        """
        if self.places_mm:
            return rule(self)
        facings = frozenset(self.facings_rad.items())
        if self.stated is not None and self.drawn_as is not None and not self.perturbations:
            drawn = self.drawn_as, what, self._trial_readings, facings
            return memoize_drawn(self.stated.state, drawn, lambda: rule(self))
        with record_switches() as switches:
            result = memoize_read(
                self.state, ("result", what, facings), self._trial_readings, lambda: rule(self.unperturbed)
            )
        ids = chain(
            result.depends_on_place, *(switch.on for switch in switches), *(switch.turning for switch in switches)
        )
        hung_on = chain.from_iterable(members_of_unit(self.state, id_) for id_ in ids)
        if self.perturbations.keys().isdisjoint(hung_on):
            replay(switches)
            return result
        if self.is_sample:
            return self._memoize_here(("result", what), lambda: rule(self))
        return self.memoize_recent((what, *self.perturbations.items()), lambda: rule(self))

    def memoize_recent(self, what: Hashable, find: Callable[[], Found]) -> Found:
        """What was found a short while ago; `what` names all that was asked about, and what is perturbed of that."""
        return memoize_recent(self.state, (what, self._trial_readings, self._poses), find)

    def memoize_unperturbed(self, what: Hashable, find: "Callable[[ExactTable], Found]") -> Found:
        """What was found before of this table with nothing perturbed; `what` names all that was asked about."""
        if not self.perturbations:
            return self._memoize_still(what, find)
        with record_switches():  # those of the table at rest are none of this one
            return self._memoize_still(what, find)

    def memoize_stated(self, what: Hashable, find: "Callable[[ExactTable], Found]") -> Found:
        """What was found before of the table as it was asked about; its switches are none of one drawn of it."""
        if self.stated is None:
            return self.memoize_unperturbed(what, find)
        with record_switches():
            return self.stated.memoize_unperturbed(what, find)

    def _memoize_still(self, what: Hashable, find: "Callable[[ExactTable], Found]") -> Found:
        return memoize_read(self.state, (what, self._poses), self._trial_readings, lambda: find(self.unperturbed))

    @cached_attribute
    def _poses(self) -> Hashable:
        """Who stands or looks elsewhere than the state has it, but for perturbations."""
        return frozenset(self.facings_rad.items()), frozenset(self.places_mm.items())

    @cached_attribute
    def _changed_ids(self) -> frozenset[str]:
        """What is not as the state has it."""
        return frozenset((*self.perturbations, *self.facings_rad, *self.places_mm))

    def _memoize_here(self, what: Hashable, find: Callable[[], Found]) -> Found:
        """What was found before of this very table, perturbed as it is."""
        return remember(self._own_memo, what, find)

    @cached_attribute
    def _own_memo(self) -> dict[Hashable, object]:
        """Scratch space for what is found of these."""
        return {}

    @cached_attribute
    def _resting_bases(self) -> dict[str, RoundedShape]:
        """The bases that stand as the state has them."""
        return memoize(self.state, "bases", dict)

    @cached_attribute
    def _trial_readings(self) -> frozenset[tuple[str, str]]:
        return frozenset(self.readings.items())

    @cached_attribute
    def _is_ground_perturbed(self) -> bool:
        return not self.ground_ids.isdisjoint(self.perturbations)

    @cached_attribute
    def ground_ids(self) -> frozenset[str]:
        """Everything that is ground or effect."""
        return memoize(
            self.state,
            "ground",
            lambda: frozenset([*(t.id for t in self.state.terrain), *(e.id for e in self.state.effects)]),
        )

    @cached_attribute
    def miniatures(self) -> dict[str, Miniature]:
        """All miniatures by id, each with those words of its card that the book knows."""
        if not self.odd_sizes:
            return memoize(self.state, "miniatures", self._read_cards)
        reading = self.reading(SIZE_HOUSE_RULE)
        return memoize(self.state, ("miniatures", reading), lambda: self._read_cards() | self._size_odd(reading))

    @property
    def odd_sizes(self) -> tuple[Miniature, ...]:
        """Those whose base is of no size of the book: which it counts as is in doubt."""
        classes = self.edition.size_classes
        if classes is None:
            return ()
        return memoize(self.state, "odd sizes", lambda: classes.find_odd(self._read_cards().values()))

    @property
    def sized_by_book(self) -> tuple[Miniature, ...]:
        """Those of them that are odd, as they count here."""
        return tuple(self.miniatures[m.id] for m in self.odd_sizes)

    def _size_odd(self, reading: str) -> dict[str, Miniature]:
        classes = self.edition.size_classes
        return {} if classes is None else {m.id: classes.assign(m, reading) for m in self.odd_sizes}

    def _read_cards(self) -> dict[str, Miniature]:
        if self.stated is not None:
            return self._displace_cards(self.stated)
        read = self.edition.read_card
        return {m.id: m if read is None else read(m) for m in self.state.miniatures}

    def _displace_cards(self, stated: "ExactTable") -> dict[str, Miniature]:
        """The miniatures of a drawn state: a card reads the same wherever its miniature stands."""
        raw, cards = stated.state.by_id, memoize(stated.state, "cards", stated._read_cards)
        return {
            m.id: m
            if (card := cards[m.id]) is raw[m.id]
            else card.displaced(m.at_mm, facing_deg=m.facing_deg, elevation_mm=m.elevation_mm)
            for m in self.state.miniatures
        }

    def movers_of(self, id_: str) -> tuple[str, ...]:
        """What moves a thing: itself, and its carriers."""
        thing = self.state.by_id.get(id_)
        carried = isinstance(thing, Effect) and thing.on is not None and not thing.has_outline()
        return (id_, str(thing.on)) if carried else (id_,)  # type: ignore[union-attr]

    def miniature(self, id_: str) -> Miniature:
        return self.miniatures[id_]

    def centre(self, id_: str) -> Point:
        x, y = self.places_mm[id_] if id_ in self.places_mm else self.miniatures[id_].at_mm
        perturbation = self.perturbations.get(id_)
        return (x, y) if perturbation is None else (x + perturbation.dx_mm, y + perturbation.dy_mm)

    def facing_rad(self, id_: str) -> float:
        """Where it looks. Raises: FacingAmbiguous where it may look in one of several ways, else FacingMissing."""
        known = self.facings_rad.get(id_, self.miniatures[id_].facing_rad)
        if known is None:
            raise FacingAmbiguous(id_) if self.miniatures[id_].facing_alternatives else FacingMissing(id_)
        return known + self.perturbations.get(id_, NO_PERTURBATION).turn_rad

    def base(self, id_: str) -> RoundedShape:
        """The footprint of a miniature. A base that is not round needs a facing to lie on the table."""
        if id_ in self._changed_ids:
            return self._place_base(id_)
        if id_ not in self._resting_bases:
            self._resting_bases[id_] = self._place_base(id_)
        return self._resting_bases[id_]

    def _place_base(self, id_: str) -> RoundedShape:
        base = self.miniatures[id_].base
        if isinstance(base, RoundBase):
            return disc(self.centre(id_), base.radius_mm)
        return RoundedShape(place_outline(outline_at_rest(base), self.centre(id_), self.facing_rad(id_)))

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
            return self._unit_area(thing.id)
        if isinstance(thing, Objective):
            return self._objective_area(thing)
        return shift_area(self._shaped_area(thing), self.perturbations.get(thing.id, NO_PERTURBATION))

    def _unit_area(self, id_: str) -> Area:
        bases = tuple(self.base(m.id) for m in self.state.miniatures if m.unit == id_)
        if not bases:
            raise NobodyLeft(id_)
        return Area(bases)

    def _objective_area(self, thing: Objective) -> Area:
        if thing.at_mm is not None:
            return Area((disc(thing.at_mm, thing.diameter_mm / 2),))
        if thing.terrain is None:
            raise NobodyLeft(thing.id)
        return self.area(thing.terrain)

    def _shaped_area(self, thing: OutlineFields) -> Area:
        if isinstance(thing, Effect) and thing.on is not None and not thing.has_outline():
            carrier = self.area(thing.on)
            return Area(tuple(part.grow(inches(thing.radius_in or 0.0)) for part in carrier.parts))
        return outline_of(thing)

    def terrain_under(self, id_: str) -> list[Terrain]:
        """The terrain that holds the centre of a base."""
        return self.memoize_for("terrain under", id_, lambda: self._find_terrain_under(id_))

    def _find_terrain_under(self, id_: str) -> list[Terrain]:
        centre = self.centre(id_)
        near = math.dist(centre, self.miniatures[id_].at_mm) < _NEARBY_MM and not self._is_ground_perturbed
        around = self._terrain_around(id_) if near else self.state.terrain
        return [t for t in around if self._holds_centre(t, id_, centre)]

    def _holds_centre(self, terrain: Terrain, id_: str, centre: Point) -> bool:
        depth_mm = -area_gap(self.area(terrain.id), Area((RoundedShape((centre,)),))).mm
        return is_at_least(depth_mm, 0.0, "has its centre in", (id_, terrain.id))

    def _terrain_around(self, id_: str) -> tuple[Terrain, ...]:
        """The terrain that may hold the centre of a base, if only it is moved a little."""
        return memoize_told(
            self.state, ("around", id_), lambda: tuple(_terrain_near(ExactTable(self.state, self.edition), id_))
        )

    @cached_attribute
    def ground_areas(self) -> tuple[tuple[Terrain | Effect, Area], ...]:
        """All terrain and effects, as the state lists them, with where each lies."""
        if self._changed_ids:
            return self._find_ground_areas()
        return memoize(self.state, "grounds", self._find_ground_areas)

    def _find_ground_areas(self) -> tuple[tuple[Terrain | Effect, Area], ...]:
        things: tuple[Terrain | Effect, ...] = (*self.state.terrain, *self.state.effects)
        return tuple((thing, self.area(thing.id)) for thing in things)

    @cached_attribute
    def ground_discs(self) -> Discs:
        """A disc round each part of `grounds`, in order."""
        if self._changed_ids:
            return self._find_ground_discs()
        return memoize(self.state, "ground discs", self._find_ground_discs)

    def _find_ground_discs(self) -> Discs:
        parts = [part for _, area in self.ground_areas for part in area.parts]
        at = np.array([complex(*part.centre) for part in parts], dtype=np.complex128)
        return Discs(at, np.array([part.reach_mm for part in parts], dtype=np.float64))

    @cached_attribute
    def bounding_discs(self) -> BoundingDiscs:
        """All bases as numbers."""
        resting = memoize(self.state, "crowd", lambda: bounding_discs_of(self.state))
        moved = self.places_mm.keys() | self.perturbations.keys()
        return (
            resting.with_centres({id_: self.centre(id_) for id_ in moved if id_ in resting.place}) if moved else resting
        )


def _terrain_near(table: ExactTable, id_: str) -> Iterator[Terrain]:
    near = RoundedShape((table.miniature(id_).at_mm,), _NEARBY_MM)
    for terrain in table.state.terrain:
        if any(gap(part, near).mm <= 0 for part in table.area(terrain.id).parts):
            yield terrain


def shift_area(area: Area, perturbation: Perturbation) -> Area:
    """The same area elsewhere."""
    if perturbation is NO_PERTURBATION or (perturbation.dx_mm == 0 and perturbation.dy_mm == 0):
        return area
    dx, dy = perturbation.dx_mm, perturbation.dy_mm
    parts = tuple(RoundedShape(tuple((x + dx, y + dy) for x, y in p.points), p.radius_mm) for p in area.parts)
    return Area(parts, tuple((x + dx, y + dy) for x, y in area.outline))
