"""Learning: how a ruling's margin and lengths change with the modes, told by the rule or asked on nudged tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from models.state import TableState
from referee.form import Bent, Floats, Joined, Mode, Piece, Surrogate, Told, over, pieces_of
from referee.modes import at_draw, loosest
from referee.once import once
from referee.ruling import Ruling
from referee.situation import Situation

Ask = Callable[[Situation], Ruling]

_STEP = 3.0  # sigmas by which each mode is moved to learn: a corner farther out turns no verdict that is sure
_BACK = 1.5  # sigmas by which all are moved back at once, to see whether any of them bends
_BEND = 0.1  # share of its sigma by which what is told may then be off: the sigma is off by less
_CORNER = 0.03  # share of its slope by which a piece may bend and still be called straight
_SURE = 12.0  # sigmas beyond which the sum of all doubts cannot turn the answer
_SAME_MM = 1e-9  # what a length differs by that was worked out in another order
_NOTHING_MM = 0.001  # of a sigma that nobody hears of
_JUMP_MM = 5.0  # what differs by more over a step may have leapt, and is looked at from one sigma off too


@dataclass(frozen=True)
class Learnt:
    """What was learnt of a ruling: its margin over the modes, or whether it is met where that is sure.

    `sigma_mm` and `lengths_mm` are what the margin and the lengths told scatter by while the same things decide them.
    `spread_mm` is for what decides: it takes a leap that a mode leads to within three of its sigmas for a slope, so
    that far beyond it nothing turns.
    """

    margin: Surrogate | bool
    sigma_mm: float
    lengths_mm: dict[str, float]
    spread_mm: float


def told_by(ruling: Ruling, state: TableState) -> dict[int, Told]:
    """The forms that the rules themselves know, by the place of their ruling among all conditions."""
    found: dict[int, Told] = {}
    sigmas = loosest(state)
    if sigmas == (0.0, 0.0):
        return found
    for k, one in enumerate(ruling.single_conditions()):
        told = one.form(*sigmas) if one.form is not None else None
        if told is not None:
            found[k] = told
    return found


def learnt(
    ask: Ask,
    situation: Situation,
    ruling: Ruling,
    modes: Sequence[Mode],
    told: Mapping[int, Told],
    *,
    plain: bool = False,
) -> Learnt:
    """The margin over the modes: what the rules told, and for the rest what they say on nudged tables.

    Where it is `plain`, nobody is told how sure a margin is that is far from its threshold.
    """
    if not ruling.conditions and told and told[0].lengths.keys() >= ruling.lengths_mm.keys():
        return _from_told(ruling, modes, told[0])
    return _Learning(ask, situation, ruling, modes, told, plain).learnt()


def _from_told(ruling: Ruling, modes: Sequence[Mode], told: Told) -> Learnt:
    margin = over(told.margin, modes)
    sigmas = {name: piece.sigma(modes) for name, piece in told.lengths.items()}
    lengths = {name: sigmas.get(name, 0.0) for name in ruling.lengths_mm}
    sigma = _sigma_of(margin, len(modes))
    return Learnt(margin, sigma, lengths, sigma)


@dataclass(frozen=True)
class _Learning:
    """One ruling, and what it is learnt from: tables on which one mode each is moved."""

    ask: Ask
    situation: Situation
    ruling: Ruling
    modes: Sequence[Mode]
    told: Mapping[int, Told]
    plain: bool = False

    @once
    def middle(self) -> "_Numbers":
        return _Numbers.of(self.ruling)

    @once
    def known(self) -> dict[int, Piece]:
        return _known(self.middle, self.told)

    def learnt(self) -> Learnt:
        hung = self._hung_on()
        ups = self._slopes(hung, _STEP)
        decisive, spread = self.middle.values[0], self._spread(ups)
        is_sure = bool(abs(decisive) > _SURE * spread)
        if is_sure and self.plain:
            return self._written(bool(decisive > 0), self._sigmas(ups, ups), spread)
        downs = ups if is_sure and self._is_straight(hung, ups) else self._slopes(hung, -_STEP)
        sigmas = self._sigmas(*self._nearer(ups, downs))
        if is_sure:
            return self._written(bool(decisive > 0), sigmas, spread)
        margin = self._margin(ups, downs)
        return self._written(
            margin, sigmas, _sigma_of(margin, len(self.modes)) if self.told else float(_sigmas(ups, downs)[0])
        )

    def _spread(self, ups: Floats) -> float:
        """What decides changes by so much in all, a leap taken for a slope: as asked, or along the others as told."""
        slopes = np.abs(ups[:, 0])
        if self.told:
            by_told = self._margin(ups, ups).at(_STEP * np.eye(len(self.modes))) - self.middle.values[0]
            slopes = np.maximum(slopes, np.abs(by_told) / _STEP)
        return float(np.linalg.norm(slopes))

    def _sigmas(self, ups: Floats, downs: Floats) -> Floats:
        """The sigma of each number by these slopes, or as it was told."""
        sigmas = _sigmas(ups, downs)
        for k, piece in self.known.items():
            sigmas[k] = piece.sigma(self.modes)
        if self.told and self.middle.values[0] == self.middle.values[1]:
            sigmas[1] = _sigma_of(self._margin(ups, downs), len(self.modes))
        return sigmas

    def _hung_on(self) -> Sequence[int]:
        """The modes that move what any condition without a told form hangs on; all, where more is not told."""
        if not self.told or not self.known.keys() >= self.middle.wanted():
            return range(len(self.modes))
        ids = {
            id_ for k, one in enumerate(self.ruling.single_conditions()) if k not in self.told for id_ in one.touches
        }
        return [j for j, mode in enumerate(self.modes) if not ids.isdisjoint(mode)]

    def _slopes(self, of: Iterable[int], sigmas: float, *, but: Floats | None = None) -> Floats:
        """By how much each number changes per sigma of these modes, seen so many sigmas off: (modes, numbers).

        `but` are the slopes along all other modes, which change nothing where it is not given.
        """
        slopes = np.zeros((len(self.modes), len(self.middle.values))) if but is None else but.copy()
        for j in of:
            nudged = self.ask(at_draw(self.situation, self.modes, {j: sigmas}))
            slopes[j] = (self.middle.filled(nudged) - self.middle.values) / sigmas
        return slopes

    def _is_straight(self, along: Iterable[int], ups: Floats) -> bool:
        """Whether what is told changes the other way as it does this way: seen on one table with all moved at once."""
        back = dict.fromkeys(along, -_BACK)
        if not back:
            return True
        seen = self.middle.filled(self.ask(at_draw(self.situation, self.modes, back))) - self.middle.values
        bends, sigmas = np.abs(seen / _BACK + ups.sum(axis=0)), np.linalg.norm(ups, axis=0)
        return bool((bends <= _BEND * sigmas + _NOTHING_MM)[self._told_columns()].all())

    def _told_columns(self) -> list[int]:
        """The places of the margin, and of the lengths that no form tells."""
        return [1, *(k for k in range(2 + self.middle.count, len(self.middle.values)) if k not in self.known)]

    @once
    def _spoken(self) -> list[int]:
        """The places of what sigmas are told of, and of what those are worked out from."""
        is_joined = self.told and self.middle.values[0] == self.middle.values[1]
        return [*self._told_columns(), *(range(2, 2 + self.middle.count) if is_joined else ())]

    def _leaping(self, slopes: Floats) -> Sequence[int]:
        """The modes along which what is told may leap: over a step it differs by more than errors make."""
        differ = np.abs(slopes[:, self._spoken]).max(axis=1, initial=0.0) * _STEP
        return [int(j) for j in np.flatnonzero(differ > _JUMP_MM)]

    def _nearer(self, ups: Floats, downs: Floats) -> tuple[Floats, Floats]:
        """Both slopes, but where something leaps those seen from one sigma off.

        Where it leaps there too, as what grazes does at once, both are that of the side on which it does not.
        """
        leaping = self._leaping(ups - downs)
        up, down = self._slopes(leaping, 1.0, but=ups), self._slopes(leaping, -1.0, but=downs)
        leaps, lesser = np.abs(up - down) > _JUMP_MM, np.where(np.abs(up) < np.abs(down), up, down)
        return np.where(leaps, lesser, up), np.where(leaps, lesser, down)

    def _margin(self, ups: Floats, downs: Floats) -> Surrogate:
        """The margin, joined of conditions as they are told, or by these slopes."""
        conditions = enumerate(self.middle.conditions())
        leaves = (
            over(self.told[k].margin, self.modes) if k in self.told else _bent(mm, ups[:, 2 + k], downs[:, 2 + k])
            for k, mm in conditions
        )
        return _tree(self.ruling, leaves)

    def _written(self, margin: Surrogate | bool, sigmas: Floats, spread_mm: float) -> Learnt:
        lengths = dict(zip(self.middle.names, map(float, sigmas[2 + self.middle.count :]), strict=True))
        return Learnt(margin, float(sigmas[1]), lengths, spread_mm)


def _sigmas(ups: Floats, downs: Floats) -> Floats:
    """The sigma of each number, half the way from one sigma down to one sigma up mode by mode."""
    return np.asarray(np.linalg.norm((ups + downs) / 2, axis=0))


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
        conditions = [one.decisive_mm for one in ruling.single_conditions()]
        margin = 0.0 if ruling.margin_mm is None else ruling.margin_mm
        values = [ruling.decisive_mm, margin, *conditions, *ruling.lengths_mm.values()]
        return cls(np.array(values), tuple(ruling.lengths_mm), len(conditions))

    def conditions(self) -> Floats:
        return self.values[2 : 2 + self.count]

    def wanted(self) -> set[int]:
        """The places of what is told of a verdict besides its probability: the lengths, and a margin of its own."""
        lengths = range(2 + self.count, len(self.values))
        return {*lengths} if self.values[0] == self.values[1] else {1, *lengths}

    def filled(self, nudged: Ruling) -> Floats:
        """The same numbers of a nudged ruling; where one of them is gone, what it was."""
        conditions = [one.decisive_mm for one in nudged.single_conditions()]
        if len(conditions) != self.count:
            conditions = [nudged.decisive_mm] * self.count
        margin = float(self.values[1]) if nudged.margin_mm is None else nudged.margin_mm
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
