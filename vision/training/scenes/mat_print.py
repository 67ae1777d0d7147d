"""Gaming mats: photographs of ground with what is printed on them, and plain or patterned boards."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from vision.training.scenes.surfaces import any_colour, grey, near, photograph

Random = np.random.Generator
KINDS = ("photograph", "two photographs", "cobbles", "plain", "camouflage", "stars")
_SHARES = (0.5, 0.16, 0.1, 0.12, 0.07, 0.05)
_PRINTED = 0.55  # of mats have something printed on them
_WORDS = ("ZONE", "A", "12", "IV", "OBJECTIVE", '24"', "Sector 7", "x", "No. 3", "&", "LANDING", "8")


def any_mat(
    random: Random, grounds: Sequence[Image], side_px: int, px_per_mm: float, *, kind: str | None = None
) -> tuple[Image, str]:
    """The mat's picture, BGR (side_px, side_px, 3), and its kind; of the kind that is asked for, if any is."""
    kind = kind or str(random.choice(KINDS, p=_SHARES))
    mat = _ground(kind, random, grounds, side_px, px_per_mm)
    if random.random() < _PRINTED:
        for _ in range(int(random.integers(1, 4))):
            layer = mat.copy()
            _PRINTS[int(random.integers(len(_PRINTS)))](layer, random, px_per_mm, grounds)
            mat = _ink(mat, layer, random)
        kind += " printed"
    return mat, kind


def _ground(kind: str, random: Random, grounds: Sequence[Image], side: int, px_per_mm: float) -> Image:
    if kind == "plain":
        return _mottle(random, side, px_per_mm)
    if kind == "cobbles":
        return _cobbles(random, grounds, side, px_per_mm)
    if kind == "camouflage":
        return _camouflage(random, side, px_per_mm)
    if kind == "stars":
        return _stars(random, side, px_per_mm)
    mat = photograph(grounds, random, side, px_per_photo=_photo_px(random, px_per_mm))
    if kind == "two photographs":
        other = photograph(grounds, random, side, px_per_photo=_photo_px(random, px_per_mm))
        mask = _blobs(random, side, random.uniform(20, 160) * px_per_mm)
        share = np.clip((mask - random.uniform(-0.5, 0.5)) * random.uniform(1, 12) + 0.5, 0, 1)[..., None]
        mat = (mat * (1 - share) + other * share).astype(np.uint8)
    return mat


def _photo_px(random: Random, px_per_mm: float) -> float:
    """How large a photograph is printed: 150 to 1,000 mm."""
    return float(np.exp(random.uniform(np.log(150), np.log(1000)))) * px_per_mm


def _blobs(random: Random, side: int, size_px: float) -> Floats32:
    cells = max(3, round(side / size_px) + 2)
    rough = random.standard_normal((cells, cells)).astype(np.float32)
    return np.asarray(cv2.resize(rough, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)


def _mottle(random: Random, side: int, px_per_mm: float) -> Image:
    """Felt, rubber or paint: one colour with unevenness of some sizes."""
    colour = any_colour(random) if random.random() < 0.6 else grey(random, 15, 230)
    made = np.full((side, side, 3), colour, np.float32)
    for size_mm in (1.0, 4.0, 20.0, 90.0):
        made += _blobs(random, side, max(1.5, size_mm * px_per_mm))[..., None] * np.float32(random.uniform(0, 11))
    return np.clip(made, 0, 255).astype(np.uint8)


def _cobbles(random: Random, grounds: Sequence[Image], side: int, px_per_mm: float) -> Image:
    """Stones with joints: irregular, in rows or in a lattice, each of its own shade."""
    stone = photograph(grounds, random, side, px_per_photo=_photo_px(random, px_per_mm)).astype(np.float32)
    joint = photograph(grounds, random, side, px_per_photo=_photo_px(random, px_per_mm)).astype(np.float32)
    joint *= np.float32(random.uniform(0.3, 1.2))
    pitch = random.uniform(9, 60) * px_per_mm
    count = int(side / pitch) + 2
    loose = random.choice([0.0, 0.1, 0.3, 0.5])
    column, row = np.meshgrid(np.arange(-1, count), np.arange(-1, count))
    x = (column + 0.5 * (row % 2) * random.integers(0, 2) + random.normal(0, loose, column.shape)) * pitch
    y = (row + random.normal(0, loose, row.shape)) * pitch * random.choice([1.0, 1.0, 0.6, 1.7])
    seeds = np.full((side, side), 255, np.uint8)
    inside = (x >= 0) & (y >= 0) & (x < side) & (y < side)
    seeds[y[inside].astype(int), x[inside].astype(int)] = 0
    away, label = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    edge = (cv2.morphologyEx(label.astype(np.float32), cv2.MORPH_GRADIENT, np.ones((3, 3))) > 0).astype(np.uint8)
    gap = cv2.distanceTransform(1 - edge, cv2.DIST_L2, 3)
    half = random.uniform(0.4, 2.4) * px_per_mm
    share = np.clip((gap - half) / (0.5 * px_per_mm) + 0.5, 0, 1)[..., None]
    shade = random.normal(1, random.uniform(0.02, 0.2), int(label.max()) + 1)[label][..., None]
    domed = 1 - random.uniform(0, 0.25) * np.clip(away / (0.6 * pitch), 0, 1)[..., None] ** 2
    return np.asarray(np.clip(stone * shade * domed * share + joint * (1 - share), 0, 255), np.uint8)


def _camouflage(random: Random, side: int, px_per_mm: float) -> Image:
    made = np.full((side, side, 3), any_colour(random), np.float32)
    for _ in range(int(random.integers(1, 5))):
        mask = _blobs(random, side, random.uniform(15, 120) * px_per_mm) > random.uniform(-0.3, 0.8)
        made[mask] = any_colour(random)
    made += _blobs(random, side, 2 * px_per_mm)[..., None] * np.float32(random.uniform(0, 9))
    return np.clip(made, 0, 255).astype(np.uint8)


def _stars(random: Random, side: int, px_per_mm: float) -> Image:
    made = np.zeros((side, side, 3), np.float32) + np.asarray(grey(random, 5, 35), np.float32)
    for _ in range(3):
        cloud = np.maximum(_blobs(random, side, random.uniform(40, 200) * px_per_mm), 0)[..., None]
        made += cloud * np.asarray(any_colour(random), np.float32) * np.float32(random.uniform(0, 0.4))
    for _ in range(int(random.integers(40, 400))):
        x, y = random.integers(0, side, 2).tolist()
        cv2.circle(made, (x, y), int(random.integers(0, 3)), grey(random, 90, 250), -1)
    return np.clip(made, 0, 255).astype(np.uint8)


def _ink(mat: Image, layer: Image, random: Random) -> Image:
    """A print over a mat: more or less opaque, and worn in places."""
    share = random.uniform(0.25, 1.0)
    if random.random() < 0.4:
        worn = np.clip(_blobs(random, mat.shape[0], 25) * 0.5 + 0.8, 0, 1)[..., None] * share
        return np.asarray(mat * (1 - worn) + layer * worn, np.uint8)
    return np.asarray(cv2.addWeighted(mat, 1 - share, layer, share, 0), np.uint8)


def _place(random: Random, side: int) -> tuple[int, int]:
    x, y = random.uniform(0, side, 2).tolist()
    return int(x), int(y)


def _width(random: Random, px_per_mm: float, low: float = 0.4, high: float = 2.5) -> int:
    return max(1, round(random.uniform(low, high) * px_per_mm))


def _grid(mat: Image, random: Random, px_per_mm: float, grounds: Sequence[Image]) -> None:
    side, pitch = mat.shape[0], random.choice([20, 25, 25.4, 25.4, 30, 40, 50, 50.8, 76.2, 152.4, 304.8]) * px_per_mm
    angle, colour, width = random.uniform(0, np.pi), any_colour(random), _width(random, px_per_mm, 0.4, 1.8)
    dashed = random.random() < 0.15
    start = random.uniform(0, pitch, 2)
    for k in range(2):
        turn = angle + k * np.pi / 2
        along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        for n in range(-int(side / pitch) - 2, int(side / pitch) + 3):
            middle = np.array([side / 2, side / 2]) + across * (n * pitch + start[k])
            pieces = np.arange(-side, side, pitch / 4) if dashed else [-side]
            long = pitch / 8 if dashed else 2 * side
            for piece in pieces:
                a, b = middle + along * piece, middle + along * (piece + long)
                cv2.line(mat, _whole(a), _whole(b), colour, width, cv2.LINE_AA)


def _whole(point: Floats) -> tuple[int, int]:
    return int(point[0]), int(point[1])


def _hexes(mat: Image, random: Random, px_per_mm: float, grounds: Sequence[Image]) -> None:
    side, pitch = mat.shape[0], random.choice([25.4, 30, 32, 38, 50.8, 76.2]) * px_per_mm
    colour, width = any_colour(random), _width(random, px_per_mm, 0.4, 1.6)
    angle = np.arange(6) * np.pi / 3 + np.pi / 6 * random.integers(0, 2)
    corner = np.column_stack([np.cos(angle), np.sin(angle)]) * pitch / np.sqrt(3)
    ahead, aside = corner[0] - corner[2], corner[1] - corner[3]
    reach = int(side / pitch) + 2
    rings = [
        (corner + ahead * i + aside * j).astype(np.int32)
        for i in range(-reach, 2 * reach)
        for j in range(-reach, 2 * reach)
    ]
    rings = [hexagon for hexagon in rings if hexagon.min() > -2 * pitch and hexagon.max() < side + 2 * pitch]
    cv2.polylines(mat, rings, True, colour, width, cv2.LINE_AA)


def _road(mat: Image, random: Random, px_per_mm: float, grounds: Sequence[Image]) -> None:
    side = mat.shape[0]
    points = np.array([_place(random, side) for _ in range(2)], float)
    points = points[0] + (points[1] - points[0]) * np.linspace(-3, 3, 9)[:, None] + random.normal(0, 25, (9, 2))
    wide = int(random.uniform(30, 150) * px_per_mm)
    mask = np.zeros(mat.shape[:2], np.uint8)
    cv2.polylines(mask, [points.astype(np.int32)], False, 255, wide, cv2.LINE_AA)
    ground = photograph(grounds, random, side, px_per_photo=_photo_px(random, px_per_mm))
    share = cv2.GaussianBlur(mask, (0, 0), random.uniform(0.6, 8))[..., None] / 255.0
    mat[:] = mat * (1 - share) + ground * share
    if random.random() < 0.5:
        for k in range(8):
            cv2.line(
                mat,
                _whole(points[k]),
                _whole((points[k] + points[k + 1]) / 2),
                grey(random, 150, 250),
                _width(random, px_per_mm, 1, 4),
            )


def _disc(mat: Image, random: Random, px_per_mm: float, grounds: Sequence[Image]) -> None:
    """Manholes, medallions, craters, planets and circles of any size, those of bases among them."""
    for _ in range(int(random.integers(1, 5))):
        at, radius = _place(random, mat.shape[0]), float(np.exp(random.uniform(np.log(9), np.log(130)))) * px_per_mm
        pick = random.random()
        if pick < 0.35:
            cv2.circle(mat, at, int(radius), any_colour(random), _width(random, px_per_mm, 0.5, 3), cv2.LINE_AA)
            continue
        _round_photo(mat, at, radius, random, grounds, is_globe=pick < 0.55)
        if pick > 0.55:
            _ornament(mat, at, radius, random, px_per_mm)


def _round_photo(
    mat: Image, at: tuple[int, int], radius: float, random: Random, grounds: Sequence[Image], *, is_globe: bool
) -> None:
    half = int(radius) + 2
    piece = photograph(grounds, random, 2 * half, px_per_photo=radius * random.uniform(1, 5)).astype(np.float32)
    rows, columns = np.mgrid[-half:half, -half:half].astype(np.float32)
    away = np.hypot(rows, columns) / radius
    if is_globe:
        light = random.normal(0, 0.7, 2)
        lit = np.sqrt(np.maximum(1 - away**2, 0)) + (columns * light[0] + rows * light[1]) / radius
        piece *= np.clip(lit, 0.05, 1.6)[..., None]
    share = np.clip((1 - away) * radius + 0.5, 0, 1)
    x0, y0 = at[0] - half, at[1] - half
    left, top = max(0, -x0), max(0, -y0)
    right, low = min(2 * half, mat.shape[1] - x0), min(2 * half, mat.shape[0] - y0)
    if right <= left or low <= top:
        return
    target = mat[y0 + top : y0 + low, x0 + left : x0 + right]
    part = share[top:low, left:right, None]
    target[:] = target * (1 - part) + np.clip(piece[top:low, left:right], 0, 255) * part


def _ornament(mat: Image, at: tuple[int, int], radius: float, random: Random, px_per_mm: float) -> None:
    colour, width = any_colour(random), _width(random, px_per_mm, 0.5, 2.5)
    for share in random.uniform(0.2, 1.0, random.integers(1, 5)):
        cv2.circle(mat, at, max(1, int(radius * share)), colour, width, cv2.LINE_AA)
    spokes = int(random.choice([0, 0, 4, 5, 6, 8, 12]))
    for k in range(spokes):
        angle = 2 * np.pi * k / spokes
        ends = [
            _whole(np.array(at) + np.array([np.cos(angle), np.sin(angle)]) * radius * share) for share in (0.3, 0.95)
        ]
        cv2.line(mat, ends[0], ends[1], colour, width, cv2.LINE_AA)


def _squares(mat: Image, random: Random, px_per_mm: float, grounds: Sequence[Image]) -> None:
    """Zones, tiles and plates, those of the size of bases among them."""
    for _ in range(int(random.integers(1, 6))):
        long, angle = float(np.exp(random.uniform(np.log(18), np.log(320)))) * px_per_mm, random.uniform(0, 180)
        wide = long * float(random.choice([1.0, 1.0, 0.5, random.uniform(0.2, 1)]))
        corners = cv2.boxPoints((_place(random, mat.shape[0]), (long, wide), angle)).astype(np.int32)
        if random.random() < 0.35:
            cv2.fillPoly(mat, [corners], near(mat.mean(axis=(0, 1)), random, 40), cv2.LINE_AA)
        cv2.polylines(mat, [corners], True, any_colour(random), _width(random, px_per_mm), cv2.LINE_AA)


def _text(mat: Image, random: Random, px_per_mm: float, grounds: Sequence[Image]) -> None:
    for _ in range(int(random.integers(1, 4))):
        word, size = str(random.choice(_WORDS)), random.uniform(0.5, 6) * px_per_mm / 2
        face = int(random.integers(0, 8))
        cv2.putText(
            mat, word, _place(random, mat.shape[0]), face, size, any_colour(random), max(1, int(2 * size)), cv2.LINE_AA
        )


def _cracks(mat: Image, random: Random, px_per_mm: float, grounds: Sequence[Image]) -> None:
    for _ in range(int(random.integers(3, 25))):
        point, turn = np.array(_place(random, mat.shape[0]), float), random.uniform(0, 2 * np.pi)
        colour, points = grey(random, 5, 60), []
        for _ in range(int(random.integers(4, 30))):
            points.append(point.copy())
            turn += random.normal(0, 0.5)
            point += np.array([np.cos(turn), np.sin(turn)]) * random.uniform(3, 12) * px_per_mm
        cv2.polylines(
            mat, [np.array(points, np.int32)], False, colour, _width(random, px_per_mm, 0.3, 1.6), cv2.LINE_AA
        )


_PRINTS: tuple[Callable[[Image, Random, float, Sequence[Image]], None], ...] = (
    _grid, _grid, _hexes, _road, _disc, _disc, _squares, _text, _cracks,
)  # fmt: skip
