"""Odds: how far a charge has to go, with which dice, and how likely it gets there."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from models.dice import Dice
from models.queries import ChargeChance
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from referee.detours import Detour, is_barred, shortest_clear_line, shortest_way_round
from referee.editions.warhammer_9 import dice
from referee.editions.warhammer_9.barring import between_them, held_doubts, measured_to
from referee.editions.warhammer_9.fleeing import fled, ran_mm
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.measuring import Apart, apart, ruler
from referee.editions.warhammer_9.moving import heeds_forests, speed_mm
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import regiment
from referee.editions.warhammer_9.spacing import ids_of
from referee.gaps import gap
from referee.ruling import Ruling
from referee.shapes import Rounded
from referee.situation import Situation
from referee.telling import applied, length

RANGE = because("Roll Charge Range", 19, "Movement and roll must reach the closest base; the way may be longer.")
_FLY_IN = 10


@dataclass(frozen=True)
class Odds:
    """What a charge needs: the distance, the dice, how far it goes at most.

    `line` is what the distance is measured along where it is not the gap between the closest bases; `hangs_on` what
    bars that gap.
    """

    between: Apart
    speed_mm: float
    name: str
    less_in: int
    line: Detour | None = None
    hangs_on: tuple[str, ...] = ()

    @property
    def mm(self) -> float:
        return max(0.0, self.between.mm) if self.line is None else self.line.mm

    @property
    def touches(self) -> tuple[str, ...]:
        """Everything whose place the distance may hang on."""
        return tuple(dict.fromkeys((*self.between.touches, *self.hangs_on)))

    def drawn(self, table: Situation) -> Witness:
        """The line that is measured."""
        if self.line is None or not self.line.points:
            return ruler(table, self.between, "limit")
        return Witness(type="polyline", role="limit", points_mm=self.line.points)

    @property
    def longest_mm(self) -> float:
        return self.speed_mm + inches(dice.most(self.name) - self.less_in)

    def needs(self, mm: float) -> int:
        """The least roll that reaches so far."""
        return max(1, math.ceil((mm - self.speed_mm) / 25.4 + self.less_in - 1e-9))

    def reach_mm(self, rolled: Dice) -> float | None:
        """How far it goes with these dice; None when none were rolled."""
        if rolled.charge is None:
            return None
        return self.speed_mm + inches(dice.total(self.name, tuple(rolled.charge)) - self.less_in)


def odds_to(table: Situation, attacker: str, target: str, *, flying: bool = False) -> Odds | None:
    """What a charge at that takes; None when a card does not tell. Source: p. 19; Barding, p. 77; Fly, p. 59."""
    speed = inches(_FLY_IN) if flying else speed_mm(table, attacker)
    if speed is None:
        return None
    between = apart(table, attacker, measured_to(table, attacker, target))
    if not flying:
        speed = max(0.0, speed - inches(1) * _through_forest(table, attacker, between))
    name, less = dice.charge_dice(table, attacker, speed), dice.less_in(table, attacker)
    line, hangs_on = (None, ()) if flying else _measured_along(table, attacker, target, between)
    return Odds(between, speed, name, less, line, hangs_on)


def _measured_along(
    table: Situation, attacker: str, target: str, between: Apart
) -> tuple[Detour | None, tuple[str, ...]]:
    """The line that the table has agreed to measure along, where it is not the shortest gap; and what it hangs on."""
    how = table.reading("charge-line")
    if how == "shortest-gap":
        return None, ()
    own, foe, things = between_them(table, attacker, target)
    barring = [shape for shapes in things.values() for shape in shapes]
    if not is_barred(between.gap.at_a, between.gap.at_b, barring):
        return None, ()
    find = shortest_clear_line if how == "shortest-clear-line" else shortest_way_round
    ids = tuple(one for id_ in things for one in ids_of(table, id_, Rounded((between.gap.at_a, between.gap.at_b))))
    return find(own, foe, barring) or Detour(CAPPED_MM, ()), ids


def line_doubts(table: Situation, attacker: str, target: str, odds: Odds | None) -> Iterator[str]:
    """The house rule of the charge's distance, where something lies between the closest bases."""
    if odds is not None and not table.nudges:
        _, _, things = between_them(table, attacker, target)
        barring = [shape for shapes in things.values() for shape in shapes]
        if is_barred(odds.between.gap.at_a, odds.between.gap.at_b, barring):
            yield "charge-line"


def odds_doubts(table: Situation, attacker: str, target: str, odds: Odds | None) -> Iterator[str]:
    """The house rules on which the odds of a charge may hang."""
    yield from line_doubts(table, attacker, target, odds)
    if dice.is_swift(table, attacker):
        yield "swiftstride-move"
    yield from held_doubts(table, attacker, target)


def _through_forest(table: Situation, attacker: str, between: Apart) -> bool:
    """Whether the way leads through a forest that slows it. Source: Mysterious Forests, p. 92."""
    if not heeds_forests(table, attacker):
        return False
    line = Rounded((between.gap.at_a, between.gap.at_b))
    woods = [part for t in table.state.terrain if t.kind == "forest" for part in table.area(t.id).parts]
    return any(gap(line, part).mm < 0 for part in woods)


def charge_chance(table: Situation, query: ChargeChance) -> Ruling:
    """The odds of a charge, its target standing or fleeing. Source: Roll Charge Range, p. 19; Flee, p. 17."""
    odds = odds_to(table, query.attacker, query.target)
    if odds is None:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.attacker}",), because=(RANGE,))
    needs = odds.needs(odds.mm)
    value: dict[str, JsonValue] = {
        "distance_mm": odds.mm,
        "longest_mm": odds.longest_mm,
        "chance": dice.told(odds.name, needs),
    }
    if query.flees:
        value |= _by_flee(table, query, odds)
    return Ruling(
        status="measured",
        margin_mm=odds.longest_mm - odds.mm,
        value=value,
        lengths_mm={"distance": odds.mm},
        witness=(odds.drawn(table),),
        because=(applied(table, RANGE, f"{length(odds.mm)} away: {needs} or more on {odds.name}."),),
        readings=("charge-line", "swiftstride-move"),
        doubtful=tuple(odds_doubts(table, query.attacker, query.target, odds)),
        touches=odds.touches,
    )


def _by_flee(table: Situation, query: ChargeChance, odds: Odds) -> dict[str, JsonValue]:
    """The chance against every roll of the flight, and over all of them; what was rolled alone where it is told."""
    rolls = dice.chances(dice.running_dice(table, query.target))
    wanted = {query.dice.flee: 1} if query.dice.flee is not None else rolls
    attacker = Footing.of(regiment(table, query.attacker)).shape
    found, overall = list[JsonValue](), 0 * dice.chances("2d6")[2]
    for roll, share in wanted.items():
        run = fled(table, query.target, (query.attacker,), ran_mm(table, query.target, roll))
        mm = max(0.0, gap(attacker, run.there.shape).mm)
        p = 0 * overall if run.is_off else dice.at_least(odds.name, odds.needs(mm))
        overall += share * p
        found.append({"flee": roll, "distance_mm": mm, "needs": odds.needs(mm), "exact": str(p), "p": float(p)})
    return {"by_flee": found, "overall": {"exact": str(overall), "p": float(overall)}}
