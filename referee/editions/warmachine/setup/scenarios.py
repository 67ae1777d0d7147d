"""Printed scenarios: where their flags, zones and deployment lines lie on the table."""

import math
from dataclasses import dataclass, field

from models.state import Side, TableState
from models.unit_conversion import inches
from models.verdict import Reason
from models.vocabulary import Point
from referee.editions.warmachine.parameters import because

ZONE_MM = inches(12)  # Source: Incoming, p. 85: zones are 12 in circles
FLAG_MM = 40.0  # Source: Flags, p. 83: flags are 40 mm markers
FIRST_DEPTH_MM = inches(7)  # Source: Setup, Deployment & Victory Conditions, p. 26
SECOND_DEPTH_MM = inches(10)  # Source: Setup, Deployment & Victory Conditions, p. 26
_PRIMARY_IN, _SECONDARY_IN = (24, 10), (12, 4)  # Source: Outflank, p. 86: along the edge, and deep


@dataclass(frozen=True)
class Frame:
    """The table as one player sees it: `along` runs from his left to his right, `ahead` away from him.

    Source: Close Quarters, p. 84: everything is measured from a player's own edge and the edge to his right.
    """

    state: TableState
    edge: str

    @property
    def width_mm(self) -> float:
        size = self.state.table
        return size.width_mm if self.edge in ("near", "far") else size.depth_mm

    @property
    def depth_mm(self) -> float:
        size = self.state.table
        return size.depth_mm if self.edge in ("near", "far") else size.width_mm

    def point(self, along: float, ahead: float) -> Point:
        width, depth = self.state.table.width_mm, self.state.table.depth_mm
        places = {
            "near": (along, ahead),
            "far": (width - along, depth - ahead),
            "left": (ahead, depth - along),
            "right": (width - ahead, along),
        }
        return places[self.edge]

    def box(self, left: float, back: float, right: float, front: float) -> tuple[Point, ...]:
        corners = ((left, back), (right, back), (right, front), (left, front))
        return tuple(self.point(*corner) for corner in corners)


def frame_of(state: TableState, side: str) -> Frame | None:
    """The table as this side sees it; None where its edge is not stated or is a corner."""
    stated = next((s for s in state.sides if s.id == side), None)
    if stated is None or stated.edge is None or stated.edge.startswith("corner"):
        return None
    return Frame(state, stated.edge)


def first_side(state: TableState) -> Side | None:
    """Who has the first turn."""
    return next((s for s in state.sides if s.first), None)


Place = tuple[str, float, float]
"""From whose edge ("first", "second", or "middle" of the table), and how far along and ahead in inches."""


@dataclass(frozen=True)
class PrintedScenario:
    """One scenario of the book. Places are inches from the right of a player and ahead of his edge, or from the middle.

    `needed` points win; scoring starts on the second turn of the second player, or of the first one.
    """

    page: int
    title: str
    needed: float | None
    flags: tuple[Place, ...] = ()
    zones: tuple[Place, ...] = ()
    from_first: bool = False
    once: bool = False
    outflanks: bool = False
    reserves: bool = False

    def reason(self, says: str) -> Reason:
        return because(self.title, self.page, says)


_TWO_FLAGS: tuple[Place, ...] = (("first", 18, 21), ("second", 18, 21))
_MIDDLE: tuple[Place, ...] = (("middle", 0, 0),)

PRINTED: dict[str, PrintedScenario] = {
    "annihilation": PrintedScenario(84, "Annihilation", None),
    "close-quarters": PrintedScenario(84, "Close Quarters", 4, flags=_TWO_FLAGS),
    "hold-the-line": PrintedScenario(
        84, "Hold the Line", 5, flags=(("right", 12, 0), ("middle", 0, 0), ("left", 12, 0))
    ),
    "incoming": PrintedScenario(85, "Incoming", 3, zones=_MIDDLE),
    "mosh-pit": PrintedScenario(85, "Mosh Pit", 3, zones=_MIDDLE),
    "outflank": PrintedScenario(86, "Outflank", 4, flags=_TWO_FLAGS, outflanks=True),
    "reinforcements": PrintedScenario(86, "Reinforcements", 3, zones=_MIDDLE, reserves=True),
    "seek-and-destroy": PrintedScenario(
        87,
        "Seek & Destroy",
        5,
        flags=(*_MIDDLE, *(("diagonal", x * 18.0, y * 18.0) for x in (-1, 1) for y in (-1, 1))),
        from_first=True,
        once=True,
    ),
    "throw-down": PrintedScenario(87, "Throw Down", 5, zones=(("left", 14, 0), ("right", 14, 0))),
}


@dataclass(frozen=True)
class Layout:
    """A scenario laid out on this table."""

    flags: tuple[Point, ...] = ()
    zones: tuple[Point, ...] = ()
    deployment: dict[str, tuple[tuple[Point, ...], ...]] = field(default_factory=dict)


def printed_scenario(name: str | None) -> PrintedScenario | None:
    """The scenario of that name."""
    return None if name is None else PRINTED.get(name.replace("_", "-").replace("&", "and").replace(" ", "-").lower())


def lay_out(state: TableState, scenario: PrintedScenario) -> Layout | None:
    """Where everything lies; None where the first player's edge is not stated."""
    first = first_side(state)
    frame = None if first is None else frame_of(state, first.id)
    if frame is None:
        return None
    return Layout(
        tuple(_lay_point(frame, place) for place in scenario.flags),
        tuple(_lay_point(frame, place) for place in scenario.zones),
        {side.id: deployment_outlines(state, side.id, scenario) for side in state.sides},
    )


def _lay_point(frame: Frame, place: Place) -> Point:
    """Source: Close Quarters to Throw Down, p. 84-87."""
    anchor, along, ahead = place
    wide, deep = frame.width_mm, frame.depth_mm
    if anchor == "first":
        return frame.point(wide - inches(along), inches(ahead))
    if anchor == "second":
        return frame.point(inches(along), deep - inches(ahead))
    if anchor in ("left", "right"):
        return frame.point(inches(along) if anchor == "left" else wide - inches(along), deep / 2)
    if anchor == "middle":
        return frame.point(wide / 2, deep / 2)
    diagonal = math.hypot(wide, deep)
    return frame.point(wide / 2 + inches(along) * wide / diagonal, deep / 2 + inches(ahead) * deep / diagonal)


def deployment_outlines(
    state: TableState, side: str, scenario: PrintedScenario | None
) -> tuple[tuple[Point, ...], ...]:
    """The outlines in which a side may start; nothing when its edge is not told.

    Source: Setup, Deployment & Victory Conditions, p. 26; Outflank, p. 86.
    """
    frame = frame_of(state, side)
    if frame is None:
        return ()
    if scenario is not None and scenario.outflanks:
        return _outflank_zones(frame)
    return (frame.box(0.0, 0.0, frame.width_mm, zone_depth_mm(state, side)),)


def zone_depth_mm(state: TableState, side: str) -> float:
    """How deep the zone of this side is. Source: Setup, Deployment & Victory Conditions, p. 26."""
    first = first_side(state)
    return FIRST_DEPTH_MM if first is not None and first.id == side else SECOND_DEPTH_MM


def _outflank_zones(frame: Frame) -> tuple[tuple[Point, ...], ...]:
    """The primary zone in the middle of the rear edge, the secondary of the edge to the right. Source: p. 86."""
    middle, half = frame.width_mm / 2, inches(_PRIMARY_IN[0]) / 2
    centre, flank = frame.depth_mm / 2, inches(_SECONDARY_IN[0]) / 2
    primary = frame.box(middle - half, 0.0, middle + half, inches(_PRIMARY_IN[1]))
    inner = frame.width_mm - inches(_SECONDARY_IN[1])
    return (primary, frame.box(inner, centre - flank, frame.width_mm, centre + flank))
