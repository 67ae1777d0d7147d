"""Back strike: the attack comes from wholly behind the target."""

from dataclasses import replace

from models.queries import BackStrike
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.distances import ids_that_matter
from referee.editions.warmachine.miniatures.front_arc import arc_depth_mm
from referee.editions.warmachine.movement.path import path_of
from referee.editions.warmachine.parameters import because
from referee.margins.front_arc import arc_edge, depth_line, foremost
from referee.rules.candidates import is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import describe_arc_depth as told_ahead
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult

_BACK = because("Back Strikes", 42, "The base the attack comes from must lie completely in the target's back arc.")
_INERT = because("Inert Warjacks", 59, "An inert warjack has no facing.", "It has no back to strike.")
_ROUND = because("Facing", 21, "All round it is front.", "It has no back to strike.")


def back_strike(table: ExactTable, query: BackStrike) -> RuleResult:
    """Back strike: whether the origin of the attack lies wholly behind the target at the blow; touching the arc line
    does not.

    Source: Back Strikes, p. 42; for tramples at first contact, p. 48: the end of the path given.
    """
    if query.path_mm is not None:
        table = table.with_end(query.attacker, (path_of(table, query.attacker, query.path_mm) or query.path_mm)[-1])
    origin: str | Point = query.attacker if query.origin is None else query.origin
    result = check_behind(table, query.target, origin)
    return replace(result, value={"bonus": 2 if is_zero_or_more(result) else 0, "bonus_to": "attack"})


def check_behind(table: ExactTable, target: str, origin: str | Point) -> RuleResult:
    """Whether the origin lies wholly behind the target where both stand. Source: Back Strikes, p. 42."""
    if "inert" in table.miniature(target).status:
        return RuleResult(
            margin_mm=-CAPPED_MM, because=(_BACK, _INERT), depends_on_place=ids_that_matter(target, origin)
        )
    depth = arc_depth_mm(table, target, origin)
    if depth >= CAPPED_MM:
        return RuleResult(
            margin_mm=-CAPPED_MM, because=(_BACK, _ROUND), depends_on_place=ids_that_matter(target, origin)
        )
    centre, facing = table.centre(target), table.facing_rad(target)
    ahead = foremost(facing, table.area(origin))
    length = max(abs(ahead[0] - centre[0]), abs(ahead[1] - centre[1]), 60.0)
    return RuleResult(
        margin_mm=-depth,
        zero_is_met=table.reading("arc-line-touch") == "back",
        lengths_mm={"depth": depth},
        witness=(arc_edge(target, centre, facing, length), depth_line(ahead, centre, facing, target)),
        because=(with_effect(table, _BACK, told_ahead(table, target, origin, depth)),),
        readings=("arc-line-touch",),
        doubtful=("arc-line-touch",) if abs(depth) < 1e-6 else (),
        depends_on_place=ids_that_matter(origin, target),
        depends_on_facing=(target,),
    )
