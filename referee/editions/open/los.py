"""Line of sight of the open edition: any line, the middle line, both outer lines, or a share of base or body."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pydantic import JsonValue

from models.queries import Los
from models.terrain import Effect
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.open.arcs import check_front, is_half_plane
from referee.editions.open.measuring import body_mm, ground_mm, top_mm
from referee.editions.open.settings import explain_setting, number_of
from referee.editions.open.sight_obstacles import SightObstacles, find_obstacles, how_blocks, visible_share
from referee.editions.warmachine.miniatures.distances import hinges
from referee.geometry.shapes import RoundedShape, disc
from referee.line_of_sight import End, Lane, Obstacle, lane_between
from referee.line_of_sight.visible_body import Upright, hidden_body_share, sheet_of
from referee.margins.front_arc import direction, dot
from referee.margins.lane_clearance import MovableObstacle
from referee.margins.sight_lanes import Lanes
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, name_of, with_effect
from referee.rules.margin_form import FormProvider, KnownForm
from referee.rules.rule_result import RuleResult
from referee.uncertainty.error_modes import place_sigma_mm

_READINGS = ("open-sight", "open-sight-front", "open-solid", "open-woods", "open-figures", "open-body-mm")
_DUST_MM = 1e-6
_FIRST_REACH_MM = 60.0
_NEAR_MM = 5.0  # a thing that leaves so much more room than the lane has cannot decide by a measuring error
_SIGMAS = 9.0
Ends = tuple[End, End]
_REACH_MM = 60.0  # a line to the body runs inside the corridor between the two bases
READINGS = ("open-sight", "open-sight-share", "open-eye-percent", "open-solid", "open-woods", "open-figures",
            "open-body-mm")  # fmt: skip


def line_of_sight(table: ExactTable, query: Los) -> RuleResult:
    """Line of sight: whether the line that the table's setting wants is clear; a line that grazes is not."""
    asked = ("open los", query.viewer, query.target, query.ignoring)
    return table.evaluate_memoized(asked, lambda perturbed: _answer_sight(perturbed, query))


def _answer_sight(table: ExactTable, query: Los) -> RuleResult:
    rule = explain_setting(table, "open-sight")
    if query.viewer == query.target:
        return RuleResult(margin_mm=CAPPED_MM, because=(rule,), readings=_READINGS, depends_on_place=(query.viewer,))
    how = table.reading("open-sight")
    line = _BY_SHARE[how](table, query) if how in _BY_SHARE else _check_lines(table, query, how)
    if table.reading("open-sight-front") == "all-round":
        return line
    front = check_front(table, query.viewer, query.target)
    both = all_of((("line", line), ("front", front)))
    return both if line.status == "unknown" else _keep_drawing(both, line, front)


def _keep_drawing(both: RuleResult, line: RuleResult, front: RuleResult) -> RuleResult:
    return replace(both, witness=(*line.witness, *front.witness), value={**line.value, **both.value})


def _check_lines(table: ExactTable, query: Los, how: str) -> RuleResult:
    """Whether every line that is wanted is clear; the one with the least room decides."""
    results = [_check_line(table, query, ends) for ends in _wanted_ends(table, query, how)]
    unknown = next((result for result in results if result.status == "unknown"), None)
    return min(results, key=lambda result: result.decisive_mm) if unknown is None else unknown


def _wanted_ends(table: ExactTable, query: Los, how: str) -> tuple[Ends, ...]:
    viewer, target = table.base(query.viewer), table.base(query.target)
    if how == "any-part":
        return ((End(viewer), _seen_part(table, query, target)),)
    eye = End(disc(table.centre(query.viewer), 0.0))
    if how == "centre-to-centre":
        return ((eye, End(disc(table.centre(query.target), 0.0))),)
    return tuple((eye, End(disc(point, 0.0))) for point in outermost(table.centre(query.viewer), target))


def _sees_half(table: ExactTable, viewer: str) -> bool:
    if table.reading("open-sight-front") == "all-round" or table.miniature(viewer).front_arc_deg == 360:
        return False
    return is_half_plane(table, viewer, number_of(table, "open-arc-deg"))


def _seen_part(table: ExactTable, query: Los, target: RoundedShape) -> End:
    """Where a line may end: where one sees to the half ahead only, at what of the target lies there."""
    if not _sees_half(table, query.viewer):
        return End(target)
    ahead = direction(table.facing_rad(query.viewer))
    part = End(target, ahead, dot(table.centre(query.viewer), ahead))
    return part if part.depth_mm() > 0 else End(target)


def outermost(eye: Point, base: RoundedShape) -> tuple[Point, Point]:
    """The outermost points of a base to the right and left of the line to its middle."""
    dx, dy = base.centre[0] - eye[0], base.centre[1] - eye[1]
    length = math.hypot(dx, dy) or 1.0
    across = (dy / length, -dx / length)
    return base.farthest_along(across), base.farthest_along((-across[0], -across[1]))


def _check_line(table: ExactTable, query: Los, ends: Ends) -> RuleResult:
    reach_mm = 0.0
    while True:  # what is farther from the corridor than the lane is wide cannot narrow it
        obstacles = find_obstacles(table, query.viewer, query.target, query.ignoring, reach_mm=reach_mm)
        lane = lane_between(*ends, tuple(obstacles.obstacles), tuple(obstacles.woods))
        if min(lane.margin_mm, CAPPED_MM) <= reach_mm:
            break
        reach_mm = min(CAPPED_MM, max(_FIRST_REACH_MM, 3 * reach_mm, min(lane.margin_mm, CAPPED_MM)))
    if obstacles.needs and lane.margin_mm <= 0 and _without_unknown(ends, obstacles).margin_mm > 0:
        return RuleResult(
            status="unknown",
            needs=tuple(obstacles.needs),
            because=(explain_setting(table, "open-solid"),),
            witness=(_draw_line(query, lane, is_clear=False),),
            depends_on_place=(query.viewer, query.target),
        )
    return _tell_line(table, query, ends, obstacles, lane)


def _without_unknown(ends: Ends, obstacles: SightObstacles) -> Lane:
    known = tuple(obstacle for obstacle in obstacles.obstacles if obstacle.id not in obstacles.unknown_ids)
    return lane_between(*ends, known, tuple(obstacles.woods))


def _tell_line(table: ExactTable, query: Los, ends: Ends, scene_obstacles: SightObstacles, lane: Lane) -> RuleResult:
    is_clear = lane.margin_mm > _DUST_MM
    closing = () if is_clear else tuple(id_ for id_, slack in lane.slack_mm.items() if slack <= _DUST_MM)
    near = (id_ for id_, slack in lane.slack_mm.items() if slack <= lane.margin_mm + _NEAR_MM)
    past: list[JsonValue] = [{"id": id_, "why": why} for id_, why in scene_obstacles.seen_past.items()]
    both = f"{name_of(table, query.viewer)} and {name_of(table, query.target)}"
    said = f"The line between {both} is clear." if is_clear else f"{format_names(table, closing)} closes it."
    return RuleResult(
        margin_mm=min(lane.margin_mm, CAPPED_MM),
        zero_is_met=False,
        value={"decided_by": "lane", "ignored": past},
        witness=(_draw_line(query, lane, is_clear=is_clear), *(draw_outline(table, id_) for id_ in closing)),
        blockers=closing,
        because=(with_effect(table, explain_setting(table, "open-sight"), said),),
        readings=_READINGS,
        depends_on_place=hinges(table, query.viewer, query.target, *near),
        depends_on_facing=() if ends[1].normal is None else (query.viewer,),
        form=_form_of(table, query, ends, scene_obstacles, lane),
    )


def _draw_line(query: Los, lane: Lane, *, is_clear: bool) -> Witness:
    role = "clear" if is_clear else "blocked"
    points, of = (lane.start, lane.stop), (query.viewer, query.target)
    return Witness.model_validate({"type": "segment", "role": role, "points_mm": points, "of": of})


def _form_of(table: ExactTable, query: Los, ends: Ends, obstacles: SightObstacles, lane: Lane) -> FormProvider | None:
    """How the room of any line from base to base changes as things move, where whole lines are all that is closed."""
    is_plain = (
        table.reading("open-sight") == "any-part"
        and not obstacles.woods
        and all(o.is_flat for o in obstacles.obstacles)
    )
    is_near = math.isfinite(lane.margin_mm) and lane.margin_mm < CAPPED_MM
    if table.margins_only or table.places_mm or _sees_half(table, query.viewer) or not (is_plain and is_near):
        return None
    return partial(_known_form, table, query, obstacles, lane)


def _known_form(
    table: ExactTable, query: Los, obstacles: SightObstacles, lane: Lane, _sigma_mm: float, _sigma_rad: float
) -> KnownForm | None:
    standing = tuple(_movable(table, obstacle) for obstacle in obstacles.obstacles)
    ids = {query.viewer, query.target, *(id_ for movable in standing for id_ in movable.movers)}
    within = _SIGMAS * max(place_sigma_mm(table.state, id_) for id_ in ids)

    def ends(perturbations: object) -> Ends:
        moved = table.with_perturbations(perturbations)  # type: ignore[arg-type]  # a mapping, as Lanes hands it over
        return End(moved.base(query.viewer)), End(moved.base(query.target))

    lanes = Lanes(ends, (query.viewer, query.target), standing)
    form = lanes.form(complex(*lane.start), complex(*lane.stop), lane.margin_mm, within)
    return None if form is None else KnownForm(form)


def _movable(table: ExactTable, obstacle: Obstacle) -> MovableObstacle:
    thing = table.state.by_id[obstacle.id]
    if obstacle.id in table.miniatures:
        return MovableObstacle(obstacle, (obstacle.id,), complex(*table.centre(obstacle.id)))
    is_carried = isinstance(thing, Effect) and thing.on is not None and not thing.has_outline()
    movers = table.movers_of(obstacle.id) if is_carried else (obstacle.id,)
    return MovableObstacle(obstacle, movers, complex(*obstacle.area.parts[0].centre))


def _check_share(table: ExactTable, query: Los) -> RuleResult:
    """Whether so much of the target's base is seen; the margin is that share's surplus of the base's width."""
    eye, base = table.centre(query.viewer), table.base(query.target)
    obstacles = find_obstacles(table, query.viewer, query.target, query.ignoring, reach_mm=_FIRST_REACH_MM)
    closing = [*obstacles.obstacles, *(Obstacle(wood.id, wood.area) for wood in obstacles.woods)]
    seen, wanted = visible_share(table, query.viewer, eye, base, closing), number_of(table, "open-sight-share") / 100.0
    said = f"{100 * seen:.0f} % of {name_of(table, query.target)} is seen, {100 * wanted:.0f} % is wanted."
    role = "clear" if seen >= wanted else "blocked"
    line = {"type": "segment", "role": role, "points_mm": (eye, base.centre), "of": (query.viewer, query.target)}
    return RuleResult(
        margin_mm=2 * base.reach_mm * (seen - wanted),
        zero_is_met=True,
        value={"decided_by": "share", "seen_share": seen, "wanted_share": wanted},
        witness=(Witness.model_validate(line),),
        because=(with_effect(table, explain_setting(table, "open-sight"), said),),
        readings=(*_READINGS, "open-sight-share"),
        depends_on_place=hinges(table, query.viewer, query.target, *(obstacle.id for obstacle in closing)),
    )


def check_body_seen(table: ExactTable, query: Los) -> RuleResult:
    """Whether so much of the target's body is seen; the margin is that share's surplus of the body's width."""
    eye, base = table.centre(query.viewer), table.base(query.target)
    obstacles = find_obstacles(table, query.viewer, query.target, query.ignoring, reach_mm=_REACH_MM)
    if obstacles.needs:
        return RuleResult(
            status="unknown",
            needs=tuple(obstacles.needs),
            because=(explain_setting(table, "open-solid"),),
            depends_on_place=(query.viewer, query.target),
        )
    height = eye_height_mm(table, query.viewer)
    sheet = sheet_of(eye, base, ground_mm(table, query.target), top_mm(table, query.target))
    casting = {id_: tuple(_uprights(table, id_)) for id_ in _standing_between(table, obstacles)}
    hiding = [id_ for id_, parts in casting.items() if hidden_body_share(eye, height, sheet, parts) > 0]
    seen = 1.0 - hidden_body_share(eye, height, sheet, [part for id_ in hiding for part in casting[id_]])
    wanted = number_of(table, "open-sight-share") / 100.0
    by = f", {format_names(table, hiding)} before it" if hiding else ""
    said = f"{100 * seen:.0f} % of {name_of(table, query.target)} is seen{by}; {100 * wanted:.0f} % is wanted."
    return RuleResult(
        margin_mm=2 * base.reach_mm * (seen - wanted),
        zero_is_met=True,
        value={"decided_by": "body", "seen_share": seen, "wanted_share": wanted, "eye_mm": height},
        witness=(
            _draw_line_to_body(table, query, height, is_seen=seen >= wanted),
            *(draw_outline(table, id_) for id_ in hiding),
        ),
        blockers=tuple(hiding) if seen < wanted else (),
        because=(
            with_effect(table, explain_setting(table, "open-sight"), said),
            explain_setting(table, "open-eye-percent"),
        ),
        readings=READINGS,
        depends_on_place=hinges(table, query.viewer, query.target, *casting),
    )


_BY_SHARE = {"share": _check_share, "body": check_body_seen}


def eye_height_mm(table: ExactTable, id_: str) -> float:
    """How high its eye is above the table."""
    return ground_mm(table, id_) + body_mm(table, id_) * number_of(table, "open-eye-percent") / 100.0


def _standing_between(table: ExactTable, obstacles: SightObstacles) -> tuple[str, ...]:
    """All that closes a line, also where it is too low for one from top to top."""
    low = (id_ for id_, why in obstacles.seen_past.items() if why == "low")
    return tuple(
        dict.fromkeys(
            (*(obstacle.id for obstacle in obstacles.obstacles), *(wood.id for wood in obstacles.woods), *low)
        )
    )


def _uprights(table: ExactTable, id_: str) -> Iterator[Upright]:
    area = table.area(id_)
    top = _top_of(table, id_)
    return (Upright(part, top) for part in area.parts)


def _top_of(table: ExactTable, id_: str) -> float:
    """How high it closes lines: to its top where height counts, else without end."""
    if id_ in table.miniatures:
        return top_mm(table, id_) if table.reading("open-figures") == "by-height" else math.inf
    thing = table.state.by_id[id_]
    if how_blocks(table, thing) != "by-height":  # type: ignore[arg-type]  # what closes lines is terrain or an effect
        return math.inf
    height = getattr(thing, "height_mm", None)
    surface = getattr(thing, "surface_mm", None)
    return float(height if height is not None else surface or 0.0)


def _draw_line_to_body(table: ExactTable, query: Los, eye_mm: float, *, is_seen: bool) -> Witness:
    role = "clear" if is_seen else "blocked"
    middle = ground_mm(table, query.target) + body_mm(table, query.target) / 2
    points = (table.centre(query.viewer), table.base(query.target).centre)
    fields = {"type": "segment", "role": role, "points_mm": points, "z_mm": (eye_mm, middle)}
    return Witness.model_validate(fields | {"of": (query.viewer, query.target)})


def draw_outline(table: ExactTable, id_: str) -> Witness:
    """The outline of what is in the way."""
    area = table.area(id_)
    part = area.parts[0]
    if part.is_disc() and not area.outline:
        return Witness(type="circle", role="blocker", centre_mm=part.centre, radius_mm=part.radius_mm, of=(id_,))
    return Witness(type="polygon", role="blocker", points_mm=area.outline or part.points, of=(id_,))
