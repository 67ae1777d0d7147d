"""May charge: why a unit may not declare a charge at all, whatever stands between."""

from models.queries import Charge
from referee.editions.warhammer_9.movement.movement_dice import can_fly
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.regiment import (
    are_friends,
    garrisoned_building,
    kind_of,
    leading_miniature,
    members_of,
    side_of,
)
from referee.editions.warhammer_9.units.unit_strength import this_turn_of
from referee.geometry.containment import reach_into
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_more_than


def why_may_not_charge(table: ExactTable, query: Charge) -> list[str]:
    """Why it may not charge at all. Source: p. 17, 24, 59, 64-67, 86, 98."""
    first, deeds = leading_miniature(table, query.attacker), this_turn_of(table, query.attacker)
    bars = ["fleeing"] * ("fleeing" in first.status) + ["engaged"] * bool(engaged_with(table, query.attacker))
    bars += ["war-machine"] * (kind_of(first) == "war-machine") + ["random-movement"] * first.has("random-movement")
    bars += ["rallied"] * deeds.rallied + ["reinforced"] * ("reinforced" in deeds.moved)
    bars += ["stupid"] * ("stupid" in first.status)
    bars += ["garrison"] * (garrisoned_building(table, query.attacker) is not None)
    bars += ["vanguard"] * ("vanguard" in deeds.moved and _is_first_turn(table, query.attacker))
    bars += ["scouts"] * (
        first.has("scouts") and _is_first_turn(table, query.attacker) and _is_outside_own_zone(table, query)
    )
    bars += ["cannot-fly"] * (query.manner == "fly" and not can_fly(table, query.attacker))
    return bars + ["friend"] * are_friends(table, query.attacker, query.target)


def _is_first_turn(table: ExactTable, id_: str) -> bool:
    """Whether this is the first turn of the side that goes first; where the round is not told, it may be."""
    turn = table.state.turn
    first = next((side.first for side in table.state.sides if side.id == side_of(table, id_)), True)
    return first and (turn is None or turn.round in (None, 1))


def _is_outside_own_zone(table: ExactTable, query: Charge) -> bool:
    """Whether the charger stands outside its own zone, as only scouts may. Source: Scouts, p. 65."""
    side = side_of(table, query.attacker)
    zones = [z.id for z in table.state.zones if z.kind == "deployment" and z.side == side]
    return bool(zones) and not any(_stands_in_zone(table, query.attacker, zone) for zone in zones)


def _stands_in_zone(table: ExactTable, id_: str, zone: str) -> bool:
    """Whether all of a unit reaches into a zone."""
    depths = {m: reach_into(table.base(m), table.area(zone)) for m in members_of(table, id_)}
    least = min(depths, key=lambda m: depths[m])
    return is_more_than(depths[least], 0.0, "stands in", (least, *table.movers_of(zone)))
