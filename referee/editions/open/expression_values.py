"""Expression values: quantities, counts and dice of a written book's rules, and comparisons that keep their margins.

A comparison of lengths is a condition with its margin in millimetres. The least or greatest of several is kept apart
until it is compared, so that each of them is a condition of its own; so is what is counted.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.rules.candidates import is_met
from referee.rules.conditions import all_of, any_of, negate
from referee.rules.margin_form import FormProvider
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM, is_at_least, is_more_than

Unit = Literal["plain", "length", "angle", "number"]
_RIVAL_MM = 30.0  # what is this far from the one that decides cannot take its place by a measuring error
_MOST_TOTALS = 5_000
_SAME = 1e-9  # of numbers that are no lengths


class TooManyTotals(Exception):
    """Dice whose totals are more than anybody rolls."""


class CannotTell(Exception):
    """What decides is not known; `result` says what would have to be told."""

    def __init__(self, result: RuleResult) -> None:
        super().__init__(result.needs)
        self.result = result


@dataclass(frozen=True)
class Place:
    """A thing or a point that one measures from; `on` names all whose place it hangs on."""

    at: str | Point
    on: tuple[str, ...] = ()
    turning: tuple[str, ...] = ()

    @property
    def id(self) -> str | None:
        return self.at if isinstance(self.at, str) else None


@dataclass(frozen=True)
class Quantity:
    """A number with its unit, lengths in millimetres; `scale_mm` is the length that one unit of it stands for.

    A number whose scale is nothing changes by leaps alone, which the trace of switches holds.
    """

    value: float
    unit: Unit
    on: tuple[str, ...] = ()
    turning: tuple[str, ...] = ()
    witness: tuple[Witness, ...] = ()
    scale_mm: float = 0.0
    pair: tuple[str | Point, str | Point] | None = None
    """The two whose distance it is, where that is the plain one from edge to edge."""

    @property
    def is_constant(self) -> bool:
        return not self.on and not self.turning

    def as_unit(self, unit: Unit) -> "Quantity":
        """The same as another's unit has it: what is plain beside a length is inches."""
        if self.unit == unit or self.unit != "plain":
            return self
        return replace(self, value=inches(self.value) if unit == "length" else self.value, unit=unit)


@dataclass(frozen=True)
class Extreme:
    """The least, or the greatest, of several quantities of one unit."""

    of: "tuple[Quantity | Extreme, ...]"
    is_least: bool


@dataclass(frozen=True)
class Count:
    """For how many a condition holds, by their ids."""

    results: Mapping[str, RuleResult]


@dataclass(frozen=True)
class Dice:
    """A roll: the chance of each of its totals, and what is measured and added to it."""

    odds: Mapping[Fraction, Fraction]
    offset: Quantity = Quantity(0.0, "plain")


@dataclass(frozen=True)
class WordDice:
    """Words that a roll picks, each with its chance."""

    odds: Mapping[str, Fraction]


@dataclass(frozen=True)
class Event:
    """A condition that a roll decides: its chance, and the condition at the best and at the worst roll."""

    chance: Fraction
    best: RuleResult
    worst: RuleResult
    needs: float | None = None
    """The lowest total that is enough, where one roll decides and more is better."""


Number = Quantity | Extreme | Count
Truth = RuleResult | Event
Group = tuple[Place, ...]
Value = Number | Dice | WordDice | Truth | Place | Group | str


def certain(holds: bool) -> RuleResult:
    """A condition that hangs on nothing measured."""
    return RuleResult(margin_mm=CAPPED_MM if holds else -CAPPED_MM)


def is_certain(result: RuleResult) -> bool:
    """Whether a condition hangs on nothing measured."""
    hangs = result.depends_on_place or result.depends_on_facing or result.conditions
    return result.status == "decided" and not hangs and abs(result.margin_mm or 0.0) >= CAPPED_MM


def holds(result: RuleResult, clause: str) -> bool:
    """Whether a condition holds, where something else leaps by it. Raises: CannotTell."""
    if result.status != "decided":
        raise CannotTell(result)
    return result.decisive_mm > 0 if is_certain(result) else is_met(result, clause)


def merge(*lists: Iterable[str]) -> tuple[str, ...]:
    """All of these ids, each once, in order."""
    return tuple(dict.fromkeys(id_ for ids in lists for id_ in ids))


def settle(number: Number) -> Quantity:
    """One quantity of what is an extreme or a count: how many hold is a leap, which the trace holds."""
    if isinstance(number, Quantity):
        return number
    if isinstance(number, Count):
        total = sum(holds(result, f"counts {id_}") for id_, result in number.results.items())
        return Quantity(float(total), "number")
    parts = [settle(part) for part in number.of]
    sign = 1.0 if number.is_least else -1.0
    chosen = min(parts, key=lambda part: sign * part.value)
    near = [part for part in parts if abs(part.value - chosen.value) <= _RIVAL_MM]
    return replace(chosen, on=merge(*(p.on for p in near)), turning=merge(*(p.turning for p in near)), pair=None)


def combine(a: Number, b: Number, operator: str) -> Quantity:
    """The sum, difference, product or quotient of two numbers; a quotient by nothing is taken as very large."""
    left, right = settle(a), settle(b)
    on, turning = merge(left.on, right.on), merge(left.turning, right.turning)
    if operator in "+-":
        unit = left.unit if right.unit == "plain" else right.unit
        left, right = left.as_unit(unit), right.as_unit(unit)
        value = left.value + (right.value if operator == "+" else -right.value)
        return Quantity(value, unit, on, turning, left.witness + right.witness, max(left.scale_mm, right.scale_mm))
    if operator == "/":
        is_ratio = left.unit == right.unit
        divisor = right.value if abs(right.value) > _SAME else math.copysign(_SAME, right.value)
        unit, value = ("number" if is_ratio else left.unit), left.value / divisor
        scale = abs(divisor) if is_ratio and left.unit == "length" else left.scale_mm * abs(divisor)
        return Quantity(value, unit, on, turning, scale_mm=1.0 if unit == "length" else scale)
    unit = left.unit if right.unit in ("plain", "number") and left.unit != "plain" else right.unit
    scale = max(left.scale_mm / (abs(right.value) or 1.0), right.scale_mm / (abs(left.value) or 1.0))
    return Quantity(left.value * right.value, unit, on, turning, scale_mm=1.0 if unit == "length" else scale)


Form = Callable[[Quantity, float], FormProvider | None]


def compare(a: Number, b: Number, operator: str, form: Form, clause: str) -> RuleResult:
    """The condition that the operator states, with its margin; `form` is asked how a distance to a limit changes."""
    if operator in ("<", "<="):
        return _at_least(b, a, operator == "<", form, clause)
    if operator in (">", ">="):
        return _at_least(a, b, operator == ">", form, clause)
    both = _join((_at_least(a, b, False, form, clause), _at_least(b, a, False, form, clause)), is_all=True)
    return both if operator == "==" else negate(both)


def _at_least(a: Number, b: Number, strict: bool, form: Form, clause: str) -> RuleResult:
    """Whether a is at least b, or more where it is strict."""
    if isinstance(a, Extreme):
        return _join((_at_least(part, b, strict, form, clause) for part in a.of), is_all=a.is_least)
    if isinstance(b, Extreme):
        return _join((_at_least(a, part, strict, form, clause) for part in b.of), is_all=not b.is_least)
    if isinstance(a, Count) and isinstance(b, Quantity) and b.is_constant:
        return at_least_so_many(a, math.floor(b.value) + 1 if strict else math.ceil(b.value))
    if isinstance(b, Count) and isinstance(a, Quantity) and a.is_constant:
        return negate(at_least_so_many(b, math.ceil(a.value) if strict else math.floor(a.value) + 1))
    left, right = settle(a), settle(b)
    unit = left.unit if right.unit == "plain" else right.unit
    left, right = left.as_unit(unit), right.as_unit(unit)
    return _compare_quantities(left, right, strict, form)


def _compare_quantities(left: Quantity, right: Quantity, strict: bool, form: Form) -> RuleResult:
    difference, scale = left.value - right.value, 1.0 if left.unit == "length" else max(left.scale_mm, right.scale_mm)
    if left.is_constant and right.is_constant:
        exact = EXACT_MM if left.unit == "length" else _SAME
        return certain(difference > exact if strict else difference >= -exact)
    known_form = None
    if left.pair is not None and right.is_constant:
        provided = form(left, right.value)
        known_form = None if provided is None else provided
    measured = right if left.is_constant else left
    result = RuleResult(
        margin_mm=max(-CAPPED_MM, min(CAPPED_MM, difference * (scale or CAPPED_MM))),
        zero_is_met=not strict,
        lengths_mm={"measured": measured.value} if measured.unit == "length" else {},
        witness=tuple(_with_role(w, is_met=difference >= 0) for w in left.witness + right.witness),
        depends_on_place=merge(left.on, right.on),
        depends_on_facing=merge(left.turning, right.turning),
    )
    if known_form is None and right.pair is not None and left.is_constant:
        return replace(result, form=form(right, left.value))
    return result


def _with_role(witness: Witness, *, is_met: bool) -> Witness:
    if witness.role != "limit":
        return witness
    return Witness(**dict(witness) | {"role": "clear" if is_met else "blocked"})


def at_least_so_many(count: Count, wanted: int) -> RuleResult:
    """Whether a condition holds for at least so many: the margin is that of the last one wanted."""
    results = list(count.results.values())
    if wanted <= 0 or wanted > len(results):
        return certain(wanted <= 0)
    if wanted == 1:
        return _join(results, is_all=False)
    if wanted == len(results):
        return _join(results, is_all=True)
    if unknown := next((result for result in results if result.status == "unknown"), None):
        return unknown
    order = sorted(results, key=lambda result: result.decisive_mm, reverse=True)
    deciding = order[wanted - 1]
    near = [r for r in order if abs(r.decisive_mm - deciding.decisive_mm) <= _RIVAL_MM]
    return replace(
        deciding,
        margin_mm=deciding.decisive_mm,
        slack_mm=None,
        lengths_mm={},
        conditions=(),
        form=None,
        contact_probability=None,
        depends_on_place=merge(*(r.depends_on_place for r in near)),
        depends_on_facing=merge(*(r.depends_on_facing for r in near)),
    )


def _join(results: Iterable[RuleResult], *, is_all: bool) -> RuleResult:
    return join([("", result) for result in results], is_all=is_all)


def join(clauses: Sequence[tuple[str, RuleResult]], *, is_all: bool) -> RuleResult:
    """All of them, or one of them; what is certain is left out or decides at once."""
    open_clauses = []
    for name, result in clauses:
        if not is_certain(result):
            open_clauses.append((name, result))
        elif (result.decisive_mm > 0) != is_all:
            return result
    if not open_clauses:
        return certain(is_all)
    if len(open_clauses) == 1:
        return open_clauses[0][1]
    return all_of(tuple(open_clauses)) if is_all else any_of(tuple(result for _, result in open_clauses))


# Dice.


def roll(count: int, sides: int) -> Dice:
    """The total of so many dice."""
    face = {Fraction(k): Fraction(1, sides) for k in range(1, sides + 1)}
    total = {Fraction(0): Fraction(1)}
    for _ in range(count):
        total = _convolve(total, face)
    return Dice(total)


def roll_best(count: int, sides: int, kept: int) -> Dice:
    """The total of the highest so many of several dice: over how many show more than each face."""
    odds: dict[Fraction, Fraction] = {}
    states: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(1)}  # dice shown so far, total of those kept
    for face in range(sides, 0, -1):
        longer: dict[tuple[int, int], Fraction] = {}
        for (shown, total), weight in states.items():
            for more in range(count - shown + 1):
                counted = max(0, min(kept - shown, more))
                key = (shown + more, total + counted * face)
                longer[key] = longer.get(key, Fraction(0)) + weight * math.comb(count - shown, more)
        states = longer
    for (shown, total), weight in states.items():
        if shown == count:
            odds[Fraction(total)] = odds.get(Fraction(total), Fraction(0)) + weight / sides**count
    return Dice(odds)


def _convolve(a: Mapping[Fraction, Fraction], b: Mapping[Fraction, Fraction]) -> dict[Fraction, Fraction]:
    if len(a) * len(b) > _MOST_TOTALS * 20:
        raise TooManyTotals
    total: dict[Fraction, Fraction] = {}
    for value, chance in a.items():
        for other, of_other in b.items():
            total[value + other] = total.get(value + other, Fraction(0)) + chance * of_other
    if len(total) > _MOST_TOTALS:
        raise TooManyTotals
    return total


def combine_dice(a: Dice | Number, b: Dice | Number, operator: str) -> Dice:
    """Dice and dice, or dice and a number, as the operator says."""
    if operator in "*/":
        assert isinstance(a, Dice), "the type check lets nothing else through"
        assert not isinstance(b, Dice), "the type check lets nothing else through"
        factor = Fraction(settle(b).value).limit_denominator(10**6)
        factor = factor if operator == "*" else 1 / (factor or Fraction(1, 10**6))
        odds: dict[Fraction, Fraction] = {}
        for value, chance in a.odds.items():
            odds[value * factor] = odds.get(value * factor, Fraction(0)) + chance
        return Dice(odds, combine(a.offset, Quantity(float(factor), "plain"), "*"))
    left, right = (x if isinstance(x, Dice) else Dice({Fraction(0): Fraction(1)}, settle(x)) for x in (a, b))
    other = right.odds if operator == "+" else {-value: chance for value, chance in right.odds.items()}
    return Dice(_convolve(left.odds, other), combine(left.offset, right.offset, operator))


def compare_dice(a: Dice | Number, b: Dice | Number, operator: str, clause: str) -> Event:
    """The event that the operator states of a roll."""
    difference = combine_dice(a, b, "-")
    unit = 25.4 if difference.offset.unit == "length" else 1.0
    offset = difference.offset
    order = sorted(difference.odds)
    enough = [value for value in order if _holds(float(value) * unit, offset, operator, clause)]
    chance = sum((difference.odds[value] for value in enough), Fraction(0))
    ends = [float(value) * unit + offset.value for value in (order[0], order[-1])]
    if operator in ("==", "!="):
        return Event(chance, certain(chance > 0), certain(chance == 1))
    sign = -1.0 if operator in ("<", "<=") else 1.0
    worst, best = sorted(sign * end for end in ends)
    is_upward = isinstance(a, Dice) != isinstance(b, Dice) and isinstance(a, Dice) == (sign > 0)
    needs = min(abs(float(value)) for value in enough) if enough and is_upward else None
    return Event(chance, _end(best, offset, operator), _end(worst, offset, operator), needs)


def _end(margin: float, offset: Quantity, operator: str) -> RuleResult:
    """The condition at one roll."""
    if offset.is_constant:
        exact = EXACT_MM if operator in (">=", "<=") else -EXACT_MM
        return certain(margin >= -exact)
    return RuleResult(
        margin_mm=max(-CAPPED_MM, min(CAPPED_MM, margin * (offset.scale_mm or 1.0))),
        zero_is_met=operator in (">=", "<="),
        witness=offset.witness,
        depends_on_place=offset.on,
        depends_on_facing=offset.turning,
    )


def _holds(total: float, offset: Quantity, operator: str, clause: str) -> bool:
    """Whether one total meets the condition; a measured one near its limit leaves a switch."""
    value = total + offset.value
    if operator in ("==", "!="):
        return (abs(value) < EXACT_MM) == (operator == "==")
    margin, strict = (-value if operator in ("<", "<=") else value), operator in ("<", ">")
    if offset.is_constant or abs(margin) > _RIVAL_MM:
        return margin > EXACT_MM if strict else margin >= -EXACT_MM
    test = is_more_than if strict else is_at_least
    return test(margin, 0.0, f"{clause} at a roll of {total:g}", offset.on, turning=offset.turning)


def negate_event(event: Event) -> Event:
    """The opposite event."""
    return Event(1 - event.chance, negate(event.worst), negate(event.best))


def join_events(truths: Sequence[tuple[str, Truth]], *, is_all: bool) -> Event:
    """Rolls that are made one by one, and conditions that hold or do not, joined."""
    chance = Fraction(1)
    for name, truth in truths:
        single = truth.chance if isinstance(truth, Event) else Fraction(int(holds(truth, name)))
        chance *= single if is_all else 1 - single
    best, worst = (
        join([(name, getattr(t, end) if isinstance(t, Event) else t) for name, t in truths], is_all=is_all)
        for end in ("best", "worst")
    )
    needs = [truth.needs for _, truth in truths if isinstance(truth, Event)]
    return Event(chance if is_all else 1 - chance, best, worst, needs[0] if len(needs) == 1 and is_all else None)
