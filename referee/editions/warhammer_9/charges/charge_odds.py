"""Charge odds: how far a charge has to go, with which dice, and how likely it gets there."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from models.dice import Dice
from models.errors import BadQuery
from models.miniature import Miniature
from models.queries import ChargeChance
from models.unit import Unit
from models.unit_conversion import MM_PER_INCH, inches
from models.verdict import CAPPED_MM, Witness
from referee.editions.warhammer_9.charges.obstacles import charge_goal, charge_line_geometry, defended_obstacle_doubts
from referee.editions.warhammer_9.movement import movement_dice
from referee.editions.warhammer_9.movement.flight import resolve_flight, running_distance_mm
from referee.editions.warhammer_9.movement.movement_dice import FLY_IN, heeds_forests, speed_mm
from referee.editions.warhammer_9.movement.spacing import ids_near
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import ClosestBases, closest_bases, ruler
from referee.editions.warhammer_9.units.regiment import regiment
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.motion.block_pose import BlockPose
from referee.motion.shortest_path import Detour, is_barred, shortest_clear_line, shortest_path_round
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM, is_more_than

RANGE = because("Roll Charge Range", 19, "Movement and roll must reach the closest base; the way may be longer.")


@dataclass(frozen=True)
class ChargeOdds:
    """Charge odds: the distance, the dice, and how far the charge goes at most.

    `line` is what the distance is measured along where it is not the gap between the closest bases; `line_depends_on`
    what bars that gap.
    """

    between: ClosestBases
    speed_mm: float
    dice: str
    penalty_in: int
    line: Detour | None = None
    line_depends_on: tuple[str, ...] = ()

    @property
    def distance_mm(self) -> float:
        return max(0.0, self.between.mm) if self.line is None else self.line.mm

    @property
    def depends_on(self) -> tuple[str, ...]:
        """Everything whose place the distance may hang on."""
        return tuple(dict.fromkeys((*self.between.depends_on, *self.line_depends_on)))

    def draw(self, table: ExactTable) -> Witness:
        """The line that is measured."""
        if self.line is None or not self.line.points:
            return ruler(table, self.between, "limit")
        return Witness(type="polyline", role="limit", points_mm=self.line.points)

    @property
    def longest_mm(self) -> float:
        return self.speed_mm + inches(movement_dice.highest_total(self.dice) - self.penalty_in)

    @property
    def least_shortfall_mm(self) -> float:
        """By how much the closest bases are at least beyond its reach, whatever slows it or bars the line."""
        return self.between.mm - self.longest_mm - inches(1)

    def least_roll(self, mm: float) -> int:
        """The least roll that reaches so far."""
        return max(1, math.ceil((mm - self.speed_mm - EXACT_MM) / MM_PER_INCH + self.penalty_in))

    def reach_mm(self, rolled: Dice) -> float | None:
        """How far it goes with these dice; None when none were rolled."""
        if rolled.charge is None:
            return None
        rolled_in = movement_dice.roll_total(self.dice, rolled.charge, field="dice.charge")
        return self.speed_mm + inches(rolled_in - self.penalty_in)


def charge_odds(table: ExactTable, attacker: str, target: str, *, flying: bool = False) -> ChargeOdds | None:
    """Charge odds against that target; None when a card lacks the Movement.

    Source: p. 19; Barding, p. 77; Fly, p. 59.
    """
    speed = inches(FLY_IN) if flying else speed_mm(table, attacker)
    if speed is None:
        return None
    between = closest_bases(table, attacker, charge_goal(table, attacker, target))
    if not flying:
        speed = max(0.0, speed - inches(1) * _crosses_forest(table, attacker, between))
    name, less = movement_dice.charge_dice(table, attacker, speed), movement_dice.barding_penalty_in(table, attacker)
    line, hangs_on = (None, ()) if flying else _agreed_line(table, attacker, target, between)
    return ChargeOdds(between, speed, name, less, line, hangs_on)


def _agreed_line(
    table: ExactTable, attacker: str, target: str, between: ClosestBases
) -> tuple[Detour | None, tuple[str, ...]]:
    """The line that the table has agreed to measure along, where it is not the shortest gap; and what it hangs on."""
    how = table.reading("charge-line")
    if how == "shortest-gap":
        return None, ()
    own, foe, things = charge_line_geometry(table, attacker, target)
    barring = [shape for shapes in things.values() for shape in shapes]
    if not is_barred(between.gap.at_a, between.gap.at_b, barring):
        return None, ()
    find = shortest_clear_line if how == "shortest-clear-line" else shortest_path_round
    ids = tuple(
        near_id
        for id_ in things
        for near_id in ids_near(table, id_, RoundedShape((between.gap.at_a, between.gap.at_b)))
    )
    return find(own, foe, barring) or Detour(CAPPED_MM, ()), ids


def charge_line_doubts(table: ExactTable, attacker: str, target: str, odds: ChargeOdds | None) -> Iterator[str]:
    """House rules of the charge distance, where something lies between the closest bases."""
    if odds is not None and not table.perturbations:
        _, _, things = charge_line_geometry(table, attacker, target)
        barring = [shape for shapes in things.values() for shape in shapes]
        if is_barred(odds.between.gap.at_a, odds.between.gap.at_b, barring):
            yield "charge-line"


def charge_odds_doubts(table: ExactTable, attacker: str, target: str, odds: ChargeOdds | None) -> Iterator[str]:
    """House rules on which the odds of a charge may depend."""
    yield from charge_line_doubts(table, attacker, target, odds)
    if movement_dice.is_swift(table, attacker):
        yield "swiftstride-move"
    yield from defended_obstacle_doubts(table, attacker, target)


def _crosses_forest(table: ExactTable, attacker: str, between: ClosestBases) -> bool:
    """Whether the way leads through a forest that slows it. Source: Forests, p. 92."""
    if not heeds_forests(table, attacker):
        return False
    line = RoundedShape((between.gap.at_a, between.gap.at_b))
    ids = [id_ for id_ in (between.a, between.b) if isinstance(id_, str)]
    return any(_is_crossed(table, line, t.id, ids) for t in table.state.terrain if t.kind == "forest")


def _is_crossed(table: ExactTable, line: RoundedShape, wood: str, ids: list[str]) -> bool:
    apart = min(gap(line, part).mm for part in table.area(wood).parts)
    return is_more_than(-apart, 0.0, "charges through", (*ids[:1], *table.movers_of(wood), *ids[1:]))


def charge_chance(table: ExactTable, query: ChargeChance) -> RuleResult:
    """Charge chance: the odds against a target that stands or flees. Source: Roll Charge Range, p. 19; Flee, p. 18."""
    odds = charge_odds(table, query.attacker, query.target)
    if odds is None:
        return RuleResult(status="unknown", needs=(f"profile.spd_in of {query.attacker}",), because=(RANGE,))
    needs = odds.least_roll(odds.distance_mm)
    value: dict[str, JsonValue] = {
        "distance_mm": odds.distance_mm,
        "longest_mm": odds.longest_mm,
        "chance": movement_dice.chance_value(odds.dice, needs),
    }
    if query.flees:
        if not isinstance(table.state.by_id.get(query.target), Miniature | Unit):
            raise BadQuery(f"target: {query.target!r} is nobody who flees", field="target", value=query.target)
        value |= _chance_by_flee_roll(table, query, odds)
    return RuleResult(
        status="measured",
        margin_mm=odds.longest_mm - odds.distance_mm,
        value=value,
        lengths_mm={"distance": odds.distance_mm},
        witness=(odds.draw(table),),
        because=(
            with_effect(table, RANGE, f"{format_length(odds.distance_mm)} away: {needs} or more on {odds.dice}."),
        ),
        readings=("charge-line", "swiftstride-move"),
        doubtful=tuple(charge_odds_doubts(table, query.attacker, query.target, odds)),
        depends_on_place=odds.depends_on,
    )


def _chance_by_flee_roll(table: ExactTable, query: ChargeChance, odds: ChargeOdds) -> dict[str, JsonValue]:
    """The chance against every roll of the flight, and over all of them; what was rolled alone where it is told."""
    rolls = movement_dice.roll_distribution(movement_dice.running_dice(table, query.target))
    if query.dice.flee is not None:
        movement_dice.check_total(movement_dice.running_dice(table, query.target), query.dice.flee, field="dice.flee")
    wanted = {query.dice.flee: 1} if query.dice.flee is not None else rolls
    attacker = BlockPose.of(regiment(table, query.attacker)).shape
    chances, overall = list[JsonValue](), 0 * movement_dice.roll_distribution("2d6")[2]
    for roll, share in wanted.items():
        run = resolve_flight(table, query.target, (query.attacker,), running_distance_mm(table, query.target, roll))
        mm = max(0.0, gap(attacker, run.end.shape).mm)
        p = 0 * overall if run.is_off else movement_dice.chance_at_least(odds.dice, odds.least_roll(mm))
        overall += share * p
        chances.append({"flee": roll, "distance_mm": mm, "needs": odds.least_roll(mm), "exact": str(p), "p": float(p)})
    return {"by_flee": chances, "chance": {"dice": odds.dice, "exact": str(overall), "p": float(overall)}}
