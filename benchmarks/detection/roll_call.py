"""Roll call: a simulated player completes tables whose truth is known: taps, and what stands in the state at the end.

    python -m benchmarks.detection.roll_call --tables FOLDER ...                # as `python -m vision.training` reads
    python -m benchmarks.detection.roll_call --photographs FOLDER --drawn 12    # drawn tables, photographic mats

The player looks at what was detected. Where a base is missing he taps its middle, a finger's error off (4 mm, one sigma
per axis, and a twenty-fifth of its size); where none stands he says so. Where the outline that he is shown then has
another size, or lies a fifth of the size off, he puts it right in the loupe, 1.5 mm off, and chooses the size. RMS is
per axis, of those that were measured; error over sigma of all. Bases partly off the table or of a size that nobody
sells are not asked for.
"""

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.detection.photographic_scenes import DrawnTable, drawn_tables
from benchmarks.detection.photographic_tables import SIDE_MM
from benchmarks.detection.synthetic_tables import sides_of
from calibration.arrays import Image
from calibration.view import View
from models.base import Base, catalogue_of
from models.hint import FINGER_MM, LOUPE_MM, Hint
from models.miniature import Miniature
from models.vocabulary import Point
from vision.locate import locate
from vision.training.annotated_tables import tables_in
from vision.training.scenes.assets import pictures_in

_FOUND_MM, _SHARE = 5.0, 0.2
_SIZE_SIGMA = 0.04
_CATALOGUE = catalogue_of()
_ON_SALE = {(base.shape, *sides_of(base)) for base in _CATALOGUE.bases}


@dataclass(frozen=True)
class KnownScene:
    """A picture, how it was taken, and what stands there: base, place, and whether it is asked for."""

    image: Image
    view: View
    bases: tuple[tuple[Base, Point, bool], ...]


@dataclass
class Tally:
    """What became of the bases of some tables."""

    asked: int = 0
    in_state: int = 0
    found: int = 0
    right_size: int = 0
    by_hand: int = 0
    taps: list[float] = field(default_factory=list)  # for each base of a table
    off_mm: list[float] = field(default_factory=list)  # per axis, of the measured
    normed: list[float] = field(default_factory=list)  # in sigmas
    seconds: list[float] = field(default_factory=list)

    def add(self, scene: KnownScene, told: Sequence[Miniature]) -> None:
        pairs, extra = match(scene, told)
        self.asked += sum(is_asked for _, _, is_asked in scene.bases)
        self.in_state += len(extra)
        for (base, at, is_asked), miniature in pairs:
            if is_asked:
                self._note(base, at, miniature)

    def _note(self, base: Base, at: Point, miniature: Miniature) -> None:
        off = np.subtract(miniature.at_mm, at)
        self.found += 1
        self.in_state += 1
        self.right_size += is_size(miniature.base, base)
        self.by_hand += miniature.placement == "by-hand"
        if miniature.placement != "by-hand":
            self.off_mm += off.tolist()
        self.normed.append(float(off @ np.linalg.solve(np.array(miniature.covariance()), off)) / 2)

    def row(self) -> str:
        rms = math.sqrt(float(np.mean(np.square(self.off_mm)))) if self.off_mm else math.nan
        over = math.sqrt(float(np.mean(self.normed))) if self.normed else math.nan
        return (
            f"{self.asked:6d}{self.found / max(self.asked, 1):8.3f}{self.found / max(self.in_state, 1):11.3f}"
            f"{self.right_size / max(self.found, 1):7.3f}{self.by_hand:9d}{rms:8.2f}{over:12.2f}"
            f"{float(np.median(self.taps)) if self.taps else 0.0:13.2f}{float(np.median(self.seconds)):9.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.detection.roll_call")
    parser.add_argument("--tables", type=Path, nargs="*", default=[], metavar="FOLDER")
    parser.add_argument("--photographs", type=Path)
    parser.add_argument("--drawn", type=int, default=12)
    parser.add_argument("--seed", type=int, default=700)
    said = parser.parse_args()
    scenes = read_scenes(said.tables) if said.tables else draw_scenes(said.photographs, said.drawn, said.seed)
    before, after, random = Tally(), Tally(), np.random.default_rng(said.seed)
    for scene in scenes:
        complete(scene, random, before, after)
    print("        bases  recall  precision   size  by hand  RMS mm  error/sigma  taps a base        s")
    print(f"before{before.row()}\nafter {after.row()}")


def complete(scene: KnownScene, random: np.random.Generator, before: Tally, after: Tally) -> None:
    """One player completes one table: what the camera sees, his hints, and again for sizes."""
    began_s = time.perf_counter()
    told = _located(scene, ())
    before.seconds.append(time.perf_counter() - began_s)
    before.add(scene, told)
    denied = tuple(Hint(at_mm=one.at_mm, is_base=False) for one in match(scene, told)[1])
    tapped = {number: Hint(at_mm=_tap(scene, number, FINGER_MM, random)) for number in wrong_bases(scene, told)}
    shown = _located(scene, (*denied, *tapped.values()))
    again = {number: _in_loupe(scene, number, random) for number in wrong_bases(scene, shown)}
    began_s = time.perf_counter()
    last = _located(scene, (*denied, *(tapped | again).values()))
    after.seconds.append(time.perf_counter() - began_s)
    after.add(scene, last)
    after.taps.append((len(denied) + len(tapped) + 2 * len(again)) / max(1, len(scene.bases)))


def wrong_bases(scene: KnownScene, told: Sequence[Miniature]) -> list[int]:
    """The numbers of the bases that are asked for and missing, misplaced or of another size."""
    right = [truth for truth, one in match(scene, told)[0] if is_size(one.base, truth[0])]
    return [number for number, truth in enumerate(scene.bases) if truth[2] and truth not in right]


def match(
    scene: KnownScene, told: Sequence[Miniature]
) -> tuple[list[tuple[tuple[Base, Point, bool], Miniature]], list[Miniature]]:
    """Pairs of a true base and what is told of it, nearest first, and what is told of none."""
    near = sorted(
        (math.dist(truth[1], one.at_mm), k, number)
        for k, truth in enumerate(scene.bases)
        for number, one in enumerate(told)
        if math.dist(truth[1], one.at_mm) < max(_FOUND_MM, _SHARE * sides_of(truth[0])[1])
    )
    pairs: dict[int, int] = {}
    for _, k, number in near:
        if k not in pairs and number not in pairs.values():
            pairs[k] = number
    extra = [one for number, one in enumerate(told) if number not in pairs.values()]
    return [(scene.bases[k], told[number]) for k, number in pairs.items()], extra


def is_size(a: Base, b: Base) -> bool:
    return a.shape == b.shape and bool(np.allclose(sides_of(a), sides_of(b), atol=1.0))


def read_scenes(folders: Sequence[Path]) -> Iterator[KnownScene]:
    for table in (table for folder in folders for table in tables_in(folder)):
        bases = tuple((one.base, one.at_mm, True) for one in table.state.miniatures)
        yield KnownScene(table.image, View(table.camera, table.pose, table.layout), bases)


def draw_scenes(photographs: Path, count: int, seed: int) -> Iterator[KnownScene]:
    return map(known_scene, drawn_tables(seed, count, pictures_in(photographs), side_mm=SIDE_MM))


def known_scene(table: DrawnTable) -> KnownScene:
    """A drawn table; sizes that nobody sells are not asked for."""
    bases = tuple(
        (one.base, one.at_mm, one.is_asked and (one.base.shape, *sides_of(one.base)) in _ON_SALE) for one in table.bases
    )
    return KnownScene(table.picture, View(table.camera, table.pose, table.layout), bases)


def _located(scene: KnownScene, hints: Sequence[Hint]) -> tuple[Miniature, ...]:
    return locate(
        scene.image, view=scene.view, catalogue=_CATALOGUE,
        edition="warmachine-prime", hints=hints,
    ).miniatures  # fmt: skip


def _in_loupe(scene: KnownScene, number: int, random: np.random.Generator) -> Hint:
    """The outline dragged onto the base, its size chosen."""
    base = scene.bases[number][0]
    return Hint(at_mm=_tap(scene, number, LOUPE_MM, random), base=base, sigma_mm=LOUPE_MM)


def _tap(scene: KnownScene, number: int, sigma_mm: float, random: np.random.Generator) -> Point:
    base, at, _ = scene.bases[number]
    off_mm = random.normal(0.0, math.hypot(sigma_mm, _SIZE_SIGMA * sides_of(base)[1] * sigma_mm / FINGER_MM), 2)
    x, y = np.clip(np.asarray(at) + off_mm, 0.0, scene.view.table_mm).tolist()
    return x, y


if __name__ == "__main__":
    main()
