"""Switch cells: total probability over the outcomes of switches that a measuring error may turn.

Near its threshold a switch is linear in the error modes. The outcomes of all such switches part the space of errors
into cells; in each the rule is asked once more, at the mean of the errors that lead there, and along each mode where
its margin is near its threshold too. Draws of the modes say how probable each cell is, and how often the margin is
met in it. Source of the method: conditioning, as in any text on Monte Carlo variance reduction.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from models.state import TableState
from referee.arrays import Floats
from referee.cached_attribute import cached_attribute
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import Mode, Surrogate
from referee.rules.rule_result import FacingUnknown, RuleResult
from referee.rules.sides import members_of_unit
from referee.rules.switches import EXACT_MM, Switch, is_margin_met
from referee.uncertainty.error_modes import (
    elevation_sigma_mm,
    heading_sigma_rad,
    modes_of,
    perturb_along_modes,
    place_sigma_mm,
)
from referee.uncertainty.monte_carlo import draw_antithetic, wilson_interval
from referee.uncertainty.sensitivity import Ask, local_surrogate

_REACH = 4.0  # sigmas beyond which a switch turns in no draw that counts
_TURNS_IN = 3.3  # sigmas of its own beyond which it is left as it stands: one draw in a thousand
_MOST_SWITCHES = 5  # that are told apart; with more, tables are drawn and asked in full
_MOST_MODES = 40
_DRAWS = 8192
_LEAST_SHARE = 5e-4  # of a cell that is asked about; what is rarer stays in doubt
_NEAR = 8.0  # spreads of a margin from its threshold beyond which it is the same in all of a cell
_STEP = 0.5  # sigmas by which a mode is moved to learn the slope of a switch
_BEND = 0.6  # sigmas per sigma of each mode by which a switch may change otherwise back than forth
_ASKED = 200  # tables asked in full, at most, where cells do not serve
_PROBED = 100  # the same, to see whether a switch that bends changes anything
_BATCH = 25
_LISTED = 40  # the same, of what is measured and not decided


@dataclass(frozen=True)
class OpenSwitch:
    """A switch that may turn: how far off, how surely, and what is found beyond it."""

    switch: Switch
    sigma: float
    slopes: Floats
    """Its change per sigma of each mode (modes,)."""
    is_bent: bool = False
    """Whether its margin does not change back as its slopes say: the least of several has a corner where they meet."""
    beyond: RuleResult | None = None
    """What the rule finds where this one alone has turned."""

    def turning_probability(self) -> float:
        return 0.5 * math.erfc(abs(self.switch.margin) / (self.sigma * math.sqrt(2)))


@dataclass(frozen=True)
class Cell:
    """One outcome of all open switches: how probable it is, what is found there, and how probably it is met there."""

    outcomes: tuple[bool, ...]
    share: float
    result: RuleResult | None
    met: float | None
    """None where nothing was decided, or nobody asked."""


@dataclass(frozen=True)
class SwitchedProbability:
    """The probability over all cells, with what was left in doubt, and the switches that make the doubt."""

    low: float
    high: float
    switches: tuple[OpenSwitch, ...]
    cells: tuple[Cell, ...]

    @property
    def probability(self) -> float:
        return (self.low + self.high) / 2


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


def split_by_switches(
    ask: Ask, table: ExactTable, result: RuleResult, switches: Sequence[Switch]
) -> SwitchedProbability | None:
    """The probability that the result is met, over the outcomes of these switches; None where none of them turns.

    `ask` bears traces.
    """
    modes = tuple(modes_of(table.state, _moving_things(table.state, result, switches)))
    if not modes:
        return None
    if len(modes) > _MOST_MODES:
        return _sample(ask, table, result, modes, switches)
    split = _Split(ask, table, result, modes, _open_switches(ask, table, modes, switches))
    if not split.open:
        return None
    if len(split.open) > _MOST_SWITCHES or not all(open_switch.slopes.any() for open_switch in split.open):
        return replace(_sample(ask, table, result, modes), switches=split.open)
    total, bent = split.total(), [open_switch.switch for open_switch in split.open if open_switch.is_bent]
    if not bent:
        return total
    if total is not None:
        return replace(_sample(ask, table, result, modes), switches=total.switches)
    return _sample(ask, table, result, modes, bent) if split.is_turned_by(bent) else None


def _moving_things(state: TableState, result: RuleResult, switches: Sequence[Switch]) -> tuple[str, ...]:
    """All that a result and its switches hang on; a unit is left as such where only its heading matters."""
    places = (id_ for switch in switches for id_ in switch.on)
    ids = dict.fromkeys(member for id_ in places for member in members_of_unit(state, id_))
    ids |= dict.fromkeys((*result.depends_on_place, *result.depends_on_facing))
    return tuple(ids | dict.fromkeys(id_ for switch in switches for id_ in switch.turning))


def _open_switches(
    ask: Ask, table: ExactTable, modes: Sequence[Mode], switches: Sequence[Switch]
) -> tuple[OpenSwitch, ...]:
    """Those that turn in more than one draw in a thousand, with their slopes."""
    slopes = {switch.key: np.zeros(len(modes)) for switch in switches}
    movers = [_movers_of(table, switch) for switch in switches]
    for j, mode in enumerate(modes):
        missing = {switch.key: switch for switch, ids in zip(switches, movers, strict=True) if not ids.isdisjoint(mode)}
        for step in (_STEP, -_STEP) if missing else ():
            seen = _margins(_ask_or_none(ask, perturb_along_modes(table, modes, {j: step})))
            for key in [key for key in missing if key in seen]:
                slopes[key][j] = (seen[key] - missing.pop(key).margin) / step
            if not missing:
                break
    all_back = _margins(_ask_or_none(ask, sample_at(table, modes, dict.fromkeys(range(len(modes)), -_STEP))))
    opened = (_open_switch(switch, slopes[switch.key], all_back.get(switch.key)) for switch in switches)
    near = [
        open_switch
        for open_switch in opened
        if open_switch.sigma > 0 and abs(open_switch.switch.margin) <= _TURNS_IN * open_switch.sigma
    ]
    return tuple(_without_twins(near))


def _open_switch(switch: Switch, slopes: Floats, all_back: float | None) -> OpenSwitch:
    """A switch with its slopes, and how it is where all modes are moved half a sigma back."""
    sigma, stepped_mm = float(np.linalg.norm(slopes)), switch.margin - _STEP * float(slopes.sum())
    off = 0.0 if all_back is None else abs(all_back - stepped_mm) / _STEP
    return OpenSwitch(switch, max(sigma, off), slopes, is_bent=off > _BEND * sigma)


def _movers_of(table: ExactTable, switch: Switch) -> frozenset[str]:
    """Everything whose errors may change the margin of a switch."""
    movers = [member for id_ in (*switch.on, *switch.turning) for member in members_of_unit(table.state, id_)]
    return frozenset(chain.from_iterable(map(table.movers_of, movers)))


def _without_twins(switches: Sequence[OpenSwitch]) -> list[OpenSwitch]:
    """Of several that always turn together, the first."""
    kept: list[OpenSwitch] = []
    for switch in switches:
        same = (
            abs(abs(switch.switch.margin) - abs(k.switch.margin)) < 1e-6 * max(1.0, switch.sigma)
            and min(np.abs(switch.slopes - k.slopes).max(), np.abs(switch.slopes + k.slopes).max())
            < 1e-6 * switch.sigma
            for k in kept
        )
        if not any(same):
            kept.append(switch)
    return kept


def _margins(result: RuleResult | None) -> dict[object, float]:
    return {} if result is None else {switch.key: switch.margin for switch in result.switches}


def _ask_or_none(ask: Ask, table: ExactTable) -> RuleResult | None:
    try:
        return ask(table)
    except FacingUnknown:
        return None


def sample_at(table: ExactTable, modes: Sequence[Mode], z: Mapping[int, float], *, in_full: bool = False) -> ExactTable:
    """A sample: the table with these modes drawn so far, with no memo; in full, all that is reported is wanted."""
    sample = perturb_along_modes(table, modes, z, is_sample=True)
    return replace(sample, margins_only=table.margins_only) if in_full else sample


@dataclass(frozen=True)
class _DrawnCell:
    """One outcome of all open switches, by the bits of its code, and the draws that lead there."""

    code: int
    share: float
    draws: Floats

    @cached_attribute
    def centre(self) -> Floats:
        return np.asarray(self.draws.mean(axis=0))


@dataclass(frozen=True)
class _Split:
    """One result, and the switches that may turn it."""

    ask: Ask
    table: ExactTable
    result: RuleResult
    modes: Sequence[Mode]
    open: tuple[OpenSwitch, ...]

    def total(self) -> SwitchedProbability | None:
        draws = draw_antithetic(_DRAWS, len(self.modes))
        outcomes = np.stack(
            [open_switch.switch.margin + draws @ open_switch.slopes > 0 for open_switch in self.open], axis=1
        )
        codes = outcomes @ (1 << np.arange(len(self.open)))
        drawn_cells = [
            _DrawnCell(code, self._share(code, codes), draws[codes == code]) for code in self._by_share(codes)
        ]
        results = [self._ask_at(cell.centre) for cell in drawn_cells]
        if len({None if result is None else _finding_of(result) for result in results}) < 2:
            return None  # nothing else is found in another cell than the margin's own change makes
        cells = [self._cell(cell, result) for cell, result in zip(drawn_cells, results, strict=True)]
        asked = sum(cell.share for cell in cells if cell.met is not None)
        low = sum(cell.share * cell.met for cell in cells if cell.met is not None)
        return SwitchedProbability(low, low + max(0.0, 1.0 - asked), self._deciding(), tuple(cells))

    def is_turned_by(self, bent: Sequence[Switch]) -> bool:
        """Whether something else is found where one of these has turned: its slopes may lead to where it has not."""
        left = {switch.key for switch in bent}
        for z in draw_antithetic(_ASKED, len(self.modes))[:_PROBED]:
            result = self._ask_at(z)
            if result is not None and _finding_of(result) != _finding_of(self.result):
                return True
            left -= set(_turned(bent, _margins(result)))
            if not left:
                return False  # each has turned once, and it changed nothing
        return False

    def _by_share(self, codes: "np.ndarray[tuple[int], np.dtype[np.intp]]") -> list[int]:
        values, counts = np.unique(codes, return_counts=True)
        order = np.argsort(-counts, kind="stable")
        return [int(values[k]) for k in order if counts[k] >= _LEAST_SHARE * len(codes)]

    def _share(self, code: int, codes: "np.ndarray[tuple[int], np.dtype[np.intp]]") -> float:
        """How probable an outcome is: of a single switch in closed form, else by the draws."""
        if len(self.open) > 1:
            return float((codes == code).mean())
        turned = self.open[0].turning_probability()
        return turned if (code == 1) != (self.open[0].switch.margin > 0) else 1.0 - turned

    def _ask_at(self, centre: Floats) -> RuleResult | None:
        return _ask_or_none(self.ask, sample_at(self.table, self.modes, dict(enumerate(centre)), in_full=True))

    def _cell(self, drawn: "_DrawnCell", result: RuleResult | None) -> Cell:
        outcomes = tuple(bool(drawn.code >> k & 1) for k in range(len(self.open)))
        if result is None or result.status != "decided":
            met = None
        elif result.contact_probability is not None:
            met = result.contact_probability
        else:
            met = self._share_met(drawn.draws, drawn.centre, result)
        return Cell(outcomes, drawn.share, result, met)

    def _share_met(self, draws: Floats, centre: Floats, result: RuleResult) -> float:
        """How often the margin is met in a cell: the same everywhere, or as it changes there."""
        at = self.table.state
        spread = math.sqrt(sum(place_sigma_mm(at, id_) ** 2 for id_ in result.depends_on_place)) + 1e-9
        if not result.in_degrees and abs(result.decisive_mm) > _NEAR * spread and not result.depends_on_facing:
            return float(is_margin_met(result.decisive_mm, zero_is_met=result.zero_is_met))
        surrogate: Surrogate = local_surrogate(self.ask, self.table, self.modes, centre, result)
        least = -EXACT_MM if result.zero_is_met else EXACT_MM  # what stops at a contact is at zero in all of the cell
        return float((surrogate.evaluate(draws - centre) > least).mean())

    def _deciding(self) -> tuple[OpenSwitch, ...]:
        """The switches, each with what is found where it alone has turned; those that change nothing are left out."""
        deciding = []
        for open_switch in self.open:
            over = -(open_switch.switch.margin / open_switch.sigma**2) - math.copysign(
                0.3 / open_switch.sigma, open_switch.switch.margin
            )
            z = dict(enumerate(open_switch.slopes * over))
            beyond = _ask_or_none(self.ask, sample_at(self.table, self.modes, z, in_full=True))
            if beyond is None or _finding_of(beyond) != _finding_of(self.result):
                deciding.append(replace(open_switch, beyond=beyond))
        return tuple(deciding)


def _finding_of(result: RuleResult) -> object:
    """What is found, but for how far off it is."""
    return result.status, _decided_as(result), result.blockers, _without_numbers(result.value)


def _decided_as(result: RuleResult) -> bool | None:
    """Whether it is met; None where nothing is decided."""
    if result.status != "decided":
        return None
    return is_margin_met(result.decisive_mm, zero_is_met=result.zero_is_met)


def _without_numbers(value: object) -> object:
    """A value without its lengths: words, counts and ids are left."""
    if isinstance(value, Mapping):
        return tuple((k, _without_numbers(v)) for k, v in value.items() if not str(k).endswith(("_mm", "_deg", "_rad")))
    if isinstance(value, list | tuple):
        return tuple(_without_numbers(v) for v in value)
    return None if isinstance(value, float) else value


def _sample(
    ask: Ask, table: ExactTable, result: RuleResult, modes: Sequence[Mode], switches: Sequence[Switch] = ()
) -> SwitchedProbability:
    """What redrawn tables say: how often the answer is yes, or of what is only measured all that is found there.

    Those of the switches that turn in them are told.
    """
    if result.status == "decided":
        asked, low, high = _ask_until_known(ask, table, modes)
        return SwitchedProbability(low, high, _turning_switches(ask, table, result, modes, switches, asked), ())
    draws = draw_antithetic(_LISTED, len(modes))
    results = (_ask_or_none(ask, sample_at(table, modes, dict(enumerate(z)), in_full=True)) for z in draws)
    return SwitchedProbability(0.0, 1.0, (), tuple(Cell((), 1 / _LISTED, result, None) for result in results))


_Asked = list[tuple[Floats, RuleResult | None]]  # draws (modes,), and what is found on the tables they lead to


def _ask_until_known(ask: Ask, table: ExactTable, modes: Sequence[Mode]) -> tuple[_Asked, float, float]:
    """Tables asked in full, until the interval of their share lies on one side of both limits, or none are left."""
    draws = draw_antithetic(_ASKED, len(modes))
    asked: _Asked = []
    met = undecided = 0
    low, high = 0.0, 1.0
    for first in range(0, _ASKED, _BATCH):
        for z in draws[first : first + _BATCH]:
            result = _ask_or_none(ask, perturb_along_modes(table, modes, dict(enumerate(z))))
            asked.append((z, result))
            if result is None or result.status != "decided":
                undecided += 1
            elif is_margin_met(result.decisive_mm, zero_is_met=result.zero_is_met):
                met += 1
        low, high = wilson_interval(met, len(asked))[0], wilson_interval(met + undecided, len(asked))[1]
        if high <= 0.025 or low >= 0.975 or (low > 0.03 and high < 0.97):
            break
    return asked, low, high


def _turning_switches(
    ask: Ask,
    table: ExactTable,
    result: RuleResult,
    modes: Sequence[Mode],
    switches: Sequence[Switch],
    asked: _Asked,
) -> tuple[OpenSwitch, ...]:
    """Those that turned by themselves in a table asked, and the answer was another there."""
    sampled_margins = [
        (z, _margins(sample))
        for z, sample in asked
        if sample is not None and _decided_as(sample) != _decided_as(result)
    ]
    turning = []
    for switch in switches:
        margins = [margins[switch.key] for margin_map in asked if switch.key in (margins := _margins(margin_map[1]))]
        alone = (z for z, seen in sampled_margins if _turned(switches, seen) == [switch.key])
        z = next(alone, None)
        if z is not None:
            beyond = _ask_or_none(ask, sample_at(table, modes, dict(enumerate(z)), in_full=True))
            turning.append(OpenSwitch(switch, float(np.std(margins)), np.zeros(len(modes)), beyond=beyond))
    return tuple(turning)


def _turned(switches: Sequence[Switch], margins: Mapping[object, float]) -> list[object]:
    """The keys of those whose margin has the other sign here."""
    return [
        switch.key for switch in switches if switch.key in margins and (margins[switch.key] > 0) != (switch.margin > 0)
    ]
