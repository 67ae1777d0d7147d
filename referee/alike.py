"""Tables that differ in which way somebody looks: where all are surely answered alike, one alone is asked in full."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from models.units import radians
from models.verdict import Answer, Verdict
from referee.answering import rounded, within_cap
from referee.once import once
from referee.ruling import FacingUntold, Ruling
from referee.situation import Situation

FAR_SIGMAS = 12.0  # beyond so many sigmas the sign of a margin is the answer
LEAST_SIGMA_MM = 0.5


@dataclass
class Alike:
    """Some tables; `whole` answers one in full, `plain` without what only the one that is told has to say.

    One of those `among` them stands for all; `spread_mm` is that of the doubt of one that was answered. What was asked
    is `known` afterwards.
    """

    tables: Sequence[Situation]
    rule: Callable[[Situation], Ruling]
    whole: Callable[[Situation], Verdict]
    plain: Callable[[Situation], Verdict]
    spread_mm: Callable[[Situation], float]
    among: Sequence[int]
    known: dict[int, Verdict] = field(default_factory=dict)

    @once
    def found(self) -> Sequence[Ruling]:
        """What the rule finds at each, until one is found that is not surely answered as the first.

        Nothing where it wants to know of another which way it looks.
        """
        found: list[Ruling] = []
        try:
            for table in self.tables:
                found.append(self._lean(table))
                if not self._is_as_first(found):
                    break
        except FacingUntold:
            return ()
        return found

    def is_decided_somewhere(self) -> bool:
        """Whether what is undecided at one of them is decided at another."""
        try:
            return any(self._lean(table).status == "decided" for table in self.tables)
        except FacingUntold:
            return False

    def _lean(self, table: Situation) -> Ruling:
        return self.rule(replace(table, lean=True))

    def order(self) -> Sequence[int]:
        """In which to ask each: first those two farthest apart if they fall on both sides, else what is undecided."""
        decided = {k: ruling.decisive_mm for k, ruling in enumerate(self.found) if ruling.status == "decided"}
        first = [k for k in range(len(self.found)) if k not in decided]
        if len({mm > 0 for mm in decided.values()}) > 1:
            first = [pick(decided, key=decided.__getitem__) for pick in (max, min)]
        return tuple(dict.fromkeys((*first, *range(len(self.tables)))))

    def nearest(self) -> Verdict | None:
        """The verdict nearest to turning where all tables are surely answered alike; None where that takes asking each.

        Most that is asked of a far miniature is too far off for any facing, and its doubt need not be found for each:
        only where the margin is not far beyond all doubt.
        """
        found = self.found
        if len(found) < len(self.tables) or not self._is_as_first(found):
            return None
        least = min(self.among, key=lambda k: abs(_told_margin(found[k])))
        verdict = self.known[least] = self.whole(self.tables[least])
        spread = max(verdict.sigma_mm or 0.0, self.spread_mm(self.tables[least]), LEAST_SIGMA_MM)
        near = [
            k
            for k, ruling in enumerate(found)
            if not _is_built_as(ruling, found[least]) or abs(ruling.decisive_mm) <= self._far_mm(k, ruling, spread)
        ]
        told = self._nearest(near, found) if near else verdict
        return told if told is not None and self._is_borne_out(told, found) else None

    def _is_borne_out(self, told: Verdict, found: Sequence[Ruling]) -> bool:
        """Whether the signs of those that were not asked tell the same: just at its edge an answer may be another."""
        unasked = (ruling for k, ruling in enumerate(found) if k not in self.known)
        return all(told.answer is (Answer.YES if ruling.decisive_mm > 0 else Answer.NO) for ruling in unasked)

    def _is_as_first(self, found: Sequence[Ruling]) -> bool:
        """Whether the last of these is answered by the sign of a length, as the first is."""
        last = found[-1]
        return _is_plain(self.tables[len(found) - 1], last) and (last.decisive_mm > 0) == (found[0].decisive_mm > 0)

    def probability(self, k: int) -> float | None:
        """That of one of them, once all are known to be answered alike."""
        if k in self.known:
            return self.known[k].probability
        return float(next(iter(self.known.values())).answer is Answer.YES)

    def _far_mm(self, k: int, ruling: Ruling, spread_mm: float) -> float:
        """Beyond which margin no doubt turns the answer: neither that of the places, nor that of the facings."""
        table = self.tables[k]
        swings = (_swing_mm(table, id_, ruling.touches) for id_ in ruling.faces)
        return FAR_SIGMAS * (spread_mm + sum(swings))

    def _nearest(self, near: Sequence[int], found: Sequence[Ruling]) -> Verdict | None:
        """The verdict with the least margin where those `near` their threshold are answered alike, none too close."""
        whole = dict(self.known)
        for k in near:
            if k not in self.known:
                self.known[k] = self.plain(self.tables[k])
        answers = {v.answer if v.status == "decided" else None for v in self.known.values()}
        if len(answers) > 1 or not answers <= {Answer.YES, Answer.NO}:
            return None
        told = {k: self.known[k].margin_mm or 0.0 if k in self.known else _told_margin(found[k]) for k in self.among}
        first = min(self.among, key=lambda k: abs(told[k]))
        return whole[first] if first in whole else self.whole(self.tables[first])


def _is_built_as(one: Ruling, other: Ruling) -> bool:
    """Whether it is made of as many conditions: else what is known of the other's doubt tells nothing of its own."""
    return len(list(one.single_conditions())) == len(list(other.single_conditions()))


def _swing_mm(table: Situation, id_: str, touches: Sequence[str]) -> float:
    """How far what it looks at goes to and fro in its sight, as surely as its facing is known."""
    one = table.miniatures.get(id_)
    if one is None or one.sigma.facing_deg == 0:
        return 0.0
    bases = [table.base(other) for other in touches if other in table.miniatures]
    return radians(one.sigma.facing_deg) * max(
        (math.dist(table.centre(id_), base.centre) + base.reach_mm for base in bases), default=0.0
    )


def _told_margin(ruling: Ruling) -> float:
    """The margin as a verdict tells it."""
    return rounded(within_cap(ruling.margin_mm or 0.0)) or 0.0


def _is_plain(table: Situation, ruling: Ruling) -> bool:
    """Whether its margin alone, a length, decides it, and no facing that may be another."""
    if ruling.status != "decided" or ruling.in_degrees or ruling.contact is not None or ruling.decisive_mm == 0:
        return False
    others = (table.miniatures[id_] for id_ in ruling.faces if id_ in table.miniatures and id_ not in table.facings_rad)
    return not any(one.facing_alternatives for one in others)
