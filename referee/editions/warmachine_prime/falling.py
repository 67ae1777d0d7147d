"""Falls: off what, how far, and how many dice."""

import math

from pydantic import JsonValue

from models.queries import Fall
from models.terrain import Terrain
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.areas import reach_into
from referee.candidates import considered, in_play, is_met
from referee.editions.warmachine_prime.ground import surface_mm
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.paths import path_of
from referee.editions.warmachine_prime.terms import terms_of
from referee.gaps import gap, inside_mm
from referee.ruling import Ruling
from referee.shapes import Rounded
from referee.situation import Situation
from referee.travel import at

LEAST_MM = inches(1)  # Source: Falling, p. 35
_FALL = because("Falling", 35, "Who is moved off a surface to another at least 1 full inch lower falls.")
_DICE = because("Falling", 35, "2d6 + 12, and another die for each further 2 in or part of them.")
_HILL = because("Hill", 79, "Nobody falls off a hill.")
_ON = because("Falling", 35, "It still stands on the surface.")
_UNDER = because("Falling", 35, "Whom it lands on is hurt too, unless on a larger base.")


def fall(table: Situation, query: Fall) -> Ruling:
    """Whether it falls; a drop of exactly an inch is a fall. Source: Falling, p. 35; Hill, p. 79."""
    if query.drop_in is not None:
        return _of_drop(table, query, inches(query.drop_in), None)
    path = path_of(table, query.mover, query.path_mm)
    if path is None:
        return Ruling(status="unknown", needs=("drop_in or path_mm",), because=(_FALL,), touches=(query.mover,))
    left = _left(table, query, path[0], path[-1])
    if left is None:
        return Ruling(margin_mm=-CAPPED_MM, value={"drop_mm": 0.0}, because=(_FALL, _ON), touches=(query.mover,))
    if not terms_of(table).has_falls(table, left):
        return Ruling(margin_mm=-CAPPED_MM, value={"drop_mm": 0.0}, because=(_HILL,), touches=(query.mover, left.id))
    drop = (left.height_mm or surface_mm(left)) - _ground_under(table, path[-1], left.id)
    return _of_drop(table, query, drop, path[-1])


def _left(table: Situation, query: Fall, start: Point, end: Point) -> Terrain | None:
    """The raised piece that it stood on and stands on no more. Source: Falling, p. 35."""
    raised = [t for t in table.state.terrain if surface_mm(t) > 0 and query.feature in (None, t.id)]
    on = [t for t in raised if _stands(table, query.mover, t.id, start)]
    off = [t for t in on if terms_of(table).is_off(table, query.mover, t, end)]
    return max(off, key=surface_mm, default=None)


def _stands(table: Situation, mover: str, feature: str, centre: Point) -> bool:
    return reach_into(at(table.base(mover), centre), table.area(feature)) > 0


def is_off(table: Situation, mover: str, feature: Terrain, centre: Point) -> bool:
    """Source: Falling, p. 35, which does not say what part of the base has to be off."""
    base, area = at(table.base(mover), centre), table.area(feature.id)
    inside = reach_into(base, area)
    reading = table.reading("fall-trigger")
    if reading == "wholly":
        return inside < 0
    centre_in = inside_mm(centre, area.outline) if area.outline else inside - base.reach_mm
    return centre_in < 0 if reading == "centre" else base.reach_mm - centre_in > LEAST_MM


def _ground_under(table: Situation, centre: Point, but: str) -> float:
    """The height of the ground where it comes down."""
    under = (t for t in table.state.terrain if t.id != but and reach_into(Rounded((centre,)), table.area(t.id)) >= 0)
    return max((surface_mm(t) for t in under), default=0.0)


def _of_drop(table: Situation, query: Fall, drop: float, end: Point | None) -> Ruling:
    ruling = Ruling(margin_mm=drop - LEAST_MM, touches=(query.mover,))
    value: dict[str, JsonValue] = {"drop_mm": drop, "dice": dice(table, drop) if is_met(ruling) else None}
    under = _under(table, query.mover, end) if end is not None and is_met(ruling) else ()

    def about(nudged: Situation, id_: str) -> Ruling:
        depth = -gap(at(nudged.base(query.mover), end or nudged.centre(query.mover)), nudged.base(id_)).mm
        return Ruling(margin_mm=depth, because=(_UNDER,), touches=(query.mover, id_))

    return Ruling(
        margin_mm=ruling.margin_mm,
        value=value,
        lengths_mm={"drop": drop},
        witness=() if end is None else (Witness(type="point", role="hit", points_mm=(end,), of=(query.mover,)),),
        because=(_FALL, _DICE) if is_met(ruling) else (_FALL,),
        touches=(query.mover,),
        members=considered(table, under, about),
    )


def dice(table: Situation, drop_mm: float) -> dict[str, JsonValue]:
    """The damage roll of a fall. Source: Falling, p. 35."""
    terms = terms_of(table)
    further = max(0.0, drop_mm - terms.fall_free_mm)
    return {"count": 2 + math.ceil(further / terms.fall_step_mm - 1e-9), "plus": terms.fall_plus}


def has_falls(table: Situation, raised: Terrain) -> bool:
    """Whether one falls off it at all. Source: Hill, p. 79."""
    return raised.kind != "hill"


def _under(table: Situation, mover: str, end: Point) -> tuple[str, ...]:
    """Whom it lands on."""
    base = at(table.base(mover), end)
    return tuple(id_ for id_ in in_play(table, mover) if gap(base, table.base(id_)).mm <= 0)
