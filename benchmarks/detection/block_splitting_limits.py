"""When bases of a block are several smaller ones: what the limits of `vision/ranked/block_splitting.py` rest on.

Units are drawn of bases of any size, crisp and soft, with rims from narrow down to none. Over the block that explains
most of each, smaller bases are laid. It counts, of blocks of the right size, those that would be parted (to leave
alone), and of blocks of another size those that would be read as what they are, by how clear all lines between the
smaller bases must be.

    python -m benchmarks.detection.block_splitting_limits [--tables 400] [--seed 9000]
"""

from dataclasses import replace

import numpy as np

from benchmarks.detection.ranked_units import PLAY, SIZES, draw_look
from benchmarks.harness import run
from calibration.arrays import Image
from models.base import RectBase
from tests.vision import regiments
from tests.vision.regiments import TABLE_MM, Look, Stood
from vision.ranked.block import patch_around
from vision.ranked.block_splitting import Seam, are_clear, overlay_smaller_bases
from vision.ranked.lattice_search import Lattice, best_block, oriented_sizes
from vision.ranked.line_evidence import detect_lines
from vision.ranked.surface_search import UPRIGHT_PX_PER_MM
from vision.rectification.rectify import rectification_maps, rectify
from vision.rectification.search_windows import HALF_RIM_MM

Ways = list[tuple[Lattice, tuple[Seam, ...]]]

_SIZES = oriented_sizes([base for base in PLAY.bases if isinstance(base, RectBase)])
_CLARITY = (0.0, 0.4, 0.8, 1.2, 1.6, 2.0, 3.0)
_MARGIN_MM, _WITHIN_MM = 168.0, 36.0
_MOST_MM = 180.0


def main(tables: int = 400, seed: int = 9000) -> None:
    right: list[tuple[list[Stood], Ways]] = []
    wrong: list[tuple[list[Stood], Ways]] = []
    for number in range(tables):
        unit, block, ways = _draw_table(np.random.default_rng([seed, number]), number)
        if block is not None:
            (right if _is_size_of(block, unit) else wrong).append((unit, ways))
    print(f"the size that explains most: {len(right)} times it is right, {len(wrong)} times it is not")
    print("where all lines between smaller bases are so clear, of the former are parted, of the latter mended:")
    for clarity in _CLARITY:
        parted = sum(_best_lattice(ways, clarity) is not None for _, ways in right)
        mended = sum(
            (best := _best_lattice(ways, clarity)) is not None and _is_size_of(best, unit) for unit, ways in wrong
        )
        print(f"{clarity:5.1f}{parted:8d}{mended:8d}")


def _best_lattice(ways: Ways, clarity: float) -> Lattice | None:
    found = [one for one, seams in ways if are_clear(seams, clarity=clarity)]
    return max(found, key=lambda one: len(one.cells), default=None)


def _is_size_of(block: Lattice, unit: list[Stood]) -> bool:
    return sorted((block.size.wide_mm, block.size.tall_mm)) == sorted(unit[0].sides_mm)


def _draw_table(random: np.random.Generator, number: int) -> tuple[list[Stood], Lattice | None, Ways]:
    """A unit, the block that explains most of it, and what is laid over that."""
    unit = _draw_unit(random)
    look = replace(
        draw_look(random), blur_px=float(random.uniform(0.5, 1.8)), lip_mm=float(random.uniform(0.0, 0.4)),
        inset_mm=float(random.uniform(0.1, 0.5)),
    )  # fmt: skip
    picture = _rectify_unit(unit, look, number)
    lines = detect_lines(picture, px_per_mm=UPRIGHT_PX_PER_MM)
    block = best_block(lines, _SIZES, within_mm=_WITHIN_MM)
    return unit, block, list(overlay_smaller_bases(picture, lines, block, _SIZES)) if block is not None else []


def _draw_unit(random: np.random.Generator) -> list[Stood]:
    width, depth = SIZES[random.integers(len(SIZES))]
    files, ranks = (int(random.integers(1, int(_MOST_MM // side) + 1)) for side in (width, depth))
    return regiments.regiment(
        (TABLE_MM[0] / 2, TABLE_MM[1] / 2), float(random.uniform(-180, 180)), ranks=ranks, files=files,
        sides_mm=(width, depth), gap_mm=float(random.choice([0.0, 0.3, 0.6, 1.0])),
        jitter_mm=float(random.uniform(0, 0.3)), is_marked=random.random() < 0.5, seed=int(random.integers(1 << 30)),
    )  # fmt: skip


def _rectify_unit(unit: list[Stood], look: Look, number: int) -> Image:
    """The unit's picture, turned as it stands."""
    at_mm = np.array([TABLE_MM]) / 2
    turn = np.radians(unit[0].facing_deg)
    patch = patch_around(at_mm, turn_rad=turn, margin_mm=_MARGIN_MM, px_per_mm=UPRIGHT_PX_PER_MM)
    maps = rectification_maps(patch, camera=regiments.camera(look), pose=regiments.pose(look), z_mm=HALF_RIM_MM)
    return rectify(regiments.photograph(unit, look, seed=number), maps)


if __name__ == "__main__":
    run(main)
