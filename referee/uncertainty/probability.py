"""Probability: from what is uncertain about a table to the probability that a condition is met, and to an answer.

The probability of a verdict is the share of tables, drawn from the joint covariance of the state, on which the exact
rule says yes. This module decides which path is taken to it:

1. a told contact, and a table without doubt, need no draws;
2. where no switch is within reach, the margin is a surrogate over the error modes, known to the rule or fitted on
   perturbed tables. One straight piece gives the share in closed form. What the rule does not know itself is tried:
   on a few tables drawn far off, the exact rule has to say what was predicted;
3. all else is redrawn: tables are asked until the share is known, parted by what was predicted of them.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

from models.miniature import Miniature
from models.state import TableState
from models.unit_conversion import radians
from models.verdict import CAPPED_MM, Answer, ProbabilityEstimate
from referee.arrays import Floats
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import BentPiece, KnownForm, Mode, prune
from referee.rules.rule_result import FacingUnknown, RuleResult
from referee.rules.switches import EXACT_MM, is_margin_met
from referee.uncertainty.error_modes import modes_of, perturb_along_modes
from referee.uncertainty.monte_carlo import CERTAIN, Redrawing, is_met
from referee.uncertainty.open_switches import (
    Cell,
    OpenSwitch,
    SwitchOpening,
    reachable_switches,
    surely_fails,
    switch_codes,
)
from referee.uncertainty.redrawn_tables import embed_modes
from referee.uncertainty.sensitivity import Ask, FittedSurrogate, fit_surrogate, known_forms
from referee.uncertainty.stratified_share import YES_FROM, Share

_PAIRS, _PLAIN_PAIRS = 4, 2  # of opposite draws on which a prediction is tried
Method = Literal["told", "first-order", "redrawn"]


@dataclass(frozen=True)
class Uncertainty:
    """How sure a result is. `sigma_mm` is that of the margin, `lengths_mm` those of the measured lengths.

    Many times `spread_mm` from its threshold no answer turns, be it by a leap: it is no less than the margin scatters.
    """

    share: Share
    """The probability, and between what it lies."""
    sigma_mm: float
    lengths_mm: dict[str, float]
    spread_mm: float
    method: Method = "first-order"
    switches: tuple[OpenSwitch, ...] = ()
    """Those that may turn and change what is found."""
    cells: tuple[Cell, ...] = ()
    """What is found by the outcomes of those."""

    @property
    def probability(self) -> float:
        return self.share.probability


def uncertainty_of_result(
    ask: Ask, table: ExactTable, result: RuleResult, *, answer_only: bool = False, plain: bool = False
) -> Uncertainty | None:
    """The uncertainty of a result; None when everything it hangs on is exact.

    With `answer_only` the probability is one that is answered as the true one is; where it is `plain`, nobody is told
    the sigmas of what is far from its threshold.
    """
    plain = plain or answer_only
    facings = _weigh_facings(table.state, [id_ for id_ in result.depends_on_facing if id_ not in table.facings_rad])
    if len(facings) == 1:
        return _estimate_uncertainty(ask, table, result, answer_only=answer_only, plain=plain)
    parts = []
    for weight, facing in facings:
        turned = _turn_all(table, facing)
        alternative = ask(turned)
        doubt = _estimate_uncertainty(ask, turned, alternative, plain=plain) or _no_uncertainty(alternative)
        parts.append((weight, doubt))
    first = parts[0][1]
    sums = [sum(w * getattr(d.share, end) for w, d in parts) for end in ("probability", "low", "high")]
    probability, low, high = (min(1.0, max(0.0, mean)) for mean in sums)
    share = Share(probability, low, high, min(d.share.draws for _, d in parts))
    method: Method = "redrawn" if any(d.method == "redrawn" for _, d in parts) else "first-order"
    return Uncertainty(share, first.sigma_mm, first.lengths_mm, first.spread_mm, method)


def probability_of(result: RuleResult, uncertainty: Uncertainty | None) -> float:
    if result.contact_probability is not None:
        return result.contact_probability
    if uncertainty is not None:
        return uncertainty.probability
    return float(_is_met(result.decisive_mm, result))


def decide(probability: float, uncertainty: Uncertainty | None, result: RuleResult) -> Answer:
    """The answer; where something was left in doubt of how probable it is, only one that holds at both ends."""
    is_exact = uncertainty is None or result.contact_probability is not None
    ends = Share.at(probability) if is_exact or uncertainty is None else uncertainty.share
    return answer_between(ends.low, ends.high)


def estimate_of(result: RuleResult, uncertainty: Uncertainty | None) -> ProbabilityEstimate | None:
    """How the probability of a verdict was come by; None where nothing is in doubt."""
    if result.contact_probability is not None:
        return ProbabilityEstimate(method="told", low=result.contact_probability, high=result.contact_probability)
    if uncertainty is None:
        return None
    share = uncertainty.share
    low, high = min(round(share.low, 9), share.probability), max(round(share.high, 9), share.probability)
    draws = None if math.isinf(share.draws) else round(share.draws, 1)
    return ProbabilityEstimate(method=uncertainty.method, low=low, high=high, draws=draws)


def answer_between(low: float, high: float) -> Answer:
    """The answer where the probability is no less than the one and no more than the other."""
    if low >= YES_FROM:
        return Answer.YES
    return Answer.NO if high <= 1 - YES_FROM else Answer.TOO_CLOSE


def cap_margin(margin: float) -> float:
    return max(-CAPPED_MM, min(CAPPED_MM, margin))


def round_value(value: float | None) -> float | None:
    """To a millionth of a micrometre: the same bytes from the same table on every machine."""
    return None if value is None else round(value, 9) + 0.0


def has_same_response(ask: Ask, result: RuleResult, turned_table: ExactTable, other: ExactTable) -> bool:
    """Whether two tables that are ruled alike, differing in who looks where, stay so when everything is moved a bit.

    One way may be the mirror image of the other: as far off, but not as sure.
    """
    if not any(turned_table.facings_rad.get(id_) != other.facings_rad.get(id_) for id_ in result.depends_on_facing):
        return True
    modes = tuple(modes_of(turned_table.state, result.depends_on_place))
    bits = {j: math.cos(1 + j) for j in range(len(modes))}  # no two of them alike, nor any mirrored
    try:
        moved, others = (ask(perturb_along_modes(table, modes, bits)) for table in (turned_table, other))
    except FacingUnknown:  # of somebody that neither hangs on at rest
        return False
    return moved.numeric_key() == others.numeric_key()


def _weigh_facings(state: TableState, ids: Sequence[str]) -> list[tuple[float, dict[str, float]]]:
    """Every combination of the facings these miniatures may have, with its probability; the first as told."""
    choices = []
    for id_ in ids:
        miniature = state.by_id[id_]
        if not isinstance(miniature, Miniature) or miniature.facing_rad is None or not miniature.facing_alternatives:
            continue
        others = [(a.probability, (id_, radians(a.facing_deg))) for a in miniature.facing_alternatives]
        stated_share = max(0.0, 1.0 - sum(p for p, _ in others))
        choices.append([(stated_share, (id_, miniature.facing_rad)), *others])
    combined = [(math.prod(p for p, _ in pick), dict(f for _, f in pick)) for pick in product(*choices)]
    total = sum(p for p, _ in combined)
    return [(p / total, f) for p, f in combined] if total > 0 else combined


def _turn_all(table: ExactTable, facings: Mapping[str, float]) -> ExactTable:
    for id_, facing in facings.items():
        table = table.with_facing(id_, facing)
    return table


def _no_uncertainty(result: RuleResult) -> Uncertainty:
    met = float(_is_met(result.decisive_mm, result))
    return Uncertainty(Share.at(met), 0.0, dict.fromkeys(result.lengths_mm, 0.0), 0.0)


def _estimate_uncertainty(
    ask: Ask, table: ExactTable, result: RuleResult, *, answer_only: bool = False, plain: bool = False
) -> Uncertainty | None:
    """The uncertainty about one choice of facings; None when everything is exact."""
    redrawing = Redrawing(ask, table, result)
    if not redrawing.modes:
        return None
    if result.necessary is not None and surely_fails(result.necessary, table.state):
        modes = () if plain else tuple(modes_of(table.state, _dependencies(result, {})))
        fitted = fit_surrogate(ask, table, result, modes, {}) if modes else _constant_surrogate(result)
        return Uncertainty(Share.at(0.0), fitted.sigma_mm, fitted.lengths_mm, math.inf)
    if answer_only and result.status == "decided" and (sure := redrawing.share_by_scatter()) is not None:
        return Uncertainty(sure, 0.0, dict.fromkeys(result.lengths_mm, 0.0), math.inf, "redrawn")
    near = reachable_switches(result.switches, table.state)
    switches = SwitchOpening(redrawing).open(near) if near else ()
    if switches:
        return _count_over_switches(redrawing, switches, answer_only=answer_only)
    forms = known_forms(result, table.state)
    modes = tuple(modes_of(table.state, _dependencies(result, forms)))
    fitted = fit_surrogate(ask, table, result, modes, forms, plain=plain) if modes else _constant_surrogate(result)
    is_right = _is_known(result, forms) or _is_confirmed(redrawing, fitted, modes, plain=plain)
    share = _closed_share(fitted, result) if is_right else redrawing.share_by_scatter()
    if share is not None:
        spread = max(fitted.spread_mm, fitted.sigma_mm) if is_right else math.inf
        method: Method = "first-order" if is_right else "redrawn"
        return Uncertainty(share, fitted.sigma_mm, fitted.lengths_mm, spread, method) if modes else None
    return _count_by_surrogate(redrawing, fitted, modes, is_trusted=is_right, answer_only=answer_only)


def _count_over_switches(redrawing: Redrawing, switches: tuple[OpenSwitch, ...], *, answer_only: bool) -> Uncertainty:
    """The uncertainty where switches within reach of the sigmas decide."""
    is_decided = redrawing.result.status == "decided"
    codes = switch_codes(switches, redrawing.draws)
    stated = is_met(redrawing.result)
    is_one_answer = all(switch.beyond is not None and is_met(switch.beyond) == stated for switch in switches)
    sure = redrawing.share_by_scatter() if is_decided and is_one_answer else None
    counted = redrawing.estimate(codes=codes, answer_only=answer_only) if is_decided and sure is None else sure
    share = Share(0.5, 0.0, 1.0, 0.0) if counted is None else counted
    nearest = min(switches, key=lambda open_switch: abs(open_switch.switch.margin) / open_switch.sigma)
    cells = () if answer_only else SwitchOpening(redrawing).cells(switches)
    lengths = redrawing.spread_of_lengths()
    return Uncertainty(share, nearest.sigma, lengths, math.inf, "redrawn", switches, cells)


def _count_by_surrogate(
    redrawing: Redrawing, fitted: FittedSurrogate, modes: Sequence[Mode], *, is_trusted: bool, answer_only: bool
) -> Uncertainty:
    """The uncertainty where the surrogate has corners, or the rule did not say what it predicted."""
    surrogate = None if isinstance(fitted.margin, bool) else _predictor(redrawing, fitted, modes)
    predicted = None if surrogate is None else surrogate(redrawing.draws)
    share = redrawing.estimate(predicted=predicted, is_trusted=is_trusted, answer_only=answer_only)
    lengths = {name: fitted.lengths_mm.get(name) or mm for name, mm in redrawing.spread_of_lengths().items()}
    sigma = fitted.sigma_mm or redrawing.spread_of_margin()
    return Uncertainty(share, sigma, lengths, math.inf, "redrawn")


def _constant_surrogate(result: RuleResult) -> FittedSurrogate:
    """That of a result which names nothing in doubt that it hangs on."""
    return FittedSurrogate(_is_met(result.decisive_mm, result), 0.0, dict.fromkeys(result.lengths_mm, 0.0), 0.0)


def _closed_share(fitted: FittedSurrogate, result: RuleResult) -> Share | None:
    """The share by the surrogate alone; None where it has corners that may turn the answer."""
    left = fitted.margin if isinstance(fitted.margin, bool) else prune(fitted.margin, CERTAIN)
    if isinstance(left, bool):
        return Share.at(float(left))
    if result.status == "measured" or result.contact_probability is not None:  # nobody asks how probable it is
        return Share.at(float(_is_met(result.decisive_mm, result)))
    if isinstance(left, BentPiece) and left.is_straight():
        return Share.at(_normal_probability(left.mm, left.sigma(), result))
    return None


def _is_known(result: RuleResult, forms: Mapping[int, KnownForm]) -> bool:
    """Whether the rule itself knows the form of its margin, or nobody asks how probable it is."""
    if result.status != "decided" or result.contact_probability is not None:
        return True
    return len(forms) == sum(1 for _ in result.single_conditions())


def _is_confirmed(redrawing: Redrawing, fitted: FittedSurrogate, modes: Sequence[Mode], *, plain: bool) -> bool:
    """Whether the exact rule says on redrawn tables what the surrogate predicts."""
    predicted = _predictor(redrawing, fitted, modes)
    return redrawing.is_predicted(
        predicted, fitted.sigma_mm, fewest=_PLAIN_PAIRS, most=_PLAIN_PAIRS if plain else _PAIRS
    )


def _predictor(redrawing: Redrawing, fitted: FittedSurrogate, modes: Sequence[Mode]) -> Callable[[Floats], Floats]:
    """The margin over its threshold, by the surrogate, at draws of all modes (N, all modes)."""
    margin, result = fitted.margin, redrawing.result
    if isinstance(margin, bool):
        return lambda draws: np.full(len(draws), CAPPED_MM if margin else -CAPPED_MM)
    weights = embed_modes(redrawing.table.state, modes)
    threshold = -EXACT_MM if result.zero_is_met else EXACT_MM
    return lambda draws: margin.evaluate(draws @ weights.T) - threshold


def _dependencies(result: RuleResult, forms: Mapping[int, KnownForm]) -> tuple[str, ...]:
    ids = sorted(
        frozenset().union(*(form.margin.ids() for form in forms.values())) - frozenset(result.depends_on_place)
    )
    return (*result.depends_on_place, *ids)


def _normal_probability(margin: float, sigma: float, result: RuleResult) -> float:
    if sigma < EXACT_MM:
        return float(_is_met(margin, result))
    return 0.5 * math.erfc(-margin / (sigma * math.sqrt(2)))


def _is_met(margin: float, result: RuleResult) -> bool:
    return is_margin_met(margin, zero_is_met=result.zero_is_met)
