"""Terrain, templates and tokens proposed on freshly drawn tables: found, how well outlined, and what else was proposed.

The pictures are drawn from the seed, so the same command prints the same figures; where the bases stand is told, so
that this measures nothing else. A wall counts as found from an overlap (intersection over union) of 0.25, since what
stands up is seen from aside, all else from 0.5. The last lines count which kinds the looks were:
`vision.terrain.classification` holds those of `--seed 3000 --tables 40`.

    python -m benchmarks.detection.terrain_proposals [--tables 60] [--seed 5000]
"""

import math
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely

from benchmarks.harness import rms, run
from models.miniature import Miniature
from models.state import TableSize, TableState
from models.terrain_proposal import ProposedDisc, ProposedTerrain
from vision.rectification.rectify import rectify_table
from vision.terrain.classification import ShapeAndTint
from vision.terrain.proposals import compare_with_mat, find_pieces, propose_terrain
from vision.training.synthetic.full_table import WholeTable, whole_table
from vision.training.synthetic.table import base_of

LEAST_IOU = {"wall": 0.25, "hedge": 0.25}
USUAL_IOU = 0.5
NO_PIECE_IOU = 0.1
NEAR_MM = 5.0


@dataclass
class Tally:
    """What became of the pieces of one kind."""

    truths: int = 0
    iou: list[float] = field(default_factory=list)
    off_mm: list[float] = field(default_factory=list)
    sigma_mm: list[float] = field(default_factory=list)
    said: list[float] = field(default_factory=list)

    def format_row(self) -> str:
        found = len(self.iou)
        if not found:
            return f"{self.truths:7d}{0:8.2f}"
        right = sum(self.said) / found
        return (
            f"{self.truths:7d}{found / self.truths:8.2f}{np.mean(self.iou):8.2f}{np.median(self.off_mm):10.1f}"
            f"{rms(self.off_mm):8.1f}{rms(self.sigma_mm):8.1f}{right:12.2f}"
        )


@dataclass
class Tallies:
    kinds: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    looks: dict[ShapeAndTint, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    extra: int = 0
    discs: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("there", "found", "extra"), 0))
    disc_off_mm: list[float] = field(default_factory=list)
    disc_wide_mm: list[float] = field(default_factory=list)
    spent_s: float = 0.0


def main(tables: int = 60, seed: int = 5000) -> None:
    tallies = Tallies()
    for number in range(tables):
        score_table(whole_table(seed + number, px_per_mm=0.9), tallies)
    print(
        f"{'':10s}{'pieces':>7s}{'found':>8s}{'IoU':>8s}{'median mm':>10s}{'RMS':>8s}{'sigma':>8s}{'kind first':>12s}"
    )
    for name in sorted(tallies.kinds):
        print(f"{name:10s}{tallies.kinds[name].format_row()}")
    print(f"proposed where no piece is: {tallies.extra} on {tables} tables")
    print(
        f"discs: {tallies.discs}",
        f"centre RMS {rms(tallies.disc_off_mm):.2f} mm",
        f"diameter RMS {rms(tallies.disc_wide_mm):.2f} mm",
    )
    print(f"processor time of a table: {tallies.spent_s / tables:.2f} s")
    for look, counted in sorted(tallies.looks.items()):
        print(look, dict(counted.most_common()))


def score_table(table: WholeTable, tallies: Tallies) -> None:
    """Adds what is proposed of this table to the tallies."""
    state = state_of(table)
    started = time.process_time()
    found = propose_terrain(table.picture, state, camera=table.camera, pose=table.pose)
    tallies.spent_s += time.process_time() - started
    terrain = [one for one in found if isinstance(one, ProposedTerrain)]
    looks = _features_of(table, state, terrain)
    left = list(terrain)
    for piece in table.pieces:
        outline = shapely.Polygon(piece.outline_mm).buffer(0)
        best = max(left, key=lambda one: _iou(outline, one), default=None)
        for name in ("all", piece.kind):
            tallies.kinds[name].truths += 1
        if best is None or _iou(outline, best) < LEAST_IOU.get(piece.kind, USUAL_IOU):
            continue
        left.remove(best)
        tallies.looks[looks[best.id]][piece.kind] += 1
        for name in ("all", piece.kind):
            _count(tallies.kinds[name], outline, best, piece.kind)
    pieces = [shapely.Polygon(piece.outline_mm).buffer(0) for piece in table.pieces]
    tallies.extra += sum(all(_iou(outline, one) < NO_PIECE_IOU for outline in pieces) for one in left)
    _count_discs(table, [one for one in found if isinstance(one, ProposedDisc)], tallies)


def state_of(table: WholeTable) -> TableState:
    """The table as it would be, were every base measured without error."""
    standing = tuple(
        Miniature(
            id=f"m{k}", base=base_of(one), at_mm=one.at, elevation_mm=one.ground_mm,
            facing_deg=math.degrees(one.turn_rad) % 360,
        )
        for k, one in enumerate(table.bases)
    )  # fmt: skip
    width, depth = table.layout.table_mm
    return TableState(edition="warmachine-prime", table=TableSize(width_mm=width, depth_mm=depth), miniatures=standing)


def _features_of(table: WholeTable, state: TableState, terrain: list[ProposedTerrain]) -> dict[str, ShapeAndTint]:
    """The look of each proposal, found again by where its outline lies."""
    straight = rectify_table(
        table.picture, camera=table.camera, pose=table.pose, table_mm=table.layout.table_mm, px_per_mm=1.0
    )
    pairs = list(find_pieces(straight, *compare_with_mat(straight, state)))
    return {one.id: max(pairs, key=lambda pair: _iou(pair[0], one))[1] for one in terrain}


def _count(tally: Tally, outline: Any, best: ProposedTerrain, kind: str) -> None:
    seen, rim = shapely.Polygon(best.polygon_mm).exterior, outline.exterior
    places = [seen.interpolate(share, normalized=True) for share in np.linspace(0, 1, 100, endpoint=False)]
    tally.iou.append(_iou(outline, best))
    tally.off_mm.append(rms([place.distance(rim) for place in places]))
    tally.sigma_mm.append(best.sigma_mm)
    tally.said.append(bool(best.kinds) and best.kinds[0].kind == kind)


def _iou(outline: Any, one: ProposedTerrain) -> float:
    other = shapely.Polygon(one.polygon_mm)
    return float(outline.intersection(other).area / max(outline.union(other).area, 1e-9))


def _count_discs(table: WholeTable, found: list[ProposedDisc], tallies: Tallies) -> None:
    left = list(found)
    for disc in table.discs:
        tallies.discs["there"] += 1
        near = [one for one in left if math.dist(one.centre_mm, disc.at) < NEAR_MM]
        if near:
            left.remove(near[0])
            tallies.discs["found"] += 1
            tallies.disc_off_mm.append(math.dist(near[0].centre_mm, disc.at))
            tallies.disc_wide_mm.append(near[0].diameter_mm - disc.diameter_mm)
    tallies.discs["extra"] += len(left)


if __name__ == "__main__":
    run(main)
