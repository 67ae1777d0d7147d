"""Ruling memory: the little that is remembered of every ruling, and what those that are shown need beside it.

An evening has hundreds of rulings, and nearly all are over: of them only the status stays, some hundred bytes. What
a list shows, and what a ruling that holds lies over and rests on, is kept while it does; the rest the journal holds.
"""

import json
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from api.answers import answer_line
from api.answers.answer_line import LineRuling
from api.journal.entry import Line
from api.live.messages import RulingSummary
from api.rulings.basis import PackedBasis
from api.rulings.entries import RulingMade
from api.rulings.schemas import DECISION_WORDS, Decision, Ruling, say_decision
from api.seats.permissions import Seat
from models.verdict import Verdict

QuestionKey = str
"""A question with all its fields; the same whichever of two alike is named first."""

_SYMMETRIC = ("b2b", "distance", "within")  # kinds that ask the same of A and B as of B and A


def key_of(verdict: Verdict) -> QuestionKey:
    """The question that this answers."""
    fields = {"kind": verdict.kind, **verdict.query}
    if verdict.kind in _SYMMETRIC:
        fields["a"], fields["b"] = sorted((str(fields.get("a")), str(fields.get("b"))))
    return json.dumps(fields, sort_keys=True)


def overlaid_answer(
    line: answer_line.Line, *, decision: Decision, stands: str | None, reason: str, n: int, number: int, at_s: float
) -> LineRuling:
    """What stands instead of the referee's answer, or beside it where the judge accepted that."""
    said = stands or (line.headline if decision == "accepted" else None) or DECISION_WORDS[decision]
    return LineRuling(
        n=n,
        number=number,
        at_s=at_s,
        said=said,
        answer=next((word for word, text in (("yes", line.yes), ("no", line.no)) if said == text and text), None),
        decision=decision,
        reason=reason,
    )


@dataclass(frozen=True, slots=True)
class RulingStatus:
    """What is remembered of every ruling."""

    n: int
    number: int
    question: QuestionKey
    at: int | None
    stands: str | None
    waits_for: tuple[Seat, ...]
    withdrawn: str | None = None
    ends: str | None = None
    ended_n: int | None = None  # the line of the journal that ended it

    @property
    def holds(self) -> bool:
        return self.withdrawn is None and self.ends is None

    def held_at(self, at: int) -> bool:
        """Whether it lay over the answers of this moment, or is about it and was not withdrawn."""
        is_about = self.at == at and self.withdrawn is None
        return is_about or (self.n <= at and (self.ended_n is None or self.ended_n > at))


@dataclass(frozen=True, slots=True)
class ShownRuling:
    """A ruling as lists and sheets show it, and what it rests on while it holds."""

    summary: RulingSummary
    answer: LineRuling
    basis: PackedBasis | None

    def with_status(self, status: RulingStatus) -> "ShownRuling":
        changes = {name: getattr(status, name) for name in ("withdrawn", "ends", "waits_for")}
        summary = with_changes(self.summary, **changes)
        return replace(self, summary=summary, basis=self.basis if status.holds else None)


def read_status(line: Line, ruled: RulingMade, number: int) -> RulingStatus:
    """The ruling when it was made."""
    assert ruled.line.verdict is not None, "a ruling is about a verdict"
    return RulingStatus(
        n=line.n,
        number=number,
        question=key_of(ruled.line.verdict),
        at=ruled.about.at,
        stands=ruled.stands,
        waits_for=ruled.waits_for,
    )


def overlay_of(line: Line, ruled: RulingMade, status: RulingStatus) -> LineRuling:
    """What it lays over the referee's answer."""
    return overlaid_answer(
        ruled.line,
        decision=ruled.decision,
        stands=status.stands,
        reason=ruled.reason,
        n=line.n,
        number=status.number,
        at_s=line.at_s,
    )


def show_ruling(line: Line, ruled: RulingMade, status: RulingStatus) -> ShownRuling:
    """It with all that is shown of it."""
    basis = PackedBasis(ruled.basis) if ruled.basis is not None and status.holds else None
    return ShownRuling(_summarise(line, ruled, status), overlay_of(line, ruled, status), basis)


def make_ruling(line: Line, ruled: RulingMade, status: RulingStatus) -> Ruling:
    """It in full, as who asks for it gets it."""
    kept = {
        name: getattr(ruled, name)
        for name in ("by", "decision", "reason", "about", "line", "compared", "evidence", "told")
    }
    a, b = _names(ruled)
    fields = {name: getattr(status, name) for name in ("number", "withdrawn", "ends", "stands")}
    return Ruling(n=line.n, at_s=line.at_s, a=a, b=b, **kept, **fields)


def with_changes(summary: RulingSummary, **changes: object) -> RulingSummary:
    """The same with these fields."""
    return RulingSummary(**fields_of(summary) | changes)


def fields_of(value: BaseModel) -> dict[str, Any]:
    """The fields of a frozen value as they are, to make another of."""
    return {name: getattr(value, name) for name in type(value).model_fields}


def _summarise(line: Line, ruled: RulingMade, status: RulingStatus) -> RulingSummary:
    pair = ruled.about.pair
    a, b = _names(ruled)
    return RulingSummary(
        n=line.n,
        number=status.number,
        at_s=line.at_s,
        by=ruled.by,
        slot=ruled.about.slot,
        said=say_decision(ruled.decision, status.stands),
        reason=ruled.reason,
        title=ruled.line.title,
        headline=ruled.line.headline,
        a=a,
        b=b,
        ids=(pair.a, pair.b),
        withdrawn=status.withdrawn,
        ends=status.ends,
        waits_for=status.waits_for,
    )


def _names(ruled: RulingMade) -> tuple[str, str]:
    names = {m.id: m.name or m.id for m in ruled.state.miniatures}
    pair = ruled.about.pair
    return names.get(pair.a, pair.a), names.get(pair.b, pair.b)
