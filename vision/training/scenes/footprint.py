"""Footprints of bases on sale, and their outlines. The facing of a base is its +x."""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Reals
from vision.detection.network.channels import KINDS, SIZES

Random = np.random.Generator
_COMMON = {"round": (25, 28.5, 30, 32, 40, 50, 60), "rect": (20, 25, 30, 40, 50)}


@dataclass(frozen=True)
class Footprint:
    """A base's kind and size; `depth_mm` lies along its facing."""

    kind: str
    width_mm: float
    depth_mm: float

    @property
    def reach_mm(self) -> float:
        """From the centre to the farthest point."""
        return (
            max(self.width_mm, self.depth_mm) / 2
            if self.kind != "rect"
            else float(np.hypot(self.width_mm, self.depth_mm)) / 2
        )

    @property
    def size_class(self) -> int:
        """Its number in SIZES, -1 where nobody sells it."""
        long, short = max(self.width_mm, self.depth_mm), min(self.width_mm, self.depth_mm)
        return SIZES.index((self.kind, long, short)) if (self.kind, long, short) in SIZES else -1

    def outline(self, count: int = 56) -> Reals:
        """Its rim about the origin, anticlockwise, (count, 2) mm; a rectangle's corners are a little round."""
        angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
        circle = np.column_stack([np.cos(angle), np.sin(angle)])
        half = np.array([self.depth_mm, self.width_mm]) / 2
        if self.kind != "rect":
            return np.asarray(circle * half, np.float32)
        side = count // 4
        corners = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
        points = []
        for k in range(4):
            start, end = corners[k - 1] * half, corners[k] * half
            points += [start + (end - start) * share for share in (np.arange(side) + 0.5) / side * 0.985 + 0.0075]
        return np.asarray(points, np.float32)


def any_footprint(random: Random, *, kind: str | None = None, with_rectangles: bool = True) -> Footprint:
    """Common sizes on most tables, every size on sale on some, and now and then one that nobody sells."""
    kind = kind or str(random.choice(KINDS, p=(0.55, 0.15, 0.3) if with_rectangles else (0.75, 0.25, 0.0)))
    if kind in _COMMON and random.random() < 0.5:
        size = float(random.choice(_COMMON[kind]))
        return Footprint(kind, size, size)
    sizes = [(long, short) for name, long, short in SIZES if name == kind]
    weights = 1 / np.array([long for long, _ in sizes])
    long, short = sizes[int(random.choice(len(sizes), p=weights / weights.sum()))]
    if random.random() < 0.06:
        scale = random.uniform(0.93, 1.08)
        long, short = round(long * scale, 1), round(short * scale, 1)
    return Footprint(kind, short, long) if random.random() < 0.75 else Footprint(kind, long, short)
