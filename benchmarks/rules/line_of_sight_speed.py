"""Exact sight against what others do, in one run: verdicts, pairs, rays, and growth with the number of blockers.

    python -m benchmarks.rules.line_of_sight_speed [--plot OUT.svg|OUT.png]

The table: 100 round bases and 20 pieces of terrain. Beside the exact answer the same pairs by (a) three rays a pair, as
virtual tabletops do, and (b) 200 rays a pair, vectorised, with prepared geometries and an STRtree.
"""

import argparse
import math
import os
import random
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from api.cli.ask import ask_in_parallel
from models.queries import Los
from models.state import TableState
from referee import ask

SIDE_MM = 1219.2


def draw_table(
    bases: int, terrain: int, *, sigma_mm: float = 0.0, side_mm: float = SIDE_MM, seed: int = 7
) -> TableState:
    """A random table on which no two bases overlap."""
    r = random.Random(seed)
    minis: list[dict[str, Any]] = []
    while len(minis) < bases:
        d = r.choice((30, 30, 30, 40, 50))
        x, y = r.uniform(30, side_mm - 30), r.uniform(30, side_mm - 30)
        if all(math.dist((x, y), m["at_mm"]) > (d + m["base"]["diameter_mm"]) / 2 for m in minis):
            sigma = {"at_mm": sigma_mm, "facing_deg": 5 * sigma_mm}
            shape = {"shape": "round", "diameter_mm": d}
            one = {"id": f"m{len(minis)}", "base": shape, "at_mm": [x, y], "facing_deg": r.uniform(0, 360)}
            minis.append(one | {"sigma": sigma})
    ground = [_draw_terrain(r, k, side_mm) for k in range(terrain)]
    return TableState.model_validate(
        {"version": 1, "edition": "warmachine-prime", "table": {"width_mm": side_mm, "depth_mm": side_mm}}
        | {"miniatures": minis, "terrain": ground}
    )


def _draw_terrain(r: random.Random, k: int, side: float) -> dict[str, Any]:
    kinds = (("wall", 12, 120), ("building", 90, 110), ("forest", 150, 120), ("rubble", 90, 90), ("hill", 160, 140))
    kind, w, h = r.choice(kinds)
    x, y, a = r.uniform(100, side - 100), r.uniform(100, side - 100), r.uniform(0, math.tau)
    corners = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]
    outline = [[x + math.cos(a) * u - math.sin(a) * v, y + math.sin(a) * u + math.cos(a) * v] for u, v in corners]
    heights = {"wall": r.choice((22, 50, 60)), "building": 100, "hill": 25}
    return {"id": f"t{k}", "kind": kind, "polygon_mm": outline, "height_mm": heights.get(kind, 2)}


def _format_spread(seconds: list[float]) -> str:
    ms = sorted(1e3 * s for s in seconds)
    p95 = ms[min(len(ms) - 1, round(0.95 * len(ms)))]
    return f"median {statistics.median(ms):.2f} ms, p95 {p95:.2f} ms, worst {ms[-1]:.1f} ms (n = {len(ms)})"


def time_verdicts(state: TableState, pairs: list[tuple[str, str]]) -> list[float]:
    """Seconds of each verdict."""
    seconds = []
    for viewer, target in pairs:
        begun = time.perf_counter()
        ask(state, Los(viewer=viewer, target=target))
        seconds.append(time.perf_counter() - begun)
    return seconds


def draw_pairs(state: TableState, n: int, seed: int = 1) -> list[tuple[str, str]]:
    r = random.Random(seed)
    ids = [m.id for m in state.miniatures]
    return [(p[0], p[1]) for p in (r.sample(ids, 2) for _ in range(n))]


def time_all_pairs(state: TableState) -> None:
    """Time all ordered pairs, on one core and on as many as there are: the same bytes."""
    ids = [m.id for m in state.miniatures]
    queries = [Los(viewer=a, target=b) for a in ids for b in ids if a != b]
    cores, found = os.cpu_count() or 1, []
    for workers in dict.fromkeys((cores, 1)):
        fresh = state.model_copy()  # of which nothing is known yet
        begun = time.perf_counter()
        found.append("".join(ask_in_parallel([fresh], queries, workers=workers)))
        seconds = time.perf_counter() - begun
        print(f"all {len(queries):,} ordered pairs, verdicts as JSON: {seconds:.1f} s on {workers} cores")
    print(f"  the same bytes: {'yes' if len(set(found)) == 1 else 'NO'}")


def cast_rays(state: TableState, pairs: list[tuple[str, str]], per_pair: int) -> tuple[list[bool], float]:
    """Sight by rays between sampled rim points, in the plane with bases alone; and the seconds it took.

    Prepared discs in an STRtree, all rays of a pair at once; bases smaller than the target's do not block.
    """
    minis = {m.id: m for m in state.miniatures}
    order = list(minis)
    discs = np.array([shapely.Point(m.at_mm).buffer(m.base.diameter_mm / 2, quad_segs=32) for m in minis.values()])  # type: ignore[union-attr]
    shapely.prepare(discs)
    tree, sizes = shapely.STRtree(discs), np.array([m.base.diameter_mm for m in minis.values()])  # type: ignore[union-attr]
    index = {id_: k for k, id_ in enumerate(order)}
    begun, seen = time.perf_counter(), []
    for viewer, target in pairs:
        lines = _ray_fan(minis[viewer], minis[target], per_pair)
        ray, hit = tree.query(lines, predicate="intersects")
        counts = (hit != index[viewer]) & (hit != index[target]) & (sizes[hit] >= sizes[index[target]])
        seen.append(bool(len(np.setdiff1d(np.arange(len(lines)), ray[counts]))))
    return seen, time.perf_counter() - begun


def _ray_fan(viewer: Any, target: Any, per_pair: int) -> Any:
    """Rays between the sides of two bases as each sees the other: three, or a lattice of rim points."""
    a, b = complex(*viewer.at_mm), complex(*target.at_mm)
    across = 1j * (b - a) / abs(b - a)
    shares = np.array([-1.0, 0.0, 1.0]) if per_pair == 3 else np.linspace(-1, 1, round(math.sqrt(per_pair)))
    if per_pair == 3:
        p, q = np.full(3, a), b + across * shares * target.base.diameter_mm / 2 * 0.999
    else:
        p, q = np.meshgrid(
            a + across * shares * viewer.base.diameter_mm / 2 * 0.999,
            b + across * shares * target.base.diameter_mm / 2 * 0.999,
        )
        p, q = p.ravel(), q.ravel()
    ends = np.stack([p, q], axis=1)
    return shapely.linestrings(np.stack([ends.real, ends.imag], axis=2))


def with_all_round_sight(state: TableState) -> TableState:
    """The same table without terrain, everybody looking all round: what rays can be compared on."""
    minis = [m.model_dump() | {"front_arc_deg": 360} for m in state.miniatures]
    return TableState.model_validate(state.model_dump() | {"miniatures": minis, "terrain": []})


def compare_with_rays(state: TableState, n: int) -> None:
    flat = with_all_round_sight(state)
    pairs = draw_pairs(flat, n, seed=3)
    begun = time.perf_counter()
    exact = [ask(flat, Los(viewer=v, target=t)).answer == "yes" for v, t in pairs]
    ours = time.perf_counter() - begun
    print(f"\n{n} pairs, bases only, all-round sight")
    print(
        f"  exact, with margin and witness   {1e3 * ours / n:6.2f} ms a pair; the others are held against it; "
        f"{sum(exact)} seen"
    )
    for name, count in (("(a) 3 rays a pair", 3), ("(b) 196 rays, STRtree, prepared", 200)):
        seen, seconds = cast_rays(flat, pairs, count)
        wrong = sum(a != b for a, b in zip(seen, exact, strict=True))
        print(
            f"  {name:32s} {1e3 * seconds / n:6.2f} ms a pair, {100 * wrong / n:5.2f} % wrong; "
            f"exact is {seconds / ours:.2f} x as fast"
        )


def measure_growth(sizes: tuple[int, ...] = (10, 20, 50, 100, 200, 500, 1000)) -> list[tuple[int, float]]:
    """Median seconds of a verdict against the number of bases, the density held."""
    found = []
    for n in sizes:
        state = with_all_round_sight(draw_table(n, 0, side_mm=SIDE_MM * math.sqrt(n / 100), seed=n))
        time_verdicts(state, draw_pairs(state, 3))
        found.append((n, statistics.median(time_verdicts(state, draw_pairs(state, 60)))))
    return found


def fit_exponent(points: list[tuple[int, float]]) -> float:
    """The slope of log time over log number."""
    x, y = np.log([n for n, _ in points]), np.log([s for _, s in points])
    return float(np.polyfit(x, y, 1)[0])


def draw_plot(points: list[tuple[int, float]], to: Path) -> None:
    """Draw time against the number of bases, both logarithmic, with the fitted power, as the ending of `to` says."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.add_subplot(
        xscale="log", yscale="log", xlabel="bases on the table, their density held", ylabel="one verdict, median (ms)"
    )
    x, y = np.array([n for n, _ in points]), 1e3 * np.array([s for _, s in points])
    slope, level = np.polyfit(np.log(x), np.log(y), 1)
    axes.plot(x, y, "o-", label="measured")
    axes.plot(x, np.exp(level) * x**slope, "--", label=f"bases to the power {slope:.2f}")
    axes.grid(visible=True, which="both", alpha=0.3)
    axes.legend()
    figure.savefig(to)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--plot", type=Path, help="where to draw time against bases: OUT.svg or OUT.png")
    plot_to = parser.parse_args().plot
    print(f"{os.cpu_count()} cores, one used but for all pairs")
    state = draw_table(100, 20)
    time_verdicts(state, draw_pairs(state, 20))
    print(
        "one verdict, 100 bases + 20 terrain, exact margin:",
        _format_spread(time_verdicts(state, draw_pairs(state, 400))),
    )
    doubtful = draw_table(100, 20, sigma_mm=0.2)
    print(
        "the same with doubt (0.2 mm, 1 degree):           ",
        _format_spread(time_verdicts(doubtful, draw_pairs(doubtful, 200))),
    )
    time_all_pairs(state)
    compare_with_rays(state, 1000)
    points = measure_growth()
    print("\nbases, median:", ", ".join(f"{n}: {1e3 * s:.2f} ms" for n, s in points))
    print(f"time grows with the number of bases to the power {fit_exponent(points):.2f}")
    if plot_to:
        draw_plot(points, plot_to)


if __name__ == "__main__":
    main()
