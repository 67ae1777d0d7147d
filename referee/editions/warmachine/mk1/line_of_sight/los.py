"""Line of sight: from over the centre of the base, also to what a warjack holds up."""

from dataclasses import replace

from models.miniature import Miniature
from models.queries import Los
from referee.editions.warmachine.line_of_sight import los as shared
from referee.editions.warmachine.miniatures.base_state import elevation_mm, size_mm
from referee.editions.warmachine.mk1.parameters import because
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_CENTRE = because("Line of Sight, Prime p. 33", "A line of sight starts over the centre of the base, at head height.")
_HELD = because("Line of Sight, Prime p. 33", "What a warjack holds is part of it; what warriors hold is not of them.")
_POINT_MM = 1e-3  # a point, as a base has to have a size


def line_of_sight(table: ExactTable, query: Los) -> RuleResult:
    """Line of sight: whether a line from over the base's centre is clear. Source: Line of Sight, Prime p. 33."""
    found = [shared.line_of_sight(table, query)]
    found += [shared.line_of_sight(held, query) for held in _tables_with_held_points(table, query.target)]
    best = max(found, key=lambda r: r.decisive_mm)
    if len(found) > 1 and all(one.status == "decided" for one in found):
        best = replace(best, conditions=tuple(found), joined_by="greatest", form=None)
    if table.margins_only:
        return best
    told = (_CENTRE,) if best is found[0] else (_CENTRE, _HELD)
    best = replace(best, because=(*best.because[:1], *told, *best.because[1:]))
    return best if len(found) == 1 else replace(best, form=None, depends_on_place=found[0].depends_on_place)


def _tables_with_held_points(table: ExactTable, target: str) -> list[ExactTable]:
    """The table with each point that a warjack holds in place of it. Source: Line of Sight, Prime p. 33."""
    it = table.miniature(target)
    if it.type != "warjack" or not it.held_mm or table.reading("seen-body") == "base":
        return []
    (x, y), (nx, ny) = it.at_mm, table.centre(target)
    return [_shrink_to_point(table, it, (px + nx - x, py + ny - y), z) for px, py, z in it.held_mm]


def _shrink_to_point(table: ExactTable, it: Miniature, at: tuple[float, float], z_mm: float) -> ExactTable:
    """The table on which it is a point at this height, of the same size wherever bases are compared."""
    base = {"shape": "round", "diameter_mm": _POINT_MM, "counts_as_mm": size_mm(it)}
    body = max(0.0, z_mm - elevation_mm(table, it.id))
    ground = {"elevation_mm": elevation_mm(table, it.id)}
    point = Miniature.model_validate(it.model_dump() | ground | {"base": base, "at_mm": at, "body_mm": body})
    others = tuple(point if m.id == it.id else m for m in table.state.miniatures)
    nudges = {id_: nudge for id_, nudge in table.perturbations.items() if id_ != it.id}
    return replace(table, state=table.state.with_miniatures(others), perturbations=nudges)
