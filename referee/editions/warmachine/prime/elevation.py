"""Elevation: who stands on raised ground, and on which level."""

from pydantic import JsonValue

from models.queries import Elevation
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.miniatures.base_state import depth_in, elevates, elevation_mm, level
from referee.editions.warmachine.prime.parameters import because
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM, is_at_least

_ELEVATED = because("Does the Terrain Grant Elevation?", 78, "Who is completely inside the perimeter is elevated.")


def elevation(table: ExactTable, query: Elevation) -> RuleResult:
    """Elevation: whether it counts as elevated, and how high it stands.

    Source: Does the Terrain Grant Elevation?, p. 78.
    """
    raising = [t for t in table.state.terrain if elevates(t)]
    depths = {t.id: depth_in(table, query.who, (t.id,)) for t in raising}
    best = max(depths, key=lambda id_: depths[id_], default=None)
    margin = CAPPED_MM if level(table, query.who) > 0 else -CAPPED_MM
    if best is not None:
        margin = depths[best]
    on = [id_ for id_, depth in depths.items() if _is_elevated_by(depth, (query.who, id_), is_best=id_ == best)]
    return RuleResult(
        margin_mm=max(-CAPPED_MM, min(CAPPED_MM, margin)),
        value={
            "height_mm": elevation_mm(table, query.who),
            "level": level(table, query.who),
            "on": list[JsonValue](on),
        },
        lengths_mm={"inside": margin} if best is not None else {},
        witness=() if best is None else draw_perimeter(table, best),
        because=(_ELEVATED,),
        depends_on_place=(query.who,) if best is None else (query.who, best),
    )


def _is_elevated_by(depth_mm: float, on: tuple[str, str], *, is_best: bool) -> bool:
    """Whether so deep is completely within; of the deepest the margin itself tells."""
    return depth_mm >= -EXACT_MM if is_best else is_at_least(depth_mm, 0.0, "is completely within", on)


def draw_perimeter(table: ExactTable, id_: str) -> tuple[Witness, ...]:
    area = table.area(id_)
    if area.outline:
        return (Witness(type="polygon", role="limit", points_mm=area.outline, of=(id_,)),)
    part = area.parts[0]
    return (Witness(type="circle", role="limit", centre_mm=part.centre, radius_mm=part.reach_mm, of=(id_,)),)
