"""Doubt: from what is not surely known about a table to the probability that a rule's condition is met.

Every source of error is a mode: a unit-normal number that nudges some things. A ruling's margin is a set of pieces that
change in proportion to the modes, joined by least and greatest: told by the rule where it knows them, else learnt by
asking on nudged tables. One mechanism serves every question: first order where one piece decides, drawn tables where
several may. Draws are seeded from the state, so the same question has the same answer.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from models.miniature import Miniature
from models.state import TableState
from models.units import radians
from referee.draws import Span, share_met
from referee.form import Bent, Floats, Mode, Surrogate, Told, pruned, spelt
from referee.learning import Ask, learnt, told_by
from referee.modes import at_draw, modes_of
from referee.ruling import FacingUntold, Ruling
from referee.situation import Situation

Shares = dict[Hashable, float]

YES_FROM = 0.975  # the one setting: at least this probable is yes, at most its complement is no
_TURNS = (1 - YES_FROM, YES_FROM)
_CERTAIN = 6.0  # sigmas beyond which a piece turns in no draw


@dataclass(frozen=True)
class Doubt:
    """How sure a ruling is. `sigma_mm` is that of the margin, `lengths_mm` those of the measured lengths.

    Many times `spread_mm` from its threshold no answer turns, be it by a leap: it is no less than the margin scatters.
    """

    probability: float
    sigma_mm: float
    lengths_mm: dict[str, float]
    spread_mm: float


def doubt_of(
    ask: Ask,
    situation: Situation,
    ruling: Ruling,
    *,
    answer_only: bool = False,
    plain: bool = False,
    drawn: Shares | None = None,
) -> Doubt | None:
    """The doubt of a ruling; None when everything it hangs on is exact.

    With `answer_only` the probability is one that is answered as the true one is; where it is `plain`, nobody is told
    the sigmas of what is far from its threshold. Shares already `drawn` for the same question, with others turned
    another way, hold where all that is left to turn is the same.
    """
    drawn = {} if drawn is None else drawn
    among, plain = _TURNS if answer_only else None, plain or answer_only
    facings = _facings(situation.state, [id_ for id_ in ruling.faces if id_ not in situation.facings_rad])
    if len(facings) == 1:
        return _about(ask, situation, ruling, drawn, among=among, plain=plain)
    turned = [(weight, _facing(situation, facing)) for weight, facing in facings]
    parts = [
        (weight, _about(ask, table, found := ask(table), drawn, plain=plain) or _exact(found))
        for weight, table in turned
    ]
    first = parts[0][1]
    return Doubt(
        min(1.0, max(0.0, sum(w * d.probability for w, d in parts))), first.sigma_mm, first.lengths_mm, first.spread_mm
    )


def moves_alike(ask: Ask, ruling: Ruling, one: Situation, other: Situation) -> bool:
    """Whether two tables that are ruled alike, differing in who looks where, stay so when everything is moved a bit.

    One way may be the mirror image of the other: as far off, but not as sure.
    """
    if not any(one.facings_rad.get(id_) != other.facings_rad.get(id_) for id_ in ruling.faces):
        return True
    modes = tuple(modes_of(one.state, ruling.touches))
    bits = {j: math.cos(1 + j) for j in range(len(modes))}  # no two of them alike, nor any mirrored
    try:
        moved, others = (ask(at_draw(table, modes, bits)) for table in (one, other))
    except FacingUntold:  # of somebody that neither hangs on at rest
        return False
    return moved.told_numbers() == others.told_numbers()


def _facings(state: TableState, ids: Sequence[str]) -> list[tuple[float, dict[str, float]]]:
    """Every combination of the facings these miniatures may have, with its probability; the first as told."""
    choices = []
    for id_ in ids:
        miniature = state.by_id[id_]
        if not isinstance(miniature, Miniature) or miniature.facing_rad is None or not miniature.facing_alternatives:
            continue
        others = [(a.probability, (id_, radians(a.facing_deg))) for a in miniature.facing_alternatives]
        told = max(0.0, 1.0 - sum(p for p, _ in others))
        choices.append([(told, (id_, miniature.facing_rad)), *others])
    combined = [(math.prod(p for p, _ in pick), dict(f for _, f in pick)) for pick in product(*choices)]
    total = sum(p for p, _ in combined)
    return [(p / total, f) for p, f in combined] if total > 0 else combined


def _facing(situation: Situation, facings: Mapping[str, float]) -> Situation:
    for id_, facing in facings.items():
        situation = situation.facing(id_, facing)
    return situation


def _exact(ruling: Ruling) -> Doubt:
    return Doubt(float(_is_met(ruling.decisive_mm, ruling)), 0.0, dict.fromkeys(ruling.lengths_mm, 0.0), 0.0)


def _about(
    ask: Ask, situation: Situation, ruling: Ruling, drawn: Shares, *, among: Span | None = None, plain: bool = False
) -> Doubt | None:
    """The doubt about one choice of facings; None when everything is exact."""
    told = told_by(ruling, situation.state)
    modes = tuple(modes_of(situation.state, _touched(ruling, told)))
    if not modes:
        return None
    found = learnt(ask, situation, ruling, modes, told, plain=plain)
    left = found.margin if isinstance(found.margin, bool) else pruned(found.margin, _CERTAIN)
    if isinstance(left, bool):
        probability = float(left)
    elif isinstance(left, Bent) and left.is_straight():
        probability = _phi(left.mm, left.sigma(), ruling)
    else:
        moved = tuple(frozenset(mode.items()) for mode in modes)
        same = (among, frozenset(situation.readings.items()), moved, spelt(left))
        if same not in drawn:
            drawn[same] = _share(ask, situation, modes, left, among)
        probability = drawn[same]
    return Doubt(probability, found.sigma_mm, found.lengths_mm, max(found.spread_mm, found.sigma_mm))


def _share(ask: Ask, situation: Situation, modes: Sequence[Mode], left: Surrogate, among: Span | None) -> float:
    """The share of drawn tables on which the margin is met."""

    def resolve(draw: Floats) -> float:
        return ask(at_draw(situation, modes, dict(enumerate(draw)))).decisive_mm

    return share_met(left, len(modes), resolve, situation.state, among=among)


def _touched(ruling: Ruling, told: Mapping[int, Told]) -> tuple[str, ...]:
    ids = sorted(frozenset().union(*(one.margin.ids() for one in told.values())) - frozenset(ruling.touches))
    return (*ruling.touches, *ids)


def _phi(margin: float, sigma: float, ruling: Ruling) -> float:
    if sigma == 0:
        return float(_is_met(margin, ruling))
    return 0.5 * math.erfc(-margin / (sigma * math.sqrt(2)))


def _is_met(margin: float, ruling: Ruling) -> bool:
    return margin > 0 or (margin == 0 and ruling.zero_is_met)
