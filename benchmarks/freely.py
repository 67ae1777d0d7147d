"""Round things in photographs that others took, placed without camera file or layout: plane and scale from their sizes.

FOLDER holds the photographs with their published truth, as `coins/kaa-euro/coins.json` and `coins/skimage/coins.png`
do. Found: within 5 mm of a coin's centre. Of coins of one size only the scale cannot be told: those photographs are
named. The truth of kaa-euro is good to about 1 mm.

    python -m benchmarks.freely FOLDER
"""

import argparse
import json
import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from calibration.lens import on_plane
from models.base import Catalogue, RoundBase
from vision.freely.discs import discs_in
from vision.freely.seeing import FreeTable, seen_freely
from vision.pictures import decoded

EURO_MM = (16.25, 18.75, 19.75, 21.25, 22.25, 23.25, 24.25, 25.75)
COINS = Catalogue(bases=tuple(RoundBase(diameter_mm=size) for size in EURO_MM), rim_mm=2.0)
FOUND_MM = 5.0
SKIMAGE_COINS = 24


@dataclass
class Tally:
    coins: int = 0
    seen: int = 0
    right: int = 0
    off_mm: list[float] = field(default_factory=list)

    def told(self) -> str:
        found = len(self.off_mm)
        rms = math.sqrt(sum(off**2 for off in self.off_mm) / max(found, 1))
        false = (self.seen - found) / max(self.seen, 1)
        return (
            f"coins {self.coins:3d}  found {found / self.coins:.3f}  false {false:.3f}"
            f"  size right {self.right / max(found, 1):.3f}  centre RMS {rms:.2f} mm"
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.freely")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    every, mixed = Tally(), Tally()
    for photo in json.loads((folder / "coins" / "kaa-euro" / "coins.json").read_text()):
        one = Tally()
        sizes = {coin["diameter_mm"] for coin in photo["coins"]}
        for tally in (one, every, *((mixed,) if len(sizes) > 1 else ())):
            _count(tally, *_seen(folder / "coins" / "kaa-euro" / photo["photo"]), photo["coins"])
        print(f"{photo['photo']:14s}{one.told()}  {len(sizes)} sizes", flush=True)
    print(f"{'all':14s}{every.told()}")
    print(f"{'several sizes':14s}{mixed.told()}")
    found = len(discs_in(_picture(folder / "coins" / "skimage" / "coins.png")))
    print(f"skimage: {found} discs, {SKIMAGE_COINS} coins")


KEPT: dict[Path, tuple[FreeTable, float]] = {}


def _seen(path: Path) -> tuple[FreeTable, float]:
    if path not in KEPT:
        started = time.process_time()
        table = seen_freely(_picture(path), catalogue=COINS, edition="warmachine-prime")
        KEPT[path] = table, time.process_time() - started
        print(f"    {path.name}: {KEPT[path][1]:.1f} s of processor, other scales {table.other_scales}", flush=True)
    return KEPT[path]


def _picture(path: Path) -> Any:
    return decoded(path.read_bytes(), field="file", name=path.name)


def _count(tally: Tally, table: FreeTable, _: float, coins: list[dict[str, Any]]) -> None:
    truth = on_plane(
        np.array([(coin["x"], coin["y"]) for coin in coins], np.float64), camera=table.camera, pose=table.pose, z_mm=0
    )
    left = list(table.state.miniatures)
    tally.coins += len(coins)
    tally.seen += len(left)
    for coin, at in zip(coins, truth.tolist(), strict=True):
        best = min(left, key=lambda one: math.dist(one.at_mm, at), default=None)
        if best is not None and math.dist(best.at_mm, at) < FOUND_MM:
            left.remove(best)
            tally.off_mm.append(math.dist(best.at_mm, at))
            tally.right += best.base.model_dump()["diameter_mm"] == coin["diameter_mm"]


if __name__ == "__main__":
    main()
