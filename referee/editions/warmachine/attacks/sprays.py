"""Sprays: whom the template hits, and the heading along which it hits the most enemies."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from models.queries import Los, SprayHits
from models.unit_conversion import radians
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.attacks.templates import middle_of
from referee.editions.warmachine.line_of_sight.blockers import find_in_the_way
from referee.editions.warmachine.line_of_sight.los import find_lane, line_of_sight
from referee.editions.warmachine.miniatures.distances import ids_that_matter
from referee.editions.warmachine.parameters import CLOUD_TERRAIN, because
from referee.geometry.circle_intersection import bearing
from referee.geometry.containment import covered_mm
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, polygon_area
from referee.line_of_sight import End
from referee.rules.candidates import evaluate_each, in_play, is_met, is_zero_or_more
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, Value, ask_for
from referee.rules.sides import are_enemies

Lay = Callable[[ExactTable], SprayHits]
_LAID = because("Spray Attacks", 54, "Its narrow end touches the base it comes from; its middle runs over the target.")
_SIGHT = because("Spray Attacks", 54, "The target must be in sight; it need not be under the template.")
_UNDER = because("Spray Attacks", 54, "Everybody partly under the section of its length can be hit.")
_WALLED = because("Spray Attacks", 54, "Not those to whom terrain, clouds aside, closes every line.")
Outline = tuple[Point, ...]
Laid = Callable[[ExactTable, SprayHits], RuleResult]
Hit = Callable[[ExactTable, SprayHits, str], RuleResult]


def spray_hits(table: ExactTable, query: SprayHits) -> RuleResult:
    """Spray: whether the template may lie as it was laid, and whom it covers. Source: Spray Attacks, p. 54."""
    if query.outline_mm is None:
        need = "outline_mm: the book prints no widths, so tell the outline of your template as it lies"
        return ask_for(need, because=(_LAID,))
    return _answer_best(table, query) if query.best else _answer_laid(table, lambda _: query)


def _answer_best(table: ExactTable, query: SprayHits) -> RuleResult:
    """The template laid over the target with which it hits the most enemies."""
    aim = find_best_spray(table, query, lambda at_rest, laid: all_of(_clauses(at_rest, laid)), _check_hit)
    if aim is None:
        return RuleResult(status="refused", because=(_LAID,), advice="There is no enemy to lay it over.")
    laid_by = (*ids_that_matter(query.attacker if query.origin is None else query.origin), aim.target)
    result = _answer_laid(table, lambda moved: lay_over(moved, query, aim.target)[0], laid_by)
    _, heading = lay_over(table, query, aim.target)
    return replace(result, value={**result.value, "best": aim.value(heading)})


def _answer_laid(table: ExactTable, lay: Lay, laid_by: tuple[str, ...] = ()) -> RuleResult:
    """The template as it lies; `laid_by` are those with whom it would lie elsewhere."""
    query = lay(table)
    clauses = _clauses(table, query)
    ids = _order_by_distance(table, query)
    hits = {id_: _check_hit(table, query, id_) for id_ in ids}

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        hit = _check_hit(perturbed, lay(perturbed), id_)
        return replace(hit, depends_on_place=tuple(dict.fromkeys((*hit.depends_on_place, *laid_by))))

    result = all_of(clauses)
    value: Value = {
        **result.value,
        "by_id": {id_: {"why": _explain_miss(table, query, id_)} for id_ in ids if not is_zero_or_more(hits[id_])},
        "outline_mm": [list(point) for point in query.outline_mm or ()],
    }
    outline = Witness(type="polygon", role="limit", points_mm=query.outline_mm)
    return replace(
        result,
        value=value,
        witness=(outline, *result.witness),
        because=(_LAID, *result.because, _UNDER, _WALLED),
        readings=("template-outline", "spray-axis", *result.readings),
        members=evaluate_each(table, ids, about),
    )


def outline_of(result: RuleResult) -> tuple[Point, ...]:
    """The outline of the template as it lies."""
    return next(
        witness.points_mm or () for witness in result.witness if witness.type == "polygon" and witness.role == "limit"
    )


def _clauses(table: ExactTable, query: SprayHits) -> Clauses:
    source = query.attacker if query.origin is None else query.origin
    clauses = [("touching", _check_contact(table, query, source))]
    if query.target is not None and isinstance(source, str) and source in table.miniatures:
        clauses.append(("sight", _check_sight(table, source, query.target)))
    if table.reading("spray-axis") == "nearest-point-through-centre":
        clauses.append(("axis", _check_axis(table, query, source)))
    return tuple(clauses)


def _check_sight(table: ExactTable, source: str, target: str) -> RuleResult:
    """Source: Spray Attacks, p. 54: intervening models are ignored, targeting rules are not."""
    if target not in table.miniatures:
        return RuleResult(margin_mm=-CAPPED_MM, because=(_SIGHT,), depends_on_place=(source,))
    return line_of_sight(table, Los(viewer=source, target=target, purpose="shot"))


def _check_contact(table: ExactTable, query: SprayHits, source: str | Point) -> RuleResult:
    """Whether the narrow end touches the base, within the tolerance of contact. Source: Spray Attacks, p. 54."""
    end = RoundedShape(narrow_end(table, query))
    apart = gap(table.area(source).parts[0], end).mm
    tolerance = table.state.contact_tolerance_mm
    near, off = (
        RuleResult(margin_mm=tolerance - side, depends_on_place=ids_that_matter(source)) for side in (apart, -apart)
    )
    return RuleResult(
        conditions=(near, off),
        margin_mm=tolerance - abs(apart),
        lengths_mm={"gap": apart},
        because=(_LAID,),
        depends_on_place=ids_that_matter(source),
    )


def _check_axis(table: ExactTable, query: SprayHits, source: str | Point) -> RuleResult:
    """Whether the middle of the template runs over the target's center, within the tolerance of a facing.

    Source: Spray Attacks, p. 54.
    """
    start = midpoint_of(narrow_end(table, query))
    away = bearing(start, centroid(query.outline_mm or ()))
    if query.target is None:
        goal = away if query.heading_deg is None else radians(query.heading_deg)
        reach = math.dist(start, centroid(query.outline_mm or ()))
    else:
        goal = bearing(start, middle_of(table, query.target))
        reach = math.dist(start, middle_of(table, query.target))
    off = math.remainder(away - goal, math.tau)
    tolerance = math.radians(table.state.facing_tolerance_deg)
    by = ids_that_matter(source) if query.target is None else ids_that_matter(source, query.target)
    left, right = (RuleResult(margin_mm=(tolerance - side) * reach, depends_on_place=by) for side in (off, -off))
    return RuleResult(
        margin_mm=(tolerance - abs(off)) * reach, because=(_LAID,), depends_on_place=by, conditions=(left, right)
    )


def _order_by_distance(table: ExactTable, query: SprayHits) -> tuple[str, ...]:
    """Everybody else, the nearest first."""
    source = query.attacker if query.origin is None else query.origin
    start = middle_of(table, source)
    but = (query.attacker, *ids_that_matter(source))
    return tuple(sorted(in_play(table, *but), key=lambda id_: math.dist(start, table.centre(id_))))


def _check_hit(table: ExactTable, query: SprayHits, id_: str) -> RuleResult:
    """Whether it is under the template and not walled off. Source: Spray Attacks, p. 54."""
    covered = _check_coverage(table, query, id_)
    return (
        all_of((("covered", covered), ("open", _check_line(table, query, id_))))
        if is_met(covered, "lies under the spray of")
        else covered
    )


def _check_coverage(table: ExactTable, query: SprayHits, id_: str) -> RuleResult:
    depth = covered_mm(polygon_area(query.outline_mm or ()), table.base(id_))
    covered = table.reading("area-touch") == "covered"
    return RuleResult(margin_mm=depth, zero_is_met=covered, because=(_UNDER,), depends_on_place=(id_,))


def _check_line(table: ExactTable, query: SprayHits, id_: str) -> RuleResult:
    """Whether terrain other than clouds leaves a line to it. Source: Spray Attacks, p. 54."""
    source = query.attacker if query.origin is None else query.origin
    if not isinstance(source, str) or source not in table.miniatures:
        return RuleResult(margin_mm=CAPPED_MM, because=(_WALLED,), depends_on_place=(id_,))
    clouds = (*(e.id for e in table.state.effects), *(t.id for t in table.state.terrain if t.kind in CLOUD_TERRAIN))
    clouds = clouds if table.reading("cloud-as-terrain") == "no" else ()
    return check_line_past(table, source, id_, clouds, (_WALLED,))


def check_line_past(
    table: ExactTable, source: str, id_: str, past: tuple[str, ...], reasons: tuple[Reason, ...]
) -> RuleResult:
    """Whether terrain leaves a line to it, past all models and past what is named. Source: Spray Attacks, p. 54."""
    line = Los(viewer=source, target=id_, ignoring=(*table.miniatures, *past))
    blockers = find_in_the_way(table, source, id_, line.ignoring, past_models=True)
    lane = find_lane(table, line, blockers, (End(table.base(source)), End(table.base(id_))), most_mm=CAPPED_MM)
    if blockers.needs and lane.margin_mm <= 0:
        return ask_for(*tuple(blockers.needs), because=reasons, on=(source, id_))
    return RuleResult(
        margin_mm=min(lane.margin_mm, CAPPED_MM), zero_is_met=False, because=reasons, depends_on_place=(source, id_)
    )


def _explain_miss(table: ExactTable, query: SprayHits, id_: str) -> str:
    """Why it is not hit."""
    return "walled-off" if is_zero_or_more(_check_coverage(table, query, id_)) else "not-covered"


@dataclass(frozen=True)
class SprayAim:
    """One target to lay it over, and whom it then hits."""

    target: str
    enemies: tuple[str, ...]
    friends: tuple[str, ...]
    may_lie: bool

    @property
    def worth(self) -> tuple[bool, int, int]:
        return self.may_lie, len(self.enemies) - len(self.friends), len(self.enemies)

    def value(self, heading_deg: float) -> Value:
        return {
            "target": self.target,
            "heading_deg": heading_deg,
            "enemies": [*self.enemies],
            "friends": [*self.friends],
        }


def find_best_spray(table: ExactTable, query: SprayHits, may_lie: Laid, hits: Hit) -> SprayAim | None:
    """The best of all enemies to lay it over, on the table at rest; None where there is none.

    Source: Spray Attacks, p. 54: its middle over a target in sight.
    """

    def find(still: ExactTable) -> SprayAim | None:
        me = still.miniature(query.attacker)
        foes = [id_ for id_ in in_play(still, me.id) if are_enemies(still.state, me, still.miniature(id_))]
        aims = [_aim_at(still, query, id_, may_lie, hits) for id_ in foes if query.target in (None, id_)]
        return max(aims, key=lambda aim: aim.worth, default=None)

    return table.memoize_unperturbed(("best spray", query), find)


def _aim_at(table: ExactTable, query: SprayHits, target: str, may_lie: Laid, hits: Hit) -> SprayAim:
    laid, _ = lay_over(table, query, target)
    me = table.miniature(query.attacker)
    hit = [id_ for id_ in in_play(table, query.attacker) if is_zero_or_more(hits(table, laid, id_))]
    return SprayAim(
        target,
        tuple(id_ for id_ in hit if are_enemies(table.state, me, table.miniature(id_))),
        tuple(id_ for id_ in hit if not are_enemies(table.state, me, table.miniature(id_))),
        is_zero_or_more(may_lie(table, laid)),
    )


def lay_over(table: ExactTable, query: SprayHits, target: str) -> tuple[SprayHits, float]:
    """The same question with the template turned over the target, and where it then points, in degrees."""
    source = query.attacker if query.origin is None else query.origin
    goal, outline = middle_of(table, target), query.outline_mm or ()
    start = gap(table.area(source).parts[0], RoundedShape((goal,))).at_a
    heading = bearing(start, goal)
    end = midpoint_of(narrow_end(table, query))
    middle = centroid(outline)
    turn = heading - bearing(end, middle)
    laid = tuple(_turned(point, end, turn, start) for point in outline)
    update = {"outline_mm": laid, "target": target, "best": False, "heading_deg": None}
    return query.model_copy(update=update), math.degrees(heading) % 360.0


def _turned(point: Point, about: Point, by_rad: float, to: Point) -> Point:
    x, y, c, s = point[0] - about[0], point[1] - about[1], math.cos(by_rad), math.sin(by_rad)
    return to[0] + c * x - s * y, to[1] + s * x + c * y


def narrow_end(table: ExactTable, query: SprayHits) -> tuple[Point, Point]:
    """The side of the outline whose middle lies nearest to the base it comes from."""
    outline = query.outline_mm or ()
    base = table.area(query.attacker if query.origin is None else query.origin).parts[0]
    sides = list(zip(outline, (*outline[1:], outline[0]), strict=True))
    return min(sides, key=lambda side: gap(base, RoundedShape((midpoint_of(side),))).mm)


def midpoint_of(side: tuple[Point, Point]) -> Point:
    (ax, ay), (bx, by) = side
    return ((ax + bx) / 2, (ay + by) / 2)


def centroid(outline: Outline) -> Point:
    """The middle by area of a simple outline."""
    twice = x = y = 0.0
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        cross = ax * by - bx * ay
        twice += cross
        x += (ax + bx) * cross
        y += (ay + by) * cross
    return (x / (3 * twice), y / (3 * twice))
