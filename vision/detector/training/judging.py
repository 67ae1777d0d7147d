"""The network judged on whole tables whose truth is known, through the very code that runs beside a table."""

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from models.base import RoundBase, catalogue_of
from models.errors import BadFile
from models.miniature import Miniature
from vision.detector.finder import NetworkFinder
from vision.detector.network import Network
from vision.detector.proposal import KINDS, Proposal
from vision.detector.training.judged import Judged, judged
from vision.detector.training.shards import Labels
from vision.detector.training.tables import KnownTable, sides_mm, tables_in


def judge_tables(folder: Path, weights: Path | None) -> Iterator[str]:
    """A line for each table and one for all. Raises: BadFile when the folder holds no table."""
    network = Network(weights) if weights is not None else None
    total, seconds = Judged(), []
    for table in tables_in(folder):
        started = time.perf_counter()
        answers = seen(table, network)
        seconds.append(time.perf_counter() - started)
        one = judged(answers, truths_mm(table))
        total += one
        yield f"{table.name:28s} {one.told()} | {seconds[-1]:.2f} s"
    if not seconds:
        raise BadFile(f"{folder}: no NAME.state.json with its picture", field="tables", value=str(folder))
    for kind in KINDS:
        yield f"{kind:28s} recall {total.recall_of(kind):.3f}"
    yield f"{'all':28s} {total.told()} | {np.median(seconds):.2f} s"


def seen(table: KnownTable, network: Network | None) -> list[Proposal]:
    """What the network proposes on this table, in table mm."""
    finder = NetworkFinder(catalogue_of(), table.layout, network)
    return [one.proposal for one in finder.placed(table.image, camera=table.camera, pose=table.pose)]


def truths_mm(table: KnownTable) -> Labels:
    """The bases that stand on the table, in mm and anticlockwise."""
    return np.array([_row(one) for one in table.state.miniatures], np.float32).reshape(-1, 6)


def _row(one: Miniature) -> tuple[float, ...]:
    width_mm, depth_mm = sides_mm(one.base)
    turn = 0.0 if isinstance(one.base, RoundBase) else float(np.radians(one.facing_deg or 0.0))
    return KINDS.index(one.base.shape), *one.at_mm, depth_mm, width_mm, turn
