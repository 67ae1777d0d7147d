"""The network judged on whole tables whose truth is known, through the very code that runs beside a table."""

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from calibration.arrays import Floats32
from models.base import RoundBase, catalogue_of
from models.errors import BadFile
from models.miniature import Miniature
from vision.detection.network.finder import NetworkFinder
from vision.detection.network.inference import Network
from vision.detection.network.proposals import KINDS, Proposal
from vision.training.annotated_tables import KnownTable, sides_mm, tables_in
from vision.training.metrics import DetectionCounts, match_truths


def judge_tables(folder: Path, weights: Path | None) -> Iterator[str]:
    """A line for each table and one for all. Raises: BadFile when the folder holds no table."""
    network = Network(weights) if weights is not None else None
    total, seconds = DetectionCounts(), []
    for table in tables_in(folder):
        started = time.perf_counter()
        answers = proposals_on(table, network)
        seconds.append(time.perf_counter() - started)
        counts = match_truths(answers, truths_mm(table))
        total += counts
        yield f"{table.name:28s} {counts.summary()} | {seconds[-1]:.2f} s"
    if not seconds:
        raise BadFile(f"{folder}: no NAME.state.json with its picture", field="tables", value=str(folder))
    for kind in KINDS:
        yield f"{kind:28s} recall {total.recall_of(kind):.3f}"
    yield f"{'all':28s} {total.summary()} | {np.median(seconds):.2f} s"


def proposals_on(table: KnownTable, network: Network | None) -> list[Proposal]:
    """What the network proposes on this table, in table mm."""
    finder = NetworkFinder(catalogue_of(), table.layout, network)
    return [placed.proposal for placed in finder.propose(table.image, camera=table.camera, pose=table.pose)]


def truths_mm(table: KnownTable) -> Floats32:
    """The bases that stand on the table, in mm and anticlockwise."""
    return np.array([_row(miniature) for miniature in table.state.miniatures], np.float32).reshape(-1, 6)


def _row(miniature: Miniature) -> tuple[float, ...]:
    width_mm, depth_mm = sides_mm(miniature.base)
    turn = 0.0 if isinstance(miniature.base, RoundBase) else float(np.radians(miniature.facing_deg or 0.0))
    return KINDS.index(miniature.base.shape), *miniature.at_mm, depth_mm, width_mm, turn
