"""Charge chance: how likely a charge gets there, its target standing or fleeing."""

from pydantic import JsonValue

from models.errors import BadQuery
from models.miniature import Miniature
from models.queries import ChargeChance
from models.unit import Unit
from referee.editions.warhammer_9.charges.charge_odds import RANGE, ChargeOdds, charge_odds, charge_odds_doubts
from referee.editions.warhammer_9.movement import movement_dice
from referee.editions.warhammer_9.movement.block_pose import BlockPose
from referee.editions.warhammer_9.movement.flight import resolve_flight, running_distance_mm
from referee.editions.warhammer_9.units.regiment import regiment
from referee.geometry.distance import gap
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult


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
    found, overall = list[JsonValue](), 0 * movement_dice.roll_distribution("2d6")[2]
    for roll, share in wanted.items():
        run = resolve_flight(table, query.target, (query.attacker,), running_distance_mm(table, query.target, roll))
        mm = max(0.0, gap(attacker, run.end.shape).mm)
        p = 0 * overall if run.is_off else movement_dice.chance_at_least(odds.dice, odds.least_roll(mm))
        overall += share * p
        found.append({"flee": roll, "distance_mm": mm, "needs": odds.least_roll(mm), "exact": str(p), "p": float(p)})
    return {"by_flee": found, "overall": {"exact": str(overall), "p": float(overall)}}
