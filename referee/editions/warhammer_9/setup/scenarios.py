"""Scenarios: the deployment zones that follow from a scenario's name and the edge where a side sets up."""

import math
from collections.abc import Callable

from models.unit_conversion import inches
from models.vocabulary import Point
from referee.rules.exact_table import ExactTable

Outline = tuple[Point, ...]
ZoneFinder = Callable[[float, float, str | None], Outline | None]


def scenario_zone(table: ExactTable, side: str | None) -> tuple[str, Outline] | None:
    """The zone of a side, by its name and outline; None where the scenario or the edge does not tell.

    Source: Battleline, Battle for the Pass, p. 109; Blood and Glory, p. 110; Meeting Engagement,
    The Watchtower, p. 111.
    """
    scenario = table.state.scenario
    name = "" if scenario is None or scenario.name is None else scenario.name.lower().replace(" ", "-")
    edge = next((one.edge for one in table.state.sides if one.id == side), None)
    outline = _ZONES[name](table.state.table.width_mm, table.state.table.depth_mm, edge) if name in _ZONES else None
    return None if outline is None else (f"{name}:{edge}", outline)


def _half_behind_line(from_line_in: float, from_sides_in: float = 0.0) -> ZoneFinder:
    """The half at a long edge, so far from the centre line and from the narrow edges."""

    def outline(width: float, depth: float, edge: str | None) -> Outline | None:
        if width < depth or edge not in ("near", "far"):
            return None
        left, right = inches(from_sides_in), width - inches(from_sides_in)
        if edge == "near":
            return _rectangle(left, 0.0, right, depth / 2 - inches(from_line_in))
        return _rectangle(left, depth / 2 + inches(from_line_in), right, depth)

    return outline


def _end_behind_line(width: float, depth: float, edge: str | None) -> Outline | None:
    """The half at a narrow edge, more than 12 in from the centre line."""
    if width < depth or edge not in ("left", "right"):
        return None
    if edge == "left":
        return _rectangle(0.0, 0.0, width / 2 - inches(12), depth)
    return _rectangle(width / 2 + inches(12), 0.0, width, depth)


def _corner_behind_diagonal(width: float, depth: float, edge: str | None) -> Outline | None:
    """The half at a corner, more than 6 in from the diagonal."""
    if edge is None or not edge.startswith("corner-"):
        return None
    x, y = (0.0 if "left" in edge else width), (0.0 if "near" in edge else depth)
    share = 1 - inches(6) * math.hypot(width, depth) / (width * depth)
    if share <= 0:
        return None
    along, up = (width * share, depth * share)
    return ((x, y), (along if x == 0 else width - along, y), (x, up if y == 0 else depth - up))


def _rectangle(left: float, near: float, right: float, far: float) -> Outline | None:
    return ((left, near), (right, near), (right, far), (left, far)) if left < right and near < far else None


_ZONES: dict[str, ZoneFinder] = {
    "battleline": _half_behind_line(12),
    "watchtower": _half_behind_line(12),
    "the-watchtower": _half_behind_line(12),
    "battle-for-the-pass": _end_behind_line,
    "blood-and-glory": _half_behind_line(9, 9),
    "meeting-engagement": _corner_behind_diagonal,
}
