"""Drawn reach: arcs, lines and rings of questions about who sees, reaches or shoots whom."""

import math
from collections.abc import Callable
from typing import Any

from models import queries
from models.terrain import Objective
from models.verdict import Witness, WitnessRole
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.arcs import arc_lines, front_of
from referee.editions.warhammer_9.engaged import edge_of, free_sides
from referee.editions.warhammer_9.measuring import body
from referee.editions.warhammer_9.regiments import all_regiments, garrisoned, members_of, regiment
from referee.editions.warhammer_9.strokes import (
    Strokes,
    area_of,
    band,
    bases_of,
    between,
    bodies_of,
    contacts,
    held,
    line,
    met,
    outline,
    ray,
)
from referee.gaps import gap
from referee.ruling import Ruling
from referee.shapes import Rounded
from referee.situation import Situation

Picture = Callable[[Situation, Any, Ruling], Strokes]
_SIGN_MM = 100.0  # how long a stroke is that only shows a way


def pair(a: str, b: str) -> Picture:
    """The line between two that the question names."""

    def picture(table: Situation, query: Any, ruling: Ruling) -> Strokes:
        yield between(table, getattr(query, a), getattr(query, b), met(ruling))

    return picture


def spokes(table: Situation, hub: Any, ruling: Ruling) -> Strokes:
    for one in ruling.members:
        mm = None if one.ruling is None else one.ruling.margin_mm
        if hub is not None and one.id != hub:
            role = "limit" if mm is None else held(mm, zero_is_met=bool(one.ruling and one.ruling.zero_is_met))
            yield between(table, hub, one.id, role)


def aura(table: Situation, query: queries.Aura, ruling: Ruling) -> Strokes:
    limit = ruling.value.get("limit_mm")
    if isinstance(limit, float | int):
        yield round_of(table, query.source, float(limit))
    yield from spokes(table, query.source, ruling)


def round_of(table: Situation, place: Any, by_mm: float) -> Witness:
    return band([part for _, area in body(table, place) for part in area.parts], by_mm, "limit")


def morale(table: Situation, query: queries.MoraleCheck, ruling: Ruling) -> Strokes:
    source = query.source
    if source is not None and members_of(table, source) and query.cause != "casualties":
        if query.cause in ("destroyed", "broken"):
            yield round_of(table, source, parameters.PANIC_MM)
        yield from spokes(table, source, ruling)
        yield from bodies_of(table, (source,), "limit")
    else:
        yield from bodies_of(table, (query.unit,) if query.unit is not None else all_regiments(table), "limit")


def arc_too(attacker: str, target: str) -> Picture:
    """The line between two, and the lines between which the first looks."""

    def picture(table: Situation, query: Any, ruling: Ruling) -> Strokes:
        who = getattr(query, attacker)
        yield between(table, who, getattr(query, target), met(ruling))
        if garrisoned(table, who) is None:
            yield from arc_lines(regiment(table, who))

    return picture


def in_front(table: Situation, query: queries.InFrontArc, ruling: Ruling) -> Strokes:
    """The part of the target that is looked at: what lies in the quadrant, else the line by which it lies outside."""
    if garrisoned(table, query.viewer) is not None:
        yield between(table, query.viewer, query.target, met(ruling))
        return
    own = regiment(table, query.viewer)
    yield from bodies_of(table, (query.viewer,), "limit")
    parts = [part for _, area in body(table, query.target) for part in area.parts]
    inside = [clipped for part in parts if (clipped := _clipped(part, front_of(own))) is not None]
    if inside:
        yield from (outline(one, "clear") for one in inside)
        return
    near = min((gap(part, front_of(own)) for part in parts), key=lambda one: one.mm)
    yield line(near.at_a, near.at_b, "blocked")


def _clipped(part: Rounded, by: Rounded) -> tuple[tuple[float, float], ...] | None:
    """What of a convex outline lies in another; of a round base nothing but its middle is looked at."""
    points = list(part.points)
    for (ax, ay), (bx, by_) in by.edges():
        side = [(bx - ax) * (y - ay) - (by_ - ay) * (x - ax) for x, y in points]
        kept: list[tuple[float, float]] = []
        for k, (x, y) in enumerate(points):
            px, py, here, before = *points[k - 1], side[k], side[k - 1]
            if here * before < 0:
                share = before / (before - here)
                kept.append((px + share * (x - px), py + share * (y - py)))
            if here >= 0:
                kept.append((x, y))
        points = kept
    return tuple(points) if len(points) > 2 else None


def from_viewer(table: Situation, query: queries.Arc, ruling: Ruling) -> Strokes:
    yield from bodies_of(table, (query.viewer,), "limit")
    yield between(table, query.viewer, query.target, "limit")


def shooters(table: Situation, query: queries.Shooters, ruling: Ruling) -> Strokes:
    able = [one.id for one in ruling.members if one.ruling and one.ruling.margin_mm is not None and held(
        one.ruling.margin_mm, zero_is_met=one.ruling.zero_is_met) == "clear"]  # fmt: skip
    yield between(table, query.attacker, query.target, met(ruling))
    yield from (between(table, one, query.target, "limit") for one in _ends(able))
    if garrisoned(table, query.attacker) is None:
        yield from arc_lines(regiment(table, query.attacker))


def _ends(ids: list[str]) -> list[str]:
    """The first and the last of a row: between them the others."""
    return list(dict.fromkeys((ids[0], ids[-1]))) if ids else []


def into_combat(table: Situation, query: queries.ShootingIntoCombat, ruling: Ruling) -> Strokes:
    own, side = regiment(table, query.target), ruling.value.get("side")
    yield from contacts(table, (query.target,))
    sides = free_sides(table, query.target)
    if isinstance(side, str) and side in sides:
        yield _along(own, side)
    yield between(table, query.attacker, query.target, met(ruling))


def _along(own: Any, side: str) -> Witness:
    a, b = edge_of(own, side).points
    return line(a, b, "limit", own.id)


def covered(table: Situation, query: queries.Cover, ruling: Ruling) -> Strokes:
    """From the middle of the shooter's front to the middle of the target."""
    role: WitnessRole = "clear" if ruling.value.get("kind") == "none" else "blocked"
    if query.origin is not None or garrisoned(table, query.attacker) is not None:
        yield between(table, query.origin if query.origin is not None else query.attacker, query.target, role)
        return
    own = regiment(table, query.attacker)
    yield line(own.front, regiment(table, query.target).centre, role, own.id, query.target)
    yield from arc_lines(own)


def protected(table: Situation, query: queries.LookOutSir, ruling: Ruling) -> Strokes:
    by = ruling.value.get("by")
    who = members_of(table, query.who)
    if isinstance(by, str) and by in table.state.by_id and by != query.who:
        yield between(table, query.who, by, met(ruling))
    yield from bases_of(table, who, met(ruling))


def aimed(table: Situation, query: queries.StoneThrower, ruling: Ruling) -> Strokes:
    yield between(table, query.attacker, query.at, met(ruling))


def pivoted(table: Situation, query: queries.WarMachinePivot, ruling: Ruling) -> Strokes:
    """How it looks, how far it may turn to either hand, and where it would look."""
    own = regiment(table, query.who)
    long = own.reach_mm + _SIGN_MM
    yield from (ray(own.centre, own.facing_rad + sign * math.pi / 4, long, "arc", query.who) for sign in (-1, 1))
    if query.target is not None:
        yield line(own.centre, table.area(query.target).parts[0].centre, met(ruling), query.who)
    else:
        heading = own.facing_rad if query.heading_deg is None else math.radians(query.heading_deg)
        yield ray(own.centre, heading, long, met(ruling), query.who)


def reasons(table: Situation, query: queries.MayShoot, ruling: Ruling) -> Strokes:
    """Whom it fights; else who asks, since deeds alone decide."""
    yield from contacts(table, (query.attacker,))
    yield from bodies_of(table, (query.attacker,), met(ruling))


def redirected(table: Situation, query: queries.ChargeRedirect, ruling: Ruling) -> Strokes:
    yield from spokes(table, query.attacker, ruling)
    yield from arc_lines(regiment(table, query.attacker))


def target_of(table: Situation, query: queries.Frenzy, ruling: Ruling) -> Strokes:
    yield from spokes(table, query.who, ruling)
    yield from arc_lines(regiment(table, query.who))


def holders_of(table: Situation, query: queries.ObjectiveControl, ruling: Ruling) -> Strokes:
    thing = table.state.by_id[query.objective]
    place = thing.terrain if isinstance(thing, Objective) and thing.terrain is not None else query.objective
    yield from spokes(table, place, ruling)
    yield from area_of(table, place, "limit")


def listed(told: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return () if told is None else (told,) if isinstance(told, str) else told
