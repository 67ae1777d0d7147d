"""When bases of a block are several smaller ones: what the limits of `vision/ranked/parting.py` rest on.

Units are drawn of bases that are so many smaller ones side by side, or of those smaller ones, crisp and soft, with rims
from narrow down to none. Of those blocks in which the larger size explains most, it counts those of which lines stand
out by more than each limit where the smaller ones meet: bases that are larger (to leave alone) and smaller (to part).

    python -m benchmarks.parting_blocks [--tables 400] [--seed 9000]
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks.ranks import PLAY, any_look
from models.base import RectBase
from tests.vision import regiments
from tests.vision.regiments import TABLE_MM, Look, Stood
from vision.ranked.finding import UPRIGHT_PX_PER_MM
from vision.ranked.lattice import Sums, best_block, sizes_of
from vision.ranked.lines import Lines, lines_of
from vision.ranked.parting import LEAST_MM, Between, between, times
from vision.ranked.patch import patch_around
from vision.rectify import straightened, window_maps
from vision.searching import HALF_RIM_MM

Sides = tuple[int, int]

# Each with so many of it, side by side and one behind the other, that make up a larger one.
_PARTED: tuple[tuple[Sides, Sides], ...] = (
    ((25, 25), (1, 2)), ((20, 20), (2, 2)), ((25, 25), (2, 2)), ((25, 50), (2, 1)), ((30, 30), (1, 2)),
    ((50, 50), (1, 2)), ((30, 30), (2, 2)),
)  # fmt: skip
_SIZES = sizes_of([base for base in PLAY.bases if isinstance(base, RectBase)])
_CLEAN = (-0.3, -0.2, -0.1, 0.0, 0.1)
_ABOVE = (0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
_MARGIN_MM, _WITHIN_MM = 60.0, 36.0
_MOST_MM = 180.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.parting_blocks")
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--seed", type=int, default=9000)
    said = parser.parse_args()
    found: dict[bool, list[tuple[Between, ...]]] = {True: [], False: []}
    for number in range(said.tables):
        for is_larger, lines in _table(np.random.default_rng([said.seed, number]), number):
            found[is_larger].append(lines)
    print(f"the larger size explains most: {len(found[True])} times it is right, {len(found[False])} times it is not")
    print("parted of either where lines are at least so clean (down) and so much cleaner than beside (across):")
    print("".join(f"{above:>12.2f}" for above in _ABOVE))
    for clean in _CLEAN:
        counts = [
            [sum(_parts(one, clean, above) for one in found[larger]) for larger in (True, False)] for above in _ABOVE
        ]
        print(f"{clean:5.2f}" + "".join(f"{right:6d} /{wrong:4d}" for right, wrong in counts))


def _parts(lines: tuple[Between, ...], clean: float, above: float) -> bool:
    return all(one.length_mm >= LEAST_MM and one.clean > clean and one.above > above for one in lines)


def _table(random: np.random.Generator, number: int) -> Iterator[tuple[bool, tuple[Between, ...]]]:
    """Whether the larger size is right, and what is seen where the smaller ones would meet, if it explains most."""
    small, (columns, rows) = _PARTED[number % len(_PARTED)]
    is_larger = random.random() < 0.5
    unit = _unit(random, small, (columns, rows), is_larger=is_larger)
    look = replace(
        any_look(random), blur_px=float(random.uniform(0.5, 1.8)), lip_mm=float(random.uniform(0.0, 0.4)),
        inset_mm=float(random.uniform(0.1, 0.5)),
    )  # fmt: skip
    lines = _upright(unit, look, number)
    block = best_block(lines, _SIZES, within_mm=_WITHIN_MM)
    sides = (columns * small[0], rows * small[1])
    if block is None or sorted((block.size.wide_mm, block.size.tall_mm)) != sorted(sides):
        return
    for size in _SIZES:
        if sorted((size.wide_mm, size.tall_mm)) == sorted(small) and (many := times(block.size, size)) != (0, 0):
            yield is_larger, tuple(between(Sums(lines), block, *many))
            return


def _unit(random: np.random.Generator, small: Sides, many: tuple[int, int], *, is_larger: bool) -> list[Stood]:
    """Of the larger bases, or of as many smaller ones as make them up."""
    large = small[0] * many[0], small[1] * many[1]
    files, ranks = (int(random.integers(1, max(2, int(_MOST_MM // side)) + 1)) for side in large)
    if not is_larger:
        files, ranks = files * many[0], ranks * many[1]
    return regiments.regiment(
        (TABLE_MM[0] / 2, TABLE_MM[1] / 2), float(random.uniform(-180, 180)), ranks=ranks, files=files,
        sides_mm=large if is_larger else small, gap_mm=float(random.choice([0.0, 0.3, 0.6, 1.0])),
        jitter_mm=float(random.uniform(0, 0.3)), is_marked=random.random() < 0.5, seed=int(random.integers(1 << 30)),
    )  # fmt: skip


def _upright(unit: list[Stood], look: Look, number: int) -> Lines:
    """The lines of the unit's picture, turned as it stands."""
    at_mm = np.array([one.at_mm for one in unit])
    turn = np.radians(unit[0].facing_deg)
    patch = patch_around(at_mm, turn_rad=turn, margin_mm=_MARGIN_MM, px_per_mm=UPRIGHT_PX_PER_MM)
    maps = window_maps(patch, camera=regiments.camera(look), pose=regiments.pose(look), z_mm=HALF_RIM_MM)
    picture = regiments.photograph(unit, look, seed=number)
    return lines_of(straightened(picture, maps), px_per_mm=patch.px_per_mm)


if __name__ == "__main__":
    main()
