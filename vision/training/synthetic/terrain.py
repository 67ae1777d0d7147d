"""Hills, walls, woods, ruins and flat areas."""

from collections.abc import Iterator

import numpy as np

from calibration.arrays import Floats
from vision.training.synthetic.mat import any_colour, earthy, grey, near
from vision.training.synthetic.solid import Slice, ball, box, prism, ring, rod

Random = np.random.Generator
Spot = tuple[float, float]


def any_piece(random: Random, at: Spot) -> Iterator[Slice]:
    """A piece that bases do not stand on."""
    pieces = (_wall, _wall, _building, _woods, _rubble, _barrel)
    return pieces[random.integers(len(pieces))](random, at)


def area(random: Random, at: Spot) -> Iterator[Slice]:
    """A flat area that bases may stand on: water, forest floor, rubble, printed cloth."""
    outline = lump(random, random.uniform(60, 180)) + at
    colour, high = earthy(random), random.uniform(0.2, 2.0)
    yield from prism(outline, 0, high, colour)
    for _ in range(random.integers(0, 60)):
        spot = np.array(at) + (outline[random.integers(len(outline))] - at) * np.sqrt(random.random())
        yield Slice(
            high + random.uniform(0.05, 1.0), lump(random, random.uniform(1, 14)) + spot, near(colour, random, 25)
        )


def hill(random: Random, at: Spot, *, high_mm: float) -> Iterator[Slice]:
    colour = earthy(random)
    yield from prism(lump(random, random.uniform(90, 200)) + at, 0, high_mm, colour, taper=random.uniform(0.02, 0.25))


def lump(random: Random, radius_mm: float) -> Floats:
    """A roundish outline."""
    corners = int(random.integers(7, 22))
    return ring(radius_mm, corners) * random.uniform(0.7, 1.0, (corners, 1)) * random.uniform(0.6, 1.0, 2)


def _wall(random: Random, at: Spot) -> Iterator[Slice]:
    turn, long, high = random.uniform(0, 7), random.uniform(40, 160), random.uniform(12, 45)
    stone = grey(random, 50, 190) if random.random() < 0.6 else any_colour(random)
    yield from prism(box(random.uniform(6, 18), long, at=at, turn_rad=turn), 0, high, stone)
    for _ in range(random.integers(0, 14)):
        away = random.uniform(-0.5, 0.5) * long
        spot = (at[0] + away * np.cos(turn), at[1] + away * np.sin(turn))
        brick = box(random.uniform(5, 16), random.uniform(5, 16), at=spot, turn_rad=turn)
        yield from prism(brick, high, high + random.uniform(0, 5), near(stone, random, 25))


def _building(random: Random, at: Spot) -> Iterator[Slice]:
    turn, high = random.uniform(0, 7), random.uniform(40, 110)
    outline = box(random.uniform(60, 130), random.uniform(60, 150), at=at, turn_rad=turn)
    walls = any_colour(random)
    yield from prism(outline, 0, high, walls)
    yield from prism(outline, high, high + random.uniform(0, 40), any_colour(random), taper=random.uniform(0, 0.9))


def _woods(random: Random, at: Spot) -> Iterator[Slice]:
    for _ in range(random.integers(1, 6)):
        x, y = np.array(at) + random.normal(0, 35, 2)
        high, wide, leaf = random.uniform(50, 130), random.uniform(12, 40), near((40, 90, 50), random, 40)
        yield from rod((x, y, 0), (x, y, high * 0.6), 3, near((30, 50, 80), random, 20))
        if random.random() < 0.5:
            yield from prism(np.add(ring(wide), (x, y)), 0.2 * high, high, leaf, taper=0.95)
        else:
            for _ in range(6):
                spot = (*(np.array([x, y]) + random.normal(0, wide / 2, 2)), high * random.uniform(0.5, 0.9))
                yield from ball(spot, (wide / 2, wide / 2, wide / 2), near(leaf, random, 25))


def _rubble(random: Random, at: Spot) -> Iterator[Slice]:
    stone = earthy(random)
    for _ in range(random.integers(5, 30)):
        spot = np.array(at) + random.normal(0, 30, 2)
        yield from prism(lump(random, random.uniform(2, 14)) + spot, 0, random.uniform(2, 14), near(stone, random, 25))


def _barrel(random: Random, at: Spot) -> Iterator[Slice]:
    """A round thing that stands upright, and is taller than any base."""
    radius, high, colour = random.uniform(6, 35), random.uniform(12, 60), any_colour(random)
    yield from prism(ring(radius, 32) + at, 0, high, colour, taper=random.uniform(0, 0.15))
    yield Slice(high + 0.1, ring(radius * random.uniform(0.5, 0.9), 32) + at, near(colour, random, 30))
