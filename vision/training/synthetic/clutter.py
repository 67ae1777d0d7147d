"""What lies on tables and is no base: dice, tokens, coins, cards, tapes, templates, rulers, hands.

Round things that are no bases and that a ring fits: crowns of trees, craters, towers, cups, bushes, coasters.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from calibration.arrays import Floats
from vision.training.synthetic.mat import any_colour, earthy, grey, near
from vision.training.synthetic.solid import Colour, Slice, ball, box, prism, ring, rod

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


OFTEN = 0.45  # of all tiles hold some
_MOST = 3


def hard_negatives(random: Random, *, side_mm: float) -> Iterator[list[Slice]]:
    """None on most tiles, a few on others; each is to be left away where it would bury a base."""
    if random.random() > OFTEN:
        return
    for _ in range(random.integers(1, _MOST + 1)):
        x, y = random.uniform(-10, side_mm + 10, 2).tolist()
        yield list(_MAKES[int(random.integers(len(_MAKES)))](random, (x, y)))


def _radius_mm(random: Random, low: float, high: float) -> float:
    """Sizes are spread evenly by their ratios, as those of bases are."""
    return float(np.exp(random.uniform(np.log(low), np.log(high))))


def _leafy(random: Random) -> Colour:
    return near((40, 95, 60), random, 45) if random.random() < 0.75 else earthy(random)


def _draw_leaf(random: Random, at: Spot) -> Iterator[Slice]:
    """A crown of many tufts about a dome."""
    wide, leaf = _radius_mm(random, 15, 75), _leafy(random)
    high, flat = random.uniform(0.8, 2.2) * wide, random.uniform(0.3, 0.9)
    yield from rod((*at, 0.0), (*at, high * 0.7), max(2.0, wide * 0.1), near((30, 50, 80), random, 20))
    tufts, size = int(random.integers(14, 60)), random.uniform(0.15, 0.4) * wide
    for _ in range(tufts):
        away, angle = wide * np.sqrt(random.random()) * 0.9, random.uniform(0, 2 * np.pi)
        rise = high - flat * wide * (away / wide) ** 2 - random.uniform(0, 0.15) * wide
        spot = (at[0] + away * np.cos(angle), at[1] + away * np.sin(angle), max(rise, size))
        yield from ball(spot, (size, size * random.uniform(0.6, 1), size * 0.5), near(leaf, random, 22))


def _fir(random: Random, at: Spot) -> Iterator[Slice]:
    """Toothed layers, each smaller than the one below."""
    wide, leaf = _radius_mm(random, 12, 60), _leafy(random)
    high, layers, teeth = random.uniform(1.2, 3.0) * wide, int(random.integers(4, 9)), int(random.integers(9, 24))
    for layer in range(layers):
        share = 1 - layer / layers
        yield Slice(high * (layer + 1) / layers, _draw_gear(random, wide * share, teeth) + at, near(leaf, random, 18))


def _draw_gear(random: Random, radius_mm: float, teeth: int) -> Floats:
    reach = np.where(np.arange(2 * teeth) % 2, random.uniform(0.7, 0.95), 1.0)
    return ring(radius_mm, 2 * teeth) * (reach * random.uniform(0.9, 1.05, 2 * teeth))[:, None]


def _bush(random: Random, at: Spot) -> Iterator[Slice]:
    wide, leaf = _radius_mm(random, 8, 35), _leafy(random)
    for _ in range(int(random.integers(12, 50))):
        away, angle = wide * np.sqrt(random.random()), random.uniform(0, 2 * np.pi)
        spot = (at[0] + away * np.cos(angle), at[1] + away * np.sin(angle))
        high, size = random.uniform(1, 12), random.uniform(0.08, 0.3) * wide
        yield Slice(high, ring(size, int(random.integers(5, 9))) + spot, near(leaf, random, 25))


def _crater(random: Random, at: Spot) -> Iterator[Slice]:
    """A round wall of earth, lower ground within."""
    wide, high, soil = _radius_mm(random, 18, 80), random.uniform(3, 16), earthy(random)
    rough = random.uniform(0.94, 1.06, 40)[:, None]
    yield Slice(0.1, ring(wide * 0.9, 40) * rough + at, near(soil, random, 30))
    for k in range(8):
        out, inner = wide * (1 - 0.03 * k), wide * (0.6 + 0.03 * k)
        yield Slice(0.2 + high * k / 7, _band(ring(out, 40) * rough, ring(inner, 40) * rough) + at, soil)
    yield from _strewn(random, at, wide * 0.9, 0.3, soil, size_mm=(0.6, 0.05 * wide + 0.7))


def _tower(random: Random, at: Spot) -> Iterator[Slice]:
    """A round keep, silo or drum; often with a parapet."""
    wide, high = _radius_mm(random, 15, 75), random.uniform(15, 110)
    stone = grey(random, 40, 200) if random.random() < 0.6 else any_colour(random)
    yield from prism(ring(wide, 48) + at, 0, high, stone, taper=random.uniform(0, 0.12))
    inside = wide * random.uniform(0.7, 0.9)
    yield Slice(high + 0.1, ring(inside, 48) + at, near(stone, random, 35))
    for k in range(int(random.integers(0, 9))):
        plank = box(random.uniform(2, 7), inside * 1.2, at=(at[0], at[1] + (k - 4) * inside / 6), turn_rad=0.0)
        yield Slice(high + 0.2, plank, near(stone, random, 45))
    if random.random() < 0.5:
        for k in range(6):
            yield Slice(high + 1.5 * k, _band(ring(wide, 48), ring(inside, 48)) + at, near(stone, random, 6))


def _cup(random: Random, at: Spot) -> Iterator[Slice]:
    """A cup, glass, bowl or roll of tape."""
    wide, high, glaze = _radius_mm(random, 15, 55), random.uniform(8, 100), any_colour(random)
    inner = wide * random.uniform(0.4, 0.95)
    yield Slice(0.1 * high, ring(inner, 48) + at, any_colour(random))
    for k in range(max(3, int(high / 2))):
        yield Slice(2.0 * k + 0.1, _band(ring(wide, 48), ring(inner, 48)) + at, glaze)


def _coaster(random: Random, at: Spot) -> Iterator[Slice]:
    """A printed disc: thin, its edge of one colour with what lies beside it."""
    wide, thick = _radius_mm(random, 12, 62), random.uniform(0.3, 2.0)
    ground = any_colour(random)
    yield Slice(thick, ring(wide, 64) + at, ground)
    yield from _strewn(random, at, wide * random.uniform(0.85, 1.0), thick, ground, size_mm=(0.5, 0.4 * wide))


def _strewn(
    random: Random, at: Spot, within_mm: float, z_mm: float, colour: Colour, *, size_mm: tuple[float, float]
) -> Iterator[Slice]:
    """Bits and patches that keep within a disc."""
    for _ in range(int(random.integers(4, 45))):
        size = random.uniform(*size_mm)
        away, angle = (within_mm - size) * np.sqrt(random.random()), random.uniform(0, 2 * np.pi)
        spot = (at[0] + away * np.cos(angle), at[1] + away * np.sin(angle))
        patch = ring(size, int(random.integers(4, 12))) * random.uniform(0.3, 1.0, 2)
        yield Slice(z_mm + random.uniform(0.01, 0.1), patch + spot, near(colour, random, 60))


def _band(outer_mm: Floats, inner_mm: Floats) -> Floats:
    """The outline of what lies between two rings, cut open in one place."""
    return np.concatenate([outer_mm, outer_mm[:1], inner_mm[:1], inner_mm[::-1]])


_MAKES: Sequence[Callable[[Random, Spot], Iterator[Slice]]] = (
    _draw_leaf, _draw_leaf, _fir, _bush, _crater, _tower, _cup, _coaster,
)  # fmt: skip
