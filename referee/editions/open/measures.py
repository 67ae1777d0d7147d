"""Measures of the book language: each function on a table, by the geometry that the built-in questions use."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from models.base import RoundBase
from models.book_language.declarations import STATS
from models.miniature import Miniature
from models.queries import TABLE_EDGES, B2b, Cover, Los
from models.terrain import Effect, Terrain
from models.unit_conversion import MM_PER_INCH, inches, radians
from models.verdict import Witness
from models.vocabulary import Point
from referee.editions.open.action import StraightWay, check_free, straight_way
from referee.editions.open.arcs import check_arc, check_front
from referee.editions.open.cover import grants_cover
from referee.editions.open.distances import check_within
from referee.editions.open.expression_values import (
    CannotTell,
    Dice,
    Event,
    Group,
    Number,
    Place,
    Quantity,
    certain,
    merge,
    settle,
)
from referee.editions.open.measuring import draw_ruler, ground_mm, measure, measured_area, top_mm
from referee.editions.open.sight_obstacles import as_obstacles, visible_share
from referee.editions.warmachine.miniatures.distances import hinges
from referee.editions.warmachine.movement.move import draw_path
from referee.editions.warmachine.movement.path import path_of, speed_mm
from referee.geometry.containment import depth_of_base, reach_into
from referee.geometry.corridor import depth_in_corridor
from referee.geometry.distance import area_gap, farthest
from referee.geometry.shapes import Area, RoundedShape, disc
from referee.motion.travel_budget import length_mm
from referee.rules.candidates import filter_by_side, in_play
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

Measure = Callable[..., Any]


def place_of(table: ExactTable, at: str | Point) -> Place:
    """A thing or a point as a value, with all that moves it."""
    on = hinges(table, at)
    is_turned = isinstance(at, str) and at in table.miniatures and table.miniatures[at].base.shape != "round"
    return Place(at, on, (str(at),) if is_turned else ())


def needs(*what: str) -> CannotTell:
    """What is raised where the state does not tell something."""
    return CannotTell(RuleResult(status="unknown", needs=what))


def _length(mm: float, *places: Place, **more: Any) -> Quantity:
    return Quantity(mm, "length", merge(*(p.on for p in places)), merge(*(p.turning for p in places)), **more)


def _on(result: RuleResult, *places: Place) -> RuleResult:
    """The condition, which hangs on all that its places do."""
    on = merge(result.depends_on_place, *(p.on for p in places))
    return replace(result, depends_on_place=on)


def _middle(table: ExactTable, place: Place) -> Point:
    if place.id is not None and place.id in table.miniatures:
        return table.centre(place.id)
    parts = table.area(place.at).parts
    return parts[0].centre if parts else (0.0, 0.0)


def distance(table: ExactTable, a: Place, b: Place) -> Quantity:
    """The distance as the settings measure; the ruler is its witness."""
    measured = measure(table, a.at, b.at)
    ruler = () if table.margins_only else (draw_ruler(measured, a.at, b.at, is_met=None),)
    is_plain = measured.is_flat and table.reading("open-vertical") == "plan" and table.reading("open-measure") == "edge"
    is_moved = any(not p.id and p.on for p in (a, b))
    return _length(measured.mm, a, b, witness=ruler, pair=(a.at, b.at) if is_plain and not is_moved else None)


def _middle_distance(table: ExactTable, a: Place, b: Place) -> Quantity:
    ends = (_middle(table, a), _middle(table, b))
    ruler = Witness(type="segment", role="limit", points_mm=ends, of=tuple(p.id for p in (a, b) if p.id is not None))
    return _length(math.dist(*ends), a, b, witness=(ruler,))


def _farthest(table: ExactTable, a: Place, b: Place) -> Quantity:
    mm, at_b, at_a = farthest(measured_area(table, a.at), table.area(b.at))
    return _length(max(0.0, mm), a, b, witness=(Witness(type="segment", role="limit", points_mm=(at_a, at_b)),))


def _gap(table: ExactTable, a: Place, b: Place) -> Quantity:
    is_moved = any(not p.id and p.on for p in (a, b))
    between = area_gap(table.area(a.at), table.area(b.at))
    return _length(between.mm, a, b, pair=None if is_moved else (a.at, b.at))


def _line_distance(table: ExactTable, a: Place, b: Place, c: Place) -> Quantity:
    line = Area((RoundedShape((_middle(table, b), _middle(table, c))),))
    between = area_gap(table.area(a.at), line)
    ruler = Witness(type="segment", role="limit", points_mm=(between.at_a, between.at_b))
    return _length(max(0.0, between.mm), a, b, c, witness=(ruler,))


def _height_gap(table: ExactTable, a: Place, b: Place) -> Quantity:
    (low_a, top_a), (low_b, top_b) = ((ground_mm(table, p.at), top_mm(table, p.at)) for p in (a, b))  # type: ignore[arg-type]
    return _length(max(0.0, low_a - top_b, low_b - top_a), a, b)


def _base_width(table: ExactTable, a: Place) -> Quantity:
    base = table.miniature(str(a.at)).base
    return Quantity(base.diameter_mm if isinstance(base, RoundBase) else base.width_mm, "length")


def _depth(table: ExactTable, a: Place, area: Place) -> Quantity:
    parts = table.area(a.at).parts
    depths = [reach_into(part, table.area(area.at)) for part in parts]
    return _length(max((mm for mm in depths if math.isfinite(mm)), default=-1e5), a, area)


def _x_of(table: ExactTable, a: Place) -> Quantity:
    return _length(_middle(table, a)[0], a)


def _y_of(table: ExactTable, a: Place) -> Quantity:
    return _length(_middle(table, a)[1], a)


def _point(_: ExactTable, x: Number, y: Number) -> Place:
    across, up = settle(x).as_unit("length"), settle(y).as_unit("length")
    return Place((across.value, up.value), merge(across.on, up.on), merge(across.turning, up.turning))


def _middle_place(table: ExactTable, a: Place) -> Place:
    return Place(_middle(table, a), a.on)


def _thing(table: ExactTable, id_: str) -> Place:
    if id_ not in table.state.by_id:
        raise needs(f"a thing with the id {id_!r}")
    return place_of(table, id_)


def _edge(_: ExactTable, side: str) -> Place:
    if f"edge:{side}" not in TABLE_EDGES:
        raise needs(f"an edge of the table called {side!r}")
    return Place(f"edge:{side}")


def _within(table: ExactTable, a: Place, b: Place, limit: Number) -> RuleResult:
    return _on(check_within(table, a.at, b.at, settle(limit).as_unit("length").value), a, b)


def _in_area(table: ExactTable, a: Place, area: Place) -> RuleResult:
    depth = _depth(table, a, area)
    return RuleResult(margin_mm=depth.value, depends_on_place=depth.on, depends_on_facing=depth.turning)


def _wholly_in(table: ExactTable, a: Place, area: Place) -> RuleResult:
    depth = depth_of_base(table.base(str(a.at)), (table.area(area.at),))
    turning = merge(a.turning, area.turning)
    return RuleResult(margin_mm=depth, depends_on_place=merge(a.on, area.on), depends_on_facing=turning)


def _touches(table: ExactTable, a: Place, b: Place) -> RuleResult:
    if b.id is None:
        return _in_area(table, a, b)
    return table.evaluate_query(B2b(a=str(a.at), b=b.id))


def _in_arc(
    table: ExactTable, a: Place, b: Place, width: Number | None = None, turned: Number | None = None
) -> RuleResult:
    if width is None:
        return _on(check_front(table, str(a.at), b.at), b)
    by_deg = 0.0 if turned is None else settle(turned).value
    return _on(check_arc(table, str(a.at), b.at, max(0.0, min(360.0, settle(width).value)), by_deg), b)


def _bearing(table: ExactTable, a: Place, b: Place) -> Quantity:
    (x, y), (to_x, to_y) = table.centre(str(a.at)), _middle(table, b)
    off = math.remainder(math.atan2(to_y - y, to_x - x) - table.facing_rad(str(a.at)), math.tau)
    lever_mm = math.hypot(to_x - x, to_y - y) * radians(1.0)
    turning = merge(a.on, b.turning)
    return Quantity(math.degrees(abs(off)), "angle", merge(a.on, b.on), turning, scale_mm=lever_mm)


def _sees(table: ExactTable, a: Place, b: Place) -> RuleResult:
    return certain(True) if a.at == b.at else table.evaluate_query(Los(viewer=str(a.at), target=str(b.at)))


def _hidden_share(table: ExactTable, a: Place, b: Place, by: Group | None = None) -> Quantity:
    ground: tuple[Terrain | Effect, ...] = (*table.state.terrain, *table.state.effects)
    things = [thing.id for thing in ground if grants_cover(thing)]
    ids = things if by is None else [p.id for p in by if p.id not in (None, a.id, b.id)]
    base, obstacles = table.base(str(b.at)), as_obstacles([(str(id_), table.area(str(id_))) for id_ in ids])
    seen = visible_share(table, a.at, _middle(table, a), base, obstacles)
    on = merge(a.on, b.on, *(hinges(table, str(id_)) for id_ in ids))
    return Quantity(1.0 - seen, "number", on, b.turning, scale_mm=2 * base.reach_mm)


def _crosses(table: ExactTable, a: Place, b: Place, area: Place) -> RuleResult:
    ends = (disc(_middle(table, a), 0.0), disc(_middle(table, b), 0.0))
    depth = depth_in_corridor(*ends, table.area(area.at))
    return RuleResult(margin_mm=max(-1000.0, depth), zero_is_met=False, depends_on_place=merge(a.on, b.on, area.on))


def _covered(table: ExactTable, a: Place, b: Place) -> RuleResult:
    return table.evaluate_query(Cover(attacker=str(a.at), target=str(b.at)))


def _find_way(
    table: ExactTable, a: Place, to: Place | Group, near: Number | None
) -> tuple[StraightWay, tuple[str, ...]]:
    """The straight way, and all that it hangs on."""
    targets = to if isinstance(to, tuple) else (to,)
    if not targets:
        raise needs("somebody to go to")
    near_mm = None if near is None else settle(near).as_unit("length").value
    route = straight_way(table, str(a.at), [target.at for target in targets], near_mm)
    return route, merge(a.on, *(target.on for target in targets), *(hinges(table, id_) for id_ in route.ground_ids))


def _way_length(table: ExactTable, a: Place, to: Place | Group, near: Number | None = None) -> Quantity:
    route, on = _find_way(table, a, to, near)
    arrow = () if table.margins_only else (draw_path(str(a.at), route.path, route.walked),)
    return Quantity(route.needed_mm, "length", on, a.turning, arrow)


def _free_way(table: ExactTable, a: Place, to: Place | Group, near: Number | None = None) -> RuleResult:
    route, on = _find_way(table, a, to, near)
    free = check_free(table, str(a.at), route)
    return replace(free, depends_on_place=merge(free.depends_on_place, on))


def _moved(table: ExactTable, a: Place) -> Quantity:
    path = path_of(table, str(a.at))
    if path is None:
        raise needs(f"this_turn.path_mm or before of {a.at}")
    return _length(length_mm(path), a)


def _stat(table: ExactTable, a: Place, what: str) -> Quantity:
    value = getattr(table.miniature(str(a.at)).profile, what) if what in STATS else None
    if value is None:
        raise needs(f"profile.{what} of {a.at}")
    return Quantity(float(value), "number")


def _scenario(table: ExactTable) -> str:
    return str((table.state.scenario and table.state.scenario.name) or "")


def _speed(table: ExactTable, a: Place) -> Quantity:
    mm = speed_mm(table, str(a.at))
    if mm is None:
        raise needs(f"profile.spd_in of {a.at}")
    return Quantity(mm, "length")


def _command(table: ExactTable, a: Place) -> Quantity:
    length_in = table.miniature(str(a.at)).profile.cmd_in
    if length_in is None:
        raise needs(f"profile.cmd_in of {a.at}")
    return Quantity(inches(length_in), "length")


def _reach(table: ExactTable, a: Place) -> Quantity:
    weapons = table.miniature(str(a.at)).profile.melee
    if not weapons:
        raise needs(f"profile.melee of {a.at}")
    return Quantity(inches(max(weapon.reach_in for weapon in weapons)), "length")


def _shot(table: ExactTable, a: Place) -> Quantity:
    lengths = [w.rng_in for w in table.miniature(str(a.at)).profile.ranged if w.rng_in is not None]
    if not lengths:
        raise needs(f"profile.ranged of {a.at}")
    return Quantity(inches(max(rng if isinstance(rng, float | int) else rng[1] for rng in lengths)), "length")


def _kind(table: ExactTable, a: Place) -> str:
    thing = table.state.by_id[str(a.at)]
    word = thing.type if isinstance(thing, Miniature) else getattr(thing, "kind", None)
    return str(word or "")


def _side(table: ExactTable, a: Place) -> str:
    return str(getattr(table.state.by_id[str(a.at)], "side", None) or "")


def _name(table: ExactTable, a: Place) -> str:
    return str(getattr(table.state.by_id[str(a.at)], "name", None) or a.at)


def _has(table: ExactTable, a: Place, what: str) -> RuleResult:
    m = table.miniature(str(a.at))
    return certain(what in (*m.profile.abilities, *m.role, *m.status, m.type))


def _enemies(table: ExactTable, a: Place) -> Group:
    return _by_side(table, a, "enemies")


def _friends(table: ExactTable, a: Place) -> Group:
    return _by_side(table, a, "friends")


def _by_side(table: ExactTable, a: Place, only: str) -> Group:
    side = table.miniature(str(a.at)).side
    return places_of(table, filter_by_side(table, in_play(table, str(a.at)), side, only))


def _unit(table: ExactTable, a: Place) -> Group:
    unit = table.miniature(str(a.at)).unit
    ids = [id_ for id_ in in_play(table) if table.miniature(id_).unit == unit]
    return places_of(table, ids if unit is not None else [str(a.at)])


def places_of(table: ExactTable, ids: Any) -> Group:
    """Things as values."""
    return tuple(place_of(table, id_) for id_ in ids)


def group_of(table: ExactTable, name: str) -> Group:
    """The things that a group of the language names."""
    return places_of(table, in_play(table) if name == "miniatures" else [t.id for t in getattr(table.state, name)])


def _phase(table: ExactTable) -> str:
    return str((table.state.turn and table.state.turn.phase) or "")


def _active(table: ExactTable) -> str:
    return str((table.state.turn and table.state.turn.active) or "")


def _round(table: ExactTable) -> Quantity:
    if table.state.turn is None or table.state.turn.round is None:
        raise needs("turn.round")
    return Quantity(float(table.state.turn.round), "number")


def _abs(_: ExactTable, x: Number) -> Quantity:
    settled = settle(x).as_unit("length")
    return replace(settled, value=abs(settled.value), pair=None)


def _inches(_: ExactTable, x: Number) -> Quantity:
    length = settle(x).as_unit("length")
    return replace(length, value=length.value / MM_PER_INCH, unit="number", scale_mm=MM_PER_INCH, pair=None)


def _chance(_: ExactTable, event: Event | RuleResult) -> Quantity:
    if isinstance(event, Event):
        return Quantity(float(event.chance), "number")
    return Quantity(float(event.decisive_mm > 0), "number")


def _total(choose: Callable[[Dice], float]) -> Measure:
    def total(_: ExactTable, dice: Dice) -> Quantity:
        return Quantity(choose(dice), "number")

    return total


MEASURES: dict[str, Measure] = {
    "distance": distance, "middle_distance": _middle_distance, "farthest": _farthest, "gap": _gap,
    "line_distance": _line_distance,
    "height_gap": _height_gap, "ground": lambda table, a: _length(ground_mm(table, a.at), a),
    "top": lambda table, a: _length(top_mm(table, a.at), a), "base_width": _base_width, "depth": _depth,
    "x_of": _x_of, "y_of": _y_of, "point": _point, "middle": _middle_place, "thing": _thing, "edge": _edge,
    "table_width": lambda table: Quantity(table.state.table.width_mm, "length"),
    "table_depth": lambda table: Quantity(table.state.table.depth_mm, "length"),
    "within": _within, "in_area": _in_area, "wholly_in": _wholly_in, "touches": _touches, "in_arc": _in_arc,
    "bearing": _bearing, "sees": _sees, "hidden_share": _hidden_share, "crosses": _crosses, "covered": _covered,
    "way": _way_length, "free_way": _free_way, "moved": _moved, "stat": _stat, "scenario": _scenario,
    "speed": _speed, "command": _command, "reach": _reach, "shot": _shot, "kind": _kind, "side": _side,
    "name": _name, "has": _has, "enemies": _enemies, "friends": _friends, "unit": _unit, "phase": _phase,
    "round": _round, "active": _active, "abs": _abs, "inches": _inches, "chance": _chance,
    "highest": _total(lambda dice: float(max(dice.odds))), "lowest": _total(lambda dice: float(min(dice.odds))),
    "mean": _total(lambda dice: float(sum(total * chance for total, chance in dice.odds.items()))),
}  # fmt: skip
"""By name; what steps to a whole number stands with the evaluation, for it leaps."""
