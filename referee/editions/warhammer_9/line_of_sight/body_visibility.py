"""Body visibility: over what a body shows whose base is hidden."""

from models.house_rules import HOUSE_RULES
from referee.editions.warhammer_9.line_of_sight.scene import (
    Occluder,
    ground_height_mm,
    lowest_line_mm,
    occluders_between,
)
from referee.editions.warhammer_9.units.regiment import garrisoned_building, leading_miniature, regiment
from referee.geometry.shapes import RoundedShape
from referee.rules.exact_table import ExactTable

_DUST_MM = 1e-6
UNSURE_ADVICE = (
    "Heights are not told: where a body shows over what hides its base, it is seen. If unsure, roll 4+ (p. 12)."
)
Split = tuple[list[Occluder], list[Occluder]]


def sight_blockers(table: ExactTable, viewer: str, target: str) -> tuple[Occluder, ...]:
    """Sight blockers: all between two units over which the target's body does not show. Source: p. 12."""
    things = occluders_between(table, viewer, target, ())
    lower, _ = split_by_body_height(table, viewer, target, things)
    return tuple(thing for thing in things if thing not in lower) if lower else things


def sure_sight_blockers(table: ExactTable, viewer: str, target: str) -> tuple[Occluder, ...]:
    """Sight blockers without those over which the target's body may show, since heights are not told."""
    things = sight_blockers(table, viewer, target)
    _, unsure = split_by_body_height(table, viewer, target, things)
    return tuple(thing for thing in things if thing not in unsure)


def sight_blocker_doubts(table: ExactTable, viewer: str, target: str) -> tuple[str, ...]:
    """House rules on which it depends what hides the target."""
    return seen_body_doubts(table, viewer, target, occluders_between(table, viewer, target, ()))


def seen_body_doubts(table: ExactTable, viewer: str, target: str, things: tuple[Occluder, ...]) -> tuple[str, ...]:
    """House rules on which it depends over what of these the target shows."""
    readings = HOUSE_RULES["seen-body"].readings if things else ()
    lower = [split_by_body_height(table, viewer, target, things, how)[0] for how in readings]
    return () if all(thing == lower[0] for thing in lower) else ("seen-body",)


def split_by_body_height(
    table: ExactTable, viewer_id: str, target_id: str, things: tuple[Occluder, ...], how: str | None = None
) -> Split:
    """Occluders over which the target's body shows, and those over which it might.

    Source: Line of Sight, p. 12; Towering, p. 67.

    By the book's words it shows over what is lower, and over a wall of unknown or no more than chest height; at least
    half of one that towers must show, and it shows over all who do not tower; one that towers looks over all. By
    `base` it shows over nothing; by `declared-body` over what is told to be lower; by `outline` as the eye sees it,
    along the slope from the viewer's head to its top.
    """
    how = table.reading("seen-body") if how is None else how
    lower, unsure = list[Occluder](), list[Occluder]()
    if how == "base" or not things:
        return lower, unsure
    shows, towers = _top_mm(table, target_id), leading_miniature(table, viewer_id).has("towering")
    tall = leading_miniature(table, target_id).has("towering")
    for thing in things:
        is_unit = bool(thing.members)
        below = _is_lower(table, viewer_id, target_id, thing, shows, how)
        by_word = below is None and (
            thing.is_low or (is_unit and tall and not leading_miniature(table, thing.id).has("towering"))
        )
        if (is_unit and towers) or below or (by_word and how != "declared-body"):
            lower.append(thing)
        elif below is None and (is_unit or thing.is_low or thing.height_mm is not None):
            unsure.append(thing)
    return lower, unsure


def _top_mm(table: ExactTable, target_id: str) -> float | None:
    """How high what must show of it reaches; None when its height is not told."""
    target = leading_miniature(table, target_id)
    if target.body_mm is None:
        return None
    return ground_height_mm(table, target.id) + target.body_mm * (0.5 if target.has("towering") else 1.0)


def _is_lower(
    table: ExactTable, viewer: str, target: str, occluder: Occluder, shows: float | None, how: str
) -> bool | None:
    """Whether heights that are told say so; None where one of them is not told."""
    if occluder.height_mm is None or shows is None:
        return None
    if how == "outline":
        return _is_under_slope(table, viewer, target, occluder, shows)
    half = leading_miniature(table, target).has("towering")
    return occluder.height_mm < shows + (_DUST_MM if half else -_DUST_MM)


def _is_under_slope(table: ExactTable, viewer: str, target: str, occluder: Occluder, shows: float) -> bool | None:
    """Whether the line from the viewer's head to the target's top passes above; None where its height is not told."""
    looks = leading_miniature(table, viewer)
    if occluder.height_mm is None or looks.body_mm is None:
        return None
    eyes = ground_height_mm(table, looks.id) + looks.body_mm
    start, stop = (_unit_outline(table, id_) for id_ in (viewer, target))
    return lowest_line_mm(start, stop, occluder, eyes, shows) > occluder.height_mm + _DUST_MM


def _unit_outline(table: ExactTable, id_: str) -> RoundedShape:
    inside = garrisoned_building(table, id_)
    return RoundedShape(regiment(table, id_).corners) if inside is None else table.area(inside).parts[0]
