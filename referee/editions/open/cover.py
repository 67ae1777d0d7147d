"""Cover of the open edition: a feature on the line, near the target, hiding so much of it, or stood in."""

import math
from dataclasses import replace

from pydantic import JsonValue

from models.queries import Cover
from models.terrain import Effect, Terrain
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.open.measuring import Place, measure
from referee.editions.open.settings import (
    SOLID_KINDS,
    WOOD_KINDS,
    explain_setting,
    is_limit_met,
    length_mm,
    number_of,
    with_hair_mm,
)
from referee.editions.open.sight_obstacles import as_obstacles, visible_share
from referee.editions.warmachine.miniatures.distances import hinges
from referee.geometry.containment import depth_of_base, reach_into
from referee.geometry.corridor import depth_in_corridor
from referee.geometry.shapes import RoundedShape, disc
from referee.rules.candidates import is_met
from referee.rules.conditions import all_of, any_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_ROUNDING = 1e-9
_READINGS = ("open-cover", "open-cover-in", "open-cover-share", "open-cover-inside")


def cover(table: ExactTable, query: Cover) -> RuleResult:
    """Cover: whether any feature gives the target cover from there, by the settings of the table."""
    origin: Place = query.attacker if query.origin is None else query.origin
    things: tuple[Terrain | Effect, ...] = (*table.state.terrain, *table.state.effects)
    features = [thing.id for thing in things if grants_cover(thing)]
    features_by_id = {id_: _check_feature(table, origin, query.target, id_) for id_ in features}
    results = list(features_by_id.values())
    if features and (check := _BY_SHARE.get(table.reading("open-cover"))) is not None:
        results.append(check(table, origin, query.target, features))
    rule = explain_setting(table, "open-cover")
    if not results:
        return RuleResult(
            margin_mm=-CAPPED_MM, value={"kind": "none", "features": []}, because=(rule,), readings=_READINGS
        )
    best = any_of(tuple(results))
    granting: list[JsonValue] = [id_ for id_, check in features_by_id.items() if is_met(check, "gives cover to")]
    kind = "cover" if best.decisive_mm > 0 or (best.decisive_mm == 0 and best.zero_is_met) else "none"
    return replace(best, value={"kind": kind, "features": granting}, because=(rule,), readings=_READINGS)


def grants_cover(thing: Terrain | Effect) -> bool:
    """Whether a piece or effect is a feature that gives cover: as told, else what closes lines by its kind."""
    if thing.grants is not None:
        return thing.grants != "none"
    return isinstance(thing, Terrain) and thing.kind in SOLID_KINDS | WOOD_KINDS


def _check_feature(table: ExactTable, origin: Place, target: str, feature: str) -> RuleResult:
    """Whether this feature alone gives cover: it is on the line, near as wanted, or the target stands in it."""
    ways = [_check_inside(table, target, feature)]
    how = table.reading("open-cover")
    if how == "crossed":
        ways.append(_check_crossed(table, origin, target, feature))
    elif how == "near":
        near = _check_near(table, target, feature)
        ways.append(all_of((("crossed", _check_crossed(table, origin, target, feature)), ("near", near))))
    return any_of(tuple(ways))


def _check_crossed(table: ExactTable, origin: Place, target: str, feature: str) -> RuleResult:
    """How deep the feature reaches into the line from middle to middle; a line along its edge does not cross it."""
    start, stop = disc(_middle(table, origin), 0.0), disc(table.centre(target), 0.0)
    depth = depth_in_corridor(start, stop, table.area(feature))
    return RuleResult(
        margin_mm=max(-CAPPED_MM, depth), zero_is_met=False, depends_on_place=hinges(table, origin, target, feature)
    )


def _middle(table: ExactTable, place: Place) -> Point:
    if isinstance(place, str) and place in table.miniatures:
        return table.centre(place)
    return table.area(place).parts[0].centre


def _check_near(table: ExactTable, target: str, feature: str) -> RuleResult:
    limit = with_hair_mm(table, length_mm(table, "open-cover-in"))
    return RuleResult(
        margin_mm=limit - measure(table, target, feature).mm,
        zero_is_met=is_limit_met(table),
        depends_on_place=hinges(table, target, feature),
    )


def _check_inside(table: ExactTable, target: str, feature: str) -> RuleResult:
    """How deep what counts of the base lies in the feature."""
    how, base, area = table.reading("open-cover-inside"), table.base(target), table.area(feature)
    on = hinges(table, target, feature)
    if how == "no":
        return RuleResult(margin_mm=-CAPPED_MM, depends_on_place=on)
    counted = disc(table.centre(target), 0.0) if how == "centre" else base
    depth = depth_of_base(counted, (area,)) if how == "all" else reach_into(counted, area)
    return RuleResult(
        margin_mm=depth if math.isfinite(depth) else -CAPPED_MM, zero_is_met=is_limit_met(table), depends_on_place=on
    )


def _check_hidden(table: ExactTable, origin: Place, target: str, features: list[str]) -> RuleResult:
    """Whether so much of the base is hidden; the margin is that share's surplus of the base's width."""
    base, wanted = table.base(target), number_of(table, "open-cover-share") / 100.0
    things = as_obstacles([(id_, table.area(id_)) for id_ in features])
    seen = visible_share(table, origin, _middle(table, origin), base, things)
    return RuleResult(
        margin_mm=2 * base.reach_mm * (1.0 - seen - wanted),
        zero_is_met=is_limit_met(table),
        depends_on_place=hinges(table, origin, target, *features),
    )


def _check_lines(table: ExactTable, origin: Place, target: str, features: list[str]) -> RuleResult:
    """Whether so many of the lines to the rim cross a feature; the margin is how deep the last one wanted does."""
    start, areas = disc(_middle(table, origin), 0.0), [table.area(id_) for id_ in features]
    ends = rim_points(start.centre, table.base(target))
    depths = [(max(depth_in_corridor(start, disc(end, 0.0), area) for area in areas), end) for end in ends]
    wanted = max(1, math.ceil(len(ends) * number_of(table, "open-cover-share") / 100.0 - _ROUNDING))
    deciding = sorted(depths, reverse=True)[wanted - 1][0]
    return RuleResult(
        margin_mm=max(-CAPPED_MM, deciding),
        zero_is_met=False,
        witness=tuple(_draw_line(origin, target, start.centre, end, is_crossed=mm > 0) for mm, end in depths),
        depends_on_place=hinges(table, origin, target, *features),
    )


def rim_points(eye: Point, base: RoundedShape) -> tuple[Point, ...]:
    """Where lines end: at the corners of a base, or at eight points round its rim, the first straight behind."""
    if not base.radius_mm and len(base.points) == 4:
        return base.points
    ahead = math.atan2(base.centre[1] - eye[1], base.centre[0] - eye[0])
    return tuple(
        base.farthest_along((math.cos(ahead + k * math.tau / 8), math.sin(ahead + k * math.tau / 8))) for k in range(8)
    )


def _draw_line(origin: Place, target: str, start: Point, end: Point, *, is_crossed: bool) -> Witness:
    of = (origin, target) if isinstance(origin, str) else (target,)
    return Witness(type="segment", role="blocked" if is_crossed else "clear", points_mm=(start, end), of=of)


_BY_SHARE = {"share": _check_hidden, "lines": _check_lines}
