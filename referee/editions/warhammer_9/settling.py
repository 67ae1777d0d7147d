"""Setting up and holding: zones, scouts, what a unit comes on to, who controls the tower, whom ground endangers."""

from fractions import Fraction

from pydantic import JsonValue

from models.queries import Deployment, Hazard, ObjectiveControl
from models.terrain import Objective, Terrain, Zone
from models.turn import Step
from models.units import inches
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.footing import Footing, after, on_the_way
from referee.editions.warhammer_9.formations import total_strength
from referee.editions.warhammer_9.measuring import apart, place_doubts
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    are_friends,
    garrisoned,
    is_skirmishing,
    kind_of,
    leading,
    members_of,
    regiment,
    side_of,
)
from referee.gaps import gap, inside_mm
from referee.ruling import Candidate, Ruling
from referee.shapes import Rounded
from referee.situation import Situation
from referee.telling import applied, length

_ZONE = because("Deployment", 14, "All of a unit stands inside its own zone, farther from the line than told.")
_SCOUTS = because("Scouts", 64, "Anywhere that is more than 12 in from every enemy.")
_HOLD = because("Watchtower", 128, "Who is inside, else the closest unit of strength 5 or more not fleeing.")
_DANGER = because("Dangerous Terrain", 92, "Who marches, charges or runs through it rolls; on a 1 it is wounded.")
_SCOUT_MM = inches(12)
_DUST_MM = 1e-6
_RUSHING = frozenset({"march", "charge", "flee", "pursuit", "overrun"})
_WRECKED = 3.5  # a chariot or shrine loses D6 wounds
_SAFE = frozenset({"hill", "open"})


def deployment(table: Situation, query: Deployment) -> Ruling:
    """Whether a unit may start there. Source: Deployment, p. 14; Scouts, p. 64; the scenarios, p. 124-128."""
    table = _put_down(table, query)
    own = regiment(table, query.who)
    side = side_of(table, query.who)
    zones = [z for z in table.state.zones if z.kind == "deployment" and z.side == side]
    if query.manner == "scout":
        return _scouting(table, query, zones)
    if not zones:
        key = "missing-text"  # the maps of the scenarios, and the table of one, are not in the book as we have it
        needs = (f"zones of {side}",)
        return Ruling(status="unknown", needs=needs, because=(_ZONE,), readings=(key,), mattering=(key,))
    margin = max(_depth_mm(table, own.members, zone) for zone in zones)
    worst = min(own.members, key=lambda m: max(_depth_mm(table, (m,), zone) for zone in zones))
    where = "inside" if margin > 0 else "outside"
    return Ruling(
        margin_mm=margin,
        zero_is_met=False,
        value={"zone": zones[0].id, "clauses": [_clause("zone", margin)]},
        members=() if table.lean else tuple(_placed(table, m, zones) for m in own.members),
        because=(applied(table, _ZONE, f"Its last corner is {length(abs(margin))} {where}."),),
        touches=(worst,),
        faces=(worst,),
    )


def _put_down(table: Situation, query: Deployment) -> Situation:
    """The table with the unit where the question has it."""
    if query.to is None:
        return table
    own = regiment(table, query.who)
    there = Footing.of(own).standing(query.to)
    for id_, place in zip(own.members, own.places, strict=True):
        turned = table.facing_rad(id_) + there.facing_rad - own.facing_rad
        table = table.placed(id_, there.at(*own.seen_from(place, own.front))).facing(id_, turned)
    return table


def _depth_mm(table: Situation, ids: tuple[str, ...], zone: Zone) -> float:
    """How deep all of these bases lie in a zone; the table's own edges do not count."""
    area = table.area(zone.id)
    outline = area.outline or tuple(p for part in area.parts for p in part.points)
    size = table.state.table
    return min(_inner_mm(p, outline, size.width_mm, size.depth_mm) for m in ids for p in table.base(m).points)


def _inner_mm(p: tuple[float, float], outline: tuple[tuple[float, float], ...], width: float, depth: float) -> float:
    """How deep a point lies inside the borders of a zone that are not table edges; negative outside."""
    if inside_mm(p, outline) < 0:
        return inside_mm(p, outline)
    inner = [
        gap(Rounded((p,)), Rounded((a, b))).mm
        for a, b in zip(outline, (*outline[1:], outline[0]), strict=True)
        if not _is_edge(a, b, width, depth)
    ]
    return min(inner, default=CAPPED_MM)


def _is_edge(a: tuple[float, float], b: tuple[float, float], width: float, depth: float) -> bool:
    same = [(a[0], b[0], (0.0, width)), (a[1], b[1], (0.0, depth))]
    return any(abs(p - q) < 1e-6 and any(abs(p - end) < 1e-6 for end in ends) for p, q, ends in same)


def _placed(table: Situation, id_: str, zones: list[Zone]) -> Candidate:
    def rule(asked: Situation) -> Ruling:
        mm = max(_depth_mm(asked, (id_,), zone) for zone in zones)
        return Ruling(margin_mm=mm, zero_is_met=False, touches=(id_,), faces=(id_,))

    return Candidate(id_, rule(table), rule)


def _clause(name: str, mm: float) -> JsonValue:
    return {"clause": name, "answer": "yes" if mm > 0 else "no", "margin_mm": mm}


def _scouting(table: Situation, query: Deployment, zones: list[Zone]) -> Ruling:
    """Source: Scouts, p. 64."""
    foes = [one for one in all_regiments(table) if not are_friends(table, query.who, one)]
    between = min((apart(table, query.who, one) for one in foes), key=lambda one: one.mm, default=None)
    far = CAPPED_MM if between is None else between.mm - _SCOUT_MM
    own = regiment(table, query.who)
    inside = max((_depth_mm(table, own.members, zone) for zone in zones), default=-CAPPED_MM)
    clauses: list[JsonValue] = [_clause("twelve-inches", far), _clause("or-own-zone", inside)]
    return Ruling(
        margin_mm=max(far, inside),
        zero_is_met=table.reading("twelve-inches") == "allowed",
        value={"zone": zones[0].id if zones else None, "clauses": clauses},
        because=(applied(table, _SCOUTS, f"The nearest enemy is {length(max(0.0, far + _SCOUT_MM))} away."),),
        readings=("twelve-inches",),
        doubtful=("twelve-inches",) if abs(max(far, inside)) < _DUST_MM else (),
        touches=() if between is None else between.touches,
    )


def objective_control(table: Situation, query: ObjectiveControl) -> Ruling:
    """Who controls an objective. Source: Watchtower, p. 128."""
    objective = table.state.by_id[query.objective]
    place = objective.terrain if isinstance(objective, Objective) and objective.terrain is not None else query.objective
    held = [one for one in all_regiments(table) if garrisoned(table, one) == place]
    able = [one for one in all_regiments(table) if _may_hold(table, one)]
    ranked = sorted((max(0.0, apart(table, one, place).mm), one) for one in able)
    winner = held[0] if held else ranked[0][1] if ranked else None
    ties = [one for mm, one in ranked if ranked and mm <= ranked[0][0] + 1e-6]
    tie = not held and len({side_of(table, one) for one in ties}) > 1
    value: dict[str, JsonValue] = {
        "controller": "none" if winner is None or tie else side_of(table, winner),
        "by": winner,
        "ties": [*ties] if tie else [],
        "contested_by": [],
        "by_id": {one: {"why": "nearest" if one == winner else "farther", "distance_mm": mm} for mm, one in ranked},
    }
    return Ruling(
        status="measured",
        value=value,
        members=tuple(_rival(table, one, place, ranked) for _, one in ranked),
        because=(applied(table, _HOLD, "Nobody holds it." if winner is None else f"{winner} does."),),
        readings=("garrison-edge",),
        doubtful=place_doubts(table, *able),
    )


def _may_hold(table: Situation, id_: str) -> bool:
    return "fleeing" not in leading(table, id_).status and total_strength(table, id_) >= parameters.FEW


def _rival(table: Situation, id_: str, place: str, ranked: list[tuple[float, str]]) -> Candidate:
    """How much nearer it is than the nearest other."""
    others = [one for _, one in ranked if one != id_]

    def rule(asked: Situation) -> Ruling:
        mine = apart(asked, id_, place)
        rest = [apart(asked, one, place) for one in others[:3]]
        least = min(rest, key=lambda one: one.mm, default=None)
        mm = CAPPED_MM if least is None else max(0.0, least.mm) - max(0.0, mine.mm)
        return Ruling(margin_mm=mm, touches=tuple(dict.fromkeys((*mine.touches, *(least.touches if least else ())))))

    return Candidate(id_, rule(table), rule)


def hazard(table: Situation, query: Hazard) -> Ruling:
    """Who must roll for dangerous ground on the way. Source: Dangerous Terrain, p. 92; p. 92-95; Skirmishers, p. 65."""
    kind = kind_of(leading(table, query.mover))
    steps = query.steps or ()
    areas = [t for t in table.state.terrain if query.area in (None, t.id)]
    rushing = query.manner in _RUSHING or bool(_RUSHING & set(leading(table, query.mover).this_turn.moved))
    risky = [t for t in areas if rushing and _is_dangerous(table, query.mover, kind, t)]
    found = {m: _reach_mm(table, query.mover, m, steps, risky) for m in members_of(table, query.mover)}
    tested = [m for m, mm in found.items() if mm > 0]
    if tested and table.reading("dangerous-who") == "whole-unit":
        tested = list(found)
    fails = 2 if any(t.kind == "marsh" for t in risky) and kind in parameters.MOUNTED else 1
    count = len(tested)
    value: dict[str, JsonValue] = {
        "tests": count,
        "fails_on": fails,
        "chance": _any_fails(count, fails),
        "expected": count * fails / 6 * (_WRECKED if kind in ("chariot", "shrine") else 1.0),
        "by_id": {m: {"entry_mm": None} for m in tested},
    }
    return Ruling(
        margin_mm=max(found.values(), default=-CAPPED_MM),
        zero_is_met=False,
        value=value,
        because=(applied(table, _DANGER, f"{count} of them roll."),),
        readings=("dangerous-who",),
        retold=("dangerous-who",) if tested else (),
        touches=tuple(tested[:4] or members_of(table, query.mover)[:1]),
    )


def _any_fails(count: int, fails: int) -> dict[str, JsonValue]:
    """The chance that somebody fails. Source: Dangerous Terrain, p. 91."""
    p = 1 - Fraction(6 - fails, 6) ** count
    return {"needs": None, "dice": "1d6", "exact": str(p), "p": float(p)}


def _is_dangerous(table: Situation, mover: str, kind: str, terrain: Terrain) -> bool:
    first = leading(table, mover)
    if first.has("ethereal"):
        return False
    if terrain.ground == "dangerous":
        return True
    if kind in parameters.MOUNTED:
        return terrain.kind not in _SAFE and terrain.ground != "open"
    if terrain.kind == "marsh":
        return not is_skirmishing(table, mover)
    return terrain.kind == "scree"


def _reach_mm(table: Situation, mover: str, id_: str, steps: tuple[object, ...], areas: list[Terrain]) -> float:
    """How deep the way of one base leads into dangerous ground; negative when it passes by."""
    own = regiment(table, mover)
    wide, deep = own.base_mm
    x, y = own.seen_from(table.centre(id_), own.front)
    block = Footing.of(own)
    told = tuple(step for step in steps if isinstance(step, Step))
    swept = [table.base(id_)]
    for before, step in zip(after(block, told), told, strict=False):
        one = Footing(before.at(x + deep / 2, y), before.facing_rad, wide, deep)
        if step.by_deg is None:
            swept += on_the_way(one, step)
        else:
            swept += list(on_the_way(before, step))
    depths = [-gap(shape, part).mm for shape in swept for t in areas for part in table.area(t.id).parts]
    return max(depths, default=-CAPPED_MM)
