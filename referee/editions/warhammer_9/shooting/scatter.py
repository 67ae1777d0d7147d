"""Scatter: where a marker lands by the scatter and artillery dice."""

from models.dice import Dice
from models.unit_conversion import inches
from models.vocabulary import Point
from referee.editions.warhammer_9.shooting.templates import point_along

_HIT_FACES = 2  # of the six of a usual scatter die; the book does not count them


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
    told: dict[str, object] = {"scatter": dice.scatter, "heading_deg": dice.heading_deg, "artillery": rolled}
    return tuple(f"dice.{name}" for name, face in told.items() if face is None)


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
