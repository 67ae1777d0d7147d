"""Rectangular bases found, placed and doubted on freshly drawn tables, each with a unit in ranks: recall, size, centre
RMS, coverage of the 95 % ellipse, rank and file, by whether they stand in a block or alone.

The pictures are drawn from the seed, so the same command prints the same figures. Every size on sale is in play. Bases
whose whole outline is not on the table are left out.

    python -m benchmarks.ranks [--tables 60] [--seed 900]
"""

import argparse
import math
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from benchmarks.drawn import COVERS, FOUND_MM, SIZES
from models.base import Catalogue, RectBase
from models.miniature import Miniature
from vision.detector.training.drawn.arranging import Standing
from vision.detector.training.drawn.footprint import RECTS
from vision.detector.training.drawn.table import SIDE_MM, DrawnTable, drawn_table
from vision.locating import locate

ALL_SIZES = Catalogue(bases=(*SIZES.bases, *(RectBase(width_mm=w, depth_mm=d) for w, d in RECTS)))


@dataclass
class Tally:
    """What became of the rectangles of one kind."""

    truths: int = 0
    off_mm: list[float] = field(default_factory=list)
    square: list[float] = field(default_factory=list)
    placed: list[bool] = field(default_factory=list)
    faced: list[float] = field(default_factory=list)
    asked_facing: int = 0

    def told(self) -> str:
        found = len(self.off_mm)
        rms = math.sqrt(sum(off**2 for off in self.off_mm) / max(found, 1))
        cover = sum(one < COVERS for one in self.square) / max(found, 1)
        ranks = sum(self.placed) / max(len(self.placed), 1)
        right = sum(off < 20 for off in self.faced) / max(len(self.faced), 1)
        told = len(self.faced) / max(self.asked_facing, 1)
        recall = found / max(self.truths, 1)
        return f"{self.truths:7d}{recall:9.3f}{rms:9.2f}{cover:10.3f}{ranks:8.3f}{told:8.3f}{right:8.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ranks")
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seed", type=int, default=900)
    said = parser.parse_args()
    tallies: dict[str, Tally] = defaultdict(Tally)
    extra = 0
    for number in range(said.tables):
        fine = float(np.random.default_rng([said.seed, number]).uniform(1.1, 2.0))
        extra += scored(drawn_table(said.seed, number, px_per_mm=fine, ranked=1.0), tallies)
    print(f"{'':16s}{'bases':>7s}{'recall':>9s}{'RMS mm':>9s}{'coverage':>10s}{'ranks':>8s}{'faced':>8s}{'right':>8s}")
    for name in sorted(tallies):
        print(f"{name:16s}{tallies[name].told()}")
    print(f"rectangles told where none of that size stands: {extra}")


def scored(table: DrawnTable, tallies: dict[str, Tally]) -> int:
    """Adds the table's rectangles to the tallies; how many told ones belong to none."""
    state = locate(
        table.picture, camera=table.camera, pose=table.pose, layout=table.layout, catalogue=ALL_SIZES,
        edition="warhammer-9",
    )  # fmt: skip
    left = [one for one in state.miniatures if isinstance(one.base, RectBase)]
    truths = [one for one in table.bases if one.shape.kind == "rect"]
    pairs = [(one, _taken(one, left)) for one in truths]
    whole = _unit_of(pairs)
    for one, seen in pairs:
        if all(one.shape.reach_mm < at < SIDE_MM - one.shape.reach_mm for at in one.at):
            in_block = one.rank is not None
            _count(tallies["in a block" if in_block else "alone"], one, seen, whole if in_block else None)
    return len(left)


def _taken(one: Standing, left: list[Miniature]) -> Miniature | None:
    """The miniature told for this base, taken from those left."""
    near = [seen for seen in left if _sides(seen) == _shape(one) and math.dist(seen.at_mm, one.at) < FOUND_MM]
    best = min(near, key=lambda seen: math.dist(seen.at_mm, one.at), default=None)
    if best is not None:
        left.remove(best)
    return best


def _unit_of(pairs: list[tuple[Standing, Miniature | None]]) -> str | None:
    """The unit to which most members of the block were put."""
    units = [seen.unit for one, seen in pairs if one.rank is not None and seen is not None]
    return max(set(units), key=units.count) if units else None


def _count(tally: Tally, one: Standing, seen: Miniature | None, unit: str | None) -> None:
    tally.truths += 1
    if seen is None:
        return
    off = np.subtract(seen.at_mm, one.at)
    tally.off_mm.append(float(np.hypot(*off)))
    tally.square.append(float(off @ np.linalg.solve(np.array(seen.covariance()), off)))
    if one.look.marking != "none" or one.rank is not None:
        tally.asked_facing += 1
        if seen.facing_deg is not None:
            off_deg = (seen.facing_deg - math.degrees(one.turn_rad) + 180) % 360 - 180
            tally.faced.append(abs(off_deg))
    if unit is not None and seen.facing_deg is not None:
        tally.placed.append(seen.unit == unit and (seen.rank, seen.file) == (one.rank, one.file))


def _sides(seen: Miniature) -> tuple[float, float]:
    base = seen.base
    return (
        (min(base.width_mm, base.depth_mm), max(base.width_mm, base.depth_mm)) if isinstance(base, RectBase) else (0, 0)
    )


def _shape(one: Standing) -> tuple[float, float]:
    return one.shape.small_mm, max(one.shape.width_mm, one.shape.depth_mm)


if __name__ == "__main__":
    main()
