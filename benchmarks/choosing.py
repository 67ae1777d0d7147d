"""What the choice between bases and look-alikes rests on: fits on drawn tables, and the weights that tell them apart.

Tables are drawn from the seed, so the same command prints the same figures. Every candidate of the classical finder is
fitted; fits of the right size on a base are bases, fits on bare ground and clutter are none, all others are left out.
Logistic regression weighs the traits; each fifth of the tables is judged by weights from the others. The weights
printed last are those of `vision/selecting.py`.

    python -m benchmarks.choosing [--tables 75] [--seed 6000]
"""

import argparse
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.drawn import SIZES, sides_of
from models.base import Catalogue, RoundBase, catalogue_of
from vision.detector.training.drawn.table import DrawnTable, base_of, drawn_table
from vision.fit import RimFit, fit_rim
from vision.locating import every_finder
from vision.selecting import traits_weighed

Floats = NDArray[np.float64]

FOLDS = 5
PLAY = catalogue_of(("warmachine-prime",))
ROUNDS = Catalogue(bases=tuple(base for base in SIZES.bases if isinstance(base, RoundBase)))


@dataclass(frozen=True)
class Example:
    """A fit's traits, and the base that it is of: None for none."""

    table: int
    traits: tuple[float, ...]
    base: int | None


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.choosing")
    parser.add_argument("--tables", type=int, default=75)
    parser.add_argument("--seed", type=int, default=6000)
    said = parser.parse_args()
    examples = [one for number in range(said.tables) for one in examples_of(said.seed, number)]
    traits = np.array([one.traits for one in examples])
    is_base = np.array([one.base is not None for one in examples], np.float64)
    count = weights_of(examples)
    odds = np.zeros(len(examples))
    folds = np.array([one.table % FOLDS for one in examples])
    for fold in range(FOLDS):
        others = folds != fold
        weights = fitted(traits[others], is_base[others], count[others])
        odds[~others] = traits[~others] @ weights[:-1] + weights[-1]
    bases = float(count[is_base > 0].sum())
    print(f"{said.tables} tables, {bases:.0f} bases, {int((is_base == 0).sum())} fits on none")
    for least in (-3.0, -2.0, -1.7, -1.0, 0.0):
        lost = float(count[(is_base > 0) & (odds < least)].sum())
        kept = int(((is_base == 0) & (odds >= least)).sum())
        print(f"odds above {least:4.1f}: {lost:5.1f} bases lost, {kept} fits on none kept")
    print("weights", np.round(fitted(traits, is_base, count), 2).tolist())


def examples_of(seed: int, number: int) -> list[Example]:
    fine = float(np.random.default_rng([seed, number, 7]).uniform(0.7, 2.0))
    table = drawn_table(seed, number, px_per_mm=fine, ranked=0.0)
    sizes = SIZES if number % 12 == 5 else (PLAY, ROUNDS)[number % 2]
    found = []
    for one in every_finder(sizes, table.layout).find(table.picture, camera=table.camera, pose=table.pose):
        fit = fit_rim(
            table.picture, start_mm=one.at_mm, base=one.base, ground=one.ground, camera=table.camera, pose=table.pose,
            turn_rad=one.turn_rad,
        )  # fmt: skip
        if fit is not None and not _is_unclear(fit, table):
            found.append(Example(number, traits_weighed(fit), _base_under(fit, table)))
    return found


def _base_under(fit: RimFit, table: DrawnTable) -> int | None:
    for k, one in enumerate(table.bases):
        is_same = one.shape.kind == fit.base.shape and sides_of(base_of(one)) == sides_of(fit.base)
        if is_same and math.dist(one.at, fit.at_mm) < 3.0:
            return k
    return None


def _is_unclear(fit: RimFit, table: DrawnTable) -> bool:
    """Whether it lies on a base and is not a fit of it: that is for the choice among overlapping fits."""
    if _base_under(fit, table) is not None:
        return False
    return any(math.dist(one.at, fit.at_mm) < one.shape.reach_mm + fit.size_mm / 2 - 2 for one in table.bases)


def weights_of(examples: list[Example]) -> Floats:
    """Each base counts once, however many candidates led to it."""
    often: dict[tuple[int, int], int] = {}
    for one in examples:
        if one.base is not None:
            often[one.table, one.base] = often.get((one.table, one.base), 0) + 1
    return np.array([1 / often[one.table, one.base] if one.base is not None else 1.0 for one in examples])


def fitted(traits: Floats, is_base: Floats, count: Floats) -> Floats:
    """Weights and offset of the log odds; standardised traits are held weakly to nothing."""
    middle, spread = traits.mean(axis=0), traits.std(axis=0) + 1e-9
    rows = np.column_stack([(traits - middle) / spread, np.ones(len(traits))])
    held = np.diag([1.0] * traits.shape[1] + [1e-6])
    weights = np.zeros(rows.shape[1])
    for _ in range(60):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (count * (is_base - chance)) - held @ weights
        curve = (rows * (count * chance * (1 - chance))[:, None]).T @ rows + held
        weights += np.clip(np.linalg.solve(curve, slope), -3, 3)
    plain = weights[:-1] / spread
    return np.append(plain, weights[-1] - plain @ middle)


if __name__ == "__main__":
    main()
