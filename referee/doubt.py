"""Doubt: from what is not surely known about a table to the probability that a rule's condition is met.

Every source of error is a mode: a unit-normal number that nudges some things. A ruling's margin is a set of pieces that
change in proportion to the modes, joined by least and greatest: told by the rule where it knows them, else learnt by
asking on nudged tables. One mechanism serves every question: first order where one piece decides, drawn tables where
several may. Draws are seeded from the state, so the same question has the same answer.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from models.miniature import Miniature
from models.state import TableState
from models.units import radians
from referee.draws import Span, share_met
from referee.form import Bent, Floats, Joined, Mode, Piece, Surrogate, Told, over, pieces_of, pruned, spelt
from referee.modes import at_draw, loosest, modes_of
from referee.ruling import Ruling
from referee.situation import Situation

Ask = Callable[[Situation], Ruling]
Shares = dict[Hashable, float]

YES_FROM = 0.975  # the one setting: at least this probable is yes, at most its complement is no
_TURNS = (1 - YES_FROM, YES_FROM)
_STEP = 3.0  # sigmas by which each mode is moved to learn: a corner farther out turns no verdict that is sure
_CORNER = 0.03  # share of its slope by which a piece may bend and still be called straight
_SURE = 12.0  # sigmas beyond which the sum of all doubts cannot turn the answer
_SAME_MM = 1e-9  # what a length differs by that was worked out in another order
_CERTAIN = 6.0  # sigmas beyond which a piece turns in no draw


@dataclass(frozen=True)
class Doubt:
    """How sure a ruling is. `sigma_mm` is that of the margin, `lengths_mm` those of the measured lengths."""

    probability: float
    sigma_mm: float
    lengths_mm: dict[str, float]


def doubt_of(
    ask: Ask, situation: Situation, ruling: Ruling, *, answer_only: bool = False, drawn: Shares | None = None
) -> Doubt | None:
    """The doubt of a ruling; None when everything it hangs on is exact.

    With `answer_only` the probability is one that is answered as the true one is. Shares already `drawn` for the same
    question, with others turned another way, hold where all that is left to turn is the same.
    """
    drawn = {} if drawn is None else drawn
    among = _TURNS if answer_only else None
    facings = _facings(situation.state, [id_ for id_ in ruling.faces if id_ not in situation.facings_rad])
    if len(facings) == 1:
        return _about(ask, situation, ruling, drawn, among=among)
    turned = [(weight, _facing(situation, facing)) for weight, facing in facings]
    parts = [(weight, _about(ask, table, found := ask(table), drawn) or _exact(found)) for weight, table in turned]
    first = parts[0][1]
    return Doubt(min(1.0, max(0.0, sum(w * d.probability for w, d in parts))), first.sigma_mm, first.lengths_mm)


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
    return Doubt(float(_is_met(ruling.decisive_mm, ruling)), 0.0, dict.fromkeys(ruling.lengths_mm, 0.0))


def _about(ask: Ask, situation: Situation, ruling: Ruling, drawn: Shares, *, among: Span | None = None) -> Doubt | None:
    """The doubt about one choice of facings; None when everything is exact."""
    told = _told(ruling, situation.state)
    modes = tuple(modes_of(situation.state, _touched(ruling, told)))
    if not modes:
        return None
    learnt = _learnt(ask, situation, ruling, modes, told)
    if learnt.surely is not None:
        return Doubt(learnt.surely, learnt.sigma_mm, learnt.lengths_mm)
    left = pruned(learnt.margin, _CERTAIN)
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
    return Doubt(probability, learnt.sigma_mm, learnt.lengths_mm)


def _share(ask: Ask, situation: Situation, modes: Sequence[Mode], left: Surrogate, among: Span | None) -> float:
    """The share of drawn tables on which the margin is met."""

    def resolve(draw: Floats) -> float:
        return ask(at_draw(situation, modes, dict(enumerate(draw)))).decisive_mm

    return share_met(left, len(modes), resolve, situation.state, among=among)


@dataclass(frozen=True)
class _Learnt:
    """What was learnt of a margin: as a surrogate, or as a probability when it is far from its threshold."""

    margin: Surrogate
    sigma_mm: float
    lengths_mm: dict[str, float]
    surely: float | None = None


def _told(ruling: Ruling, state: TableState) -> dict[int, Told]:
    """The forms that the rules themselves know, by the place of their ruling among all conditions."""
    found: dict[int, Told] = {}
    sigmas = loosest(state)
    if sigmas == (0.0, 0.0):
        return found
    for k, one in enumerate(_conditions(ruling)):
        told = one.form(*sigmas) if one.form is not None else None
        if told is not None:
            found[k] = told
    return found


def _conditions(ruling: Ruling) -> Iterator[Ruling]:
    """The single conditions that a ruling is made of."""
    if not ruling.conditions:
        yield ruling
    for one in ruling.conditions:
        yield from _conditions(one)


def _touched(ruling: Ruling, told: Mapping[int, Told]) -> tuple[str, ...]:
    ids = sorted(frozenset().union(*(one.margin.ids() for one in told.values())) - frozenset(ruling.touches))
    return (*ruling.touches, *ids)


def _learnt(ask: Ask, situation: Situation, ruling: Ruling, modes: Sequence[Mode], told: Mapping[int, Told]) -> _Learnt:
    """The margin over the modes: what the rules told, and for the rest what they say on nudged tables."""
    if not ruling.conditions and told and told[0].lengths.keys() >= ruling.lengths_mm.keys():
        return _from_told(ruling, modes, told[0])
    middle = _Numbers.of(ruling)
    known = _known(middle, told)
    hung = _hung_on(ruling, modes, told) if known.keys() >= middle.wanted() or not told else range(len(modes))
    ups, downs = np.zeros((2, len(modes), len(middle.values)))
    for j in hung:
        ups[j] = (middle.filled(ask(at_draw(situation, modes, {j: _STEP}))) - middle.values) / _STEP
    spread = np.linalg.norm(ups, axis=0)
    if not told and abs(middle.values[0]) > _SURE * spread[0]:  # so far from the threshold one side tells enough
        lengths = dict(zip(middle.names, map(float, spread[2 + middle.count :]), strict=True))
        return _Learnt(Bent(0.0, spread, spread), float(spread[1]), lengths, _phi(middle.values[0], spread[0], ruling))
    for j in hung:
        downs[j] = (middle.values - middle.filled(ask(at_draw(situation, modes, {j: -_STEP})))) / _STEP
    sigmas = np.linalg.norm((ups + downs) / 2, axis=0)
    for k, piece in known.items():
        sigmas[k] = piece.sigma(modes)
    leaves = [over(told[k].margin, modes) if k in told else _bent(middle.values[2 + k], ups[:, 2 + k], downs[:, 2 + k])
              for k in range(middle.count)]  # fmt: skip
    margin = _tree(ruling, iter(leaves))
    lengths = dict(zip(middle.names, map(float, sigmas[2 + middle.count :]), strict=True))
    whole = told and middle.values[0] == middle.values[1]
    return _Learnt(margin, _sigma_of(margin, len(modes)) if whole else float(sigmas[1]), lengths)


def _from_told(ruling: Ruling, modes: Sequence[Mode], told: Told) -> _Learnt:
    margin = over(told.margin, modes)
    sigmas = {name: piece.sigma(modes) for name, piece in told.lengths.items()}
    lengths = {name: sigmas.get(name, 0.0) for name in ruling.lengths_mm}
    return _Learnt(margin, _sigma_of(margin, len(modes)), lengths)


def _hung_on(ruling: Ruling, modes: Sequence[Mode], told: Mapping[int, Told]) -> Sequence[int]:
    """The modes that move what any condition without a told form hangs on."""
    if not told:
        return range(len(modes))
    ids = {id_ for k, one in enumerate(_conditions(ruling)) if k not in told for id_ in one.touches}
    return [j for j, mode in enumerate(modes) if not ids.isdisjoint(mode)]


def _known(numbers: "_Numbers", told: Mapping[int, Told]) -> dict[int, Piece]:
    """The pieces that margin and lengths are, of all that was told; each is known by its value."""
    pieces = [piece for one in told.values() for piece in (*pieces_of(one.margin), *one.lengths.values())]
    places = (1, *range(2 + numbers.count, len(numbers.values)))
    found = ((k, next((p for p in pieces if abs(p.mm - numbers.values[k]) < _SAME_MM), None)) for k in places)
    return {k: piece for k, piece in found if piece is not None}


@dataclass(frozen=True)
class _Numbers:
    """A ruling as numbers: what probability is taken of, the margin, every single condition, and the lengths."""

    values: Floats
    names: tuple[str, ...]
    count: int

    @classmethod
    def of(cls, ruling: Ruling) -> "_Numbers":
        conditions = [one.decisive_mm for one in _conditions(ruling)]
        margin = 0.0 if ruling.margin_mm is None else ruling.margin_mm
        values = [ruling.decisive_mm, margin, *conditions, *ruling.lengths_mm.values()]
        return cls(np.array(values), tuple(ruling.lengths_mm), len(conditions))

    def wanted(self) -> set[int]:
        """The places of what is told of a verdict besides its probability: the lengths, and a margin of its own."""
        lengths = range(2 + self.count, len(self.values))
        return {*lengths} if self.values[0] == self.values[1] else {1, *lengths}

    def filled(self, nudged: Ruling) -> Floats:
        """The same numbers of a nudged ruling; where a length or a condition is gone, what it was."""
        conditions = [one.decisive_mm for one in _conditions(nudged)]
        if len(conditions) != self.count:
            conditions = [nudged.decisive_mm] * self.count
        margin = 0.0 if nudged.margin_mm is None else nudged.margin_mm
        known = self.values[2 + self.count :]
        lengths = [nudged.lengths_mm.get(name, float(was)) for name, was in zip(self.names, known, strict=True)]
        return np.array([nudged.decisive_mm, margin, *conditions, *lengths])


def _bent(mm: float, up: Floats, down: Floats) -> Bent:
    """A learnt piece: straight unless it bends by more than a trifle."""
    reach = float(np.linalg.norm(np.maximum(np.abs(up), np.abs(down))))
    if float(np.abs(up - down).sum()) <= _CORNER * reach:
        slope = (up + down) / 2
        return Bent(float(mm), slope, slope)
    return Bent(float(mm), up.copy(), down.copy())


def _tree(ruling: Ruling, leaves: Iterator[Bent | Joined]) -> Surrogate:
    if not ruling.conditions:
        return next(leaves)
    return Joined(tuple(_tree(one, leaves) for one in ruling.conditions), ruling.joined_by == "least")


def _sigma_of(margin: Surrogate, modes: int) -> float:
    """The sigma of a margin at its centre: half the way from one sigma down to one sigma up, mode by mode."""
    each = np.eye(modes)
    return float(np.linalg.norm((margin.at(each) - margin.at(-each)) / 2))


def _phi(margin: float, sigma: float, ruling: Ruling) -> float:
    if sigma == 0:
        return float(_is_met(margin, ruling))
    return 0.5 * math.erfc(-margin / (sigma * math.sqrt(2)))


def _is_met(margin: float, ruling: Ruling) -> bool:
    return margin > 0 or (margin == 0 and ruling.zero_is_met)
