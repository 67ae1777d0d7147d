"""Monte Carlo sampling: the probability that a margin with corners is met, from tables drawn at random.

Twenty thousand tables are drawn on the surrogate, which costs next to nothing; a few hundred of them, those near the
threshold above all, are asked again in full. So a tail as thin as 99.9 % rests on draws, and the answer on the rule.
"""

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from models.state import TableState
from referee.arrays import Floats, Indices
from referee.rules.margin_form import Surrogate, leaves

DRAWS = 20_000
_PILOTS = 32  # draws asked in full to learn how far the surrogate is off
_MOST = 200  # draws near the threshold asked in full, at most
_BATCH = 40
_OPEN = 0.03  # shares surely between this and its complement are too close to call
_PLAIN = (0.1, 0.9)  # a share between these is too close to call, whatever further draws say
_TRIFLE = 0.002  # of a share: what its spread may be where no further draw is asked
_PLAIN_TRIFLE = 0.03  # the same where the share is too close to call anyway
_STRATA = 8  # parts of the window, by nearness to the threshold, of which each is corrected by itself
_FAR = 6.0  # spreads between all draws and the threshold that no further draw crosses
_ROUGH = 0.3  # typical error of the surrogate, in spreads, from which it is not trusted at all
Resolve = Callable[[Floats], float]
"""The margin in full at one draw (modes,)."""
Span = tuple[float, float]


@dataclass(frozen=True)
class Share:
    """The share of draws on which a margin is met, and between what it lies; where more is known, at one point."""

    probability: float
    low: float
    high: float

    @classmethod
    def at(cls, probability: float) -> "Share":
        return cls(probability, probability, probability)


@dataclass
class MonteCarloSample:
    """Tables drawn for one question: how far each is on the surrogate, and in full for those that were asked."""

    draws: Floats
    active: Indices
    values: Floats
    modes: int
    resolve: Resolve
    generator: np.random.Generator
    resolved: dict[int, float] = field(default_factory=dict)

    def resolve_rows(self, rows: Iterable[int]) -> None:
        """Ask these draws in full; what the surrogate does not hang on is drawn only now."""
        for k in map(int, rows):
            if k not in self.resolved:
                whole = self.generator.standard_normal(self.modes)
                whole[self.active] = self.draws[k]
                self.resolved[k] = self.resolve(whole)

    def errors(self) -> Floats:
        return np.array([margin - self.values[k] for k, margin in self.resolved.items()])


def probability_by_sampling(
    surrogate: Surrogate,
    modes: int,
    resolve: Resolve,
    state: TableState,
    *,
    among: Span | None = None,
    threshold_mm: float = 0.0,
) -> Share:
    """The probability that the margin is above the threshold; never quite 0 or 1, since draws cannot tell.

    With `among`, only on which side of each of these two it lies, or whether between them, is wanted: draws that
    cannot change that are not asked.
    """
    drawn = _draw_sample(surrogate, modes, lambda draw: resolve(draw) - threshold_mm, state)
    drawn.values -= threshold_mm
    nearest = np.argsort(np.abs(drawn.values), kind="stable")
    drawn.resolve_rows(_pick_evenly(nearest[: DRAWS // 4], _PILOTS))
    off = np.abs(drawn.errors())
    if np.median(off) > _ROUGH * np.std(drawn.values):
        return _count_share(drawn, among)
    width = 1.5 * float(off.max())
    window = nearest[: int((np.abs(drawn.values) <= width).sum())]
    sample, is_plain = _pick_evenly(window, _MOST), _PLAIN[0] < (drawn.values > 0).mean() < _PLAIN[1]
    if not is_plain and among is not None and (share := _certain_share(drawn, window, sample, among)) is not None:
        return Share.at(share)
    _resolve_until_known(drawn, window, sample, _PLAIN_TRIFLE if is_plain else _TRIFLE)
    return Share.at(_correct_share(drawn, window))


def _resolve_until_known(drawn: MonteCarloSample, window: Indices, sample: Indices, trifle: float) -> None:
    """Ask the draws of a sample in full, until those left can change the share by no more than a trifle.

    Each batch is spread evenly over the whole window. What the surrogate gets wrong there is a share of its own, whose
    spread is known from those asked, one more being wrong than were.
    """
    batches = max(1, math.ceil(len(sample) / _BATCH))
    for k in range(batches):
        known = [int(row) for row in window if int(row) in drawn.resolved]
        wrong = 1 + sum((drawn.resolved[row] > 0) != (drawn.values[row] > 0) for row in known)
        if len(window) / DRAWS * math.sqrt(wrong) / max(1, len(known)) < trifle:
            return
        drawn.resolve_rows(sample[k::batches])


def seed_of(state: TableState) -> int:
    """Of the draws of this table: the same question has the same answer."""
    return int.from_bytes(hashlib.sha256(state.state_id.encode()).digest()[:8], "big")


def draw_antithetic(count: int, modes: int) -> Floats:
    """Unit-normal draws (count, modes) in pairs of opposites: common random numbers, the same for every question."""
    half = np.random.default_rng(modes).standard_normal((count // 2, modes))
    return np.stack([half, -half], axis=1).reshape(-1, modes)


def _draw_sample(surrogate: Surrogate, modes: int, resolve: Resolve, state: TableState) -> MonteCarloSample:
    """Draws in pairs of opposites, of the modes that the surrogate hangs on."""
    generator = np.random.default_rng(seed_of(state))
    active = np.flatnonzero(np.any([(leaf.up != 0) | (leaf.down != 0) for leaf in leaves(surrogate)], axis=0))
    half = generator.standard_normal((DRAWS // 2, len(active)))
    draws = np.concatenate([half, -half])
    return MonteCarloSample(draws, active, surrogate.restrict_to(active).evaluate(draws), modes, resolve, generator)


def _count_share(drawn: MonteCarloSample, among: Span | None) -> Share:
    """The share among draws asked in full, where the surrogate tells too little; it never claims 99.9 %.

    Each batch is spread over all that the surrogate says, one draw of each of its ranks: what little it tells makes
    the share less a matter of chance. It stops as soon as the share is surely too close to call, or all draws lie far
    on one side.
    """
    count, asked = 0, 0
    for rows in _stratify(drawn):
        drawn.resolve_rows(rows)
        count, asked = count + sum(drawn.resolved[k] > 0 for k in rows), asked + _BATCH
        share = _smooth_share(count, asked)
        if _is_far([drawn.resolved[k] for k in rows]):
            return Share.at(share)
        missed = asked - count
        if (
            among is not None
            and among[0] < _smooth_share(count, _MOST)
            and _smooth_share(_MOST - missed, _MOST) < among[1]
        ):
            break  # whatever the others are
        spread = 3.0 * math.sqrt(share * (1 - share) / asked)
        if share - spread > _OPEN and share + spread < 1 - _OPEN:
            break
    return Share(_smooth_share(count, asked), *wilson_interval(count, asked))


def _stratify(drawn: MonteCarloSample) -> Iterator[list[int]]:
    """Batches of draws, each with one from every stratum of the surrogate's values."""
    strata = np.argsort(drawn.values, kind="stable").reshape(_BATCH, -1)
    picked = drawn.generator.permuted(strata, axis=1)[:, : _MOST // _BATCH]
    yield from picked.T.tolist()


def _is_far(margins: list[float]) -> bool:
    """Whether all lie on one side of the threshold, many spreads away from it."""
    low, high = min(margins), max(margins)
    return low * high > 0 and min(abs(low), abs(high)) > _FAR * float(np.std(margins))


def _certain_share(drawn: MonteCarloSample, window: Indices, sample: Indices, among: Span) -> float | None:
    """A share on that side of both, or between them, on which it lies however the sample turns out; else None."""
    known = [k for k in map(int, window) if k in drawn.resolved]
    turned = sum(float(drawn.resolved[k] > 0) - float(drawn.values[k] > 0) for k in known)
    new = [k for k in map(int, sample) if k not in drawn.resolved]
    down = sum(float(drawn.values[k] > 0) for k in new)
    each, met = len(window) / max(1, len(known) + len(new)), float((drawn.values > 0).sum())
    ends = (met + (turned - down) * each, met + (turned + len(new) - down) * each)
    low, high = (_smooth_share(min(max(end, 0.0), DRAWS), DRAWS) for end in ends)
    is_sure = high <= among[0] or low >= among[1] or (among[0] < low and high < among[1])
    return low if is_sure else None


def _correct_share(drawn: MonteCarloSample, window: Indices) -> float:
    """The share on the surrogate, corrected in the window by what its draws asked in full turned out to be."""
    met = float((drawn.values > 0).sum())
    for part in np.array_split(window, _STRATA):  # the pilots all lie near the threshold
        known = [int(k) for k in part if int(k) in drawn.resolved]
        turned = sum(float(drawn.resolved[k] > 0) - float(drawn.values[k] > 0) for k in known)
        met += turned * len(part) / max(1, len(known))
    return _smooth_share(min(max(met, 0.0), DRAWS), DRAWS)


def _pick_evenly(rows: Indices, most: int) -> Indices:
    """At most so many of them, evenly spread."""
    picked = np.linspace(0, len(rows), min(most, len(rows)), endpoint=False).astype(np.intp)
    return np.asarray(rows[picked])


def _smooth_share(met: float, of: int) -> float:
    return (met + 0.5) / (of + 1)


def wilson_interval(met: int, of: int, *, sigmas: float = 2.0) -> tuple[float, float]:
    """Wilson's score interval of a share."""
    share, z2 = met / of, sigmas**2
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = sigmas * math.sqrt(share * (1 - share) / of + z2 / (4 * of * of)) / (1 + z2 / of)
    return max(0.0, middle - half), min(1.0, middle + half)
