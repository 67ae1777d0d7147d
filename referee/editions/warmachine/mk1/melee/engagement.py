"""Engagement: terrain alone can keep one in reach from being engaged."""

from dataclasses import replace
from typing import Literal

from models.queries import Los
from models.verdict import CAPPED_MM
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult


def check_engagement(table: ExactTable, attacker: str, target: str) -> RuleResult:
    """What engaging takes besides reach: that terrain does not shut the target off wholly. Source: Melee Range, p. 39.

    The book gives no definition: the house rule `engage-line` says what is read into it.
    """
    wanted = table.reading("engage-line")
    if wanted == "nothing":
        result = RuleResult(margin_mm=CAPPED_MM, depends_on_place=(attacker, target))
    else:
        purpose: Literal["melee"] | None = "melee" if wanted == "free-of-terrain" else None
        result = table.evaluate_query(Los(viewer=attacker, target=target, purpose=purpose))
    key = ("engage-line",)
    return replace(result, readings=(*result.readings, *key), doubtful=(*result.doubtful, *key))
