"""Getting past things: gaps, obstacles, ledges, the table's edge, and what is met first."""

import math

from pydantic import JsonValue

from models.queries import Climb, CrossObstacle, FirstContact, FitsBetween, TableEdge
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.areas import depth_of_base
from referee.candidates import in_play
from referee.clauses import all_of
from referee.editions.warmachine_prime.features import OBSTACLES, OBSTRUCTIONS
from referee.editions.warmachine_prime.going import advancing, passes_all
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.paths import Path, path_of, speed_mm
from referee.editions.warmachine_prime.terrain import counts_as, ground_of
from referee.gaps import area_gap
from referee.motion import stretch_within
from referee.ruling import Ruling
from referee.shapes import Area, Rounded
from referee.situation import Situation
from referee.travel import Stop, at, cost_mm, length_mm, meetings, over_edge, place_after, slow_stretches, straight

OVERHANG_MM = inches(1)  # Source: Terraced Obstructions, p. 81

_FITS = because("Normal Movement & Advancing", 30, "A base moves through where it fits between the others.")
_CHARGE = because("Charge", 31, "A charge stops at the first thing it touches.")
_ACROSS = because("Obstacles", 80, "An obstacle is crossed with movement enough to get the base wholly past it.")
_FLAG = because("Flags", 83, "A flag is moved through with movement enough to get wholly past it.")
_BLOCKED = because("Obstructions", 81, "Only Flight and Incorporeal lead through an obstruction.")
_CLIMB = because("Terraced Obstructions", 81, "It may be climbed if the base overhangs it by no more than 1 in.")
_SPEED = because("Full Advance", 30, "A full advance goes up to the current speed.")
_CONTACT = because(
    "Base-to-Base & Contact", 33, "It contacts what it comes to touch, and what it touches and moves at."
)
_EDGE = because("Beyond the Play Area", 35, "What would leave the table stops at its edge, which is no obstacle.")
_STAY = because("Normal Movement & Advancing", 30, "Nobody advances off the table.")


def fits_between(table: Situation, query: FitsBetween) -> Ruling:
    """Whether the base fits through a gap; a gap just as wide lets an advance through. Source: p. 30; Charge, p. 31."""
    between = area_gap(table.area(query.a), table.area(query.b))
    wide = 2 * table.base(query.mover).reach_mm
    grazes = query.manner == "charge" and table.reading("graze") != "passes"
    return Ruling(
        margin_mm=between.mm - wide,
        zero_is_met=not grazes,
        value={"width_mm": between.mm, "needed_mm": wide},
        lengths_mm={"width": between.mm},
        witness=(Witness(type="segment", role="limit", points_mm=(between.at_a, between.at_b), of=(query.a, query.b)),),
        because=(_FITS, _CHARGE) if query.manner == "charge" else (_FITS,),
        readings=("graze",) if query.manner == "charge" else (),
        touches=(query.a, query.b),
    )


def first_contact(table: Situation, query: FirstContact) -> Ruling:
    """What the base meets on its way, in order. Source: Base-to-Base & Contact, p. 33."""
    path = path_of(
        table, query.mover, query.path_mm, heading_deg=query.heading_deg, distance_mm=_far(table, query.distance_in)
    )
    if path is None:
        return Ruling(status="unknown", needs=("path_mm",), because=(_CONTACT,), touches=(query.mover,))
    grazing = table.reading("graze") != "passes"
    met = meetings(table.base(query.mover), path, _things(table, query.mover), grazing=grazing)
    contacts: list[JsonValue] = [
        {"id": stop.id, "after_mm": stop.after_mm, "at_mm": list(place_after(path, stop.after_mm))} for stop in met
    ]
    return Ruling(
        status="measured",
        value={"contacts": contacts},
        lengths_mm={stop.id: stop.after_mm for stop in met[:1]},
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(query.mover,)),),
        because=(_CONTACT,),
        readings=("graze",),
        touches=(query.mover, *(stop.id for stop in met[:1])),
    )


def _far(table: Situation, distance_in: float | None) -> float:
    """The length told, else right across the table."""
    size = table.state.table
    return math.hypot(size.width_mm, size.depth_mm) if distance_in is None else inches(distance_in)


def _things(table: Situation, mover: str) -> tuple[tuple[str, Area], ...]:
    """Every base, and all terrain that is solid."""
    solid = (t for t in table.state.terrain if (counts_as(table, t) or "obstruction") in OBSTACLES | OBSTRUCTIONS)
    return tuple((id_, table.area(id_)) for id_ in (*in_play(table, mover), *(t.id for t in solid)))


def cross_obstacle(table: Situation, query: CrossObstacle) -> Ruling:
    """Whether its movement takes the base wholly past an obstacle or flag. Source: Obstacles, p. 80; Flags, p. 83."""
    budget = _budget(table, query)
    if budget is None:
        need = f"profile.spd_in of {query.mover}"
        return Ruling(status="unknown", needs=(need,), because=(_ACROSS,), touches=(query.mover,))
    path = _way_over(table, query)
    if path is None:
        return Ruling(status="unknown", needs=("heading_deg",), because=(_ACROSS,), touches=(query.mover,))
    span = _span(table, query.mover, path, query.feature)
    if span is None:
        return Ruling(margin_mm=CAPPED_MM, value={"needed_mm": 0.0}, because=(_ACROSS,), touches=(query.mover,))
    slow = slow_stretches(table.base(query.mover), path, advancing(table, query.mover).slow)
    spare = Ruling(margin_mm=budget - cost_mm(span[1], slow), because=(_ACROSS,), touches=(query.mover, query.feature))
    ruling = all_of((("may", _may_cross(table, query)), ("travel", spare)))
    end = place_after(path, span[1])
    return Ruling(
        margin_mm=ruling.margin_mm,
        value={
            **ruling.value,
            "needed_mm": span[1],
            "stop_mm": span[0],
            "poses": {query.mover: {"at_mm": list(end)}},
        },
        lengths_mm={"needed": span[1]},
        witness=(Witness(type="segment", role="path", points_mm=(path[0], end), of=(query.mover,)),),
        because=ruling.because,
        touches=ruling.touches,
    )


def _budget(table: Situation, query: CrossObstacle) -> float | None:
    """Source: Full Advance and Run, p. 30; Charge, p. 31."""
    if query.distance_in is not None:
        return inches(query.distance_in)
    speed = speed_mm(table, query.mover)
    if speed is None:
        return None
    return {"run": 2 * speed, "charge": speed + inches(3)}.get(query.manner or "", speed)


def _way_over(table: Situation, query: CrossObstacle) -> Path | None:
    """The path told, else straight on."""
    if query.path_mm is not None:
        return path_of(table, query.mover, query.path_mm)
    heading = table.facing_rad(query.mover) if query.heading_deg is None else math.radians(query.heading_deg)
    return straight(table.centre(query.mover), heading, _far(table, None))


def _span(table: Situation, mover: str, path: Path, feature: str) -> tuple[float, float] | None:
    """After how much travel it touches the feature, and is wholly past it."""
    base, before, found = table.base(mover), 0.0, list[tuple[float, float]]()
    for k in range(len(path) - 1):
        a, b = path[k], path[k + 1]
        length = math.dist(a, b)
        if length > 0:
            way = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
            spans = (_met(base, a, way, part, length) for part in table.area(feature).parts)
            found += [(before + span[0], before + span[1]) for span in spans if span is not None]
        before += length
    return (max(0.0, min(s[0] for s in found)), max(s[1] for s in found)) if found else None


def _met(base: Rounded, a: Point, way: Point, part: Rounded, length: float) -> tuple[float, float] | None:
    span = stretch_within(at(base, a), way, part)
    return None if span is None or span[1] <= 0 or span[0] >= length else span


def _may_cross(table: Situation, query: CrossObstacle) -> Ruling:
    """Source: Obstacles, p. 80; Obstructions, p. 81; Charge, p. 31; Pathfinder, Flight and Incorporeal, p. 17."""
    me, over = table.miniature(query.mover), passes_all(table, query.mover) or query.manner == "fly"
    feature = next((t for t in table.state.terrain if t.id == query.feature), None)
    touches = (query.mover, query.feature)
    if feature is None:
        return Ruling(margin_mm=CAPPED_MM, because=(_FLAG,), touches=touches)
    counts = counts_as(table, feature)
    if counts is None:
        return Ruling(status="unknown", needs=(f"height_mm of {feature.id}",), because=(_ACROSS,), touches=touches)
    if counts in OBSTRUCTIONS:
        return Ruling(margin_mm=CAPPED_MM if over else -CAPPED_MM, because=(_BLOCKED,), touches=touches)
    if ground_of(feature, counts) == "impassable":
        return Ruling(margin_mm=-CAPPED_MM, because=(_BLOCKED,), touches=touches)
    stops = query.manner == "charge" and counts in OBSTACLES and not (over or me.has("pathfinder"))
    return Ruling(
        margin_mm=-CAPPED_MM if stops else CAPPED_MM, because=(_CHARGE if stops else _ACROSS,), touches=touches
    )


def climb(table: Situation, query: Climb) -> Ruling:
    """Whether it may get up on a terraced obstruction and stand there. Source: Terraced Obstructions, p. 81."""
    feature = next((t for t in table.state.terrain if t.id == query.feature), None)
    if feature is None or not (feature.kind in ("terraced-obstruction", "platform", "hill") or feature.stand_on):
        return Ruling(status="refused", because=(_CLIMB,), advice=f"{query.feature} is nothing one can climb.")
    spot = _spot(table, query)
    base, area = table.base(query.mover), table.area(query.feature)
    overhang = max(0.0, -depth_of_base(at(base, spot), (area,)))
    room = Ruling(margin_mm=OVERHANG_MM - overhang, because=(_CLIMB,), touches=(query.mover, query.feature))
    near = area_gap(Area((base,)), area)
    ruling = all_of((("room", room), ("travel", _near_enough(table, query, spot))))
    return Ruling(
        status=ruling.status,
        needs=ruling.needs,
        margin_mm=ruling.margin_mm,
        value={
            **ruling.value,
            "poses": {query.mover: {"at_mm": list(spot)}},
            "contact_mm": max(0.0, near.mm),
            "overhang_mm": overhang,
        },
        lengths_mm={"overhang": overhang},
        witness=(Witness(type="circle", role="hit", centre_mm=spot, radius_mm=base.reach_mm, of=(query.mover,)),),
        because=ruling.because,
        touches=ruling.touches,
    )


def _spot(table: Situation, query: Climb) -> Point:
    """Where it would stand: told, straight on, else where it overhangs least."""
    if query.to is not None:
        return query.to.at_mm
    if query.heading_deg is not None:
        goal = straight(table.centre(query.mover), math.radians(query.heading_deg), _far(table, query.distance_in))
        span = _span(table, query.mover, goal, query.feature)
        if query.distance_in is None and span is not None:
            return place_after(goal, (span[0] + span[1]) / 2)
        return goal[1]
    return _roomiest(table.area(query.feature), table.base(query.mover))


def _roomiest(area: Area, base: Rounded) -> Point:
    """Of the places where the base overhangs least, the one nearest to where it stands."""
    import shapely
    import shapely.ops

    if not area.outline:
        return area.parts[0].centre
    ground = shapely.Polygon(area.outline)
    widest = shapely.maximum_inscribed_circle(ground, tolerance=0.001).length
    best = ground.buffer(-min(base.reach_mm, widest - 0.002), join_style="mitre")
    here = shapely.Point(base.centre)
    spot = here if best.is_empty else shapely.ops.nearest_points(best, here)[0]
    return (float(spot.x), float(spot.y))


def _near_enough(table: Situation, query: Climb, spot: Point) -> Ruling:
    """Whether its movement takes it there; nothing said of its speed leaves that open. Source: Full Advance, p. 30."""
    allowance = speed_mm(table, query.mover) if query.distance_in is None else inches(query.distance_in)
    if allowance is None:
        return Ruling(margin_mm=CAPPED_MM, touches=(query.mover,))
    path = (table.centre(query.mover), spot)
    slow = slow_stretches(table.base(query.mover), path, advancing(table, query.mover).slow)
    margin = allowance - cost_mm(length_mm(path), slow)
    return Ruling(margin_mm=margin if margin < 0 else CAPPED_MM, because=(_SPEED,), touches=(query.mover,))


def table_edge(table: Situation, query: TableEdge) -> Ruling:
    """What becomes of a move at the table's edge. Source: Beyond the Play Area, p. 35."""
    path = path_of(
        table, query.mover, query.path_mm, heading_deg=query.heading_deg, distance_mm=_far(table, query.distance_in)
    )
    if path is None:
        return Ruling(status="unknown", needs=("path_mm",), because=(_EDGE,), touches=(query.mover,))
    room = to_edge_mm(table, query.mover, path)
    leaves = room < length_mm(path) - 1e-9
    result = ("not-allowed" if query.cause == "move" else "stops") if leaves else "stays"
    end = place_after(path, min(room, length_mm(path)))
    return Ruling(
        status="measured",
        value={"result": result, "to_edge_mm": room, "poses": {query.mover: {"at_mm": list(end)}}},
        lengths_mm={"to_edge": room},
        witness=(Witness(type="segment", role="path", points_mm=(path[0], end), of=(query.mover,)),),
        because=(_STAY if query.cause == "move" else _EDGE,),
        readings=("edge-stop",) if leaves else (),
        touches=(query.mover,),
    )


def to_edge_mm(table: Situation, mover: str, path: Path) -> float:
    """After how much travel the base reaches the table's edge; the path's length when it does not.

    Source: Beyond the Play Area, p. 35.
    """
    over = edge_met(table, mover, path)
    return length_mm(path) if over is None else over.after_mm


def edge_met(table: Situation, mover: str, path: Path) -> Stop | None:
    """The edge at which what would leave the table stops, and after how much travel. Source: p. 35."""
    size, base = table.state.table, table.base(mover)
    stopped = Rounded((base.centre,)) if table.reading("edge-stop") == "centre" else base
    return over_edge(stopped, path, (size.width_mm, size.depth_mm))
