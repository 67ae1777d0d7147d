"""When bases of a block are several smaller ones: what the limits of `vision/ranked/parting.py` rest on.

Units are drawn of bases of any size, crisp and soft, with rims from narrow down to none. Over the block that explains
most of each, smaller bases are laid. It counts, of blocks of the right size, those that would be parted (to leave
alone), and of blocks of another size those that would be read as what they are, by how clear all lines between the
smaller bases must be.

    python -m benchmarks.parting_blocks [--tables 400] [--seed 9000]
"""

import argparse
from dataclasses import replace

import numpy as np

from benchmarks.ranks import PLAY, SIZES, any_look
from models.base import RectBase
from tests.vision import regiments
from tests.vision.regiments import TABLE_MM, Look, Stood
from vision.candidates import Picture
from vision.ranked.finding import UPRIGHT_PX_PER_MM
from vision.ranked.lattice import Found, best_block, sizes_of
from vision.ranked.lines import lines_of
from vision.ranked.parting import Seam, are_clear, laid_over
from vision.ranked.patch import patch_around
from vision.rectify import straightened, window_maps
from vision.searching import HALF_RIM_MM

Ways = list[tuple[Found, tuple[Seam, ...]]]

_SIZES = sizes_of([base for base in PLAY.bases if isinstance(base, RectBase)])
_CLARITY = (0.0, 0.4, 0.8, 1.2, 1.6, 2.0, 3.0)
_MARGIN_MM, _WITHIN_MM = 168.0, 36.0
_MOST_MM = 180.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.parting_blocks")
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--seed", type=int, default=9000)
    said = parser.parse_args()
    right: list[tuple[list[Stood], Ways]] = []
    wrong: list[tuple[list[Stood], Ways]] = []
    for number in range(said.tables):
        unit, block, ways = _table(np.random.default_rng([said.seed, number]), number)
        if block is not None:
            (right if _is_of(block, unit) else wrong).append((unit, ways))
    print(f"the size that explains most: {len(right)} times it is right, {len(wrong)} times it is not")
    print("where all lines between smaller bases are so clear, of the former are parted, of the latter mended:")
    for clarity in _CLARITY:
        parted = sum(_best(ways, clarity) is not None for _, ways in right)
        mended = sum((best := _best(ways, clarity)) is not None and _is_of(best, unit) for unit, ways in wrong)
        print(f"{clarity:5.1f}{parted:8d}{mended:8d}")


def _best(ways: Ways, clarity: float) -> Found | None:
    found = [one for one, seams in ways if are_clear(seams, clarity=clarity)]
    return max(found, key=lambda one: len(one.cells), default=None)


def _is_of(block: Found, unit: list[Stood]) -> bool:
    return sorted((block.size.wide_mm, block.size.tall_mm)) == sorted(unit[0].sides_mm)


def _table(random: np.random.Generator, number: int) -> tuple[list[Stood], Found | None, Ways]:
    """A unit, the block that explains most of it, and what is laid over that."""
    unit = _unit(random)
    look = replace(
        any_look(random), blur_px=float(random.uniform(0.5, 1.8)), lip_mm=float(random.uniform(0.0, 0.4)),
        inset_mm=float(random.uniform(0.1, 0.5)),
    )  # fmt: skip
    picture = _upright(unit, look, number)
    lines = lines_of(picture, px_per_mm=UPRIGHT_PX_PER_MM)
    block = best_block(lines, _SIZES, within_mm=_WITHIN_MM)
    return unit, block, list(laid_over(picture, lines, block, _SIZES)) if block is not None else []


def _unit(random: np.random.Generator) -> list[Stood]:
    width, depth = SIZES[random.integers(len(SIZES))]
    files, ranks = (int(random.integers(1, int(_MOST_MM // side) + 1)) for side in (width, depth))
    return regiments.regiment(
        (TABLE_MM[0] / 2, TABLE_MM[1] / 2), float(random.uniform(-180, 180)), ranks=ranks, files=files,
        sides_mm=(width, depth), gap_mm=float(random.choice([0.0, 0.3, 0.6, 1.0])),
        jitter_mm=float(random.uniform(0, 0.3)), is_marked=random.random() < 0.5, seed=int(random.integers(1 << 30)),
    )  # fmt: skip


def _upright(unit: list[Stood], look: Look, number: int) -> Picture:
    """The unit's picture, turned as it stands."""
    at_mm = np.array([TABLE_MM]) / 2
    turn = np.radians(unit[0].facing_deg)
    patch = patch_around(at_mm, turn_rad=turn, margin_mm=_MARGIN_MM, px_per_mm=UPRIGHT_PX_PER_MM)
    maps = window_maps(patch, camera=regiments.camera(look), pose=regiments.pose(look), z_mm=HALF_RIM_MM)
    return straightened(regiments.photograph(unit, look, seed=number), maps)


if __name__ == "__main__":
    main()
