"""Bases found on tables of the renderer that the network never learnt from, every size on sale in play, by shape.

FOLDER is one that `python -m vision.detector.training.rendering` rendered. Coverage and RMS are those of bases of the
right size; which of two sides is the width is not seen.

    python -m benchmarks.found_rendered FOLDER
"""

import argparse
import math
from collections import defaultdict
from pathlib import Path

import numpy as np

from benchmarks.choosing_blocks import EVERY_SIZE
from benchmarks.drawn import COVERS, sides_of
from models.miniature import Miniature
from vision.detector.training.tables import KnownTable, tables_in
from vision.locating import locate

FOUND_MM = 5.0
SHARE = 0.2  # of a base: a large one may be farther off and is still what is meant

Found = dict[str, list[tuple[float, float]]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.found_rendered")
    parser.add_argument("folder", type=Path)
    truths: dict[str, int] = defaultdict(int)
    extra: dict[str, int] = defaultdict(int)
    found: Found = defaultdict(list)
    for table in tables_in(parser.parse_args().folder):
        for one in table.state.miniatures:
            truths[one.base.shape] += 1
        for left in _counted(table, found):
            extra[left.base.shape] += 1
    print(f"{'':8s}{'bases':>7s}{'right':>7s}{'RMS mm':>8s}{'coverage':>10s}{'others told':>13s}")
    for shape in sorted(truths):
        off, square = np.array(found[shape] or [(math.nan, math.nan)]).T
        rms, cover = math.sqrt(float((off**2).mean())), float((square < COVERS).mean())
        print(f"{shape:8s}{truths[shape]:7d}{len(found[shape]):7d}{rms:8.2f}{cover:10.3f}{extra[shape]:13d}")


def _counted(table: KnownTable, found: Found) -> list[Miniature]:
    """Those that are told and are no base of that size."""
    state = locate(
        table.image, camera=table.camera, pose=table.pose, layout=table.layout, catalogue=EVERY_SIZE,
        edition="warmachine-prime",
    )  # fmt: skip
    left = list(state.miniatures)
    for one in table.state.miniatures:
        within_mm = max(FOUND_MM, SHARE * sides_of(one.base)[1])
        near = [
            seen for seen in left
            if seen.base.shape == one.base.shape and sides_of(seen.base) == sides_of(one.base)
            and math.dist(seen.at_mm, one.at_mm) < within_mm
        ]  # fmt: skip
        best = min(near, key=lambda seen, at=one.at_mm: math.dist(seen.at_mm, at), default=None)  # type: ignore[misc]
        if best is not None:
            left.remove(best)
            off = np.subtract(best.at_mm, one.at_mm)
            found[one.base.shape].append(
                (float(np.hypot(*off)), float(off @ np.linalg.solve(np.array(best.covariance()), off)))
            )
    return left


if __name__ == "__main__":
    main()
