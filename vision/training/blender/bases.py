"""Bases and the plastic that stands on them."""

import math
import random as dice
from dataclasses import dataclass, replace
from typing import Any

from vision.training.blender import materials
from vision.training.blender.meshes import Outline, ball, beam, cube, cylinder, head, loft, place_mesh, stone

ROUND = (25, 28.5, 30, 30, 30, 32, 40, 40, 50, 50, 60, 65, 80, 100, 120)
OVAL = ((60, 35), (75, 42), (90, 52), (105, 70), (120, 92))
SINGLE = ((40, 40), (50, 50), (50, 75), (50, 100), (60, 100), (100, 150))
RANKED = ((20, 20), (25, 25), (30, 30), (40, 40), (25, 50), (30, 60))
MARKINGS = ("none", "ticks", "ticks+dot", "front-half")
_STEPS = 64


@dataclass(frozen=True)
class Army:
    """How one side makes and paints its bases."""

    profile: str
    top_mm: float
    inset_mm: float
    lip_mm: float
    rim: Any
    front: Any
    earth: Any
    marking: str


@dataclass(frozen=True)
class Base:
    """One base on the table; `long_mm` along its facing."""

    shape: str
    wide_mm: float
    long_mm: float
    x_mm: float
    y_mm: float
    facing: float
    z_mm: float = 0.0
    unit: tuple[str, int, int] | None = None

    @property
    def reach_mm(self) -> float:
        return (
            math.hypot(self.wide_mm, self.long_mm) / 2 if self.shape == "rect" else max(self.wide_mm, self.long_mm) / 2
        )

    def truth(self) -> dict[str, Any]:
        if self.shape == "round":
            return {"shape": "round", "diameter_mm": self.wide_mm}
        return {"shape": self.shape, "width_mm": self.wide_mm, "depth_mm": self.long_mm}


def any_army(random: dice.Random, *, square: bool = False) -> Army:
    lipped = random.random() < 0.5
    rim = random.choice(
        [(0.01, 0.01, 0.01, 1), (0.12, 0.07, 0.03, 1), (0.3, 0.3, 0.3, 1), materials.any_colour(random)]
    )
    return Army(
        profile="square" if square else "lipped" if lipped else "slotta",
        top_mm=3.2 if square else 4.2 if lipped else 3.4,
        inset_mm=0.4 if square else 0.2 if lipped else 0.7,
        lip_mm=random.uniform(0.4, 0.8) if square else random.uniform(1.6, 2.8) if lipped else random.uniform(0.6, 1.2),
        rim=materials.plain(rim, rough=random.uniform(0.4, 0.9)),
        front=materials.plain(materials.any_colour(random)),
        earth=materials.ground(random.choice(materials.MATS), random, grain_mm=random.uniform(1, 6)),
        marking="front-edge" if square else random.choice(MARKINGS),
    )


def stand(base: Base, army: Army, random: dice.Random) -> float:
    """Puts the base and its plastic on the table; how tall the plastic is, mm."""
    rings = [(army.inset_mm * k / 3, army.top_mm * k / 3) for k in range(4)]
    rings += [(army.inset_mm + army.lip_mm, army.top_mm), (army.inset_mm + army.lip_mm + 0.15, army.top_mm - 0.5)]
    outlines = [(_outline(base, inset), z) for inset, z in rings]
    front = [1 if _is_front(base, army, k) else 0 for k in range(len(outlines[0][0]))]
    body = place_mesh(
        loft(outlines, painted=[front] * (len(rings) - 1)),
        army.rim,
        at=(base.x_mm, base.y_mm, base.z_mm),
        turn=base.facing,
    )
    paints_used = (army.rim, army.front, army.earth) if any(front) else (army.rim, army.earth)
    for slot, paint in zip(body.material_slots, paints_used, strict=True):
        slot.link, slot.material = "OBJECT", paint
    _mark(base, army)
    _flock(base, army, random)
    return _plastic(base, army, random)


def _outline(base: Base, inset: float) -> Outline:
    a, b = base.long_mm / 2 - inset, base.wide_mm / 2 - inset
    if base.shape == "rect":
        return [(a, -b), (a, b), (-a, b), (-a, -b)]
    return [(a * math.cos(2 * math.pi * k / _STEPS), b * math.sin(2 * math.pi * k / _STEPS)) for k in range(_STEPS)]


def _is_front(base: Base, army: Army, k: int) -> bool:
    if base.shape == "rect":
        return army.marking == "front-edge" and k == 0
    return army.marking == "front-half" and (k < _STEPS // 4 or k >= 3 * _STEPS // 4)


def _spot(base: Base, ahead: float, left: float, up: float) -> tuple[float, float, float]:
    cos, sin = math.cos(base.facing), math.sin(base.facing)
    return base.x_mm + ahead * cos - left * sin, base.y_mm + ahead * sin + left * cos, base.z_mm + up


def _mark(base: Base, army: Army) -> None:
    spots = {"ticks": (90, -90), "ticks+dot": (90, -90, 0)}.get(army.marking, ())
    for angle in () if base.shape == "rect" else spots:
        rim = 1 - (army.inset_mm + army.lip_mm / 2) / (base.wide_mm / 2)
        ahead = base.long_mm / 2 * rim * math.cos(math.radians(angle))
        left = base.wide_mm / 2 * rim * math.sin(math.radians(angle))
        size = max(0.8, army.lip_mm / 2)
        place_mesh(cylinder(), army.front, at=_spot(base, ahead, left, army.top_mm), size=(size, size, 0.3))


def _flock(base: Base, army: Army, random: dice.Random) -> None:
    tuft = materials.plain(
        (random.uniform(0.05, 0.4), random.uniform(0.1, 0.4), random.uniform(0.02, 0.2), 1), rough=1.0
    )
    for _ in range(random.choice([0, 0, 6, 14])):
        angle, away = random.uniform(0, 7), math.sqrt(random.random()) * 0.8
        spot = _spot(
            base, away * base.long_mm / 2 * math.cos(angle), away * base.wide_mm / 2 * math.sin(angle), army.top_mm
        )
        size = random.uniform(0.5, 1.8)
        place_mesh(
            stone(), tuft, at=spot, size=(size, size, size * random.uniform(0.5, 1.4)), turn=random.uniform(0, 6)
        )


@dataclass(frozen=True)
class _Figure:
    """How one figure stands over its base, and what it is painted with. Lengths are millimetres."""

    base: Base
    size: float
    tall: float
    up: float
    turn: float
    lean: float
    tip: float
    body: Any
    limb: Any
    metal: Any

    def spot(self, ahead: float, left: float, share: float) -> tuple[float, float, float]:
        """A point above the base, at a share of the figure's height."""
        return _spot(self.base, ahead, left, self.up + share * self.tall)


def _plastic(base: Base, army: Army, random: dice.Random) -> float:
    size = min(base.wide_mm, base.long_mm) / 2
    tall = random.uniform(1.6, 2.4) * min(size, 22) if size < 28 else random.uniform(1.3, 1.9) * size
    body, limb, metal = (materials.any_paint(random) for _ in range(3))
    turn = base.facing + random.gauss(0, 0.3)
    lean, tip = random.gauss(0, 0.12) * size, random.gauss(0, 0.12)
    figure = _Figure(base, size, tall, army.top_mm - 0.5, turn, lean, tip, body, limb, metal)
    if base.long_mm > 1.3 * base.wide_mm:
        _mount(figure)
        figure = replace(figure, up=figure.up + 0.45 * tall)
    _legs(figure, army.top_mm - 0.5, random)
    _trunk(figure, random)
    for side in (1, -1):
        _arm(figure, side, random)
    return tall


def _mount(figure: _Figure) -> None:
    long, size, tall = figure.base.long_mm, figure.size, figure.tall
    place_mesh(
        ball(), figure.limb, at=figure.spot(0, 0, 0.55), turn=figure.turn, size=(0.42 * long, 0.36 * size, 0.2 * tall)
    )
    place_mesh(
        cylinder(0.6),
        figure.limb,
        at=figure.spot(0.36 * long, 0, 0.8),
        turn=figure.turn,
        size=(0.2 * size, 0.2 * size, 0.5 * tall),
        tilt=(0, 0.5),
    )


def _legs(figure: _Figure, ground: float, random: dice.Random) -> None:
    size = figure.size
    for left in (0.25, -0.25):
        foot = _spot(figure.base, random.gauss(0, 0.1) * size, left * size, ground)
        beam(figure.limb, foot, figure.spot(figure.lean, left * size * 0.6, 0.45), 0.13 * size)


def _trunk(figure: _Figure, random: dice.Random) -> None:
    size, lean = figure.size, figure.lean
    chest = random.choice([cube(), ball(), cylinder(0.7)])
    place_mesh(
        chest,
        figure.body,
        at=figure.spot(lean, 0, 0.58),
        turn=figure.turn,
        size=(0.42 * size, 0.62 * size, 0.34 * figure.tall),
        tilt=(0, figure.tip),
    )
    place_mesh(
        head(),
        figure.metal,
        at=figure.spot(lean * 1.3 + 0.1 * size, 0, 0.86),
        turn=figure.turn + math.pi / 2,
        size=(0.22 * size,) * 3,
    )


def _arm(figure: _Figure, side: int, random: dice.Random) -> None:
    """An arm, and what it holds: a blade or staff, a shield, or nothing."""
    size, turn = figure.size, figure.turn
    shoulder = figure.spot(figure.lean, 0.5 * side * size, 0.7)
    ahead, left = random.uniform(-0.1, 1.0) * size, random.uniform(0.3, 1.0) * side * size
    fist = figure.spot(ahead, left, random.uniform(0.4, 0.7))
    place_mesh(ball(), figure.metal, at=shoulder, size=(0.2 * size,) * 3)
    beam(figure.body, shoulder, fist, 0.1 * size)
    if random.random() < 0.5:
        angle, reach = turn + random.gauss(0, 0.8), random.uniform(0.5, 1.5) * min(size, 30)
        end = (fist[0] + reach * math.cos(angle), fist[1] + reach * math.sin(angle), fist[2] + random.gauss(0, 4))
        beam(figure.metal, fist, end, random.uniform(0.6, 1.8))
    elif random.random() < 0.4:
        place_mesh(
            cylinder(), figure.limb, at=fist, turn=turn, size=(0.4 * size, 0.4 * size, 1.5), tilt=(0, math.pi / 2 - 0.3)
        )
