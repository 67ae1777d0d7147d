"""Sight here: from over the centre of the base; bodies that are held up; who is looked past from above."""

from dataclasses import replace

from models.miniature import Miniature
from models.queries import Intervening, Los
from models.verdict import Witness
from referee.arcs import direction, dot
from referee.candidates import in_play, is_met
from referee.corridor import depth_in_corridor, hull
from referee.editions.hordes_mk2 import EDITION as LATER
from referee.editions.hordes_mk2.heights import is_higher
from referee.editions.warmachine_mk1.parameters import SCREEN_MM, because
from referee.editions.warmachine_prime.arcs import arc_depth_mm
from referee.editions.warmachine_prime.blockers import why_never
from referee.editions.warmachine_prime.ground import elevation_mm, size_mm
from referee.editions.warmachine_prime.terms import terms_of
from referee.gaps import area_gap, gap
from referee.ruling import Ruling
from referee.shapes import Area, Rounded, disc
from referee.situation import Situation
from referee.telling import applied, length, name_of, names

_CENTRE = because("Line of Sight, Prime p. 33", "A line of sight starts over the centre of the base, at head height.")
_HELD = because("Line of Sight, Prime p. 33", "What a warjack holds is part of it; what warriors hold is not of them.")
_CONE = because("Intervening Models, Prime p. 33", "It intervenes when a line from the base's centre crosses its base.")
_SIZE = because("Intervening Models, Prime p. 33", "Only a base at least as large as the target's closes the line.")
LEVEL = because(
    "Elevation and LOS, Prime p. 33",
    "From above the lower are looked past, but for larger bases than the viewer's that screen; so are those below a "
    "higher target.",
)
_POINT_MM = 1e-3  # a point, as a base has to have a size
_DUST_MM = 1e-9


def line_of_sight(table: Situation, query: Los) -> Ruling:
    """Whether a line from over the base's centre is clear. Source: Line of Sight, Prime p. 33."""
    found = [LATER.rules[Los](table, query)]
    found += [LATER.rules[Los](held, query) for held in _held_up(table, query.target)]
    best = max(found, key=lambda r: r.decisive_mm)
    if table.lean:
        return best
    told = (_CENTRE,) if best is found[0] else (_CENTRE, _HELD)
    best = replace(best, because=(*best.because[:1], *told, *best.because[1:]))
    return best if len(found) == 1 else replace(best, form=None, touches=found[0].touches)


def _held_up(table: Situation, target: str) -> list[Situation]:
    """The table with each point that a warjack holds in place of it. Source: Line of Sight, Prime p. 33."""
    it = table.miniature(target)
    if it.type != "warjack" or not it.held_mm or table.reading("seen-body") == "base":
        return []
    (x, y), (nx, ny) = it.at_mm, table.centre(target)
    return [_shrunk(table, it, (px + nx - x, py + ny - y), z) for px, py, z in it.held_mm]


def _shrunk(table: Situation, it: Miniature, at: tuple[float, float], z_mm: float) -> Situation:
    """The table on which it is a point at this height, of the same size wherever bases are compared."""
    base = {"shape": "round", "diameter_mm": _POINT_MM, "counts_as_mm": size_mm(it)}
    body = max(0.0, z_mm - elevation_mm(table, it.id))
    ground = {"elevation_mm": elevation_mm(table, it.id)}
    point = Miniature.model_validate(it.model_dump() | ground | {"base": base, "at_mm": at, "body_mm": body})
    others = tuple(point if m.id == it.id else m for m in table.state.miniatures)
    nudges = {id_: nudge for id_, nudge in table.nudges.items() if id_ != it.id}
    return replace(table, state=table.state.with_miniatures(others), nudges=nudges)


def why_ignored(table: Situation, viewer: str, target: str, blocker: Miniature, purpose: str | None) -> str | None:
    """Why a base does not close the line; stealth hides nobody from being in the way.

    Source: Intervening Models, Prime p. 33; Knockdown, p. 49; Q/A on engaging: only terrain shuts one off in melee.
    """
    if purpose == "melee":
        return "melee"
    why = why_never(table, viewer, target, blocker)
    if why is not None and why != "stealth":
        return why
    return "lower" if is_looked_past(table, viewer, target, blocker.id) else None


def is_looked_past(table: Situation, viewer: str, target: str, blocker: str) -> bool:
    """Whether height lets a line pass over this base. Source: Elevation and LOS, Prime p. 33."""
    if not table.state.terrain and all(m.elevation_mm is None for m in table.state.miniatures):
        return False
    mine, theirs, its = (elevation_mm(table, id_) for id_ in (viewer, target, blocker))
    if is_higher(table, theirs, mine):
        return is_higher(table, theirs, its)
    if not (is_higher(table, mine, theirs) and is_higher(table, mine, its)):
        return False
    larger = size_mm(table.miniature(blocker)) > size_mm(table.miniature(viewer))
    return not (larger and _would_screen(table, viewer, target, blocker))


def _would_screen(table: Situation, viewer: str, target: str, blocker: str) -> bool:
    """Whether that model screens when seen from level ground; it stands in the way already, and is no smaller."""
    near = gap(table.base(blocker), table.base(target)).mm <= SCREEN_MM + _DUST_MM
    if not near or table.reading("screen-from-above") == "base-and-distance":
        return near
    return not is_below(table, blocker, target) and terrain_shows(table, viewer, blocker)


def is_below(table: Situation, blocker: str, target: str) -> bool:
    """Whether it stands on lower ground than the target. Source: Elevation and LOS, Prime p. 33."""
    return is_higher(table, elevation_mm(table, target), elevation_mm(table, blocker))


def terrain_shows(table: Situation, viewer: str, who: str) -> bool:
    """Whether terrain leaves the viewer a line to it. Source: Screening, Prime p. 33: terrain alone hides a screen."""
    if not table.state.terrain and not table.state.effects:
        return True
    past = in_play(table, viewer, who) if table.reading("screen-hidden-by") == "terrain" else ()
    return is_met(LATER.rules[Los](table, Los(viewer=viewer, target=who, ignoring=past)))


def intervening(table: Situation, query: Intervening) -> Ruling:
    """Whether the blocker's base meets the lines from the viewer's centre to the target; grazing them does not.

    Source: Intervening Models, Prime p. 33.
    """
    depth = _depth_in_cone(table, query)
    why = why_ignored(table, query.viewer, query.target, table.miniature(query.blocker), None)
    counts = why is None
    middle = table.centre(query.viewer), table.centre(query.target)
    looked_past = _SIZE if why is None or why == "smaller" else terms_of(table).looked_past[why]
    return Ruling(
        margin_mm=depth,
        zero_is_met=table.reading("los-touch") == "blocked",
        value={"counts": counts, "why": why},
        witness=(Witness(type="segment", role="path", points_mm=middle, of=(query.viewer, query.target)),),
        blockers=(query.blocker,) if counts and depth > 0 else (),
        because=(applied(table, _CONE, _told(table, query, depth)), looked_past),
        readings=("los-touch", "sight-cone"),
        doubtful=("los-touch",) if abs(depth) < 1e-6 else (),
        touches=(query.viewer, query.target, query.blocker),
        faces=(query.viewer,),
    )


def _depth_in_cone(table: Situation, query: Intervening) -> float:
    """How deep the base reaches among the lines that sight may take: from the centre, through the front arc."""
    eye, target, it = disc(table.centre(query.viewer), 0.0), table.base(query.target), table.area(query.blocker)
    ahead = arc_depth_mm(table, query.viewer, query.target)
    if table.reading("sight-cone") == "whole" or ahead >= 2 * target.reach_mm:
        return depth_in_corridor(eye, target, it)
    cone = _ahead_of(table, query.viewer, hull(eye, target))
    if cone is None:
        return -area_gap(it, table.area(query.target)).mm if ahead >= 0 else ahead
    return -area_gap(Area((cone,)), it).mm


def _ahead_of(table: Situation, viewer: str, shape: Rounded) -> Rounded | None:
    """What of a polygon lies ahead of the arc line."""
    way, centre = direction(table.facing_rad(viewer)), table.centre(viewer)
    line, kept = dot(centre, way), list[tuple[float, float]]()
    points = shape.points
    for before, p in zip((points[-1], *points[:-1]), points, strict=True):
        h0, h1 = dot(before, way) - line, dot(p, way) - line
        if h0 * h1 < 0:
            share = h0 / (h0 - h1)
            kept.append((before[0] + share * (p[0] - before[0]), before[1] + share * (p[1] - before[1])))
        if h1 >= 0:
            kept.append(p)
    distinct = tuple(dict.fromkeys(kept))
    return Rounded(distinct) if len(distinct) > 2 else None


def _told(table: Situation, query: Intervening, depth_mm: float) -> str:
    who, ends = name_of(table, query.blocker), names(table, [query.viewer, query.target])
    how = f"reaches {length(depth_mm)} into" if depth_mm > 0 else f"stays {length(-depth_mm)} out of"
    return f"{who} {how} the lines between {ends}."
