"""Sprays: how the template is laid, and whom it covers."""

import math
from dataclasses import replace

from pydantic import JsonValue

from models.queries import Los, SprayHits
from models.units import radians
from models.verdict import CAPPED_MM, Reason, Witness
from models.words import Point
from referee.candidates import considered, in_play, is_met
from referee.clauses import Clauses, all_of
from referee.coverage import covered_mm
from referee.editions.warmachine_prime.blockers import in_the_way
from referee.editions.warmachine_prime.distances import touched
from referee.editions.warmachine_prime.parameters import CLOUD_TERRAIN, because
from referee.editions.warmachine_prime.sight import lane_among, line_of_sight
from referee.editions.warmachine_prime.templates import middle
from referee.gaps import gap
from referee.ruling import Ruling
from referee.shapes import Rounded, polygon_area
from referee.sight import End
from referee.situation import Situation

_LAID = because("Spray Attacks", 54, "Its narrow end touches the base it comes from; its middle runs over the target.")
_SIGHT = because("Spray Attacks", 54, "The target must be in sight; it need not be under the template.")
_UNDER = because("Spray Attacks", 54, "Everybody partly under the section of its length can be hit.")
_WALLED = because("Spray Attacks", 54, "Not those to whom terrain, clouds aside, closes every line.")


def spray_hits(table: Situation, query: SprayHits) -> Ruling:
    """Whether the template may lie as it was laid, and whom it covers. Source: Spray Attacks, p. 54."""
    if query.outline_mm is None:
        need = "outline_mm: the book prints no widths, so tell the outline of your template as it lies"
        return Ruling(status="unknown", needs=(need,), because=(_LAID,))
    clauses = _clauses(table, query)
    ids = _sorted(table, query)
    found = {id_: _hit(table, query, id_) for id_ in ids}

    def about(nudged: Situation, id_: str) -> Ruling:
        return _hit(nudged, query, id_)

    ruling = all_of(clauses)
    value: dict[str, JsonValue] = {
        **ruling.value,
        "by_id": {id_: {"why": _why(table, query, id_)} for id_ in ids if not is_met(found[id_])},
        "outline_mm": [list(point) for point in query.outline_mm],
    }
    outline = Witness(type="polygon", role="limit", points_mm=query.outline_mm)
    return replace(
        ruling,
        value=value,
        witness=(outline, *ruling.witness),
        because=(_LAID, *ruling.because, _UNDER, _WALLED),
        readings=("template-outline", "spray-axis", *ruling.readings),
        members=considered(table, ids, about),
    )


def _clauses(table: Situation, query: SprayHits) -> Clauses:
    source = query.attacker if query.origin is None else query.origin
    clauses = [("touching", _touching(table, query, source))]
    if query.target is not None and isinstance(source, str) and source in table.miniatures:
        clauses.append(("sight", _in_sight(table, source, query.target)))
    if table.reading("spray-axis") == "nearest-point-through-centre":
        clauses.append(("axis", _aimed(table, query, source)))
    return tuple(clauses)


def _in_sight(table: Situation, source: str, target: str) -> Ruling:
    """Source: Spray Attacks, p. 54: intervening models are ignored, targeting rules are not."""
    if target not in table.miniatures:
        return Ruling(margin_mm=-CAPPED_MM, because=(_SIGHT,), touches=(source,))
    return line_of_sight(table, Los(viewer=source, target=target, purpose="shot"))


def _narrow_end(table: Situation, query: SprayHits, source: str | Point) -> tuple[Point, Point]:
    """The side of the outline whose middle lies nearest to the base it comes from."""
    outline = query.outline_mm or ()
    base = table.area(source).parts[0]
    sides = list(zip(outline, (*outline[1:], outline[0]), strict=True))
    return min(sides, key=lambda side: gap(base, Rounded((_halfway(*side),))).mm)


def _halfway(a: Point, b: Point) -> Point:
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)


def _touching(table: Situation, query: SprayHits, source: str | Point) -> Ruling:
    """Whether the narrow end touches the base, within the tolerance of contact. Source: Spray Attacks, p. 54."""
    end = Rounded(_narrow_end(table, query, source))
    apart = gap(table.area(source).parts[0], end).mm
    tolerance = table.state.contact_tolerance_mm
    return Ruling(
        margin_mm=tolerance - abs(apart), lengths_mm={"gap": apart}, because=(_LAID,), touches=touched(source)
    )


def _aimed(table: Situation, query: SprayHits, source: str | Point) -> Ruling:
    """Whether the middle of the template runs over the target's center, within the tolerance of a facing.

    Source: Spray Attacks, p. 54.
    """
    start = _halfway(*_narrow_end(table, query, source))
    away = _bearing(start, _centroid(query.outline_mm or ()))
    if query.target is None:
        goal = away if query.heading_deg is None else radians(query.heading_deg)
        reach = math.dist(start, _centroid(query.outline_mm or ()))
    else:
        goal = _bearing(start, middle(table, query.target))
        reach = math.dist(start, middle(table, query.target))
    off = abs(math.remainder(away - goal, math.tau))
    slack = math.radians(table.state.facing_tolerance_deg) - off
    by = touched(source) if query.target is None else touched(source, query.target)
    return Ruling(margin_mm=slack * reach, because=(_LAID,), touches=by)


def _bearing(a: Point, b: Point) -> float:
    return math.atan2(b[1] - a[1], b[0] - a[0])


def _centroid(outline: tuple[Point, ...]) -> Point:
    """The middle by area of a simple outline."""
    twice = x = y = 0.0
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        cross = ax * by - bx * ay
        twice += cross
        x += (ax + bx) * cross
        y += (ay + by) * cross
    return (x / (3 * twice), y / (3 * twice))


def _sorted(table: Situation, query: SprayHits) -> tuple[str, ...]:
    """Everybody else, the nearest first."""
    source = query.attacker if query.origin is None else query.origin
    start = middle(table, source)
    but = (query.attacker, *touched(source))
    return tuple(sorted(in_play(table, *but), key=lambda id_: math.dist(start, table.centre(id_))))


def _hit(table: Situation, query: SprayHits, id_: str) -> Ruling:
    """Whether it is under the template and not walled off. Source: Spray Attacks, p. 54."""
    covered = _covered(table, query, id_)
    return all_of((("covered", covered), ("open", _open(table, query, id_)))) if is_met(covered) else covered


def _covered(table: Situation, query: SprayHits, id_: str) -> Ruling:
    depth = covered_mm(polygon_area(query.outline_mm or ()), table.base(id_))
    covered = table.reading("area-touch") == "covered"
    return Ruling(margin_mm=depth, zero_is_met=covered, because=(_UNDER,), touches=(id_,))


def _open(table: Situation, query: SprayHits, id_: str) -> Ruling:
    """Whether terrain other than clouds leaves a line to it. Source: Spray Attacks, p. 54."""
    source = query.attacker if query.origin is None else query.origin
    if not isinstance(source, str) or source not in table.miniatures:
        return Ruling(margin_mm=CAPPED_MM, because=(_WALLED,), touches=(id_,))
    clouds = (*(e.id for e in table.state.effects), *(t.id for t in table.state.terrain if t.kind in CLOUD_TERRAIN))
    clouds = clouds if table.reading("cloud-as-terrain") == "no" else ()
    return past_all_but(table, source, id_, clouds, (_WALLED,))


def past_all_but(table: Situation, source: str, id_: str, past: tuple[str, ...], reasons: tuple[Reason, ...]) -> Ruling:
    """Whether terrain leaves a line to it, past all models and past what is named. Source: Spray Attacks, p. 54."""
    line = Los(viewer=source, target=id_, ignoring=(*table.miniatures, *past))
    way = in_the_way(table, source, id_, line.ignoring, past_models=True)
    lane = lane_among(table, line, way, (End(table.base(source)), End(table.base(id_))), most_mm=CAPPED_MM)
    if way.needs and lane.margin_mm <= 0:
        return Ruling(status="unknown", needs=tuple(way.needs), because=reasons, touches=(source, id_))
    return Ruling(margin_mm=min(lane.margin_mm, CAPPED_MM), zero_is_met=False, because=reasons, touches=(source, id_))


def _why(table: Situation, query: SprayHits, id_: str) -> str:
    """Why it is not hit."""
    return "walled-off" if is_met(_covered(table, query, id_)) else "not-covered"
