"""What the choice between bases and look-alikes rests on: fits on own tables, and the weights that tell them apart.

Tables are drawn from the seed, so the same command prints the same figures; beside them stand those of a folder that
`python -m vision.training.blender` rendered, which share nothing with what the network learnt from.
Every candidate is fitted; fits of the right size on a base are bases, fits on bare ground and clutter are none, all
others are left out. Logistic regression weighs the traits, of the rim alone and with what the network thinks; each
eighth of the tables is judged by weights from the others. `vision/selection/log_odds.py` holds the weights
of a run on 260 drawn tables; its limits were chosen on 220 others (seeds 61000 and 62000), where 40 of 925 bases are
lost and 17 fits on none kept.

    python -m benchmarks.detection.fit_selection_weights [--tables 72] [--seed 51000] [--rendered FOLDER]
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.detection.photographic_scenes import drawn_tables
from benchmarks.detection.synthetic_tables import SIZES, sides_of
from benchmarks.harness import run
from calibration.arrays import Floats, Image
from models.base import Catalogue, OvalBase, RectBase, RoundBase, catalogue_of
from models.camera import Camera, CameraPose
from models.layout import Layout
from models.vocabulary import Point
from vision.detection.network.finder import NetworkFinder
from vision.measurement.base_fit import BaseFit, fit_base
from vision.selection.log_odds import fused_features, rim_features
from vision.training.annotated_tables import tables_in
from vision.training.scenes.assets import pictures_in
from vision.training.synthetic.solid import Footprint
from vision.training.synthetic.table import base_of, drawn_table

FOLDS = 8
PHOTOGRAPHIC_MM = 480.0
IN_PLAY = tuple(Footprint("round", d, d) for d in (30.0, 40.0, 50.0, 120.0))
OFTEN = tuple(Footprint("round", d, d) for d in (30.0,) * 4 + (40.0,) * 3 + (50.0,) * 2 + (120.0,))
PLAY = Catalogue(bases=tuple(RoundBase(diameter_mm=one.width_mm) for one in IN_PLAY))
ROUNDS = Catalogue(bases=tuple(base for base in SIZES.bases if isinstance(base, RoundBase)))
EVERY = tuple(Footprint(base.shape, *reversed(sides_of(base))) for base in SIZES.bases)


@dataclass(frozen=True)
class Truth:
    """A base that stands on an own table."""

    base: RoundBase | OvalBase | RectBase
    at_mm: Point

    @property
    def reach_mm(self) -> float:
        """From its centre to the farthest point."""
        long = sides_of(self.base)[1]
        return math.hypot(self.base.width_mm, self.base.depth_mm) / 2 if isinstance(self.base, RectBase) else long / 2


@dataclass(frozen=True)
class Scene:
    """A picture of an own table, what stands there, and the sizes in play."""

    picture: Image
    camera: Camera
    pose: CameraPose
    layout: Layout
    truths: tuple[Truth, ...]
    sizes: Catalogue


@dataclass(frozen=True)
class Example:
    """A fit's traits, of its rim and with the network's opinion, and the base that it is of: None for none."""

    table: int
    rim: tuple[float, ...]
    advised: tuple[float, ...]
    base: int | None


def main(tables: int = 72, seed: int = 51000, rendered: Path | None = None, photographs: Path | None = None) -> None:
    scenes = [draw_scene(seed, number) for number in range(tables)]
    scenes += read_rendered(rendered) if rendered else []
    scenes += photographic_scenes(seed, tables, photographs) if photographs else []
    examples = [one for number, scene in enumerate(scenes) for one in examples_of(scene, number)]
    bases = len({(one.table, one.base) for one in examples if one.base is not None})
    print(f"{len(scenes)} tables, {bases} bases, {sum(one.base is None for one in examples)} fits on none")
    print_selection("the rim alone", examples, lambda one: one.rim)
    print_selection("with the network", examples, lambda one: one.advised)


def print_selection(name: str, examples: list[Example], traits_in: Callable[[Example], tuple[float, ...]]) -> None:
    """Prints what each limit loses and keeps, and the weights from all examples."""
    traits = np.array([traits_in(one) for one in examples])
    is_base = np.array([one.base is not None for one in examples], np.float64)
    count = weights_of(examples)
    odds = cross_validated_odds(traits, is_base, count, tables=np.array([one.table for one in examples]))
    print(name)
    for least in (-3.0, -2.0, -1.7, -1.0, 0.0, 1.0, 2.0):
        lost = float(count[(is_base > 0) & (odds < least)].sum())
        kept = int(((is_base == 0) & (odds >= least)).sum())
        print(f"    odds above {least:4.1f}: {lost:5.1f} bases lost, {kept} fits on none kept")
    print("    weights", np.round(fit_logistic(traits, is_base, count), 2).tolist())


def cross_validated_odds(traits: Floats, is_base: Floats, count: Floats, *, tables: NDArray[np.int_]) -> Floats:
    """The log odds of each example by weights from other tables."""
    odds, folds = np.zeros(len(traits)), tables % FOLDS
    for fold in range(FOLDS):
        others = folds != fold
        weights = fit_logistic(traits[others], is_base[others], count[others])
        odds[~others] = traits[~others] @ weights[:-1] + weights[-1]
    return odds


def draw_scene(seed: int, number: int) -> Scene:
    """Mostly the sizes of one game; every fourth table holds all rounds and other shapes, some hold ovals."""
    fine = float(np.random.default_rng([seed, number, 7]).uniform(0.7, 2.0))
    sizes, shapes = (SIZES, EVERY) if number % 16 == 8 else (ROUNDS, ()) if number % 4 == 0 else (PLAY, OFTEN)
    table = drawn_table(seed, number, px_per_mm=fine, ranked=0.1, shapes=shapes)
    truths = tuple(Truth(base_of(one), one.at) for one in table.bases)
    return Scene(table.picture, table.camera, table.pose, table.layout, truths, sizes)


def photographic_scenes(seed: int, count: int, photographs: Path) -> list[Scene]:
    """Tables of the dense network's generator on mats of these photographs, every size on sale in play."""
    return [
        Scene(
            one.picture, one.camera, one.pose, one.layout,
            tuple(Truth(base.base, base.at_mm) for base in one.bases), catalogue_of(),
        )
        for one in drawn_tables(seed, count, pictures_in(photographs), side_mm=PHOTOGRAPHIC_MM)
    ]  # fmt: skip


def read_rendered(folder: Path) -> list[Scene]:
    """The tables of the folder, the sizes of one game in play."""
    return [
        Scene(
            one.image, one.camera, one.pose, one.layout,
            tuple(Truth(mini.base, mini.at_mm) for mini in one.state.miniatures), PLAY,
        )
        for one in tables_in(folder)
    ]  # fmt: skip


def examples_of(table: Scene, number: int) -> Iterator[Example]:
    for one in NetworkFinder(table.sizes, table.layout).find(table.picture, camera=table.camera, pose=table.pose):
        if isinstance(one.base, RectBase):
            continue
        fit = fit_base(
            table.picture, start_mm=one.at_mm, base=one.base, ground=one.ground, camera=table.camera, pose=table.pose,
            turn_rad=one.turn_rad,
        )  # fmt: skip
        if fit is not None and one.network_score is not None and not _is_unclear(fit, table):
            yield Example(number, rim_features(fit), fused_features(fit, one.network_score), _base_under(fit, table))


def _base_under(fit: BaseFit, table: Scene) -> int | None:
    for k, one in enumerate(table.truths):
        is_same = one.base.shape == fit.base.shape and sides_of(one.base) == sides_of(fit.base)
        if is_same and math.dist(one.at_mm, fit.at_mm) < 3.0:
            return k
    return None


def _is_unclear(fit: BaseFit, table: Scene) -> bool:
    """Whether it lies on a base and is not a fit of it: that is for the choice among overlapping fits."""
    if _base_under(fit, table) is not None:
        return False
    return any(math.dist(one.at_mm, fit.at_mm) < one.reach_mm + fit.size_mm / 2 - 2 for one in table.truths)


def weights_of(examples: list[Example]) -> Floats:
    """Each base counts once, however many candidates led to it."""
    often: dict[tuple[int, int], int] = {}
    for one in examples:
        if one.base is not None:
            often[one.table, one.base] = often.get((one.table, one.base), 0) + 1
    return np.array([1 / often[one.table, one.base] if one.base is not None else 1.0 for one in examples])


def fit_logistic(traits: Floats, is_base: Floats, count: Floats) -> Floats:
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
    run(main)
