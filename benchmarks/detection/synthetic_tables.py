"""Bases found, placed and doubted on freshly drawn tables: recall, precision, centre RMS, coverage of the 95 % ellipse.

By shape and size, by the share of the rim that is hidden, by flock, and by whether a neighbour touches. Pictures are
drawn from the seed, so the same command prints the same figures. In play are the sizes that stand on a table, as
players name those of their armies; every fifth table holds ovals. Bases whose outline is not all on the table are left
out; rectangles are not looked for. `--done` keeps what is counted, so that a run cut off goes on from there.
Coarse pictures have less than a pixel a millimetre, as those of Full HD.

    python -m benchmarks.detection.synthetic_tables [--tables 200] [--seed 900] [--done FILE]
"""

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import keep_rows, read_rows, run
from calibration.view import View
from models.base import Catalogue, OvalBase, RectBase, RoundBase
from models.miniature import Miniature
from vision.locate import locate
from vision.training.synthetic.placement import Standing
from vision.training.synthetic.solid import OVALS, ROUNDS, Footprint
from vision.training.synthetic.table import SIDE_MM, DrawnTable, base_of, drawn_table

FOUND_MM = 5.0
COVERS = 5.991  # chi square of two freedoms that 95 % stay below
SIZES = Catalogue(
    bases=tuple(RoundBase(diameter_mm=d) for d in ROUNDS) + tuple(OvalBase(width_mm=w, depth_mm=d) for d, w in OVALS)
)
ROUND_SHAPES = tuple(Footprint("round", float(d), float(d)) for d in (*ROUNDS, *(d for d in ROUNDS if d <= 50)))
OVAL_SHAPES = tuple(Footprint("oval", *sides) for d, w in OVALS for sides in ((w, d), (d, w)))
MANY = (8, 24)
HIDDEN = ((0.0, 0.1), (0.1, 0.3), (0.3, 0.6), (0.6, 1.01))
FLOCKED = 4.0  # tufts per square centimetre
TOUCHING_MM = 1.0
FINE = (0.6, 2.0)  # pixels per millimetre: of Full HD over four feet to more than 4K over them
COARSE = 1.0


@dataclass(frozen=True)
class TrueBase:
    """A true base: how much of its rim is hidden, how far off it was found in mm, and squared, in its own ellipse."""

    shape: str
    sides: str
    hidden: float
    is_flocked: bool
    is_touching: bool
    px_per_mm: float
    off_mm: float | None = None
    square: float | None = None


@dataclass(frozen=True)
class TableScore:
    """What became of one table: its bases, the answers on nothing, and those misplaced or of another size on a base."""

    number: int
    bases: tuple[TrueBase, ...]
    extra: int
    wrong: int


@dataclass
class Tally:
    """What became of the bases of one group."""

    truths: int = 0
    off_mm: list[float] = field(default_factory=list)
    square: list[float] = field(default_factory=list)

    def count(self, one: TrueBase) -> None:
        self.truths += 1
        if one.off_mm is not None and one.square is not None:
            self.off_mm.append(one.off_mm)
            self.square.append(one.square)

    def format_row(self) -> str:
        found = len(self.off_mm)
        rms = math.sqrt(sum(off**2 for off in self.off_mm) / max(found, 1))
        median = float(np.median(self.off_mm)) if found else math.nan
        cover = sum(one < COVERS for one in self.square) / max(found, 1)
        return f"{self.truths:7d}{found / max(self.truths, 1):9.3f}{median:9.2f}{rms:9.2f}{cover:10.3f}"


def main(tables: int = 200, seed: int = 900, done: Path | None = None) -> None:
    print_groups(list(score_tables(seed, tables, done)))


def print_groups(tables: list[TableScore]) -> None:
    """Prints the groups."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for one in (one for table in tables for one in table.bases):
        for name in _groups(one):
            tallies[name].count(one)
    print(f"{'':18s}{'bases':>7s}{'recall':>9s}{'half mm':>9s}{'RMS mm':>9s}{'coverage':>10s}")
    for name in sorted(tallies):
        print(f"{name:18s}{tallies[name].format_row()}")
    found, extra = (
        sum(len(tallies[name].off_mm) for name in ("all round", "all oval")),
        sum(one.extra for one in tables),
    )
    wrong = sum(one.wrong for one in tables)
    print(f"answers on nothing: {extra}, misplaced or of another size: {wrong}")
    print(f"precision {found / max(found + extra, 1):.4f}, {found / max(found + extra + wrong, 1):.4f} with those")


def _groups(one: TrueBase) -> Iterator[str]:
    yield f"all {one.shape}"
    yield f"{one.shape} {one.sides}"
    low, high = next(share for share in HIDDEN if one.hidden < share[1])
    yield f"hidden {low:.0%} to {min(high, 1.0):.0%}"
    yield "flock" if one.is_flocked else "no flock"
    yield "touching" if one.is_touching else "apart"
    yield f"{one.shape}, {'coarse' if one.px_per_mm < COARSE else 'fine'}"


def score_tables(seed: int, tables: int, done: Path | None) -> Iterator[TableScore]:
    """Every table, those that the file knows first."""
    known = [_parse_score(row) for row in read_rows(done)]
    yield from known
    for number in range(len(known), tables):
        one = score_table(draw_table(seed, number), number)
        keep_rows(done, [asdict(one)])
        yield one


def _parse_score(row: dict[str, Any]) -> TableScore:
    return TableScore(row["number"], tuple(TrueBase(**base) for base in row["bases"]), row["extra"], row["wrong"])


def draw_table(seed: int, number: int) -> DrawnTable:
    fine = float(np.exp(np.random.default_rng([seed, number]).uniform(*np.log(FINE))))
    shapes = OVAL_SHAPES if number % 5 == 4 else ROUND_SHAPES
    return drawn_table(seed, number, px_per_mm=fine, ranked=0.0, shapes=shapes, wanted=MANY)


def score_table(table: DrawnTable, number: int) -> TableScore:
    """What is found of the table's bases, each answer counted once."""
    sizes = Catalogue(
        bases=tuple({sides_of(base_of(one)): base_of(one) for one in table.bases}.values()) or SIZES.bases
    )
    state = locate(
        table.picture, view=View(table.camera, table.pose, table.layout), catalogue=sizes,
        edition="warmachine-prime",
    )  # fmt: skip
    left, seen = list(state.miniatures), []
    for one, hidden in zip(table.bases, table.hidden, strict=True):
        near = [
            mini for mini in left if sides_of(mini.base) == sides_of(base_of(one)) and _off_mm(mini, one) < FOUND_MM
        ]
        best = min(near, key=lambda mini: _off_mm(mini, one), default=None)
        if best is not None:
            left.remove(best)
        if all(one.shape.reach_mm < at < SIDE_MM - one.shape.reach_mm for at in one.at):
            seen.append(_score_base(one, hidden, best, table))
    alone = [mini for mini in left if all(_off_mm(mini, one) > one.shape.reach_mm for one in table.bases)]
    return TableScore(number, tuple(seen), len(alone), len(left) - len(alone))


def _score_base(one: Standing, hidden: float, found: Miniature | None, table: DrawnTable) -> TrueBase:
    sides = "x".join(f"{side:g}" for side in sorted(set(sides_of(base_of(one)))))
    near = [math.dist(one.at, other.at) - one.shape.reach_mm - other.shape.reach_mm for other in table.bases]
    is_touching = sorted(near)[1:2] < [TOUCHING_MM] if len(near) > 1 else False  # the first is the base itself
    told = TrueBase(
        one.shape.kind, sides, hidden, bool(one.look.flock >= FLOCKED), bool(is_touching), _px_per_mm(table)
    )
    if found is None:
        return told
    off = np.subtract(found.at_mm, one.at)
    square = float(off @ np.linalg.solve(np.array(found.covariance()), off))
    return TrueBase(**(asdict(told) | {"off_mm": float(np.hypot(*off)), "square": square}))


def _px_per_mm(table: DrawnTable) -> float:
    return float(table.camera.K[0][0] / table.pose.centre_mm[2])


def sides_of(base: RoundBase | OvalBase | RectBase) -> tuple[float, float]:
    """The shorter and the longer side: which of them is the front is not seen."""
    if isinstance(base, RoundBase):
        return (base.diameter_mm,) * 2
    return min(base.width_mm, base.depth_mm), max(base.width_mm, base.depth_mm)


def _off_mm(seen: Miniature, one: Standing) -> float:
    return math.dist(seen.at_mm, one.at)


if __name__ == "__main__":
    run(main)
