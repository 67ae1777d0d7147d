"""Front and back: any part ahead of the line through the centre is in front."""

import math
from dataclasses import replace
from functools import partial

from models.queries import Arc, InBackArc, InFrontArc
from models.units import radians
from models.verdict import CAPPED_MM
from models.words import Point
from referee.arcs import arc_edge, depth_line, depth_mm, depth_piece, foremost
from referee.editions.warmachine_prime.distances import touched
from referee.editions.warmachine_prime.parameters import because
from referee.form import Piece, Teller, Told
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import ahead as told_ahead
from referee.telling import applied

_FACING = because("Facing", 21, "The front arc is the half ahead of the shoulders; any part of a base there is in it.")
_STRAIGHT_DEG = 5.0  # by so much a miniature may turn for the depth to change in proportion
_INERT = because("Inert Warjacks", 59, "An inert warjack has no facing.", "It has neither front nor back.")


def in_front_arc(table: Situation, query: InFrontArc) -> Ruling:
    """Whether any part of the target is in the front arc. Source: Facing, p. 21."""
    if "inert" in table.miniature(query.viewer).status:
        return _no_arc(query.viewer, query.target)
    return _about(table, query.viewer, query.target, sign=1.0, zero_is_met=_touch_is_front(table))


def in_back_arc(table: Situation, query: InBackArc) -> Ruling:
    """Whether the target is wholly behind. Source: Facing, p. 21."""
    if "inert" in table.miniature(query.viewer).status:
        return _no_arc(query.viewer, query.target)
    return _about(table, query.viewer, query.target, sign=-1.0, zero_is_met=not _touch_is_front(table))


def arc(table: Situation, query: Arc) -> Ruling:
    """Which arc the target is in: in front as soon as any part of it is. Source: Facing, p. 21."""
    if "inert" in table.miniature(query.viewer).status:
        return Ruling(status="measured", value={"arc": "none"}, because=(_INERT,), touches=(query.viewer,))
    ruling = _about(table, query.viewer, query.target, sign=1.0, zero_is_met=_touch_is_front(table))
    depth = ruling.margin_mm or 0.0
    front = depth > 1e-6 or (depth >= -1e-6 and _touch_is_front(table))
    return replace(ruling, status="measured", value={"arc": "front" if front else "back", "border_mm": depth})


def arc_depth_mm(table: Situation, viewer: str, target: str | Point) -> float:
    """How deep the target reaches into the front arc; the cap where all round is front. Source: Facing, p. 21."""
    if table.miniature(viewer).front_arc_deg == 360:
        return CAPPED_MM
    return depth_mm(table.centre(viewer), table.facing_rad(viewer), table.area(target))


def arc_piece(table: Situation, viewer: str, target: str) -> Piece:
    """That depth as it changes when either of the two moves or turns."""
    mine, its = ((id_, table.centre(id_)) for id_ in (viewer, target))
    return depth_piece(mine, table.facing_rad(viewer), its, table.area(target))


def arc_form(table: Situation, viewer: str, target: str | Point, *, sign: float = 1.0) -> Teller | None:
    """Tells the form of that depth, or of its negative; None where it bends as they move, or where nobody will ask."""
    if table.lean or table.placed_mm or target not in table.miniatures or not table.base(str(target)).is_disc():
        return None
    me = table.miniature(viewer)
    if me.front_arc_deg == 360:
        return _all_round
    return None if me.sigma.facing_deg > _STRAIGHT_DEG else partial(_told, table, viewer, str(target), sign)


def swing_mm(table: Situation, viewer: str, target: str) -> float:
    """How far the arc line of the one goes to and fro by the other, its facing being as unsure as it is."""
    apart = math.dist(table.centre(viewer), table.centre(target))
    return radians(table.miniature(viewer).sigma.facing_deg) * apart


def _all_round(_sigma_mm: float, _sigma_rad: float) -> Told:
    return Told(Piece(CAPPED_MM))


def _told(table: Situation, viewer: str, target: str, sign: float, _sigma_mm: float, _sigma_rad: float) -> Told:
    depth = arc_piece(table, viewer, target)
    return Told(depth.times(sign), {"depth": depth})


def _touch_is_front(table: Situation) -> bool:
    return table.reading("arc-line-touch") == "front"


def _no_arc(viewer: str, target: str | Point) -> Ruling:
    return Ruling(margin_mm=-CAPPED_MM, because=(_INERT,), touches=touched(viewer, target))


def _about(table: Situation, viewer: str, target: str | Point, *, sign: float, zero_is_met: bool) -> Ruling:
    depth = arc_depth_mm(table, viewer, target)
    if depth >= CAPPED_MM:
        everywhere = (applied(table, _FACING, told_ahead(table, viewer, target, depth)),)
        return Ruling(margin_mm=sign * CAPPED_MM, because=everywhere, touches=touched(viewer, target))
    centre, facing = table.centre(viewer), table.facing_rad(viewer)
    ahead = foremost(facing, table.area(target))
    length = max(abs(ahead[0] - centre[0]), abs(ahead[1] - centre[1]), 60.0)
    return Ruling(
        margin_mm=sign * depth,
        zero_is_met=zero_is_met,
        value={"depth_mm": depth},
        lengths_mm={"depth": depth},
        witness=(arc_edge(viewer, centre, facing, length), depth_line(ahead, centre, facing, viewer)),
        because=(applied(table, _FACING, told_ahead(table, viewer, target, depth)),),
        readings=("arc-line-touch",),
        doubtful=("arc-line-touch",) if abs(depth) < 1e-6 else (),
        touches=touched(viewer, target),
        faces=(viewer,),
        form=arc_form(table, viewer, target, sign=sign),
    )
