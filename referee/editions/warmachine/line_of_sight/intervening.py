"""Intervening model: whose base lies between two others, and whether it counts."""

from models.queries import Intervening
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.miniatures.distances import hinges
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.corridor import depth_in_corridor
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_names, name_of, with_effect
from referee.rules.rule_result import RuleResult

_BETWEEN = because("Line of Sight & Targeting", 36, "It intervenes when some line from base to base crosses its base.")
_SIZE = because("Line of Sight & Targeting", 36, "Only a base at least as large as the target's closes the line.")


def intervening(table: ExactTable, query: Intervening) -> RuleResult:
    """Intervening model: whether the blocker's base meets the corridor between the two, and counts there.

    Touching the corridor meets it; who is looked past is in nobody's way, and `depth_mm` tells where it stands.

    Source: Line of Sight & Targeting, p. 36.
    """
    ends = table.base(query.viewer), table.base(query.target)
    depth = depth_in_corridor(*ends, table.area(query.blocker))
    terms = terms_of(table)
    why = terms.why_ignored(table, query.viewer, query.target, table.miniature(query.blocker), None)
    margin_mm, slack_mm = margins_of(depth, counts=why is None)
    middle = Witness(
        type="segment", role="path", points_mm=(ends[0].centre, ends[1].centre), of=(query.viewer, query.target)
    )
    return RuleResult(
        margin_mm=margin_mm,
        slack_mm=slack_mm,
        value={"counts": why is None, "why": why, "depth_mm": depth},
        lengths_mm={"depth": depth},
        witness=(middle,),
        blockers=(query.blocker,) if why is None and depth >= 0 else (),
        because=(
            with_effect(table, _BETWEEN, _describe_depth(table, query, depth)),
            _SIZE if why is None else terms.looked_past_reasons[why],
        ),
        readings=("los-touch",),
        depends_on_place=hinges(table, query.blocker, query.viewer, query.target),
    )


def margins_of(depth_mm: float, *, counts: bool) -> tuple[float, float | None]:
    """The margin, and what probability is taken of: who does not count is not in the way wherever it stands."""
    return (depth_mm, None) if counts else (depth_mm if depth_mm < 0 else -CAPPED_MM, -CAPPED_MM)


def _describe_depth(table: ExactTable, query: Intervening, depth_mm: float) -> str:
    who, ends = name_of(table, query.blocker), format_names(table, [query.viewer, query.target])
    how = f"reaches {format_length(depth_mm)} into" if depth_mm >= 0 else f"stays {format_length(-depth_mm)} out of"
    return f"{who} {how} the corridor between {ends}."
