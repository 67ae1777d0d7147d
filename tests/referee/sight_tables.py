"""Random tables for sight, the nasty ones on purpose."""

import math
import random
from collections.abc import Callable

from models.vocabulary import Point
from referee.geometry.shapes import Area, RoundedShape, disc, polygon_area
from referee.line_of_sight import End, Obstacle, Wood

Scene = tuple[End, End, tuple[Obstacle, ...], tuple[Wood, ...]]
FAMILIES: dict[str, Callable[[random.Random], Scene]] = {}


def family(make: Callable[[random.Random], Scene]) -> Callable[[random.Random], Scene]:
    FAMILIES[make.__name__] = make
    return make


def round_area(x: float, y: float, r: float) -> Area:
    return Area((disc((x, y), r),))


def block(r: random.Random, x: float, y: float, w: float, h: float, turn: float | None = None) -> Area:
    a = r.uniform(0, math.tau) if turn is None else turn
    corners = ((-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2))
    return polygon_area(
        [(x + math.cos(a) * u - math.sin(a) * v, y + math.sin(a) * u + math.cos(a) * v) for u, v in corners]
    )


def rect_base(r: random.Random, at: Point, w: float, d: float) -> RoundedShape:
    return block(r, *at, w, d).parts[0]


def _ends(r: random.Random, apart: float | None = None) -> tuple[RoundedShape, RoundedShape]:
    radii = r.choice((15, 20, 25, 60)), r.choice((15, 20, 25, 60))
    away, turn = max(apart or r.uniform(40, 500), sum(radii) + 0.1), r.uniform(0, math.tau)
    b = (600 + away * math.cos(turn), 600 + away * math.sin(turn))
    return disc((600.0, 600.0), radii[0]), disc(b, radii[1])


def _between(r: random.Random, a: RoundedShape, b: RoundedShape, spread: float) -> Point:
    t, u = r.uniform(-0.15, 1.15), r.uniform(-spread, spread)
    (ax, ay), (bx, by) = a.centre, b.centre
    length = math.dist(a.centre, b.centre)
    return (ax + t * (bx - ax) - u * (by - ay) / length, ay + t * (by - ay) + u * (bx - ax) / length)


def _bases(r: random.Random, a: RoundedShape, b: RoundedShape, n: int, spread: float = 90) -> list[Obstacle]:
    placed: list[Obstacle] = []
    for _ in range(40 * n):
        radius = r.choice((15, 20, 25))
        x, y = _between(r, a, b, spread)
        free = all(math.dist((x, y), e.centre) > radius + e.reach_mm for e in (a, b))
        if free and all(
            math.dist((x, y), o.area.parts[0].centre) >= radius + o.area.parts[0].radius_mm for o in placed
        ):
            placed.append(Obstacle(f"m{len(placed)}", round_area(x, y, radius)))
        if len(placed) == n:
            break
    return placed


def _arc(r: random.Random, viewer: RoundedShape, target: RoundedShape) -> End:
    toward = math.atan2(target.centre[1] - viewer.centre[1], target.centre[0] - viewer.centre[0])
    facing = toward + r.choice((0.0, r.uniform(-1.4, 1.4), math.pi / 2 + r.uniform(-0.1, 0.1)))
    normal = (math.cos(facing), math.sin(facing))
    end = End(target, normal, viewer.centre[0] * normal[0] + viewer.centre[1] * normal[1])
    return end if end.depth_mm() > 0.1 else End(target)


@family
def crowd(r: random.Random) -> Scene:
    a, b = _ends(r)
    return End(a), _arc(r, a, b), tuple(_bases(r, a, b, r.randint(1, 30))), ()


@family
def walls(r: random.Random) -> Scene:
    a, b = _ends(r)
    made = _bases(r, a, b, r.randint(0, 6))
    for k in range(r.randint(1, 4)):
        area = block(r, *_between(r, a, b, 60), r.uniform(3, 60), r.uniform(3, 120))
        made.append(Obstacle(f"w{k}", area))
    return End(a), _arc(r, a, b), tuple(made), ()


@family
def nested_walls(r: random.Random) -> Scene:
    """Corner-shaped walls, which are not convex."""
    a, b = _ends(r, r.uniform(150, 400))
    x, y = _between(r, a, b, 30)
    w, h, t = r.uniform(40, 120), r.uniform(40, 120), r.uniform(5, 25)
    corners = [(0, 0), (w, 0), (w, t), (t, t), (t, h), (0, h)]
    turn = r.uniform(0, math.tau)
    c, s = math.cos(turn), math.sin(turn)
    area = polygon_area([(x + c * u - s * v, y + s * u + c * v) for u, v in corners])
    return End(a), End(b), (Obstacle("corner", area), *_bases(r, a, b, r.randint(0, 3))), ()


@family
def slits(r: random.Random) -> Scene:
    """Two bases side by side that leave a slit narrower than a tenth of a millimetre, or overlap by as little."""
    a, b = _ends(r, r.uniform(150, 400))
    (ax, ay), (bx, by) = a.centre, b.centre
    length = math.dist(a.centre, b.centre)
    ux, uy = (bx - ax) / length, (by - ay) / length
    t, radius, slit, off = (
        r.uniform(0.3, 0.7) * length,
        r.choice((15, 20, 25)),
        r.uniform(-0.3, 0.3),
        r.uniform(-12, 12),
    )
    made = []
    for k, side in enumerate((1, -1)):
        for j in range(2):
            across = off + side * (radius * (1 + 2 * j) + slit / 2)
            made.append(Obstacle(f"s{k}{j}", round_area(ax + t * ux - across * uy, ay + t * uy + across * ux, radius)))
    return End(a), End(b), tuple(made), ()


@family
def in_line(r: random.Random) -> Scene:
    """Equal bases almost in line: a lane of a hair's breadth on either side."""
    away = r.uniform(120, 300)
    a, b = disc((500.0, 500.0), 15), disc((500.0 + away, 500.0), 15)
    middle = round_area(500 + r.uniform(0.3, 0.7) * away, 500 + r.choice((0.0, r.uniform(-0.3, 0.3))), 15)
    return End(a), End(b), (Obstacle("middle", middle),), ()


@family
def touching(r: random.Random) -> Scene:
    """Bases that touch the viewer, the target and each other; a viewer against a wall."""
    a, b = _ends(r, r.uniform(130, 350))
    made = []
    for k in range(r.randint(1, 5)):
        host, radius, angle = r.choice((a, b)), r.choice((15, 20, 25)), r.uniform(0, math.tau)
        reach = host.radius_mm + radius
        at = (host.centre[0] + reach * math.cos(angle), host.centre[1] + reach * math.sin(angle))
        others = [b if host is a else a] + [o.area.parts[0] for o in made]
        if all(math.dist(at, o.centre) >= radius + o.radius_mm for o in others):
            made.append(Obstacle(f"t{k}", round_area(*at, radius)))
    turn = r.uniform(0, math.tau)
    away = a.radius_mm + 6.0
    wall = block(r, a.centre[0] + away * math.cos(turn), a.centre[1] + away * math.sin(turn), 12, 90, turn)
    return End(a), _arc(r, a, b), (*made, Obstacle("wall", wall)), ()


@family
def collinear_walls(r: random.Random) -> Scene:
    """Walls on one line with gaps between them, along or across the view."""
    a, b = _ends(r, 300)
    turn = r.choice((0.0, math.pi / 2)) + math.atan2(b.centre[1] - a.centre[1], b.centre[0] - a.centre[0])
    mx, my = (a.centre[0] + b.centre[0]) / 2, (a.centre[1] + b.centre[1]) / 2
    made, at = [], -160.0
    while at < 160:
        length = r.uniform(15, 80)
        x, y = mx + (at + length / 2) * math.cos(turn), my + (at + length / 2) * math.sin(turn)
        made.append(Obstacle(f"c{len(made)}", block(r, x, y, length, 8, turn)))
        at += length + r.choice((0.0, 0.05, r.uniform(0.2, 15)))
    return End(a), End(b), tuple(o for o in made if _apart(o, a) and _apart(o, b)), ()


def _apart(obstacle: Obstacle, end: RoundedShape) -> bool:
    from referee.geometry.distance import gap

    return gap(obstacle.area.parts[0], end).mm > 0


@family
def ranks(r: random.Random) -> Scene:
    """Rectangular bases as ends and in the way."""
    away = r.uniform(120, 350)
    a = rect_base(r, (500.0, 500.0), r.choice((20, 25, 50)), r.choice((20, 25, 50, 100)))
    b = rect_base(r, (500.0 + away, 500.0 + r.uniform(-30, 30)), r.choice((20, 25, 50)), r.choice((20, 25, 75)))
    made = []
    for k in range(r.randint(1, 5)):
        x, y = _between(r, a, b, 50)
        area = block(r, x, y, r.choice((20, 25, 50)), r.choice((20, 25, 50)))
        if all(math.dist((x, y), e.centre) > 45 + e.reach_mm for e in (a, b)):
            made.append(Obstacle(f"r{k}", area))
    return End(a), _arc(r, a, b), tuple(made), ()


def oval(r: random.Random, at: Point, w: float, d: float) -> RoundedShape:
    """An oval base as the referee takes it, with few corners: a blocker's are all met with those of the ends."""
    a, n = r.choice((0.0, math.pi / 2, r.uniform(0, math.tau))), 20
    turns = [math.tau * k / n for k in range(n)]
    drawn = [(w / 2 * math.cos(t), d / 2 * math.sin(t)) for t in turns]
    return RoundedShape(
        tuple((at[0] + math.cos(a) * x - math.sin(a) * y, at[1] + math.sin(a) * x + math.cos(a) * y) for x, y in drawn)
    )


@family
def ovals(r: random.Random) -> Scene:
    """Oval bases, and round ones among them, as ends and in the way."""
    sizes = ((60, 35), (35, 60), (92, 120))
    away = r.uniform(160, 350)
    a = oval(r, (500.0, 500.0), *r.choice(sizes))
    b = r.choice((oval(r, (500.0 + away, 500.0), *r.choice(sizes)), disc((500.0 + away, 500.0), 20.0)))
    made = []
    for k in range(r.randint(1, 4)):
        at = _between(r, a, b, r.choice((0, 70)))
        area = r.choice((polygon_area(oval(r, at, *r.choice(sizes)).points), round_area(*at, 25.0)))
        if all(math.dist(at, e.centre) > area.parts[0].reach_mm + e.reach_mm for e in (a, b)):
            made.append(Obstacle(f"v{k}", area))
    return End(a), _arc(r, a, b), tuple(made), ()


@family
def slivers(r: random.Random) -> Scene:
    """Only a sliver of the target lies in the arc, down to almost nothing."""
    a, b = _ends(r, r.uniform(100, 300))
    depth = r.choice((0.2, 1.0, r.uniform(0.1, 8)))
    toward = math.atan2(b.centre[1] - a.centre[1], b.centre[0] - a.centre[0])
    side = r.choice((-1, 1))
    reach = math.dist(a.centre, b.centre)
    facing = toward + side * math.acos(max(-1.0, min(1.0, (depth - b.radius_mm) / reach)))
    normal = (math.cos(facing), math.sin(facing))
    stop = End(b, normal, a.centre[0] * normal[0] + a.centre[1] * normal[1])
    return End(a), stop, tuple(_bases(r, a, b, r.randint(1, 6), spread=45)), ()


@family
def forests(r: random.Random) -> Scene:
    a, b = _ends(r, r.uniform(100, 350))
    woods = []
    for k in range(r.randint(1, 2)):
        x, y = r.choice((_between(r, a, b, 60), b.centre, a.centre))
        area = block(r, x + r.uniform(-60, 60), y + r.uniform(-60, 60), r.uniform(40, 200), r.uniform(40, 200))
        woods.append(Wood(f"f{k}", area, 76.2))
    return End(a), End(b), tuple(_bases(r, a, b, r.randint(0, 3))), tuple(woods)


@family
def clouds(r: random.Random) -> Scene:
    a, b = _ends(r, r.uniform(200, 500))
    made = _bases(r, a, b, r.randint(0, 5))
    for k in range(r.randint(1, 3)):
        x, y = _between(r, a, b, 60)
        radius = r.choice((38.1, 50.8, 63.5))
        if all(math.dist((x, y), e.centre) > radius + e.radius_mm for e in (a, b)):
            made.append(Obstacle(f"k{k}", round_area(x, y, radius)))
    return End(a), _arc(r, a, b), tuple(made), ()


@family
def low_walls(r: random.Random) -> Scene:
    """Walls and hills lower than one of the ends: they close only the low stretch of a line."""
    a, b = _ends(r, r.uniform(100, 350))
    made = _bases(r, a, b, r.randint(0, 4))
    for k in range(r.randint(1, 3)):
        share = r.uniform(0.1, 0.9)
        x, y = _between(r, a, b, 40)
        area = block(r, x, y, r.uniform(5, 50), r.uniform(30, 250))
        made.append(Obstacle(f"w{k}", area, *r.choice(((share, 1.0), (0.0, share), (0.0, 1.0)))))
    return End(a), _arc(r, a, b), tuple(made), ()


@family
def tangent(r: random.Random) -> Scene:
    """Bases that one line touches in turn from either side, so that its lane has no width at all."""
    a, b = _ends(r, r.uniform(200, 450))
    (ax, ay), (bx, by) = a.centre, b.centre
    length = math.dist(a.centre, b.centre)
    ux, uy = (bx - ax) / length, (by - ay) / length
    start, stop = r.uniform(-0.9, 0.9) * a.radius_mm, r.uniform(-0.9, 0.9) * b.radius_mm
    made, side, at = [], r.choice((-1, 1)), a.radius_mm + 60.0
    while at < length - b.radius_mm - 50:
        radius = r.choice((15, 20, 25))
        across = start + (stop - start) * at / length + side * radius * math.hypot(1, (stop - start) / length)
        made.append(
            Obstacle(f"g{len(made)}", round_area(ax + at * ux - across * uy, ay + at * uy + across * ux, radius))
        )
        at, side = at + r.uniform(55, 90), -side
    return End(a), End(b), tuple(made), ()


@family
def overlapping(r: random.Random) -> Scene:
    """Areas that lie over a part of either end: walls, clouds and woods."""
    a, b = _ends(r, r.uniform(150, 400))
    made, woods = _bases(r, a, b, r.randint(0, 3)), []
    for k, host in enumerate((a, b)):
        turn = r.uniform(0, math.tau)
        away = host.radius_mm * r.uniform(0.3, 1.0)
        x, y = host.centre[0] + away * math.cos(turn), host.centre[1] + away * math.sin(turn)
        kind = r.randrange(3)
        if kind == 0:
            made.append(Obstacle(f"o{k}", block(r, x, y, r.uniform(3, 20), r.uniform(20, 80), turn)))
        elif kind == 1:
            made.append(Obstacle(f"o{k}", round_area(x, y, host.radius_mm * r.uniform(0.3, 0.9))))
        else:
            woods.append(Wood(f"f{k}", block(r, x, y, r.uniform(40, 160), r.uniform(40, 160)), 76.2))
    return End(a), End(b), tuple(made), tuple(woods)


@family
def points(r: random.Random) -> Scene:
    """Of the target only the point on the arc line is left, or next to nothing."""
    a, b = _ends(r, r.uniform(100, 300))
    facing = r.uniform(0, math.tau)
    normal = (math.cos(facing), math.sin(facing))
    left = r.choice((0.0, 1e-9, 1e-4))
    stop = End(b, normal, b.centre[0] * normal[0] + b.centre[1] * normal[1] + b.radius_mm - left)
    return End(a), stop, tuple(_bases(r, a, b, r.randint(1, 6), spread=45)), ()


@family
def everything(r: random.Random) -> Scene:
    """Up to sixty bases with walls, a wood, a cloud and a low wall, as on a table late in a game."""
    a, b = _ends(r, r.uniform(150, 600))
    made, woods = _bases(r, a, b, r.randint(5, 58), spread=160), []
    for k in range(r.randint(1, 3)):
        area = block(r, *_between(r, a, b, 120), r.uniform(3, 60), r.uniform(3, 120))
        share = r.uniform(0.2, 0.8)
        made.append(Obstacle(f"w{k}", area, *r.choice(((0.0, 1.0), (share, 1.0), (0.0, share)))))
    if r.random() < 0.5:
        woods.append(Wood("f", block(r, *_between(r, a, b, 150), r.uniform(40, 160), r.uniform(40, 160)), 76.2))
    made.append(Obstacle("k", round_area(*_between(r, a, b, 150), 38.1)))
    return End(a), _arc(r, a, b), tuple(o for o in made if _apart(o, a) and _apart(o, b)), tuple(woods)
