"""Bases found on tables of the renderer that the network never learnt from, beside what is wanted of them.

Each FOLDER is one that `python -m vision.training.blender` rendered; of several all is told
together. A base is found where something is told within 5 mm of it, or a fifth of it; precision, as recall, asks no
more, and `size` how many of those are of the right one. RMS and coverage are those of found ones; which of two sides
of a base is its width is not seen. Facings are those told alone, of rims that tell one: ticks with a dot, painted
halves and front edges.

    python -m benchmarks.detection.rendered_tables FOLDER ... [--sizes table]
"""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from benchmarks.detection.block_selection_weights import EVERY_SIZE
from benchmarks.detection.synthetic_tables import COVERS, sides_of
from benchmarks.harness import rms, run
from calibration.view import View
from models.base import Catalogue
from models.miniature import Miniature
from vision.locate import locate
from vision.training.annotated_tables import KnownTable, tables_in

Marks = dict[str, dict[str, Any]]

FOUND_MM = 5.0
SHARE = 0.2  # of a base: a large one may be farther off and is still what is meant
MARKED = ("ticks+dot", "front-half", "front-edge")
FLIPPED_DEG = 45.0
INVENTED_DEG = 30.0  # a facing told of a plain rim, so far from the truth


@dataclass
class Matches:
    """What became of the bases of some tables. A found base is a pair: the true one, and what is told of it."""

    truths: list[Miniature] = field(default_factory=list)
    pairs: list[tuple[Miniature, Miniature]] = field(default_factory=list)
    extra: list[Miniature] = field(default_factory=list)
    apart_mm: list[float] = field(default_factory=list)  # by how much each distance of two is off
    facings: list[tuple[str, float | None]] = field(default_factory=list)  # the marking, and how many degrees off
    ranks: list[bool] = field(default_factory=list)

    def of(self, shape: str) -> "Matches":
        """The bases of one shape, and what is told to be one."""
        pairs = [pair for pair in self.pairs if pair[0].base.shape == shape]
        extra = [one for one in self.extra if one.base.shape == shape]
        return Matches([one for one in self.truths if one.base.shape == shape], pairs, extra)

    def add(self, table: KnownTable, marks: Marks, told: Iterable[Miniature]) -> None:
        left = list(told)
        pairs = list(match_nearest(table.state.miniatures, left))
        self.truths += table.state.miniatures
        self.pairs += pairs
        self.extra += left
        self.apart_mm += list(_pair_distance_errors_mm(pairs))
        self.facings += [(marks[true.id]["marking"], _facing_error_deg(true, seen)) for true, seen in pairs]
        self.ranks += list(_ranks(marks, pairs))


def main(folders: list[Path], sizes: Literal["every", "table"] = "every") -> None:
    print_scores(*folders, every_size=sizes == "every")


def print_scores(*folders: Path, every_size: bool) -> None:
    """Prints what became of each shape, and of all together."""
    judged = Matches()
    for folder, table in ((where, table) for where in folders for table in tables_in(where)):
        truth = json.loads((folder / f"{table.name}.json").read_text())
        judged.add(table, {one["id"]: one for one in truth["models"]}, _located_bases(table, every_size=every_size))
    print(f"{'':8s}{'bases':>7s}{'recall':>8s}{'precision':>11s}{'size':>7s}{'RMS mm':>8s}{'p95':>6s}{'coverage':>10s}")
    for shape in sorted({one.base.shape for one in judged.truths}):
        print(_format_places(shape, judged.of(shape)))
    print(_format_places("all", judged))
    print(f"distance of two: RMS {rms(judged.apart_mm):.2f} mm; {_format_facings(judged)}")


def _located_bases(table: KnownTable, *, every_size: bool) -> tuple[Miniature, ...]:
    bases = {(one.base.shape, sides_of(one.base)): one.base for one in table.state.miniatures}
    sizes = EVERY_SIZE if every_size else Catalogue(bases=tuple(bases.values()))
    return locate(
        table.image, view=View(table.camera, table.pose, table.layout), catalogue=sizes,
        edition="warmachine-prime",
    ).miniatures  # fmt: skip


def match_nearest(truths: Iterable[Miniature], left: list[Miniature]) -> Iterator[tuple[Miniature, Miniature]]:
    """Nearest first; whoever is found leaves `left`."""
    near = [
        (math.dist(true.at_mm, seen.at_mm), k, true, seen)
        for k, true in enumerate(truths)
        for seen in left
        if math.dist(true.at_mm, seen.at_mm) < max(FOUND_MM, SHARE * sides_of(true.base)[1])
    ]
    done: set[int] = set()
    for _, k, true, seen in sorted(near, key=lambda one: one[0]):
        if k not in done and seen in left:
            done.add(k)
            left.remove(seen)
            yield true, seen


def _pair_distance_errors_mm(pairs: list[tuple[Miniature, Miniature]]) -> Iterator[float]:
    for k, (a, seen_a) in enumerate(pairs):
        for b, seen_b in pairs[:k]:
            yield math.dist(seen_a.at_mm, seen_b.at_mm) - math.dist(a.at_mm, b.at_mm)


def _facing_error_deg(true: Miniature, seen: Miniature) -> float | None:
    if seen.facing_deg is None or true.facing_deg is None:
        return None
    return (seen.facing_deg - true.facing_deg + 180) % 360 - 180


def _ranks(marks: Marks, pairs: list[tuple[Miniature, Miniature]]) -> Iterator[bool]:
    """Of every member of a unit whether unit, rank and file are right."""
    members = [(marks[true.id], seen) for true, seen in pairs if "unit" in marks[true.id]]
    for mark, seen in members:
        comrades = [other.unit == seen.unit for one, other in members if one["unit"] == mark["unit"]]
        is_unit = seen.unit is not None and 2 * sum(comrades) > len(comrades)
        yield is_unit and (seen.rank, seen.file) == (mark["rank"], mark["file"])


def _format_places(name: str, some: Matches) -> str:
    found = len(some.pairs)
    right = sum((a.base.shape, sides_of(a.base)) == (b.base.shape, sides_of(b.base)) for a, b in some.pairs)
    off = np.array([np.subtract(seen.at_mm, true.at_mm) for true, seen in some.pairs]).reshape(-1, 2)
    far = np.hypot(*off.T)
    square = [
        float(by @ np.linalg.solve(np.array(b.covariance()), by)) for by, (_, b) in zip(off, some.pairs, strict=True)
    ]
    covered = sum(one < COVERS for one in square) / max(found, 1)
    return (
        f"{name:8s}{len(some.truths):7d}{found / max(len(some.truths), 1):8.3f}"
        f"{found / max(found + len(some.extra), 1):11.3f}{right / max(found, 1):7.3f}{rms(far.tolist()):8.2f}"
        f"{float(np.quantile(far, 0.95)) if found else math.nan:6.2f}{covered:10.3f}"
    )


def _format_facings(judged: Matches) -> str:
    marked = [off for marking, off in judged.facings if marking in MARKED]
    told = [off for off in marked if off is not None]
    flips = sum(abs(off) >= FLIPPED_DEG for off in told)
    plain = [off for marking, off in judged.facings if marking == "none"]
    invented = sum(off is not None and abs(off) > INVENTED_DEG for off in plain)
    near = rms([off for off in told if abs(off) < FLIPPED_DEG])
    ranked = f"; rank and file right {sum(judged.ranks) / len(judged.ranks):.3f}" if judged.ranks else ""
    return (
        f"facing told {len(told)} of {len(marked)} marked, RMS {near:.1f} deg, {flips} flips; "
        f"wrong on {invented} of {len(plain)} plain rims{ranked}"
    )


if __name__ == "__main__":
    run(main)
