"""The plastic on a base: people, beasts, riders and engines of rods, balls and boxes, leaning and reaching over."""

from collections.abc import Iterator

import numpy as np

from vision.training.synthetic.mat import any_colour, grey, near
from vision.training.synthetic.solid import Colour, Footprint, Slice, Vector3, ball, box, prism, rod

Random = np.random.Generator


class Stance:
    """Where the parts of one sculpt go: its own axes, `size` mm from its middle to where its base ends."""

    def __init__(self, at: tuple[float, float], ground_mm: float, turn_rad: float, size_mm: float, lean: float) -> None:
        self.at, self.ground_mm, self.turn_rad, self.size_mm = at, ground_mm, turn_rad, size_mm
        self._lean = lean

    def place(self, ahead: float, left: float, up_mm: float) -> Vector3:
        """A point this far ahead and left (in sizes) and up; what is higher leans further."""
        ahead += self._lean * up_mm / (3 * self.size_mm)
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        x = (ahead * cos - left * sin) * self.size_mm + self.at[0]
        y = (ahead * sin + left * cos) * self.size_mm + self.at[1]
        return x, y, self.ground_mm + up_mm


def slices(
    shape: Footprint, *, at: tuple[float, float], ground_mm: float, turn_rad: float, random: Random
) -> Iterator[Slice]:
    """What stands on this base; now and then nothing does."""
    size = shape.small_mm / 2
    turn = turn_rad + random.normal(0, 0.35)
    stance = Stance(at, ground_mm, turn, size, random.normal(0, 0.35))
    long_mm = max(shape.width_mm, shape.depth_mm)
    pick = random.random()
    if pick < 0.04:
        return
    if shape.kind != "round" and long_mm > 1.3 * shape.small_mm and pick < 0.75:
        yield from _mount(stance, long_mm / shape.small_mm, random)
    elif shape.small_mm >= 48 and pick < 0.75:
        yield from _engine(stance, random)
    elif pick < 0.12:
        yield from _blob(stance, random)
    else:
        yield from _figure(stance, random, scale=random.uniform(0.75, 1.1))


def _figure(stance: Stance, random: Random, *, scale: float, up_mm: float = 4.0) -> Iterator[Slice]:
    tall = min(stance.size_mm * 2.1, 46) * scale * random.uniform(0.8, 1.2)
    wide = min(stance.size_mm, 24) * scale
    coat, skin, steel = any_colour(random), any_colour(random), grey(random, 60, 200)
    unit = wide / stance.size_mm
    for left in (0.22, -0.22):
        foot = stance.place(random.normal(0, 0.2) * unit, left * unit, up_mm)
        yield from rod(
            foot, stance.place(0, left * 0.6 * unit, up_mm + 0.45 * tall), 0.14 * wide, near(coat, random, 20)
        )
    chest = stance.place(0, 0, up_mm + 0.6 * tall)
    yield from ball(chest, (0.26 * wide, 0.38 * wide, 0.2 * tall), coat, yaw_rad=stance.turn_rad)
    head = stance.place(0.08 * unit, 0, up_mm + 0.88 * tall)
    yield from ball(head, (0.19 * wide,) * 3, skin if random.random() < 0.6 else steel)
    for side in (1, -1):
        shoulder = stance.place(0, 0.4 * side * unit, up_mm + 0.7 * tall)
        hand = stance.place(
            random.uniform(-0.2, 0.9) * unit, random.uniform(0.3, 0.9) * side * unit, up_mm + 0.5 * tall
        )
        yield from rod(shoulder, hand, 0.1 * wide, near(coat, random, 25))
        if random.random() < 0.5:
            yield from ball(shoulder, (0.2 * wide,) * 3, any_colour(random))
        if random.random() < 0.55:
            yield from _weapon(stance, hand, wide, random)
    if random.random() < 0.35:
        yield from _cloak(stance, wide, tall, up_mm, any_colour(random))


def _weapon(stance: Stance, hand: Vector3, wide: float, random: Random) -> Iterator[Slice]:
    """A blade, a gun, a pole or a shield, often far over the rim."""
    angle = stance.turn_rad + random.normal(0, 0.9)
    reach = wide * random.uniform(0.4, 1.7)
    back = reach * random.uniform(0, 0.6)
    x, y, z = hand
    start = (x - back * np.cos(angle), y - back * np.sin(angle), z + random.normal(0, 3))
    end = (x + reach * np.cos(angle), y + reach * np.sin(angle), max(5, z + random.normal(0, 7)))
    if random.random() < 0.25:
        yield from prism(
            box(wide * 0.8, 2, at=(x, y), turn_rad=angle), z - 0.5 * wide, z + 0.5 * wide, any_colour(random)
        )
    else:
        yield from rod(start, end, random.uniform(0.5, 1.8), grey(random, 30, 220))


def _cloak(stance: Stance, wide: float, tall: float, up_mm: float, colour: Colour) -> Iterator[Slice]:
    x, y, _ = stance.place(-0.25 * wide / stance.size_mm, 0, 0)
    outline = box(wide * 0.9, wide * 0.4, at=(x, y), turn_rad=stance.turn_rad)
    yield from prism(outline, stance.ground_mm + up_mm, stance.ground_mm + up_mm + 0.75 * tall, colour, taper=0.4)


def _engine(stance: Stance, random: Random) -> Iterator[Slice]:
    """A hulking body with arms, or a vehicle."""
    size = stance.size_mm
    body, trim, steel = any_colour(random), any_colour(random), grey(random, 40, 190)
    tall = size * random.uniform(1.2, 2.0)
    for left in (0.35, -0.35):
        leg = stance.place(random.normal(0, 0.1), left, 4)
        yield from rod(leg, stance.place(0, left, 0.5 * tall), 0.17 * size, steel)
    x, y, z = stance.place(random.normal(0, 0.1), 0, 0.5 * tall)
    if random.random() < 0.6:
        hull = box(
            size * random.uniform(0.7, 1.2), size * random.uniform(0.6, 1.0), at=(x, y), turn_rad=stance.turn_rad
        )
        yield from prism(hull, z - 2, z + 0.4 * tall, body, taper=random.uniform(-0.1, 0.3))
    else:
        yield from ball((x, y, z + 0.15 * tall), (0.5 * size, 0.6 * size, 0.3 * tall), body, yaw_rad=stance.turn_rad)
    yield from ball(stance.place(0.35, 0, 0.85 * tall), (0.2 * size,) * 3, steel)
    for side in (1, -1):
        shoulder = stance.place(0, 0.7 * side, 0.75 * tall)
        fist = stance.place(random.uniform(0.2, 1.1), random.uniform(0.5, 1.0) * side, 0.45 * tall)
        yield from ball(shoulder, (0.25 * size,) * 3, trim)
        yield from rod(shoulder, fist, 0.12 * size, near(body, random, 20))
        if random.random() < 0.6:
            yield from _weapon(stance, fist, size, random)


def _mount(stance: Stance, stretch: float, random: Random) -> Iterator[Slice]:
    """A beast along the base, and often a rider."""
    size = stance.size_mm
    hide = any_colour(random)
    long = 0.75 * stretch
    tall = size * random.uniform(1.2, 1.7)
    for ahead in (0.6 * long, -0.6 * long):
        for left in (0.3, -0.3):
            hip = stance.place(ahead, left * 0.8, 0.6 * tall)
            yield from rod(stance.place(ahead + random.normal(0, 0.1), left, 4), hip, 0.1 * size, hide)
    yield from ball(
        stance.place(0, 0, 0.7 * tall), (long * size, 0.4 * size, 0.28 * tall), hide, yaw_rad=stance.turn_rad
    )
    yield from rod(
        stance.place(0.8 * long, 0, 0.8 * tall), stance.place(1.15 * long, 0, 1.25 * tall), 0.18 * size, hide
    )
    if random.random() < 0.75:
        yield from _figure(stance, random, scale=0.9, up_mm=0.75 * tall)


def _blob(stance: Stance, random: Random) -> Iterator[Slice]:
    for _ in range(random.integers(2, 7)):
        radius = stance.size_mm * random.uniform(0.15, 0.5)
        ahead, left = random.normal(0, 0.35, 2).tolist()
        spot = stance.place(ahead, left, random.uniform(4, stance.size_mm))
        yield from ball(spot, (radius, radius * random.uniform(0.6, 1.2), radius), any_colour(random))
