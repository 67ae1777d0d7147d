"""Ranked units and lone rectangles found, placed and doubted on freshly drawn tables: recall, centre RMS, coverage of
the 95 % ellipse, unit, rank and file, and how many fronts were told.

The pictures are drawn from the seed, so the same command prints the same figures: bases of one make, paint and light a
picture, on mats light and dark; ragged last ranks, casualties within, ranks that parted, trays with a lip, lone bases a
few millimetres beside a unit, single files, figures that hide a third of their base. Every size of every edition is in
play, and two that none names.

    python -m benchmarks.detection.ranked_units [--tables 100] [--seed 900] [--blur 1.3] [--contrast 0.6] [--lip 0.2]

`--blur`: softer by so many pixels, as seen by a lens that is a little out of focus; `--contrast`: this share of it, the
rest grey, as in haze or through a smeared lens; `--lip`: rims that show so many millimetres, else as drawn.
"""

import math
from collections import defaultdict
from dataclasses import dataclass, field, replace

import numpy as np
import shapely

from benchmarks.harness import p95, rms, run
from models.base import Catalogue, RectBase, catalogue_of
from models.miniature import Miniature
from tests.vision import regiments
from tests.vision.regiments import Look, Stood, Tray
from vision.locate import locate

COVERS = 5.991  # chi square of two freedoms that 95 % stay below
FOUND_MM = 4.0
SPOTS = ((125.0, 300.0), (375.0, 300.0), (125.0, 100.0), (375.0, 100.0))
SIZES = ((20, 20), (25, 25), (30, 30), (40, 40), (25, 50), (30, 60), (50, 50), (50, 75))
LONE = ((20, 20), (40, 40), (50, 50), (60, 60), (25, 50), (30, 60), (50, 75), (50, 100), (60, 100), (100, 150))
PLAY = Catalogue(
    bases=(*catalogue_of().bases, RectBase(width_mm=60, depth_mm=60), RectBase(width_mm=100, depth_mm=150))
)


@dataclass
class Tally:
    """What became of the rectangles of one kind."""

    truths: int = 0
    off_mm: list[float] = field(default_factory=list)
    square: list[float] = field(default_factory=list)
    placed: list[bool] = field(default_factory=list)
    turned_deg: list[float] = field(default_factory=list)

    def format_row(self) -> str:
        found = len(self.off_mm)
        off, turned = np.array(self.off_mm), np.array(self.turned_deg)
        is_right = turned < 20
        return (
            f"{self.truths:6d}{found / max(self.truths, 1):8.3f}{rms(off):7.2f}{p95(off):7.2f}"
            f"{np.mean(np.array(self.square) < COVERS) if found else 0:9.3f}"
            f"{np.mean(self.placed) if self.placed else 0:8.3f}{len(turned) / max(found, 1):8.3f}"
            f"{is_right.mean() if len(turned) else 0:8.3f}{rms(turned[is_right]):7.2f}"
        )


def main(
    tables: int = 100, seed: int = 900, blur: float = 0.0, contrast: float = 1.0, lip: float | None = None
) -> None:
    tallies: dict[str, Tally] = defaultdict(Tally)
    extra = sum(
        score_table(seed, number, tallies, blur_px=blur, contrast=contrast, lip_mm=lip) for number in range(tables)
    )
    print(
        f"{'':12s}{'bases':>6s}{'recall':>8s}{'RMS':>7s}{'p95':>7s}{'coverage':>9s}{'ranks':>8s}{'fronts':>8s}", end=""
    )
    print(f"{'right':>8s}{'deg':>7s}")
    for name in sorted(tallies, key=lambda one: (one[0].isdigit(), len(one), one)):
        print(f"{name:12s}{tallies[name].format_row()}")
    print(f"bases told where none of that size stands: {extra}")


def score_table(
    seed: int, number: int, tallies: dict[str, Tally], *, blur_px: float = 0.0, contrast: float = 1.0,
    lip_mm: float | None = None,
) -> int:  # fmt: skip
    """Adds a table's bases to the tallies; how many told ones belong to none."""
    units, trays, look = draw_table(np.random.default_rng([seed, number]))
    lip = look.lip_mm if lip_mm is None else lip_mm
    look = replace(look, blur_px=math.hypot(look.blur_px, blur_px), contrast=contrast, lip_mm=lip)
    stood = [one for unit in units for one in unit]
    state = locate(
        regiments.photograph(stood, look, seed=number, trays=trays),
        view=regiments.view(look),
        catalogue=PLAY,
        edition="warhammer-9",
    )
    left = list(state.miniatures)
    for unit in units:
        pairs = [(one, _match_base(one, left)) for one in unit]
        named = [seen.unit for _, seen in pairs if seen is not None]
        most = max(set(named), key=named.count) if named else None
        for one, seen in pairs:
            for name in ("lone" if len(unit) == 1 else "in units", f"{one.sides_mm[0]}x{one.sides_mm[1]}"):
                _count(tallies[name], one, seen, most)
    return len(left)


def draw_table(random: np.random.Generator) -> tuple[list[list[Stood]], list[Tray], Look]:
    """Four units, one or two of them lone, the trays of some, and how all are made."""
    units: list[list[Stood]] = []
    trays = []
    for spot in SPOTS:
        at = (spot[0] + float(random.uniform(-12, 12)), spot[1] + float(random.uniform(-8, 8)))
        facing = float(random.uniform(-180, 180))
        if random.random() < 0.35:
            width, depth = LONE[random.integers(len(LONE))]
            units.append([Stood(at, facing, (width, depth), True)])
            continue
        unit = _draw_unit(random, at, facing)
        units.append(unit)
        if random.random() < 0.2:
            level = random.uniform(20, 200)
            colour = (round(level), round(level * random.uniform(0.7, 1.0)), round(level * random.uniform(0.6, 1.0)))
            trays.append(regiments.tray_under(unit, colour))
        elif random.random() < 0.2:
            units.append([_base_ahead(random, unit)])
    return _keep_standing(units), trays, draw_look(random)


def _keep_standing(units: list[list[Stood]]) -> list[list[Stood]]:
    """Those that stand wholly on the table and in nobody else's place."""
    kept: list[list[Stood]] = []
    ground: list[shapely.Geometry] = []
    table = shapely.box(0.0, 0.0, *regiments.TABLE_MM)
    for unit in units:
        stands = shapely.union_all([_outline(one) for one in unit])
        if table.contains(stands) and not any(stands.intersects(other) for other in ground):
            kept.append(unit)
            ground.append(stands)
    return kept


def _outline(one: Stood) -> shapely.Polygon:
    half = np.array([one.sides_mm[1], one.sides_mm[0]]) / 2
    angle = math.radians(one.facing_deg)
    ahead, left = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
    corners = [
        np.array(one.at_mm) + x * half[0] * ahead + y * half[1] * left for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))
    ]
    return shapely.Polygon(corners)


def _draw_unit(random: np.random.Generator, at: tuple[float, float], facing: float) -> list[Stood]:
    width, depth = SIZES[random.integers(len(SIZES))]
    most = 150.0
    files = int(random.integers(1 if random.random() < 0.2 else 2, max(3, min(7, int(most // width)) + 1)))
    ranks = int(random.integers(1, max(2, min(5, int(most // depth)) + 1))) if files > 1 else max(2, int(most // depth))
    gone = random.integers(0, files) if ranks > 1 else 0
    missing = {(ranks - 1, files - 1 - k) for k in range(gone)}
    if ranks > 2 and files > 2 and random.random() < 0.25:
        missing.add((int(random.integers(1, ranks - 1)), int(random.integers(1, files - 1))))
    gap, jitter = float(random.choice([0.0, 0.3, 1.0])), float(random.uniform(0, 0.3))
    unit = regiments.regiment(
        at, facing, ranks=ranks, files=files, sides_mm=(width, depth), gap_mm=gap, jitter_mm=jitter,
        missing=frozenset(missing), seed=int(random.integers(1 << 30)),
    )  # fmt: skip
    if random.random() < 0.5:
        unit = [replace(one, is_marked=True) for one in unit]
    return _shift_rear_ranks(random, unit, ranks) if ranks > 1 and random.random() < 0.15 else unit


def _shift_rear_ranks(random: np.random.Generator, unit: list[Stood], ranks: int) -> list[Stood]:
    """With the rear ranks from some on shifted a little aside and back."""
    first, angle = int(random.integers(1, ranks)), math.radians(unit[0].facing_deg)
    back, aside = float(random.uniform(0, 1.5)), float(random.uniform(-2, 2))
    x, y = -back * math.cos(angle) - aside * math.sin(angle), -back * math.sin(angle) + aside * math.cos(angle)
    return [replace(one, at_mm=(one.at_mm[0] + x, one.at_mm[1] + y)) if one.rank >= first else one for one in unit]


def _base_ahead(random: np.random.Generator, unit: list[Stood]) -> Stood:
    """A lone base of the unit's size a few millimetres ahead of its front rank, turned otherwise."""
    one = unit[0]
    angle, away = math.radians(one.facing_deg), one.sides_mm[1] / 2 + math.hypot(*one.sides_mm) / 2
    away += float(random.uniform(2, 8))
    at = (one.at_mm[0] + away * math.cos(angle), one.at_mm[1] + away * math.sin(angle))
    return Stood(at, one.facing_deg + float(random.uniform(15, 75)), one.sides_mm, True)


def draw_look(random: np.random.Generator) -> Look:
    """Rims unlike the basing, and paint unlike the rim, by as little as hands paint them."""

    def colour(low: int, high: int) -> tuple[int, int, int]:
        b, g, r = np.clip(random.uniform(low, high) + random.normal(0, 18, 3), 5, 250).astype(int).tolist()
        return b, g, r

    basing = colour(60, 190)
    dark = sum(basing) / 3 > 110 or random.random() < 0.7
    rim = colour(15, 50) if dark else colour(170, 230)
    away = random.uniform(0, 2 * np.pi)
    shadow = random.uniform(0, 2.0)
    return Look(
        top_mm=random.uniform(2.8, 3.8), inset_mm=random.uniform(0.2, 0.6), lip_mm=random.uniform(0.4, 1.4),
        front_mm=random.uniform(1.0, 2.2), mat=colour(25, 215), rim=rim, basing=basing,
        paint=colour(190, 245) if dark else colour(15, 40),
        shadow_mm=(float(shadow * np.cos(away)), float(shadow * np.sin(away))), mottled=random.uniform(0, 9),
        noise=random.uniform(0.5, 3.0), blur_px=random.uniform(0.45, 0.8), sculpt=random.uniform(0.8, 1.6),
        bulk=float(random.choice([0.0, random.uniform(0.12, 0.24)])),
        eye_mm=(250 + random.uniform(-650, 650), 200 + random.uniform(-450, 450), random.uniform(1500, 1900)),
    )  # fmt: skip


def _match_base(one: Stood, left: list[Miniature]) -> Miniature | None:
    """The miniature told for this base, taken from those left."""
    near = [
        seen for seen in left if _sides(seen) == sorted(one.sides_mm) and math.dist(seen.at_mm, one.at_mm) < FOUND_MM
    ]
    best = min(near, key=lambda seen: math.dist(seen.at_mm, one.at_mm), default=None)
    if best is not None:
        left.remove(best)
    return best


def _count(tally: Tally, one: Stood, seen: Miniature | None, unit: str | None) -> None:
    tally.truths += 1
    if seen is None:
        return
    off = np.subtract(seen.at_mm, one.at_mm)
    tally.off_mm.append(float(np.hypot(*off)))
    tally.square.append(float(off @ np.linalg.solve(np.array(seen.covariance()), off)))
    tally.placed.append(seen.unit == unit and (seen.rank, seen.file) == (one.rank, one.file))
    if seen.facing_deg is not None:
        tally.turned_deg.append(abs((seen.facing_deg - one.facing_deg + 180) % 360 - 180))


def _sides(seen: Miniature) -> list[float]:
    base = seen.base
    return sorted((base.width_mm, base.depth_mm)) if isinstance(base, RectBase) else []


if __name__ == "__main__":
    run(main)
