"""Small tables for every rule of a book: one where the answer is yes, one where it is no, one at the very edge.

Whatever number stands in a scenario was worked by hand from the places in it; `worked` says how. A question that lists
or measures has its yes where somebody or something is found, its no where not.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict
from referee import ask

Side = Literal["yes", "no", "edge"]


@dataclass(frozen=True)
class Scenario:
    """One table, one question and what is expected of the verdict."""

    rule: str
    side: Side
    worked: str
    state: TableState
    query: dict[str, Any]
    expect: dict[str, Any] = field(default_factory=dict)
    exactly: str = ""
    """Of an edge that is no zero of the margin: what is exactly at its limit."""

    @property
    def name(self) -> str:
        return f"{self.rule}-{self.side}"

    @property
    def full_name(self) -> str:
        return f"{self.state.edition}-{self.name}"

    @cached_property
    def verdict(self) -> Verdict:
        """What is answered, worked out once: many laws look at it."""
        return ask(self.state, parse_query(self.query))
