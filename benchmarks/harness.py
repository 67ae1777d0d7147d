"""Benchmark harness: command lines read from a `main`, processor time, statistics, and runs that go on from a file."""

import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import typer

from calibration.arrays import Floats


def run(main: Callable[..., Any]) -> None:
    """The command line of a benchmark: its options are the parameters of `main`, its help its module's docstring."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(help=sys.modules[main.__module__].__doc__)(main)
    app()


def processor_ms(work: Callable[[], object]) -> float:
    """Milliseconds of a processor that the work takes."""
    begun = time.process_time()
    work()
    return 1e3 * (time.process_time() - begun)


def p95(values: Iterable[float]) -> float:
    """What 95 in a hundred of the values stay below, the largest of few; nan of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))] if ordered else math.nan


def spread_ms(ms: Sequence[float], digits: int = 0) -> str:
    """Median, 95th in a hundred and most."""
    return f"median {statistics.median(ms):.{digits}f} ms, p95 {p95(ms):.{digits}f}, most {max(ms):.{digits}f}"


def rms(values: Any) -> float:
    """The root mean square of all the numbers; nan of none."""
    return float(np.sqrt(np.mean(np.square(values)))) if np.size(values) else math.nan


def align(points: Floats, target: Floats) -> Floats:
    """The points (N, 2) or (N, 3) turned and shifted onto those, as nearly as may be, without stretching (Kabsch)."""
    a, b = points - points.mean(axis=0), target - target.mean(axis=0)
    left, _, right = np.linalg.svd(a.T @ b)
    flip = np.diag([*[1.0] * (a.shape[1] - 1), np.sign(np.linalg.det(left @ right))])
    return np.asarray(a @ left @ flip @ right + target.mean(axis=0))


def read_rows(done: Path | None) -> list[Any]:
    """What a run that was cut off kept in the file, a row a line."""
    return [json.loads(line) for line in done.read_text().splitlines()] if done and done.exists() else []


def keep_rows(done: Path | None, rows: Iterable[Any]) -> None:
    """Adds the rows to the file of a run that may be cut off."""
    if done:
        with done.open("a") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
