"""Rule result: what a rule finds at one exact table, before uncertainty is added."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pydantic import JsonValue

from models.verdict import CAPPED_MM, Reason, Witness
from referee.rules.switches import Switch

if TYPE_CHECKING:
    from referee.rules.exact_table import ExactTable
    from referee.rules.margin_form import FormProvider

Value = dict[str, JsonValue]
"""What an answer holds besides its margin, by name."""


@dataclass(frozen=True)
class RuleResult:
    """A rule's finding. `margin_mm` is signed; `zero_is_met` says what exactly zero means.

    `slack_mm` is what probability is taken of, where that is not the margin itself. `touches` names everything whose
    place the margin hangs on, `faces` those whose facing was read, `readings` the house rules that were used and
    `doubtful` those of them that could change the margin.
    """

    margin_mm: float | None = None
    zero_is_met: bool = True
    slack_mm: float | None = None
    status: Literal["decided", "measured", "unknown", "refused"] = "decided"
    value: Value = field(default_factory=dict)
    lengths_mm: dict[str, float] = field(default_factory=dict)
    witness: tuple[Witness, ...] = ()
    blockers: tuple[str, ...] = ()
    because: tuple[Reason, ...] = ()
    readings: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    outcomes: tuple[object, ...] = ()
    """What is told besides the margin and hangs on house rules: who may shoot, who is struck."""
    outcome_house_rules: tuple[str, ...] = ()
    """House rules that could change what is told besides the margin: to learn whether they do, all is told again."""
    deciding_house_rules: tuple[str, ...] = ()
    """House rules of which the rule itself knows that another reading finds something else."""
    depends_on_place: tuple[str, ...] = ()
    depends_on_facing: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    advice: str | None = None
    unlock: str | None = None
    members: "tuple[Candidate, ...]" = ()
    in_degrees: bool = False
    """The margin is an angle in degrees and not a length."""
    contact_probability: float | None = None
    """The probability that the bases touch, when fit or tap told it: it decides instead of the margin."""
    conditions: "tuple[RuleResult, ...]" = ()
    """The conditions of which the least, or the greatest, is what probability is taken of; doubt looks at each."""
    joined_by: Literal["least", "greatest"] = "least"
    form: "FormProvider | None" = None
    """How the margin changes as things move, where the rule knows; perturbed tables are asked where it does not."""
    switches: tuple[Switch, ...] = ()
    """Every comparison it hangs on, where somebody recorded them."""
    necessary: "RuleResult | None" = None
    """A condition without which it is not met, whatever else leaps: a bound that spares searching hopeless tables."""

    @property
    def decisive_mm(self) -> float:
        """The margin that probability is taken of."""
        if self.slack_mm is not None:
            return self.slack_mm
        return 0.0 if self.margin_mm is None else self.margin_mm

    def numeric_key(self) -> Hashable:
        """All numbers that a doubt is told of, and what they hang on."""
        conditions = tuple(
            (condition.decisive_mm, condition.zero_is_met, condition.depends_on_place)
            for condition in self.single_conditions()
        )
        numbers = (self.margin_mm, self.decisive_mm, tuple(self.lengths_mm.items()))
        return (self.status, numbers, conditions, self.joined_by, self.depends_on_place, self.depends_on_facing)

    def single_conditions(self) -> "Iterator[RuleResult]":
        """The single conditions that it is made of; itself, where it is one."""
        if not self.conditions:
            yield self
        for condition in self.conditions:
            yield from condition.single_conditions()


def plain_condition(miniature: str, holds: bool, *reasons: Reason) -> RuleResult:
    """Plain condition: met by far where it holds, failed by far where it does not; `miniature` is whom it is about."""
    return RuleResult(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=reasons, depends_on_place=(miniature,))


def ask_for(*needs: str, because: tuple[Reason, ...], on: tuple[str, ...] = ()) -> RuleResult:
    """Missing figures: unknown until the state or the question states `needs`; `on` is what the answer hangs on."""
    return RuleResult(status="unknown", needs=needs, because=because, depends_on_place=on)


@dataclass(frozen=True)
class Candidate:
    """One of those that a question about many considers: what is found of it, and how to ask again about it alone.

    `result` is None where what decides is not known, and `needs` says what would have to be told.
    """

    id: str
    result: RuleResult | None
    rule: "Callable[[ExactTable], RuleResult]"
    needs: tuple[str, ...] = ()


class NobodyLeft(Exception):
    """A rule needs to know where a unit stands, and none of it is on the table."""

    def __init__(self, id_: str) -> None:
        super().__init__(id_)
        self.id = id_


class FacingUnknown(Exception):
    """A rule needs the facing of a miniature, and it is not known which one that is."""

    def __init__(self, id_: str) -> None:
        super().__init__(id_)
        self.id = id_


class FacingMissing(FacingUnknown):
    """Of this one nothing is known."""


class FacingAmbiguous(FacingUnknown):
    """It is one of several: what needs it is asked once for each."""
