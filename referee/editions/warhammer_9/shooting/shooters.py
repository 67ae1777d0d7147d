"""Shooters: who of a unit may shoot at a target, and how many hits to expect."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import partial

from pydantic import JsonValue

from models.miniature import Miniature
from models.profile import RangedWeapon
from models.queries import Los, Shooters
from models.terrain import Terrain
from models.unit import Unit
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9.line_of_sight.body_visibility import sight_blocker_doubts, sight_blockers
from referee.editions.warhammer_9.line_of_sight.cover import cover_from
from referee.editions.warhammer_9.line_of_sight.los import (
    GRAZED_MM,
    eligible_viewers,
    is_at_forest_limit,
    line_of_sight,
    sight_lines,
)
from referee.editions.warhammer_9.line_of_sight.scene import Occluder, fires_all_round, solid_bodies
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.attack_modifiers import to_hit_chance, to_hit_doubts, to_hit_roll
from referee.editions.warhammer_9.shooting.may_shoot import armed_members, weapon_of, why_may_not_shoot
from referee.editions.warhammer_9.units.distances import (
    Part,
    closest_bases,
    closest_parts,
    place_doubts,
    weapon_range_mm,
)
from referee.editions.warhammer_9.units.quadrants import depth_ahead_mm, reaches_front
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    garrisoned_building,
    is_skirmishing,
    members_of,
    regiment,
)
from referee.rules.conditions import RIVAL_MM
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.memo import memoize
from referee.rules.rule_result import Candidate, RuleResult

_WHO = because("Shooting", 35, "A miniature shoots at what lies partly in its front, is seen and is in range.")
_RANKS = because("Fire in Two Ranks", 35, "The second rank looks through those directly ahead; no more ranks fire.")
_VOLLEY = because("Volley Fire", 68, "Unmoved, all ranks in range fire once one sees, beyond half the range, at -1.")
_LOOSE = because("Skirmishers", 65, "What the front rank of skirmishers sees, all their ranks may shoot at.")
_NOT = because(
    "Who Can Shoot?", 34, "Not after marching, reforming, rallying, charging or fleeing, and not while engaged."
)
_FIVE = 5  # Source: Buildings, p. 99
_MOST = 3


@dataclass(frozen=True)
class Clause:
    """One condition of a shot: its margin, what that depends on, and how to measure it on another table.

    `key` tells it from every other of the same table; `perturbed_by` names all that a nudge of may change it.
    """

    mm: float
    depends_on: tuple[str, ...]
    remeasure: Callable[[ExactTable], float]
    key: Hashable = None
    perturbed_by: frozenset[str] = frozenset()

    def margin_on(self, table: ExactTable) -> float:
        """The same condition on this table. Many share their eyes, and ask about the same nudges."""
        if table.facings_rad or table.places_mm or self.key is None:
            return self.remeasure(table)
        nudges = {id_: nudge for id_, nudge in table.perturbations.items() if id_ in self.perturbed_by}
        if not nudges:
            return self.mm
        return table.memoize_recent((self.key, frozenset(nudges.items())), lambda: self.remeasure(table))


@dataclass(frozen=True)
class Shooter:
    """A miniature that might shoot, and through whose eyes."""

    id: str
    rank: int
    eyes: str
    clauses: tuple[Clause, ...]

    @property
    def margin_mm(self) -> float:
        return min((clause.mm for clause in self.clauses), default=-CAPPED_MM)

    def deciding_clauses(self) -> tuple[Clause, ...]:
        """The least of the conditions, and those that may take its place by a measuring error."""
        return tuple(clause for clause in self.clauses if clause.mm <= self.margin_mm + RIVAL_MM)

    def evaluate(self, table: ExactTable) -> RuleResult:
        near = self.deciding_clauses()
        again = table.perturbations or table.facings_rad or table.places_mm
        margin = min((clause.margin_on(table) if again else clause.mm for clause in near), default=-CAPPED_MM)
        touches = tuple(dict.fromkeys(id_ for clause in near for id_ in clause.depends_on))
        return RuleResult(margin_mm=margin, depends_on_place=touches, depends_on_facing=(self.eyes,))


def shooters(table: ExactTable, query: Shooters) -> RuleResult:
    """Shooters: how many may shoot.

    Source: Shooting, p. 35; Volley Fire, p. 68; Skirmishers, p. 65; Buildings, p. 99.
    """
    weapon = weapon_of(table, query.attacker, query.weapon)
    limit = weapon_range_mm(table, query.attacker, query.weapon)
    if weapon is None or limit is None:
        return RuleResult(status="unknown", needs=(f"profile.ranged of {query.attacker}",), because=(_WHO,))
    volley = query.manner == "volley"
    reasons = why_may_not_shoot(table, query.attacker, weapon, volley=volley)
    every = _possible_shooters(table, query, limit[1])
    if table.perturbations:
        return _evaluate_perturbed(table, every, barred_=bool(reasons))
    able = [shooter for shooter in every if shooter.margin_mm > -GRAZED_MM and not reasons]
    best = max(every, key=lambda shooter: shooter.margin_mm, default=None)
    result = RuleResult(margin_mm=-CAPPED_MM) if best is None else best.evaluate(table)
    loose = is_skirmishing(table, query.attacker)
    return RuleResult(
        margin_mm=-CAPPED_MM if reasons else result.margin_mm,
        value=_value(table, query, weapon, able, reasons),
        because=(
            with_effect(table, _VOLLEY if volley else _WHO, f"{len(able)} may shoot."),
            _LOOSE if loose else _RANKS,
            _NOT,
        ),
        outcomes=tuple(shooter.id for shooter in able),
        members=() if table.margins_only else tuple(_candidate(shooter, barred_=bool(reasons)) for shooter in every),
        readings=("second-rank-range", "volley-sight", "shot-measured-to"),
        doubtful=tuple(_doubtful_house_rules(table, query, every)),
        depends_on_place=result.depends_on_place,
        depends_on_facing=result.depends_on_facing,
        advice=None if able or reasons or table.margins_only else _unsure_advice(table, query),
    )


def _unsure_advice(table: ExactTable, query: Shooters) -> str | None:
    """What to do where nobody shoots only because heights are not told over which the target may show."""
    sight = line_of_sight(table, Los(viewer=query.attacker, target=query.target, purpose="shot"))
    return sight.advice


def _doubtful_house_rules(table: ExactTable, query: Shooters, every: tuple[Shooter, ...]) -> Iterator[str]:
    """The house rules on which it may hang who shoots."""
    yield from place_doubts(table, query.attacker, query.target)
    yield from sight_blocker_doubts(table, query.attacker, query.target)
    if any(is_at_forest_limit(clause.mm) for shooter in every for clause in shooter.clauses):
        yield "forest-exact"
    yield from to_hit_doubts(table, query.target, volley=query.manner == "volley")
    if query.manner == "volley":
        yield "volley-sight"
    elif garrisoned_building(table, query.attacker) is None:
        yield "shot-measured-to"
        if regiment(table, query.attacker).ranks > 1:
            yield "second-rank-range"


def _evaluate_perturbed(table: ExactTable, every: tuple[Shooter, ...], *, barred_: bool) -> RuleResult:
    """The margin on a perturbed table, of those who were best at rest."""
    best = sorted(every, key=lambda shooter: -shooter.margin_mm)[:_MOST]
    near = [shooter for shooter in best if shooter.margin_mm >= best[0].margin_mm - RIVAL_MM]
    margin = max((shooter.evaluate(table).margin_mm or 0.0 for shooter in near), default=-CAPPED_MM)
    return RuleResult(margin_mm=-CAPPED_MM if barred_ else margin)


def _candidate(shooter: Shooter, *, barred_: bool) -> Candidate:
    if barred_:
        return Candidate(shooter.id, RuleResult(margin_mm=-CAPPED_MM), lambda _: RuleResult(margin_mm=-CAPPED_MM))
    clauses = shooter.deciding_clauses()
    touches = tuple(dict.fromkeys(id_ for each in clauses for id_ in each.depends_on))
    return Candidate(
        shooter.id,
        RuleResult(margin_mm=shooter.margin_mm, depends_on_place=touches, depends_on_facing=(shooter.eyes,)),
        shooter.evaluate,
    )


def _possible_shooters(table: ExactTable, query: Shooters, most_mm: float) -> tuple[Shooter, ...]:
    """All that might shoot, as they stand at rest."""
    if table.facings_rad or table.places_mm:
        return tuple(_find_shooters(table, query, most_mm))
    key = ("shooters", query.attacker, query.target, most_mm, query.manner, query.weapon)
    return table.memoize_unperturbed(key, lambda still: tuple(_find_shooters(still, query, most_mm)))


def _find_shooters(table: ExactTable, query: Shooters, most_mm: float) -> Iterator[Shooter]:
    if garrisoned_building(table, query.attacker) is not None:
        return _garrison_shooters(table, query, most_mm)
    armed = armed_members(table, query.attacker, query.weapon)
    find = _volley_shooters if query.manner == "volley" else _direct_fire_shooters
    return (shooter for shooter in find(table, query, most_mm) if shooter.id in armed)


def _direct_fire_shooters(table: ExactTable, query: Shooters, most_mm: float) -> Iterator[Shooter]:
    """The front rank, and the second through the eyes of those ahead; of loose units all that the front rank sees."""
    own, loose = regiment(table, query.attacker), is_skirmishing(table, query.attacker)
    things = sight_blockers(table, query.attacker, query.target)
    front = {id_: _Sight.of(table, id_, query.target, things) for id_ in own.rank(0)}
    best = max(front, key=lambda id_: front[id_].mm)
    for id_, (rank, _) in zip(own.members, own.cells, strict=True):
        eyes = id_ if rank == 0 else best if loose else own.in_front_of(id_) if rank == 1 else None
        if eyes is None:
            continue
        sight, machine = front[eyes], eyes
        if loose and rank > 0 and (mine := _Sight.of(table, id_, query.target, things)).mm > sight.mm:
            sight, machine = mine, id_
        yield Shooter(
            id_, rank, machine, (*sight.clauses, _range_clause(table, id_, machine, query.target, most_mm, sight))
        )


@dataclass(frozen=True)
class _Sight:
    """What one sees of a target through its own front."""

    mm: float
    clauses: tuple[Clause, ...]
    seen: frozenset[str]
    """Those in the rows to which a line is clear; nobody where all are closed."""

    @classmethod
    def of(cls, table: ExactTable, eyes: str, target: str, things: tuple[Occluder, ...]) -> "_Sight":
        """What is found at rest is the same under all readings but that of exactly as much forest as may be."""
        if table.perturbations or table.facings_rad or table.places_mm:
            return cls._find(table, eyes, target, things)
        key = (
            "sight to shoot",
            eyes,
            target,
            tuple((thing.id, thing.rank) for thing in things),
            table.reading("forest-exact"),
        )
        return memoize(table.state, key, lambda: cls._find(table, eyes, target, things))

    @classmethod
    def _find(cls, table: ExactTable, eyes: str, target: str, things: tuple[Occluder, ...]) -> "_Sight":
        lines = sight_lines(table, eyes, target, things, shot=True)
        if not lines:
            return cls._outside_front(table, eyes, target)
        best = max(lines, key=lambda line: line.margin_mm)
        rows = {line.row: line.rivals for line in lines if line.margin_mm >= best.margin_mm - RIVAL_MM}
        again = partial(_remeasure_clearance, eyes=eyes, target=target, rows=rows)
        ends = frozenset((eyes, *members_of(table, target)))
        holders = frozenset(
            m for line in lines if line.row in rows for id_, _ in line.rivals for m in _members_or_itself(table, id_)
        )
        clauses = [Clause(best.clearance_mm, best.depends_on, again, ("sight", eyes, target), ends | holders)]
        if best.depth_mm < CAPPED_MM:
            touches = (eyes, *best.body.members)
            deep = partial(_remeasure_depth, eyes=eyes, target=target, row=best.row)
            clauses.append(Clause(best.depth_mm, touches, deep, ("depth", eyes, target, best.row), ends))
        seen = frozenset(m for line in lines if line.is_clear for m in line.body.row)
        return cls(min(clause.mm for clause in clauses), tuple(clauses), seen)

    @classmethod
    def _outside_front(cls, table: ExactTable, eyes: str, target: str) -> "_Sight":
        own, parts = regiment(table, eyes), solid_bodies(table, target)
        row = max(range(len(parts)), key=lambda k: depth_ahead_mm(own, parts[k].shape))
        depth = depth_ahead_mm(own, parts[row].shape)
        deep, ends = (
            partial(_remeasure_depth, eyes=eyes, target=target, row=row),
            frozenset((eyes, *members_of(table, target))),
        )
        clause = Clause(depth, (eyes, *parts[row].members), deep, ("depth", eyes, target, row), ends)
        return cls(depth, (clause,), frozenset())


def _members_or_itself(table: ExactTable, id_: str) -> tuple[str, ...]:
    """All that the place of what stands between hangs on."""
    return members_of(table, id_) if isinstance(table.state.by_id[id_], Unit | Miniature) else (id_,)


def _remeasure_clearance(
    table: ExactTable, *, eyes: str, target: str, rows: dict[int, frozenset[tuple[str, int | None]]]
) -> float:
    holders = frozenset().union(*rows.values())
    things = tuple(blocker for blocker in sight_blockers(table, eyes, target) if (blocker.id, blocker.rank) in holders)
    lines = sight_lines(table, eyes, target, things, shot=True, rows=rows)
    return max((line.clearance_mm for line in lines), default=-GRAZED_MM)


def _remeasure_depth(table: ExactTable, *, eyes: str, target: str, row: int) -> float:
    return depth_ahead_mm(regiment(table, eyes), solid_bodies(table, target)[row].shape)


def _range_clause(table: ExactTable, id_: str, eyes: str, target: str, most_mm: float, sight: _Sight) -> Clause:
    """Range to the nearest base that is seen in the front it shoots through. Source: Shooting, p. 35."""
    measured = id_ if table.reading("second-rank-range") == "own-base" else eyes
    if table.reading("shot-measured-to") == "nearest" or garrisoned_building(table, target) is not None:
        return _unit_range_clause(table, measured, target, most_mm)
    own, free = regiment(table, eyes), fires_all_round(table.miniature(eyes))
    ids = [m for m in members_of(table, target) if free or reaches_front(own, table.base(m), (m,))]
    ids = [m for m in ids if m in sight.seen] or ids
    if not ids:
        return Clause(-CAPPED_MM, (), lambda _: -CAPPED_MM)
    closest = closest_parts([(measured, table.base(measured))], [(m, table.base(m)) for m in ids])
    touches = closest.depends_on
    near = tuple(touch for touch in touches if touch != measured)
    again = partial(_remeasure_range, id_=measured, near=near, most_mm=most_mm)
    what = ("range", measured, near, most_mm)
    return Clause(most_mm - max(0.0, closest.mm), touches, again, what, frozenset((measured, *near)))


def _remeasure_range(table: ExactTable, *, id_: str, near: tuple[str, ...], most_mm: float) -> float:
    theirs: list[Part] = [(m, table.base(m)) for m in near]
    return most_mm - max(0.0, closest_parts([(id_, table.base(id_))], theirs).mm)


def _unit_range_clause(table: ExactTable, id_: str, target: str, most_mm: float) -> Clause:
    closest = closest_bases(table, id_, target)

    def again(perturbed: ExactTable) -> float:
        return most_mm - max(0.0, closest_bases(perturbed, id_, target).mm)

    return Clause(most_mm - max(0.0, closest.mm), closest.depends_on, again)


def _garrison_shooters(table: ExactTable, query: Shooters, most_mm: float) -> Iterator[Shooter]:
    """Five shooters a floor, all round, from the nearest point of the building. Source: Buildings, p. 99."""
    members = garrison_at_windows(table, query.attacker, query.weapon)
    sight = _Sight.of(table, members[0], query.target, sight_blockers(table, query.attacker, query.target))
    reach = _unit_range_clause(table, query.attacker, query.target, most_mm)
    for id_ in members:
        yield Shooter(id_, 0, members[0], (*sight.clauses, reach))


def garrison_at_windows(table: ExactTable, unit: str, weapon: str | None) -> tuple[str, ...]:
    """Those of a garrison who shoot: five a floor. Source: Five per Floor, p. 99."""
    building = table.state.by_id[str(garrisoned_building(table, unit))]
    floors = building.floors if isinstance(building, Terrain) and building.floors else 1
    return armed_members(table, unit, weapon)[: _FIVE * floors]


def _volley_shooters(table: ExactTable, query: Shooters, most_mm: float) -> Iterator[Shooter]:
    """Everybody in range, once one of the front sees the target and it is farther than half the range."""
    own = regiment(table, query.attacker)
    things = sight_blockers(table, query.attacker, query.target)
    front = {
        viewer_id: _Sight.of(table, viewer_id, query.target, things)
        for viewer_id in eligible_viewers(table, query.attacker)
    }
    best = max(front, key=lambda viewer_id: front[viewer_id].mm)
    half = _half_range_clause(table, query, most_mm)
    for id_, (rank, _) in zip(own.members, own.cells, strict=True):
        each = table.reading("volley-sight") == "each"
        sight = _Sight.of(table, id_, query.target, things) if each else front[best]
        clauses = (*sight.clauses, half, _unit_range_clause(table, id_, query.target, most_mm))
        yield Shooter(id_, rank, _cover_eyes(own, id_, front) or best, clauses)


def _cover_eyes(own: Regiment, id_: str, front: dict[str, _Sight]) -> str | None:
    """Through whose eyes the cover counts of somebody farther back: the front rank's in the same file."""
    return id_ if id_ in front else next((m for m in front if own.file_of(m) == own.file_of(id_)), None)


def _half_range_clause(table: ExactTable, query: Shooters, most_mm: float) -> Clause:
    """Exactly half the range is not beyond it."""

    def beyond(asked: ExactTable) -> float:
        spare = max(0.0, closest_bases(asked, query.attacker, query.target).mm) - most_mm / 2
        return spare if spare > GRAZED_MM else min(spare, -GRAZED_MM)

    return Clause(beyond(table), closest_bases(table, query.attacker, query.target).depends_on, beyond)


def _value(
    table: ExactTable, query: Shooters, weapon: RangedWeapon, able: list[Shooter], reasons: list[str]
) -> dict[str, JsonValue]:
    by_rank: dict[str, JsonValue] = {}
    for shooter in able:
        by_rank[str(shooter.rank)] = int(str(by_rank.get(str(shooter.rank), 0))) + 1
    value: dict[str, JsonValue] = {"count": len(able), "by_rank": by_rank, "reasons": [*reasons]}
    if table.margins_only or not able:
        return value
    odds = to_hit_roll(table, query.attacker, query.target, weapon, volley=query.manner == "volley")
    if odds is None:
        return value | {"unknown": ["profile.bs"]}
    groups = _cover_groups(table, query, weapon, able)
    cover_groups: list[JsonValue] = [{"kind": kind, "count": n, "needs": needs} for kind, (n, needs) in groups.items()]
    hits, singly = (
        float(sum(n * to_hit_chance(max(2, needs - less)) for n, needs in groups.values())) for less in (0, 1)
    )
    if any(name == "multiple-shots" for name, _, _ in odds.modifiers):  # the hits are then those of one shot of each
        value["single_shot"] = {"needs": max(2, odds.needs - 1), "expected_hits": singly}
    return value | {"needs": odds.needs, "groups": cover_groups, "expected_hits": hits}


def _cover_groups(
    table: ExactTable, query: Shooters, weapon: RangedWeapon, able: list[Shooter]
) -> dict[str, tuple[int, int]]:
    """How many shoot at a target in each kind of cover, and what they need. Source: Cover, p. 36."""
    kinds = [cover_from(table, shooter.eyes, query.target).kind for shooter in able]
    volley = query.manner == "volley"
    by_cover = {}
    for kind in dict.fromkeys(kinds):
        odds = to_hit_roll(table, query.attacker, query.target, weapon, volley=volley, kind=kind)
        if odds is not None:
            by_cover[kind] = (kinds.count(kind), odds.needs)
    return by_cover
