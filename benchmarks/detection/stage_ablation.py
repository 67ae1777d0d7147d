"""What each stage of `locate` earns: the same photographic tables with one stage left out at a time.

    python -m benchmarks.detection.stage_ablation --photographs FOLDER [--tables 24]

FOLDER holds pictures of ground that training never reads, as for `benchmarks.detection.photographic_tables`.
"""

import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any
from unittest.mock import patch

import typer

import vision.locate
from benchmarks.detection.photographic_scenes import drawn_tables
from benchmarks.detection.photographic_tables import SIDE_MM, Tally, located
from benchmarks.harness import run
from models.base import catalogue_of
from vision.candidates import Candidate
from vision.ranked.block_finder import BlockFinder
from vision.training.scenes.assets import pictures_in

Replacement = tuple[Any, str, Callable[..., Any]]
_BY_EDGES = BlockFinder.detect_by_edges


def _without_edges(*args: Any, **given: Any) -> Any:
    """Rectangles where the networks propose them, none by edges alone."""
    return _BY_EDGES(*args, **(given | {"near": ()}))


class _NoFinder:
    """Finds nothing, so that the networks alone propose."""

    def find(self, *_: Any, **__: Any) -> tuple[Candidate, ...]:
        return ()


STAGES: dict[str, Replacement] = {
    "Hough finder": (vision.locate, "CircleFinder", lambda *_: _NoFinder()),
    "colours of the army": (vision.locate, "add_colour_log_odds", lambda _, fits, *__, **___: fits),
    "template rejection": (vision.locate, "is_template_disc", lambda *_, **__: False),
    "networks' disagreement": (vision.locate, "widen_by_disagreement", lambda fits, *_, **__: tuple(fits)),
    "shapes in play": (vision.locate, "are_rectangles_in_play", lambda *_, **__: True),
    "blocks by edges": (BlockFinder, "detect_by_edges", _without_edges),
}


def main(photographs: Annotated[Path, typer.Option()], tables: int = 24, seed: int = 9101) -> None:
    find = located(lambda _: catalogue_of())
    tallies = {name: Tally() for name in ("nothing", *STAGES)}
    for table in drawn_tables(seed, tables, pictures_in(photographs), side_mm=SIDE_MM):
        for name, tally in tallies.items():
            started = time.perf_counter()
            with patch.object(*STAGES[name]) if name in STAGES else nullcontext():
                told = find(table)
            tally.add(table.bases, told, time.perf_counter() - started)
    print(f"{'left out':24s} bases  recall precision   size RMS mm coverage  med. s  max s")
    for name, tally in tallies.items():
        print(f"{name:24s}{tally.row()}")


if __name__ == "__main__":
    run(main)
