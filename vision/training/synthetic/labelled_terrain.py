"""Pieces of terrain whose kind and outline are known, to judge by what is proposed of terrain."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from models.vocabulary import TerrainKind
from vision.training.synthetic.mat import any_colour, earthy, grey, near
from vision.training.synthetic.solid import Slice, ball, box, prism, ring, rod
from vision.training.synthetic.terrain import hill, lump

Random = np.random.Generator
Spot = tuple[float, float]

KINDS: tuple[TerrainKind, ...] = ("wall", "wall", "hedge", "building", "forest", "forest", "rubble", "water", "hill",
                                  "rough", "trench")  # fmt: skip


@dataclass(frozen=True)
class Piece:
    """What stands there: its foot's outline (N, 2) mm, its height, and what is to be drawn."""

    kind: TerrainKind
    outline_mm: Floats
    height_mm: float
    slices: tuple[Slice, ...]


def any_piece(random: Random, at: Spot) -> Piece:
    """A piece of a kind drawn at random, about there."""
    kind = KINDS[random.integers(len(KINDS))]
    if kind in ("wall", "hedge"):
        return _wall(kind, random, at)
    if kind == "building":
        return _building(random, at)
    if kind == "trench":
        return _trench(random, at)
    return _hill(random, at) if kind == "hill" else _area(kind, random, at)


def _wall(kind: TerrainKind, random: Random, at: Spot) -> Piece:
    turn, long, high = random.uniform(0, 7), random.uniform(70, 190), random.uniform(15, 55)
    stone = near((50, 95, 55), random, 30) if kind == "hedge" else _stone(random)
    outline = box(random.uniform(8, 20), long, at=at, turn_rad=turn)
    slices = list(prism(outline, 0, high, stone))
    for _ in range(random.integers(4, 24)):
        away = random.uniform(-0.45, 0.45) * long
        spot = (at[0] + away * np.cos(turn), at[1] + away * np.sin(turn))
        size = random.uniform(4, 8, 2)
        slices.append(Slice(high + 0.1, box(size[0], size[1], at=spot, turn_rad=turn), near(stone, random, 25)))
    return Piece(kind, outline, high, tuple(slices))


def _building(random: Random, at: Spot) -> Piece:
    turn, high = random.uniform(0, 7), random.uniform(50, 120)
    outline = box(random.uniform(70, 150), random.uniform(70, 170), at=at, turn_rad=turn)
    slices = list(prism(outline, 0, high, _stone(random)))
    slices += prism(outline, high, high + random.uniform(0, 35), any_colour(random), taper=random.uniform(0, 0.9))
    return Piece("building", outline, high, tuple(slices))


def _trench(random: Random, at: Spot) -> Piece:
    turn, earth = random.uniform(0, 7), earthy(random)
    outline = box(random.uniform(70, 85), random.uniform(115, 135), at=at, turn_rad=turn)
    inner = box(random.uniform(45, 60), 105, at=at, turn_rad=turn)
    dark = near((40, 50, 60), random, 15)
    return Piece("trench", outline, 1.5, (*prism(outline, 0, 1.5, earth), Slice(1.6, inner, dark)))


def _hill(random: Random, at: Spot) -> Piece:
    high = random.uniform(12, 45)
    slices = tuple(hill(random, at, high_mm=high))
    return Piece("hill", slices[0].outline_mm, high, slices)


def _area(kind: TerrainKind, random: Random, at: Spot) -> Piece:
    outline, high = lump(random, random.uniform(70, 150)) + at, random.uniform(0.5, 2.5)
    colour = near((120, 95, 50), random, 30) if kind == "water" else earthy(random)
    slices = list(prism(outline, 0, high, colour))
    for _ in range(random.integers(3, 50) if kind != "water" else random.integers(0, 8)):
        slices.append(Slice(high + 0.1, lump(random, random.uniform(1, 12)) + _within(outline, at, random),
                            near(colour, random, 20)))  # fmt: skip
    if kind == "forest":
        for _ in range(random.integers(2, 7)):
            slices += _tree(_within(outline, at, random), random)
    if kind == "rubble":
        for _ in range(random.integers(6, 30)):
            stone = lump(random, random.uniform(3, 14)) + _within(outline, at, random)
            slices += prism(stone, high, high + random.uniform(2, 14), grey(random, 60, 180))
    return Piece(kind, outline, high, tuple(slices))


def _tree(at: Floats, random: Random) -> Iterator[Slice]:
    x, y = at.tolist()
    high, wide, leaf = random.uniform(50, 120), random.uniform(12, 35), near((40, 90, 50), random, 40)
    yield from rod((x, y, 0), (x, y, high * 0.6), 3, near((30, 50, 80), random, 20))
    if random.random() < 0.5:
        yield from prism(np.add(ring(wide), (x, y)), 0.2 * high, high, leaf, taper=0.95)
    else:
        for _ in range(6):
            dx, dy = random.normal(0, wide / 2, 2).tolist()
            middle = (x + dx, y + dy, high * random.uniform(0.5, 0.9))
            yield from ball(middle, (wide / 2, wide / 2, wide / 2), near(leaf, random, 25))


def _within(outline: Floats, at: Spot, random: Random) -> Floats:
    """Somewhere inside, not at the rim."""
    middle = np.array(at)
    return np.asarray(middle + (outline[random.integers(len(outline))] - middle) * 0.8 * np.sqrt(random.random()))


def _stone(random: Random) -> tuple[float, float, float]:
    return grey(random, 60, 200) if random.random() < 0.6 else any_colour(random)
