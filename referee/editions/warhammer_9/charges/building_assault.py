"""Building assault: whether a garrison may be charged, and how many of either side fight."""

from pydantic import JsonValue

from models.errors import BadQuery
from models.miniature import Miniature
from models.queries import BuildingAssault, Charge
from models.terrain import Terrain
from models.unit import Unit
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.charges.arrival import find_arrival
from referee.editions.warhammer_9.charges.charge_odds import charge_line_doubts, charge_odds
from referee.editions.warhammer_9.charges.charge_report import draw_path
from referee.editions.warhammer_9.charges.path_search import Arrival
from referee.editions.warhammer_9.movement import movement_dice, path_legs
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    garrisoned_building,
    kind_of,
    leading_miniature,
    members_of,
    regiment,
)
from referee.motion.block_pose import BlockPose
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult

_ASSAULT = because("Assaulting a Building", 99, "Measured to the building; ten of either side fight.")


def building_assault(table: ExactTable, query: BuildingAssault) -> RuleResult:
    """Building assault: whether a garrison may be charged in its building. Source: Assaulting a Building, p. 99.

    Raises: BadQuery where the target is no building, and no unit that holds one.
    """
    thing = table.state.by_id.get(query.target)
    is_building = isinstance(thing, Terrain) and thing.kind == "building"
    holder = query.target if isinstance(thing, Miniature | Unit) else None
    building = query.target if is_building else None if holder is None else garrisoned_building(table, holder)
    if building is None:
        detail = f"target: {query.target} is no building, and holds none"
        raise BadQuery(detail, field="target", value=query.target)
    odds = charge_odds(table, query.attacker, building)
    if odds is None:
        return RuleResult(status="unknown", needs=(f"profile.spd_in of {query.attacker}",), because=(_ASSAULT,))
    party: dict[str, JsonValue] = {query.attacker: _party_size(table, query.attacker)}
    for unit in all_regiments(table):
        if garrisoned_building(table, unit) == building:
            party[unit] = _party_size(table, unit)
    held = next((unit for unit in all_regiments(table) if garrisoned_building(table, unit) == building), None)
    may = CAPPED_MM if kind_of(leading_miniature(table, query.attacker)) != "chariot" else -CAPPED_MM
    if held is not None:  # it is a charge like any other: in front, seen, and free to be made
        declared = table.evaluate_query(Charge(attacker=query.attacker, target=held, step="declare"))
        may = min(may, declared.decisive_mm)
    value: dict[str, JsonValue] = {
        "distance_mm": odds.distance_mm,
        "longest_mm": odds.longest_mm,
        "chance": movement_dice.chance_value(odds.dice, odds.least_roll(odds.distance_mm)),
        "party": party,
        "charge_bonus": False,
    }
    arrival = None if table.margins_only or held is None else find_arrival(table, query.attacker, held, "front")
    if arrival is not None:
        value |= _assault_poses(table, query.attacker, arrival)
    return RuleResult(
        margin_mm=min(may, odds.longest_mm - odds.distance_mm),
        value=value,
        lengths_mm={"distance": odds.distance_mm},
        witness=(
            odds.draw(table),
            *(() if arrival is None else draw_path(table, query.attacker, query.target, arrival)),
        ),
        because=(
            with_effect(table, _ASSAULT, f"{name_of(table, building)} is {format_length(odds.distance_mm)} away."),
        ),
        readings=("charge-line", "swiftstride-move"),
        doubtful=(*charge_line_doubts(table, query.attacker, building, odds),),
        depends_on_place=odds.depends_on,
    )


def _assault_poses(table: ExactTable, attacker: str, arrival: Arrival) -> dict[str, JsonValue]:
    """Where the assaulters stand at the building, and where they stand an inch off when they fail. Source: p. 99."""
    if arrival.path is None:
        return {"poses": {}, "paths": {}, "after": {}}
    own = regiment(table, attacker)
    end_pose = arrival.final_pose(BlockPose.of(own))
    return {
        "poses": path_legs.unit_poses(table, own, end_pose),
        "paths": {attacker: arrival.path.legs(closes_up=True)},
        "after": path_legs.unit_poses(table, own, end_pose.translate(-parameters.SPACING_MM)),
    }


def _party_size(table: ExactTable, unit: str) -> int:
    """How many fight: ten, a monstrous one in the place of three, a monster of five. Source: p. 99."""
    kind = kind_of(leading_miniature(table, unit))
    places = 5 if kind == "monster" else 3 if kind in parameters.MONSTROUS else 1
    return min(len(members_of(table, unit)), 10 // places)
