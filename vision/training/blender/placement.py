"""Where everything stands on a rendered table."""

import math
import random as dice
from collections.abc import Iterator

from vision.training.blender.bases import OVAL, RANKED, ROUND, SINGLE, Base


def skirmish(random: dice.Random, count: int, width_mm: float, depth_mm: float, taken: list[Base]) -> Iterator[Base]:
    """Round, oval and single rectangular bases; a third stands in contact with, or close by, another."""
    for _ in range(count):
        shape, wide, long = _size(random)
        for _ in range(60):
            reach = math.hypot(wide, long) / 2 if shape == "rect" else max(wide, long) / 2
            x, y = random.uniform(reach, width_mm - reach), random.uniform(reach, depth_mm - reach)
            if taken and random.random() < 0.35:
                other, angle = random.choice(taken), random.uniform(0, 6.28)
                away = reach + other.reach_mm + random.choice([0.0, 0.0, random.uniform(0, 10)])
                x, y = other.x_mm + away * math.cos(angle), other.y_mm + away * math.sin(angle)
            base = Base(shape, wide, long, x, y, random.uniform(-math.pi, math.pi))
            if _fits(base, taken, width_mm, depth_mm):
                taken.append(base)
                yield base
                break


def _size(random: dice.Random) -> tuple[str, float, float]:
    pick = random.random()
    if pick < 0.72:
        size = float(random.choice(ROUND))
        return "round", size, size
    if pick < 0.86:
        long, wide = random.choice(OVAL)
        return ("oval", wide, long) if random.random() < 0.7 else ("oval", long, wide)
    wide, long = random.choice(SINGLE)
    return "rect", wide, long


def regiment(random: dice.Random, name: str, width_mm: float, depth_mm: float, taken: list[Base]) -> list[Base]:
    """A unit in ranks and files, its last rank perhaps not full; empty when no room was found."""
    wide, long = random.choice(RANKED)
    ranks, files = random.randint(1, 5), random.randint(3, 7)
    facing, gap = random.uniform(-math.pi, math.pi), random.choice([0.1, 0.6, 1.5])
    last = random.randint(1, files)
    cos, sin = math.cos(facing), math.sin(facing)
    reach = math.hypot(files * (wide + gap), ranks * (long + gap)) / 2
    for _ in range(60):
        x, y = random.uniform(reach, width_mm - reach), random.uniform(reach, depth_mm - reach)
        if all(math.hypot(x - b.x_mm, y - b.y_mm) > reach + b.reach_mm for b in taken):
            break
    else:
        return []
    members = []
    for rank in range(ranks):
        for file in range(files if rank < ranks - 1 else last):
            ahead = (ranks / 2 - rank - 0.5) * (long + gap) + random.gauss(0, gap / 5)
            left = (files / 2 - file - 0.5) * (wide + gap) + random.gauss(0, gap / 5)
            at = x + ahead * cos - left * sin, y + ahead * sin + left * cos
            members.append(Base("rect", wide, long, *at, facing + random.gauss(0, 0.01 * gap), unit=(name, rank, file)))
    taken += members
    return members


def spot(
    random: dice.Random, width_mm: float, depth_mm: float, taken: list[Base], *, reach_mm: float
) -> tuple[float, float] | None:
    """Somewhere this far from every base."""
    for _ in range(40):
        x, y = random.uniform(0, width_mm), random.uniform(0, depth_mm)
        if all(math.hypot(x - b.x_mm, y - b.y_mm) > reach_mm + b.reach_mm for b in taken):
            return x, y
    return None


def _fits(base: Base, taken: list[Base], width_mm: float, depth_mm: float) -> bool:
    on = all(base.reach_mm <= at <= side - base.reach_mm for at, side in ((base.x_mm, width_mm), (base.y_mm, depth_mm)))
    return on and all(
        math.hypot(base.x_mm - b.x_mm, base.y_mm - b.y_mm) >= base.reach_mm + b.reach_mm - 1e-6 for b in taken
    )
