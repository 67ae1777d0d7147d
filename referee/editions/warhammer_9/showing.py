"""Showing: over what a body shows whose base is hidden."""

from models.house_rules import HOUSE_RULES
from referee.editions.warhammer_9.looking import Hidden, between, height_of_ground, lowest_mm
from referee.editions.warhammer_9.regiments import garrisoned, leading, regiment
from referee.shapes import Rounded
from referee.situation import Situation

_DUST_MM = 1e-6
Split = tuple[list[Hidden], list[Hidden]]


def what_hides(table: Situation, viewer: str, target: str) -> tuple[Hidden, ...]:
    """What can hide a target altogether: all that stands between but what its body shows over. Source: p. 12."""
    things = between(table, viewer, target, ())
    lower, _ = looked_over(table, viewer, target, things)
    return tuple(one for one in things if one not in lower) if lower else things


def hiding_doubts(table: Situation, viewer: str, target: str) -> tuple[str, ...]:
    """The house rules on which it hangs what can hide the target."""
    return body_doubts(table, viewer, target, between(table, viewer, target, ()))


def body_doubts(table: Situation, viewer: str, target: str, things: tuple[Hidden, ...]) -> tuple[str, ...]:
    """The house rules on which it hangs over what of these the target shows."""
    readings = HOUSE_RULES["seen-body"].readings if things else ()
    lower = [looked_over(table, viewer, target, things, how)[0] for how in readings]
    return () if all(one == lower[0] for one in lower) else ("seen-body",)


def looked_over(
    table: Situation, viewer_id: str, target_id: str, things: tuple[Hidden, ...], how: str | None = None
) -> Split:
    """What the target's body shows over, and what it might. Source: Line of Sight, p. 12; Towering, p. 67.

    By the book's words it shows over what is lower, and a wall that nobody told to be tall is; at least half of one
    that towers must show, and it shows over all who do not tower; one that towers looks over all. By `base` it shows
    over nothing; by `declared-body` over what is told to be lower; by `outline` as the eye sees it, along the slope
    from the viewer's head to its top.
    """
    how = table.reading("seen-body") if how is None else how
    lower, unsure = list[Hidden](), list[Hidden]()
    if how == "base" or not things:
        return lower, unsure
    shows, towers = _top_mm(table, target_id), leading(table, viewer_id).has("towering")
    tall = leading(table, target_id).has("towering")
    for one in things:
        is_unit = bool(one.members)
        below = _is_lower(table, viewer_id, target_id, one, shows, how)
        by_word = one.is_low or (is_unit and tall and below is None and not _towers(table, one))
        if (is_unit and towers) or below or (by_word and how != "declared-body"):
            lower.append(one)
        elif below is None and (is_unit or one.is_low or one.height_mm is not None):
            unsure.append(one)
    return lower, unsure


def _towers(table: Situation, one: Hidden) -> bool:
    return leading(table, one.id).has("towering")


def _top_mm(table: Situation, target_id: str) -> float | None:
    """How high what must show of it reaches; None when its height is not told."""
    target = leading(table, target_id)
    if target.body_mm is None:
        return None
    return height_of_ground(table, target.id) + target.body_mm * (0.5 if target.has("towering") else 1.0)


def _is_lower(table: Situation, viewer: str, target: str, one: Hidden, shows: float | None, how: str) -> bool | None:
    """Whether heights that are told say so; None where one of them is not told."""
    if one.height_mm is None or shows is None:
        return None
    if how == "outline":
        return _is_under_slope(table, viewer, target, one, shows)
    half = leading(table, target).has("towering")
    return one.height_mm < shows + (_DUST_MM if half else -_DUST_MM)


def _is_under_slope(table: Situation, viewer: str, target: str, one: Hidden, shows: float) -> bool | None:
    """Whether the line from the viewer's head to the target's top passes above; None where its height is not told."""
    looks = leading(table, viewer)
    if one.height_mm is None or looks.body_mm is None:
        return None
    eyes = height_of_ground(table, looks.id) + looks.body_mm
    start, stop = (_place(table, id_) for id_ in (viewer, target))
    return lowest_mm(start, stop, one, eyes, shows) > one.height_mm + _DUST_MM


def _place(table: Situation, id_: str) -> Rounded:
    inside = garrisoned(table, id_)
    return Rounded(regiment(table, id_).corners) if inside is None else table.area(inside).parts[0]
