"""Action of the open edition: whether a miniature gets to another straight on, and what a book wants besides."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from pydantic import JsonValue

from models.queries import Action, Los
from models.unit_conversion import MM_PER_INCH, inches
from models.verdict import Reason
from models.written_book import BookAction, Inches
from referee.editions.open.arcs import check_front
from referee.editions.open.measuring import measured_area
from referee.editions.open.move import limits_of_move
from referee.editions.open.settings import because, explain_setting
from referee.editions.warmachine.movement.move import check_on_table, check_unobstructed, draw_path
from referee.editions.warmachine.movement.path import Path, speed_mm
from referee.geometry.distance import area_gap
from referee.motion.travel_budget import TravelLimits, TravelResult, travel
from referee.rules.candidates import is_zero_or_more
from referee.rules.conditions import Clauses, all_of_as_told
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM

SECTION = "how an action goes"
_RULE = because(SECTION, "It goes straight at the other by the shortest way, and passes nothing that bars it.")
_READINGS = ("open-pass", "open-rough")


"""A named action has a place and words of its own, where the book tells them by its name."""


@dataclass(frozen=True)
class _Length:
    """How far it goes; with dice that nobody has rolled from `fixed_mm` on."""

    fixed_mm: float
    dice: str | None = None

    @property
    def longest_mm(self) -> float:
        if self.dice is None:
            return self.fixed_mm
        count, sides = parse_dice(self.dice)
        return self.fixed_mm + inches(count * sides)


def action(table: ExactTable, query: Action) -> RuleResult:
    """Action: whether the straight way to the target is short enough and free, and what else is wanted is so."""
    book_action = find_action(table, query)
    if book_action is None:
        return RuleResult(status="refused", because=(_RULE,), advice=f"The rulebook names no action {query.action!r}.")
    length = _length(table, query, book_action)
    if length is None:
        needs = (f"profile.spd_in of {query.attacker}",)
        return RuleResult(status="unknown", needs=needs, because=(_RULE,), depends_on_place=(query.attacker,))
    path = _shortest_way(table, query, book_action)
    limits = _limits(table, query)
    walked = travel(table.base(query.attacker), path, limits)
    rule = because(query.action or SECTION, _RULE.says)
    others = _other_clauses(table, query, book_action, path, limits)
    clauses = (("distance", _check_length(table, query, length, walked, rule)), *others)
    return _tell(table, query, length, walked, clauses)


def find_action(table: ExactTable, query: Action) -> BookAction | None:
    """What the book says of the action; one that goes so far until the bases touch where none is named."""
    if query.action is None:
        return BookAction()
    book = table.state.written_book
    return None if book is None else book.rules.actions.get(query.action)


def _length(table: ExactTable, query: Action, book_action: BookAction) -> _Length | None:
    if query.length_in is not None:
        return _Length(inches(query.length_in))
    fixed = (
        speed_mm(table, query.attacker) if book_action.range is None else inches(_range_in(table, book_action.range))
    )
    if fixed is None:
        return None
    if book_action.dice is None or query.rolled_in is not None:
        return _Length(fixed + inches(query.rolled_in or 0.0))
    return _Length(fixed, book_action.dice)


def _range_in(table: ExactTable, length: str | Inches) -> float:
    book = table.state.written_book
    assert book is not None, "only a book names ranges"
    return book.rules.range_in(length)


def _shortest_way(table: ExactTable, query: Action, book_action: BookAction) -> Path:
    """From its middle along the shortest line until it is near enough."""
    a, b = table.area(query.attacker), table.area(query.target)
    near_mm = 0.0
    if book_action.within is not None:
        a, b = measured_area(table, query.attacker), measured_area(table, query.target)
        near_mm = inches(_range_in(table, book_action.within))
    between, here = area_gap(a, b), table.centre(query.attacker)
    shortest_mm = max(0.0, between.mm - near_mm)
    if shortest_mm == 0.0:
        return (here, here)
    (ax, ay), (bx, by) = between.at_a, between.at_b
    length = math.hypot(bx - ax, by - ay)
    return (here, (here[0] + (bx - ax) * shortest_mm / length, here[1] + (by - ay) * shortest_mm / length))


def _limits(table: ExactTable, query: Action) -> TravelLimits:
    """What bars a move bars an action; its target is where it ends."""
    limits = limits_of_move(table, query.attacker)
    return replace(limits, stops=tuple(stop for stop in limits.stops if stop[0] != query.target))


def _check_length(table: ExactTable, query: Action, length: _Length, walked: TravelResult, rule: Reason) -> RuleResult:
    a, b = name_of(table, query.attacker), name_of(table, query.target)
    said = (
        f"{a} has {format_length(walked.needed_mm)} to go to {b}, and goes {format_length(length.longest_mm)} at most."
    )
    rough = (explain_setting(table, "open-rough"),) if walked.ground else ()
    return RuleResult(
        margin_mm=length.longest_mm - walked.needed_mm,
        because=(with_effect(table, rule, said), *rough),
        witness=(draw_path(query.attacker, walked.path, walked),),
        depends_on_place=(query.attacker, query.target, *(stretch.id for stretch in walked.ground)),
    )


def _other_clauses(
    table: ExactTable, query: Action, book_action: BookAction, path: Path, limits: TravelLimits
) -> Clauses:
    clauses = [
        ("way", check_unobstructed(table, query.attacker, path, limits)),
        ("table", check_on_table(table, query.attacker, path)),
    ]
    if book_action.sees:
        clauses.append(("sight", table.evaluate_query(Los(viewer=query.attacker, target=query.target))))
    if book_action.in_front:
        clauses.append(("arc", check_front(table, query.attacker, query.target)))
    return tuple(clauses)


def _tell(table: ExactTable, query: Action, length: _Length, walked: TravelResult, clauses: Clauses) -> RuleResult:
    result = all_of_as_told(clauses)
    whole = clauses[0][1]
    value: dict[str, JsonValue] = {**result.value, "way_mm": walked.needed_mm, "length_mm": length.longest_mm}
    is_open = length.dice is not None and result.status == "decided" and is_zero_or_more(result)
    if length.dice is not None and is_open:
        value["chance"] = _chance(length, length.dice, walked.needed_mm)
    return replace(
        result,
        status="measured" if is_open else result.status,
        value=value,
        lengths_mm={"way": walked.needed_mm},
        witness=tuple(dict.fromkeys((*whole.witness, *result.witness))),
        because=tuple(dict.fromkeys((*whole.because, *result.because))),
        readings=tuple(dict.fromkeys((*_READINGS, *result.readings))),
    )


def _chance(length: _Length, dice: str, way_mm: float) -> dict[str, JsonValue]:
    needs = max(0, math.ceil((way_mm - length.fixed_mm - EXACT_MM) / MM_PER_INCH))
    chance = chance_of_total(*parse_dice(dice), at_least=needs)
    return {"needs": needs, "dice": dice, "exact": str(chance), "p": float(chance)}


@cache
def total_odds(count: int, sides: int) -> tuple[Fraction, ...]:
    """The chance of every total from 0 to the highest, by its number."""
    odds: tuple[Fraction, ...] = (Fraction(1),)
    for _ in range(count):
        longer = [Fraction(0)] * (len(odds) + sides)
        for total, chance in enumerate(odds):
            for face in range(1, sides + 1):
                longer[total + face] += chance / sides
        odds = tuple(longer)
    return odds


def chance_of_total(count: int, sides: int, *, at_least: int) -> Fraction:
    """The chance that so many dice of so many sides show at least this in all."""
    return sum(total_odds(count, sides)[max(0, at_least) :], Fraction(0))


def parse_dice(dice: str) -> tuple[int, int]:
    """How many dice of how many sides `2D6` are."""
    count, _, sides = dice.partition("D")
    return int(count), int(sides)
