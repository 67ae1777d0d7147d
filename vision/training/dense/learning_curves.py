"""Learning curves of a run: a CSV file that grows, and a picture of it."""

import csv
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats

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
