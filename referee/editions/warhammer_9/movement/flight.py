"""Flight: who must flee, the straight run away from the strongest enemy, through whom it leads and where it ends."""

import math
from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.queries import Flee
from models.terrain import Terrain
from models.unit_conversion import inches
from models.verdict import Reason, Witness
from models.vocabulary import Ability
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.line_of_sight.scene import is_beside_path, solid_bodies
from referee.editions.warhammer_9.movement import movement_dice, path_legs
from referee.editions.warhammer_9.movement.hazard import expected_wounds, is_dangerous
from referee.editions.warhammer_9.movement.spacing import ids_near, is_impassable_to
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import closest_bases, who_is_nearer
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    are_friends,
    garrisoned_building,
    kind_of,
    leading_miniature,
    members_of,
    regiment,
    regiment_of,
)
from referee.editions.warhammer_9.units.unit_strength import total_strength
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, convex_hull
from referee.motion.block_pose import BlockPose
from referee.motion.sweep import stretch_within
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_names, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM, choose_least, is_at_least, is_more_than

_AWAY = because(
    "Move Fleeing Units", 21, "It turns about its centre to look straight away, and runs through everything."
)
_STOP = because(
    "Move Fleeing Units", 21, "It never stops on or within an inch of others, but an inch beyond the last of them."
)
_MACHINE = because("War Machines", 86, "A machine that would flee is destroyed; after a panic test its crew hide.")
_HOLDS = because("Immunity", 61, "Nor do those flee who are immune to what they would flee from, or must hold.")
_LONGEST_MM = 2500.0  # farther than any table is long


def flee(table: ExactTable, query: Flee) -> RuleResult:
    """Flee: which way and how far a unit flees. Source: Flee, p. 18, 21; Direction of Flight, p. 53; Panic, p. 54."""
    own = regiment(table, query.mover)
    threats = _enemies_fled_from(table, query)
    if not threats:
        return RuleResult(status="unknown", needs=("threats",), because=(_AWAY,))
    heading = flight_heading_rad(table, query.mover, threats)
    strength = {threat: total_strength(table, threat) for threat in threats}
    ties = [threat for threat in threats if strength[threat] == max(strength.values())]
    value: dict[str, JsonValue] = {
        "heading_deg": math.degrees(heading) % 360.0,
        "threats": [*threats],
        "ties": [*ties] if len(ties) > 1 else [],
    }
    value["may_flee"] = may_flee = _may_flee(table, query)
    value["off_table"] = _chance_off_table(table, own.id, threats, movement_dice.running_dice(table, query.mover))
    witness, text, stop = tuple[Witness, ...](), "Its roll decides how far.", _STOP
    if kind_of(leading_miniature(table, query.mover)) == "war-machine" and query.cause != "charge":
        value |= {"result": "cowers" if query.cause == "panic" else "removed"}
        text, stop = "The crew hide for a turn." if query.cause == "panic" else "It is destroyed.", _MACHINE
    elif not may_flee:
        value |= {"result": "holds"}
        text, stop = "It does not flee.", _HOLDS
    elif query.dice.flee is not None:
        run = resolve_flight(
            table, query.mover, threats, told_distance_mm(table, query.mover, query.dice.flee, field="dice.flee")
        )
        legs = path_legs.turn_and_run_legs(BlockPose.of(own), run.end)
        value |= {
            "result": "removed" if run.is_off else "flees",
            "poses": path_legs.unit_poses(table, own, run.end),
            "paths": {query.mover: path_legs.label_legs("flee", legs)},
            "crossed": [*run.crossed],
            "panic": [*_friends_testing_panic(table, query.mover, run.crossed)],
            **_dangerous_tests(table, query.mover, run),
        }
        witness = path_legs.draw_legs(BlockPose.of(own), run.end, legs, query.mover)
        far = format_length(math.dist(own.centre, run.end.centre))
        text = f"It runs {far} through {format_names(table, run.crossed)}."
        stop = _explain_stop(table, run, told_distance_mm(table, query.mover, query.dice.flee, field="dice.flee"))
    return RuleResult(
        status="measured",
        value=value,
        witness=witness,
        because=(with_effect(table, _AWAY, text), stop),
        readings=("toward-from",),
        doubtful=("toward-from",),
    )


@dataclass(frozen=True)
class Flight:
    """Flight: where it ends, through whom it led, and whether it leaves the table."""

    start: BlockPose
    end: BlockPose
    crossed: tuple[str, ...]
    is_off: bool


def _explain_stop(table: ExactTable, run: Flight, rolled_mm: float) -> Reason:
    """The rule, and by how much it runs on so as to stop clear of others."""
    more = math.dist(run.start.centre, run.end.centre) - rolled_mm
    return with_effect(table, _STOP, f"It runs {format_length(more)} farther.") if more > EXACT_MM else _STOP


def _may_flee(table: ExactTable, query: Flee) -> bool:
    """Whether such a cause makes it flee, or it may choose to.

    Source: Hold, p. 17; Immunity, p. 61; Terror, Unbreakable, p. 67; War Machines, p. 86; Charge Reactions, p. 99.
    """
    minis = [table.miniature(m) for m in members_of(table, query.mover)]
    calm: Ability = "unbreakable" if query.cause == "break" else "immunity-psychology"
    if sum(m.has(calm) or (query.cause == "terror" and m.has("terror")) for m in minis) > len(minis) / 2:
        return False
    if query.cause == "charge" and "fleeing" not in minis[0].status:
        first = leading_miniature(table, query.mover)
        bound = first.has(calm) or kind_of(first) == "war-machine"
        if bound or engaged_with(table, query.mover):
            return False
    return query.cause not in ("charge", "terror") or garrisoned_building(table, query.mover) is None


def _enemies_fled_from(table: ExactTable, query: Flee) -> tuple[str, ...]:
    """Whom it flees from: told; those it lost to; else the closest enemy. Source: p. 50, 53, 54."""
    if query.threats:
        return query.threats
    if query.cause == "break" and (winners := engaged_with(table, query.mover)):
        return tuple(winners)
    foes = [id_ for id_ in all_regiments(table) if not are_friends(table, query.mover, id_)]
    between = {id_: closest_bases(table, query.mover, id_) for id_ in foes}
    ranked = [(closest.mm, id_) for id_, closest in between.items()]
    if not ranked:
        return ()
    return (choose_least(ranked, "is nearer than", lambda a, b: who_is_nearer(between[a], between[b])),)


def _chance_off_table(table: ExactTable, mover: str, threats: tuple[str, ...], name: str) -> dict[str, JsonValue]:
    """The least roll that takes it off the table, and its chance. Source: Move Fleeing Units, p. 21."""
    for roll in sorted(movement_dice.roll_distribution(name)):
        if resolve_flight(table, mover, threats, running_distance_mm(table, mover, roll)).is_off:
            return {
                "needs": roll,
                "p": float(movement_dice.chance_at_least(name, roll)),
                "exact": str(movement_dice.chance_at_least(name, roll)),
            }
    return {"needs": None, "p": 0.0, "exact": "0"}


def _dangerous_tests(table: ExactTable, mover: str, run: Flight) -> dict[str, JsonValue]:
    """How many tests those make who flee through enemies, impassable or dangerous ground: one each for each.

    Source: Move Fleeing Units, p. 21; Dangerous Terrain, p. 91.
    """
    own, tests, expected = regiment(table, mover), dict[str, int](), 0.0
    friends = {id_ for id_ in run.crossed if id_ in all_regiments(table) and are_friends(table, mover, id_)}
    met_on_way = [thing for thing in flight_obstructions(table, mover) if thing[0] in {*run.crossed} - friends]
    rough = [(t, part) for t in table.state.terrain for part in table.area(t.id).parts]
    for id_, place, (wide, deep) in zip(own.members, own.places, own.sizes_mm, strict=True):
        x, y = own.to_local(place, own.front)
        kind, ends = kind_of(table.miniature(id_)), (run.start, run.end)
        poses = [replace(pose, front=pose.point_at(x + deep / 2, y), width_mm=wide, depth_mm=deep) for pose in ends]
        swept = RoundedShape(convex_hull([p for pose in poses for p in pose.corners]))
        risky = met_on_way + [(t.id, part) for t, part in rough if is_dangerous(table, mover, kind, t)]
        met = {
            thing for thing, shape in risky if is_more_than(-gap(swept, shape).mm, 0.0, "flees through", (id_, thing))
        }
        tests |= {id_: len(met)} if met else {}
        expected += sum(expected_wounds(table, id_, thing) for thing in met)
    return {"tests": sum(tests.values()), "tested": dict[str, JsonValue](tests), "expected": expected}


def _friends_testing_panic(table: ExactTable, mover: str, crossed: tuple[str, ...]) -> list[str]:
    """Friends who test for panic. Source: Panic, p. 54."""
    if total_strength(table, mover) < parameters.FEW:
        return []
    units = [unit for unit in crossed if not isinstance(table.state.by_id[unit], Terrain)]
    return [
        unit
        for unit in units
        if are_friends(table, mover, unit) and "fleeing" not in leading_miniature(table, unit).status
    ]


def strongest_threat(table: ExactTable, threats: tuple[str, ...]) -> str:
    """The strongest of those who are fled from, the first of equal ones."""
    return max(threats, key=lambda threat: total_strength(table, threat))


def flight_heading_rad(table: ExactTable, mover: str, threats: tuple[str, ...]) -> float:
    """Direction of flight: straight away from the centre of the strongest. Source: Direction of Flight, p. 53."""
    strongest = strongest_threat(table, threats)
    (x, y), (tx, ty) = regiment(table, mover).centre, regiment(table, strongest).centre
    if table.reading("toward-from") != "centres" and (between := closest_bases(table, mover, strongest)).mm > 0:
        (x, y), (tx, ty) = between.gap.at_a, between.gap.at_b
    return math.atan2(y - ty, x - tx)


def resolve_flight(table: ExactTable, mover: str, threats: tuple[str, ...], by_mm: float) -> Flight:
    """Flight of so many millimetres. Source: Move Fleeing Units, p. 21."""
    key = ("flight", mover, threats, *table.perturbations.items())
    return table.memoize_recent(key, lambda: _find_way(table, mover, threats)).run(table, by_mm)


@dataclass(frozen=True)
class _Beside:
    """A thing beside or on the way of a flight: how far aside, and between which travels it is touched, or nearer
    than an inch."""

    id: str
    aside_mm: float
    touched: tuple[float, float] | None
    within_inch: tuple[float, float] | None
    on: tuple[str, ...]

    def is_run_through(self, by_mm: float, passed: str) -> bool:
        depth = -self.aside_mm if self.touched is None else min(-self.aside_mm, by_mm - self.touched[0])
        return is_more_than(depth, 0.0, f"runs {passed} through", self.on)

    def is_ended_at(self, by_mm: float, blocker: str) -> bool:
        """Whether so long a flight would end within an inch of it."""
        depth = parameters.SPACING_MM - self.aside_mm
        if self.within_inch is not None:
            depth = min(depth, by_mm - self.within_inch[0], self.within_inch[1] - by_mm)
        return is_more_than(depth, 0.0, f"ends, {blocker} on, within an inch of", self.on)


@dataclass(frozen=True)
class _Way:
    """The way of a flight, however far it leads: where it begins, and what lies along it in the table's order."""

    start: BlockPose
    along: tuple[_Beside, ...]
    on: tuple[str, ...]

    def run(self, table: ExactTable, by_mm: float) -> Flight:
        """So far along it, and on to the least distance at which an inch is left to everything."""
        length = format_length(by_mm)
        for neighbour in sorted(
            (neighbour for neighbour in self.along if neighbour.within_inch),
            key=lambda neighbour: neighbour.within_inch or (),
        ):
            if neighbour.is_ended_at(by_mm, length) and neighbour.within_inch is not None:
                by_mm = neighbour.within_inch[1]
        crossed = tuple(
            dict.fromkeys(neighbour.id for neighbour in self.along if neighbour.is_run_through(by_mm, length))
        )
        end, size = self.start.translate(by_mm), table.state.table
        left = min(min(x, y, size.width_mm - x, size.depth_mm - y) for x, y in end.corners)
        is_off = is_at_least(0.0, left, f"runs {length} off the table", self.on)
        return Flight(self.start, end, crossed, is_off)


def _find_way(table: ExactTable, mover: str, threats: tuple[str, ...]) -> _Way:
    own, foe = regiment(table, mover), regiment(table, strongest_threat(table, threats))
    stand = BlockPose.of(own)
    start = stand.rotate(flight_heading_rad(table, mover, threats) - own.facing_rad, stand.centre)
    swept = RoundedShape(convex_hull([*start.corners, *start.translate(_LONGEST_MM).corners]))
    ends = (own.outermost[0][0], own.outermost[2][0], foe.outermost[0][0], foe.outermost[2][0])  # what moves its way
    heading = (math.cos(start.facing_rad), math.sin(start.facing_rad))
    along = []
    for id_, shape in flight_obstructions(table, mover):
        if is_beside_path(swept, shape):
            continue
        spans = [stretch_within(start.shape, heading, shape, mm) for mm in (0.0, parameters.SPACING_MM)]
        on = tuple(dict.fromkeys((ends[0], *ids_near(table, id_, start.shape)[:2], *ends[1:])))
        along.append(_Beside(id_, gap(swept, shape).mm, spans[0], spans[1], on))
    return _Way(start, tuple(along), tuple(dict.fromkeys(ends)))


def flight_obstructions(table: ExactTable, mover: str) -> list[tuple[str, RoundedShape]]:
    """Units and impassable terrain that a flight may not end on."""
    obstructions = [
        (id_, body.shape)
        for id_ in all_regiments(table)
        if id_ != regiment_of(table, mover) and garrisoned_building(table, id_) is None
        for body in solid_bodies(table, id_)
    ]
    for terrain in table.state.terrain:
        if is_impassable_to(table, mover, terrain):
            obstructions += [(terrain.id, part) for part in table.area(terrain.id).parts]
    return obstructions


@dataclass(frozen=True)
class Casualties:
    """Casualties: what those who run down a fleeing unit do to it."""

    is_all: bool
    wounds: int | None
    """How many it suffers; None where it is removed whatever it has."""

    def value(self) -> dict[str, JsonValue]:
        return {"removed": self.is_all, "wounds": self.wounds}


def casualties_of(table: ExactTable, chaser: str, fled: str) -> Casualties:
    """Casualties of a fleeing unit that is caught. Source: Charging a Fleeing Enemy, p. 20; Caught, p. 50."""
    strong = total_strength(table, chaser)
    wounds = sum(table.miniature(m).profile.wounds or 1 for m in members_of(table, fled))
    many = strong >= parameters.MANY
    return Casualties(many or strong >= wounds, None if many else int(strong))


def told_distance_mm(table: ExactTable, id_: str, rolled: int, *, field: str) -> float:
    """Distance of a flight or pursuit with a roll that a field told. Raises: BadQuery where no dice of it give that."""
    movement_dice.check_total(movement_dice.running_dice(table, id_), rolled, field=field)
    return running_distance_mm(table, id_, rolled)


def running_distance_mm(table: ExactTable, id_: str, rolled: int) -> float:
    """Distance of a flight or pursuit with this roll. Source: Move Fleeing Units, p. 21; Barding, p. 77."""
    return inches(max(0, rolled - movement_dice.barding_penalty_in(table, id_)))
