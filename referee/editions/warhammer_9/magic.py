"""Magic on the table: lines, vortices, and pushes."""

import math

from models.queries import LineHits, Push, Vortex
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.clauses import listed_margins
from referee.editions.warhammer_9 import legs, parameters
from referee.editions.warhammer_9.arcs import front_of
from referee.editions.warhammer_9.cannons import struck_along
from referee.editions.warhammer_9.casting import wizard_of
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.looking import bodies, is_aside
from referee.editions.warhammer_9.machines import victim
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import all_regiments, are_friends, members_of, regiment, regiment_of
from referee.editions.warhammer_9.spacing import others
from referee.editions.warhammer_9.templates import along, point_of
from referee.gaps import gap
from referee.motion import stretch_within
from referee.ruling import Ruling
from referee.shapes import Rounded, disc, hull
from referee.situation import Situation
from referee.telling import applied, length, name_of

_LINE = because("Spells", 30, "A line ahead of the caster strikes the first of each rank it crosses.")
_VORTEX = because("Magical Vortices", 28, "Touching its caster, in front, over neither friends nor those who fight.")
_DRIFT = because("Magical Vortices", 28, "It goes straight on; where it would end on a unit it goes an inch beyond.")
_PUSH = because("Spells", 31, "It is moved straight away without a turn, and stops an inch before others.")


def line_hits(table: Situation, query: LineHits) -> Ruling:
    """Whom a line strikes. Source: Spells, p. 30; Cannons, p. 89, for the first of each rank."""
    own = regiment(table, query.attacker)
    way = math.radians(query.heading_deg)
    start = _rim_point(table.base(members_of(table, query.attacker)[0]), (math.cos(way), math.sin(way)))
    end = along(start, query.heading_deg, inches(query.length_in))
    ahead = -gap(front_of(own), disc(end, 0.0)).mm
    struck = struck_along(table, query.attacker, start, end) if ahead >= 0 else []
    return Ruling(
        status="measured",
        value={"line_mm": [[*start], [*end]], "in_front": ahead >= 0},
        members=tuple(victim(table, id_) for id_ in struck),
        witness=(Witness(type="segment", role="path", points_mm=(start, end), of=(query.attacker,)),),
        because=(applied(table, _LINE, f"{len(struck)} are struck."),),
    )


def _rim_point(base: Rounded, way: Point) -> Point:
    """Where a line from the middle of a base leaves it."""
    span = stretch_within(Rounded((base.centre,)), way, base)
    far = 0.0 if span is None else span[1]
    return (base.centre[0] + far * way[0], base.centre[1] + far * way[1])


def vortex(table: Situation, query: Vortex) -> Ruling:
    """Where a vortex may be laid, or goes. Source: Magical Vortices, p. 28."""
    radius = inches(query.diameter_in) / 2
    own = regiment(table, wizard_of(table, query.caster))
    start = own.at(radius, 0.0, own.front) if query.to is None else point_of(table, query.to)
    clauses = _laid(table, own.id, start, radius)
    heading = math.degrees(own.facing_rad) if query.heading_deg is None else query.heading_deg
    end, rolled = start, start
    if query.distance_in is not None and not table.lean:
        rolled = along(start, heading, inches(query.distance_in))
        end = _gone(table, start, radius, heading, inches(query.distance_in))
    crossed = _crossed(table, start, rolled, radius) if query.distance_in is not None and not table.lean else []
    name = min(clauses, key=lambda one: clauses[one])
    told = listed_margins(clauses)
    return Ruling(
        margin_mm=clauses[name] if query.distance_in is None else CAPPED_MM,
        value={"clauses": told, "poses": {"vortex": {"at_mm": [*end]}}, "crossed": [*crossed]},
        members=tuple(victim(table, m) for unit in crossed for m in _touched(table, unit, start, rolled, radius)),
        witness=(Witness(type="circle", role="limit", centre_mm=end, radius_mm=radius),),
        because=(applied(table, _VORTEX, f"{name.capitalize()}: {length(abs(clauses[name]))}."), _DRIFT),
        touches=own.members,
        faces=own.members,
    )


def _laid(table: Situation, caster: str, at: Point, radius: float) -> dict[str, float]:
    own = regiment(table, caster)
    touching = parameters.CONTACT_MM - abs(gap(disc(at, radius), table.base(members_of(table, caster)[0])).mm)
    found = {"touching": touching, "in-front": -gap(front_of(own), disc(at, 0.0)).mm}
    own_unit, own_base = regiment_of(table, caster), members_of(table, caster)[0]
    barred = [
        gap(disc(at, radius), one.shape).mm
        for id_ in all_regiments(table)
        if id_ not in (caster, own_unit) and (are_friends(table, caster, id_) or engaged_with(table, id_))
        for one in bodies(table, id_)
    ]
    mates = [m for m in members_of(table, own_unit) if m != own_base]
    barred += [gap(disc(at, radius), table.base(m)).mm for m in mates]
    return found | ({"clear": min(barred)} if barred else {})


def _gone(table: Situation, start: Point, radius: float, heading_deg: float, by_mm: float) -> Point:
    """Straight on, and an inch beyond whatever it would end on."""
    way = math.radians(heading_deg)
    ahead = (math.cos(way), math.sin(way))
    shapes = [one.shape for id_ in all_regiments(table) for one in bodies(table, id_)]
    spans = [stretch_within(disc(start, radius), ahead, shape, parameters.SPACING_MM) for shape in shapes]
    clear = [stretch_within(disc(start, radius), ahead, shape) for shape in shapes]
    for over, near in sorted((c, s) for c, s in zip(clear, spans, strict=True) if c is not None and s is not None):
        if over[0] < by_mm < over[1]:
            by_mm = near[1]
    return along(start, heading_deg, by_mm)


def _swept(start: Point, end: Point, radius: float) -> Rounded:
    return Rounded((start, end), radius) if math.dist(start, end) > 1e-9 else disc(start, radius)


def _crossed(table: Situation, start: Point, end: Point, radius: float) -> list[str]:
    swept = _swept(start, end, radius)
    return [id_ for id_ in all_regiments(table) if any(gap(swept, b.shape).mm < 0 for b in bodies(table, id_))]


def _touched(table: Situation, unit: str, start: Point, end: Point, radius: float) -> list[str]:
    swept = _swept(start, end, radius)
    return [m for m in members_of(table, unit) if gap(swept, table.base(m)).mm < 0]


def push(table: Situation, query: Push) -> Ruling:
    """Where a push leaves a unit. Source: Spells, p. 31."""
    if query.distance_in is None:
        return Ruling(status="unknown", needs=("distance_in",), because=(_PUSH,))
    own, start = Footing.of(regiment(table, query.target)), regiment(table, query.attacker).centre
    away = math.atan2(own.centre[1] - start[1], own.centre[0] - start[0])
    way = (math.cos(away), math.sin(away))
    by_mm, stopped_by = inches(query.distance_in), None
    run = Rounded(hull([*own.corners, *((x + by_mm * way[0], y + by_mm * way[1]) for x, y in own.corners)]))
    for id_, shape in others(table, query.target):
        if is_aside(run, shape):
            continue
        span = stretch_within(own.shape, way, shape, parameters.SPACING_MM)
        if span is not None and span[0] < by_mm and span[1] > 0:
            by_mm, stopped_by = max(0.0, span[0]), id_
    turn = away - own.facing_rad
    there = own.moved(by_mm * math.cos(turn), by_mm * math.sin(turn))
    return Ruling(
        status="measured",
        value={
            "travelled_mm": by_mm,
            "stopped_by": stopped_by,
            "hits_both": stopped_by is not None,
            "poses": legs.poses_of(table, regiment(table, query.target), there),
            "paths": {query.target: legs.straight(own, there)},
            "follow_mm": 0.0,
            "fall": None,
        },
        lengths_mm={"travelled": by_mm},
        witness=(Witness(type="polygon", role="path", points_mm=hull([*own.corners, *there.corners])),),
        because=(applied(table, _PUSH, f"{name_of(table, query.target)} goes {length(by_mm)}."),),
        touches=tuple(dict.fromkeys(regiment(table, query.target).rank(0)[k] for k in (0, -1))),
    )
