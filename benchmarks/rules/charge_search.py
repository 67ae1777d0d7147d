"""Charges: the search against a sweep over all directions and lengths, and how long it takes on a crowded table.

    python -m benchmarks.rules.charge_search [TABLES]

Prints how many charges the sweep finds that the search does not, how many of the search's charges break a rule when
they are walked in small steps, and the time a charge takes on tables of 60 miniatures and 12 pieces of terrain.
"""

import math
import random
import statistics
import sys
import time
from typing import Any

from rich.progress import track

from models.state import TableState
from tests.referee.editions.warmachine.charges.charge_sweep import faults, most_left, random_charge
from tests.referee.tables import asked, box, mini, table

SURE_MM = 2.0  # a sweep in steps cannot tell a charge that succeeds by less


def main(tables: int) -> None:
    compare_with_sweep(tables)
    for sigma in (0.0, 0.2):
        measure_time(sigma)


def compare_with_sweep(tables: int) -> None:
    missed, broken, found = [], [], 0
    for seed in track(range(tables), description="charges"):
        state, tried = random_charge(100_000 + seed)
        value: Any = asked(state, "charge", attacker="a", target="t").value
        if value["stop_mm"] is None:
            missed += [seed] if most_left(tried) > SURE_MM else []
            continue
        found += 1
        wrong = faults(tried, math.radians(value["heading"]["heading_deg"]), value["stop_mm"][0])
        broken += [(seed, wrong)] if wrong else []
    print(
        f"{tables} tables: {found} charges found; missed {len(missed)} {missed[:5]}; broken {len(broken)} {broken[:3]}"
    )


def measure_time(sigma: float) -> None:
    state = draw_crowded_table(sigma)
    minis = state.miniatures
    pairs = [(a.id, b.id) for a in minis for b in minis if a.side != b.side and math.dist(a.at_mm, b.at_mm) < 300]
    random.Random(1).shuffle(pairs)
    taken = []
    for attacker, target in pairs[:80]:
        start = time.perf_counter()
        asked(state, "charge", attacker=attacker, target=target)
        taken.append(1e3 * (time.perf_counter() - start))
    taken.sort()
    what = f"sigma {sigma} mm" if sigma else "exact"
    p95, most = taken[int(0.95 * len(taken))], taken[-1]
    print(f"{len(taken)} charges, {what}: median {statistics.median(taken):.1f} ms, p95 {p95:.0f}, most {most:.0f}")


def draw_crowded_table(sigma: float) -> TableState:
    """60 miniatures of two sides and 12 pieces of terrain, anywhere."""
    rng = random.Random(3)
    minis: list[dict[str, Any]] = []
    while len(minis) < 60:
        x, y, size = rng.uniform(60, 1150), rng.uniform(60, 1150), rng.choice([30, 30, 40, 50])
        if all(math.dist((x, y), m["at_mm"]) > size / 2 + m["base"]["diameter_mm"] / 2 + 1 for m in minis):
            more: dict[str, Any] = {"side": ("blue", "red")[len(minis) % 2], "reach": rng.choice([0.5, 1, 2])}
            more |= {"profile": {"spd_in": 6}} | ({"sigma": sigma} if sigma else {})
            minis.append(mini(f"m{len(minis)}", x, y, rng.uniform(0, 360), mm=size, **more))
    kinds = ["rough", "obstacle", "forest", "hill", "wall"]
    terrain = [_draw_terrain(rng, rng.choice(kinds), f"t{k}") for k in range(12)]
    return table(*minis, terrain=terrain)


def _draw_terrain(rng: random.Random, kind: str, id_: str) -> dict[str, Any]:
    x, y = rng.uniform(100, 1000), rng.uniform(100, 1000)
    return box(id_, kind, x, y, x + rng.uniform(40, 150), y + rng.uniform(40, 150), height_mm=30)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
