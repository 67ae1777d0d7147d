"""Fields of fire: the two quarters ahead of a huge base, and which grid of a colossal takes the damage."""

import math

from models.queries import DamageGrid, FieldOfFire
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.arcs import arc_edge, direction
from referee.editions.warmachine_prime.arcs import arc_depth_mm
from referee.editions.warmachine_prime.damage import origin_of
from referee.editions.warmachine_prime.distances import touched
from referee.editions.warmachine_prime.ground import is_huge
from referee.editions.warmachine_prime.parameters import because
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.shapes import Area, Rounded
from referee.situation import Situation
from referee.telling import applied, length, name_of

_FIELDS = because(
    "Huge-Based Models & Line of Sight", 39, "A weapon on one side reaches only the quarter ahead on that side."
)
_LINE = because("Huge-Based Models & Line of Sight", 39, "A base on the line between the quarters is in both.")
_WHOLE = because(
    "Facing", 21, "Only huge bases have two fields of fire.", "Every weapon here bears on the whole front arc."
)
_INERT = because("Inert Warjacks", 59, "An inert warjack has no facing.", "Nothing is in its fields.")
_GRIDS = because(
    "Damaging a Colossal", 58, "The grid on the side the damage comes from takes it; dead ahead or behind one chooses."
)
_FAR_MM = 1e4  # farther than any table


def field_of_fire(table: Situation, query: FieldOfFire) -> Ruling:
    """Whether some part of the target is in that quarter; the lines belong to it. Source: p. 39."""
    if "inert" in table.miniature(query.attacker).status:
        return Ruling(margin_mm=-CAPPED_MM, value={"fields": []}, because=(_INERT,), touches=(query.attacker,))
    return field_ruling(table, query.attacker, query.target, query.location)


def field_ruling(table: Situation, attacker: str, target: str, location: str) -> Ruling:
    """The ruling on one field of fire; all of the front arc for a base that is not huge. Source: p. 39."""
    depths = field_depths(table, attacker, target)
    fields = [side for side, depth in depths.items() if depth >= -1e-9]
    huge = is_huge(table.miniature(attacker))
    return Ruling(
        margin_mm=depths[location],
        value={"fields": list(fields), **{f"{side}_mm": depth for side, depth in depths.items()}},
        lengths_mm={side: depth for side, depth in depths.items() if abs(depth) < CAPPED_MM},
        witness=_lines(table, attacker),
        because=(applied(table, _FIELDS, _told(table, target, location, depths[location])), _LINE)
        if huge
        else (_WHOLE,),
        touches=(attacker, target),
        faces=(attacker,),
    )


def _told(table: Situation, target: str, location: str, depth_mm: float) -> str:
    how = f"reaches {length(depth_mm)} into" if depth_mm >= 0 else f"stays {length(-depth_mm)} out of"
    return f"{name_of(table, target)} {how} the {location} field."


def field_depths(table: Situation, attacker: str, target: str | Point) -> dict[str, float]:
    """How deep the target lies in the left and the right field of fire; negative by how far outside. Source: p. 39."""
    if not is_huge(table.miniature(attacker)):
        depth = arc_depth_mm(table, attacker, target)
        return {"left": depth, "right": depth}
    area = table.area(target)
    return {side: -area_gap(Area((_quarter(table, attacker, side),)), area).mm for side in ("left", "right")}


def _quarter(table: Situation, attacker: str, side: str) -> Rounded:
    x, y = table.centre(attacker)
    turn = table.facing_rad(attacker) + (0.0 if side == "left" else -math.pi / 2)
    u, v = direction(turn), direction(turn + math.pi / 2)
    corners = ((0.0, 0.0), (_FAR_MM, 0.0), (_FAR_MM, _FAR_MM), (0.0, _FAR_MM))
    return Rounded(tuple((x + a * u[0] + b * v[0], y + a * u[1] + b * v[1]) for a, b in corners))


def _lines(table: Situation, attacker: str) -> tuple[Witness, ...]:
    centre, facing = table.centre(attacker), table.facing_rad(attacker)
    ux, uy = direction(facing)
    ahead = (centre[0] + 300.0 * ux, centre[1] + 300.0 * uy)
    middle = Witness(type="segment", role="arc", points_mm=(centre, ahead), of=(attacker,))
    return (arc_edge(attacker, centre, facing, 300.0), middle)


def damage_grid(table: Situation, query: DamageGrid) -> Ruling:
    """Which of a colossal's two grids takes damage from this origin. Source: Damaging a Colossal, p. 58."""
    target = table.miniature(query.target)
    if not is_huge(target) or target.type not in (None, "warjack"):
        return Ruling(
            status="refused", because=(_GRIDS,), advice=f"Only colossals have two grids; {query.target} has not."
        )
    if query.origin is None or "inert" in target.status:
        return Ruling(
            status="measured", value={"grid": "random"}, because=(_GRIDS,), advice="Roll: 1-3 left, 4-6 right."
        )
    origin = origin_of(table, query.origin)
    depths = field_depths(table, query.target, origin)
    arc = arc_depth_mm(table, query.target, origin)
    grid = _grid(depths, is_attacker=query.origin in table.miniatures)
    return Ruling(
        status="measured",
        margin_mm=min((*depths.values(), arc), key=abs),
        value={"grid": grid, "left_mm": depths["left"], "right_mm": depths["right"], "arc_mm": arc},
        lengths_mm={**depths, "arc": arc},
        witness=_lines(table, query.target),
        because=(applied(table, _GRIDS, _side_told(grid, depths)),),
        touches=touched(query.target, query.origin),
        faces=(query.target,),
        advice="Roll: 1-3 left, 4-6 right." if grid == "random" else None,
    )


def _side_told(grid: str, depths: dict[str, float]) -> str:
    if grid in depths:
        other = "right" if grid == "left" else "left"
        return f"It comes from the {grid} field alone, {length(-depths[other])} off the {other} one."
    if min(depths.values()) >= 0:
        return f"It comes from dead ahead, at least {length(min(depths.values()))} into both fields."
    return f"It comes from behind, {length(-max(depths.values()))} off both fields."


def _grid(depths: dict[str, float], *, is_attacker: bool) -> str:
    """The side it is in; in both or in neither the attacker chooses, and other damage is drawn."""
    fields = [side for side, depth in depths.items() if depth >= -1e-9]
    if len(fields) == 1:
        return fields[0]
    return "choose" if is_attacker else "random"
