"""Reactions and assaults: who shoots at a charger, who charges a building, who is charged along with another."""

import math
from dataclasses import replace

from pydantic import JsonValue

from models.queries import BuildingAssault, MultiCharge, StandAndShoot
from models.terrain import Terrain
from models.verdict import CAPPED_MM
from referee.clauses import listed_margins
from referee.editions.warhammer_9 import dice, parameters
from referee.editions.warhammer_9.charging import deciding, end_of, odds_to, side_of_charge
from referee.editions.warhammer_9.engaged import edge_of, engaged_with
from referee.editions.warhammer_9.looking import bodies
from referee.editions.warhammer_9.measuring import ruler
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    are_friends,
    garrisoned,
    kind_of,
    leading,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.shooting import deeds_of, odds_of, weapon_of
from referee.editions.warhammer_9.sight import sees, what_hides
from referee.gaps import gap
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of

_REACT = because("Stand and Shoot", 17, "Armed, not fighting, and the charger farther away than its Movement.")
_ASSAULT = because("Assaulting Buildings", 99, "Measured to the building; ten of either side fight.")
_SEVERAL = because("Declare Charge", 17, "An enemy whom every way would touch as well must be charged too.")


def multi_charge(table: Situation, query: MultiCharge) -> Ruling:
    """Whether just those may be charged, and who finds room. Source: Declare Charge, p. 17; Multiple Charges, p. 20."""
    also = {one for a in query.attackers for t in query.targets for one in _also(table, a, t, query.targets)}
    must = sorted(also)
    spare, places = _frontage(table, query)
    fail = [a for a, place in places.items() if place is None]
    chances = {
        f"{a}>{t}": dice.told(odds.name, odds.needs(odds.mm))
        for a in query.attackers
        for t in query.targets
        if (odds := odds_to(table, a, t)) is not None
    }
    return Ruling(
        margin_mm=-CAPPED_MM if must else spare,
        value={
            "must_also": [*must],
            "places": places,
            "fail": [*fail],
            "chances": dict[str, JsonValue](chances),
        },
        because=(applied(table, _SEVERAL, f"Also touched: {', '.join(must) or 'nobody'}."),),
        readings=("multi-charge-search", "most-contact"),
        touches=members_of(table, query.attackers[0]),
    )


def _also(table: Situation, attacker: str, target: str, declared: tuple[str, ...]) -> set[str]:
    """Enemies whom it touches too where it touches the fewest, flush with the target; nobody where there is a way."""
    side, _ = side_of_charge(table, attacker, target)
    end = end_of(table, attacker, target, side)
    if side is None or end is None:
        return set()
    own, foe = regiment(table, attacker), regiment(table, target)
    (px, py), (qx, qy) = edge_of(foe, side).points
    long = math.dist((px, py), (qx, qy))
    half = own.width_mm / 2
    every = [-half + (long + 2 * half) * k / 64 for k in range(65)]
    others = [one for one in all_regiments(table) if one not in declared and not are_friends(table, attacker, one)]
    found = []
    for offset in every:
        there = replace(end, front=(px + (qx - px) / long * offset, py + (qy - py) / long * offset)).shape
        found.append({one for one in others if any(gap(there, b.shape).mm <= 0 for b in bodies(table, one))})
    return min(found, key=len)


def _frontage(table: Situation, query: MultiCharge) -> tuple[float, dict[str, JsonValue]]:
    """The frontage left when all stand side by side along the targets' sides, and how many files each brings."""
    by_side: dict[tuple[str, str], list[str]] = {}
    for a in query.attackers:
        for t in query.targets:
            side, _ = side_of_charge(table, a, t)
            if side is not None:
                by_side.setdefault((t, side), []).append(a)
    spare, places = CAPPED_MM, dict[str, JsonValue]()
    for (t, side), chargers in by_side.items():
        points = edge_of(regiment(table, t), side).points
        left = math.dist(points[0], points[1]) + sum(0.0 for _ in chargers)
        for n, a in enumerate(chargers):
            own = regiment(table, a)
            room = left / (len(chargers) - n)
            files = min(own.files, math.ceil(room / own.base_mm[0])) if room > 0 else 0
            places[a] = files or None
            left -= files * own.base_mm[0]
        spare = min(spare, left + max((regiment(table, a).base_mm[0] for a in chargers), default=0.0))
    return spare, places


def stand_and_shoot(table: Situation, query: StandAndShoot) -> Ruling:
    """Whether the charged unit may shoot first. Source: Stand and Shoot, p. 17; Slow and Quick to Fire, p. 63, 65."""
    weapon = weapon_of(table, query.target, query.weapon)
    odds = odds_to(table, query.attacker, query.target)
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
        clauses["far-enough"] = CAPPED_MM if "quick-to-fire" in rules else odds.mm - odds.speed_mm
    margin_mm = min(clauses.values())
    if odds is None and margin_mm >= 0:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.attacker}",), because=(_REACT,))
    return Ruling(
        margin_mm=margin_mm,
        zero_is_met=False,
        value=_reaction(table, query, clauses),
        because=(applied(table, _REACT, deciding(clauses)),),
        readings=("stand-shoot-move",),
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
    return Ruling(
        margin_mm=odds.longest_mm - odds.mm,
        value={
            "distance_mm": odds.mm,
            "longest_mm": odds.longest_mm,
            "chance": dice.told(odds.name, odds.needs(odds.mm)),
            "party": party,
        },
        lengths_mm={"distance": odds.mm},
        witness=(ruler(table, odds.between, "limit"),),
        because=(applied(table, _ASSAULT, f"{name_of(table, building)} is {length(odds.mm)} away."),),
        touches=odds.between.touches,
    )


def _party(table: Situation, unit: str) -> int:
    """How many fight: ten, a monstrous one in the place of three, a monster of five. Source: p. 99."""
    kind = kind_of(leading(table, unit))
    places = 5 if kind == "monster" else 3 if kind in parameters.MONSTROUS else 1
    return min(len(members_of(table, unit)), 10 // places)
