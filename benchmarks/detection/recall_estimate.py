"""Recall estimate: how many bases a state says it may have missed, beside how many stand where it says so.

    python -m benchmarks.detection.recall_estimate --tables 20 [--photographs FOLDER]

Tables of the generator that the network of boxes learnt from and, with a FOLDER of ground, of the dense network's;
every size on sale is in play. *Stated* is the sum of the probabilities of all unconfirmed bases, *true* how many of
these are bases, *missed* how many bases of a table are not told, those among them that nothing proposes. Below, the
reliability curve: of places of about one probability, their mean and the share that holds a base.
"""

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.detection.fit_selection_weights import Scene, draw_scene, photographic_scenes
from benchmarks.detection.synthetic_tables import sides_of
from benchmarks.harness import run
from calibration.view import View
from models.base import catalogue_of
from models.state import TableState
from models.vocabulary import Point
from vision.locate import locate

_FOUND_MM, _SHARE = 5.0, 0.2  # from a base, or of it: what lies nearer is that base
_BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 1.01)

Stated = list[tuple[float, bool]]  # of each unconfirmed base its probability, and whether it is one


def main(
    tables: Annotated[int, typer.Option(help="of each generator")] = 20,
    seed: int = 9201,
    photographs: Path | None = None,
) -> None:
    print(f"{'tables':14s}unconfirmed  stated   true  missed  bases")
    stated = _print_row("drawn", (draw_scene(seed, number) for number in range(tables)))
    if photographs:
        stated += _print_row("photographic", photographic_scenes(seed, tables, photographs))
    _print_reliability(stated)


def _print_row(name: str, scenes: Iterable[Scene]) -> Stated:
    rows = list(_counted(scenes))
    stated = [each for places, _, _ in rows for each in places]
    missed, bases = sum(row[1] for row in rows), sum(row[2] for row in rows)
    total, true = sum(chance for chance, _ in stated), sum(is_base for _, is_base in stated)
    print(f"{name:14s}{len(stated):11d}{total:8.1f}{true:7d}{missed:8d}{bases:7d}", flush=True)
    return stated


def _print_reliability(stated: Stated) -> None:
    for low, high in pairwise(_BINS):
        here = [each for each in stated if low <= each[0] < high]
        if here:
            chance, share = (sum(each[k] for each in here) / len(here) for k in (0, 1))
            print(f"{low:.1f} to {min(high, 1.0):.1f}: {len(here):4d} places, stated {chance:.3f}, bases {share:.3f}")


def _counted(scenes: Iterable[Scene]) -> Iterator[tuple[Stated, int, int]]:
    """Of each table: what is stated of its unconfirmed bases, bases not told, bases."""
    for scene in scenes:
        state = locate(
            scene.picture, view=View(scene.camera, scene.pose, scene.layout), catalogue=catalogue_of(),
            edition="open",
        )  # fmt: skip
        yield _count(scene, state)


def _count(scene: Scene, state: TableState) -> tuple[Stated, int, int]:
    left = [(one.at_mm, max(_FOUND_MM, _SHARE * sides_of(one.base)[1])) for one in scene.truths]
    for one in state.miniatures:
        _take_nearest(one.at_mm, left)
    missed = len(left)
    likeliest = sorted(state.unconfirmed, key=lambda one: -one.probability)
    return [(one.probability, _take_nearest(one.at_mm, left)) for one in likeliest], missed, len(scene.truths)


def _take_nearest(at_mm: Point, left: list[tuple[Point, float]]) -> bool:
    """Whether a base is there; it is no longer among those left then."""
    near = [one for one in left if math.dist(one[0], at_mm) < one[1]]
    if near:
        left.remove(min(near, key=lambda one: math.dist(one[0], at_mm)))
    return bool(near)


if __name__ == "__main__":
    run(main)
