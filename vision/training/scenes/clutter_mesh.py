"""Clutter: what lies and stands on tables and is no base; and terrain, hands and arms."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from calibration.arrays import Image
from vision.training.scenes.assets import Assets
from vision.training.scenes.base_mesh import rock, tuft
from vision.training.scenes.figure_mesh import disc_mesh
from vision.training.scenes.mesh import Mesh, ball, box, loft, prism, rectangle, ring, rod
from vision.training.scenes.surfaces import SurfaceBook, any_colour, earth, grey, near, photograph

Random = np.random.Generator
Maker = Callable[[Random, SurfaceBook, Assets], list[Mesh]]


def any_clutter(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """One thing about the origin."""
    return _THINGS[int(random.integers(len(_THINGS)))](random, book, assets)


def any_terrain(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """One piece of terrain about the origin."""
    return _PIECES[int(random.integers(len(_PIECES)))](random, book, assets)


def _draw_cover(random: Random, assets: Assets, shape: tuple[int, int]) -> Image:
    """A printed face: a picture, bars of text, frames, a large letter."""
    height, width = shape
    made = np.full(
        (height, width, 3), grey(random, 120, 250) if random.random() < 0.6 else any_colour(random), np.uint8
    )
    if random.random() < 0.6:
        side = max(8, int(min(shape) * random.uniform(0.4, 1)))
        piece = photograph(assets.grounds, random, side, px_per_photo=side * random.uniform(1, 3))
        y, x = int((height - side) * random.random()), int((width - side) * random.random())
        made[y : y + side, x : x + side] = piece
    for _ in range(int(random.integers(0, 12))):
        y, x, long = int(random.integers(0, height)), int(random.integers(0, width)), int(random.integers(4, width))
        cv2.rectangle(made, (x, y), (x + long, y + int(random.integers(1, 5))), any_colour(random), -1)
    if random.random() < 0.4:
        cv2.rectangle(made, (2, 2), (width - 3, height - 3), any_colour(random), int(random.integers(1, 6)))
    if random.random() < 0.4:
        letter = chr(int(random.integers(48, 90)))
        cv2.putText(
            made, letter, (width // 4, height * 3 // 4), 2, height / 45, any_colour(random), max(1, height // 24)
        )
    return made


def _die(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    made = []
    for _ in range(int(random.integers(1, 5))):
        side, colour = random.uniform(8, 18), any_colour(random)
        face = np.full((32, 32, 3), colour, np.uint8)
        for _ in range(int(random.integers(1, 7))):
            cv2.circle(
                face,
                tuple(random.integers(5, 27, 2).tolist()),
                3,
                grey(random, 200, 250) if sum(colour) < 380 else (20, 20, 20),
                -1,
            )
        skin = book.paint(texture=book.texture(face), gloss=random.uniform(0, 0.4))
        x, y = random.normal(0, 18, 2).tolist()
        made.append(box((side, side, side), at_mm=(x, y, 0.0), turn_rad=random.uniform(0, 7)).of(skin, 0))
    return made


def _card(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """Cards, books, sheets, phones."""
    pick = random.random()
    size = (
        (88.0, 63.0, 0.4) if pick < 0.4 else (random.uniform(30, 230), random.uniform(25, 160), random.uniform(0.3, 18))
    )
    gloss = random.choice([0.0, 0.4, 1.2]) * random.random()
    skin = book.paint(texture=book.texture(_draw_cover(random, assets, (96, 128))), gloss=gloss, shininess=60)
    if pick > 0.85:
        size, skin = (150.0, 72.0, 8.5), book.paint(grey(random, 8, 40), gloss=1.5, shininess=200)
    count = int(random.integers(1, 4)) if pick < 0.4 else 1
    turn = random.uniform(0, 7)
    return [
        box(
            size, at_mm=(*(random.normal(0, 30, 2) * (k > 0)).tolist(), 0.4 * k), turn_rad=turn + random.normal(0, 0.4)
        ).of(skin, 0)
        for k in range(count)
    ]


def _token(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """Discs and plates of every size, those of bases among them: flat, printed, no figure on them."""
    made = []
    for _ in range(int(random.integers(1, 4))):
        radius = float(np.exp(random.uniform(np.log(6), np.log(45))))
        corners = int(random.choice([44, 44, 44, 44, 4, 6, 8]))
        if random.random() < 0.5:
            skin = book.paint(texture=book.texture(_draw_cover(random, assets, (64, 64))), gloss=random.uniform(0, 0.5))
        else:
            skin = book.paint(any_colour(random), gloss=random.uniform(0, 0.5), grain=random.uniform(0, 0.1))
        x, y = random.normal(0, 30, 2).tolist()
        made.append(
            prism(ring(radius, corners), 0.0, random.uniform(0.4, 3))
            .moved((x, y, 0.0), turn_rad=random.uniform(0, 7))
            .of(skin, 0)
        )
    return made


def _coin(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    made = []
    for _ in range(int(random.integers(1, 6))):
        metal = near((80, 130, 170) if random.random() < 0.5 else (160, 165, 170), random, 18)
        skin = book.paint(metal, texture=book.texture(_draw_cover(random, assets, (48, 48))), gloss=0.8)
        x, y = random.normal(0, 25, 2).tolist()
        made.append(disc_mesh(random.uniform(8, 14), 2.0).moved((x, y, 0.0)).of(skin, 0))
    return made


def _cup(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """Cups, cans, barrels, bowls, rolls of tape: round walls with something within."""
    radius, high, wall = random.uniform(10, 48), random.uniform(8, 90), random.uniform(1.5, 8)
    bulge = random.uniform(0.85, 1.2)
    rings = [(radius, 0.0), (radius * bulge, high / 2), (radius, high), (max(2.0, radius - wall), high)]
    rings += [(max(1.5, radius - wall - 0.3), high * random.uniform(0.1, 0.95))]
    points = [np.column_stack([ring(r, 32), np.full(32, z, np.float32)]) for r, z in rings]
    texels = [level[:, :2] / (2.4 * radius) + 0.5 for level in points]
    skin = book.paint(
        any_colour(random), texture=book.texture(_draw_cover(random, assets, (64, 64))), gloss=random.uniform(0, 0.8)
    )
    return [loft(points, texels).of(skin, 0)]


def _tape(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    case = random.uniform(35, 65)
    made = [
        box((case, case, random.uniform(20, 35)), at_mm=(0, 0, 0)).of(
            book.paint(any_colour(random, least=80), gloss=0.3), 0
        )
    ]
    strip = _strip(random, book, random.uniform(80, 420), random.uniform(10, 22))
    return [*made, strip.moved((case / 2, 0.0, 0.0))]


def _strip(random: Random, book: SurfaceBook, long: float, wide: float) -> Mesh:
    """A band with marks, from the origin along x."""
    face = np.full(
        (24, 512, 3), near((60, 200, 235), random, 30) if random.random() < 0.6 else any_colour(random), np.uint8
    )
    for k in range(0, 512, int(random.integers(6, 24))):
        cv2.line(face, (k, 0), (k, int(random.integers(6, 24))), (20, 20, 20), 1)
    outline = rectangle(long, wide) + np.array([long / 2, 0], np.float32)
    return prism(np.asarray(outline, np.float32), 0.3, random.uniform(0.6, 4)).of(
        book.paint(texture=book.texture(face)), 0
    )


def _ruler(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    return [
        _strip(random, book, random.uniform(100, 320), random.uniform(12, 45)).moved(
            (0.0, 0.0, 0.0), turn_rad=random.uniform(0, 7)
        )
    ]


def _template(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    radius = float(random.choice([38.1, 50.8, 63.5]))
    skin = book.paint(
        any_colour(random), texture=book.texture(_draw_cover(random, assets, (96, 96))), gloss=random.uniform(0, 1)
    )
    return [disc_mesh(radius, random.uniform(0.8, 3)).of(skin, 0)]


def _pen(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    return [
        rod((-60, 0, 5), (random.uniform(20, 80), random.normal(0, 20), 5), (4, 4)).of(
            book.paint(any_colour(random), gloss=0.5), 0
        )
    ]


def _actor(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """A thing out of the game: stones, wells, bushes, statues."""
    pool = assets.figures.get("clutter", [])
    if not pool:
        return _cup(random, book, assets)
    figure = pool[int(random.integers(len(pool)))]
    scale = random.uniform(15, 110) / max(float(figure.size[:2].max()), 0.5)
    skin = book.paint(texture=book.texture(figure.skin), is_flat=False)
    return [
        Mesh(figure.vertices, figure.faces)
        .moved((0.0, 0.0, 0.0), turn_rad=random.uniform(0, 7), scale=scale)
        .of(skin, 0)
    ]


def _tree(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """A crown of lumps or of toothed layers, often on a round plate of its own, which is no base of a figure."""
    radius, leaf = random.uniform(10, 55), near((40, 95, 60), random, 35)
    high = random.uniform(0.8, 2.0) * radius
    green = book.paint(leaf, is_flat=False, grain=0.4)
    made = [rod((0, 0, 0), (0, 0, high), (3, 2)).of(book.paint(earth(random)), 0)]
    if random.random() < 0.6:
        plate = disc_mesh(radius * random.uniform(0.5, 1.1), random.uniform(1, 4))
        made.append(plate.of(_stone(random, book, assets), 0))
    for _ in range(int(random.integers(5, 18))):
        angle, away, size = (
            random.uniform(0, 7),
            radius * np.sqrt(random.random()) * 0.7,
            random.uniform(0.25, 0.5) * radius,
        )
        at = (float(away * np.cos(angle)), float(away * np.sin(angle)), float(high + random.normal(0, 0.2) * radius))
        made.append(ball(at, (size, size, size * 0.8)).of(green, 0))
    return made


def _wall(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    stone = _stone(random, book, assets)
    size = (random.uniform(40, 160), random.uniform(4, 16), random.uniform(6, 30))
    return [box(size, at_mm=(0, 0, 0), turn_rad=random.uniform(0, 7)).of(stone, 0)]


def _stone(random: Random, book: SurfaceBook, assets: Assets) -> int:
    return book.paint(
        texture=book.texture(photograph(assets.grounds, random, 128, px_per_photo=random.uniform(100, 400)))
    )


def _house(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    size = (random.uniform(50, 180), random.uniform(40, 140), random.uniform(20, 110))
    made = [box(size, at_mm=(0, 0, 0)).of(_stone(random, book, assets), 0)]
    roof = prism(
        rectangle(size[0] + 8, size[1] + 8), size[2], size[2] + random.uniform(4, 40), taper=random.uniform(0, 0.9)
    )
    return [*made, roof.of(_stone(random, book, assets), 0)]


def _area(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """A flat piece of ground, or a hill in steps, with rocks and tufts."""
    count, radius = 28, random.uniform(40, 130)
    rough = 1 + np.interp(np.arange(count), np.arange(0, count, 4), random.normal(0, 0.16, count // 4), period=count)
    outline = np.asarray(ring(radius, count) * rough[:, None] * (1, random.uniform(0.5, 1)), np.float32)
    skin, made = _stone(random, book, assets), []
    steps = int(random.integers(1, 4)) if random.random() < 0.5 else 1
    each = random.uniform(0.8, 4) if steps == 1 else random.uniform(8, 25)
    for k in range(steps):
        made.append(
            prism(outline * np.float32(1 - 0.2 * k), k * each, (k + 1) * each, taper=random.uniform(0, 0.15)).of(
                skin, 0
            )
        )
    for _ in range(int(random.integers(0, 8))):
        x, y = (random.uniform(-0.6, 0.6, 2) * radius).tolist()
        thing = rock(random, random.uniform(2, 12)) if random.random() < 0.5 else tuft(random, random.uniform(3, 8))
        paint = skin if random.random() < 0.5 else book.paint(near((50, 110, 100), random, 35), is_flat=False)
        made.append(thing.moved((x, y, steps * each)).of(paint, 0))
    return made


def _rubble(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    skin = _stone(random, book, assets)
    spread = random.uniform(10, 60)
    return [
        rock(random, random.uniform(1, 14)).moved((*random.normal(0, spread, 2).tolist(), 0.0)).of(skin, 0)
        for _ in range(int(random.integers(4, 30)))
    ]


def arm_meshes(random: Random, book: SurfaceBook, assets: Assets, side_mm: float) -> list[Mesh]:
    """A hand, its forearm and a sleeve that reach in from beyond the tile."""
    middle, turn = random.uniform(-0.4, 0.4, 2) * side_mm, random.uniform(0, 2 * np.pi)
    away = np.array([np.cos(turn), np.sin(turn), 0.25])
    palm = np.array([*middle, random.uniform(25, 110)])
    tone = near((130, 160, 205), random, 18) if random.random() < 0.65 else near((50, 75, 115), random, 18)
    skin = book.paint(tone, is_flat=False, gloss=0.08, grain=0.05)
    side = np.array([-away[1], away[0], 0.0])
    made = [ball((*palm.tolist(),), (48.0, 40.0, 13.0), turn_rad=turn).of(skin, 0)]
    for k in range(-2, 3):
        knuckle = palm - away * 34 + side * 16 * k
        bent = knuckle - away * random.uniform(15, 34) + (0, 0, random.uniform(-18, 4))
        tip = bent - away * random.uniform(5, 26) + (0, 0, random.uniform(-26, 2))
        tip[2], bent[2] = max(tip[2], 7.0), max(bent[2], 8.0)
        made += [
            rod(knuckle, bent, (9, 8)).of(skin, 0),
            rod(bent, tip, (8, 6.5)).of(skin, 0),
            ball((*tip.tolist(),), (7.0, 7.0, 7.0)).of(skin, 0),
        ]
    wrist, elbow = palm + away * 75, palm + away * random.uniform(260, 420)
    bare = palm + away * random.uniform(60, 260)
    made += [rod(palm, wrist, (28, 24), sides=12).of(skin, 0), rod(wrist, elbow, (25, 38), sides=12).of(skin, 0)]
    cloth = photograph(assets.grounds, random, 128, px_per_photo=random.uniform(128, 500))
    plain = random.random() < 0.6
    sleeve = book.paint(any_colour(random), grain=0.1) if plain else book.paint(texture=book.texture(cloth))
    made.append(rod(bare, elbow + away * 200, (random.uniform(34, 50), random.uniform(50, 70)), sides=14).of(sleeve, 0))
    return made


_THINGS: Sequence[Maker] = (_die, _card, _card, _token, _token, _coin, _cup, _tape, _ruler, _template, _pen, _actor)
_PIECES: Sequence[Maker] = (_tree, _tree, _wall, _house, _area, _area, _rubble, _actor)
