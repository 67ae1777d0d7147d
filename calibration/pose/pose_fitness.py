"""Pose fitness: whether a picture shows the table's sides where a pose puts them, whatever way the pose came.

A pose in a file says nothing of the picture it is used with. Each side that the picture should show is looked for
about where it is expected; where none is seen there, and sides are in the picture turned upside down, it is that.
"""

import math
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Image
from calibration.pose.mat_sides import SIDES, Side, corners_mm, measure_side
from calibration.view import View
from models.errors import BadInput
from models.marks import SIDES as SIDE_NAMES

_REACH_MM, _LEAST_REACH_PX, _MOST_REACH_PX = 12.0, 8.0, 60.0  # that a side is looked for
_IN_SIGHT = 0.4  # of a side, from which it should be seen
_STEPS = 50
_FEWEST = 2  # sides from which it says something that none of them is seen
_MOST_OFF_MM = 8.0


@dataclass(frozen=True)
class PoseFitness:
    """Sides of the table that should be in sight, how far (mm) those that are seen lie beside where they should, and
    whether the picture lies upside down."""

    in_sight: int
    off_mm: dict[str, float]
    is_upside_down: bool = False

    def warnings(self) -> tuple[str, ...]:
        """What does not fit, with its number and what to do; nothing when all is well."""
        if self.in_sight >= _FEWEST and not self.off_mm:
            return (
                f"none of the table's {self.in_sight} sides in sight shows an edge where the pose puts it: is it this "
                "picture's pose, and the table's size right?",
            )
        far = {side: off for side, off in self.off_mm.items() if off > _MOST_OFF_MM}
        if not far:
            return ()
        named = ", ".join(f"the {side} side by {off:.0f} mm" for side, off in far.items())
        return (f"the table's edges lie beside where the pose puts them, {named}: mark its corners again",)


def judge_pose(image: Image, *, view: View) -> PoseFitness:
    """How well the picture's edges bear out the pose."""
    in_sight = [number for number in range(SIDES) if _is_in_sight(number, image, view)]
    seen = _seen_sides(image, in_sight, view)
    off_mm = {SIDE_NAMES[side.number]: _off_mm(side, view) for side in seen}
    is_turned = not seen and len(in_sight) >= _FEWEST
    turned = _seen_sides(np.ascontiguousarray(image[::-1, ::-1]), in_sight, view) if is_turned else []
    return PoseFitness(len(in_sight), off_mm, is_upside_down=len(turned) >= _FEWEST)


def check_pose(image: Image, *, view: View) -> tuple[str, ...]:
    """The warnings of the pose. Raises: BadInput where the picture lies upside down."""
    fitness = judge_pose(image, view=view)
    if fitness.is_upside_down:
        raise BadInput(
            "the picture lies upside down to its pose: the table's edges are where they should be once it is turned by "
            "180 degrees; turn it, or mark it anew",
            field="pose", value=None,
        )  # fmt: skip
    return fitness.warnings()


def _seen_sides(image: Image, numbers: list[int], view: View) -> list[Side]:
    sides = (measure_side(image, number, view=view, reach_px=_reach_px(number, view)) for number in numbers)
    return [side for side in sides if side is not None]


def _is_in_sight(number: int, image: Image, view: View) -> bool:
    start, end = corners_mm(view.table_mm)[[number, (number + 1) % SIDES]]
    seen = view.project(start + np.linspace(0.0, 1.0, _STEPS)[:, None] * (end - start))
    reach, (height, width) = _reach_px(number, view) + _LEAST_REACH_PX, image.shape[:2]
    inside = np.isfinite(seen).all(axis=1) & ((seen > reach) & (seen < np.array([width, height]) - reach)).all(axis=1)
    return float(inside.mean()) >= _IN_SIGHT


def _px_per_mm(number: int, view: View) -> float:
    """How large a millimetre is at the middle of a side."""
    middle = corners_mm(view.table_mm)[[number, (number + 1) % SIDES]].mean(axis=0, keepdims=True)
    return float(np.sqrt(abs(np.linalg.det(view.project_jacobian(middle)[0]))))


def _reach_px(number: int, view: View) -> float:
    scale = _px_per_mm(number, view)
    return float(np.clip(_REACH_MM * scale if math.isfinite(scale) else 0.0, _LEAST_REACH_PX, _MOST_REACH_PX))


def _off_mm(side: Side, view: View) -> float:
    return float(np.sqrt(np.mean(side.offset_px**2))) / max(_px_per_mm(side.number, view), 1e-6)
