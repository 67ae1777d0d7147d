"""Facing equivalence: where all ways that somebody may look are surely answered alike, one alone is asked in full."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from models.unit_conversion import radians
from models.verdict import Answer, Verdict
from referee.cached_attribute import cached_attribute
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import FacingUnknown, RuleResult
from referee.uncertainty.probability import cap_margin, round_value

FAR_SIGMAS = 12.0  # beyond so many sigmas the sign of a margin is the answer
LEAST_SIGMA_MM = 0.5


@dataclass
class EquivalentFacings:
    """Tables that differ in facings alone: `in_full` answers one, `answer_only` without what only the one told says.

    One of the `representatives` stands for all; `spread_mm` is that of the uncertainty of one that was answered. What
    was asked is among the `verdicts` afterwards.
    """

    tables: Sequence[ExactTable]
    rule: Callable[[ExactTable], RuleResult]
    in_full: Callable[[ExactTable], Verdict]
    answer_only: Callable[[ExactTable], Verdict]
    spread_mm: Callable[[ExactTable], float]
    representatives: Sequence[int]
    verdicts: dict[int, Verdict] = field(default_factory=dict)

    @cached_attribute
    def results(self) -> Sequence[RuleResult]:
        """What the rule finds at each, until one is found that is not surely answered as the first.

        Nothing where it wants to know of another which way it looks.
        """
        results: list[RuleResult] = []
        try:
            for table in self.tables:
                results.append(self._evaluate_margin(table))
                if not self._is_as_first(results):
                    break
        except FacingUnknown:
            return ()
        return results

    def is_decided_somewhere(self) -> bool:
        """Whether what is undecided at one of them is decided at another."""
        try:
            return any(self._evaluate_margin(table).status == "decided" for table in self.tables)
        except FacingUnknown:
            return False

    def _evaluate_margin(self, table: ExactTable) -> RuleResult:
        return self.rule(replace(table, margins_only=True))

    def order(self) -> Sequence[int]:
        """In which to ask each: first those two farthest apart if they fall on both sides, else what is undecided."""
        decided = {k: result.decisive_mm for k, result in enumerate(self.results) if result.status == "decided"}
        first = [k for k in range(len(self.results)) if k not in decided]
        if len({mm > 0 for mm in decided.values()}) > 1:
            first = [pick(decided, key=decided.__getitem__) for pick in (max, min)]
        return tuple(dict.fromkeys((*first, *range(len(self.tables)))))

    def nearest(self) -> Verdict | None:
        """The verdict nearest to turning where all tables are surely answered alike; None where that takes asking each.

        Most that is asked of a far miniature is too far off for any facing, and its uncertainty is estimated only where
        the margin is not far beyond all doubt.
        """
        results = self.results
        if len(results) < len(self.tables) or not self._is_as_first(results):
            return None
        least = min(self.representatives, key=lambda k: abs(_reported_margin(results[k])))
        verdict = self.verdicts[least] = self.in_full(self.tables[least])
        spread = max(verdict.sigma_mm or 0.0, self.spread_mm(self.tables[least]), LEAST_SIGMA_MM)
        near = [
            k
            for k, result in enumerate(results)
            if not _is_built_as(result, results[least]) or abs(result.decisive_mm) <= self._far_mm(k, result, spread)
        ]
        judged = self._judge_nearest(near, results) if near else verdict
        return judged if judged is not None and self._is_confirmed(judged, results) else None

    def _is_confirmed(self, verdict: Verdict, results: Sequence[RuleResult]) -> bool:
        """Whether the signs of those that were not asked tell the same: just at its edge an answer may be another."""
        unasked = (result for k, result in enumerate(results) if k not in self.verdicts)
        return all(verdict.answer is (Answer.YES if result.decisive_mm > 0 else Answer.NO) for result in unasked)

    def _is_as_first(self, results: Sequence[RuleResult]) -> bool:
        """Whether the last of these is answered by the sign of a length, as the first is."""
        last = results[-1]
        return _is_length_alone(self.tables[len(results) - 1], last) and (last.decisive_mm > 0) == (
            results[0].decisive_mm > 0
        )

    def probability(self, k: int) -> float | None:
        """That of one of them, once all are known to be answered alike."""
        if k in self.verdicts:
            return self.verdicts[k].probability
        return float(next(iter(self.verdicts.values())).answer is Answer.YES)

    def _far_mm(self, k: int, result: RuleResult, spread_mm: float) -> float:
        """Beyond which margin no doubt turns the answer: neither that of the places, nor that of the facings."""
        table = self.tables[k]
        swings = (_facing_shift_mm(table, id_, result.depends_on_place) for id_ in result.depends_on_facing)
        return FAR_SIGMAS * (spread_mm + sum(swings))

    def _judge_nearest(self, near: Sequence[int], results: Sequence[RuleResult]) -> Verdict | None:
        """The verdict with the least margin where those `near` their threshold are answered alike, none too close."""
        whole = dict(self.verdicts)
        for k in near:
            if k not in self.verdicts:
                self.verdicts[k] = self.answer_only(self.tables[k])
        answers = {v.answer if v.status == "decided" else None for v in self.verdicts.values()}
        if len(answers) > 1 or not answers <= {Answer.YES, Answer.NO}:
            return None
        margins = {
            k: self.verdicts[k].margin_mm or 0.0 if k in self.verdicts else _reported_margin(results[k])
            for k in self.representatives
        }
        first = min(self.representatives, key=lambda k: abs(margins[k]))
        return whole[first] if first in whole else self.in_full(self.tables[first])


def _is_built_as(result: RuleResult, other: RuleResult) -> bool:
    """Whether it is made of as many conditions: else what is known of the other's doubt tells nothing of its own."""
    return len(list(result.single_conditions())) == len(list(other.single_conditions()))


def _facing_shift_mm(table: ExactTable, id_: str, touches: Sequence[str]) -> float:
    """How far what it looks at goes to and fro in its sight, as surely as its facing is known."""
    miniature = table.miniatures.get(id_)
    if miniature is None or miniature.sigma.facing_deg == 0:
        return 0.0
    bases = [table.base(other) for other in touches if other in table.miniatures]
    return radians(miniature.sigma.facing_deg) * max(
        (math.dist(table.centre(id_), base.centre) + base.reach_mm for base in bases), default=0.0
    )


def _reported_margin(result: RuleResult) -> float:
    """The margin as a verdict tells it."""
    return round_value(cap_margin(result.margin_mm or 0.0)) or 0.0


def _is_length_alone(table: ExactTable, result: RuleResult) -> bool:
    """Whether its margin alone, a length, decides it, and no facing that may be another."""
    if (
        result.status != "decided"
        or result.in_degrees
        or result.contact_probability is not None
        or result.decisive_mm == 0
    ):
        return False
    others = (
        table.miniatures[id_]
        for id_ in result.depends_on_facing
        if id_ in table.miniatures and id_ not in table.facings_rad
    )
    return not any(other.facing_alternatives for other in others)
