"""Random tables on which somebody is pushed, slammed or thrown; each family is nasty in its own way."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import shapely

from models.state import TableState
from tests.referee.editions.warmachine.charges.shove_steps import Place, Surroundings
from tests.referee.tables import mini, table

_SIZES = (30, 30, 40, 50)
_SIDE_MM = 1219.2


@dataclass
class Scene:
    """A table in the making: who is shoved (`t`), from where (`a`), which way, and what stands about."""

    rng: random.Random
    minis: list[dict[str, Any]] = field(default_factory=list)
    ground: list[dict[str, Any]] = field(default_factory=list)
    heading: float = 0.0
    size: tuple[float, float] = (_SIDE_MM, _SIDE_MM)

    @property
    def target(self) -> dict[str, Any]:
        return self.minis[0]

    def along(self, ahead: float, aside: float = 0.0) -> Place:
        """A place so far ahead of the target's centre, and so far to the left of its way."""
        (x, y), c, s = self.target["at_mm"], math.cos(self.heading), math.sin(self.heading)
        return (x + ahead * c - aside * s, y + ahead * s + aside * c)

    def put(self, id_: str, at: Place, mm: float, **more: Any) -> bool:
        """Stand a base there, if it overlaps none."""
        if any(math.dist(at, m["at_mm"]) < (mm + m["base"]["diameter_mm"]) / 2 - 1e-6 for m in self.minis):
            return False
        if any(shapely.Polygon(g["polygon_mm"]).distance(shapely.Point(at)) < mm / 2 - 1e-6
               for g in self.ground if g["kind"] not in ("rough", "forest")):  # fmt: skip
            return False
        self.minis.append(mini(id_, *at, 180, mm=mm, side="blue", **more))
        return True

    def lay(self, kind: str, ahead: float, aside: float, long: float, wide: float) -> None:
        """Lay a rectangle whose near left corner lies there, along the way."""
        corners = [(ahead, aside), (ahead + long, aside), (ahead + long, aside + wide), (ahead, aside + wide)]
        outline = [self.along(*corner) for corner in corners]
        self.ground.append(
            {"id": f"g{len(self.ground)}", "kind": kind, "polygon_mm": outline, "height_mm": _HIGH[kind]}
        )

    def fill(self, count: int) -> None:
        """Stand more bases about the way, wherever there is room."""
        for k in range(count):
            ahead, aside = self.rng.uniform(-60, 260), self.rng.uniform(-90, 90)
            self.put(f"f{k}", self.along(ahead, aside), self.rng.choice(_SIZES))


_HIGH = {"rough": 2, "forest": 2, "obstacle": 20, "wall": 20, "obstruction": 60, "impassable": 0}
_SOLID = ("obstacle", "wall", "obstruction", "impassable")


def crowd(scene: Scene) -> None:
    """Bases and ground anywhere."""
    for _ in range(scene.rng.randint(0, 3)):
        kind = scene.rng.choice([*_SOLID, "rough", "forest"])
        ahead = scene.rng.uniform(30, 200) if kind in _SOLID else scene.rng.uniform(-60, 200)
        scene.lay(kind, ahead, scene.rng.uniform(-100, 60), scene.rng.uniform(5, 80), scene.rng.uniform(5, 120))
    scene.fill(scene.rng.randint(1, 12))


def touching(scene: Scene) -> None:
    """Bases that touch the one that is shoved: ahead, exactly abreast, or behind."""
    radius = scene.target["base"]["diameter_mm"] / 2
    for k, turn in enumerate(scene.rng.sample([0, 35, 60, 89, 90, 91, 120, 270, 300, 180], 4)):
        size = scene.rng.choice(_SIZES)
        out = radius + size / 2
        scene.put(f"n{k}", scene.along(out * math.cos(math.radians(turn)), out * math.sin(math.radians(turn))), size)
    scene.fill(5)


def edge(scene: Scene) -> None:
    """The table's edge is near."""
    (x, y), radius = scene.target["at_mm"], scene.target["base"]["diameter_mm"] / 2
    near = scene.rng.choice([0.0, 0.0, scene.rng.uniform(0, 150)])
    scene.size = (x + radius + near, scene.rng.choice([_SIDE_MM, y + radius + scene.rng.uniform(0, 200)]))
    inside = Scene.put

    def within(id_: str, at: Place, mm: float) -> bool:
        return at[0] + mm / 2 <= scene.size[0] and at[1] + mm / 2 <= scene.size[1] and inside(scene, id_, at, mm)

    for k in range(6):
        within(f"f{k}", scene.along(scene.rng.uniform(-60, 200), scene.rng.uniform(-90, 90)), scene.rng.choice(_SIZES))


def brushed(scene: Scene) -> None:
    """Ground that the way just touches, along a side or at a corner, or misses by a hair."""
    radius = scene.target["base"]["diameter_mm"] / 2
    off = radius + scene.rng.choice([0.0, 0.0, 0.01, -0.01, 1.0, -1.0])
    kind, ahead = scene.rng.choice(_SOLID), scene.rng.choice([radius, 40.0, scene.rng.uniform(30, 120)])
    side = scene.rng.choice([1, -1])
    scene.lay(kind, ahead, off if side > 0 else -off - 50, scene.rng.uniform(10, 80), 50)
    scene.fill(4)


def passed(scene: Scene) -> None:
    """Bases that the way just touches in passing, or misses by a hair; and gaps that just fit."""
    radius = scene.target["base"]["diameter_mm"] / 2
    for k in range(3):
        size, side = scene.rng.choice(_SIZES), scene.rng.choice([1, -1])
        hair = scene.rng.choice([0.0, 0.0, 0.01, -0.01])
        scene.put(f"p{k}", scene.along(40.0 + 60 * k, side * (radius + size / 2 + hair)), size)
        if scene.rng.random() < 0.5:
            scene.put(f"q{k}", scene.along(40.0 + 60 * k, -side * (radius + size / 2 + 0.01)), size)


def reached(scene: Scene) -> None:
    """A base that the shove just reaches, or just falls short of; the longest one is 6 in."""
    radius, hair = scene.target["base"]["diameter_mm"] / 2, scene.rng.choice([0.0, 0.01, -0.01])
    size = scene.rng.choice(_SIZES)
    scene.put("p", scene.along(scene.rng.choice([4, 5, 6]) * 25.4 + radius + size / 2 + hair), size)
    scene.fill(4)


def over_small(scene: Scene) -> None:
    """A large base over a crowd of small ones, and something that stops it among them."""
    scene.target["base"]["diameter_mm"] = scene.rng.choice([40, 50])
    for k in range(12):
        scene.put(f"s{k}", scene.along(scene.rng.uniform(40, 200), scene.rng.uniform(-45, 45)), 30)
    scene.put("big", scene.along(scene.rng.uniform(90, 220), scene.rng.uniform(-40, 40)), scene.rng.choice([50, 120]))


def ghosts(scene: Scene) -> None:
    """Incorporeal bases, which are moved through by who gets wholly past them."""
    for k in range(4):
        at = scene.along(scene.rng.uniform(20, 190), scene.rng.uniform(-40, 40))
        scene.put(f"i{k}", at, scene.rng.choice(_SIZES), abilities=["incorporeal"])
    scene.fill(4)


FAMILIES: tuple[Callable[[Scene], None], ...] = (
    crowd, touching, edge, brushed, passed, reached, over_small, ghosts
)  # fmt: skip


def shove_scene(seed: int) -> tuple[TableState, Surroundings]:
    """A table of the family whose turn it is: `a` stands behind `t`, who may be shoved straight away from it."""
    rng = random.Random(seed)
    scene = Scene(rng, heading=rng.choice([0.0, math.pi / 2, rng.uniform(-math.pi, math.pi), rng.uniform(-0.4, 0.4)]))
    scene.minis.append(mini("t", 600, 600, 0, mm=rng.choice(_SIZES), side="blue"))
    FAMILIES[seed % len(FAMILIES)](scene)
    size, apart = rng.choice([40, 50]), rng.choice([0.0, rng.uniform(0.0, 12.0)])
    behind = -(size + scene.target["base"]["diameter_mm"]) / 2 - apart
    x, y = scene.along(behind)
    scene.minis = [m for m in scene.minis if m is scene.target
                   or math.dist(m["at_mm"], (x, y)) >= (size + m["base"]["diameter_mm"]) / 2]  # fmt: skip
    fist = {"melee": [{"name": "Fist", "reach_in": 1, "rules": ["open-fist"]}], "strength": 12}
    scene.minis.append(mini("a", x, y, math.degrees(scene.heading), mm=size, side="red", profile=fist))
    state = table(*scene.minis, terrain=scene.ground, table={"width_mm": scene.size[0], "depth_mm": scene.size[1]})
    return state, plain(scene)


def plain(scene: Scene) -> Surroundings:
    """The same table in numbers."""
    grounds = [(g["id"], g["kind"], shapely.Polygon(g["polygon_mm"])) for g in scene.ground]
    return Surroundings(
        {m["id"]: (*m["at_mm"], m["base"]["diameter_mm"] / 2) for m in scene.minis},
        {id_: outline for id_, kind, outline in grounds if kind in _SOLID},
        tuple(outline for _, kind, outline in grounds if kind not in _SOLID),
        *scene.size,
        ghosts=frozenset(m["id"] for m in scene.minis if "incorporeal" in m["profile"]["abilities"]),
        closed=frozenset(id_ for id_, kind, _ in grounds if kind == "impassable"),
    )


def landed(seed: int) -> tuple[TableState, Surroundings]:
    """A table on which `t` came down on others: on one, on two or three, at the edge, among walls, or a huge base."""
    rng = random.Random(f"landed {seed}")
    scene = Scene(rng, heading=rng.uniform(-math.pi, math.pi))
    size = rng.choice([30, 40, 50, 120]) if seed % 4 == 3 else rng.choice([30, 40, 50])
    at = (rng.uniform(20, 80), rng.uniform(20, 80)) if seed % 4 == 1 else (600, 600)
    for _ in range(rng.randint(1, 3) if seed % 4 == 2 else 0):
        scene.minis = [mini("t", *at, 0, mm=size)]
        kind = rng.choice(_SOLID)
        scene.lay(kind, rng.uniform(-70, 60), rng.uniform(-80, 60), rng.uniform(5, 40), rng.uniform(5, 80))
    scene.minis = []
    others, under = rng.randint(3, 12), 0
    for k in range(60):
        spot, other = (at[0] + rng.gauss(0, 50), at[1] + rng.gauss(0, 50)), rng.choice([30, 30, 40, 50])
        lap = (size + other) / 2 - math.dist(spot, at)
        inside = all(other / 2 <= c <= _SIDE_MM - other / 2 for c in spot)
        if not inside or -0.1 < lap < 1.0 or (lap > 0 and under >= 3) or len(scene.minis) >= others:
            continue
        if not under and lap < 0:
            continue
        under += scene.put(f"b{k}", spot, other) and lap > 0
    scene.minis.append(mini("t", *at, 0, mm=size))
    return table(*scene.minis, terrain=scene.ground), plain(scene)
