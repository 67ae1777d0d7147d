"""Plain condition: it holds or it does not, whatever a measuring error may do."""

from models.verdict import CAPPED_MM, Reason
from referee.rules.rule_result import RuleResult


def plain_condition(miniature: str, holds: bool, *reasons: Reason) -> RuleResult:
    """Met by far where it holds, failed by far where it does not; `miniature` is whom it is about."""
    return RuleResult(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=reasons, depends_on_place=(miniature,))
