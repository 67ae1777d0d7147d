"""Cover: what hides the target from a shooter, and what it shelters behind."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.queries import Cover
from models.terrain import Terrain
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.line_of_sight.body_visibility import split_by_body_height
from referee.editions.warhammer_9.line_of_sight.los import eligible_viewers
from referee.editions.warhammer_9.line_of_sight.scene import (
    Occluder,
    is_below_sight_line,
    is_touching_feature,
    occluders_between,
)
from referee.editions.warhammer_9.line_of_sight.shelter import (
    BONUS,
    Shelter,
    distance_to_turning_mm,
    group_by_cover,
    majority_cover,
    majority_margin_mm,
)
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.in_area import inside_excess_mm, overlaps
from referee.editions.warhammer_9.units.regiment import (
    garrisoned_building,
    leading_miniature,
    members_of,
    regiment,
    regiment_of,
)
from referee.geometry.distance import area_gap, gap
from referee.geometry.outlines import outline_points
from referee.geometry.shapes import Area, RoundedShape, convex_hull
from referee.line_of_sight.visible_share import Shade, Span, angular_span, hidden_share
from referee.rules.conditions import RIVAL_MM
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM, is_more_than
from referee.search_effort import spend_effort

_COVER = because("Cover", 36, "More than half of the unit must be hidden; the worst that hides it counts.")
_BEHIND = because("Obstacles", 95, "Who is behind an obstacle and touches it has its cover, however much shows.")
_FOREST = because("Forests", 92, "Soft cover inside it and through it; none for shots out.")
_GARRISON = because("Shooting at a Garrison Unit", 99, "Who holds a building has hard cover.")
_HALF = 0.5
_NEEDED = {"half-base": _HALF, "half-body": _HALF, "hidden-part": 0.0, "some-line": 0.0}
_MOST_RIVALS = 6
_TARGET_EFFORT = 0.04  # of what hides one base
_NEAR_HALF_MM = 3.0  # of a width by which more or less than half may be hidden once things are perturbed
_MOST = 3  # shooters whose cover may come to decide once things are perturbed


def cover(table: ExactTable, query: Cover) -> RuleResult:
    """Cover: whether the target has it from most of the shooters. Source: Cover, p. 36; Obstacles, p. 95; p. 92, 99."""
    asked = ("cover", query.attacker, query.target)
    return table.evaluate_memoized(asked, lambda perturbed: _evaluate_cover(perturbed, query.attacker, query.target))


def _evaluate_cover(table: ExactTable, attacker: str, target: str) -> RuleResult:
    shelters = cover_by_shooter(table, attacker, target)
    groups = group_by_cover(shelters)
    kind = majority_cover(groups)
    margin_mm, first = majority_margin_mm(shelters)
    like = {group: shelters[group] for group in groups[kind]}
    by = _count_obscured(like.values())
    closest = like.get(first, next(iter(like.values())))
    value: dict[str, JsonValue] = {
        "kind": kind,
        "bonus": BONUS[kind],
        "bonus_to": "to-hit",
        "features": [{"id": id_, "obscures": count} for id_, count in by.items()],
        "obscured": closest.obscured,
        "groups": [{"kind": cover_kind, "shooters": [*ids]} for cover_kind, ids in groups.items()],
    }
    return RuleResult(
        margin_mm=margin_mm,
        zero_is_met=False,
        value={} if table.margins_only else value,
        witness=() if table.margins_only else _draw_outlines(table, by),
        because=(_reason(table, target, kind, closest),),
        readings=("obscured", "majority-inside"),
        doubtful=tuple(dict.fromkeys(key for shelter in shelters.values() for key in shelter.doubtful)),
        outcomes=(kind,),
        depends_on_place=tuple(dict.fromkeys((first, *shelters[first].depends_on))),
        depends_on_facing=(first,),
    )


def cover_by_shooter(table: ExactTable, attacker: str, target: str) -> dict[str, Shelter]:
    """Cover from every shooter; a perturbed table is asked only about those on whom the majority may depend."""
    if not table.margins_only:
        return {viewer_id: cover_from(table, viewer_id, target) for viewer_id in eligible_viewers(table, attacker)}
    rest = table.memoize_unperturbed(
        ("cover at rest", attacker, target), lambda still: cover_by_shooter(still, attacker, target)
    )
    decisive = rest[majority_margin_mm(rest)[1]]
    order = sorted(rest, key=lambda mm: distance_to_turning_mm(rest[mm], decisive))
    return rest | {id_: cover_from(table, id_, target) for id_ in order[:_MOST]}


def _count_obscured(like: Iterable[Shelter]) -> dict[str, int]:
    """What obscures, and how many at most of them from one shooter."""
    most: dict[str, int] = {}
    for shelter in like:
        for id_, count in shelter.obscured_by:
            most[id_] = max(count, most.get(id_, 0))
    return most


def _reason(table: ExactTable, target: str, kind: str, closest: Shelter) -> Reason:
    if garrisoned_building(table, target) is not None:
        return _GARRISON
    count = len(members_of(table, target))
    return with_effect(table, _COVER, f"{closest.obscured} of {count} are hidden or sheltered: {kind} cover.")


def _draw_outlines(table: ExactTable, ids: Iterable[str]) -> tuple[Witness, ...]:
    areas = ((id_, table.area(id_)) for id_ in ids)
    return tuple(
        Witness(type="polygon", role="blocker", points_mm=points, of=(id_,))
        for id_, area in areas
        for points in [area.outline or convex_hull([p for part in area.parts for p in part.points])]
        if len(points) > 2
    )


def cover_from(table: ExactTable, shooter: str, target: str) -> Shelter:
    """Cover of a unit from one shooter. Source: Cover, p. 36; Obstacles, p. 95; Forests, p. 92."""
    building = garrisoned_building(table, target)
    if building is not None:
        count = len(members_of(table, target))
        return Shelter(CAPPED_MM, CAPPED_MM, count, ((building, count),), ())
    covers = _cover_of_each(table, shooter, target)
    ids = table.memoize_unperturbed(
        ("cover hangs on", shooter, target),
        lambda still: _majority_ids(shooter, _cover_of_each(still, shooter, target)),
    )
    hard = _majority_excess_mm([cover_of.hard_excess_mm for cover_of in covers.values()])
    every = _majority_excess_mm([cover_of.excess_mm for cover_of in covers.values()])
    is_hard = is_more_than(hard, 0.0, "is in hard cover from", ids, is_noted=True)
    is_covered = is_more_than(every, 0.0, "is in cover from", ids, is_noted=True) or is_hard
    excesses = [cover_of.hard_excess_mm if is_hard else cover_of.excess_mm for cover_of in covers.values()]
    by = tuple(_obscured_counts(list(covers.values()))) if is_covered else ()
    doubtful = tuple(dict.fromkeys(key for cover_of in covers.values() for key in cover_of.doubtful))
    return Shelter(every, hard, sum(mm > EXACT_MM for mm in excesses), by, ids, doubtful)


def _majority_excess_mm(excesses_mm: list[float]) -> float:
    """That of the one with whom more than half have as much."""
    return sorted(excesses_mm, reverse=True)[len(excesses_mm) // 2]


def _majority_ids(shooter: str, covers: dict[str, "_TargetCover"]) -> tuple[str, ...]:
    """All that the one hangs on who makes the majority, named first; where it is near half, that of its rivals too."""
    rivals = _majority_rivals(covers)
    near = [m for m in rivals if min(abs(covers[m].excess_mm), abs(covers[m].hard_excess_mm)) <= _NEAR_HALF_MM]
    return tuple(
        dict.fromkeys((rivals[0], shooter, *(id_ for m in (rivals[0], *near) for id_ in (m, *covers[m].depends_on))))
    )


@dataclass(frozen=True)
class _TargetCover:
    """One target: how much of it is hidden, and by what; what it shelters behind, and how deep it is in a wood."""

    width_mm: float
    share: float
    hard_share: float
    need: float
    """How much of it must be more than hidden, by the table's reading."""
    sheltered: str | None
    """Soft or hard, where it touches an obstacle it is behind."""
    inside_mm: float
    obscured_by: tuple[str, ...]
    depends_on: tuple[str, ...]
    doubtful: tuple[str, ...]

    @property
    def excess_mm(self) -> float:
        """By how much of its width more than it must be is hidden."""
        hidden = CAPPED_MM if self.sheltered is not None else (self.share - self.need) * self.width_mm
        return max(hidden, self.inside_mm)

    @property
    def hard_excess_mm(self) -> float:
        """The same by hard cover alone."""
        return CAPPED_MM if self.sheltered == "hard" else (self.hard_share - self.need) * self.width_mm


def _obscured_counts(covers: list[_TargetCover]) -> Iterator[tuple[str, int]]:
    hidden = [cover_of for cover_of in covers if cover_of.excess_mm > 0]
    for id_ in dict.fromkeys(id_ for cover_of in hidden for id_ in cover_of.obscured_by):
        yield id_, sum(id_ in cover_of.obscured_by for cover_of in hidden)


def _cover_of_each(table: ExactTable, shooter: str, target: str) -> dict[str, _TargetCover]:
    """What hides each of a unit; a perturbed table is asked only about those whose hiding hangs on the nudge."""
    if table.facings_rad or table.places_mm:
        return _evaluate_each(table, shooter, target, members_of(table, target))
    how = table.reading("obscured")
    key = ("cover of each", shooter, target)
    covers = table.memoize_unperturbed(
        key, lambda still: _evaluate_each(still, shooter, target, members_of(still, target))
    )
    rest = {m: replace(cover_of, need=_NEEDED[how]) for m, cover_of in covers.items()}
    if not table.perturbations:
        return rest
    depending = tuple(
        m for m in _majority_rivals(rest) if not table.perturbations.keys().isdisjoint(rest[m].depends_on)
    )
    only = frozenset(id_ for m in depending for id_ in rest[m].depends_on)
    return rest | _evaluate_each(table, shooter, target, depending, only) if depending else rest


def _majority_rivals(rest: dict[str, "_TargetCover"]) -> list[str]:
    """Those who may come to make the majority, or cease to, by a measuring error."""
    hard = _majority_excess_mm([cover_of.hard_excess_mm for cover_of in rest.values()])
    soft = _majority_excess_mm([cover_of.excess_mm for cover_of in rest.values()])
    near = (
        (m, min(abs(cover_of.hard_excess_mm - hard), abs(cover_of.excess_mm - soft))) for m, cover_of in rest.items()
    )
    return [m for m, mm in sorted(near, key=lambda each: each[1]) if mm <= RIVAL_MM][:_MOST_RIVALS]


def _evaluate_each(
    table: ExactTable, shooter: str, target: str, ids: tuple[str, ...], only: frozenset[str] | None = None
) -> dict[str, _TargetCover]:
    """What hides these, of all that stands between; or of those things only that are named."""
    things = [*_obscuring_things(table, shooter, target)]
    if only is not None:
        things = [thing for thing in things if not only.isdisjoint(thing.members or (thing.id,))]
    eye = _shooter_eye(table, shooter, target)
    casting = [(thing, Shade.of(eye, part)) for thing in things for part in thing.area.parts]
    spend_effort(len(ids) * _TARGET_EFFORT)
    lower = split_by_body_height(
        table, shooter, target, occluders_between(table, shooter, target, ()), "base-then-body"
    )[0]
    obstacles = _touched_obstacles(table, shooter, target)
    return {m: _evaluate_target(table, shooter, m, eye, casting, obstacles, may_show=bool(lower)) for m in ids}


def _shooter_eye(table: ExactTable, shooter: str, target: str) -> Point:
    """The middle of its front; of a garrison the point of its building that is nearest to the target."""
    inside = table.miniature(shooter).inside
    if inside is None:
        return regiment(table, shooter).front
    to = Area(tuple(table.base(m) for m in members_of(table, target)))
    return area_gap(table.area(inside), to).at_a


def _obscuring_things(table: ExactTable, shooter: str, target: str) -> Iterator[Occluder]:
    """All that may obscure. Source: Towering, p. 67: no cover by obstacles; p. 92: none out of one's own forest."""
    things = occluders_between(table, shooter, target, ())
    tall = leading_miniature(table, target).has("towering")
    by_body = table.reading("obscured") == "half-body"
    lower = split_by_body_height(table, shooter, target, things, "base-then-body")[0] if by_body else []
    for thing in things:
        kind = getattr(table.state.by_id[thing.id], "kind", None)
        own_wood = thing.is_wood and overlaps(table, shooter, thing.id)
        if not own_wood and not (tall and kind in parameters.OBSTACLE_KINDS) and thing not in lower:
            yield thing


def _evaluate_target(
    table: ExactTable,
    shooter: str,
    target: str,
    eye: Point,
    casting: list[tuple[Occluder, Shade]],
    obstacles: list[Terrain],
    *,
    may_show: bool,
) -> _TargetCover:
    """What hides one of the target; `may_show` where its body may show over some of that."""
    base, width = table.base(target), regiment(table, target).base_mm[0]
    seen = angular_span(eye, outline_points(base))
    near = [(t, shade) for t, shade in casting if _may_obscure(table, shooter, target, eye, seen, t, shade)]
    points = outline_points(base)
    share = hidden_share(eye, points, [shade for _, shade in near])
    hard = [shade for thing, shade in near if not _is_soft_cover(table, thing)]
    hard_share = share if len(hard) == len(near) else hidden_share(eye, points, hard)
    sheltered = next((piece for piece in obstacles if _is_behind(table, eye, base, piece, (shooter, target))), None)
    inside_mm, wood = _inside_forest_mm(table, shooter, target)
    by = [thing.id for thing, _ in near if share > 0] + ([sheltered.id] if sheltered else [])
    by += [wood] if wood is not None and inside_mm > 0 else []
    in_part = 0 < share < 1 or may_show
    doubts = (("obscured",) if in_part and sheltered is None else ()) + (("majority-inside",) if wood else ())
    members = [m for thing, _ in near for m in (thing.members or (thing.id,))]
    return _TargetCover(
        width_mm=width,
        share=share,
        hard_share=hard_share,
        need=_NEEDED[table.reading("obscured")],
        sheltered=None if sheltered is None else "soft" if _is_soft_kind(sheltered) else "hard",
        inside_mm=inside_mm,
        obscured_by=tuple(dict.fromkeys(by)),
        depends_on=tuple(dict.fromkeys((shooter, target, *members))),
        doubtful=doubts,
    )


def _may_obscure(
    table: ExactTable, shooter: str, target: str, eye: Point, seen: Span | None, thing: Occluder, shade: Shade
) -> bool:
    if seen is None or thing.is_open(shooter, (target,)):
        return False
    if shade.span is not None and seen.intersect(shade.span.unwrap_near(seen.middle_rad)).width_rad <= 0:
        return False
    base, start = table.base(target), RoundedShape((eye,))
    if math.dist(shade.part.centre, eye) - shade.part.reach_mm >= math.dist(eye, base.centre) + base.reach_mm:
        return False
    return not is_below_sight_line(table, shooter, (target,), start, base, thing)


def _is_soft_cover(table: ExactTable, occluder: Occluder) -> bool:
    thing = table.state.by_id[occluder.id]
    return isinstance(thing, Terrain) and _is_soft_kind(thing)  # Source: Cover, p. 36: other units are hard cover


def _is_soft_kind(terrain: Terrain) -> bool:
    return terrain.grants == "soft" if terrain.grants is not None else terrain.kind in parameters.SOFT_KINDS


def _touched_obstacles(table: ExactTable, shooter: str, target: str) -> list[Terrain]:
    """The obstacles that the unit touches and the shooter does not. Source: Obstacles, p. 95; Towering, p. 67."""
    if leading_miniature(table, target).has("towering"):
        return []
    unit = regiment_of(table, target)
    pieces = [t for t in table.state.terrain if t.kind in parameters.OBSTACLE_KINDS and t.grants != "none"]
    return [
        t for t in pieces if is_touching_feature(table, unit, t.id) and not is_touching_feature(table, shooter, t.id)
    ]


def _is_behind(table: ExactTable, eye: Point, base: RoundedShape, piece: Terrain, on: tuple[str, ...]) -> bool:
    sight = RoundedShape((eye, base.centre))
    deepest = max(-gap(sight, part).mm for part in table.area(piece.id).parts)
    return is_more_than(deepest, 0.0, f"lies beyond {piece.id}", on)


def _inside_forest_mm(table: ExactTable, shooter: str, target: str) -> tuple[float, str | None]:
    """By how much of its width more than half of a base lies in a forest that the shooter does not stand in."""
    woods = [t.id for t in table.state.terrain if t.kind == "forest" and overlaps(table, target, t.id)]
    depths = [(inside_excess_mm(table, target, wood), wood) for wood in woods if not overlaps(table, shooter, wood)]
    return max(depths, default=(-CAPPED_MM, None))
