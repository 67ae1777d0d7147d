"""Overlaid answer: what a ruling says of a question, and which question that is, whoever of the two is called A."""

import json

from api.answers.answer_line import Line, LineRuling
from api.rulings.schemas import DECISION_WORDS, Decision
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
    line: Line, *, decision: Decision, stands: str | None, reason: str, n: int, number: int, at_s: float
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
