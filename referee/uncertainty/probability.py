"""Probability: from what is uncertain about a table to the probability that a condition is met, and to an answer.

Every source of error is a mode: a unit-normal number that perturbs some things. A margin is a set of pieces that change
in proportion to the modes, joined by minimum and maximum: known to the rule, or fitted on perturbed tables. First order
serves where one piece decides, Monte Carlo sampling where several may. Draws are seeded from the state, so the same
question has the same answer.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from models.miniature import Miniature
from models.state import TableState
from models.unit_conversion import radians
from models.verdict import CAPPED_MM, Answer
from referee.arrays import Floats
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import BentPiece, KnownForm, Mode, Surrogate, prune, surrogate_key
from referee.rules.rule_result import FacingUnknown, RuleResult
from referee.rules.switches import EXACT_MM, is_margin_met
from referee.uncertainty.error_modes import modes_of, perturb_along_modes
from referee.uncertainty.monte_carlo import Share, Span, probability_by_sampling
from referee.uncertainty.sensitivity import Ask, fit_surrogate, known_forms
from referee.uncertainty.switch_cells import SwitchedProbability, reachable_switches, split_by_switches

Shares = dict[Hashable, Share]

YES_FROM = 0.975  # the one setting: at least this probable is yes, at most its complement is no
_TURNS = (1 - YES_FROM, YES_FROM)
_CERTAIN = 6.0  # sigmas beyond which a piece turns in no draw


@dataclass(frozen=True)
class Uncertainty:
    """How sure a result is. `sigma_mm` is that of the margin, `lengths_mm` those of the measured lengths.

    Many times `spread_mm` from its threshold no answer turns, be it by a leap: it is no less than the margin scatters.
    """

    probability: float
    sigma_mm: float
    lengths_mm: dict[str, float]
    spread_mm: float
    switched: SwitchedProbability | None = None
    """Where a switch may turn: the probability over its outcomes, and what is found beyond it."""
    between: Share | None = None
    """Where tables were counted: between what the probability lies."""

    @property
    def ends(self) -> Share | SwitchedProbability:
        """Between what the probability lies; where nothing was left in doubt of it, at one point."""
        return self.switched or self.between or Share.at(self.probability)


def uncertainty_of_result(
    ask: Ask,
    table: ExactTable,
    result: RuleResult,
    *,
    answer_only: bool = False,
    plain: bool = False,
    drawn: Shares | None = None,
) -> Uncertainty | None:
    """The uncertainty of a result; None when everything it hangs on is exact.

    With `answer_only` the probability is one that is answered as the true one is; where it is `plain`, nobody is told
    the sigmas of what is far from its threshold. Shares already `drawn` for the same question, with others turned
    another way, hold where all that is left to turn is the same.
    """
    drawn = {} if drawn is None else drawn
    among, plain = _TURNS if answer_only else None, plain or answer_only
    facings = _weigh_facings(table.state, [id_ for id_ in result.depends_on_facing if id_ not in table.facings_rad])
    if len(facings) == 1:
        return _estimate_uncertainty(ask, table, result, drawn, among=among, plain=plain)
    turned = [(weight, _turn_all(table, facing)) for weight, facing in facings]
    parts = [
        (
            weight,
            _estimate_uncertainty(ask, turned_table, alternative := ask(turned_table), drawn, plain=plain)
            or _no_uncertainty(alternative),
        )
        for weight, turned_table in turned
    ]
    first, low, high = parts[0][1], sum(w * d.ends.low for w, d in parts), sum(w * d.ends.high for w, d in parts)
    probability = min(1.0, max(0.0, sum(w * d.probability for w, d in parts)))
    # of a told contact nothing is counted
    between = Share(probability, low, high) if low < high and result.contact_probability is None else None
    return Uncertainty(probability, first.sigma_mm, first.lengths_mm, first.spread_mm, between=between)


def probability_of(result: RuleResult, uncertainty: Uncertainty | None) -> float:
    if result.contact_probability is not None:
        return result.contact_probability
    if uncertainty is not None:
        return uncertainty.probability
    return float(_is_met(result.decisive_mm, result))


def decide(probability: float, uncertainty: Uncertainty | None) -> Answer:
    """The answer; where something was left in doubt of how probable it is, only one that holds at both ends."""
    weighed = None if uncertainty is None else uncertainty.switched or uncertainty.between
    ends = weighed or Share.at(probability)
    return answer_between(ends.low, ends.high)


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
    return Uncertainty(float(_is_met(result.decisive_mm, result)), 0.0, dict.fromkeys(result.lengths_mm, 0.0), 0.0)


def _estimate_uncertainty(
    ask: Ask,
    table: ExactTable,
    result: RuleResult,
    drawn: Shares,
    *,
    among: Span | None = None,
    plain: bool = False,
) -> Uncertainty | None:
    """The uncertainty about one choice of facings; None when everything is exact."""
    switched = _split(ask, table, result)
    if switched is not None:
        return switched
    forms = known_forms(result, table.state)
    modes = tuple(modes_of(table.state, _dependencies(result, forms)))
    if not modes:
        return None
    surrogate = fit_surrogate(ask, table, result, modes, forms, plain=plain)
    share = None
    left = surrogate.margin if isinstance(surrogate.margin, bool) else prune(surrogate.margin, _CERTAIN)
    if isinstance(left, bool):
        probability = float(left)
    elif result.status == "measured":  # nobody is told how probable a length is
        probability = float(_is_met(result.decisive_mm, result))
    elif isinstance(left, BentPiece) and left.is_straight():
        probability = _normal_probability(left.mm, left.sigma(), result)
    else:
        moved = tuple(frozenset(mode.items()) for mode in modes)
        same = (among, frozenset(table.readings.items()), moved, surrogate_key(left))
        if same not in drawn:
            drawn[same] = _sample_probability(ask, table, result, modes, left, among)
        probability = drawn[same].probability
        share = drawn[same] if result.contact_probability is None else None  # of a told contact nothing is counted
    return Uncertainty(
        probability,
        surrogate.sigma_mm,
        surrogate.lengths_mm,
        max(surrogate.spread_mm, surrogate.sigma_mm),
        between=share,
    )


def _split(ask: Ask, table: ExactTable, result: RuleResult) -> Uncertainty | None:
    """The uncertainty where switches within reach of the sigmas decide; None where none does."""
    near = reachable_switches(result.switches, table.state)
    switched = split_by_switches(ask, table, result, near) if near else None
    if switched is None:
        return None
    nearest = min(
        switched.switches, key=lambda open_switch: abs(open_switch.switch.margin) / open_switch.sigma, default=None
    )
    sigma = nearest.sigma if nearest is not None else 0.0
    return Uncertainty(switched.probability, sigma, dict.fromkeys(result.lengths_mm, 0.0), math.inf, switched)


def _sample_probability(
    ask: Ask, table: ExactTable, result: RuleResult, modes: Sequence[Mode], left: Surrogate, among: Span | None
) -> Share:
    """The share of drawn tables on which the margin is met; what stops at a contact is at zero in all of them."""

    def resolve(draw: Floats) -> float:
        return ask(perturb_along_modes(table, modes, dict(enumerate(draw)))).decisive_mm

    least = -EXACT_MM if result.zero_is_met else EXACT_MM
    return probability_by_sampling(left, len(modes), resolve, table.state, among=among, threshold_mm=least)


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
