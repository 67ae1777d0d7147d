"""What the clues to a block's front weigh, and how often they are right: `vision/ranked/ranked_units.py`.

Blocks are those found on the freshly drawn tables of `benchmarks.detection.ranked_units`, some softer or in haze; of
every fourth unit no front is painted. Each half of the tables is judged by weights from the other.

    python -m benchmarks.detection.front_edge_weights [--tables 240] [--seed 11]
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from benchmarks.detection import ranked_units
from benchmarks.harness import run
from calibration.arrays import Floats, Image
from calibration.view import View
from tests.vision import regiments
from tests.vision.regiments import Look, Stood
from vision.detection.network.finder import NetworkFinder
from vision.locate import measure_and_select
from vision.ranked.block_finder import BlockFinder
from vision.ranked.block_fit import FittedBlock
from vision.ranked.ranked_units import certain_front, front_features, measure_blocks
from vision.ranked.side_profiles import symmetry_turns

_PLAIN = 0.25  # of units, on which no front is painted
_BLURS_PX, _CONTRASTS = (0.0, 0.0, 0.6, 1.2), (1.0, 1.0, 0.75, 0.5)
_NEAR_MM = 6.0  # from where a base stands, that it is this one
_STEPS, _RIDGE = 40, 0.25
_LIMITS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.975, 0.99, 1.01)


@dataclass(frozen=True)
class Example:
    """The clues to each way that a block may face (ways, clues), and which is right."""

    table: int
    clues: Floats
    right: int
    is_lone: bool
    is_painted: bool


def main(tables: int = 240, seed: int = 11) -> None:
    examples = [one for number in range(tables) for one in _examples_of(seed, number)]
    halves = [[one for one in examples if one.table % 2 == odd] for odd in (0, 1)]
    weights = [fit_weights(half) for half in reversed(halves)]
    chances = [(one, _probabilities(by, one)) for by, half in zip(weights, halves, strict=True) for one in half]
    _print_accuracy("units", [one for one in chances if not one[0].is_lone and one[0].is_painted])
    _print_accuracy("lone", [one for one in chances if one[0].is_lone and one[0].is_painted])
    _print_accuracy("not painted", [one for one in chances if not one[0].is_painted])
    for low, high in pairwise(_LIMITS):
        some = [(one, p) for one, p in chances if low <= p.max() < high]
        print(f"    told with {low:.3f} to {high:.3f}: {len(some)}, right {_share_right(some):.3f}")
    print("weights", np.round(fit_weights(examples), 2).tolist())


def _examples_of(seed: int, number: int) -> Iterator[Example]:
    random = np.random.default_rng([seed, number, 5])
    units, trays, look = ranked_units.draw_table(np.random.default_rng([seed, number]))
    units = [[replace(one, is_marked=False) for one in unit] if random.random() < _PLAIN else unit for unit in units]
    softer, hazier = float(random.choice(_BLURS_PX)), float(random.choice(_CONTRASTS))
    look = replace(look, blur_px=math.hypot(look.blur_px, softer), contrast=hazier)
    stood = [one for unit in units for one in unit]
    for block in _find_blocks(regiments.photograph(stood, look, seed=number, trays=trays), look):
        if (right := _quarter(block, units)) is not None:
            way, is_painted = right
            is_lone = len(block.block.cells) == 1
            yield Example(
                number,
                front_features(block),
                symmetry_turns(block.block.members[0].base).index(way),
                is_lone,
                is_painted,
            )


def _find_blocks(picture: Image, look: Look) -> tuple[FittedBlock, ...]:
    camera, pose, layout = regiments.camera(look), regiments.pose(look), regiments.layout()
    proposed = NetworkFinder(ranked_units.PLAY, layout).find(picture, camera=camera, pose=pose)
    view = View(camera, pose, layout)
    bases = measure_and_select(picture, proposed, view=view)
    found = BlockFinder(ranked_units.PLAY, layout).find(proposed)
    return measure_blocks(picture, found, view=view, others=bases)


def _quarter(block: FittedBlock, units: Sequence[Sequence[Stood]]) -> tuple[int, bool] | None:
    """The way that most of its members face, and whether their unit is painted; None where none of its size stand."""
    base = block.block.members[0].base
    ways: Counter[tuple[int, bool]] = Counter()
    for at, turn in zip(block.at_mm.tolist(), block.turns_rad.tolist(), strict=True):
        for unit in units:
            for one in unit:
                is_it = math.dist(one.at_mm, at) < _NEAR_MM and one.sides_mm == (base.width_mm, base.depth_mm)
                way = round((math.radians(one.facing_deg) - turn) / (math.pi / 2)) % 4
                ways[way, any(other.is_marked for other in unit)] += is_it
    most = max(ways, key=lambda one: ways[one])
    return most if ways[most] and most[0] in symmetry_turns(base) else None


def fit_weights(examples: Sequence[Example]) -> Floats:
    """The weights by which the right ways are the likeliest, held weakly to nothing."""
    weights = np.zeros(examples[0].clues.shape[1])
    for _ in range(_STEPS):
        slope, curve = -_RIDGE * weights, _RIDGE * np.eye(len(weights))
        for one in examples:
            chances = _probabilities(weights, one)
            middle = chances @ one.clues
            slope += one.clues[one.right] - middle
            curve += (one.clues.T * chances) @ one.clues - np.outer(middle, middle)
        weights += np.clip(np.linalg.solve(curve, slope), -1, 1)
    return np.asarray(weights)


def _probabilities(weights: Floats, one: Example) -> Floats:
    odds = one.clues @ weights
    chances = np.exp(odds - odds.max())
    return np.asarray(chances / chances.sum())


def _print_accuracy(name: str, some: Sequence[tuple[Example, Floats]]) -> None:
    told = [(one, p) for one, p in some if certain_front(p) is not None]
    wrong = sum(int(p.argmax()) != one.right for one, p in told)
    print(
        f"{name}: {len(some)} blocks, told for sure {len(told)}, wrong {wrong};"
        f" likeliest right {_share_right(some):.3f}"
    )


def _share_right(some: Sequence[tuple[Example, Floats]]) -> float:
    return float(np.mean([int(p.argmax()) == one.right for one, p in some])) if some else math.nan


if __name__ == "__main__":
    run(main)
