"""Arcs: who is in front or behind, or faced directly, which arm of a colossal bears, and where damage falls."""

import math
from dataclasses import replace
from functools import partial

from models.queries import Arc, DamageArc, DamageGrid, DirectlyFacing, FieldOfFire, InBackArc, InFrontArc
from models.unit_conversion import radians, wrap_rad
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.base_state import is_huge
from referee.editions.warmachine.miniatures.distances import ids_that_matter
from referee.editions.warmachine.parameters import because
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, RoundedShape
from referee.margins.front_arc import arc_edge, depth_line, depth_mm, depth_piece, direction, foremost
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import describe_arc_depth as told_ahead
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.margin_form import FormProvider, KnownForm, LinearPiece
from referee.rules.rule_result import RuleResult, Value, ask_for
from referee.rules.switches import is_at_least, is_more_than

_FACING = because("Facing", 21, "The front arc is the half ahead of the shoulders; any part of a base there is in it.")
_STRAIGHT_DEG = 5.0  # by so much a miniature may turn for the depth to change in proportion
IN_FRONT = "lies in the front arc of"
_INERT = because("Inert Warjacks", 59, "An inert warjack has no facing.", "It has neither front nor back.")
_STRAIGHT = because("Facing", 21, "It faces directly when the middle of its front arc runs through the other's centre.")
_INERT_LOOKS = because("Inert Warjacks", 59, "An inert warjack has no facing.", "It looks at nothing.")
_FIELDS = because(
    "Huge-Based Models & Line of Sight", 39, "A weapon on one side reaches only the quarter ahead on that side."
)
_LINE = because("Huge-Based Models & Line of Sight", 39, "A base on the line between the quarters is in both.")
_WHOLE = because(
    "Facing", 21, "Only huge bases have two fields of fire.", "Every weapon here bears on the whole front arc."
)
_INERT_FIELDS = because("Inert Warjacks", 59, "An inert warjack has no facing.", "Nothing is in its fields.")
_GRIDS = because(
    "Damaging a Colossal", 58, "The grid on the side the damage comes from takes it; dead ahead or behind one chooses."
)
_FAR_MM = 1e4  # farther than any table
_SHIELD = because("Weapon Qualities", 20, "Shield and buckler do not count against damage that comes from behind.")
_ORIGIN = because(
    "Point of Origin & Origin of Damage",
    40,
    "A direct hit comes from where the attack does, a blast from the point of impact, a chain from its last hop.",
)
_FREE = because(
    "Free Strikes", 44, "A free strike counts as made from the back arc.", "Shield and buckler do not count."
)
_INERT_UNSHIELDED = because("Inert Warjacks", 59, "An inert warjack has no facing and no bonus for shields.")
_WILD = because("Wild Warbeasts", 103, "A wild warbeast has no bonus for shields and bucklers.")
_BARE = {"inert": _INERT_UNSHIELDED, "wild": _WILD}


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


def field_of_fire(table: ExactTable, query: FieldOfFire) -> RuleResult:
    """Field of fire: whether some part of the target is in that quarter; the lines belong to it. Source: p. 39."""
    if "inert" in table.miniature(query.attacker).status:
        return RuleResult(
            margin_mm=-CAPPED_MM, value={"fields": []}, because=(_INERT_FIELDS,), depends_on_place=(query.attacker,)
        )
    return check_field(table, query.attacker, query.target, query.location)


def check_field(table: ExactTable, attacker: str, target: str, location: str) -> RuleResult:
    """The result on one field of fire; all of the front arc for a base that is not huge. Source: p. 39."""
    depths = field_depths(table, attacker, target)
    fields = [side for side, depth in depths.items() if lies_in_field(table, attacker, target, side, depth)]
    huge = is_huge(table.miniature(attacker))
    return RuleResult(
        margin_mm=depths[location],
        value={"fields": list(fields), **{f"{side}_mm": depth for side, depth in depths.items()}},
        lengths_mm={side: depth for side, depth in depths.items() if abs(depth) < CAPPED_MM},
        witness=_lines(table, attacker),
        because=(with_effect(table, _FIELDS, _describe_depth(table, target, location, depths[location])), _LINE)
        if huge
        else (_WHOLE,),
        depends_on_place=(attacker, target),
        depends_on_facing=(attacker,),
    )


def _describe_depth(table: ExactTable, target: str, location: str, depth_mm: float) -> str:
    how = f"reaches {format_length(depth_mm)} into" if depth_mm >= 0 else f"stays {format_length(-depth_mm)} out of"
    return f"{name_of(table, target)} {how} the {location} field."


def field_depths(table: ExactTable, attacker: str, target: str | Point) -> dict[str, float]:
    """How deep the target lies in the left and the right field of fire; negative by how far outside. Source: p. 39."""
    if not is_huge(table.miniature(attacker)):
        depth = arc_depth_mm(table, attacker, target)
        return {"left": depth, "right": depth}
    area = table.area(target)
    return {side: -area_gap(Area((_quarter(table, attacker, side),)), area).mm for side in ("left", "right")}


def lies_in_field(table: ExactTable, attacker: str, target: str | Point, side: str, depth_mm: float) -> bool:
    """Whether so deep counts as in that field; its lines belong to it. Source: p. 39."""
    on, lever = ids_that_matter(target, attacker), lever_mm(table, attacker, target)
    return is_at_least(depth_mm, 0.0, f"lies in the {side} field of", on, turning=(attacker,), lever_mm=lever)


def _quarter(table: ExactTable, attacker: str, side: str) -> RoundedShape:
    x, y = table.centre(attacker)
    turn = table.facing_rad(attacker) + (0.0 if side == "left" else -math.pi / 2)
    u, v = direction(turn), direction(turn + math.pi / 2)
    corners = ((0.0, 0.0), (_FAR_MM, 0.0), (_FAR_MM, _FAR_MM), (0.0, _FAR_MM))
    return RoundedShape(tuple((x + a * u[0] + b * v[0], y + a * u[1] + b * v[1]) for a, b in corners))


def _lines(table: ExactTable, attacker: str) -> tuple[Witness, ...]:
    centre, facing = table.centre(attacker), table.facing_rad(attacker)
    ux, uy = direction(facing)
    ahead = (centre[0] + 300.0 * ux, centre[1] + 300.0 * uy)
    middle = Witness(type="segment", role="arc", points_mm=(centre, ahead), of=(attacker,))
    return (arc_edge(attacker, centre, facing, 300.0), middle)


def damage_grid(table: ExactTable, query: DamageGrid) -> RuleResult:
    """Damage grid: which of a colossal's two grids takes damage from this origin.

    Source: Damaging a Colossal, p. 58.
    """
    target = table.miniature(query.target)
    if not is_huge(target) or target.type not in (None, "warjack"):
        return RuleResult(
            status="refused", because=(_GRIDS,), advice=f"Only colossals have two grids; {query.target} has not."
        )
    if query.origin is None or "inert" in target.status:
        return RuleResult(
            status="measured", value={"grid": "random"}, because=(_GRIDS,), advice="Roll: 1-3 left, 4-6 right."
        )
    origin = origin_of(table, query.origin)
    depths = field_depths(table, query.target, origin)
    ahead = arc_depth_mm(table, query.target, origin)
    fields = [side for side, depth in depths.items() if lies_in_field(table, query.target, origin, side, depth)]
    grid = _grid(fields, is_attacker=query.origin in table.miniatures)
    return RuleResult(
        status="measured",
        margin_mm=min((*depths.values(), ahead), key=abs),
        value={"grid": grid, "left_mm": depths["left"], "right_mm": depths["right"], "arc_mm": ahead},
        lengths_mm={**depths, "arc": ahead},
        witness=_lines(table, query.target),
        because=(with_effect(table, _GRIDS, _describe_side(grid, depths)),),
        depends_on_place=ids_that_matter(query.target, query.origin),
        depends_on_facing=(query.target,),
        advice="Roll: 1-3 left, 4-6 right." if grid == "random" else None,
    )


def _describe_side(grid: str, depths: dict[str, float]) -> str:
    if grid in depths:
        other = "right" if grid == "left" else "left"
        return f"It comes from the {grid} field alone, {format_length(-depths[other])} off the {other} one."
    if min(depths.values()) >= 0:
        return f"It comes from dead ahead, at least {format_length(min(depths.values()))} into both fields."
    return f"It comes from behind, {format_length(-max(depths.values()))} off both fields."


def _grid(fields: list[str], *, is_attacker: bool) -> str:
    """The side it is in; in both or in neither the attacker chooses, and other damage is drawn."""
    if len(fields) == 1:
        return fields[0]
    return "choose" if is_attacker else "random"


def damage_arc(table: ExactTable, query: DamageArc) -> RuleResult:
    """Damage arc: whether the damage comes from the front: a base by any part of it, a point by itself.

    Source: Weapon Qualities, p. 20; Point of Origin & Origin of Damage, p. 40; Free Strikes, p. 44.
    """
    if query.cause == "free-strike":
        value: Value = {"arc": "back", "origin": query.attacker}
        return RuleResult(margin_mm=-CAPPED_MM, value=value, because=(_SHIELD, _FREE), depends_on_place=(query.target,))
    for status, reason in _BARE.items():
        if status in table.miniature(query.target).status:
            return RuleResult(
                margin_mm=-CAPPED_MM, value={"arc": "none"}, because=(reason,), depends_on_place=(query.target,)
            )
    origin = _find_origin(table, query)
    if origin is None:
        return ask_for("attacker" if query.cause == "direct-hit" else "origin", because=(_ORIGIN,), on=(query.target,))
    return _answer_origin(table, query.target, origin)


def _answer_origin(table: ExactTable, target: str, origin: str | Point) -> RuleResult:
    depth = arc_depth_mm(table, target, origin)
    front = depth > 1e-6 or (depth >= -1e-6 and table.reading("arc-line-touch") == "front")
    all_round = depth >= CAPPED_MM
    line = () if all_round else (arc_edge(target, table.centre(target), table.facing_rad(target), 100.0),)
    return RuleResult(
        margin_mm=depth,
        zero_is_met=table.reading("arc-line-touch") == "front",
        value={"arc": "front" if front else "back", "origin": origin if isinstance(origin, str) else list(origin)},
        lengths_mm={} if all_round else {"depth": depth},
        witness=line,
        because=(_SHIELD, with_effect(table, _ORIGIN, told_ahead(table, target, origin, depth))),
        readings=("arc-line-touch",),
        doubtful=("arc-line-touch",) if abs(depth) < 1e-6 else (),
        depends_on_place=ids_that_matter(target, origin),
        depends_on_facing=(target,),
    )


def _find_origin(table: ExactTable, query: DamageArc) -> str | Point | None:
    """Where the damage comes from: of an area its centre, of a blast about a base the middle of that base.

    Source: Point of Origin & Origin of Damage, p. 40; Point of Impact & Origin of Damage, p. 53.
    """
    if query.origin is None:
        return query.attacker if query.cause == "direct-hit" else None
    return _centroid_of(table, query.origin) if query.cause == "blast" else origin_of(table, query.origin)


def origin_of(table: ExactTable, place: str | Point) -> str | Point:
    """The origin of damage: a miniature by its base, anything else by its middle. Source: p. 40."""
    return place if isinstance(place, str) and place in table.miniatures else _centroid_of(table, place)


def _centroid_of(table: ExactTable, place: str | Point) -> Point:
    """The middle of a place on the table. Source: Point of Origin & Origin of Damage, p. 40: where areas hurt from."""
    if not isinstance(place, str):
        return place
    area = table.area(place)
    corners = area.outline or area.parts[0].points
    return (sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners))
