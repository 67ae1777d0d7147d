"""Least disturbance: who makes room for a base that came to lie on others, and how clear a base lies."""

from collections.abc import Iterable
from dataclasses import replace

from pydantic import JsonValue

from models.queries import LeastDisturbance
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.base_state import is_massive
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terrain.features import OBSTACLES, OBSTRUCTIONS, counts_as, ground_of
from referee.geometry.distance import area_gap, gap
from referee.geometry.shapes import Area, RoundedShape
from referee.motion.least_disturbance import Displacement, nearest_free, resolve_least_disturbance
from referee.rules.candidates import in_play
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least, is_more_than

_STAYS = because("Rule of Least Disturbance", 35, "What moved stays; the fewest others move, together the least.")
_IMMOVABLE = because("Rule of Least Disturbance", 35, "Over a base that cannot be moved the moving one makes room.")
_TIES = because("Rule of Least Disturbance", 35, "Where several places are as near one is drawn.")
_CLEAR = because("Rule of Least Disturbance", 35, "Nothing lies under it; nobody is moved.")
_BEYOND_MM = 500.0  # as far out as anything could be moved over the table's edge
ROOM = because("Placed", 36, "There has to be room for the base, off other bases, obstacles and obstructions.")
_NOWHERE = because("Placed", 36, "Nothing is placed in impassable terrain.")
_FLAG = because("Flags", 82, "Who does not get wholly past a flag stops short of it.")
_TABLE = because("Beyond the Play Area", 35, "Nothing is placed beyond the table's edge.")


def least_disturbance(table: ExactTable, query: LeastDisturbance) -> RuleResult:
    """Least disturbance: who is moved aside, and where to, so that no bases overlap.

    Source: Rule of Least Disturbance, p. 35.
    """
    under = _list_under(table, query.mover)
    fixed = [id_ for id_ in under if is_massive(table.miniature(id_))]  # Source: Massive, p. 67, 75, 99
    if fixed:
        displaced = Displacement(*_move_mover_instead(table, query.mover))
    elif under:
        solid = _immovable_shapes(table, query.mover, *(i for i in in_play(table, query.mover) if i not in under))
        displaced = resolve_least_disturbance({id_: table.base(id_) for id_ in under}, solid)
    else:
        displaced = Displacement({}, 0.0)
    ties: list[JsonValue] = [id_ for id_ in displaced.places if _is_centred(table, query.mover, id_)]
    reasons = (_CLEAR,) if not under else ((_IMMOVABLE,) if fixed else (_STAYS,))
    return RuleResult(
        status="measured",
        value={
            "poses": {id_: {"at_mm": list(at)} for id_, at in displaced.places.items()},
            "total_mm": displaced.total_mm,
            "ties": ties,
        },
        lengths_mm={"total": displaced.total_mm},
        witness=tuple(w for id_, at in displaced.places.items() for w in _draw_displaced(table, id_, at)),
        because=(*reasons, *((_TIES,) if ties else ())),
        readings=("displaced",),
        depends_on_place=(query.mover, *under),
    )


def _list_under(table: ExactTable, mover: str) -> tuple[str, ...]:
    """Those it lies on; what only touches stays."""
    base, tolerance = table.base(mover), table.state.contact_tolerance_mm
    apart = {id_: gap(base, table.base(id_)).mm for id_ in in_play(table, mover)}
    return tuple(id_ for id_, mm in apart.items() if is_more_than(-mm, tolerance, "lies under", (id_, mover)))


def _move_mover_instead(table: ExactTable, mover: str) -> tuple[dict[str, Point], float]:
    """Source: Rule of Least Disturbance, p. 35: over what cannot be moved the mover makes room."""
    solid = _immovable_shapes(table, *in_play(table, mover))
    at = nearest_free(table.base(mover), solid)
    x, y = table.centre(mover)
    return {mover: at}, ((at[0] - x) ** 2 + (at[1] - y) ** 2) ** 0.5


def _immovable_shapes(table: ExactTable, *ids: str) -> list[RoundedShape]:
    """What keeps its place: these bases, solid terrain, and what lies beyond the table's edge."""
    bases = [table.base(id_) for id_ in ids]
    ground = [part for id_ in solid_terrain(table) for part in table.area(id_).parts]
    return [*bases, *ground, *_shapes_beyond_table(table)]


def _shapes_beyond_table(table: ExactTable) -> list[RoundedShape]:
    width, depth = table.state.table.width_mm, table.state.table.depth_mm
    far = _BEYOND_MM
    boxes = ((-far, -far, width + far, 0.0), (-far, depth, width + far, depth + far), (-far, -far, 0.0, depth + far),
             (width, -far, width + far, depth + far))  # fmt: skip
    return [RoundedShape(((x0, y0), (x1, y0), (x1, y1), (x0, y1))) for x0, y0, x1, y1 in boxes]


def _is_centred(table: ExactTable, mover: str, id_: str) -> bool:
    """Whether it lay right under the middle, so that no way out is shorter than another."""
    (ax, ay), (bx, by) = table.centre(mover), table.centre(id_)
    return abs(ax - bx) < 1e-6 and abs(ay - by) < 1e-6


def _draw_displaced(table: ExactTable, id_: str, at: Point) -> tuple[Witness, ...]:
    base = table.base(id_)
    return (
        Witness(type="segment", role="path", points_mm=(base.centre, at), of=(id_,)),
        Witness(type="circle", role="hit", centre_mm=at, radius_mm=base.reach_mm, of=(id_,)),
    )


def clearance_of_bases(table: ExactTable, mover: str) -> RuleResult:
    """The clearance to the nearest other base; touching is allowed. Source: Placed, p. 36."""
    base = table.base(mover)
    apart = [(gap(base, table.base(id_)).mm, id_) for id_ in in_play(table, mover)]
    least, nearest = min(apart, default=(CAPPED_MM, mover))
    return RuleResult(margin_mm=min(CAPPED_MM, least), because=(ROOM,), depends_on_place=(mover, nearest))


def solid_terrain(table: ExactTable) -> tuple[str, ...]:
    """Obstacles, obstructions and impassable ground, but what one may stand on. Source: Placed, p. 36."""
    solid_ids = []
    for piece in table.state.terrain:
        counts = counts_as(table, piece) or "obstruction"
        solid = counts in OBSTACLES | OBSTRUCTIONS or ground_of(piece, counts) == "impassable"
        if solid and piece.kind != "terraced-obstruction" and not piece.stand_on:
            solid_ids.append(piece.id)
    return tuple(solid_ids)


def clearance_of_terrain(table: ExactTable, mover: str, *but: str) -> RuleResult:
    """The clearance to obstacles, obstructions and impassable ground. Source: Placed, p. 36."""
    return _clearance_of(table, mover, [id_ for id_ in solid_terrain(table) if id_ not in but], ROOM, _NOWHERE)


def clearance_of_flags(table: ExactTable, mover: str) -> RuleResult:
    """The clearance to flags, upon which no move ends. Source: Flags, p. 82."""
    return _clearance_of(table, mover, [o.id for o in table.state.objectives if o.kind == "flag"], _FLAG)


def _clearance_of(table: ExactTable, mover: str, ids: Iterable[str], *reasons: Reason) -> RuleResult:
    base = Area((table.base(mover),))
    apart = [(area_gap(base, table.area(id_)).mm, id_) for id_ in ids]
    least, nearest = min(apart, default=(CAPPED_MM, mover))
    return RuleResult(margin_mm=min(CAPPED_MM, least), because=reasons, depends_on_place=(mover, nearest))


def check_end(table: ExactTable, mover: str, *but: str) -> RuleResult:
    """Whether a base may end where it stands: on the table, off bases, flags and solid ground `but` what it is upon.

    Source: Normal Movement & Advancing, p. 30; Flags, p. 82.
    """
    clearances = (clearance_of_bases(table, mover), clearance_of_terrain(table, mover, *but),
                  clearance_of_flags(table, mover), clearance_of_edge(table, mover))  # fmt: skip
    return settle_clearance(table, min(clearances, key=lambda clearance: clearance.decisive_mm))


def settle_clearance(table: ExactTable, clearance: RuleResult) -> RuleResult:
    """Nothing to tell while there is room; touching is allowed."""
    clear_mm, on = clearance.margin_mm or 0.0, clearance.depends_on_place
    if is_at_least(clear_mm, -table.state.contact_tolerance_mm, "has room beside", on):
        return replace(clearance, margin_mm=CAPPED_MM, because=())
    return clearance


def clearance_of_edge(table: ExactTable, mover: str) -> RuleResult:
    """How far inside the table's edges the base lies. Source: Beyond the Play Area, p. 35."""
    size, base = table.state.table, table.base(mover)
    inside = min(min(x, y, size.width_mm - x, size.depth_mm - y) for x, y in base.points) - base.radius_mm
    return RuleResult(margin_mm=min(CAPPED_MM, inside), because=(_TABLE,), depends_on_place=(mover,))
