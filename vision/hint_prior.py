"""Hint prior: how much likelier a base of this size and these colours is, once persons said what stands on this table.

A likelihood ratio of two factors. Size: how often it is among the confirmed bases and those that were measured, against
the sizes that are tried there: whatever lies there fits one of them best. Colours of rim and basing: how near they come
to those of confirmed bases, and not to those of what was dismissed. What is open is measured again in the sizes of the
table and weighed by it; its likes of what was dismissed are proposed no more.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Image
from calibration.view import View
from models.base import Base, Catalogue, RectBase
from models.unconfirmed_base import UnconfirmedBase
from models.vocabulary import Point
from vision.candidates import Candidate
from vision.facing.facing_estimate import estimate_facings, facing_of_outline
from vision.measurement.base_distance import is_inside
from vision.measurement.base_fit import BaseFit
from vision.prompted_fit import Prompt, likeliest_fit, measure_prompt
from vision.rectification.ground_height import GroundMap
from vision.selection.army_colour_likelihood import rim_and_basing_colours
from vision.selection.non_maximum_suppression import do_overlap
from vision.state_assembly import MeasuredBase

_ALIKE = 8.0  # as `army_colour_likelihood` measures colours,
_COMMON = 80.0  # and so many times as often as anywhere else are they met with on what is alike
_OWN_LOOKS, _UNLIKE_SHARE = 1.0, 0.4  # looks that nobody confirmed yet, and per confirmed one
_OTHER_SIZES = 1.0  # bases of sizes that were not seen yet
_SAME_SIZE = 2.0  # so many times as often is it a base where the networks named this size before they knew of it
_LEAST_PROBABILITY = 0.55  # from which what is open stands in the state
_LEAST_PROPOSED = 0.03
_LEAST_SIGMA_MM = 2.0
_MOST_SEARCHED = 40  # places, the likeliest first: a tenth of a second each


@dataclass(frozen=True)
class HintPrior:
    """Sizes on a table, and the colours of what persons confirmed and dismissed on it, (N, 6) each."""

    sizes: Counter[Base]
    confirmed: Floats
    dismissed: Floats

    def log_ratio(self, base: Base, look: Floats, *, tried: int, is_proposed: bool) -> float:
        """Log likelihood ratio that what fits best there, of so many sizes, is a base of this table. `is_proposed`: the
        networks proposed it in this size."""
        return self._size_log_ratio(base, tried) + self._look_log_ratio(look) + is_proposed * math.log(_SAME_SIZE)

    def _size_log_ratio(self, base: Base, tried: int) -> float:
        usual = 1.0 / tried
        share = (self.sizes[base] + _OTHER_SIZES * usual) / (sum(self.sizes.values()) + _OTHER_SIZES)
        return math.log(share / usual)

    def _look_log_ratio(self, look: Floats) -> float:
        alike, denied = _count_alike(look, self.confirmed), _count_alike(look, self.dismissed)
        own = _OWN_LOOKS + _UNLIKE_SHARE * len(self.confirmed) + _COMMON * alike
        return math.log(own / (_OWN_LOOKS + len(self.confirmed))) - math.log1p(_COMMON * denied)


def _count_alike(look: Floats, looks: Floats) -> float:
    return float(np.exp(-np.square((looks - look) / _ALIKE).sum(axis=1) / 2).sum()) if len(looks) else 0.0


def learn_prior(
    image: Image, bases: Sequence[MeasuredBase], dismissed: Sequence[BaseFit], *, view: View
) -> HintPrior | None:
    """What these bases teach, of which persons confirmed some, and what they dismissed; None where they said nothing.

    What stands by hand alone teaches its size: nobody knows where its rim lies.
    """
    confirmed = [base for base in bases if base.placement is not None]
    if not confirmed and not dismissed:
        return None
    looks = [rim_and_basing_colours(image, base.fit, view=view) for base in confirmed if base.placement == "measured"]
    denied = [rim_and_basing_colours(image, fit, view=view) for fit in dismissed]
    sizes = Counter(base.fit.base for base in bases)
    return HintPrior(sizes, np.array(looks).reshape(-1, 6), np.array(denied).reshape(-1, 6))


def search_gaps(
    image: Image, prior: HintPrior, bases: Sequence[MeasuredBase], unconfirmed: Sequence[UnconfirmedBase], *,
    candidates: Sequence[Candidate], catalogue: Catalogue, view: View, denied_mm: Sequence[Point] = (),
) -> tuple[tuple[MeasuredBase, ...], tuple[UnconfirmedBase, ...]]:  # fmt: skip
    """The bases with those of what is open that the prior makes likely, and what stays open, with its chances by it.

    None is added where somebody says that none stands.
    """
    added: list[MeasuredBase] = []
    left: list[tuple[UnconfirmedBase, BaseFit | None, float]] = []
    ranked = sorted(unconfirmed, key=lambda each: -each.probability)
    for each in ranked[:_MOST_SEARCHED]:
        taken = [base.fit for base in (*bases, *added)]
        fit, chance = _weigh(image, prior, each, taken, candidates=candidates, catalogue=catalogue, view=view)
        if fit is not None and chance >= _LEAST_PROBABILITY and not any(is_inside(at, fit) for at in denied_mm):
            (facing,) = estimate_facings(image, [fit], view=view)
            added.append(MeasuredBase(fit, facing or facing_of_outline(fit)))
        else:
            left.append((each, fit, chance))
    fits = [base.fit for base in added]
    kept = tuple(
        each.model_copy(update={"probability": round(chance, 3)})
        for each, fit, chance in left
        if chance >= _LEAST_PROPOSED and not (fit is not None and any(do_overlap(fit, other) for other in fits))
    )
    return (*bases, *added), (*kept, *ranked[_MOST_SEARCHED:])


def _weigh(
    image: Image, prior: HintPrior, each: UnconfirmedBase, taken: Sequence[BaseFit], *,
    candidates: Sequence[Candidate], catalogue: Catalogue, view: View,
) -> tuple[BaseFit | None, float]:  # fmt: skip
    """The best fit there of a size of this table that has room, and how likely it is a base; as it was without any."""
    sizes = [base for base in dict.fromkeys((*prior.sizes, each.base)) if not isinstance(base, RectBase)]
    prompt = Prompt(each.at_mm, GroundMap(view.layout).under(each.at_mm), max(each.sigma_mm, _LEAST_SIGMA_MM))
    log_priors = catalogue.log_priors(prior.sizes, {})
    sized = measure_prompt(image, prompt, sizes, candidates=candidates, log_priors=log_priors, view=view)
    fit = likeliest_fit([other for other in sized if not any(do_overlap(other.fit, stands) for stands in taken)])
    if fit is None:
        return None, each.probability
    known = min(max(each.probability, 1e-3), 1 - 1e-3)
    look = rim_and_basing_colours(image, fit, view=view)
    ratio = prior.log_ratio(fit.base, look, tried=len(sizes), is_proposed=fit.base == each.base)
    return fit, 1 / (1 + (1 - known) / known * math.exp(-ratio))
