"""Front arc: who is in it or behind, and who is faced directly."""

import math
from dataclasses import replace
from functools import partial

from models.queries import Arc, DirectlyFacing, InBackArc, InFrontArc
from models.unit_conversion import radians, wrap_rad
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.distances import ids_that_matter
from referee.editions.warmachine.parameters import because
from referee.margins.front_arc import arc_edge, depth_line, depth_mm, depth_piece, direction, foremost
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import describe_arc_depth as told_ahead
from referee.rules.explanations import name_of, with_effect
from referee.rules.margin_form import FormProvider, KnownForm, LinearPiece
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least, is_more_than

_FACING = because("Facing", 21, "The front arc is the half ahead of the shoulders; any part of a base there is in it.")
_STRAIGHT_DEG = 5.0  # by so much a miniature may turn for the depth to change in proportion
IN_FRONT = "lies in the front arc of"
_INERT = because("Inert Warjacks", 59, "An inert warjack has no facing.", "It has neither front nor back.")
_STRAIGHT = because("Facing", 21, "It faces directly when the middle of its front arc runs through the other's centre.")
_INERT_LOOKS = because("Inert Warjacks", 59, "An inert warjack has no facing.", "It looks at nothing.")


def in_front_arc(table: ExactTable, query: InFrontArc) -> RuleResult:
    """Front arc: whether any part of the target is in the front arc. Source: Facing, p. 21."""
    if "inert" in table.miniature(query.viewer).status:
        return _answer_no_arc(query.viewer, query.target)
    return _answer_arc(table, query.viewer, query.target, sign=1.0, zero_is_met=_touch_is_front(table))


def in_back_arc(table: ExactTable, query: InBackArc) -> RuleResult:
    """Back arc: whether the target is wholly behind. Source: Facing, p. 21."""
    if "inert" in table.miniature(query.viewer).status:
        return _answer_no_arc(query.viewer, query.target)
    return _answer_arc(table, query.viewer, query.target, sign=-1.0, zero_is_met=not _touch_is_front(table))


def arc(table: ExactTable, query: Arc) -> RuleResult:
    """Front and back arc: which arc the target is in: in front as soon as any part of it is. Source: Facing, p. 21."""
    if "inert" in table.miniature(query.viewer).status:
        return RuleResult(status="measured", value={"arc": "none"}, because=(_INERT,), depends_on_place=(query.viewer,))
    result = _answer_arc(table, query.viewer, query.target, sign=1.0, zero_is_met=_touch_is_front(table))
    depth = result.margin_mm or 0.0
    front = lies_in_front(table, query.viewer, query.target, depth)
    return replace(result, status="measured", value={"arc": "front" if front else "back", "border_mm": depth})


def lies_in_front(table: ExactTable, viewer: str, target: str | Point, depth_mm: float) -> bool:
    """Whether so deep counts as in the front arc; on the line by the reading in force. Source: Facing, p. 21."""
    compare = is_at_least if _touch_is_front(table) else is_more_than
    on = ids_that_matter(target, viewer)
    return compare(depth_mm, 0.0, IN_FRONT, on, turning=(viewer,), lever_mm=lever_mm(table, viewer, target))


def lever_mm(table: ExactTable, viewer: str, target: str | Point) -> float:
    """By how much a depth in its arc changes at most per radian that it turns."""
    (x, y), area = table.centre(viewer), table.area(target)
    return max(math.dist((x, y), part.centre) + part.reach_mm for part in area.parts)


def arc_depth_mm(table: ExactTable, viewer: str, target: str | Point) -> float:
    """How deep the target reaches into the front arc; the cap where all round is front. Source: Facing, p. 21."""
    if table.miniature(viewer).front_arc_deg == 360:
        return CAPPED_MM
    return depth_mm(table.centre(viewer), table.facing_rad(viewer), table.area(target))


def arc_piece(table: ExactTable, viewer: str, target: str) -> LinearPiece:
    """That depth as it changes when either of the two moves or turns."""
    mine, its = ((id_, table.centre(id_)) for id_ in (viewer, target))
    return depth_piece(mine, table.facing_rad(viewer), its, table.area(target))


def arc_form(table: ExactTable, viewer: str, target: str | Point, *, sign: float = 1.0) -> FormProvider | None:
    """Tells the form of that depth, or of its negative; None where it bends as they move, or where nobody will ask."""
    if table.margins_only or table.places_mm or target not in table.miniatures or not table.base(str(target)).is_disc():
        return None
    me = table.miniature(viewer)
    if me.front_arc_deg == 360:
        return _is_all_round
    return None if me.sigma.facing_deg > _STRAIGHT_DEG else partial(_known_form, table, viewer, str(target), sign)


def swing_mm(table: ExactTable, viewer: str, target: str) -> float:
    """How far the arc line of the one goes to and fro by the other, its facing being as unsure as it is."""
    apart = math.dist(table.centre(viewer), table.centre(target))
    return radians(table.miniature(viewer).sigma.facing_deg) * apart


def _is_all_round(_sigma_mm: float, _sigma_rad: float) -> KnownForm:
    return KnownForm(LinearPiece(CAPPED_MM))


def _known_form(
    table: ExactTable, viewer: str, target: str, sign: float, _sigma_mm: float, _sigma_rad: float
) -> KnownForm:
    depth = arc_piece(table, viewer, target)
    return KnownForm(depth.scale(sign), {"depth": depth})


def _touch_is_front(table: ExactTable) -> bool:
    return table.reading("arc-line-touch") == "front"


def _answer_no_arc(viewer: str, target: str | Point) -> RuleResult:
    return RuleResult(margin_mm=-CAPPED_MM, because=(_INERT,), depends_on_place=ids_that_matter(viewer, target))


def _answer_arc(table: ExactTable, viewer: str, target: str | Point, *, sign: float, zero_is_met: bool) -> RuleResult:
    depth = arc_depth_mm(table, viewer, target)
    if depth >= CAPPED_MM:
        everywhere = (with_effect(table, _FACING, told_ahead(table, viewer, target, depth)),)
        return RuleResult(
            margin_mm=sign * CAPPED_MM, because=everywhere, depends_on_place=ids_that_matter(viewer, target)
        )
    centre, facing = table.centre(viewer), table.facing_rad(viewer)
    ahead = foremost(facing, table.area(target))
    length = max(abs(ahead[0] - centre[0]), abs(ahead[1] - centre[1]), 60.0)
    return RuleResult(
        margin_mm=sign * depth,
        zero_is_met=zero_is_met,
        value={"depth_mm": depth},
        lengths_mm={"depth": depth},
        witness=(arc_edge(viewer, centre, facing, length), depth_line(ahead, centre, facing, viewer)),
        because=(with_effect(table, _FACING, told_ahead(table, viewer, target, depth)),),
        readings=("arc-line-touch",),
        doubtful=("arc-line-touch",) if abs(depth) < 1e-6 else (),
        depends_on_place=ids_that_matter(viewer, target),
        depends_on_facing=(viewer,),
        form=arc_form(table, viewer, target, sign=sign),
    )


def directly_facing(table: ExactTable, query: DirectlyFacing) -> RuleResult:
    """Directly facing: whether the facing runs through the target's centre, within the tolerance.

    Source: Facing, p. 21.

    As with contact, what has to be exact is told by a tolerance, and how surely it is kept stays open: a facing
    measured to half a degree or better can be told to look straight at somebody, a rougher one cannot. Its tolerance is
    twice its sigma, which a true facing leaves one time in twenty at best; the players' word sets the facing exactly.
    """
    viewer = table.miniature(query.viewer)
    if "inert" in viewer.status:
        return RuleResult(margin_mm=-180.0, in_degrees=True, because=(_INERT_LOOKS,), depends_on_place=(query.viewer,))
    (x, y), (tx, ty) = table.centre(query.viewer), table.centre(query.target)
    facing = table.facing_rad(query.viewer)
    left = math.degrees(wrap_rad(math.atan2(ty - y, tx - x) - facing))
    error, tolerance = abs(left), max(table.state.facing_tolerance_deg, 2 * viewer.sigma.facing_deg)
    parts = tuple(
        RuleResult(
            margin_mm=tolerance - side,
            in_degrees=True,
            depends_on_place=(query.viewer, query.target),
            depends_on_facing=(query.viewer,),
        )
        for side in (left, -left)
    )
    away = math.dist((x, y), (tx, ty))
    ux, uy = direction(facing)
    return RuleResult(
        margin_mm=tolerance - error,
        in_degrees=True,
        conditions=parts,
        value={"error_deg": error, "tolerance_deg": tolerance},
        witness=(
            Witness(type="segment", role="arc", points_mm=((x, y), (x + ux * away, y + uy * away)), of=(query.viewer,)),
            Witness(type="segment", role="limit", points_mm=((x, y), (tx, ty)), of=(query.viewer, query.target)),
        ),
        because=(
            with_effect(
                table,
                _STRAIGHT,
                f"The facing of {name_of(table, query.viewer)} misses the middle of {name_of(table, query.target)} by "
                f"{error:.1f} degrees; {tolerance:.1f} are allowed.",
            ),
        ),
        depends_on_place=(query.viewer, query.target),
        depends_on_facing=(query.viewer,),
    )
