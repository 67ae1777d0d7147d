"""Redrawing: a probability as the share of redrawn tables on which the exact rule says yes.

Strata make few tables go far: draws are parted by what is predicted of each, by a surrogate of the margin and by the
switches that a measuring error may turn, linear in the errors near their thresholds. Tables are asked where the share
hangs on them most, until it is known well enough. What was predicted may be wrong: then a share is only less sure.
Source of the method: post-stratification and Neyman allocation, Cochran, Sampling Techniques, chapter 5.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from models.state import TableState
from referee.arrays import Floats, Indices
from referee.cached_attribute import cached_attribute
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import Mode
from referee.rules.memo import forget
from referee.rules.rule_result import FacingUnknown, RuleResult
from referee.rules.search_effort import Effort, count_effort
from referee.rules.sides import members_of_unit
from referee.rules.switches import EXACT_MM, Switch, is_margin_met
from referee.uncertainty.error_modes import elevation_sigma_mm, heading_sigma_rad, place_sigma_mm
from referee.uncertainty.redrawn_tables import all_modes, draw_latin_hypercube, lower_quantiles, redraw_table

Ask = Callable[[ExactTable], RuleResult]

DRAWS = 4096
ENOUGH = 200.0  # effective draws: a share is then known to four hundredths
YES_FROM = 0.975  # the one setting: at least this probable is yes, at most its complement is no
_MOST = 240  # tables asked, at most
_MOST_EFFORT = 330.0  # or as much work, in tables of a rule that searches nothing
_LEAST = 16  # tables asked, whatever the work
_FIRST = 32
_BATCH = 8
_REACH = 4.0  # sigmas beyond which a switch turns in no draw that counts
_TURNS_IN = 3.3  # sigmas of its own beyond which it is left as it stands: one draw in a thousand
_MOST_SWITCHES = 4  # that part the draws
_FAR = 3.0  # sigmas at which a prediction is tried: a corner farther out turns no verdict that is sure
_BLUR = 0.5  # sigmas within which a prediction may have the wrong sign and is still called right
_TRUSTED = 1e-6  # variance in a stratum that a prediction keeps far from its threshold
_RANKS = (0.02, 0.1, 0.3, 0.7, 0.9, 0.98)  # of what is predicted, between which draws are told apart
_BENT = 0.3  # share of its changes that no slopes explain, from which a switch is not taken for linear
_MOST_TURNED = 0.45  # share of draws in which a switch without slopes turns: beyond half it has no sigma
_LISTED = 0.01  # least share of an outcome that is told


@dataclass(frozen=True)
class OpenSwitch:
    """A switch that may turn: how far off, how surely, and what is found beyond it."""

    switch: Switch
    sigma: float
    slopes: Floats | None = None
    """Its change per sigma of each mode (modes,); None where too little is known to tell."""
    beyond: RuleResult | None = None
    """What the rule finds where this one alone has turned."""

    def turning_probability(self) -> float:
        return 0.5 * math.erfc(abs(self.switch.margin) / (self.sigma * math.sqrt(2)))


@dataclass(frozen=True)
class Cell:
    """One stratum of the draws: how probable it is, and what is found at its centre."""

    share: float
    result: RuleResult | None


@dataclass(frozen=True)
class Share:
    """A share of draws, between what it lies, and of how many independent draws it is as sure."""

    probability: float
    low: float
    high: float
    draws: float = math.inf

    @classmethod
    def at(cls, probability: float) -> "Share":
        return cls(probability, probability, probability)

    @property
    def is_sure(self) -> bool:
        return self.low >= YES_FROM or self.high <= 1 - YES_FROM

    @property
    def is_too_close(self) -> bool:
        return self.low > 1 - YES_FROM and self.high < YES_FROM


def reachable_switches(switches: Sequence[Switch], state: TableState) -> tuple[Switch, ...]:
    """Those that the sigmas of the table may turn."""
    return tuple(switch for switch in switches if abs(switch.margin) <= _REACH * _bound(switch, state))


def _bound(switch: Switch, state: TableState) -> float:
    """No less than the sigma of its margin."""
    places = sum(_widest(state, id_, _place_bound_mm) for id_ in switch.on)
    return places + switch.lever_mm * sum(heading_sigma_rad(state, id_) for id_ in switch.turning)


def _place_bound_mm(state: TableState, id_: str) -> float:
    return place_sigma_mm(state, id_) + elevation_sigma_mm(state, id_)


def _widest(state: TableState, id_: str, sigma: Callable[[TableState, str], float]) -> float:
    """The sigma of a thing, or the largest of a unit's miniatures."""
    return max((sigma(state, member) for member in members_of_unit(state, id_)), default=0.0)


@dataclass
class Redrawing:
    """One question at one table, and what was found on the tables redrawn of it."""

    ask: Ask
    table: ExactTable
    result: RuleResult
    asked: dict[int, RuleResult | None] = field(default_factory=dict)
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
                self.asked[row] = self.ask_at(self.draws[row])

    @property
    def _is_work_done(self) -> bool:
        return self.effort.spent >= _MOST_EFFORT and len(self.asked) >= _LEAST

    def ask_at(self, z: Floats, *, in_full: bool = False) -> RuleResult | None:
        """What is found where the errors are these; None where it wants a missing facing."""
        drawn = redraw_table(self.table, self.modes, z)
        self.effort.spent += 1.0
        try:
            with count_effort(self.effort):
                return self.ask(replace(drawn, margins_only=False) if in_full else drawn)
        except FacingUnknown:
            return None
        finally:
            forget(drawn.state)

    def is_predicted(self, predicted: Callable[[Floats], Floats], sigma_mm: float, *, pairs: int) -> bool:
        """Whether the rule says on tables drawn far off what is predicted of them: within a blur, or by its sign."""

        def is_right(z: Floats, result: RuleResult | None) -> bool:
            mm = float(predicted(z[None, :])[0])
            return abs(mm) <= _BLUR * sigma_mm or _is_met(result) == (mm > 0)

        known = [(self.draws[row], result) for row, result in self.asked.items()]
        far = _FAR * self.draws[: 2 * pairs]
        return all(is_right(z, result) for z, result in known) and all(is_right(z, self.ask_at(z)) for z in far)

    def estimate(
        self,
        *,
        predicted: Floats | None = None,
        is_trusted: bool = False,
        switches: Sequence[OpenSwitch] = (),
        answer_only: bool = False,
    ) -> Share:
        """The share of tables on which it is met; of the answer alone no more is asked than that takes.

        A prediction that `is_trusted` stands for what it tells far from its threshold, as long as it is found so.
        """
        order = np.arange(DRAWS) if predicted is None else np.argsort(predicted, kind="stable")
        self.resolve(order[:: DRAWS // _FIRST] if predicted is not None else order[:_FIRST])
        while True:
            strata = self._stratify(predicted, switches, is_trusted=is_trusted)
            share = _share_of(strata)
            is_seen = all(stratum.asked or not stratum.unasked for stratum in strata)
            enough = is_seen and (share.is_sure or share.draws >= ENOUGH or (answer_only and share.is_too_close))
            rows = [] if enough or len(self.asked) >= _MOST or self._is_work_done else _pick_rows(strata)
            if not rows:
                return share
            self.resolve(rows)

    def _stratify(
        self, predicted: Floats | None, switches: Sequence[OpenSwitch], *, is_trusted: bool
    ) -> list["_Stratum"]:
        codes = self._switch_codes(switches)
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

    def _switch_codes(self, switches: Sequence[OpenSwitch]) -> Indices:
        codes = np.zeros(DRAWS, dtype=np.intp)
        linear = sorted((s for s in switches if s.slopes is not None), key=lambda s: abs(s.switch.margin) / s.sigma)
        for switch in linear[:_MOST_SWITCHES]:
            assert switch.slopes is not None
            codes = 2 * codes + (switch.switch.margin + self.draws @ switch.slopes > 0)
        return codes

    def _prediction_error(self, predicted: Floats | None) -> float:
        """Twice the most by which a prediction was off; how far from its threshold it cannot be trusted."""
        if predicted is None:
            return math.inf
        off = [abs(r.decisive_mm - predicted[k]) for k, r in self.asked.items() if r is not None]
        return 2.0 * max(off, default=math.inf)

    def _stratum(self, rows: Indices, trusted: bool) -> "_Stratum":
        known = [_probability_met(self.asked[row]) for row in map(int, rows) if row in self.asked]
        unasked = [row for row in map(int, rows[: _MOST + _BATCH]) if row not in self.asked]
        met = sum(p for p in known if p is not None)
        missed = sum(1.0 - p for p in known if p is not None)
        pure = trusted and min(met, missed) == 0 and bool(known)
        return _Stratum(len(rows) / DRAWS, met, missed, len(known), unasked, is_trusted=pure)

    def open_switches(self, near: Sequence[Switch]) -> tuple[OpenSwitch, ...]:
        """Those that turn in more than one draw in a thousand and change what is found, each with what it changes."""
        self.resolve(range(_FIRST))
        opened = [self._open(switch) for switch in near]
        turning = [s for s in opened if s.sigma > 0 and abs(s.switch.margin) <= _TURNS_IN * s.sigma]
        return tuple(self._deciding(_without_twins(turning))) or self._unexplained(opened)

    def _unexplained(self, opened: Sequence[OpenSwitch]) -> tuple[OpenSwitch, ...]:
        """Of switches without slopes the nearest, where draws leap to another answer that none is seen to turn with.

        Its sigma is the one by which it would turn as often as the answer did.
        """
        leaps = [row for row, r in self.asked.items() if r is not None and _is_met(r) != _is_met(self.result)]
        reach = abs(self.result.decisive_mm)
        bent = [s for s in opened if s.slopes is None and EXACT_MM < abs(s.switch.margin) < reach / _REACH]
        if not leaps or not bent:
            return ()
        nearest = min(bent, key=lambda s: abs(s.switch.margin) / _bound(s.switch, self.table.state))
        times = -float(lower_quantiles(min(_MOST_TURNED, len(leaps) / len(self.asked))))
        beyond = self.ask_at(self.draws[leaps[0]], in_full=True)
        return (replace(nearest, sigma=abs(nearest.switch.margin) / times, beyond=beyond),)

    def _open(self, switch: Switch) -> OpenSwitch:
        """A switch with its slopes, by least squares over the draws asked."""
        rows, margins = self._margins_of(switch)
        movers = [m for id_ in (*switch.on, *switch.turning) for m in members_of_unit(self.table.state, id_)]
        ids = frozenset(chain.from_iterable(map(self.table.movers_of, movers)))
        columns = [j for j, mode in enumerate(self.modes) if not ids.isdisjoint(mode)]
        if len(rows) < 2:
            return OpenSwitch(switch, 0.0)
        if len(rows) < 2 * len(columns):
            return OpenSwitch(switch, _robust_sigma(margins - switch.margin))
        fitted, *_ = np.linalg.lstsq(self.draws[np.ix_(rows, columns)], margins - switch.margin, rcond=None)
        slopes = np.zeros(len(self.modes))
        slopes[columns] = fitted
        sigma, off = float(np.linalg.norm(slopes)), margins - switch.margin - self.draws[rows] @ slopes
        is_bent = float(np.sqrt(np.mean(off**2))) > _BENT * float(np.sqrt(np.mean((margins - switch.margin) ** 2)))
        return (
            OpenSwitch(switch, _robust_sigma(margins - switch.margin), None)
            if is_bent
            else OpenSwitch(switch, sigma, slopes)
        )

    def _margins_of(self, switch: Switch) -> tuple[list[int], Floats]:
        seen = {row: _margins(result).get(switch.key) for row, result in self.asked.items()}
        rows = [row for row, margin in seen.items() if margin is not None]
        return rows, np.array([seen[row] for row in rows], dtype=np.float64)

    def _deciding(self, switches: Sequence[OpenSwitch]) -> Iterable[OpenSwitch]:
        """The switches, each with what is found where it alone has turned; those that change nothing are left out."""
        for switch in switches:
            beyond = self._find_beyond(switch, switches)
            if beyond is _UNTURNED:
                continue
            assert beyond is None or isinstance(beyond, RuleResult)
            if beyond is None or finding_of(beyond) != finding_of(self.result):
                yield replace(switch, beyond=beyond)

    def _find_beyond(self, switch: OpenSwitch, switches: Sequence[OpenSwitch]) -> "RuleResult | object | None":
        """What is found just where it turns by the likeliest errors; else on a table drawn where it alone has."""
        if switch.slopes is not None:
            over = switch.switch.margin / switch.sigma**2 + math.copysign(0.3 / switch.sigma, switch.switch.margin)
            beyond = self.ask_at(-over * switch.slopes, in_full=True)
            if beyond is None or self._has_turned(switch, beyond):
                return beyond
        turned = [row for row, r in self.asked.items() if r is not None and self._has_turned(switch, r)]
        others = [other for other in switches if other is not switch]
        alone = [row for row in turned if not any(self._has_turned(other, self.asked[row]) for other in others)]
        return self.ask_at(self.draws[(alone or turned)[0]], in_full=True) if turned else _UNTURNED

    def _has_turned(self, switch: OpenSwitch, result: RuleResult | None) -> bool:
        margin, stated = _margins(result).get(switch.switch.key), switch.switch.margin
        if margin is None or abs(stated) <= EXACT_MM:  # exactly at its limit it turns whichever side it comes to
            return margin is not None and abs(margin) > EXACT_MM and _is_met(result) != _is_met(self.result)
        return (margin > EXACT_MM) != (stated > EXACT_MM)

    def cells(self, switches: Sequence[OpenSwitch]) -> tuple[Cell, ...]:
        """What is found in each stratum of the switches that is told, at its centre."""
        codes = self._switch_codes(switches)
        values, counts = np.unique(codes, return_counts=True)
        return tuple(
            Cell(float(count / DRAWS), self.ask_at(self.draws[codes == code].mean(axis=0), in_full=True))
            for code, count in zip(values, counts, strict=True)
            if count >= _LISTED * DRAWS
        )

    def spread_of_margin(self) -> float:
        """The standard deviation of the margin over the tables asked."""
        return float(np.std([r.margin_mm or 0.0 for r in self.asked.values() if r is not None] or [0.0]))

    def spread_of_lengths(self) -> dict[str, float]:
        """The standard deviation of each measured length over the tables asked."""
        seen = [result.lengths_mm for result in self.asked.values() if result is not None]
        names = self.result.lengths_mm
        return {name: float(np.std([s[name] for s in seen if name in s] or [0.0])) for name in names}


_UNTURNED = object()


@dataclass(frozen=True)
class _Stratum:
    """Draws of which the same is predicted: their share of all, what those asked say, and the rows left to ask."""

    share: float
    met: float
    missed: float
    asked: int
    unasked: list[int]
    is_trusted: bool

    @property
    def mean_low(self) -> float:
        return self.met / self.asked if self.asked else 0.0

    @property
    def mean_high(self) -> float:
        return 1.0 - self.missed / self.asked if self.asked else 1.0

    @property
    def variance(self) -> float:
        """That of one draw, by the rule of succession: what all said alike, the next may not."""
        if self.is_trusted:
            return _TRUSTED
        yes, no = self.met + 0.5, self.asked - self.met + 0.5
        return yes * no / (self.asked + 1) ** 2

    @property
    def gain(self) -> float:
        """By how much the variance of the whole share falls with one more table asked."""
        return self.share**2 * self.variance / max(0.5, self.asked * (self.asked + 1))


def _share_of(strata: Sequence[_Stratum]) -> Share:
    """The share met over all strata, and two deviations either way; what was not decided is left open."""
    low = sum(s.share * s.mean_low for s in strata)
    high = sum(s.share * s.mean_high for s in strata)
    variance = sum(s.share**2 * s.variance / max(1, s.asked) for s in strata)
    spread = 2.0 * math.sqrt(variance)
    middle = (low + high) / 2
    asked = sum(s.asked for s in strata)
    least = 0.5 / (asked + 1)
    probability = min(max(middle, min(least, spread / 2)), 1 - min(least, spread / 2))
    effective = max(probability * (1 - probability), 0.01) / variance if variance > 0 else math.inf
    return Share(probability, max(0.0, low - spread), min(1.0, high + spread), effective)


def _pick_rows(strata: Sequence[_Stratum]) -> list[int]:
    """The next tables to ask: where one more tells most of the share."""
    gains = np.array([s.gain if s.unasked else 0.0 for s in strata])
    taken = [0] * len(strata)
    rows: list[int] = []
    while len(rows) < _BATCH and gains.max() > 0:
        k = int(np.argmax(gains))
        rows.append(strata[k].unasked[taken[k]])
        taken[k] += 1
        asked = strata[k].asked + taken[k]
        left = taken[k] < len(strata[k].unasked)
        gains[k] = strata[k].share ** 2 * strata[k].variance / (asked * (asked + 1)) if left else 0.0
    return rows


def _robust_sigma(off: Floats) -> float:
    """The standard deviation of what scatters about nothing, by its median: a leap among them is no scatter."""
    return float(1.4826 * np.median(np.abs(off)))


def _without_twins(switches: Sequence[OpenSwitch]) -> list[OpenSwitch]:
    """Of several that always turn together, the first."""
    kept: list[OpenSwitch] = []
    for switch in switches:
        if not any(_are_twins(switch, other) for other in kept):
            kept.append(switch)
    return kept


def _are_twins(switch: OpenSwitch, other: OpenSwitch) -> bool:
    a, b = switch.slopes, other.slopes
    if a is None or b is None or abs(abs(switch.switch.margin) - abs(other.switch.margin)) > 1e-6:
        return False
    return bool(min(np.abs(a - b).max(), np.abs(a + b).max()) < 1e-4 * switch.sigma)


def _margins(result: RuleResult | None) -> dict[object, float]:
    return {} if result is None else {switch.key: switch.margin for switch in result.switches}


def finding_of(result: RuleResult) -> object:
    """What is found, but for how far off it is."""
    return result.status, _is_met(result), result.blockers, _without_numbers(result.value)


def _is_met(result: RuleResult | None) -> bool | None:
    """Whether it is met; None where nothing is decided."""
    if result is None or result.status != "decided":
        return None
    return is_margin_met(result.decisive_mm, zero_is_met=result.zero_is_met)


def _probability_met(result: RuleResult | None) -> float | None:
    """How probably it is met: a matter of yes or no, but where a contact was told."""
    if result is not None and result.contact_probability is not None:
        return result.contact_probability
    met = _is_met(result)
    return None if met is None else float(met)


def _without_numbers(value: object) -> object:
    """A value without its lengths: words, counts and ids are left."""
    if isinstance(value, Mapping):
        return tuple((k, _without_numbers(v)) for k, v in value.items() if not str(k).endswith(("_mm", "_deg", "_rad")))
    if isinstance(value, list | tuple):
        return tuple(_without_numbers(v) for v in value)
    return None if isinstance(value, float) else value
