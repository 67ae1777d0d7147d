"""Measure: how far apart two things are, by edge or middle, with their heights counted as chosen."""

import math
from dataclasses import dataclass

from models.verdict import Witness
from models.vocabulary import Point
from referee.editions.open.settings import RAISING_KINDS, number_of
from referee.geometry.distance import Gap, Volume, area_gap, rise_mm
from referee.geometry.shapes import Area, disc, polygon_area
from referee.rules.exact_table import ExactTable
from referee.rules.perturbation import NO_PERTURBATION

Place = str | Point


@dataclass(frozen=True)
class Measured:
    """A distance as the settings count it; `plan_mm` is seen from above, `rise_mm` the height between the two."""

    mm: float
    between: Gap
    rise_mm: float

    @property
    def is_flat(self) -> bool:
        return self.rise_mm == 0.0


def measure(table: ExactTable, a: Place, b: Place) -> Measured:
    """The distance between two things; what overlaps is 0 apart in plan. Symmetric."""
    between = area_gap(measured_area(table, a), measured_area(table, b))
    rise = height_between_mm(table, a, b)
    return Measured(join_height(table, max(0.0, between.mm), rise), between, rise)


def measured_area(table: ExactTable, place: Place) -> Area:
    """What one measures from and to: the base, its middle or the body; anything but a miniature by its edge."""
    if isinstance(place, str) and place in table.miniatures:
        how = table.reading("open-measure")
        if how == "centre":
            return Area((disc(table.centre(place), 0.0),))
        if how == "hull":
            return body_area(table, place)
    return table.area(place)


def body_area(table: ExactTable, id_: str) -> Area:
    """The outline of its body, where that is told; else its base. It goes where the base goes."""
    miniature = table.miniature(id_)
    if miniature.outline_mm is None:
        return table.area(id_)
    (x, y), (at_x, at_y) = table.centre(id_), miniature.at_mm
    return polygon_area((px + x - at_x, py + y - at_y) for px, py in miniature.outline_mm)


def join_height(table: ExactTable, plan_mm: float, rise: float) -> float:
    """A distance seen from above and a height, as one length."""
    how = table.reading("open-vertical")
    if how == "plan":
        return plan_mm
    return math.hypot(plan_mm, rise) if how == "space" else plan_mm + rise


def height_between_mm(table: ExactTable, a: Place, b: Place) -> float:
    """The height between two bodies, of points and terrain none; between middles that of the ground."""
    are_bodies = all(isinstance(place, str) and place in table.miniatures for place in (a, b))
    if table.reading("open-vertical") == "plan" or not are_bodies:
        return 0.0
    low_a, low_b = ground_mm(table, str(a)), ground_mm(table, str(b))
    if table.reading("open-measure") == "centre":
        return abs(low_a - low_b)
    volumes = (Volume(Area(()), low, low + body_mm(table, str(id_))) for low, id_ in ((low_a, a), (low_b, b)))
    return rise_mm(*volumes)


def ground_mm(table: ExactTable, id_: str) -> float:
    """The height of the ground it stands on: told, else the top of a hill or platform under its middle."""
    lift = table.perturbations.get(id_, NO_PERTURBATION).lift_mm
    stated_mm = table.miniature(id_).elevation_mm
    if stated_mm is not None or not table.state.terrain:
        return (stated_mm or 0.0) + lift
    tops = (
        t.surface_mm if t.surface_mm is not None else t.height_mm or 0.0
        for t in table.terrain_under(id_)
        if t.surface_mm is not None or (t.kind in RAISING_KINDS if t.elevates is None else t.elevates)
    )
    return max(tops, default=0.0) + lift


def body_mm(table: ExactTable, id_: str) -> float:
    """How tall a figure is: told, else as chosen for all."""
    stated_mm = table.miniature(id_).body_mm
    return number_of(table, "open-body-mm") if stated_mm is None else stated_mm


def top_mm(table: ExactTable, id_: str) -> float:
    """The height of its top above the table."""
    return ground_mm(table, id_) + body_mm(table, id_)


def draw_ruler(measured: Measured, a: Place, b: Place, *, is_met: bool | None) -> Witness:
    """The segment that was measured."""
    role = "limit" if is_met is None else "clear" if is_met else "blocked"
    named = tuple(place for place in (a, b) if isinstance(place, str))
    points = (measured.between.at_a, measured.between.at_b)
    return Witness.model_validate({"type": "segment", "role": role, "points_mm": points, "of": named})
