"""Measuring licence: what a book lets players measure now, and what of it they are told."""

from dataclasses import dataclass
from typing import Literal

from models.verdict import CAPPED_MM, Reason
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult


@dataclass(frozen=True)
class Licence:
    """The licence a question falls under. It is open, or `unlock` names what would open it and `advice` says how.

    `disclosed` is what an open one lets players know: the bare verdict, or figures up to `cap_mm`. With `only_within`
    one measures no farther than the limit that was asked about: of what lies beyond only that it does.
    """

    name: str
    disclosed: Literal["verdict", "figures"] = "figures"
    cap_mm: float | None = None
    only_within: bool = False
    unlock: str | None = None
    advice: str | None = None

    @property
    def is_open(self) -> bool:
        return self.unlock is None


def measure_freely(table: ExactTable, because: Reason) -> RuleResult:
    """The answer of a book that lets anybody measure anything at any time."""
    return RuleResult(
        margin_mm=CAPPED_MM,
        value={
            "licence": "free",
            "disclosed": "figures",
            "cap_mm": None,
            "tell": [side.id for side in table.state.sides],
        },
        because=(because,),
    )
