"""Fall: off what, how far, and how many dice; and where the table's edge stops a move."""

import math

from models.queries import Fall, TableEdge
from models.terrain import Terrain
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.base_state import surface_mm
from referee.editions.warmachine.movement.path import Path, path_of
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.containment import reach_into
from referee.geometry.distance import gap, inside_mm
from referee.geometry.shapes import RoundedShape
from referee.motion.travel_budget import Stop, first_edge_crossed, length_mm, place_after, place_shape
from referee.rules.candidates import evaluate_each, in_play, is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, Value, ask_for
from referee.rules.switches import is_at_least, is_more_than

LEAST_MM = inches(1)  # Source: Falling, p. 35
_FALL = because("Falling", 35, "Who is moved off a surface to another at least 1 full inch lower falls.")
_DICE = because("Falling", 35, "2d6 + 12, and another die for each further 2 in or part of them.")
_HILL = because("Hill", 79, "Nobody falls off a hill.")
_ON = because("Falling", 35, "It still stands on the surface.")
_UNDER = because("Falling", 35, "Whom it lands on is hurt too, unless on a larger base.")
_EDGE = because("Beyond the Play Area", 35, "What would leave the table stops at its edge, which is no obstacle.")
_STAY = because("Normal Movement & Advancing", 30, "Nobody advances off the table.")


def fall(table: ExactTable, query: Fall) -> RuleResult:
    """Fall: whether it falls; a drop of exactly an inch is a fall. Source: Falling, p. 35; Hill, p. 79."""
    if query.drop_in is not None:
        return _answer_drop(table, query, inches(query.drop_in), None)
    path = path_of(table, query.mover, query.path_mm)
    if path is None:
        return ask_for("drop_in or path_mm", because=(_FALL,), on=(query.mover,))
    left = _find_left(table, query, path[0], path[-1])
    if left is None:
        return RuleResult(
            margin_mm=-CAPPED_MM, value={"drop_mm": 0.0}, because=(_FALL, _ON), depends_on_place=(query.mover,)
        )
    if not terms_of(table).has_falls(table, left):
        return RuleResult(
            margin_mm=-CAPPED_MM, value={"drop_mm": 0.0}, because=(_HILL,), depends_on_place=(query.mover, left.id)
        )
    drop = (left.height_mm or surface_mm(left)) - _ground_below_mm(table, query.mover, path[-1], left.id)
    return _answer_drop(table, query, drop, path[-1])


def _find_left(table: ExactTable, query: Fall, start: Point, end: Point) -> Terrain | None:
    """The raised piece that it stood on and stands on no more. Source: Falling, p. 35."""
    raised = [t for t in table.state.terrain if surface_mm(t) > 0 and query.feature in (None, t.id)]
    on = [t for t in raised if _is_standing_on(table, query.mover, t.id, start)]
    off = [t for t in on if terms_of(table).is_off(table, query.mover, t, end)]
    return max(off, key=surface_mm, default=None)


def _is_standing_on(table: ExactTable, mover: str, feature: str, centre: Point) -> bool:
    depth = reach_into(place_shape(table.base(mover), centre), table.area(feature))
    return is_more_than(depth, 0.0, "stood on", (mover, feature))


def is_off(table: ExactTable, mover: str, feature: Terrain, centre: Point) -> bool:
    """Source: Falling, p. 35, which does not say what part of the base has to be off."""
    base, area = place_shape(table.base(mover), centre), table.area(feature.id)
    inside, on = reach_into(base, area), (mover, feature.id)
    reading = table.reading("fall-trigger")
    if reading == "wholly":
        return not is_at_least(inside, 0.0, "still touches", on)
    centre_in = inside_mm(centre, area.outline) if area.outline else inside - base.reach_mm
    if reading == "centre":
        return not is_at_least(centre_in, 0.0, "still has its centre on", on)
    return is_more_than(base.reach_mm - centre_in, LEAST_MM, "hangs more than an inch over the edge of", on)


def _ground_below_mm(table: ExactTable, mover: str, centre: Point, but: str) -> float:
    """The height of the ground where it comes down."""
    spot = RoundedShape((centre,))
    depths = [(t, reach_into(spot, table.area(t.id))) for t in table.state.terrain if t.id != but]
    under = [t for t, depth in depths if is_at_least(depth, 0.0, "has its centre come down on", (mover, t.id))]
    return max((surface_mm(t) for t in under), default=0.0)


def _answer_drop(table: ExactTable, query: Fall, drop: float, end: Point | None) -> RuleResult:
    result = RuleResult(margin_mm=drop - LEAST_MM, depends_on_place=(query.mover,))
    value: Value = {"drop_mm": drop, "dice": count_dice(table, drop) if is_zero_or_more(result) else None}
    under = _list_under(table, query.mover, end) if end is not None and is_zero_or_more(result) else ()

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        depth = -gap(
            place_shape(perturbed.base(query.mover), end or perturbed.centre(query.mover)), perturbed.base(id_)
        ).mm
        return RuleResult(margin_mm=depth, because=(_UNDER,), depends_on_place=(query.mover, id_))

    return RuleResult(
        margin_mm=result.margin_mm,
        value=value,
        lengths_mm={"drop": drop},
        witness=() if end is None else (Witness(type="point", role="hit", points_mm=(end,), of=(query.mover,)),),
        because=(_FALL, _DICE) if is_zero_or_more(result) else (_FALL,),
        depends_on_place=(query.mover,),
        members=evaluate_each(table, under, about),
    )


def count_dice(table: ExactTable, drop_mm: float) -> Value:
    """The damage roll of a fall. Source: Falling, p. 35."""
    terms = terms_of(table)
    further = max(0.0, drop_mm - terms.fall_free_mm)
    return {"count": 2 + math.ceil(further / terms.fall_step_mm - 1e-9), "plus": terms.fall_plus}


def has_falls(table: ExactTable, raised: Terrain) -> bool:
    """Whether one falls off it at all. Source: Hill, p. 79."""
    return raised.kind != "hill"


def _list_under(table: ExactTable, mover: str, end: Point) -> tuple[str, ...]:
    """Whom it lands on."""
    base = place_shape(table.base(mover), end)
    apart = {id_: gap(base, table.base(id_)).mm for id_ in in_play(table, mover)}
    return tuple(id_ for id_, mm in apart.items() if is_at_least(0.0, mm, "is landed on by", (id_, mover)))


def far_side_mm(table: ExactTable, distance_in: float | None) -> float:
    """The length told, else right across the table."""
    size = table.state.table
    return math.hypot(size.width_mm, size.depth_mm) if distance_in is None else inches(distance_in)


def table_edge(table: ExactTable, query: TableEdge) -> RuleResult:
    """Table edge: what becomes of a move at the table's edge. Source: Beyond the Play Area, p. 35."""
    path = path_of(
        table,
        query.mover,
        query.path_mm,
        heading_deg=query.heading_deg,
        distance_mm=far_side_mm(table, query.distance_in),
    )
    if path is None:
        return ask_for("path_mm", because=(_EDGE,), on=(query.mover,))
    room = to_edge_mm(table, query.mover, path)
    leaves = not is_at_least(depth_on_table_mm(table, query.mover, path), 0.0, "stays on the table", (query.mover,))
    result = ("not-allowed" if query.cause == "move" else "stops") if leaves else "stays"
    end = place_after(path, min(room, length_mm(path)))
    return RuleResult(
        status="measured",
        value={"result": result, "to_edge_mm": room, "poses": {query.mover: {"at_mm": list(end)}}},
        lengths_mm={"to_edge": room},
        witness=(Witness(type="segment", role="path", points_mm=(path[0], end), of=(query.mover,)),),
        because=(_STAY if query.cause == "move" else _EDGE,),
        readings=("edge-stop",) if leaves else (),
        depends_on_place=(query.mover,),
    )


def depth_on_table_mm(table: ExactTable, mover: str, path: Path) -> float:
    """How far all that has to stay on the table stays inside its edges on the whole path; negative by how far not."""
    size, base = table.state.table, _stopped_part(table, mover)
    placed = [place_shape(base, point) for point in path]
    return min(
        min(x, y, size.width_mm - x, size.depth_mm - y) - base.radius_mm
        for placed_base in placed
        for x, y in placed_base.points
    )


def to_edge_mm(table: ExactTable, mover: str, path: Path) -> float:
    """After how much travel the base reaches the table's edge; the path's length when it does not.

    Source: Beyond the Play Area, p. 35.
    """
    over = edge_met(table, mover, path)
    return length_mm(path) if over is None else over.after_mm


def edge_met(table: ExactTable, mover: str, path: Path) -> Stop | None:
    """The edge at which what would leave the table stops, and after how much travel. Source: p. 35."""
    size = table.state.table
    return first_edge_crossed(_stopped_part(table, mover), path, (size.width_mm, size.depth_mm))


def _stopped_part(table: ExactTable, mover: str) -> RoundedShape:
    """What of a base the edge stops."""
    base = table.base(mover)
    return RoundedShape((base.centre,)) if table.reading("edge-stop") == "centre" else base
