"""Reactions and assaults: who shoots at a charger, who charges a building."""

import math

from pydantic import JsonValue

from models.queries import BuildingAssault, StandAndShoot
from models.terrain import Terrain
from models.verdict import CAPPED_MM
from referee.clauses import listed_margins
from referee.editions.warhammer_9 import dice, legs, parameters
from referee.editions.warhammer_9.arriving import Arrival, arrival
from referee.editions.warhammer_9.charging import deciding, way_drawn
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.odds import line_doubts, odds_to
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    garrisoned,
    kind_of,
    leading,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.shooting import deeds_of, odds_of, weapon_of
from referee.editions.warhammer_9.showing import hiding_doubts, what_hides
from referee.editions.warhammer_9.sight import sees
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of

_REACT = because("Stand and Shoot", 17, "Armed, not fighting, and the charger farther away than its Movement.")
_ASSAULT = because("Assaulting Buildings", 99, "Measured to the building; ten of either side fight.")


def stand_and_shoot(table: Situation, query: StandAndShoot) -> Ruling:
    """Whether the charged unit may shoot first. Source: Stand and Shoot, p. 17; Slow and Quick to Fire, p. 63, 65."""
    weapon = weapon_of(table, query.target, query.weapon)
    deeds = deeds_of(table, query.attacker)
    flies = "fly" in deeds.moved and table.reading("stand-shoot-move") == "charge-move"
    odds = odds_to(table, query.attacker, query.target, flying=flies)
    first = leading(table, query.target)
    rules = () if weapon is None else weapon.rules
    clauses: dict[str, float] = {
        "armed": CAPPED_MM if weapon is not None else -CAPPED_MM,
        "not-engaged": -CAPPED_MM if engaged_with(table, query.target) else CAPPED_MM,
        "not-slow": -CAPPED_MM if "slow-to-fire" in rules else CAPPED_MM,
        "may-react": -CAPPED_MM if kind_of(first) == "war-machine" or "fleeing" in first.status else CAPPED_MM,
        "not-yet": -CAPPED_MM if deeds_of(table, query.target).shot else CAPPED_MM,
    }
    if odds is not None:
        clauses["far-enough"] = CAPPED_MM if "quick-to-fire" in rules else max(0.0, odds.between.mm) - odds.speed_mm
    margin_mm = min(clauses.values())
    if odds is None and margin_mm >= 0:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.attacker}",), because=(_REACT,))
    return Ruling(
        margin_mm=margin_mm,
        zero_is_met=False,
        value={} if table.lean else _reaction(table, query, clauses),
        because=(applied(table, _REACT, deciding(clauses)),),
        readings=("stand-shoot-move",),
        doubtful=("stand-shoot-move",) if "fly" in deeds.moved else (),
        retold=() if table.lean else hiding_doubts(table, query.target, query.attacker),
        touches=() if odds is None else odds.between.touches,
    )


def _reaction(table: Situation, query: StandAndShoot, clauses: dict[str, float]) -> dict[str, JsonValue]:
    """Who shoots at the charger; out of range counts as just in range. Source: Stand and Shoot, p. 17."""
    weapon = weapon_of(table, query.target, query.weapon)
    able = []
    if weapon is not None and min(clauses.values()) > 0:
        own, things = regiment(table, query.target), what_hides(table, query.target, query.attacker)
        for id_, (rank, _) in zip(own.members, own.cells, strict=True):
            eyes = id_ if rank == 0 else own.in_front_of(id_) if rank == 1 else None
            if eyes is not None and sees(table, eyes, query.attacker, things)[0] > 0:
                able.append(id_)
    value: dict[str, JsonValue] = {
        "count": len(able),
        "panic_at": math.ceil(len(members_of(table, query.attacker)) / 4),
        "clauses": listed_margins(clauses, zero_is_met=False),
    }
    odds = odds_of(table, query.target, query.attacker, weapon, reacting=True)
    if odds is None:
        return value
    modifiers: list[JsonValue] = [
        {"name": name, "bonus": bonus, "bonus_to": "to-hit", "why": why} for name, bonus, why in odds.modifiers
    ]
    return value | {"modifiers": modifiers, "needs": odds.needs, "expected_hits": float(odds.chance * len(able))}


def building_assault(table: Situation, query: BuildingAssault) -> Ruling:
    """Whether a garrisoned building may be assaulted. Source: Assaulting Buildings, p. 99."""
    thing = table.state.by_id[query.target]
    building = query.target if isinstance(thing, Terrain) else garrisoned(table, query.target)
    odds = None if building is None else odds_to(table, query.attacker, building)
    if odds is None or building is None:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.attacker}",), because=(_ASSAULT,))
    party: dict[str, JsonValue] = {query.attacker: _party(table, query.attacker)}
    for unit in all_regiments(table):
        if garrisoned(table, unit) == building:
            party[unit] = _party(table, unit)
    held = next((unit for unit in all_regiments(table) if garrisoned(table, unit) == building), None)
    barred = kind_of(leading(table, query.attacker)) in ("chariot", "war-machine")
    value: dict[str, JsonValue] = {
        "distance_mm": odds.mm,
        "longest_mm": odds.longest_mm,
        "chance": dice.told(odds.name, odds.needs(odds.mm)),
        "party": party,
        "charge_bonus": False,
    }
    found = None if table.lean or held is None else arrival(table, query.attacker, held, "front")
    if found is not None:
        value |= _stood_round(table, query.attacker, found)
    return Ruling(
        margin_mm=-CAPPED_MM if barred else odds.longest_mm - odds.mm,
        value=value,
        lengths_mm={"distance": odds.mm},
        witness=(odds.drawn(table), *(() if found is None else way_drawn(table, query.attacker, found))),
        because=(applied(table, _ASSAULT, f"{name_of(table, building)} is {length(odds.mm)} away."),),
        readings=("charge-line", "swiftstride-move"),
        doubtful=(*line_doubts(table, query.attacker, building, odds),),
        touches=odds.touches,
    )


def _stood_round(table: Situation, attacker: str, found: Arrival) -> dict[str, JsonValue]:
    """Where the assaulters stand at the building, and where they stand an inch off when they fail. Source: p. 99."""
    if found.way is None:
        return {"poses": {}, "paths": {}, "after": {}}
    own = regiment(table, attacker)
    there = found.ends(Footing.of(own))
    return {
        "poses": legs.poses_of(table, own, there),
        "paths": {attacker: found.way.legs(closes_up=True)},
        "after": legs.poses_of(table, own, there.moved(-parameters.SPACING_MM)),
    }


def _party(table: Situation, unit: str) -> int:
    """How many fight: ten, a monstrous one in the place of three, a monster of five. Source: p. 99."""
    kind = kind_of(leading(table, unit))
    places = 5 if kind == "monster" else 3 if kind in parameters.MONSTROUS else 1
    return min(len(members_of(table, unit)), 10 // places)
