"""Scores: recall, precision, size, place, facing and the rim map's average precision, by kind of mat.

Learning curves of a run: a CSV file that grows, and a picture of it.
"""

import csv
import math
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Floats32
from vision.detection.network.channels import KINDS
from vision.detection.network.instances import SeenBase
from vision.training.dense.targets import LEAST_SEEN, PLACE

_NEAR, _NEAR_PX = 0.2, 2.0  # of the short side, and so much besides: as near a base is found
_BINS = 64


@dataclass
class Scores:
    """Counts over many pictures. Every answer is kept with its score, so that the threshold can be chosen later."""

    scored: list[tuple[float, bool]] = field(default_factory=list)  # (score, is one); ignored bases are left out
    truths: int = 0
    errors: list[tuple[float, float, bool, bool, bool]] = field(default_factory=list)  # score, px, kind, size, sized
    facings: list[tuple[float, float]] = field(default_factory=list)  # (chance that a mark is in sight, off in degrees)
    rim: Floats = field(default_factory=lambda: np.zeros((2, _BINS)))  # cells by chance: rim, not

    def add(self, answers: list[SeenBase], labels: Floats32) -> None:
        """One picture: each truth takes the surest answer near it."""
        left = sorted(answers, key=lambda answer: -answer.score)
        wanted = labels[labels[:, PLACE["seen"]] >= LEAST_SEEN]
        self.truths += len(wanted)
        for row in sorted(wanted, key=lambda label: float(label[PLACE["short"]])):
            best = next((answer for answer in left if _is_near(answer, row)), None)
            if best is not None:
                left.remove(best)
                self._note(best, row)
        ignored = labels[labels[:, PLACE["seen"]] < LEAST_SEEN]
        self.scored += [(answer.score, False) for answer in left if not any(_is_near(answer, row) for row in ignored)]

    def _note(self, answer: SeenBase, row: Floats32) -> None:
        kind = KINDS[int(row[PLACE["kind"]])]
        size = int(row[PLACE["size_class"]])
        off = math.dist(answer.at_px, (row[PLACE["x"]], row[PLACE["y"]]))
        right = answer.kind == kind and int(answer.sizes.argmax()) == size
        self.scored.append((answer.score, True))
        self.errors.append((answer.score, off, answer.kind == kind, right, size >= 0))
        if row[PLACE["mark_seen"]] and row[PLACE["marking"]] > 1:
            turn = math.atan2(answer.facing[1], answer.facing[0]) - row[PLACE["facing"]]
            self.facings.append((answer.marked, abs(math.degrees(math.remainder(turn, 2 * math.pi)))))

    def add_rims(self, chances: Floats32, truth: NDArray[np.uint8]) -> None:
        """Cells of the rim maps by how likely they were called: (2, H, W) and the truth 0 to 255."""
        bins = np.minimum((chances * _BINS).astype(int), _BINS - 1)
        for place, mask in enumerate((truth > 127, truth < 32)):
            self.rim[place] += np.bincount(bins[mask], minlength=_BINS)

    def best_threshold(self) -> float:
        """Where recall and precision together are best (F1)."""
        scores = sorted(self.scored, reverse=True)
        hits = np.cumsum([is_one for _, is_one in scores])
        f1 = 2 * hits / (np.arange(1, len(scores) + 1) + self.truths) if scores else np.zeros(1)
        return scores[int(np.argmax(f1))][0] if scores else 0.5

    def row(self, threshold: float | None = None) -> dict[str, float]:
        """The figures at a threshold, the best one unless it is given."""
        limit = self.best_threshold() if threshold is None else threshold
        hits = sum(is_one for score, is_one in self.scored if score >= limit)
        count = sum(score >= limit for score, _ in self.scored)
        sure = [error for error in self.errors if error[0] >= limit]
        sized = [error for error in sure if error[4]]
        marked = [off for chance, off in self.facings if chance > 0.5]
        return {
            "bases": self.truths, "threshold": limit,
            "recall": hits / max(self.truths, 1), "precision": hits / max(count, 1),
            "kind": _share([error[2] for error in sure]), "size": _share([error[3] for error in sized]),
            "rms_px": math.sqrt(_share([error[1] ** 2 for error in sure])),
            "facing": _share([off < 25 for off in marked]), "facing_told": len(marked) / max(len(self.facings), 1),
            "rim_ap": self.rim_ap(),
        }  # fmt: skip

    def rim_ap(self) -> float:
        """Average precision of the rim maps over their cells."""
        hits, misses = (np.cumsum(row[::-1]) for row in self.rim)
        if not hits[-1]:
            return math.nan
        precision, recall = hits / np.maximum(hits + misses, 1), hits / hits[-1]
        return float(np.sum(np.diff(np.concatenate([[0.0], recall])) * precision))


def _share(values: list[bool] | list[float]) -> float:
    return float(np.mean(values)) if len(values) else math.nan


def _is_near(answer: SeenBase, row: Floats32) -> bool:
    off = math.dist(answer.at_px, (row[PLACE["x"]], row[PLACE["y"]]))
    return off < _NEAR * float(row[PLACE["short"]]) + _NEAR_PX


def figures_text(row: dict[str, float]) -> str:
    return " ".join(f"{name} {value:.3f}" if name != "bases" else f"bases {value:.0f}" for name, value in row.items())


_WIDE, _HIGH = 460, 260
_COLOURS = ((200, 80, 30), (40, 40, 200), (40, 150, 40), (160, 40, 160))
_DRAWN = ("loss", "heat", "rim", "recall", "precision", "size", "rms_px", "rim_ap", "facing")


class LearningCurves:
    """`curves.csv` and `curves.png` of a run's folder."""

    def __init__(self, folder: Path) -> None:
        self._csv, self._png = folder / "curves.csv", folder / "curves.png"

    def add(self, row: dict[str, float | str]) -> None:
        rows = [*self.rows(), {name: str(value) for name, value in row.items()}]
        names = list(dict.fromkeys(name for row in rows for name in row))
        with self._csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(rows)
        cv2.imwrite(str(self._png), draw_charts(rows))

    def rows(self) -> list[dict[str, str]]:
        if not self._csv.exists():
            return []
        with self._csv.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


def draw_charts(rows: list[dict[str, str]]) -> NDArray[np.uint8]:
    """One small chart a figure, a line for each held-out set."""
    charts = []
    for figure in _DRAWN:
        lines = {name: _points(rows, name) for name in rows[-1] if name.split(" ")[-1] == figure}
        charts.append(_chart(figure, lines))
    return np.vstack([np.hstack(charts[k : k + 3]) for k in range(0, len(charts), 3)])


def _points(rows: list[dict[str, str]], name: str) -> Floats:
    pairs = [(float(row["step"]), float(row[name])) for row in rows if row.get(name) not in (None, "", "nan")]
    return np.array(pairs, float).reshape(-1, 2)


def _chart(title: str, lines: dict[str, Floats]) -> NDArray[np.uint8]:
    made = np.full((_HIGH, _WIDE, 3), 255, np.uint8)
    points = np.concatenate([line for line in lines.values() if len(line)] or [np.zeros((1, 2))])
    (x0, low), (x1, high) = points.min(axis=0), points.max(axis=0)
    cv2.putText(made, f"{title}: {low:.3g} to {high:.3g}, step {x1:.0f}", (8, 16), 0, 0.42, (0, 0, 0), 1, cv2.LINE_AA)
    for place, (name, line) in enumerate(lines.items()):
        colour = _COLOURS[place % len(_COLOURS)]
        scaled = (line - (x0, low)) / np.maximum((x1 - x0, high - low), 1e-9)
        at = np.column_stack([20 + scaled[:, 0] * (_WIDE - 40), _HIGH - 20 - scaled[:, 1] * (_HIGH - 60)])
        cv2.polylines(made, [at.astype(np.int32)], False, colour, 2, cv2.LINE_AA)
        cv2.putText(made, name, (8 + 150 * place, 32), 0, 0.38, colour, 1, cv2.LINE_AA)
    return made
