"""Results that many rules give: a condition that no measuring error flips, and a question for what is not stated."""

from models.verdict import CAPPED_MM, Reason
from referee.rules.rule_result import RuleResult


def plain_condition(miniature: str, holds: bool, *reasons: Reason) -> RuleResult:
    """Plain condition: met by far where it holds, failed by far where it does not; `miniature` is whom it is about."""
    return RuleResult(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=reasons, depends_on_place=(miniature,))


def ask_for(*needs: str, because: tuple[Reason, ...], on: tuple[str, ...] = ()) -> RuleResult:
    """Missing figures: unknown until the state or the question states `needs`; `on` is what the answer hangs on."""
    return RuleResult(status="unknown", needs=needs, because=because, depends_on_place=on)
