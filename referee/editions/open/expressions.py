"""Expressions: a written book's rules evaluated on one exact table, in counted steps."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from models.book_language.declarations import FUNCTIONS, GROUPS
from models.book_language.program import LookUpTable, Program
from models.book_language.syntax_tree import MM_PER_UNIT, Node
from models.unit_conversion import inches
from referee.editions.open.expression_values import (
    Count,
    Dice,
    Event,
    Extreme,
    Number,
    Place,
    Quantity,
    Truth,
    Unit,
    Value,
    WordDice,
    certain,
    combine,
    combine_dice,
    compare,
    compare_dice,
    holds,
    is_certain,
    join,
    join_events,
    merge,
    negate_event,
    roll,
    roll_best,
    settle,
)
from referee.editions.open.measures import MEASURES, group_of, needs
from referee.margins.distance_margin import limit_form
from referee.rules.conditions import negate
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import FormProvider
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM, choose_least, is_at_least

MOST_STEPS = 20_000
_MOST_CLAUSE = 60
Names = Mapping[str, Value]


class TooManySteps(Exception):
    """A rule that goes over more than a table answers in time."""


@dataclass
class Evaluation:
    """One rule on one table; `only` is the one member that the outermost count is asked about."""

    table: ExactTable
    program: Program
    text: str
    only: str | None = None
    outermost: Node | None = None
    steps: list[int] = field(default_factory=lambda: [0])

    def evaluate(self, node: Node, names: Names) -> Value:
        """What an expression gives. Raises: TooManySteps, CannotTell, FacingUnknown."""
        self._count(1)
        return _EVALUATE[node.kind](self, node, names)

    def _count(self, steps: int) -> None:
        self.steps[0] += steps
        if self.steps[0] > MOST_STEPS:
            raise TooManySteps

    def clause(self, node: Node) -> str:
        """The text of a part, as clauses are named."""
        text = " ".join(self.text[node.at : node.end].split())
        return text if len(text) <= _MOST_CLAUSE else f"{text[: _MOST_CLAUSE - 1]}…"

    def truth(self, node: Node, names: Names) -> Truth:
        value = self.evaluate(node, names)
        assert isinstance(value, RuleResult | Event), "the type check lets nothing else through"
        return value

    def condition(self, node: Node, names: Names) -> RuleResult:
        value = self.truth(node, names)
        assert isinstance(value, RuleResult), "the type check lets nothing else through"
        return value

    def number(self, node: Node, names: Names) -> Number:
        value = self.evaluate(node, names)
        assert isinstance(value, Quantity | Extreme | Count), "the type check lets nothing else through"
        return value

    def members(self, node: Node, names: Names) -> list[tuple[Place, Names, RuleResult]]:
        """The members of a group that a node goes over, each with its names and whether it is one of those meant."""
        group = self.evaluate(node.parts[0], names)
        assert isinstance(group, tuple), "the type check lets nothing else through"
        chosen: list[tuple[Place, Names, RuleResult]] = []
        for place in group:
            if self.only is not None and node is self.outermost and place.id != self.only:
                continue
            inner = {**names, node.variable: place}
            meant = certain(True) if node.where is None else self.condition(node.where, inner)
            if not is_certain(meant) or meant.decisive_mm > 0:
                chosen.append((place, inner, meant))
        return chosen

    def form(self, measured: Quantity, limit_mm: float) -> FormProvider | None:
        """How a distance to a limit changes, where it is the plain one."""
        return None if measured.pair is None else limit_form(self.table, *measured.pair, limit_mm)


def _number(_: Evaluation, node: Node, __: Names) -> Quantity:
    if node.text in MM_PER_UNIT:
        return Quantity(node.number * MM_PER_UNIT[node.text], "length")
    units: dict[str, tuple[float, Unit]] = {"": (1.0, "plain"), "deg": (1.0, "angle"), "%": (0.01, "number")}
    factor, unit = units[node.text]
    return Quantity(node.number * factor, unit)


def _dice(_: Evaluation, node: Node, __: Names) -> Dice:
    count, sides = node.text.split("D")
    return roll(int(count), int(sides))


def _if(run: Evaluation, node: Node, names: Names) -> Value:
    condition, then, other = node.parts
    tested = run.condition(condition, names)
    if is_certain(tested):
        return run.evaluate(then if tested.decisive_mm > 0 else other, names)
    first = run.evaluate(then, names)
    if not isinstance(first, RuleResult):
        return first if holds(tested, run.clause(condition)) else run.evaluate(other, names)
    second = run.evaluate(other, names)
    if not isinstance(second, RuleResult):
        return first if holds(tested, run.clause(condition)) else second
    met = join([(run.clause(condition), tested), (run.clause(then), first)], is_all=True)
    unmet = join([(f"not {run.clause(condition)}", negate(tested)), (run.clause(other), second)], is_all=True)
    return join([("then", met), ("else", unmet)], is_all=False)


def _logic(run: Evaluation, node: Node, names: Names) -> Truth:
    truths: list[tuple[str, Truth]] = []
    for part in node.parts:
        truth = run.truth(part, names)
        truths.append((run.clause(part), truth))
        if isinstance(truth, RuleResult) and is_certain(truth) and (truth.decisive_mm > 0) == (node.kind == "or"):
            break
    if any(isinstance(truth, Event) for _, truth in truths):
        return join_events(truths, is_all=node.kind == "and")
    return join([(name, truth) for name, truth in truths if isinstance(truth, RuleResult)], is_all=node.kind == "and")


def _not(run: Evaluation, node: Node, names: Names) -> Truth:
    truth = run.truth(node.parts[0], names)
    return negate_event(truth) if isinstance(truth, Event) else negate(truth)


def _compare(run: Evaluation, node: Node, names: Names) -> Truth:
    left, right = (run.evaluate(part, names) for part in node.parts)
    if isinstance(left, str | Place) and isinstance(right, str | Place):
        is_same = left.at == right.at if isinstance(left, Place) and isinstance(right, Place) else left == right
        return certain(is_same == (node.text == "=="))
    if isinstance(left, WordDice) or isinstance(right, WordDice):
        dice, word = (left, right) if isinstance(left, WordDice) else (right, left)
        assert isinstance(dice, WordDice), "the type check lets nothing else through"
        chance = sum((p for entry, p in dice.odds.items() if (entry == word) == (node.text == "==")), Fraction(0))
        return Event(chance, certain(chance > 0), certain(chance == 1))
    if isinstance(left, Dice) or isinstance(right, Dice):
        return compare_dice(left, right, node.text, run.clause(node))  # type: ignore[arg-type]
    return compare(left, right, node.text, run.form, run.clause(node))  # type: ignore[arg-type]


def _arithmetic(run: Evaluation, node: Node, names: Names) -> Value:
    left, right = (run.evaluate(part, names) for part in node.parts)
    if isinstance(left, Dice) or isinstance(right, Dice):
        return combine_dice(left, right, node.text)  # type: ignore[arg-type]
    return combine(left, right, node.text)  # type: ignore[arg-type]


def _minus(run: Evaluation, node: Node, names: Names) -> Quantity:
    quantity = settle(run.number(node.parts[0], names))
    return replace(quantity, value=-quantity.value, pair=None)


def _each(run: Evaluation, node: Node, names: Names) -> Value:
    members = run.members(node, names)
    if node.text in ("count", "any", "all"):
        results = {}
        for place, inner, meant in members:
            held = certain(True) if node.body is None else run.condition(node.body, inner)
            if node.text == "all":
                clauses = [("not meant", negate(meant)), (run.clause(node.body or node), held)]
                results[str(place.at)] = join(clauses, is_all=False)
            else:
                results[str(place.at)] = join([("meant", meant), ("held", held)], is_all=True)
        return Count(results) if node.text == "count" else join([*results.items()], is_all=node.text == "all")
    kept = [(place, inner) for place, inner, meant in members if holds(meant, f"{node.text} counts {place.at}")]
    if node.text == "those":
        return tuple(place for place, _ in kept)
    assert node.body is not None, "the type check lets nothing else through"
    values = [(place, run.number(node.body, inner)) for place, inner in kept]
    if node.text == "sum":
        total: Quantity = Quantity(0.0, "plain")
        for _, value in values:
            total = combine(total, value, "+")
        return total
    if not values:
        raise needs(f"somebody of whom to take the {node.text}")
    if node.text in ("least", "greatest"):
        return choose_extreme(values, is_least=node.text == "least")
    parts = tuple(value if isinstance(value, Quantity | Extreme) else settle(value) for _, value in values)
    return parts[0] if len(parts) == 1 else Extreme(parts, node.text == "min")


def choose_extreme(values: list[tuple[Place, Number]], *, is_least: bool) -> Place:
    """The member with the least, or the greatest, value; which it is leaps, and leaves a switch."""
    settled = [(settle(value), place) for place, value in values]
    sign = 1.0 if is_least else -1.0
    ordered = [(sign * value.value * (1.0 if value.unit == "length" else value.scale_mm or 1.0), (value, place))
               for value, place in settled]  # fmt: skip
    clause = "has less than" if is_least else "has more than"
    _, place = choose_least(ordered, clause, lambda first, second: merge(first[0].on, second[0].on))
    return place


def _name(run: Evaluation, node: Node, names: Names) -> Value:
    name = node.text
    if name in names:
        return names[name]
    if name in run.program.ranges_in:
        return Quantity(inches(run.program.ranges_in[name]), "length")
    if name in ("enemies", "friends"):
        return MEASURES[name](run.table, names["a"])  # type: ignore[no-any-return]
    return group_of(run.table, name) if name in GROUPS else _call(run, node, names)


def _call(run: Evaluation, node: Node, names: Names) -> Value:
    name = node.text
    if name in run.program.rules:
        return _call_rule(run, node, names)
    if name in FUNCTIONS:
        run._count(FUNCTIONS[name].steps)
    if name in _FREE:
        return _FREE[name](run, node, names)
    given = [run.evaluate(part, names) for part in node.parts]
    return MEASURES[name](run.table, *given)  # type: ignore[no-any-return]


def _call_rule(run: Evaluation, node: Node, names: Names) -> Value:
    rule = run.program.rules[node.text]
    given = dict(zip(rule.parameters, (run.evaluate(part, names) for part in node.parts), strict=True))
    inner = Evaluation(run.table, run.program, rule.text, steps=run.steps)
    return inner.evaluate(rule.tree, given)


def _whole(run: Evaluation, node: Node, names: Names) -> Quantity:
    """A number rounded down or up; where it leaps to the next, it leaves a switch."""
    quantity, is_up = settle(run.number(node.parts[0], names)), node.text == "whole_up"
    sign = -1.0 if is_up else 1.0
    value, scale = sign * quantity.value, quantity.scale_mm
    whole = math.floor(value + EXACT_MM / (scale or 1.0))
    if not quantity.is_constant:
        for limit in (whole, whole + 1):
            is_at_least(
                (value - limit) * (scale or 1.0), 0.0, f"{run.clause(node)} is {limit}", quantity.on, is_noted=True
            )
    return Quantity(sign * whole, "number", quantity.on, quantity.turning)


def _extreme(run: Evaluation, node: Node, names: Names) -> Extreme:
    parts = [run.number(part, names) for part in node.parts]
    settled = [part if isinstance(part, Quantity | Extreme) else settle(part) for part in parts]
    units = {q.unit for part in settled for q in _quantities(part)} - {"plain"}
    unit = units.pop() if units else "plain"
    return Extreme(tuple(_as_unit(part, unit) for part in settled), node.text == "min")


def _quantities(part: Quantity | Extreme) -> list[Quantity]:
    return [part] if isinstance(part, Quantity) else [q for inner in part.of for q in _quantities(inner)]


def _as_unit(part: Quantity | Extreme, unit: Unit) -> Quantity | Extreme:
    if isinstance(part, Quantity):
        return part.as_unit(unit)
    return Extreme(tuple(_as_unit(inner, unit) for inner in part.of), part.is_least)


def _best(_: Evaluation, node: Node, __: Names) -> Dice:
    count, sides = node.parts[0].text.split("D")
    return roll_best(int(count), int(sides), int(node.parts[1].number))


def _look_up(run: Evaluation, node: Node, names: Names) -> Value:
    table = run.program.tables[node.parts[0].text]
    key = run.evaluate(node.parts[1], names)
    if isinstance(key, Dice):
        return _look_up_roll(table, node.parts[0].text, key)
    asked = key if isinstance(key, str) else float(math.floor(settle(key).value + EXACT_MM))  # type: ignore[arg-type]
    entry = table.entry_of(asked)
    if entry is None:
        raise needs(f"an entry of the table {node.parts[0].text!r} for {asked!r}")
    return entry if isinstance(entry, str) else Quantity(float(entry), "plain")


def _look_up_roll(table: LookUpTable, name: str, dice: Dice) -> Dice | WordDice:
    """The entries that a roll picks, each with its chance."""
    odds: dict[float | str, Fraction] = {}
    for total, chance in dice.odds.items():
        entry = table.entry_of(float(total) + dice.offset.value)
        if entry is None:
            raise needs(f"an entry of the table {name!r} for a roll of {float(total):g}")
        odds[entry] = odds.get(entry, Fraction(0)) + chance
    if all(isinstance(entry, str) for entry in odds):
        return WordDice({str(entry): chance for entry, chance in odds.items()})
    return Dice({Fraction(entry).limit_denominator(10**6): chance for entry, chance in odds.items()})


_FREE: dict[str, Callable[[Evaluation, Node, Names], Value]] = {
    "min": _extreme,
    "max": _extreme,
    "best": _best,
    "look_up": _look_up,
    "whole": _whole,
    "whole_up": _whole,
}
_EVALUATE: dict[str, Callable[[Evaluation, Node, Names], Value]] = {
    "number": _number,
    "dice": _dice,
    "word": lambda _, node, __: node.text,
    "name": _name,
    "call": _call,
    "each": _each,
    "if": _if,
    "or": _logic,
    "and": _logic,
    "not": _not,
    "compare": _compare,
    "add": _arithmetic,
    "multiply": _arithmetic,
    "minus": _minus,
}
