"""Joining, garrisons, coming on, high ground, areas, points: what a unit keeps and where it may be."""

import math

import numpy as np
from pydantic import JsonValue

from models.queries import (
    BasesClear,
    ElevationBonus,
    Garrison,
    InArea,
    JoinUnit,
    MayMeasure,
    Reinforcements,
    Score,
)
from models.unit import Unit
from models.verdict import CAPPED_MM
from referee.areas import depth_of_base, reach_into
from referee.clauses import listed_margins
from referee.editions.warhammer_9 import legs, parameters
from referee.editions.warhammer_9.engaged import contact_mm, engaged_with
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.formations import strength_of, total_strength
from referee.editions.warhammer_9.heights import high_ground_doubts, stands_at_mm
from referee.editions.warhammer_9.inside import inside_excess_mm
from referee.editions.warhammer_9.measuring import apart
from referee.editions.warhammer_9.moving import placed_for_good, speed_mm
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    are_friends,
    base_size_mm,
    kind_of,
    leading,
    left_of,
    members_of,
    regiment,
    side_of,
)
from referee.editions.warhammer_9.shooting import deeds_of
from referee.gaps import gap
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of, names

_AREA = because("Measuring Distances", 9, "In it is whoever has part of its base in it; a unit mostly, by over half.")
_CLEAR = because('1" Apart', 15, "Bases never overlap.")
_HIGH = because("Hills", 92, "One point to those of whom most began uphill of the enemy they fight.")
_JOIN = because("Joining Units", 81, "In contact, friends, not fighting or fleeing, of a type no stronger than his.")
_LEAVE = because("Leaving Units", 82, "Before its unit moves, and only where the unit may move.")
_HOUSE = because("Buildings", 99, "Infantry, war beasts, swarms enter by contact; they come out an inch off.")
_COMING = because("Reinforcements", 24, "Rear rank on the edge, facing straight in, all within twice the move of it.")
_POINTS = because("Victory Points", 122, "Gone counts whole, fleeing or halved half, both three quarters.")
_FREE = because("Measuring Distances", 9, "Anybody may measure anything at any time.")
_JOINED = frozenset({"infantry", "cavalry", "monstrous-infantry", "monstrous-beast", "monstrous-cavalry"})
_NEAR_MM, _MOST_PAIRS = 10.0, 12
_INDOORS = frozenset({"infantry", "war-beast", "swarm"})


def in_area(table: Situation, query: InArea) -> Ruling:
    """Whether it is in an area. Source: Measuring Distances, p. 9; Mysterious Forests, p. 92, for most of a unit."""
    area = table.area(query.area)
    ids = members_of(table, query.who)
    depths = {m: reach_into(table.base(m), area) for m in ids}
    deepest = max(depths, key=lambda m: depths[m])
    whole = min(depth_of_base(table.base(m), (area,)) for m in ids)
    inside = sum(depths[m] > 0 and inside_excess_mm(table, m, query.area) > 0 for m in ids)
    value: dict[str, JsonValue] = {
        "completely": {"answer": "yes" if whole >= -1e-9 else "no", "margin_mm": whole},
        "majority": inside > len(ids) / 2,
        "inside": inside,
    }
    return Ruling(
        margin_mm=depths[deepest],
        value=value,
        lengths_mm={"completely": whole},
        because=(applied(table, _AREA, f"{inside} of {len(ids)} are mostly inside."),),
        readings=("majority-inside",),
        retold=("majority-inside",) if any(mm > 0 for mm in depths.values()) else (),
        touches=(deepest, query.area),
    )


def bases_clear(table: Situation, query: BasesClear) -> Ruling:
    """Whether no bases overlap; those that touch in a rank do not. Source: 1" Apart, p. 15."""
    near = table.settled(("bases clear", query.among), lambda still: _closest_pairs(still, query))
    if table.nudges:
        near = sorted((gap(table.base(a), table.base(b)).mm, a, b) for _, a, b in near[:_MOST_PAIRS])
    mm, a, b = near[0] if near else (CAPPED_MM, "", "")
    tolerance = parameters.CONTACT_MM  # a hand pushes a block together a little crooked
    return Ruling(
        margin_mm=mm + tolerance if near else CAPPED_MM,
        value={"pairs": [{"a": p, "b": q, "gap_mm": g} for g, p, q in near if g < -tolerance]},
        because=(applied(table, _CLEAR, f"{names(table, [a, b])}: {length(mm)}." if near else "All stand apart."),),
        touches=(a, b) if near else (),
    )


def _closest_pairs(table: Situation, query: BasesClear) -> list[tuple[float, str, str]]:
    """Every pair of bases that comes near to touching, the closest first."""
    every = tuple(m.id for m in table.state.miniatures if "removed" not in m.status and m.inside is None)
    ids = tuple(m for one in query.among for m in members_of(table, one)) if query.among else every
    bases = [table.base(id_) for id_ in ids]
    at, reach = np.array([complex(*one.centre) for one in bases]), np.array([one.reach_mm for one in bases])
    close = np.abs(at[:, None] - at[None]) - reach[:, None] - reach[None] < _NEAR_MM
    pairs = [(int(i), int(j)) for i, j in zip(*np.nonzero(np.triu(close, 1)), strict=True)]
    return sorted((gap(bases[i], bases[j]).mm, ids[i], ids[j]) for i, j in pairs)


def elevation_bonus(table: Situation, query: ElevationBonus) -> Ruling:
    """Whether the attackers began uphill. Source: Hills, p. 92."""
    own, foe = stands_at_mm(table, query.attacker, query.target)
    return Ruling(
        margin_mm=own - foe,
        zero_is_met=False,
        value={
            "bonus": 1 if own > foe else 0,
            "bonus_to": "combat",
            "heights": {query.attacker: own, query.target: foe},
        },
        because=(applied(table, _HIGH, f"{length(own)} against {length(foe)}."),),
        readings=("high-ground",),
        doubtful=high_ground_doubts(table, query.attacker, query.target),
        touches=(members_of(table, query.attacker)[0], members_of(table, query.target)[0]),
    )


def join_unit(table: Situation, query: JoinUnit) -> Ruling:
    """Whether a character may join or leave, and where it stands. Source: p. 81-82."""
    who, unit = table.miniature(members_of(table, query.who)[0]), query.unit
    first = leading(table, unit)
    leaving = query.manner == "leave"
    between = apart(table, query.who, unit)
    clauses: dict[str, float] = {
        "own-side": CAPPED_MM if are_friends(table, query.who, unit) else -CAPPED_MM,
        "not-fighting": -CAPPED_MM if engaged_with(table, unit) else CAPPED_MM,
        "not-fleeing": -CAPPED_MM if "fleeing" in first.status else CAPPED_MM,
        "character": CAPPED_MM if "character" in who.role else -CAPPED_MM,
    }
    if leaving:
        deeds = deeds_of(table, unit)
        clauses["before-it-moves"] = -CAPPED_MM if deeds.moved or deeds.charge_failed else CAPPED_MM
        clauses["not-just-joined"] = -CAPPED_MM if who.this_turn.joined else CAPPED_MM
    else:
        mine, theirs = strength_of(table, who.id) or 0.0, strength_of(table, first.id) or 0.0
        clauses["contact"] = contact_mm(table) - between.mm
        clauses["strength"] = CAPPED_MM if mine >= theirs else -CAPPED_MM
        fits = kind_of(first) in _JOINED or (kind_of(first) == kind_of(who) == "chariot")
        mounts = kind_of(who) in ("monster", "chariot") and kind_of(first) != kind_of(who)
        clauses["kind"] = CAPPED_MM if fits and not mounts else -CAPPED_MM
    cells, fits = _cells(table, who.id, unit)
    rule = _LEAVE if leaving else _JOIN
    value: dict[str, JsonValue] = {
        "cells": cells,
        "place": "front-rank" if fits else "beside",
        "clauses": listed_margins(clauses),
    }
    return Ruling(
        margin_mm=min(clauses.values()),
        value=value,
        because=(applied(table, rule, f"{name_of(table, unit)} is {length(max(0.0, between.mm))} away."),),
        touches=() if leaving else between.touches,
    )


def _cells(table: Situation, who: str, unit: str) -> tuple[int, bool]:
    """How many places of the grid its base takes, and whether it fits them. Source: Characters in Units, p. 81."""
    (w, d), (cw, cd) = base_size_mm(table.miniature(who)), regiment(table, unit).base_mm
    wide, deep = w / cw, d / cd
    fits = all(abs(share - round(share)) < 0.02 and round(share) >= 1 for share in (wide, deep))
    return (round(wide) * round(deep) if fits else 1), fits


def garrison(table: Situation, query: Garrison) -> Ruling:
    """Whether a unit may enter or leave a building. Source: Buildings, p. 99."""
    first = leading(table, query.unit)
    held = [m.id for m in table.state.miniatures if m.inside == query.feature]
    barred = {"march", "reform", "charge", "flee"} & set(deeds_of(table, query.unit).moved)
    clauses: dict[str, float] = {"not-moved-off": -CAPPED_MM if barred else CAPPED_MM}
    poses: dict[str, JsonValue] = {}
    touches: tuple[str, ...] = ()
    if query.manner == "enter":
        between = apart(table, query.unit, query.feature)
        touches = between.touches
        clauses |= {
            "contact": contact_mm(table) - between.mm,
            "kind": CAPPED_MM if kind_of(first) in _INDOORS else -CAPPED_MM,
            "empty": -CAPPED_MM if held else CAPPED_MM,
        }
    else:
        clauses["inside"] = CAPPED_MM if set(held) & set(members_of(table, query.unit)) else -CAPPED_MM
        if query.to is not None:
            there = Footing.of(regiment(table, query.unit)).standing(query.to)
            mm = min(gap(there.shape, part).mm for part in table.area(query.feature).parts)
            clauses["one-inch"] = contact_mm(table) - abs(mm - parameters.SPACING_MM)
            poses[query.unit] = there.pose()
    name = min(clauses, key=lambda one: clauses[one])
    return Ruling(
        margin_mm=clauses[name],
        value={
            "clauses": listed_margins(clauses),
            "poses": poses,
        },
        because=(applied(table, _HOUSE, f"{name.capitalize()} decides."),),
        touches=touches,
    )


def reinforcements(table: Situation, query: Reinforcements) -> Ruling:
    """Whether it stands as one that comes on must. Source: Reinforcements, p. 24; Ambushers, p. 57."""
    own, speed = regiment(table, query.who), speed_mm(table, query.who)
    if speed is None:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.who}",), because=(_COMING,))
    if query.edge not in _INWARD:
        return Ruling(status="refused", because=(_COMING,), advice="Name a table edge, such as edge:left.")
    size = table.state.table
    at = {"near": 0.0, "far": size.depth_mm, "left": 0.0, "right": size.width_mm}[query.edge.removeprefix("edge:")]
    axis = int(query.edge in ("edge:near", "edge:far"))
    there = Footing.of(own) if query.to is None else Footing.of(own).standing(query.to)
    depths = [abs(p[axis] - at) for p in there.corners]
    turn = abs(math.remainder(there.facing_rad - math.radians(_INWARD[query.edge]), math.tau))
    limit = 2 * speed
    clauses: dict[str, float] = {
        "depth": limit - max(depths),
        "rear-on-the-edge": parameters.CONTACT_MM - abs(min(depths)),
        "straight-in": table.state.facing_tolerance_deg - math.degrees(turn),
    }
    failed = {name: mm for name, mm in clauses.items() if mm < 0}
    left_mm = 0.0 if failed or placed_for_good(table) else speed
    return Ruling(
        margin_mm=min(failed.values()) if failed else clauses["depth"],
        value={
            "depth_mm": limit,
            "left_mm": left_mm,
            "poses": legs.poses_of(table, own, there),
            **_arriving(table, query),
            "clauses": listed_margins(clauses),
        },
        because=(applied(table, _COMING, f"Its front is {length(max(depths))} in, of {length(limit)}."),),
        readings=("reserve-depth",),
        doubtful=("reserve-depth",),
        tells=(left_mm,),
        touches=own.rank(0),
        faces=own.rank(0),
    )


def _arriving(table: Situation, query: Reinforcements) -> dict[str, JsonValue]:
    """The roll with which ambushers come, from the second turn on. Source: Ambushers, p. 57."""
    if query.manner != "ambush":
        return {}
    early = table.state.turn is not None and table.state.turn.round == 1
    chance: JsonValue = {"needs": 3, "dice": "1d6", "exact": "2/3", "p": 2 / 3}
    return {"chance": None if early else chance}


_INWARD = {"edge:near": 90.0, "edge:far": 270.0, "edge:left": 0.0, "edge:right": 180.0}


def score(table: Situation, query: Score) -> Ruling:
    """What a side scores now for the enemy's losses. Source: Victory Points, p. 122."""
    sides = [side.id for side in table.state.sides]
    scorer = query.scorer or next((table.state.turn.active for _ in [0] if table.state.turn), None) or sides[0]
    parts: list[JsonValue] = []
    total = 0.0
    for unit in table.state.units:
        if unit.worth and not _is_own(table, unit, scorer):
            share = _lost_share(table, unit)
            total += share * unit.worth
            parts.append({"objective": unit.id, "points": share * unit.worth, "share": share})
    return Ruling(
        status="measured",
        value={"points": total, "parts": parts, "total": total, "scorer": scorer},
        because=(applied(table, _POINTS, f"{scorer} scores {total:g}."),),
    )


def _is_own(table: Situation, unit: Unit, scorer: str) -> bool:
    return (unit.side or (side_of(table, unit.id) if left_of(table, unit.id) else None)) == scorer


def _lost_share(table: Situation, unit: Unit) -> float:
    """Source: Victory Points, p. 122."""
    if not left_of(table, unit.id):
        return 1.0
    began = unit.started.battle.strength if unit.started and unit.started.battle else None
    halved = bool(began) and total_strength(table, unit.id) <= (began or 0.0) / 2
    fled = "fleeing" in leading(table, unit.id).status
    return 0.75 if halved and fled else 0.5 if halved or fled else 0.0


def may_measure(table: Situation, query: MayMeasure) -> Ruling:
    """Always. Source: Measuring Distances, p. 9."""
    return Ruling(
        margin_mm=CAPPED_MM,
        value={
            "licence": "free",
            "disclosed": "figures",
            "cap_mm": None,
            "tell": [side.id for side in table.state.sides],
        },
        because=(_FREE,),
    )
