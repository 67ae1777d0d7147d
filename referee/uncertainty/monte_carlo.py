"""Monte Carlo estimate: a probability as the share of redrawn tables on which the exact rule says yes.

Strata make few tables go far: draws are parted by what is predicted of each, by a surrogate of the margin and by the
switches that a measuring error may turn. Tables are asked where the share hangs on them most, until it is known well
enough. What was predicted may be wrong: then a share is only less sure.
"""

import math
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from referee.arrays import Floats, Indices
from referee.cached_attribute import cached_attribute
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import Mode
from referee.rules.memo import remember_briefly
from referee.rules.rule_result import FacingUnknown, RuleResult
from referee.rules.switches import EXACT_MM, Switch, is_margin_met, turn_switches
from referee.search_effort import Effort, count_effort
from referee.uncertainty.redrawn_tables import all_modes, draw_latin_hypercube, draw_state
from referee.uncertainty.stratified_share import BATCH, ENOUGH, Share, Stratum, pick_rows, share_of

Ask = Callable[[ExactTable], RuleResult]

DRAWS = 4096
CERTAIN = 6.0  # sigmas beyond which nothing is predicted to turn
FIRST = 32  # tables asked to begin with
_MOST = 240  # tables asked, at most
_MOST_EFFORT = 330.0  # or as much work, in tables of a rule that searches nothing
_LEAST = 16  # tables asked, whatever the work
_FAR = 3.0  # sigmas at which a prediction is tried: a corner farther out turns no verdict that is sure
_TRIAL_EFFORT = 40.0  # in plain rules: whose trials took more are tried on no more tables
_SCATTERED, SCATTER_OF_8 = 8, 2.2  # tables drawn far off; and by how much the scatter of so many may fall short
_BLUR = 0.5  # sigmas within which a prediction may have the wrong sign and is still called right
_NOT_THERE = (FacingUnknown, ArithmeticError, LookupError, ValueError)  # of what only a table that can be would have
_RANKS = (0.02, 0.1, 0.3, 0.7, 0.9, 0.98)  # of what is predicted, between which draws are told apart


@dataclass
class Redrawing:
    """One question at one table, and what was found on the tables redrawn of it."""

    ask: Ask
    table: ExactTable
    result: RuleResult
    asked: dict[int, RuleResult | None] = field(default_factory=dict)
    turned: dict[tuple[Switch, ...], RuleResult | None] = field(default_factory=dict)
    effort: Effort = field(default_factory=Effort)

    @cached_attribute
    def modes(self) -> tuple[Mode, ...]:
        return all_modes(self.table.state)

    @cached_attribute
    def draws(self) -> Floats:
        return draw_latin_hypercube(DRAWS, len(self.modes))

    def resolve(self, rows: Iterable[int]) -> None:
        """Ask the rule on these drawn tables, as far as the work limit goes."""
        for row in map(int, rows):
            if row not in self.asked and not self._is_work_done:
                self.asked[row] = self.ask_at(self.draws[row], name=row)

    @property
    def _is_work_done(self) -> bool:
        return self.effort.spent >= _MOST_EFFORT and len(self.asked) >= _LEAST

    def ask_at(self, z: Floats, *, name: Hashable = None, in_full: bool = False) -> RuleResult | None:
        """What is found where the errors are these; None where it wants a missing facing."""
        drawn = draw_state(self.table.state, z, name=name)
        table = drawn.table_of(self.table, name=name)
        self.effort.spent += 1.0
        try:
            with count_effort(self.effort), remember_briefly(drawn.state, drawn.memo, drawn_of=self.table.state):
                return self.ask(replace(table, margins_only=False) if in_full else table)
        except FacingUnknown:
            return None

    def ask_with_turned(self, switches: tuple[Switch, ...]) -> RuleResult | None:
        """What is found on the stated table where these comparisons are met that are not, and those not that are.

        None where that cannot be told: no table is so, and what a rule then measures may not be there.
        """
        if switches not in self.turned:
            self.effort.spent += 1.0
            with count_effort(self.effort), turn_switches(switches), suppress(*_NOT_THERE):
                self.turned[switches] = self.ask(replace(self.table, margins_only=False))
        return self.turned.setdefault(switches, None)

    def is_predicted(self, predicted: Callable[[Floats], Floats], sigma_mm: float, *, fewest: int, most: int) -> bool:
        """Whether the rule says on tables drawn far off what is predicted of them: within a blur, or by its sign.

        So many pairs of opposite ones are tried, no more than the fewest once the work is large.

        Where nothing is predicted to turn, the margin may also not change by as much as it is: what hardly moves by
        single errors and much by all has corners that were not seen, whichever side these tables fall on.
        """
        stated_mm = self.result.decisive_mm

        def is_right(z: Floats, result: RuleResult | None) -> bool:
            mm = float(predicted(z[None, :])[0])
            if abs(mm) <= _BLUR * sigma_mm:
                return True
            if result is None or is_met(result) != (mm > 0):
                return False
            return abs(mm) < CERTAIN * sigma_mm or abs(result.decisive_mm - stated_mm) <= abs(stated_mm)

        known = [(self.draws[row], result) for row, result in self.asked.items()]
        return all(is_right(z, result) for z, result in known) and all(
            (k >= 2 * fewest and self.effort.spent > _TRIAL_EFFORT) or is_right(_FAR * self.draws[k], self._ask_far(k))
            for k in range(2 * most)
        )

    def _ask_far(self, k: int) -> RuleResult | None:
        return self.ask_at(_FAR * self.draws[k], name=("far", k))

    def share_by_scatter(self) -> Share | None:
        """The share where tables drawn far off are all answered alike, and as far from the threshold as to be sure.

        Its lower end takes the scatter for as much larger as that of so few draws may be. None where it is not sure.
        """
        far = [self._ask_far(k) for k in range(_SCATTERED)]
        stated, stated_mm = is_met(self.result), self.result.decisive_mm
        if stated is None or any(result is None or is_met(result) != stated for result in far):
            return None
        off = [(0.0 if result is None else result.decisive_mm) - stated_mm for result in far]
        sigma = max(float(np.sqrt(np.mean(np.square(off)))) / _FAR, EXACT_MM)
        likely, least = (
            0.5 * math.erfc(-abs(stated_mm) / (times * sigma * math.sqrt(2))) for times in (1.0, SCATTER_OF_8)
        )
        share = Share(likely, least, 1.0) if stated else Share(1.0 - likely, 0.0, 1.0 - least)
        return share if share.is_sure else None

    def estimate(
        self,
        *,
        predicted: Floats | None = None,
        is_trusted: bool = False,
        codes: Indices | None = None,
        answer_only: bool = False,
    ) -> Share:
        """The share of tables on which it is met; of the answer alone no more is asked than that takes.

        A prediction that `is_trusted` stands for what it tells far from its threshold, as long as it is found so.
        `codes` part the draws (DRAWS,) by what else is known of each.
        """
        order = np.arange(DRAWS) if predicted is None else np.argsort(predicted, kind="stable")
        self.resolve(order[:: DRAWS // FIRST] if predicted is not None else order[:FIRST])
        while True:
            strata = self._stratify(predicted, codes, is_trusted=is_trusted)
            share = share_of(strata)
            is_seen = all(stratum.asked or not stratum.unasked for stratum in strata)
            enough = is_seen and (share.is_sure or share.draws >= ENOUGH or (answer_only and share.is_too_close))
            rows = [] if enough or len(self.asked) >= _MOST or self._is_work_done else pick_rows(strata)
            if not rows:
                return share
            self.resolve(rows)

    def _stratify(self, predicted: Floats | None, codes: Indices | None, *, is_trusted: bool) -> list[Stratum]:
        codes = np.zeros(DRAWS, dtype=np.intp) if codes is None else codes
        errors = self._prediction_error(predicted)
        sure = np.zeros(DRAWS, dtype=bool)
        if predicted is not None:
            ranks = np.searchsorted(np.quantile(predicted, _RANKS), predicted)
            codes = 2 * (ranks + (len(_RANKS) + 1) * codes) + (predicted > 0)
            sure = is_trusted & (np.abs(predicted) > errors)
        pairs = np.random.default_rng(len(self.modes)).permutation(DRAWS // 2)
        order = np.stack([2 * pairs, 2 * pairs + 1], axis=1).ravel()  # opposites next to one another
        rows_of = {int(code): order[codes[order] == code] for code in np.unique(codes)}
        return [self._stratum(rows, bool(sure[rows].all())) for rows in rows_of.values()]

    def _prediction_error(self, predicted: Floats | None) -> float:
        """Twice the most by which a prediction was off; how far from its threshold it cannot be trusted."""
        if predicted is None:
            return math.inf
        off = [abs(r.decisive_mm - predicted[k]) for k, r in self.asked.items() if r is not None]
        return 2.0 * max(off, default=math.inf)

    def _stratum(self, rows: Indices, trusted: bool) -> Stratum:
        known = [_probability_met(self.asked[row]) for row in map(int, rows) if row in self.asked]
        unasked = [row for row in map(int, rows[: _MOST + BATCH]) if row not in self.asked]
        met = sum(p for p in known if p is not None)
        missed = sum(1.0 - p for p in known if p is not None)
        pure = trusted and min(met, missed) == 0 and bool(known)
        return Stratum(len(rows) / DRAWS, met, missed, len(known), unasked, is_trusted=pure)

    def spread_of_margin(self) -> float:
        """The standard deviation of the margin over the tables asked."""
        return float(np.std([r.margin_mm or 0.0 for r in self.asked.values() if r is not None] or [0.0]))

    def spread_of_lengths(self) -> dict[str, float]:
        """The standard deviation of each measured length over the tables asked."""
        seen = [result.lengths_mm for result in self.asked.values() if result is not None]
        names = self.result.lengths_mm
        return {name: float(np.std([s[name] for s in seen if name in s] or [0.0])) for name in names}


def is_met(result: RuleResult | None) -> bool | None:
    """Whether it is met; None where nothing is decided."""
    if result is None or result.status != "decided":
        return None
    return is_margin_met(result.decisive_mm, zero_is_met=result.zero_is_met)


def _probability_met(result: RuleResult | None) -> float | None:
    """How probably it is met: a matter of yes or no, but where a contact was told."""
    if result is not None and result.contact_probability is not None:
        return result.contact_probability
    met = is_met(result)
    return None if met is None else float(met)
