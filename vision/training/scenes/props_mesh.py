"""Props: what looks like a base and is none; doors, crates, books, barrels, wheels, and discs at other heights."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from calibration.arrays import Image
from vision.training.scenes.assets import Assets
from vision.training.scenes.figure_mesh import disc_mesh
from vision.training.scenes.mesh import Mesh, box, loft, prism, rectangle, ring, rod
from vision.training.scenes.surfaces import SurfaceBook, any_colour, earth, grey, near, photograph

Random = np.random.Generator
Maker = Callable[[Random, SurfaceBook, Assets], list[Mesh]]


def any_prop(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """One prop, or a few of a kind, about the origin."""
    return _PROPS[int(random.integers(len(_PROPS)))](random, book, assets)


def _boards(random: Random, assets: Assets, side: int = 64) -> Image:
    """Planks with joints and bands, over a photograph or a plain tone."""
    made = photograph(assets.grounds, random, side, px_per_photo=random.uniform(60, 300)).astype(np.float32)
    tone = np.asarray(earth(random) if random.random() < 0.7 else any_colour(random), np.float32)
    made = made * np.float32(0.4) + tone * np.float32(0.6)
    for x in range(0, side, int(random.integers(6, 22))):
        cv2.line(made, (x, 0), (x, side), grey(random, 5, 60), 1)
    for _ in range(int(random.integers(0, 3))):
        y = int(random.integers(0, side))
        cv2.rectangle(made, (0, y), (side, y + int(random.integers(2, 8))), grey(random, 10, 120), -1)
    return np.clip(made, 0, 255).astype(np.uint8)


def _skin(random: Random, book: SurfaceBook, picture: Image) -> int:
    return book.paint(texture=book.texture(picture), gloss=random.choice([0.0, 0.1, 0.5]) * random.random())


def _scatter(random: Random, spread_mm: float, is_alone: bool) -> tuple[float, float, float]:
    x, y = random.normal(0, 0.0 if is_alone else spread_mm, 2).tolist()
    return x, y, 0.0


def _doors(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """Doors and panels: upright in a frame, or lying flat and as large as a base."""
    skin, made = _skin(random, book, _boards(random, assets)), []
    wide, high = random.uniform(18, 60), random.uniform(25, 75)
    for k in range(int(random.integers(1, 4))):
        size = (wide, random.uniform(1.5, 5), high) if random.random() < 0.4 else (wide, high, random.uniform(1.5, 5))
        place = _scatter(random, 45, k == 0)
        made.append(box(size, at_mm=place, turn_rad=random.uniform(0, 7)).of(skin, 0))
    return made


def _crates(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """Crates and blocks, some stacked, some side by side as if in ranks."""
    skin, side = _skin(random, book, _boards(random, assets)), random.uniform(12, 42)
    size, turn = (side, side * random.choice([1.0, 1.0, 1.6]), side * random.uniform(0.3, 1.1)), random.uniform(0, 7)
    if random.random() < 0.4:
        across = np.array([-np.sin(turn), np.cos(turn)]) * (size[1] + random.uniform(0, 3))
        places = [(*(across * k).tolist(), 0.0) for k in range(int(random.integers(2, 5)))]
        return [box(size, at_mm=place, turn_rad=turn).of(skin, 0) for place in places]
    made = [box(size, at_mm=(0, 0, 0), turn_rad=turn).of(skin, 0)]
    if random.random() < 0.5:
        top = (*random.normal(0, side / 4, 2).tolist(), size[2])
        made.append(box((0.8 * side, 0.8 * side, 0.7 * side), at_mm=top, turn_rad=random.uniform(0, 7)).of(skin, 0))
    return made


def _books(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """Books in a pile, or their spines in a row."""
    made, z = [], 0.0
    if random.random() < 0.5:
        for _ in range(int(random.integers(1, 4))):
            size = (random.uniform(120, 260), random.uniform(80, 200), random.uniform(6, 35))
            cover = book.paint(any_colour(random), gloss=random.uniform(0, 0.5))
            at = (*random.normal(0, 8, 2).tolist(), z)
            made.append(box(size, at_mm=at, turn_rad=random.normal(0, 0.2)).of(cover, 0))
            z += size[2]
        return made
    y, long, high = 0.0, random.uniform(60, 200), random.uniform(40, 120)
    for _ in range(int(random.integers(2, 7))):
        thick, cover = random.uniform(8, 35), book.paint(any_colour(random), gloss=random.uniform(0, 0.5))
        made.append(box((long, thick, high * random.uniform(0.8, 1)), at_mm=(0.0, y, 0.0)).of(cover, 0))
        y += thick + 0.3
    return made


def _barrels(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """Barrels, drums, buckets and braziers, alone or in a group, some on a crate or a post."""
    skin, made = _skin(random, book, _boards(random, assets)), []
    radius, high = random.uniform(6, 20), random.uniform(10, 42)
    bulge, sunk = random.uniform(0.9, 1.2), random.uniform(0.3, 6)
    lifted = random.uniform(8, 45) if random.random() < 0.3 else 0.0
    for k in range(1 if lifted else int(random.integers(1, 6))):
        x, y, _ = _scatter(random, 2.2 * radius, k == 0)
        profile = [(radius, 0.0), (radius * bulge, high / 2), (radius, high), (radius - 1.5, high)]
        profile += [(radius - 1.8, high - sunk)]
        points = [np.column_stack([ring(r, 28), np.full(28, z, np.float32)]) for r, z in profile]
        texels = [level[:, :2] / (2.6 * radius) + 0.5 for level in points]
        made.append(loft(points, texels).of(skin, 0).moved((x, y, lifted)))
    if lifted:
        foot = random.uniform(0.15, 1.3) * radius
        made.append(rod((0, 0, 0), (0, 0, lifted), (foot, foot)).of(book.paint(grey(random, 10, 150)), 0))
    return made


def _wheels(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """Wheels and tyres, flat or standing."""
    radius, wide = random.uniform(7, 30), random.uniform(2, 12)
    face = np.full((64, 64, 3), grey(random, 10, 80) if random.random() < 0.6 else earth(random), np.uint8)
    cv2.circle(face, (32, 32), int(random.uniform(8, 24)), any_colour(random), -1, cv2.LINE_AA)
    cv2.circle(face, (32, 32), int(random.uniform(2, 8)), grey(random, 5, 90), -1, cv2.LINE_AA)
    for k in range(int(random.choice([0, 4, 5, 6, 8]))):
        tip = (32 + round(28 * np.cos(k * np.pi / 4)), 32 + round(28 * np.sin(k * np.pi / 4)))
        cv2.line(face, (32, 32), tip, grey(random, 20, 160), 2, cv2.LINE_AA)
    skin, made = _skin(random, book, face), []
    for k in range(int(random.integers(1, 4))):
        x, y, _ = _scatter(random, 2 * radius, k == 0)
        if random.random() < 0.25:
            made.append(rod((x, y, radius), (x + wide, y, radius), (radius, radius), sides=20).of(skin, 0))
        else:
            made.append(prism(ring(radius, 36), 0.0, wide).of(skin, 0).moved((x, y, 0.0)))
    return made


def _raised_discs(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """Shields, dishes and roofs of towers: round or oval plates well above the table, on a post or a block."""
    long, high = random.uniform(8, 34), random.uniform(9, 60)
    outline = ring(long, 40) * np.array([1.0, random.choice([1.0, 1.0, 0.6, 0.75])], np.float32)
    face = np.full((48, 48, 3), any_colour(random), np.uint8)
    for share in random.uniform(0.1, 1.0, int(random.integers(0, 4))):
        cv2.circle(face, (24, 24), max(1, int(22 * share)), any_colour(random), int(random.integers(1, 4)))
    plate = prism(np.asarray(outline, np.float32), high, high + random.uniform(0.8, 5)).of(_skin(random, book, face), 0)
    post = book.paint(near((90, 100, 110), random, 40))
    if random.random() < 0.6:
        return [plate, rod((0, 0, 0), (0, 0, high), (random.uniform(1, 5), 3)).of(post, 0)]
    side = long * random.uniform(0.8, 2)
    return [plate, prism(rectangle(side, side), 0.0, high).of(post, 0)]


def _medallions(random: Random, book: SurfaceBook, assets: Assets) -> list[Mesh]:
    """Thin printed discs with rings, spokes and letters, as large as bases."""
    made = []
    for k in range(int(random.integers(1, 4))):
        face = photograph(assets.grounds, random, 64, px_per_photo=random.uniform(60, 300))
        for share in random.uniform(0.3, 1.0, int(random.integers(1, 4))):
            cv2.circle(face, (32, 32), int(30 * share), any_colour(random), int(random.integers(1, 4)), cv2.LINE_AA)
        radius = float(random.choice([12.5, 14.2, 15, 16, 20, 25, 30, random.uniform(8, 60)]))
        place = _scatter(random, 50, k == 0)
        made.append(disc_mesh(radius, random.uniform(0.05, 1.0)).of(_skin(random, book, face), 0).moved(place))
    return made


_PROPS: Sequence[Maker] = (
    _doors, _doors, _crates, _crates, _books, _barrels, _barrels, _wheels, _raised_discs, _medallions,
)  # fmt: skip
