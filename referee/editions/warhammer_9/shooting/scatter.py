"""Scatter and deviation: where a template or marker lands after the scatter and artillery dice."""

import math

from pydantic import JsonValue

from models.dice import Dice
from models.queries import Deviation
from models.unit_conversion import inches
from models.verdict import Witness
from models.vocabulary import Point
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.templates import bases_under_template, point_along, point_of
from referee.geometry.shapes import Area, disc
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import Candidate, RuleResult

_HIT_FACES = 2  # of the six of a usual scatter die; the book does not count them
_SCATTER = because("Scatter", 10, "It moves along the arrow by the distance rolled; on a hit it stays.")


def is_misfire(dice: Dice) -> bool:
    """Whether the artillery die stops the shot, whatever the scatter die shows.

    Source: Cannons, p. 88; Stone Throwers, p. 89.
    """
    return dice.artillery == "misfire"


def missing_dice(dice: Dice, *, drifts: bool = False) -> tuple[str, ...]:
    """The dice without which it is not known where something lands."""
    if dice.scatter == "hit" and not drifts:
        return ()
    rolled = dice.artillery if dice.artillery is not None else dice.distance
    dice_by_name: dict[str, object] = {"scatter": dice.scatter, "heading_deg": dice.heading_deg, "artillery": rolled}
    return tuple(f"dice.{name}" for name, face in dice_by_name.items() if face is None)


def scatter_point(at: Point, dice: Dice, *, share: float = 1.0, less_in: float = 0.0, drifts: bool = False) -> Point:
    """Scatter: where a marker lands; the aim point where dice are missing. Source: Scatter, p. 10.

    `share` of the artillery die counts, `less_in` of it is taken off; on a hit it moves only where it `drifts`.
    """
    rolled = dice.artillery if dice.artillery is not None else dice.distance
    if dice.scatter is None or (dice.scatter == "hit" and not drifts):
        return at
    if rolled is None or rolled == "misfire" or dice.heading_deg is None:
        return at
    return point_along(at, dice.heading_deg, inches(max(0.0, rolled * share - less_in)))


def hit_face_share() -> float:
    """Chance that a scatter die shows a hit."""
    return _HIT_FACES / 6


def deviation(table: ExactTable, query: Deviation) -> RuleResult:
    """Deviation: where the template or marker lands. Source: Scatter, p. 10; Choosing a Random Direction, p. 11."""
    start, dice = point_of(table, query.target), query.dice
    if dice.scatter is None and dice.heading_deg is not None:  # a random direction, not a scatter
        dice = dice.model_copy(update={"scatter": "arrow"})
    needs = () if query.hit or is_misfire(dice) else missing_dice(dice)
    if needs:
        return RuleResult(status="unknown", needs=needs, value={"start_mm": [*start]}, because=(_SCATTER,))
    end = start if query.hit else scatter_point(start, dice)
    value: dict[str, JsonValue] = {"start_mm": [*start], "point_mm": [*end], "cap_mm": None, "clipped": False}
    members = tuple[Candidate, ...]()
    if query.diameter_in is not None and not is_misfire(dice):
        members = bases_under_template(table, Area((disc(end, inches(query.diameter_in) / 2),)))
    return RuleResult(
        status="measured",
        value=value | {"misfire": is_misfire(dice)},
        members=members,
        witness=(Witness(type="segment", role="path", points_mm=(start, end)),),
        because=(with_effect(table, _SCATTER, f"It lands {format_length(math.dist(start, end))} away."),),
        readings=("area-touch",),
    )
