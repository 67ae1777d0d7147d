"""Arc: in which quadrant the target's centre lies."""

from models.miniature import Miniature
from models.queries import Arc
from models.unit import Unit
from models.verdict import Witness
from models.vocabulary import Point
from referee.editions.warhammer_9.units.quadrants import FACING, arc_dependencies, front_rank, quadrant_of, zone_lines
from referee.editions.warhammer_9.units.regiment import regiment
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import name_of, with_effect
from referee.rules.rule_result import RuleResult


def arc(table: ExactTable, query: Arc) -> RuleResult:
    """Arc: the quadrant in which the target's centre lies. Source: Unit Facing, p. 11; sides by majority, p. 20."""
    own = regiment(table, query.viewer)
    at = _centre_of(table, query.target)
    of = _movers(table, query.target)
    side, border = quadrant_of(table, own, at, of)
    return RuleResult(
        status="measured",
        value={"arc": side, "border_mm": border},
        lengths_mm={"border": border},
        witness=() if table.margins_only else (*zone_lines(own), Witness(type="point", role="limit", points_mm=(at,))),
        because=(with_effect(table, FACING, f"The middle of {name_of(table, query.target)} lies in its {side}."),),
        readings=("arc-corners",),
        doubtful=("arc-corners",) if len(own.members) > 1 else (),
        depends_on_place=arc_dependencies(own, [*of]),
        depends_on_facing=front_rank(own),
    )


def _movers(table: ExactTable, place: str | Point) -> tuple[str, ...]:
    """What moves the middle of a place."""
    if not isinstance(place, str) or place not in table.state.by_id:
        return ()
    if isinstance(table.state.by_id[place], Miniature | Unit):
        return regiment(table, place).outline_ids
    return table.movers_of(place)


def _centre_of(table: ExactTable, place: str | Point) -> Point:
    if isinstance(place, str) and isinstance(table.state.by_id.get(place), Miniature | Unit):
        return regiment(table, place).centre
    parts = table.area(place).parts
    n = len(parts)
    return (sum(p.centre[0] for p in parts) / n, sum(p.centre[1] for p in parts) / n)
