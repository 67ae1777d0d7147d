"""Line of sight: from over the centre of the base; who is looked past, who intervenes, and who screens."""

import math
from dataclasses import replace

from models.miniature import Miniature
from models.queries import Intervening, Los, Screening
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.line_of_sight import los
from referee.editions.warmachine.line_of_sight.blockers import why_never
from referee.editions.warmachine.line_of_sight.los import margins_of
from referee.editions.warmachine.miniatures.arcs import arc_depth_mm
from referee.editions.warmachine.miniatures.base_state import elevation_mm, size_mm
from referee.editions.warmachine.mk1_and_mk2.mk1.citations import because
from referee.editions.warmachine.mk1_and_mk2.terrain import is_flat, is_higher
from referee.editions.warmachine.terms import terms_of
from referee.geometry.corridor import corridor_hull, depth_in_corridor
from referee.geometry.distance import area_gap, gap
from referee.geometry.shapes import Area, RoundedShape, disc
from referee.margins.front_arc import direction, dot
from referee.rules.candidates import in_play, is_met, traced
from referee.rules.conditions import all_of, any_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_names, name_of, with_effect
from referee.rules.rule_result import Candidate, RuleResult, Value, plain_condition
from referee.rules.switches import is_at_least, is_out_of_reach

_SCREEN_MM = inches(1)  # Source: Screening, Prime p. 33
_SCREEN_BONUS = 2  # Source: Screening, Prime p. 33
_CENTRE = because("Line of Sight, Prime p. 33", "A line of sight starts over the centre of the base, at head height.")
_HELD = because("Line of Sight, Prime p. 33", "What a warjack holds is part of it; what warriors hold is not of them.")
_POINT_MM = 1e-3  # a point, as a base has to have a size
LEVEL = because(
    "Elevation and LOS, Prime p. 33",
    "From above the lower are looked past, but for larger bases than the viewer's that screen; so are those below a "
    "higher target.",
)
_CONE = because("Intervening Models, Prime p. 33", "It intervenes when a line from the base's centre crosses its base.")
_SIZE = because("Intervening Models, Prime p. 33", "Only a base at least as large as the target's closes the line.")
_SCREEN = because(
    "Screening, Prime p. 33", "An intervening model within 1 in of the target, its base no smaller, screens it: +2 DEF."
)
_NONE = because(
    "Screening, Prime p. 33", "Smaller bases, the knocked down, those lower than the target or hid by terrain never do."
)


def line_of_sight(table: ExactTable, query: Los) -> RuleResult:
    """Line of sight: whether a line from over the base's centre is clear. Source: Line of Sight, Prime p. 33."""
    sights = [los.line_of_sight(table, query)]
    sights += [los.line_of_sight(held, query) for held in _tables_with_held_points(table, query.target)]
    best = max(sights, key=lambda r: r.decisive_mm)
    if len(sights) > 1 and all(sight.status == "decided" for sight in sights):
        best = replace(best, conditions=tuple(sights), joined_by="greatest", form=None)
    if table.margins_only:
        return best
    reasons = (_CENTRE,) if best is sights[0] else (_CENTRE, _HELD)
    best = replace(best, because=(*best.because[:1], *reasons, *best.because[1:]))
    return best if len(sights) == 1 else replace(best, form=None, depends_on_place=sights[0].depends_on_place)


def _tables_with_held_points(table: ExactTable, target: str) -> list[ExactTable]:
    """The table with each point that a warjack holds in place of it. Source: Line of Sight, Prime p. 33."""
    it = table.miniature(target)
    if it.type != "warjack" or not it.held_mm or table.reading("seen-body") == "base":
        return []
    (x, y), (nx, ny) = it.at_mm, table.centre(target)
    return [_shrink_to_point(table, it, (px + nx - x, py + ny - y), z) for px, py, z in it.held_mm]


def _shrink_to_point(table: ExactTable, it: Miniature, at: tuple[float, float], z_mm: float) -> ExactTable:
    """The table on which it is a point at this height, of the same size wherever bases are compared."""
    base = {"shape": "round", "diameter_mm": _POINT_MM, "counts_as_mm": size_mm(it)}
    body = max(0.0, z_mm - elevation_mm(table, it.id))
    ground = {"elevation_mm": elevation_mm(table, it.id)}
    point = Miniature.model_validate(it.model_dump() | ground | {"base": base, "at_mm": at, "body_mm": body})
    others = tuple(point if m.id == it.id else m for m in table.state.miniatures)
    nudges = {id_: nudge for id_, nudge in table.perturbations.items() if id_ != it.id}
    return replace(table, state=table.state.with_miniatures(others), perturbations=nudges, drawn_as=None)


def why_ignored(table: ExactTable, viewer: str, target: str, blocker: Miniature, purpose: str | None) -> str | None:
    """Why a base does not close the line; stealth hides nobody from being in the way.

    Source: Intervening Models, Prime p. 33; Knockdown, p. 49; Q/A on engaging: only terrain shuts one off in melee.
    """
    if purpose == "melee":
        return "melee"
    why = why_never(table, viewer, target, blocker)
    if why is not None and why != "stealth":
        return why
    return "lower" if is_looked_past(table, viewer, target, blocker.id) else None


def is_looked_past(table: ExactTable, viewer: str, target: str, blocker: str) -> bool:
    """Whether height lets a line pass over this base. Source: Elevation and LOS, Prime p. 33."""
    if is_flat(table):
        return False
    if is_higher(table, target, viewer):
        return is_higher(table, target, blocker)
    if not (is_higher(table, viewer, target) and is_higher(table, viewer, blocker)):
        return False
    larger = size_mm(table.miniature(blocker)) > size_mm(table.miniature(viewer))
    return not (larger and _is_screen_from_above(table, viewer, target, blocker))


def _is_screen_from_above(table: ExactTable, viewer: str, target: str, blocker: str) -> bool:
    """Whether that model screens when seen from level ground; it stands in the way already, and is no smaller."""
    apart_mm = gap(table.base(blocker), table.base(target)).mm
    near = is_at_least(_SCREEN_MM, apart_mm, "stands within 1 in of", (blocker, target))
    if not near or table.reading("screen-from-above") == "base-and-distance":
        return near
    return not is_below(table, blocker, target) and is_shown_by_terrain(table, viewer, blocker)


def is_below(table: ExactTable, blocker: str, target: str) -> bool:
    """Whether it stands on lower ground than the target. Source: Elevation and LOS, Prime p. 33."""
    return is_higher(table, target, blocker)


def is_shown_by_terrain(table: ExactTable, viewer: str, screen: str) -> bool:
    """Whether terrain leaves the viewer a line to it. Source: Screening, Prime p. 33: terrain alone hides a screen."""
    if not table.state.terrain and not table.state.effects:
        return True
    past = in_play(table, viewer, screen) if table.reading("screen-hidden-by") == "terrain" else ()
    return is_met(
        los.line_of_sight(table, Los(viewer=viewer, target=screen, ignoring=past)), "is not hidden by terrain from"
    )


def intervening(table: ExactTable, query: Intervening) -> RuleResult:
    """Intervening model: whether the blocker's base meets the lines from the viewer's centre to the target; grazing
    them does not, and who is looked past is in nobody's way.

    Source: Intervening Models, Prime p. 33.
    """
    depth = _depth_in_cone_mm(table, query)
    why = why_ignored(table, query.viewer, query.target, table.miniature(query.blocker), None)
    counts = why is None
    margin_mm, slack_mm = margins_of(depth, counts=counts)
    middle = table.centre(query.viewer), table.centre(query.target)
    looked_past = _SIZE if why is None or why == "smaller" else terms_of(table).looked_past_reasons[why]
    return RuleResult(
        margin_mm=margin_mm,
        slack_mm=slack_mm,
        zero_is_met=table.reading("los-touch") == "blocked",
        value={"counts": counts, "why": why, "depth_mm": depth},
        lengths_mm={"depth": depth},
        witness=(Witness(type="segment", role="path", points_mm=middle, of=(query.viewer, query.target)),),
        blockers=(query.blocker,) if counts and depth > 0 else (),
        because=(with_effect(table, _CONE, _describe_depth(table, query, depth)), looked_past),
        readings=("los-touch", "sight-cone"),
        doubtful=("los-touch",) if abs(depth) < 1e-6 else (),
        depends_on_place=(query.viewer, query.target, query.blocker),
        depends_on_facing=(query.viewer,),
    )


def _depth_in_cone_mm(table: ExactTable, query: Intervening) -> float:
    """How deep the base reaches among the lines that sight may take: from the centre, through the front arc."""
    eye, target, it = disc(table.centre(query.viewer), 0.0), table.base(query.target), table.area(query.blocker)
    ahead = arc_depth_mm(table, query.viewer, query.target)
    if table.reading("sight-cone") == "whole" or ahead >= 2 * target.reach_mm:
        return depth_in_corridor(eye, target, it)
    on, lever_mm = (query.viewer, query.target), math.dist(eye.centre, target.centre)
    is_ahead = is_at_least(ahead, 0.0, "has ahead of it", on, turning=(query.viewer,), lever_mm=lever_mm)
    cone = _clip_ahead(table, query.viewer, corridor_hull(eye, target))
    if cone is None:
        return -area_gap(it, table.area(query.target)).mm if is_ahead else ahead
    return -area_gap(Area((cone,)), it).mm


def _clip_ahead(table: ExactTable, viewer: str, shape: RoundedShape) -> RoundedShape | None:
    """What of a polygon lies ahead of the arc line."""
    ahead, centre = direction(table.facing_rad(viewer)), table.centre(viewer)
    line, kept = dot(centre, ahead), list[tuple[float, float]]()
    points = shape.points
    for before, p in zip((points[-1], *points[:-1]), points, strict=True):
        h0, h1 = dot(before, ahead) - line, dot(p, ahead) - line
        if h0 * h1 < 0:
            share = h0 / (h0 - h1)
            kept.append((before[0] + share * (p[0] - before[0]), before[1] + share * (p[1] - before[1])))
        if h1 >= 0:
            kept.append(p)
    distinct = tuple(dict.fromkeys(kept))
    return RoundedShape(distinct) if len(distinct) > 2 else None


def _describe_depth(table: ExactTable, query: Intervening, depth_mm: float) -> str:
    blocker, ends = name_of(table, query.blocker), format_names(table, [query.viewer, query.target])
    how = f"reaches {format_length(depth_mm)} into" if depth_mm > 0 else f"stays {format_length(-depth_mm)} out of"
    return f"{blocker} {how} the lines between {ends}."


def screening(table: ExactTable, query: Screening) -> RuleResult:
    """Screening: whether somebody screens the target. Source: Screening, Prime p. 33; Elevated models, Prime p. 34."""
    sight = table.evaluate_query(Los(viewer=query.attacker, target=query.target))
    others = in_play(table, query.attacker, query.target)
    apart = {id_: gap(table.base(id_), table.base(query.target)).mm for id_ in others}
    near = [id_ for id_ in others if not is_out_of_reach(apart[id_], 3 * _SCREEN_MM)]
    members = tuple(_candidate_of(table, query, id_) for id_ in near)
    screens_by_id = {m.id: m.result for m in members if m.result is not None}
    best = max(screens_by_id, key=lambda id_: screens_by_id[id_].decisive_mm, default=None)
    screened, seen_at_all = best is not None and is_met(screens_by_id[best], "screens"), is_met(sight, "sees")
    screens = screened and seen_at_all
    seen: Value = {"answer": "yes" if seen_at_all else "no", "margin_mm": sight.margin_mm}
    value: Value = {"bonus": _SCREEN_BONUS if screens else 0, "bonus_to": "defence", "sight": seen}
    margin = -CAPPED_MM if best is None else min(screens_by_id[best].decisive_mm, sight.decisive_mm)
    joined = _join(tuple(screens_by_id.values()), sight)
    return RuleResult(
        margin_mm=margin,
        value=value,
        members=members,
        witness=() if best is None else screens_by_id[best].witness,
        because=(with_effect(table, _SCREEN, _describe_screen(table, best, screens, margin)), _NONE),
        depends_on_place=tuple(dict.fromkeys((query.attacker, query.target, *joined.depends_on_place))),
        depends_on_facing=tuple(dict.fromkeys((query.attacker, *joined.depends_on_facing))),
        conditions=joined.conditions,
    )


def _join(candidates: tuple[RuleResult, ...], sight: RuleResult) -> RuleResult:
    """Somebody screens, and the target is in sight: all that this hangs on."""
    decided = tuple(candidate for candidate in candidates if candidate.status == "decided")
    if not decided or sight.status != "decided":
        return RuleResult()
    return all_of((("screen", any_of(decided)), ("sight", sight)))


def _describe_screen(table: ExactTable, best: str | None, screens: bool, margin_mm: float) -> str:
    if best is None:
        return "Nobody stands near it."
    how = (
        f"screens it by {format_length(margin_mm)}"
        if screens
        else f"comes nearest to it, {format_length(-margin_mm)} short"
    )
    return f"{name_of(table, best)} {how}."


def _candidate_of(table: ExactTable, query: Screening, id_: str) -> Candidate:
    def rule(asked: ExactTable) -> RuleResult:
        return _check_screen(asked, query, id_)

    alone = traced(rule)
    return Candidate(id_, alone(table), alone)


def _check_screen(table: ExactTable, query: Screening, id_: str) -> RuleResult:
    """What one model needs to screen. Source: Screening, Prime p. 33; Elevation and LOS, p. 33; Knockdown, p. 49."""
    it, them = table.miniature(id_), table.miniature(query.target)
    apart = max(0.0, gap(table.base(id_), table.base(query.target)).mm)
    asked = table.evaluate_query(Intervening(viewer=query.attacker, target=query.target, blocker=id_))
    between = replace(asked, margin_mm=asked.lengths_mm["depth"], slack_mm=None)  # who is looked past may screen
    within = RuleResult(
        margin_mm=_SCREEN_MM - apart,
        because=(with_effect(table, _SCREEN, f"It is {format_length(apart)} from the target."),),
        depends_on_place=(id_, query.target),
    )
    plain = {
        "standing": not set(it.status) & {"knocked-down", "removed"},
        "size": size_mm(it) >= size_mm(them),
        "level": not is_below(table, id_, query.target),
        "shown": is_shown_by_terrain(table, query.attacker, id_),
    }
    clauses = [(name, plain_condition(id_, held, _NONE)) for name, held in plain.items()]
    return all_of((*clauses, ("within", within), ("intervening", between)))
