"""Where bases stand: scattered, in knots that touch, and in ranked blocks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.training.synthetic.base import Look, any_look
from vision.training.synthetic.solid import RECTS, Footprint, any_footprint

Random = np.random.Generator


@dataclass(frozen=True)
class Standing:
    """One base that stands somewhere, before it is drawn."""

    shape: Footprint
    look: Look
    at: tuple[float, float]
    turn_rad: float
    ground_mm: float = 0.0
    crowded: bool = False  # stands in a block, where neighbours' plastic keeps to itself
    rank: int | None = None
    file: int | None = None


@dataclass(frozen=True)
class Block:
    """A ranked unit and, where it has one, its tray."""

    members: tuple[Standing, ...]
    tray: Standing | None


def scatter(
    random: Random, count: int, *, side_mm: float, taken: list[Standing], shapes: Sequence[Footprint] = ()
) -> Iterator[Standing]:
    """Bases that overlap none of `taken`; each is added to it. A third touches another or nearly so.

    Of these shapes alone where any are named.
    """
    armies = [any_look(random) for _ in range(2)]
    sizes = [
        shapes[int(random.integers(len(shapes)))] if shapes else any_footprint(random)
        for _ in range(random.integers(1, 5))
    ]
    for _ in range(count):
        shape = sizes[random.integers(len(sizes))]
        for _ in range(20):
            at = _place_near(random, shape, taken) if taken and random.random() < 0.35 else _anywhere(random, side_mm)
            if all(_apart(shape, at, other) for other in taken):
                base = Standing(shape, armies[random.integers(2)], at, random.uniform(-np.pi, np.pi))
                taken.append(base)
                yield base
                break


def _anywhere(random: Random, side_mm: float) -> tuple[float, float]:
    x, y = random.uniform(-25, side_mm + 25, 2).tolist()
    return x, y


def _place_near(random: Random, shape: Footprint, taken: list[Standing]) -> tuple[float, float]:
    other = taken[random.integers(len(taken))]
    angle = random.uniform(0, 2 * np.pi)
    gap = 0.02 if random.random() < 0.6 else random.uniform(0, 12)
    away = shape.reach_mm + other.shape.reach_mm + gap
    return other.at[0] + away * np.cos(angle), other.at[1] + away * np.sin(angle)


def _apart(shape: Footprint, at: tuple[float, float], other: Standing) -> bool:
    return float(np.hypot(at[0] - other.at[0], at[1] - other.at[1])) > shape.reach_mm + other.shape.reach_mm


def block(random: Random, *, side_mm: float, front_only: bool = False) -> Block:
    """A ranked unit, more or less in order; `front_only`: the rear ranks' bases are not marked."""
    width, depth = RECTS[random.integers(len(RECTS) - 3)]
    look = any_look(random)
    ranks, files = int(random.integers(1, 5)), int(random.integers(2, 7))
    turn, loose = random.uniform(-np.pi, np.pi), random.choice([0.05, 0.4, 1.2])
    middle = random.uniform(0.15, 0.85, 2) * side_mm
    ahead, left = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    shape, members = Footprint("rect", width, depth), []
    for rank in range(ranks):
        for file in range(files):
            if rank == ranks - 1 and random.random() < 0.15:
                continue
            x, y = (
                middle
                + left * (file - (files - 1) / 2) * (width + loose + 0.3)
                - ahead * (rank - (ranks - 1) / 2) * (depth + loose + 0.3)
            )
            jitter = np.clip(random.normal(0, loose / 3, 2), -loose / 2, loose / 2)
            at, facing = (x + jitter[0], y + jitter[1]), turn + random.normal(0, 0.008 * loose)
            painted = replace(look, marking="none") if front_only and rank else look
            members.append(Standing(shape, painted, at, facing, 0.0, True, rank, files - 1 - file))
    reach = Footprint("rect", files * (width + loose + 0.3) + 6, ranks * (depth + loose + 0.3) + 6)
    tray = Standing(reach, look, (float(middle[0]), float(middle[1])), turn) if random.random() < 0.3 else None
    return Block(tuple(members), tray)
