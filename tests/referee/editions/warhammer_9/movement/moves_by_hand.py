"""Moves, flights and pursuits on random tables, worked out from the book by small steps: shapely alone, nothing of the
referee's.

A move is walked along its steps, wheels by arcs, and measured against everything that an inch is owed to. A flight goes
straight away from who won, and on until an inch is clear; a pursuit straight after it, until something halts it.
`None` is said of a table on which half a millimetre would find something else.
"""

import math
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import shapely
from shapely import affinity

from models.parsing import parse_query
from models.state import TableState
from referee import ask
from tests.referee.editions.warhammer_9.tables import TABLE, block, table

INCH = 25.4
CLOSE_MM = 0.5  # nearer to a limit than this nothing is said
_STEP_MM, _STEP_DEG, _NEAR_MM = 0.5, 0.25, 0.005
_WIDTH, _DEPTH = float(TABLE["width_mm"]), float(TABLE["depth_mm"])
Step = dict[str, Any]


class Block(NamedTuple):
    """A block of miniatures of 20 mm: the middle of its front, where it looks, files and ranks."""

    x: float
    y: float
    deg: float
    files: int
    ranks: int

    @property
    def wide(self) -> float:
        return 20.0 * self.files

    @property
    def deep(self) -> float:
        return 20.0 * self.ranks

    @property
    def shape(self) -> Any:
        outline = shapely.box(-self.deep, -self.wide / 2, 0, self.wide / 2)
        return affinity.translate(affinity.rotate(outline, self.deg, origin=(0, 0)), self.x, self.y)

    @property
    def centre(self) -> tuple[float, float]:
        return self.shifted(-self.deep / 2)[:2]

    def shifted(self, ahead: float, left: float = 0.0) -> "Block":
        c, s = math.cos(math.radians(self.deg)), math.sin(math.radians(self.deg))
        return self._replace(x=self.x + c * ahead - s * left, y=self.y + s * ahead + c * left)

    def turned(self, about: tuple[float, float], deg: float) -> "Block":
        c, s = math.cos(math.radians(deg)), math.sin(math.radians(deg))
        dx, dy = self.x - about[0], self.y - about[1]
        return self._replace(x=about[0] + c * dx - s * dy, y=about[1] + s * dx + c * dy, deg=self.deg + deg)

    def facing(self, deg: float) -> "Block":
        return self.turned(self.centre, deg - self.deg)


class World(NamedTuple):
    """Who moves, whom he fights, the others by name, rocks and woods."""

    state: TableState
    mover: Block
    other: Block | None
    units: dict[str, tuple[Block, str]]
    rocks: dict[str, Any]
    woods: dict[str, Any]

    @property
    def closed(self) -> dict[str, Any]:
        return {id_: one.shape for id_, (one, _) in self.units.items()} | self.rocks


def _random_block(r: random.Random, x: float, y: float, deg: float) -> Block:
    return Block(x, y, deg, r.randint(1, 7), r.randint(1, 4))


def random_world(seed: int, *, fight: bool) -> World:
    """A unit among others, at least an inch and a bit from each; in a fight one of the enemy's touches its front."""
    r = random.Random(seed)
    mover = _random_block(r, r.uniform(250, _WIDTH - 250), r.uniform(250, _DEPTH - 250), r.uniform(0, 360))
    other = None
    if fight:
        aside = r.uniform(-0.9, 0.9) * mover.wide / 2
        other = _random_block(r, *mover.shifted(0.0, aside)[:2], mover.deg + 180)
    taken = [one.shape for one in (mover, other) if one is not None]
    units, rocks, woods = dict[str, tuple[Block, str]](), dict[str, Any](), dict[str, Any]()
    for k in range(r.randint(2, 9)):
        one = _random_block(r, r.gauss(mover.x, 220), r.gauss(mover.y, 220), r.uniform(0, 360))
        inside = 0 < one.x < _WIDTH and 0 < one.y < _DEPTH
        if not inside or min(one.shape.distance(shape) for shape in taken) < INCH + 1:
            continue
        kind = r.random()
        if kind < 0.2:
            rocks[f"rock{k}"] = one.shape
        elif kind < 0.35 and not fight:
            woods[f"wood{k}"] = one.shape
            continue
        else:
            units[f"U{k}"] = (one, r.choice(("red", "blue")))
        taken.append(one.shape)
    return World(_state(mover, other, units, rocks, woods), mover, other, units, rocks, woods)


def _state(mover: Block, other: Block | None, units: Any, rocks: Any, woods: Any) -> TableState:
    told = [
        ("A", mover, "red"),
        *([("L", other, "blue")] if other else []),
        *((k, u, s) for k, (u, s) in units.items()),
    ]
    blocks = [block(id_, side, (u.x, u.y), u.deg, u.files, u.files * u.ranks) for id_, u, side in told]
    ground = [("impassable", rocks), ("forest", woods)]
    terrain = [
        {"id": id_, "kind": kind, "polygon_mm": [list(p) for p in shape.exterior.coords[:-1]]}
        for kind, shapes in ground
        for id_, shape in shapes.items()
    ]
    return table(blocks, terrain=terrain)


def random_steps(seed: int) -> tuple[str, list[Step]]:
    """A manner, and some steps of which one in a few breaks a rule."""
    r = random.Random(seed)
    manner = r.choice(("advance", "march"))
    kind = r.random()
    if kind < 0.2:
        do = r.choice(("backward", "left", "right"))
        return manner, [{"do": do, "by_in": round(r.uniform(0.2, 2.5), 2)} for _ in range(r.randint(1, 2))]
    dos = ["forward", "wheel-left", "wheel-right"] + ["left"] * (kind > 0.95)
    return manner, [_random_step(r, r.choice(dos), 4 if manner == "advance" else 8) for _ in range(r.randint(1, 3))]


def _random_step(r: random.Random, do: str, most: float) -> Step:
    if do.startswith("wheel"):
        return {"do": do, "by_deg": round(r.uniform(2, 75), 1)}
    return {"do": do, "by_in": round(r.uniform(0.2, most * 0.7), 2)}


def walked(start: Block, step: Step) -> Iterator[Block]:
    """The block along one step, in small ones."""
    do, by = step["do"], step.get("by_in", 0.0) * INCH
    if do.startswith("wheel"):
        hand = 1 if do == "wheel-left" else -1
        about, turn = start.shifted(0.0, hand * start.wide / 2)[:2], step["by_deg"]
        parts = max(1, math.ceil(turn / _STEP_DEG))
        yield from (start.turned(about, hand * turn * k / parts) for k in range(parts + 1))
        return
    ahead, left = {"forward": (1, 0), "backward": (-1, 0), "left": (0, 1), "right": (0, -1)}[do]
    parts = max(1, math.ceil(by / _STEP_MM))
    yield from (start.shifted(ahead * by * k / parts, left * by * k / parts) for k in range(parts + 1))


def move_by_hand(world: World, manner: str, steps: list[Step]) -> tuple[str, float] | None:
    """Whether the steps are legal, and the least of what is to spare. Source: p. 15, 23; Forests, p. 92."""
    at, spent, turned, clear, woods = world.mover, 0.0, [CAPPED], [CAPPED], list[Any]()
    for step in steps:
        poses = list(walked(at, step))
        clear += [one.shape.distance(shape) - INCH for one in poses for shape in world.closed.values()]
        woods += [one.shape.intersection(wood).area for one in poses for wood in world.woods.values()]
        if "by_deg" in step:
            turn = math.radians(step["by_deg"])
            spent += turn * at.wide
            turned.append(2 * 4 * INCH - turn * math.hypot(at.wide, at.deep))
        else:
            spent += step["by_in"] * INCH * (1 if step["do"] == "forward" else 2)
        at = poses[-1]
    in_wood = any(area > 0 for area in woods)
    if in_wood and max(woods) < 20.0:
        return None  # it grazes a wood: whether it goes through is a hair's breadth
    allowed = (4 - in_wood) * INCH * (2 if manner == "march" else 1)
    margin = min(allowed - spent, *turned, min(clear))
    dos = {step["do"] for step in steps}
    aside = dos & {"backward", "left", "right"}
    broken = (aside and len(dos) > 1) or (manner == "march" and aside)
    if not broken and abs(margin) < CLOSE_MM:
        return None
    return ("no" if broken or margin < 0 else "yes"), margin


CAPPED = 1000.0


def move_disagreement(seed: int) -> str | None:
    """What the referee and the small steps say of one table, where they disagree."""
    world, (manner, steps) = random_world(seed, fight=False), random_steps(seed)
    wanted = move_by_hand(world, manner, steps)
    if wanted is None:
        return None
    found = ask(world.state, parse_query({"kind": "move", "mover": "A", "manner": manner, "steps": steps}))
    same = found.answer == wanted[0]
    told = found.margin_mm or 0.0
    if same and wanted[0] == "yes":
        same = abs(told - wanted[1]) < CLOSE_MM
    return None if same else f"table {seed}: by hand {wanted}, found {found.answer} {told} {steps}"


class Ends(NamedTuple):
    """Where both end, what stops the pursuers, and whether those who fled are off the table."""

    loser: Block
    winner: Block
    stopped_by: str | None
    is_off: bool


def random_dice(seed: int) -> tuple[int, int]:
    r = random.Random(-seed - 1)
    return r.randint(2, 12), r.randint(2, 12)


def pursuit_by_hand(world: World, flee: int, pursue: int, *, nudge_mm: float = 0.0) -> Ends | None:
    """Where both end; None where the book does not say it. Source: p. 21, 50-51."""
    won, lost = world.mover, world.other
    assert lost is not None
    away = math.degrees(math.atan2(lost.centre[1] - won.centre[1], lost.centre[0] - won.centre[0]))
    fled = _flown(world, lost.facing(away), flee * INCH + nudge_mm)
    is_off = _least_inside(fled) <= 0
    dx, dy = (b - a for a, b in zip(won.centre, fled.centre, strict=True))
    start = won.facing(math.degrees(math.atan2(dy, dx)))
    if any(start.shape.distance(shape) < INCH + 0.5 for shape in world.closed.values()) or _least_inside(start) <= 0.5:
        return None  # it stands within the inch as soon as it has turned
    caught, strong = pursue >= flee, won.files * won.ranks
    dead = caught and (strong >= 10 or strong >= 3 * lost.files * lost.ranks)
    rest = None if dead or is_off else fled.shape
    end, halted = _run_after(world, start, rest, pursue * INCH + nudge_mm, caught=caught)
    if rest is not None and end.shape.distance(rest) < INCH - CLOSE_MM:
        return None  # something halts it upon those it caught, or within the inch
    return Ends(fled, end, halted, is_off)


def _flown(world: World, start: Block, by_mm: float) -> Block:
    """Straight on so far, and on until an inch is left to everything."""
    closed = [*world.closed.values(), world.mover.shape]
    while any(start.shifted(by_mm).shape.distance(shape) < INCH - 1e-6 for shape in closed):
        by_mm += 0.2
    return start.shifted(by_mm)


def _least_inside(one: Block) -> float:
    return min(min(x, y, _WIDTH - x, _DEPTH - y) for x, y in one.shape.exterior.coords)


def _run_after(world: World, start: Block, rest: Any, by_mm: float, *, caught: bool) -> tuple[Block, str | None]:
    """Straight on: an inch from friends, rocks and those they follow, into fresh enemies, off the table."""
    foes = {id_ for id_, (_, side) in world.units.items() if side == "blue"}
    goal = by_mm
    if rest is not None and caught:
        goal = _behind_mm(start, rest)
    mm = 0.0
    while True:  # as far as surely nothing is met; nothing on the way can be jumped
        at = start.shifted(mm)
        slack = {id_: at.shape.distance(one) - (0 if id_ in foes else INCH) for id_, one in world.closed.items()}
        slack["edge"] = _least_inside(at)
        if rest is not None and not caught:
            slack["L"] = at.shape.distance(rest) - INCH
        nearest = min(slack, key=lambda id_: slack[id_])
        if slack[nearest] <= _NEAR_MM and not (nearest == "L" and mm >= goal):
            return at, nearest
        if mm >= goal:
            return at, ("L" if goal != by_mm else None)
        mm = min(goal, mm + slack[nearest])


def _behind_mm(start: Block, rest: Any) -> float:
    """How far they go to be an inch beyond those they run down."""
    mm = 3000.0
    while mm > 0 and (apart := start.shifted(mm).shape.distance(rest) - INCH) > _NEAR_MM:
        mm -= apart
    return max(0.0, mm)


def pursuit_disagreement(seed: int) -> str | None:
    """What the referee and the small steps say of one pursuit, where they disagree."""
    world, (flee, pursue) = random_world(seed, fight=True), random_dice(seed)
    wanted = pursuit_by_hand(world, flee, pursue)
    if wanted is None or _is_close_call(world, flee, pursue, wanted):
        return None
    dice = {"flee": flee, "pursue": pursue}
    found: Any = ask(world.state, parse_query({"kind": "pursuit", "winner": "A", "loser": "L", "dice": dice}))
    ends = {id_: found.value["poses"][id_]["front_mm"] for id_ in ("A", "L")}
    off = max(math.dist(ends["A"], wanted.winner[:2]), math.dist(ends["L"], wanted.loser[:2]))
    stopped = str(found.value["stopped_by"] or "").split(":")[0] or None
    if off < CLOSE_MM and stopped == wanted.stopped_by:
        return None
    return f"table {seed}: by hand {wanted}, found {ends} stopped by {stopped}, flee {flee}, pursue {pursue}"


def _is_close_call(world: World, flee: int, pursue: int, wanted: Ends) -> bool:
    """Whether half a millimetre more or less of either way would find something else."""
    for by in (-CLOSE_MM, CLOSE_MM):
        other = pursuit_by_hand(world, flee, pursue, nudge_mm=by)
        if other is None or (other.stopped_by, other.is_off) != (wanted.stopped_by, wanted.is_off):
            return True
        if max(math.dist(a[:2], b[:2]) for a, b in ((other.winner, wanted.winner), (other.loser, wanted.loser))) > 3.0:
            return True
    return False
