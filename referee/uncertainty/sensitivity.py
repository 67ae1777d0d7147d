"""Sensitivity: how a margin and lengths change with the error modes, known to the rule or by finite differences."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass

import numpy as np

from models.state import TableState
from referee.arrays import Floats
from referee.cached_attribute import cached_attribute
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import (
    BentPiece,
    JoinedPieces,
    KnownForm,
    LinearPiece,
    Mode,
    Surrogate,
    pieces_of,
    project_onto_modes,
)
from referee.rules.perturbation import Perturbation
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM
from referee.uncertainty.error_modes import largest_sigmas, perturb_along_modes

Ask = Callable[[ExactTable], RuleResult]

_STEP = 3.0  # sigmas by which each mode is moved to learn: a corner farther out turns no verdict that is sure
_BACK = 1.5  # sigmas by which all are moved back at once, to see whether any of them bends
_BEND = 0.1  # share of its sigma by which what is told may then be off: the sigma is off by less
_CORNER = 0.03  # share of its slope by which a piece may bend and still be called straight
_SURE = 12.0  # sigmas beyond which the sum of all doubts cannot turn the answer
_FOLD = 1 - 2 / math.pi  # the variance of how far a unit-normal number lies from nothing, either way
_SAME_MM = 1e-9  # what a length differs by that was worked out in another order
_NOTHING_MM = 0.001  # of a sigma that nobody hears of
_JUMP_MM = 5.0  # what differs by more over a step may have leapt, and is looked at from one sigma off too


@dataclass(frozen=True)
class FittedSurrogate:
    """What was learnt of a result: its margin over the modes, or whether it is met where that is sure.

    `sigma_mm` and `lengths_mm` are what the margin and the lengths told scatter by while the same things decide them.
    `spread_mm` is for what decides: it takes a leap that a mode leads to within three of its sigmas for a slope, so
    that far beyond it nothing turns.
    """

    margin: Surrogate | bool
    sigma_mm: float
    lengths_mm: dict[str, float]
    spread_mm: float


def combinations_of_own(modes: Sequence[Mode]) -> dict[int, Floats]:
    """The modes that move several things, each as the sum of what moves one alone: (modes,) weights.

    What changes in proportion changes along such a mode by the sum of what it does along those.
    """
    own: dict[str, list[int]] = {}
    for j, mode in enumerate(modes):
        if len(mode) == 1:
            own.setdefault(next(iter(mode)), []).append(j)
    combinations: dict[int, Floats] = {}
    for j, mode in enumerate(modes):
        parts = [_as_sum(modes, own.get(id_, ()), id_, moved) for id_, moved in mode.items()] if len(mode) > 1 else []
        own_parts = [part for part in parts if part is not None]
        if parts and len(own_parts) == len(parts):
            combinations[j] = np.sum(own_parts, axis=0)
    return combinations


def _as_sum(modes: Sequence[Mode], own: Sequence[int], id_: str, moved: Perturbation) -> Floats | None:
    """A displacement of one thing as the sum of its own modes; None where those do not lead there."""
    weights, wanted = np.zeros(len(modes)), np.array(astuple(moved))
    if not own:
        return None
    columns = np.array([astuple(modes[k][id_]) for k in own]).T
    weights[list(own)] = np.linalg.lstsq(columns, wanted, rcond=None)[0]
    return weights if np.abs(columns @ weights[list(own)] - wanted).max() < _SAME_MM else None


def known_forms(result: RuleResult, state: TableState) -> dict[int, KnownForm]:
    """The forms that the rules themselves know, by the place of their result among all conditions."""
    forms: dict[int, KnownForm] = {}
    sigmas = largest_sigmas(state)
    if sigmas == (0.0, 0.0):
        return forms
    for k, condition in enumerate(result.single_conditions()):
        form = condition.form(*sigmas) if condition.form is not None else None
        if form is not None:
            forms[k] = form
    return forms


def fit_surrogate(
    ask: Ask,
    table: ExactTable,
    result: RuleResult,
    modes: Sequence[Mode],
    forms: Mapping[int, KnownForm],
    *,
    plain: bool = False,
) -> FittedSurrogate:
    """The margin over the modes: what the rules told, and for the rest what they say on perturbed tables.

    Where it is `plain`, nobody is told how sure a margin is that is far from its threshold.
    """
    if not result.conditions and forms and forms[0].lengths.keys() >= result.lengths_mm.keys():
        return _use_known_form(result, modes, forms[0])
    return _SurrogateFit(ask, table, result, modes, forms, plain).fit()


def _use_known_form(result: RuleResult, modes: Sequence[Mode], known_form: KnownForm) -> FittedSurrogate:
    margin = project_onto_modes(known_form.margin, modes)
    sigmas = {name: piece.sigma(modes) for name, piece in known_form.lengths.items()}
    lengths = {name: sigmas.get(name, 0.0) for name in result.lengths_mm}
    sigma = _sigma_of(margin, len(modes))
    return FittedSurrogate(margin, sigma, lengths, sigma)


@dataclass(frozen=True)
class _SurrogateFit:
    """One result, and what it is learnt from: tables on which one mode each is moved."""

    ask: Ask
    table: ExactTable
    result: RuleResult
    modes: Sequence[Mode]
    forms: Mapping[int, KnownForm]
    answer_only: bool = False

    @cached_attribute
    def centre(self) -> "_Numbers":
        return _Numbers.of(self.result)

    @cached_attribute
    def known_pieces(self) -> dict[int, LinearPiece]:
        return _match_pieces(self.centre, self.forms)

    def fit(self) -> FittedSurrogate:
        hung = self._modes_to_probe()
        combined = {
            j: weights
            for j, weights in combinations_of_own(self.modes).items()
            if j in hung and set(np.flatnonzero(weights)) <= set(hung)
        }
        ups = self._slopes((j for j in hung if j not in combined), _STEP)
        for j, weights in combined.items():
            ups[j] = weights @ ups
        decisive, spread = self.centre.values[0], self._decisive_spread(ups)
        is_sure, is_measured = self._is_beyond(spread), self.result.status == "measured"
        if is_sure or is_measured:
            back = self._change_when_all_go_back(hung)
            is_sure = is_sure and self._is_beyond(abs(float(back[0])) / _BACK)
            if (is_sure and self.answer_only) or ((is_sure or is_measured) and self._is_straight(back, ups)):
                return self._surrogate(bool(decisive > 0), self._sigmas(ups, ups), spread)
        ups, downs = self._slopes(combined, _STEP, but=ups), self._slopes(hung, -_STEP)
        sigmas = self._sigmas(*self._refine_jumps(ups, downs))
        spread = max(spread, self._decisive_spread(downs))
        if self._is_beyond(spread):
            return self._surrogate(bool(decisive > 0), sigmas, spread)
        margin = self._join_margin(ups, downs)
        return self._surrogate(
            margin, sigmas, _sigma_of(margin, len(self.modes)) if self.forms else float(_mean_sigmas(ups, downs)[0])
        )

    def _decisive_spread(self, ups: Floats) -> float:
        """What decides changes by so much in all, a leap taken for a slope: as asked, or along the others as told."""
        slopes = np.abs(ups[:, 0])
        if self.forms:
            by_told = self._join_margin(ups, ups).evaluate(_STEP * np.eye(len(self.modes))) - self.centre.values[0]
            slopes = np.maximum(slopes, np.abs(by_told) / _STEP)
        return float(np.linalg.norm(slopes))

    def _sigmas(self, ups: Floats, downs: Floats) -> Floats:
        """The sigma of each number by these slopes, or as it was told."""
        sigmas = _mean_sigmas(ups, downs)
        for k, piece in self.known_pieces.items():
            sigmas[k] = piece.sigma(self.modes)
        if self.forms and self.centre.values[0] == self.centre.values[1]:
            sigmas[1] = _sigma_of(self._join_margin(ups, downs), len(self.modes))
        return sigmas

    def _modes_to_probe(self) -> Sequence[int]:
        """The modes that move what any condition without a told form hangs on; all, where more is not told."""
        if not self.forms or not self.known_pieces.keys() >= self.centre.required_columns():
            return range(len(self.modes))
        ids = {
            id_
            for k, condition in enumerate(self.result.single_conditions())
            if k not in self.forms
            for id_ in condition.depends_on_place
        }
        return [j for j, mode in enumerate(self.modes) if not ids.isdisjoint(mode)]

    def _slopes(self, of: Iterable[int], sigmas: float, *, but: Floats | None = None) -> Floats:
        """By how much each number changes per sigma of these modes, seen so many sigmas off: (modes, numbers).

        `but` are the slopes along all other modes, which change nothing where it is not given.
        """
        slopes = np.zeros((len(self.modes), len(self.centre.values))) if but is None else but.copy()
        for j in of:
            perturbed = self.ask(perturb_along_modes(self.table, self.modes, {j: sigmas}))
            slopes[j] = (self.centre.fill_from(perturbed) - self.centre.values) / sigmas
        return slopes

    def _change_when_all_go_back(self, along: Iterable[int]) -> Floats:
        """By how much each number changes where all these modes go back at once: a corner that no one of them shows."""
        back = dict.fromkeys(along, -_BACK)
        if not back:
            return np.zeros(len(self.centre.values))
        return self.centre.fill_from(self.ask(perturb_along_modes(self.table, self.modes, back))) - self.centre.values

    def _is_straight(self, back: Floats, ups: Floats) -> bool:
        """Whether what is told changes back as it does forward."""
        bends, sigmas = np.abs(back / _BACK + ups.sum(axis=0)), np.linalg.norm(ups, axis=0)
        return bool((bends <= _BEND * sigmas + _NOTHING_MM)[self._reported_columns()].all())

    def _is_beyond(self, spread_mm: float) -> bool:
        """Whether what decides lies farther from its threshold than so much a sigma can turn."""
        return bool(abs(self.centre.values[0]) > max(_SURE * spread_mm, EXACT_MM))

    def _reported_columns(self) -> list[int]:
        """The places of the margin, and of the lengths that no form tells."""
        return [1, *(k for k in range(2 + self.centre.count, len(self.centre.values)) if k not in self.known_pieces)]

    @cached_attribute
    def _columns_behind_sigmas(self) -> list[int]:
        """The places of what sigmas are told of, and of what those are worked out from."""
        is_joined = self.forms and self.centre.values[0] == self.centre.values[1]
        return [*self._reported_columns(), *(range(2, 2 + self.centre.count) if is_joined else ())]

    def _find_jumps(self, slopes: Floats) -> Sequence[int]:
        """The modes along which what is told may leap: over a step it differs by more than errors make."""
        differ = np.abs(slopes[:, self._columns_behind_sigmas]).max(axis=1, initial=0.0) * _STEP
        return [int(j) for j in np.flatnonzero(differ > _JUMP_MM)]

    def _refine_jumps(self, ups: Floats, downs: Floats) -> tuple[Floats, Floats]:
        """Both slopes, but where something leaps those seen from one sigma off.

        Where it leaps there too, as what grazes does at once, both are that of the side on which it does not.
        """
        leaping = self._find_jumps(ups - downs)
        up, down = self._slopes(leaping, 1.0, but=ups), self._slopes(leaping, -1.0, but=downs)
        leaps, lesser = np.abs(up - down) > _JUMP_MM, np.where(np.abs(up) < np.abs(down), up, down)
        return np.where(leaps, lesser, up), np.where(leaps, lesser, down)

    def _join_margin(self, ups: Floats, downs: Floats) -> Surrogate:
        """The margin, joined of conditions as they are told, or by these slopes."""
        conditions = enumerate(self.centre.conditions())
        leaves = (
            project_onto_modes(self.forms[k].margin, self.modes)
            if k in self.forms
            else _piece_from_slopes(mm, ups[:, 2 + k], downs[:, 2 + k])
            for k, mm in conditions
        )
        return _join_conditions(self.result, leaves)

    def _surrogate(self, margin: Surrogate | bool, sigmas: Floats, spread_mm: float) -> FittedSurrogate:
        lengths = dict(zip(self.centre.names, map(float, sigmas[2 + self.centre.count :]), strict=True))
        return FittedSurrogate(margin, float(sigmas[1]), lengths, spread_mm)


def _mean_sigmas(ups: Floats, downs: Floats) -> Floats:
    """The sigma of each number, mode by mode as it changes both ways: straight, and folded at the middle."""
    straight, fold = (ups + downs) / 2, (ups - downs) / 2
    return np.asarray(np.sqrt((straight**2 + _FOLD * fold**2).sum(axis=0)))


def _match_pieces(numbers: "_Numbers", forms: Mapping[int, KnownForm]) -> dict[int, LinearPiece]:
    """The pieces that margin and lengths are, of all that was told; each is known by its value."""
    pieces = [piece for form in forms.values() for piece in (*pieces_of(form.margin), *form.lengths.values())]
    places = (1, *range(2 + numbers.count, len(numbers.values)))
    matches = ((k, next((p for p in pieces if abs(p.mm - numbers.values[k]) < _SAME_MM), None)) for k in places)
    return {k: piece for k, piece in matches if piece is not None}


@dataclass(frozen=True)
class _Numbers:
    """A result as numbers: what probability is taken of, the margin, every single condition, and the lengths."""

    values: Floats
    names: tuple[str, ...]
    count: int

    @classmethod
    def of(cls, result: RuleResult) -> "_Numbers":
        conditions = [condition.decisive_mm for condition in result.single_conditions()]
        margin = 0.0 if result.margin_mm is None else result.margin_mm
        values = [result.decisive_mm, margin, *conditions, *result.lengths_mm.values()]
        return cls(np.array(values), tuple(result.lengths_mm), len(conditions))

    def conditions(self) -> Floats:
        return self.values[2 : 2 + self.count]

    def required_columns(self) -> set[int]:
        """The places of what is told of a verdict besides its probability: the lengths, and a margin of its own."""
        lengths = range(2 + self.count, len(self.values))
        return {*lengths} if self.values[0] == self.values[1] else {1, *lengths}

    def fill_from(self, perturbed: RuleResult) -> Floats:
        """The same numbers of a perturbed result; where one of them is gone, what it was."""
        conditions = [condition.decisive_mm for condition in perturbed.single_conditions()]
        if len(conditions) != self.count:
            conditions = [perturbed.decisive_mm] * self.count
        margin = float(self.values[1]) if perturbed.margin_mm is None else perturbed.margin_mm
        known = self.values[2 + self.count :]
        lengths = [perturbed.lengths_mm.get(name, float(was)) for name, was in zip(self.names, known, strict=True)]
        return np.array([perturbed.decisive_mm, margin, *conditions, *lengths])


def _piece_from_slopes(mm: float, up: Floats, down: Floats) -> BentPiece:
    """A learnt piece: straight unless it bends by more than a trifle."""
    reach = float(np.linalg.norm(np.maximum(np.abs(up), np.abs(down))))
    if float(np.abs(up - down).sum()) <= _CORNER * reach:
        slope = (up + down) / 2
        return BentPiece(float(mm), slope, slope)
    return BentPiece(float(mm), up.copy(), down.copy())


def _join_conditions(result: RuleResult, leaves: Iterator[BentPiece | JoinedPieces]) -> Surrogate:
    if not result.conditions:
        return next(leaves)
    return JoinedPieces(
        tuple(_join_conditions(condition, leaves) for condition in result.conditions), result.joined_by == "least"
    )


def _sigma_of(margin: Surrogate, modes: int) -> float:
    """The sigma of a margin at its centre, by how it changes one sigma up and one sigma down, mode by mode."""
    each, centre = np.eye(modes), margin.evaluate(np.zeros((1, modes)))
    return float(_mean_sigmas((margin.evaluate(each) - centre)[:, None], (centre - margin.evaluate(-each))[:, None])[0])
