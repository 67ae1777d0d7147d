"""The shapes and sizes of bases on sale, and their outlines."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration.arrays import Floats
from vision.training.synthetic.solid import rotate

Kind = Literal["round", "oval", "rect"]

ROUNDS = (25, 28.5, 30, 32, 40, 50, 60, 65, 80, 100, 120)
OVALS = ((60, 35), (75, 42), (90, 52), (105, 70), (120, 92))
RECTS = (
    (20, 20), (25, 25), (30, 30), (40, 40), (50, 50), (25, 50), (30, 60), (50, 75), (50, 100), (60, 100), (100, 150),
)  # fmt: skip


@dataclass(frozen=True)
class Footprint:
    """A base's kind and size; `depth_mm` lies along its facing."""

    kind: Kind
    width_mm: float
    depth_mm: float

    @property
    def reach_mm(self) -> float:
        """From the centre to the farthest point."""
        return max(self.width_mm, self.depth_mm) / 2 if self.kind != "rect" else self.half_diagonal_mm

    @property
    def half_diagonal_mm(self) -> float:
        return float(np.hypot(self.width_mm, self.depth_mm)) / 2

    @property
    def small_mm(self) -> float:
        return min(self.width_mm, self.depth_mm)

    def outline(self, inset_mm: float, *, turn_rad: float) -> Floats:
        """The outline round the origin, drawn in by `inset_mm` on every side."""
        half = np.array([self.depth_mm / 2 - inset_mm, self.width_mm / 2 - inset_mm])
        if self.kind == "rect":
            return rotate(np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * half, turn_rad)
        angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        return rotate(np.column_stack([np.cos(angle), np.sin(angle)]) * half, turn_rad)


def any_footprint(random: np.random.Generator) -> Footprint:
    """Mostly the common round sizes, of the others enough to learn them."""
    pick = random.random()
    if pick < 0.62:
        common = (30, 40, 50) if random.random() < 0.5 else ROUNDS
        size = float(common[random.integers(len(common))])
        return Footprint("round", size, size)
    if pick < 0.76:
        depth, width = OVALS[random.integers(len(OVALS))]
        return Footprint("oval", *((width, depth) if random.random() < 0.7 else (depth, width)))
    width, depth = RECTS[random.integers(len(RECTS))]
    return Footprint("rect", width, depth)
