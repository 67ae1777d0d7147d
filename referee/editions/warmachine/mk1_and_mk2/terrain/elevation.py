"""Elevation: who stands on raised ground, by the middle of its base."""

from models.queries import Elevation
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.miniatures.base_state import elevates, elevation_mm, level, surface_mm
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.editions.warmachine.mk1_and_mk2.terrain.ground_height import straddler_doubts
from referee.geometry.containment import reach_into
from referee.rules.conditions import RIVAL_MM
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least, is_more_than

_HILL = because("Hills", "A hill gives height and nothing else; a base stands as high as the ground under it.")


def elevation(table: ExactTable, query: Elevation) -> RuleResult:
    """Elevation: whether it stands on raised ground, by the middle of its base. Source: Hills."""
    raised = [t for t in table.state.terrain if elevates(t) or surface_mm(t) > 0]
    base = table.base(query.who)
    depths = {t.id: reach_into(base, table.area(t.id)) - base.reach_mm for t in raised}
    best = max(depths, key=lambda id_: depths[id_], default=None)
    rivals = () if best is None else tuple(id_ for id_, depth in depths.items() if depth > depths[best] - RIVAL_MM)
    on = [id_ for id_, depth in depths.items() if is_at_least(depth, 0.0, "has its middle on", (query.who, id_))]
    height = elevation_mm(table, query.who)
    into = {t.id: reach_into(base, table.area(t.id)) for t in raised}
    partly = [id_ for id_, mm in into.items() if is_more_than(mm, 0.0, "stands in part on", (query.who, id_))]
    under = {t.id: surface_mm(t) for t in raised if t.id in partly}
    others = {0.0, *under.values()} - {height}
    margin = depths[best] if best is not None else CAPPED_MM if height > 0 else -CAPPED_MM
    return RuleResult(
        margin_mm=max(-CAPPED_MM, min(CAPPED_MM, margin)),
        value={
            "height_mm": height,
            "level": level(table, query.who),
            "on": [*on],
            "other_level": min(others) if under and straddler_doubts(table, query.who) else None,
        },
        lengths_mm={} if best is None else {"inside": margin},
        witness=() if best is None else _perimeter(table, best),
        because=(_HILL,),
        readings=("straddler-height",),
        doubtful=tuple(sorted(straddler_doubts(table, query.who))),
        depends_on_place=(query.who, *rivals),
    )


def _perimeter(table: ExactTable, id_: str) -> tuple[Witness, ...]:
    outline = table.area(id_).outline
    return (Witness(type="polygon", role="limit", points_mm=outline, of=(id_,)),) if outline else ()
