"""What lies on tables and is no base: dice, tokens, coins, cards, tapes, templates, rulers, hands."""

from collections.abc import Iterator

import numpy as np

from vision.training.synthetic.palette import any_colour, grey, near
from vision.training.synthetic.solid import Slice, ball, box, prism, ring, rod

Random = np.random.Generator
Spot = tuple[float, float]


def any_thing(random: Random, at: Spot) -> Iterator[Slice]:
    things = (_die, _die, token, token, token, coin, _card, _tape, _template, _ruler, _pen, _litter)
    return things[random.integers(len(things))](random, at)


def _die(random: Random, at: Spot) -> Iterator[Slice]:
    side, turn, colour = random.uniform(8, 20), random.uniform(0, 7), any_colour(random)
    yield from prism(box(side, side, at=at, turn_rad=turn), 0, side, colour)
    pip = grey(random, 0, 60) if sum(colour) > 380 else grey(random, 200, 250)
    for _ in range(random.integers(1, 7)):
        spot = np.array(at) + random.uniform(-0.3, 0.3, 2) * side
        yield Slice(side + 0.02, ring(side * 0.09, 8) + spot, pip)


def token(random: Random, at: Spot) -> Iterator[Slice]:
    """A flat printed disc or plate."""
    size, thick, turn = random.uniform(5, 30), random.uniform(0.5, 3.5), random.uniform(0, 7)
    corners = int(random.choice([40, 40, 40, 40, 4, 6, 8]))
    outline = (ring(size, corners) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])) + at
    yield from prism(outline, 0, thick, any_colour(random))
    middle = np.array(at)
    for share in random.uniform(0.2, 0.95, random.integers(0, 4)):
        yield Slice(thick + 0.02 - 0.01 * share, middle + (outline - middle) * share, any_colour(random))


def disc(random: Random, at: Spot, *, radius_mm: float) -> Iterator[Slice]:
    """A flat template or token of this size, plain or printed."""
    colour, z = any_colour(random), random.uniform(0.8, 3)
    yield from prism(ring(radius_mm, 64) + at, 0, z, colour)
    for share in random.uniform(0.1, 0.9, random.integers(0, 3)):
        yield Slice(z + 0.03 - 0.01 * share, ring(radius_mm * share, 56) + at, near(colour, random, 40))


def coin(random: Random, at: Spot) -> Iterator[Slice]:
    radius, metal = random.uniform(8, 14), near((70, 120, 165), random, 30)
    yield from prism(ring(radius, 40) + at, 0, 2, metal)
    yield Slice(2.1, ring(radius * random.uniform(0.7, 0.92), 40) + at, near(metal, random, 15))
    for _ in range(random.integers(3, 12)):
        spot = np.array(at) + random.normal(0, 0.25 * radius, 2)
        yield Slice(2.2, ring(radius * random.uniform(0.05, 0.3), 7) + spot, near(metal, random, 20))


def _card(random: Random, at: Spot) -> Iterator[Slice]:
    turn = random.uniform(0, 7)
    outline = box(random.uniform(45, 70), random.uniform(60, 110), at=at, turn_rad=turn)
    yield Slice(0.4, outline, grey(random, 150, 250) if random.random() < 0.6 else any_colour(random))
    middle = np.array(at)
    if random.random() < 0.7:
        yield Slice(0.45, middle + (outline - middle) * 0.88, any_colour(random))
        for _ in range(random.integers(1, 9)):
            spot = middle + (outline[random.integers(4)] - middle) * random.uniform(0, 0.7)
            bar = box(random.uniform(2, 30), random.uniform(1, 4), at=(0, 0), turn_rad=turn)
            yield Slice(0.5, bar + spot, any_colour(random))


def _tape(random: Random, at: Spot) -> Iterator[Slice]:
    turn, colour = random.uniform(0, 7), any_colour(random, least_value=90)
    case = random.uniform(35, 65)
    yield from prism(box(case, case, at=at, turn_rad=turn), 0, random.uniform(20, 35), colour)
    long, wide = random.uniform(50, 400), random.uniform(10, 20)
    middle = (at[0] + long / 2 * np.cos(turn), at[1] + long / 2 * np.sin(turn))
    z = random.uniform(0.5, 12)
    yield Slice(z, box(wide, long, at=middle, turn_rad=turn), near((60, 200, 235), random, 25))
    for k in range(int(long / 12.7)):
        spot = (at[0] + 12.7 * k * np.cos(turn), at[1] + 12.7 * k * np.sin(turn))
        yield Slice(z + 0.02, box(wide * 0.6, 0.8, at=spot, turn_rad=turn), grey(random, 0, 60))


def _template(random: Random, at: Spot) -> Iterator[Slice]:
    """A disc of three, four or five inches, or a ring, or a long drop."""
    radius = float(random.choice([38.1, 50.8, 63.5]))
    colour, z = any_colour(random), random.uniform(1, 3)
    if random.random() < 0.3:
        angle = np.linspace(0, 2 * np.pi, 40)
        drop = np.column_stack([np.cos(angle) * 100, np.sin(angle) * 28 * (1 + 0.7 * np.cos(angle))])
        yield from prism(drop + at, 0, z, colour)
        return
    yield from prism(ring(radius, 56) + at, 0, z, colour)
    for share in random.uniform(0.1, 0.97, random.integers(0, 4)):
        yield Slice(z + 0.03 - 0.01 * share, ring(radius * share, 56) + at, near(colour, random, 40))


def _ruler(random: Random, at: Spot) -> Iterator[Slice]:
    turn, long, wide = random.uniform(0, 7), random.uniform(100, 320), random.uniform(12, 40)
    z, colour = random.uniform(1, 4), any_colour(random)
    yield from prism(box(wide, long, at=at, turn_rad=turn), 0, z, colour)
    for k in range(int(long / 10)):
        away = k * 10 - long / 2
        spot = (at[0] + away * np.cos(turn), at[1] + away * np.sin(turn))
        yield Slice(z + 0.02, box(wide * 0.4, 0.6, at=spot, turn_rad=turn), grey(random, 0, 80))


def _pen(random: Random, at: Spot) -> Iterator[Slice]:
    turn, long = random.uniform(0, 7), random.uniform(80, 150)
    end = (at[0] + long * np.cos(turn), at[1] + long * np.sin(turn), 5.0)
    yield from rod((*at, 5.0), end, random.uniform(3, 6), any_colour(random))


def _litter(random: Random, at: Spot) -> Iterator[Slice]:
    """Odd scraps: paper, stones, a bottle cap."""
    corners = random.integers(4, 9)
    outline = ring(1.0, int(corners)) * random.uniform(6, 35) * random.uniform(0.4, 1, (int(corners), 1)) + at
    yield from prism(outline, 0, random.uniform(0.3, 14), any_colour(random), taper=random.uniform(0, 0.5))


def arm(random: Random, *, side_mm: float) -> Iterator[Slice]:
    """A hand and its sleeve, reaching in from somewhere beyond the picture."""
    middle = random.uniform(0.1, 0.9, 2) * side_mm
    angle = random.uniform(0, 2 * np.pi)
    away = np.array([np.cos(angle), np.sin(angle)])
    height = random.uniform(30, 120)
    skin = near((120, 150, 200), random, 35) if random.random() < 0.7 else near((50, 70, 110), random, 20)
    wrist = middle + away * 90
    yield from ball((*middle, height), (55, 42, 14), skin, yaw_rad=angle)
    for k in range(-2, 3):
        knuckle = middle - away * 30 + np.array([-away[1], away[0]]) * 18 * k
        tip = knuckle - away * random.uniform(20, 55)
        yield from rod((*knuckle, height), (*tip, max(6, height - random.uniform(0, 45))), 9, near(skin, random, 8))
    elbow = wrist + away * 400
    yield from rod((*middle, height), (*wrist, height), 28, skin)
    for lift in (0, 8, 16):
        yield from rod((*wrist, height + lift), (*elbow, height + 60 + lift), 46 - lift, any_colour(random))
