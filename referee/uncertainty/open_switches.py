"""Open switches: comparisons of a rule that measuring errors may turn, and what is found beyond each."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

import numpy as np

from models.state import TableState
from referee.arrays import Floats, Indices
from referee.rules.rule_result import RuleResult
from referee.rules.sides import members_of_unit
from referee.rules.switches import EXACT_MM, Switch
from referee.uncertainty.error_modes import elevation_sigma_mm, heading_sigma_rad, place_sigma_mm
from referee.uncertainty.monte_carlo import FIRST, SCATTER_OF_8, Redrawing, is_met
from referee.uncertainty.redrawn_tables import lower_quantiles

_REACH = 4.0  # sigmas beyond which a switch turns in no draw that counts
_TURNS_IN = 3.3  # sigmas of its own beyond which it is left as it stands: one draw in a thousand
_MOST_SWITCHES = 4  # that part the draws
_BENT = 0.3  # share of its changes that no slopes explain, from which a switch is not taken for linear
_MOST_TURNED = 0.45  # share of draws in which a switch without slopes turns: beyond half it has no sigma
_SURE = 6.0  # sigmas, of sums of sigmas, by which what is necessary surely fails
_FEWEST, _OPENING_EFFORT = 12, 60.0  # tables asked to learn the slopes; and, in plain rules, for more than it takes
_TURNED_ALONE, _TURNED_IN_PAIRS = 12, 4  # of the nearest switches, tried on the stated table
_LOOKS = {
    8: SCATTER_OF_8,
    16: 1.66,
}  # tables after which to stop early, and what a scatter of so many may fall short by
_LISTED = 0.01  # least share of an outcome that is told


@dataclass(frozen=True)
class OpenSwitch:
    """A switch that may turn: how far off, how surely, and what is found beyond it."""

    switch: Switch
    sigma: float
    slopes: Floats | None = None
    """Its change per sigma of each mode (modes,); None where too little is known to tell."""
    beyond: RuleResult | None = None
    """What the rule finds where this one alone has turned."""

    def turning_probability(self) -> float:
        return 0.5 * math.erfc(abs(self.switch.margin) / (self.sigma * math.sqrt(2)))


@dataclass(frozen=True)
class Cell:
    """One stratum of the draws: how probable it is, and what is found at its centre."""

    share: float
    result: RuleResult | None


def reachable_switches(switches: Sequence[Switch], state: TableState) -> tuple[Switch, ...]:
    """Those that the sigmas of the table may turn."""
    bounds = ((switch, _bound(switch, state)) for switch in switches)
    return tuple(switch for switch, bound in bounds if bound > 0 and abs(switch.margin) <= _REACH * bound)


def surely_fails(necessary: RuleResult, state: TableState) -> bool:
    """Whether a necessary condition fails on all redrawn tables that count.

    Its margin changes by no more than the places of what it names do; no switch within reach may change that.
    """
    places = sum(_widest(state, id_, _place_bound_mm) for id_ in necessary.depends_on_place)
    return necessary.decisive_mm < -_SURE * places - EXACT_MM and not reachable_switches(necessary.switches, state)


def _bound(switch: Switch, state: TableState) -> float:
    """No less than the sigma of its margin."""
    sigma_mm = elevation_sigma_mm if switch.of_heights else _place_bound_mm
    places = sum(_widest(state, id_, sigma_mm) for id_ in switch.on)
    return places + switch.lever_mm * sum(heading_sigma_rad(state, id_) for id_ in switch.turning)


def _place_bound_mm(state: TableState, id_: str) -> float:
    return place_sigma_mm(state, id_) + elevation_sigma_mm(state, id_)


def _widest(state: TableState, id_: str, sigma: Callable[[TableState, str], float]) -> float:
    """The sigma of a thing, or the largest of a unit's miniatures."""
    return max((sigma(state, member) for member in members_of_unit(state, id_)), default=0.0)


def _is_as_far(turned: RuleResult, result: RuleResult, state: TableState) -> bool:
    """Whether a margin is what it was, or too far off for what it hangs on to turn it."""
    if abs(turned.decisive_mm - result.decisive_mm) <= EXACT_MM:
        return True
    places = sum(_widest(state, id_, _place_bound_mm) for id_ in turned.depends_on_place)
    return not turned.depends_on_facing and abs(turned.decisive_mm) > _SURE * places + EXACT_MM


@dataclass(frozen=True)
class SwitchOpening:
    """What is learnt of the switches of a result from the tables redrawn of it."""

    redrawing: Redrawing

    def open(self, near: Sequence[Switch]) -> tuple[OpenSwitch, ...]:
        """Those that turn in more than one draw in a thousand and change what is found, each with what it changes."""
        if not self._changes_anything(near):
            return ()
        for row in range(FIRST):
            if row >= self._fewest(near) and self.redrawing.effort.spent >= _OPENING_EFFORT:
                break
            if row in _LOOKS and not self._has_leapt() and not any(map(self._may_turn, near)):
                return ()
            self.redrawing.resolve([row])
        opened = [self._open(switch) for switch in near]
        turning = [s for s in opened if s.sigma > 0 and abs(s.switch.margin) <= _TURNS_IN * s.sigma]
        return tuple(self._deciding(_without_twins(turning))) or self._unexplained(opened)

    def _changes_anything(self, near: Sequence[Switch]) -> bool:
        """Whether what is found at rest hangs on any of these: all at once, the nearest alone and two by two."""
        state = self.redrawing.table.state
        nearest = sorted(near, key=lambda switch: abs(switch.margin) / _bound(switch, state))
        alone = ((switch,) for switch in nearest[:_TURNED_ALONE])
        return any(map(self.changes_with, (tuple(near), *alone, *combinations(nearest[:_TURNED_IN_PAIRS], 2))))

    def changes_with(self, group: tuple[Switch, ...]) -> bool:
        """Whether something else is found at rest, or hardly the same, where these are turned and all else stands.

        Turned they may bring up comparisons that nobody made before: of these those within reach may turn as well.
        """
        if self._changes_at_once(group):
            return True
        turned, known = self.redrawing.ask_with_turned(group), {switch.key for switch in self.redrawing.result.switches}
        made = () if turned is None else reachable_switches(turned.switches, self.redrawing.table.state)
        new = tuple({switch.key: switch for switch in made if switch.key not in known}.values())
        more = (new, *((switch,) for switch in new[:_TURNED_IN_PAIRS])) if new else ()
        return any(self._changes_at_once((*group, *switches)) for switches in more)

    def _changes_at_once(self, group: tuple[Switch, ...]) -> bool:
        if any(switch.is_noted for switch in group):
            return True
        turned, result = self.redrawing.ask_with_turned(group), self.redrawing.result
        if turned is None or finding_of(turned) != finding_of(result):
            return True
        return not _is_as_far(turned, result, self.redrawing.table.state)

    def _may_turn(self, switch: Switch) -> bool:
        """Whether it may turn in more than one draw in a thousand, for all that the tables asked so far tell."""
        rows, margins = self._margins_of(switch)
        if len(rows) < 2:  # no other table knows it: no slope nor scatter will
            return False
        scatter = float(np.sqrt(np.mean((margins - switch.margin) ** 2)))
        return len(rows) not in _LOOKS or abs(switch.margin) <= _TURNS_IN * scatter * _LOOKS[len(rows)]

    def _has_leapt(self) -> bool:
        """Whether any table asked was answered otherwise than the stated one."""
        stated = is_met(self.redrawing.result)
        return any(result is None or is_met(result) != stated for result in self.redrawing.asked.values())

    def _fewest(self, near: Sequence[Switch]) -> int:
        """Tables that it takes to fit the slopes of each."""
        return max(_FEWEST, *(2 * len(self._columns(switch)) + 2 for switch in near))

    def _columns(self, switch: Switch) -> list[int]:
        """The modes that may move what a switch hangs on."""
        movers = [m for id_ in (*switch.on, *switch.turning) for m in members_of_unit(self.redrawing.table.state, id_)]
        ids = frozenset(chain.from_iterable(map(self.redrawing.table.movers_of, movers)))
        return [j for j, mode in enumerate(self.redrawing.modes) if not ids.isdisjoint(mode)]

    def _unexplained(self, opened: Sequence[OpenSwitch]) -> tuple[OpenSwitch, ...]:
        """Of switches without slopes the nearest, where draws leap to another answer that none is seen to turn with.

        Its sigma is the one by which it would turn as often as the answer did.
        """
        leaps = [
            row
            for row, r in self.redrawing.asked.items()
            if r is not None and is_met(r) != is_met(self.redrawing.result)
        ]
        reach = abs(self.redrawing.result.decisive_mm)
        bent = [s for s in opened if s.slopes is None and EXACT_MM < abs(s.switch.margin) < reach / _REACH]
        if not leaps or not bent:
            return ()
        nearest = min(bent, key=lambda s: abs(s.switch.margin) / _bound(s.switch, self.redrawing.table.state))
        times = -float(lower_quantiles(min(_MOST_TURNED, len(leaps) / len(self.redrawing.asked))))
        beyond = self.redrawing.ask_at(self.redrawing.draws[leaps[0]], in_full=True)
        return (replace(nearest, sigma=abs(nearest.switch.margin) / times, beyond=beyond),)

    def _open(self, switch: Switch) -> OpenSwitch:
        """A switch with its slopes, by least squares over the draws asked."""
        rows, margins = self._margins_of(switch)
        columns = self._columns(switch)
        if len(rows) < 2:
            return OpenSwitch(switch, 0.0)
        if len(rows) < 2 * len(columns):
            return OpenSwitch(switch, _robust_sigma(margins - switch.margin))
        fitted, *_ = np.linalg.lstsq(self.redrawing.draws[np.ix_(rows, columns)], margins - switch.margin, rcond=None)
        slopes = np.zeros(len(self.redrawing.modes))
        slopes[columns] = fitted
        sigma, off = float(np.linalg.norm(slopes)), margins - switch.margin - self.redrawing.draws[rows] @ slopes
        is_bent = float(np.sqrt(np.mean(off**2))) > _BENT * float(np.sqrt(np.mean((margins - switch.margin) ** 2)))
        return (
            OpenSwitch(switch, _robust_sigma(margins - switch.margin), None)
            if is_bent
            else OpenSwitch(switch, sigma, slopes)
        )

    def _margins_of(self, switch: Switch) -> tuple[list[int], Floats]:
        seen = {row: _margins(result).get(switch.key) for row, result in self.redrawing.asked.items()}
        rows = [row for row, margin in seen.items() if margin is not None]
        return rows, np.array([seen[row] for row in rows], dtype=np.float64)

    def _deciding(self, switches: Sequence[OpenSwitch]) -> Iterable[OpenSwitch]:
        """The switches, each with what is found where it alone has turned; those that change nothing are left out."""
        for switch in switches:
            if not self.changes_with((switch.switch,)):
                continue
            beyond = self._find_beyond(switch, switches)
            if beyond is _UNTURNED:
                continue
            assert beyond is None or isinstance(beyond, RuleResult)
            if beyond is None or finding_of(beyond) != finding_of(self.redrawing.result):
                yield replace(switch, beyond=beyond)

    def _find_beyond(self, switch: OpenSwitch, switches: Sequence[OpenSwitch]) -> "RuleResult | object | None":
        """What is found just where it turns by the likeliest errors; else on a table drawn where it alone has."""
        if switch.slopes is not None:
            over = switch.switch.margin / switch.sigma**2 + math.copysign(0.3 / switch.sigma, switch.switch.margin)
            beyond = self.redrawing.ask_at(-over * switch.slopes, in_full=True)
            if beyond is None or self._has_turned(switch, beyond):
                return beyond
        turned = [row for row, r in self.redrawing.asked.items() if r is not None and self._has_turned(switch, r)]
        others = [other for other in switches if other is not switch]
        alone = [
            row for row in turned if not any(self._has_turned(other, self.redrawing.asked[row]) for other in others)
        ]
        return self.redrawing.ask_at(self.redrawing.draws[(alone or turned)[0]], in_full=True) if turned else _UNTURNED

    def _has_turned(self, switch: OpenSwitch, result: RuleResult | None) -> bool:
        margin, stated = _margins(result).get(switch.switch.key), switch.switch.margin
        if margin is None or abs(stated) <= EXACT_MM:  # exactly at its limit it turns whichever side it comes to
            return margin is not None and abs(margin) > EXACT_MM and is_met(result) != is_met(self.redrawing.result)
        return (margin > EXACT_MM) != (stated > EXACT_MM)

    def cells(self, switches: Sequence[OpenSwitch]) -> tuple[Cell, ...]:
        """What is found in each stratum of the switches that is told, at its centre."""
        codes = switch_codes(switches, self.redrawing.draws)
        values, counts = np.unique(codes, return_counts=True)
        return tuple(
            Cell(
                float(count / len(codes)),
                self.redrawing.ask_at(self.redrawing.draws[codes == code].mean(axis=0), in_full=True),
            )
            for code, count in zip(values, counts, strict=True)
            if count >= _LISTED * len(codes)
        )


_UNTURNED = object()


def switch_codes(switches: Sequence[OpenSwitch], draws: Floats) -> Indices:
    """The stratum of each draw (N, modes): how the nearest of the linear switches stand on it."""
    codes = np.zeros(len(draws), dtype=np.intp)
    linear = sorted((s for s in switches if s.slopes is not None), key=lambda s: abs(s.switch.margin) / s.sigma)
    for switch in linear[:_MOST_SWITCHES]:
        assert switch.slopes is not None
        codes = 2 * codes + (switch.switch.margin + draws @ switch.slopes > 0)
    return codes


def _robust_sigma(off: Floats) -> float:
    """The standard deviation of what scatters about nothing, by its median: a leap among them is no scatter."""
    return float(1.4826 * np.median(np.abs(off)))


def _without_twins(switches: Sequence[OpenSwitch]) -> list[OpenSwitch]:
    """Of several that always turn together, the first."""
    kept: list[OpenSwitch] = []
    for switch in switches:
        if not any(_are_twins(switch, other) for other in kept):
            kept.append(switch)
    return kept


def _are_twins(switch: OpenSwitch, other: OpenSwitch) -> bool:
    a, b = switch.slopes, other.slopes
    if a is None or b is None or abs(abs(switch.switch.margin) - abs(other.switch.margin)) > 1e-6:
        return False
    return bool(min(np.abs(a - b).max(), np.abs(a + b).max()) < 1e-4 * switch.sigma)


def _margins(result: RuleResult | None) -> dict[object, float]:
    return {} if result is None else {switch.key: switch.margin for switch in result.switches}


def finding_of(result: RuleResult) -> object:
    """What is found, but for how far off it is."""
    return result.status, is_met(result), result.blockers, _without_numbers(result.value)


def _without_numbers(value: object) -> object:
    """A value without its lengths: words, counts and ids are left."""
    if isinstance(value, Mapping):
        return tuple((k, _without_numbers(v)) for k, v in value.items() if not str(k).endswith(("_mm", "_deg", "_rad")))
    if isinstance(value, list | tuple):
        return tuple(_without_numbers(v) for v in value)
    return None if isinstance(value, float) else value
