"""Figures on bases: posed actors of a game where installed, and people, riders, beasts and engines of lumps."""

from collections.abc import Iterator

import numpy as np

from vision.training.scenes.assets import Assets, Figure
from vision.training.scenes.footprint import Footprint
from vision.training.scenes.mesh import Mesh, ball, box, prism, rectangle, ring, rod
from vision.training.scenes.surfaces import Colour, SurfaceBook, any_colour, earth, grey, near

Random = np.random.Generator
_PLASTIC = 0.2  # of the figures are not painted


def figure_meshes(shape: Footprint, random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """What stands on a base of this shape, about the middle of its top."""
    small, long = min(shape.width_mm, shape.depth_mm), max(shape.width_mm, shape.depth_mm)
    if random.random() < 0.07:
        return []
    people, beasts = assets.figures.get("people", []), assets.figures.get("beasts", [])
    along = 0.0 if shape.depth_mm >= shape.width_mm else np.pi / 2
    if people and random.random() < 0.55:
        return list(_pose_figure(random, book, people, beasts, small, long, along))
    if small < 38 and long < 1.4 * small:
        return list(_lump_person(random, book, 1.0))
    if random.random() < 0.4 and long >= 60:
        return list(_engine(random, book, small, long, along))
    return list(_lump_beast(random, book, small, long, along))


def _pose_figure(
    random: Random,
    book: SurfaceBook,
    people: list[Figure],
    beasts: list[Figure],
    small: float,
    long: float,
    along: float,
) -> Iterator[Mesh]:
    """One large body or, on large bases, sometimes several small ones."""
    if small >= 45 and random.random() < 0.25:
        for _ in range(int(random.integers(2, 6))):
            figure = people[int(random.integers(len(people)))]
            x, y = (random.uniform(-0.3, 0.3, 2) * small).tolist()
            yield _set(figure, random, book, scale=random.uniform(6.5, 9.0), at=(x, y, 0.0), turn=random.uniform(0, 7))
        return
    pool = beasts if beasts and long > 45 and random.random() < 0.5 else people
    options = [pool[int(random.integers(len(pool)))] for _ in range(6)]
    wanted = random.uniform(0.75, 1.7) * (long if long > 1.3 * small else small)
    best = min(options, key=lambda figure: abs(np.log(max(float(figure.size[:2].max()), 0.5) * 8.5 / wanted)))
    scale = float(np.clip(wanted / max(float(best.size[:2].max()), 0.5), 6.0, 34.0))
    scale = random.uniform(6.5, 9.5) if small < 38 and long < 1.5 * small else scale
    is_deep = best.size[1] >= best.size[0]
    turn = along + (np.pi / 2 if is_deep else 0.0) + random.normal(0, 0.25) + np.pi * random.integers(0, 2)
    high = 0.0 if random.random() > 0.05 else random.uniform(10, 40)
    if high:
        yield rod((0, 0, 0), (0, 0, high + 8), (1.5, 1.2)).of(book.paint((210, 215, 220), gloss=0.5), 0)
    yield _set(best, random, book, scale=scale, at=(0.0, 0.0, high), turn=turn)


def _set(
    figure: Figure, random: Random, book: SurfaceBook, *, scale: float, at: tuple[float, float, float], turn: float
) -> Mesh:
    """The figure in its own skin, tinted, or in bare plastic or primer."""
    gloss = random.choice([0.0, 0.1, 0.5]) * random.random()
    if random.random() < _PLASTIC:
        paint = book.paint(grey(random, 15, 200), is_flat=False, gloss=gloss)
    else:
        tint = (
            (np.asarray(any_colour(random, least=150)) * 0.5 + 127).tolist()
            if random.random() < 0.4
            else (255, 255, 255)
        )
        paint = book.paint(
            (np.asarray(tint) * random.uniform(0.7, 1.25)).tolist(),
            texture=book.texture(figure.skin),
            is_flat=False,
            gloss=gloss,
        )
    return Mesh(figure.vertices, figure.faces).moved(at, turn_rad=turn, scale=scale).of(paint, 0)


def _paints(random: Random, book: SurfaceBook) -> list[int]:
    colours: list[Colour] = [
        any_colour(random),
        earth(random),
        near((120, 150, 200), random, 30),
        grey(random, 20, 220),
    ]
    gloss = random.choice([0.0, 0.2, 0.7]) * random.random()
    return [book.paint(colour, is_flat=False, gloss=gloss, grain=random.uniform(0, 0.2)) for colour in colours]


def _lump_person(random: Random, book: SurfaceBook, scale: float) -> Iterator[Mesh]:
    """Legs, trunk, head, arms, a weapon and perhaps a shield or a banner."""
    cloth, leather, skin, metal = _paints(random, book)
    high, lean = random.uniform(24, 34) * scale, random.normal(0, 2.5, 2)
    hip, neck = np.array([*(lean * 0.4), high * 0.45]), np.array([*lean, high * 0.82])
    for side in (-1, 1):
        foot = np.array([random.normal(0, 3), side * random.uniform(2, 6), 0.0]) * scale
        yield rod(foot, hip, (1.6 * scale, 2.3 * scale), sides=6).of(leather, 0)
    yield rod(hip, neck, (3.2 * scale, 4.6 * scale), sides=8).of(cloth, 0)
    yield ball((*neck.tolist(),), (4.6 * scale, 6.0 * scale, 3.0 * scale)).of(cloth, 0)
    yield ball((lean[0], lean[1], high * 0.95), (2.7 * scale, 2.5 * scale, 3.2 * scale)).of(
        skin if random.random() < 0.6 else metal, 0
    )
    for side in (-1, 1):
        shoulder = neck + np.array([0, side * 5 * scale, 0])
        hand = neck + np.array([random.uniform(2, 11), side * random.uniform(3, 11), random.uniform(-11, 9)]) * scale
        yield rod(shoulder, hand, (1.8 * scale, 1.4 * scale), sides=6).of(cloth, 0)
        if random.random() < 0.7:
            tip = hand + np.array([random.normal(6, 12), random.normal(0, 9), random.normal(6, 12)]) * scale
            yield rod(hand - (tip - hand) * random.uniform(0, 1), tip, (0.7 * scale, 0.7 * scale), sides=5).of(metal, 0)
        elif random.random() < 0.4:
            yield box((2 * scale, 9 * scale, 12 * scale), at_mm=(*(hand - (0, 0, 6)).tolist(),)).of(leather, 0)


def _lump_beast(random: Random, book: SurfaceBook, small: float, long: float, along: float) -> Iterator[Mesh]:
    """A trunk on legs with neck, head, tail, perhaps wings and a rider; it reaches over its base."""
    hide, dark, skin, _ = _paints(random, book)
    length, thick = random.uniform(0.55, 1.15) * long, random.uniform(0.3, 0.55) * small
    high = random.uniform(0.5, 1.1) * small + 8
    made = [ball((0, 0, high), (length / 2, thick / 2, thick * 0.5)).of(hide, 0)]
    for x in (-0.33, 0.33):
        for y in (-0.4, 0.4):
            made.append(
                rod(
                    (x * length + random.normal(0, 3), y * thick * 1.5, 0),
                    (x * length, y * thick, high),
                    (2.2, 3.5),
                    sides=6,
                ).of(hide, 0)
            )
    neck = (length * 0.62, random.normal(0, 4), high + random.uniform(0, 0.5) * small)
    made += [
        rod((length * 0.35, 0, high), neck, (thick * 0.3, thick * 0.2)).of(hide, 0),
        ball(neck, (thick * 0.4, thick * 0.22, thick * 0.25)).of(skin, 0),
    ]
    made.append(
        rod((-length * 0.4, 0, high), (-length * 0.8, random.normal(0, 9), high * 0.6), (thick * 0.2, 1)).of(hide, 0)
    )
    if random.random() < 0.3:
        for side in (-1, 1):
            wing = rectangle(length * 0.7, small * random.uniform(0.5, 1)) + np.array([0, side * small * 0.45])
            made.append(prism(np.asarray(wing, np.float32), high + 6, high + 7.5).of(dark, 0))
    if random.random() < 0.5:
        made += [part.moved((0.0, 0.0, high + 1)) for part in _lump_person(random, book, 0.9)]
    yield from (part.moved((0.0, 0.0, 0.0), turn_rad=along) for part in made)


def _engine(random: Random, book: SurfaceBook, small: float, long: float, along: float) -> Iterator[Mesh]:
    """A chariot, gun or vehicle: boxes, wheels and a barrel."""
    body, wheel, _, metal = _paints(random, book)
    size = (random.uniform(0.5, 0.95) * long, random.uniform(0.4, 0.8) * small, random.uniform(8, 35))
    made = [box(size, at_mm=(0.0, 0.0, random.uniform(2, 9))).of(body, 0)]
    made.append(box((size[0] * 0.5, size[1] * 0.7, 10.0), at_mm=(-0.1 * size[0], 0.0, size[2])).of(wheel, 0))
    for x in (-0.35, 0.3):
        for side in (-1, 1):
            at = np.array([x * size[0], side * size[1] * 0.55, 7.0])
            made.append(rod(at, at + np.array([0, side * 3, 0]), (7, 7), sides=14).of(wheel, 0))
    if random.random() < 0.6:
        made.append(rod((0, 0, size[2] + 5), (size[0] * 0.8, random.normal(0, 6), size[2] + 5), (3, 2)).of(metal, 0))
    if random.random() < 0.5:
        made += [part.moved((-0.1 * size[0], 0.0, size[2] + 8)) for part in _lump_person(random, book, 0.9)]
    turn = along + np.pi * int(random.integers(0, 2))
    yield from (part.moved((0.0, 0.0, 0.0), turn_rad=turn) for part in made)


def disc_mesh(radius_mm: float, high_mm: float) -> Mesh:
    """A flat cylinder on the table."""
    return prism(ring(radius_mm, 44), 0.0, high_mm)
