"""Size posterior: which size each base has, by what the networks see, how well fits explain the rim, and all others.

A network alone leaves near sizes open, and so does a rim in a poor picture. But most armies have few sizes: what all
bases of a table say together tells which. Where several rims show one make, it says most (`shared_rim_profile.py`).
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from calibration.arrays import Image
from calibration.view import View
from models.base import OvalBase, RectBase, RoundBase
from vision.candidates import Candidate
from vision.measurement.base_fit import BaseFit, fit_base
from vision.selection.shared_rim_profile import SizeReadings

Sized = RoundBase | OvalBase | RectBase
Shares = Mapping[Sized, float]

# Chosen on 24 own photographic tables (seed 611, 124 bases of sizes on sale): right were 109 as measured, 123 so, and
# shares of .5 to .7, .7 to .95 and more held 1.0, 0.96 and 1.0.
_EVIDENCE = 10.0  # of a fit, less how its edges scatter, mm: log odds
_NEW = 0.3  # bases of a size nobody has seen yet
_THERE = 0.5  # bases of a size: it is on the table
_LEAST_SHARE = 1e-4
_ROUNDS = 6
_FAR = 500.0  # log odds beyond which all is the same
_BESIDE = 0.25  # of its size: what was proposed nearer is the same base


@dataclass(frozen=True)
class _Doubt:
    """A base of a size in doubt: log weight of each, and how usual each is."""

    weights: Mapping[Sized, float]
    log_priors: Mapping[Sized, float]

    def shares(self, counts: Mapping[Sized, float]) -> dict[Sized, float]:
        """Of all sizes, where others have these."""
        logs = {
            base: weight + math.log(counts.get(base, 0.0) + _NEW * math.exp(self.log_priors[base]))
            for base, weight in self.weights.items()
        }
        best = max(logs.values())
        odds = {base: math.exp(log - best) for base, log in logs.items()}
        return {base: value / sum(odds.values()) for base, value in odds.items()}

    def usual(self) -> "_Doubt":
        """The same, of usual sizes alone where it may be of one."""
        weights = {base: weight for base, weight in self.weights.items() if not self.log_priors[base]}
        return replace(self, weights=weights or self.weights)

    def log_evidence(self, counts: Mapping[Sized, float]) -> float:
        """How well it is explained, but for a constant, by a table on which sizes are as common as this."""
        best, total = max(self.weights.values()), sum(counts.values())
        odds = sum(math.exp(weight - best) * counts.get(base, 0.0) for base, weight in self.weights.items())
        return math.log(max(odds / total, _LEAST_SHARE**2))


def infer_sizes(
    image: Image,
    readings: Sequence[SizeReadings],
    candidates: Sequence[Candidate],
    tried: Sequence[BaseFit],
    *,
    view: View,
    known_fits: Iterable[BaseFit] = (),
) -> tuple[BaseFit, ...]:
    """The same bases, each of its likeliest size and with the shares of all that it may have.

    Of blocks only the shares are told: their lattice tells the size. `known_fits`: others that stand on the table.
    """
    doubts = {
        k: doubt for k, reading in enumerate(readings) if (doubt := _doubt_of(reading, candidates, tried)) is not None
    }
    sure = (reading.fit for k, reading in enumerate(readings) if k not in doubts)
    known = [dict(fit.size_shares) or {fit.base: 1.0} for fit in (*known_fits, *sure)]
    shares = _weigh_usual(doubts, known)
    return tuple(
        _as_likeliest(image, reading, shares[k], candidates, tried, view=view) if k in shares else reading.fit
        for k, reading in enumerate(readings)
    )


def _weigh_usual(doubts: Mapping[int, _Doubt], known: Sequence[Shares]) -> dict[int, Shares]:
    """The shares of each base: either all are of usual sizes that may be, or others lie there too; each counts by how
    well it explains the table."""
    ways = [_settle({k: doubt.usual() for k, doubt in doubts.items()}, known), _settle(doubts, known)]
    logs = [_log_evidence(doubts, known, settled) for settled in ways]
    chance = 1 / (1 + math.exp(min(logs[1] - logs[0], _FAR)))
    return {
        k: {base: chance * ways[0][k].get(base, 0.0) + (1 - chance) * share for base, share in ways[1][k].items()}
        for k in doubts
    }


def _settle(doubts: Mapping[int, _Doubt], known: Sequence[Shares]) -> dict[int, Shares]:
    """The shares of each base that agree with those of all others."""
    shares: dict[int, Shares] = {k: doubt.shares(dict.fromkeys(doubt.weights, 1.0)) for k, doubt in doubts.items()}
    for _ in range(_ROUNDS):
        shares = {
            k: doubt.shares(
                _sum_shares((*known, *(others_shares for other, others_shares in shares.items() if other != k)))
            )
            for k, doubt in doubts.items()
        }
    return shares


def _log_evidence(doubts: Mapping[int, _Doubt], known: Sequence[Shares], shares: Mapping[int, Shares]) -> float:
    """How well these shares explain all bases; that a size is on the table at all is as unlikely as it is unusual."""
    counts = _sum_shares((*known, *shares.values()))
    priors = {base: prior for doubt in doubts.values() for base, prior in doubt.log_priors.items()}
    explained = sum(doubt.log_evidence(counts) for doubt in doubts.values())
    return explained + sum(prior for base, prior in priors.items() if counts[base] >= _THERE)


def _sum_shares(all_shares: Iterable[Shares]) -> dict[Sized, float]:
    """How many bases of each size these are to be expected."""
    counts: dict[Sized, float] = defaultdict(float)
    for shares in all_shares:
        for base, share in shares.items():
            counts[base] += share
    return counts


def _doubt_of(reading: SizeReadings, candidates: Sequence[Candidate], tried: Sequence[BaseFit]) -> _Doubt | None:
    """None where its size is told already, or no network tells."""
    if reading.by_size:
        return _Doubt(
            {base: weight for base, (weight, _) in reading.by_size.items()},
            {base: fit.log_prior for base, (_, fit) in reading.by_size.items()},
        )
    fit = reading.fit
    opinions, priors = dict[Sized, float](), dict[Sized, float]()
    for candidate in candidates:
        if candidate.size_share is not None and _is_here(candidate, fit):
            opinions[candidate.base] = max(opinions.get(candidate.base, 0.0), candidate.size_share)
            priors[candidate.base] = candidate.log_prior
    if fit.size_shares or fit.base not in opinions:
        return None
    evidence = {rival.base: rival.strength - rival.scatter_mm for rival in tried if _is_here(rival, fit)}
    own = evidence.get(fit.base)
    weights = {
        base: math.log(max(share, _LEAST_SHARE))
        + (_EVIDENCE * (evidence[base] - own) if own is not None and base in evidence else 0.0)
        for base, share in opinions.items()
    }
    return _Doubt(weights, priors)


def _is_here(reading: Candidate | BaseFit, fit: BaseFit) -> bool:
    return reading.base.shape == fit.base.shape and math.dist(reading.at_mm, fit.at_mm) < _BESIDE * fit.size_mm


def _as_likeliest(
    image: Image,
    reading: SizeReadings,
    shares: Mapping[Sized, float],
    candidates: Sequence[Candidate],
    tried: Sequence[BaseFit],
    *,
    view: View,
) -> BaseFit:
    """The base fitted in its likeliest size; where no fit is, its place stays."""
    fit, base = reading.fit, max(shares, key=lambda size: shares[size])
    if reading.by_size:
        return replace(reading.by_size[base][1], size_shares=tuple(shares.items()))
    sized = replace(fit, size_shares=tuple(shares.items()))
    if base == fit.base or isinstance(base, RectBase):
        return sized
    opinion = next(candidate for candidate in candidates if candidate.base == base and _is_here(candidate, fit))
    again = next((rival for rival in tried if rival.base == base and _is_here(rival, fit)), None)
    if again is None and fit.support > 0:
        again = fit_base(
            image, start_mm=fit.at_mm, base=base, ground=fit.ground, camera=view.camera, pose=view.pose,
            turn_rad=fit.turn_rad, min_score=0.0,
        )  # fmt: skip
    return replace(
        again or sized, base=base, size_shares=sized.size_shares, network_score=opinion.network_score,
        log_prior=opinion.log_prior, colour_log_odds=fit.colour_log_odds,
    )  # fmt: skip
