"""The network judged on whole tables whose truth is known, through the very code that runs beside a table.

Proposals are matched with the truth: found, invented, how far off.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.arrays import Floats32
from models.base import RoundBase, catalogue_of
from models.errors import BadFile
from models.miniature import Miniature
from vision.detection.network.finder import NetworkFinder
from vision.detection.network.inference import Network
from vision.detection.network.proposals import KINDS, Kind, Proposal
from vision.training.annotated_tables import KnownTable, sides_mm, tables_in

NEAR = 4.0  # px at a millimetre a pixel: from here the fit finds its way


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


@dataclass(frozen=True)
class DetectionCounts:
    """Counts over many tiles, and the errors of what was found."""

    truths: int = 0
    answers: int = 0
    found: int = 0
    right_kind: int = 0
    kinds: tuple[int, ...] = ()  # of all truths, by number
    found_kinds: tuple[int, ...] = ()
    off: tuple[float, ...] = ()
    size_off: tuple[float, ...] = ()  # relative error of width and depth
    turn_off_rad: tuple[float, ...] = ()  # of rectangles and ovals, within their symmetry

    def __add__(self, other: "DetectionCounts") -> "DetectionCounts":
        mine, theirs = vars(self), vars(other)
        return DetectionCounts(**{name: mine[name] + theirs[name] for name in mine})

    @property
    def recall(self) -> float:
        return self.found / max(self.truths, 1)

    @property
    def precision(self) -> float:
        return self.found / max(self.answers, 1)

    def recall_of(self, kind: Kind) -> float:
        number = KINDS.index(kind)
        return self.found_kinds.count(number) / max(self.kinds.count(number), 1)

    def summary(self) -> str:
        off, size = np.array(self.off or (0.0,)), np.array(self.size_off or (0.0,))
        turn = np.degrees(self.turn_off_rad or (0.0,))
        return (
            f"recall {self.recall:.3f} precision {self.precision:.3f} kind {self.right_kind / max(self.found, 1):.3f} "
            f"| centre RMS {np.sqrt((off**2).mean()):.2f} p95 {np.quantile(off, 0.95):.2f} mm "
            f"| size off p95 {np.quantile(np.abs(size), 0.95):.3f} | turn RMS {np.sqrt((turn**2).mean()):.1f} deg "
            f"| {self.truths} bases"
        )


def match_truths(answers: list[Proposal], truths: Floats32, *, near: float = NEAR) -> DetectionCounts:
    """Each truth paired with the nearest answer that is left, within `near` or a tenth of its size."""
    left = list(answers)
    pairs: list[tuple[Proposal, Floats32]] = []
    for row in truths:
        away = [float(np.hypot(answer.at[0] - row[1], answer.at[1] - row[2])) for answer in left]
        if away and min(away) <= max(near, 0.1 * float(row[3:5].min())):
            pairs.append((left.pop(int(np.argmin(away))), row))
    return DetectionCounts(
        truths=len(truths),
        answers=len(answers),
        found=len(pairs),
        kinds=tuple(int(row[0]) for row in truths),
        found_kinds=tuple(int(row[0]) for _, row in pairs),
        right_kind=sum(answer.kind == KINDS[int(row[0])] for answer, row in pairs),
        off=tuple(float(np.hypot(answer.at[0] - row[1], answer.at[1] - row[2])) for answer, row in pairs),
        size_off=tuple(_size_off(answer, row) for answer, row in pairs),
        turn_off_rad=tuple(_turn_off(answer, row) for answer, row in pairs if int(row[0]) != KINDS.index("round")),
    )


def _size_off(answer: Proposal, row: Floats32) -> float:
    """The larger relative error of the two sides; long and short, since a square has no first side."""
    seen, true = sorted((answer.width, answer.depth)), sorted(float(side) for side in row[3:5])
    return max((a / b - 1 for a, b in zip(seen, true, strict=True)), key=abs)


def _turn_off(answer: Proposal, row: Floats32) -> float:
    period = np.pi / 2 if abs(row[3] - row[4]) < 0.5 else np.pi
    off = float(answer.turn_rad - row[5] + period / 2) % period - period / 2
    # a quarter turn and the sides exchanged: the same box
    swapped = (answer.depth - answer.width) * (row[3] - row[4]) < 0
    return off if not swapped else (off + np.pi) % np.pi - np.pi / 2
