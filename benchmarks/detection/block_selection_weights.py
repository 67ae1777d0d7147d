"""What the choice between blocks of rectangular bases and what looks like them rests on: the weights of
`vision/ranked/ranked_units.py`, alone and with the network's opinion.

Blocks are those that are found on drawn tables: of the generator from which the network learnt, of the regiments of
`benchmarks.detection.ranked_units`, and, where a folder is named, on those that `python -m
vision.training.blender` rendered. A block whose members are bases of its size is right, one that
touches no base is wrong, all others are left out. Each eighth of the tables is judged by weights from the others.

    python -m benchmarks.detection.block_selection_weights [--tables 60] [--seed 61000] [--rendered FOLDER]
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.detection import ranked_units
from benchmarks.detection.fit_selection_weights import Scene, Truth, cross_validated_odds, fit_logistic, read_rendered
from benchmarks.detection.synthetic_tables import SIZES, sides_of
from benchmarks.harness import run
from calibration.view import View
from models.base import Catalogue, RectBase
from tests.vision import regiments
from vision.detection.network.finder import NetworkFinder
from vision.ranked.block import PlacedRect
from vision.ranked.block_finder import BlockFinder
from vision.ranked.ranked_units import block_features, busyness, fit_occupied_block
from vision.training.synthetic.solid import RECTS, ROUNDS, Footprint
from vision.training.synthetic.table import base_of, drawn_table

EVERY_SIZE = Catalogue(bases=(*SIZES.bases, *(RectBase(width_mm=w, depth_mm=d) for w, d in (*RECTS, (60, 60)))))
_SHAPES = (*(Footprint("rect", w, d) for w, d in RECTS), *(Footprint("round", d, d) for d in ROUNDS))
_MOST_COUNT = 4  # members that speak, each for itself
_NEAR = 0.2  # of its shorter side: so near is the base itself


@dataclass(frozen=True)
class Example:
    """A block's traits, whether it is one of bases, and how much it counts."""

    table: int
    traits: tuple[float, ...]
    is_right: bool
    counts: float


def main(tables: int = 60, seed: int = 61000, rendered: Path | None = None) -> None:
    examples = [
        one for number, table in enumerate(_tables(seed, tables, rendered)) for one in _examples_of(table, number)
    ]
    right = sum(one.is_right for one in examples)
    print(f"{right} blocks of bases, {len(examples) - right} of none")
    advice = len(examples[0].traits) - 2
    _print_selection("alone", [replace(one, traits=one.traits[:advice]) for one in examples])
    _print_selection("with the network", examples)


def _tables(seed: int, count: int, folder: Path | None) -> Iterator[Scene]:
    for number in range(count):
        fine = float(np.random.default_rng([seed, number, 7]).uniform(0.7, 2.0))
        table = drawn_table(seed, number, px_per_mm=fine, ranked=0.3, shapes=_SHAPES)
        truths = tuple(Truth(base_of(one), one.at) for one in table.bases)
        yield Scene(table.picture, table.camera, table.pose, table.layout, truths, EVERY_SIZE)
        yield _draw_regiments(seed, number)
    for one in read_rendered(folder) if folder else ():
        yield replace(one, sizes=EVERY_SIZE)


def _draw_regiments(seed: int, number: int) -> Scene:
    units, trays, look = ranked_units.draw_table(np.random.default_rng([seed, number]))
    stood = [one for unit in units for one in unit]
    picture = regiments.photograph(stood, look, seed=number, trays=trays)
    truths = tuple(
        Truth(RectBase(width_mm=one.sides_mm[0], depth_mm=one.sides_mm[1]), (one.at_mm[0], one.at_mm[1]))
        for one in stood
    )
    return Scene(picture, regiments.camera(look), regiments.pose(look), regiments.layout(), truths, EVERY_SIZE)


def _examples_of(table: Scene, number: int) -> Iterator[Example]:
    camera, pose = table.camera, table.pose
    view = View(camera, pose, table.layout)
    proposed = NetworkFinder(table.sizes, table.layout).find(table.picture, camera=camera, pose=pose)
    found = BlockFinder(table.sizes, table.layout).find(proposed)
    for block in found:
        right = [_is_base(one, table) for one in block.members]
        if any(right) != all(right) or (not any(right) and any(_touches(one, table) for one in block.members)):
            continue
        measured = fit_occupied_block(table.picture, block, view=view)
        busy, opinion = busyness(table.picture, block, view=view), measured.block.network_score
        advised = (opinion.p_base, opinion.p_other) if opinion is not None else (0.0, 0.0)
        traits = (*block_features(measured.block, busy, float(measured.rims.mean())), *advised)
        yield Example(number, traits, all(right), math.sqrt(min(len(block.members), _MOST_COUNT)))


def _is_base(one: PlacedRect, table: Scene) -> bool:
    near_mm = max(2.0, _NEAR * min(sides_of(one.base)))
    return any(
        truth.base.shape == "rect" and sides_of(truth.base) == sides_of(one.base)
        and math.dist(truth.at_mm, one.at_mm) < near_mm
        for truth in table.truths
    )  # fmt: skip


def _touches(one: PlacedRect, table: Scene) -> bool:
    """Whether it lies on a base that it is not: that is for the choice among blocks that overlap."""
    reach_mm = math.hypot(*sides_of(one.base)) / 2
    return any(math.dist(truth.at_mm, one.at_mm) < truth.reach_mm + reach_mm - 2 for truth in table.truths)


def _print_selection(name: str, examples: list[Example]) -> None:
    """Prints what each limit loses and keeps, and the weights from all examples."""
    traits, is_right = np.array([one.traits for one in examples]), np.array([one.is_right for one in examples], float)
    counts = np.array([one.counts for one in examples])
    odds = cross_validated_odds(traits, is_right, counts, tables=np.array([one.table for one in examples]))
    print(name)
    for least in (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0):
        lost = int(((is_right > 0) & (odds < least)).sum())
        kept = int(((is_right == 0) & (odds >= least)).sum())
        print(f"    odds above {least:4.1f}: {lost} blocks of bases lost, {kept} of none kept")
    print("    weights", np.round(fit_logistic(traits, is_right, counts), 2).tolist())


if __name__ == "__main__":
    run(main)
