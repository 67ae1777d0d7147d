"""Bases found on drawn tables with photographic mats: Hough circles, contours, each network alone, both, and `locate`.

    python -m benchmarks.detection.photographic_tables --photographs FOLDER --tables 40 [--ways boxes,locate]

FOLDER holds pictures of ground of a package that training never reads, such as the textures of `supertuxkart-data`.
A base is found where something is told within 5 mm of it, or a fifth of it; who is hidden for more than two thirds,
stands partly off the table or has a size that nobody sells is neither asked for nor held against. Hough circles and
contours are asked for round bases alone, and told which sizes are on the table. Sizes are compared where an edition or
a shop of the catalogue sells them: the drawn tables also hold others, which `locate` cannot tell.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from benchmarks.detection.opencv_yolo_baselines import Seen, find_contour_ellipses, find_hough_circles
from benchmarks.detection.photographic_scenes import DrawnBase, DrawnTable, drawn_tables
from benchmarks.detection.synthetic_tables import COVERS, sides_of
from benchmarks.harness import run
from calibration.arrays import Image
from calibration.view import View
from models.base import Catalogue, RoundBase, catalogue_of
from models.miniature import Miniature
from vision.detection.network.channels import SIZES
from vision.detection.network.finder import NetworkFinder, Proposer
from vision.detection.network.fused_network import fuse, shipped_networks
from vision.detection.network.inference import shipped_dense_network, shipped_network
from vision.detection.network.proposals import PlacedProposal, Proposal
from vision.locate import locate
from vision.training.scenes.assets import pictures_in

_FOUND_MM, _SHARE = 5.0, 0.2
SIDE_MM = 480.0
_ON_SALE = {(base.shape, *sides_of(base)) for base in catalogue_of().bases}
# Where recall and precision of held-out tiles and rendered tables together are best; more likely than not.
_BOX_LEAST, _DENSE_LEAST, _LEAST = 0.6, 0.42, 0.5


@dataclass(frozen=True)
class Told:
    """What one way tells of one base; sides from the shorter to the longer."""

    shape: str
    at_mm: tuple[float, float]
    sides_mm: tuple[float, float]
    covariance_mm2: tuple[tuple[float, float], tuple[float, float]] | None = None


Way = Callable[[DrawnTable], list[Told]]


@dataclass
class Tally:
    """What became of the bases of some tables."""

    asked: int = 0
    told: int = 0
    on_sale: int = 0
    right_size: int = 0
    off_mm: list[float] = field(default_factory=list)
    distances: list[float] = field(default_factory=list)  # of truths from their places, squared, in sigmas
    seconds: list[float] = field(default_factory=list)

    def add(self, bases: Sequence[DrawnBase], told: Sequence[Told], seconds: float) -> None:
        left = list(told)
        for base, one in _matched(bases, left):
            if base.is_asked:
                self._note(base, one)
        self.asked += sum(base.is_asked for base in bases)
        self.told += len(left)
        self.seconds.append(seconds)

    def _note(self, base: DrawnBase, one: Told) -> None:
        off = np.subtract(one.at_mm, base.at_mm)
        self.told += 1
        if (base.base.shape, *sides_of(base.base)) in _ON_SALE:
            self._compare_sizes(base, one)
        self.off_mm.append(float(np.hypot(*off)))
        if one.covariance_mm2 is not None:
            self.distances.append(float(off @ np.linalg.solve(np.array(one.covariance_mm2), off)))

    def _compare_sizes(self, base: DrawnBase, one: Told) -> None:
        self.on_sale += 1
        self.right_size += one.shape == base.base.shape and np.allclose(one.sides_mm, sides_of(base.base), atol=1.0)

    def row(self) -> str:
        found = len(self.off_mm)
        rms = math.sqrt(float(np.mean(np.square(self.off_mm)))) if found else math.nan
        covered = float(np.mean(np.array(self.distances) < COVERS)) if self.distances else math.nan
        return (
            f"{self.asked:6d}{found / max(self.asked, 1):8.3f}{found / max(self.told, 1):10.3f}"
            f"{self.right_size / max(self.on_sale, 1):7.3f}{rms:7.2f}{covered:9.3f}"
            f"{float(np.median(self.seconds)):8.2f}{max(self.seconds):7.2f}"
        )


def _matched(bases: Sequence[DrawnBase], left: list[Told]) -> list[tuple[DrawnBase, Told]]:
    """Nearest first; whoever is matched leaves `left`."""
    near = sorted(
        (
            (math.dist(base.at_mm, one.at_mm), k, base, one)
            for k, base in enumerate(bases)
            for one in left
            if math.dist(base.at_mm, one.at_mm) < max(_FOUND_MM, _SHARE * sides_of(base.base)[1])
        ),
        key=lambda pair: pair[0],
    )
    done, pairs = set[int](), list[tuple[DrawnBase, Told]]()
    for _, k, base, one in near:
        if k not in done and one in left:
            done.add(k)
            left.remove(one)
            pairs.append((base, one))
    return pairs


def located(sizes: Callable[[DrawnTable], Catalogue]) -> Way:
    """`locate` with these sizes in play."""

    def tell(table: DrawnTable) -> list[Told]:
        state = locate(
            table.picture, view=View(table.camera, table.pose, table.layout), catalogue=sizes(table),
            edition="open",
        )  # fmt: skip
        return [_told(one) for one in state.miniatures]

    return tell


def _told(one: Miniature) -> Told:
    (a, b), (c, d) = one.covariance()
    return Told(one.base.shape, one.at_mm, sides_of(one.base), ((a, b), (c, d)))


def sizes_on(table: DrawnTable) -> Catalogue:
    return Catalogue(bases=tuple(dict.fromkeys(one.base for one in table.bases)) or catalogue_of().bases)


class DenseAlone:
    """The dense network as a proposer of its own."""

    def proposals(self, picture: Image) -> list[Proposal]:
        bases = shipped_dense_network().look(picture).bases
        return [replace(one, score=base.score) for base in bases for one in fuse([base], ())]


def proposed(network: Callable[[], Proposer], *, least: float) -> Way:
    """What a network proposes with at least this score."""

    def tell(table: DrawnTable) -> list[Told]:
        finder = NetworkFinder(catalogue_of(), table.layout, network())
        placed = finder.propose(table.picture, camera=table.camera, pose=table.pose)
        return [_boxed(one) for one in placed if one.proposal.score >= least]

    return tell


def _boxed(one: PlacedProposal) -> Told:
    """Of the likeliest size, where the network tells one."""
    seen = one.proposal
    if seen.size_chances is None:
        return Told(seen.kind, seen.at, (min(seen.width, seen.depth), max(seen.width, seen.depth)))
    _, long, short = SIZES[int(np.argmax(seen.size_chances))]
    return Told(seen.kind, seen.at, (short, long))


def of_rounds(find: Callable[[DrawnTable, tuple[float, ...]], Seen]) -> Way:
    """A finder of round bases, told the sizes on the table."""

    def tell(table: DrawnTable) -> list[Told]:
        sizes = tuple({one.base.diameter_mm for one in table.bases if isinstance(one.base, RoundBase)})
        return [Told("round", (x, y), (size, size)) for x, y, size in find(table, sizes)] if sizes else []

    return tell


def hough(table: DrawnTable, sizes_mm: tuple[float, ...]) -> Seen:
    return find_hough_circles(
        table.picture, table.camera, table.pose, table.layout, sizes_mm, quality=0.8, edge=300
    )  # fmt: skip


def contours(table: DrawnTable, sizes_mm: tuple[float, ...]) -> Seen:
    return find_contour_ellipses(table.picture, table.camera, table.pose, table.layout, sizes_mm, low=40)


WAYS: dict[str, Way] = {
    "hough": of_rounds(hough),
    "contours": of_rounds(contours),
    "boxes": proposed(shipped_network, least=_BOX_LEAST),
    "dense": proposed(DenseAlone, least=_DENSE_LEAST),
    "both": proposed(shipped_networks, least=_LEAST),
    "locate": located(lambda _: catalogue_of()),
    "sized": located(sizes_on),
}


def main(
    photographs: Annotated[Path, typer.Option()], tables: int = 40, seed: int = 9101, ways: str = ",".join(WAYS)
) -> None:
    tallies: dict[tuple[str, str], Tally] = {}
    for table in drawn_tables(seed, tables, pictures_in(photographs), side_mm=SIDE_MM):
        judge(table, ways.split(","), tallies)
    print(f"{'way':10s}{'tables':22s} bases  recall precision   size RMS mm coverage  med. s  max s")
    for (way, kind), tally in sorted(tallies.items()):
        print(f"{way:10s}{kind:22s}{tally.row()}")


def judge(table: DrawnTable, ways: Sequence[str], tallies: dict[tuple[str, str], Tally]) -> None:
    """Adds what each way tells of one table."""
    for way in ways:
        started = time.perf_counter()
        told = WAYS[way](table)
        seconds = time.perf_counter() - started
        for kind in ("all", "overhead" if table.is_overhead else "oblique", table.mat_kind):
            tallies.setdefault((way, kind), Tally()).add(table.bases, told, seconds)


if __name__ == "__main__":
    run(main)
