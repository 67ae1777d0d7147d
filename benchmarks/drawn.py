"""Bases found, placed and doubted on freshly drawn tables, by size: recall, centre RMS, coverage of the 95 % ellipse.

The pictures are drawn from the seed, so the same command prints the same figures. Every round and oval size on sale is
in play. Bases whose whole outline is not on the table are left out; rectangles are not looked for.

    python -m benchmarks.drawn [--tables 200] [--seed 900]
"""

import argparse
import math
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from models.base import Catalogue, OvalBase, RoundBase
from models.miniature import Miniature
from vision.detector.training.drawn.arranging import Standing
from vision.detector.training.drawn.footprint import OVALS, ROUNDS
from vision.detector.training.drawn.table import SIDE_MM, DrawnTable, base_of, drawn_table
from vision.locating import locate

FOUND_MM = 5.0
COVERS = 5.991  # chi square of two freedoms that 95 % stay below
SIZES = Catalogue(
    bases=tuple(RoundBase(diameter_mm=d) for d in ROUNDS) + tuple(OvalBase(width_mm=w, depth_mm=d) for d, w in OVALS)
)


@dataclass
class Tally:
    """What became of the bases of one size."""

    truths: int = 0
    off_mm: list[float] = field(default_factory=list)
    square: list[float] = field(default_factory=list)

    def told(self) -> str:
        found = len(self.off_mm)
        rms = math.sqrt(sum(off**2 for off in self.off_mm) / max(found, 1))
        cover = sum(one < COVERS for one in self.square) / max(found, 1)
        return f"{self.truths:7d}{found / max(self.truths, 1):9.3f}{rms:9.2f}{cover:10.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drawn")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=900)
    said = parser.parse_args()
    tallies: dict[str, Tally] = defaultdict(Tally)
    extra = 0
    for number in range(said.tables):
        fine = float(np.random.default_rng([said.seed, number]).uniform(1.3, 2.0))
        extra += scored(drawn_table(said.seed, number, px_per_mm=fine, ranked=0.0), tallies)
    print(f"{'':14s}{'bases':>7s}{'recall':>9s}{'RMS mm':>9s}{'coverage':>10s}")
    for name in sorted(tallies):
        print(f"{name:14s}{tallies[name].told()}")
    print(f"answers where no base of that size stands: {extra}")


def scored(table: DrawnTable, tallies: dict[str, Tally]) -> int:
    """Adds the table's bases to the tallies; how many answers belong to none."""
    state = locate(
        table.picture, camera=table.camera, pose=table.pose, layout=table.layout, catalogue=SIZES,
        edition="warmachine-prime",
    )  # fmt: skip
    left = list(state.miniatures)
    for one in (one for one in table.bases if one.shape.kind != "rect"):
        near = [
            seen for seen in left if sides_of(seen.base) == sides_of(base_of(one)) and _off_mm(seen, one) < FOUND_MM
        ]
        best = min(near, key=lambda seen: _off_mm(seen, one), default=None)
        if best is not None:
            left.remove(best)
        if all(one.shape.reach_mm < at < SIDE_MM - one.shape.reach_mm for at in one.at):
            sides = "x".join(f"{side:g}" for side in sorted(set(sides_of(base_of(one)))))
            for name in (f"{one.shape.kind} all", f"{one.shape.kind} {sides}"):
                _count(tallies[name], one, best)
    return len(left)


def _count(tally: Tally, one: Standing, seen: Miniature | None) -> None:
    tally.truths += 1
    if seen is not None:
        off = np.subtract(seen.at_mm, one.at)
        tally.off_mm.append(float(np.hypot(*off)))
        tally.square.append(float(off @ np.linalg.solve(np.array(seen.covariance()), off)))


def sides_of(base: object) -> tuple[float, float]:
    """The shorter and the longer side: which of them is the front is not seen."""
    if isinstance(base, OvalBase):
        return min(base.width_mm, base.depth_mm), max(base.width_mm, base.depth_mm)
    return (base.diameter_mm,) * 2 if isinstance(base, RoundBase) else (0.0, 0.0)


def _off_mm(seen: Miniature, one: Standing) -> float:
    return math.dist(seen.at_mm, one.at)


if __name__ == "__main__":
    main()
