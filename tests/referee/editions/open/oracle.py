"""Brute force beside the open edition: random tables and settings, answered by other means than the referee's.

Bases and terrain are shapely polygons with fine rims, lines are tried one by one, shares are counted on a lattice.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from models.house_rules import HOUSE_RULES
from models.parsing import parse_query
from models.state import TableState
from referee import ask

KEYS = ("open-measure", "open-vertical", "open-sight", "open-figures", "open-solid", "open-woods", "open-arc-from",
        "open-arc-counts", "open-cover", "open-cover-inside", "open-engage-sight", "open-coherency",
        "open-template")  # fmt: skip
INCH = 25.4
_TRIES = 24  # points of a base from which, and to which, lines are tried
_ROUGH_MM = 2.5  # between so many tried lines one this narrow may be missed
_SHARE_MM = 2.0  # what a lattice leaves open of a share, in millimetres of the base's width


def random_state(seed: int) -> TableState:
    """A table with two to six bases, up to three pieces of terrain, and settings chosen at random."""
    r = random.Random(seed)
    spread = r.choice((1.0, 0.3))  # far and wide, or in a crowd
    minis = [_random_base(r, k, spread) for k in range(r.randint(2, 6))]
    terrain = [_random_terrain(r, k) for k in range(r.randint(0, 3))]
    chosen = {key: r.choice(HOUSE_RULES[key].readings) for key in KEYS}
    chosen |= {"open-eye-percent": str(r.choice((50, 90, 100)))}
    chosen |= {"open-arc-deg": str(r.choice((60, 90, 120, 180, 200, 270))), "open-hair-mm": str(r.choice((0, 2)))}
    raw = {"version": 1, "edition": "open", "table": {"width_mm": 1219.2, "depth_mm": 1219.2}, "units": [{"id": "u"}]}
    return TableState.model_validate(raw | {"miniatures": minis, "terrain": terrain, "house_rules": chosen})


def _random_base(r: random.Random, k: int, spread: float) -> dict[str, Any]:
    base: dict[str, Any] = {"shape": "round", "diameter_mm": r.choice((25, 32, 40, 60))}
    if r.random() < 0.4:
        base = {"shape": "rect", "width_mm": r.choice((20, 25, 50)), "depth_mm": r.choice((20, 50, 75))}
    at = [500 + spread * r.uniform(-200, 200), 450 + spread * r.uniform(-150, 150)]
    more = {"elevation_mm": r.choice((0, 0, 30)), "body_mm": r.choice((30, 45)), "unit": "u" if k % 2 else None}
    if r.random() < 0.3:
        ways = sorted(r.uniform(0, math.tau) for _ in range(5))
        more["outline_mm"] = [[at[0] + 55 * math.cos(w), at[1] + 55 * math.sin(w)] for w in ways]
    return {"id": f"m{k}", "base": base, "at_mm": at, "facing_deg": r.uniform(0, 360), "side": "red", **more}


def _random_terrain(r: random.Random, k: int) -> dict[str, Any]:
    x, y, w, d, turn = r.uniform(300, 700), r.uniform(300, 600), r.uniform(15, 90), r.uniform(15, 150), r.uniform(0, 3)
    c, s = math.cos(turn), math.sin(turn)
    corners = [(x + c * a - s * b, y + s * a + c * b) for a, b in ((-w, -d), (w, -d), (w, d), (-w, d))]
    kind = r.choice(("wall", "forest", "obstruction", "rough"))
    return {"id": f"t{k}", "kind": kind, "polygon_mm": [list(p) for p in corners], "height_mm": r.choice((20, 35, 90))}


@dataclass(frozen=True)
class Oracle:
    """One random table, seen by brute force."""

    state: TableState

    def setting(self, key: str) -> str:
        return self.state.house_rules.get(key) or HOUSE_RULES[key].defaults["open"]

    def shape(self, id_: str) -> Any:
        thing: Any = self.state.by_id[id_]
        if not hasattr(thing, "base"):
            return shapely.Polygon(thing.polygon_mm)
        if thing.base.shape == "round":
            return shapely.Point(thing.at_mm).buffer(thing.base.diameter_mm / 2, quad_segs=512)
        deep, wide = thing.base.depth_mm / 2, thing.base.width_mm / 2
        flat = shapely.box(-deep, -wide, deep, wide)
        turned = shapely.affinity.rotate(flat, thing.facing_deg, origin=(0, 0))
        return shapely.affinity.translate(turned, *thing.at_mm)

    def at(self, id_: str) -> tuple[float, float]:
        return self.state.by_id[id_].at_mm  # type: ignore[union-attr]

    def distance_mm(self, a: str, b: str) -> float:
        centre = self.setting("open-measure") == "centre"
        one, other = (self._measured(id_) for id_ in (a, b))
        rise = 0.0
        if b.startswith("m") and self.setting("open-vertical") != "plan":
            x, y = self.state.by_id[a], self.state.by_id[b]
            low, high = sorted((x, y), key=lambda m: m.elevation_mm)  # type: ignore[union-attr]
            gap = high.elevation_mm - low.elevation_mm  # type: ignore[union-attr]
            rise = gap if centre else max(0.0, gap - low.body_mm)  # type: ignore[union-attr]
        plan = one.distance(other)
        how = self.setting("open-vertical")
        return float({"plan": plan, "space": math.hypot(plan, rise), "added": plan + rise}[how])

    def _measured(self, id_: str) -> Any:
        how = self.setting("open-measure") if id_.startswith("m") else "edge"
        outline = getattr(self.state.by_id[id_], "outline_mm", None)
        if how == "hull" and outline is not None:
            return shapely.Polygon(outline)
        return shapely.Point(self.at(id_)) if how == "centre" else self.shape(id_)

    def wedge(self, id_: str) -> Any:
        """The front arc as one polygon out to far, whatever its width."""
        me: Any = self.state.by_id[id_]
        heading, half = math.radians(me.facing_deg), math.radians(float(self.setting("open-arc-deg"))) / 2
        ways = [heading + half * k / 64 for k in range(-64, 65)]
        starts = [me.at_mm, me.at_mm]
        if me.base.shape == "rect" and self.setting("open-arc-from") == "corners":
            deep, wide = me.base.depth_mm / 2, me.base.width_mm / 2
            sign = 1 if half <= math.pi / 2 else -1
            starts = [_turned(me.at_mm, heading, sign * deep, side * wide) for side in (-1, 1)]
        right, left = starts
        rim = [(me.at_mm[0] + 9e3 * math.cos(w), me.at_mm[1] + 9e3 * math.sin(w)) for w in ways]
        first = (right[0] + 9e3 * math.cos(ways[0]), right[1] + 9e3 * math.sin(ways[0]))
        last = (left[0] + 9e3 * math.cos(ways[-1]), left[1] + 9e3 * math.sin(ways[-1]))
        return shapely.Polygon([right, first, *rim[1:-1], last, left])

    def is_in_front(self, viewer: str, target: str) -> bool:
        wedge, counts = self.wedge(viewer), self.setting("open-arc-counts")
        if counts == "centre":
            return bool(wedge.contains(shapely.Point(self.at(target))))
        shape = self.shape(target)
        return bool(wedge.covers(shape) if counts == "all" else wedge.intersects(shape))

    def closers(self, a: str, b: str) -> list[Any]:
        """What closes a whole line between two; None stands in it where something closes only a part, or by depth."""
        found: list[Any] = []
        tops = [self._top(id_) for id_ in (a, b)]
        for thing in (*self.state.terrain, *self.state.miniatures):
            if thing.id in (a, b):
                continue
            is_mini = thing.id.startswith("m")
            kind = (
                "figures" if is_mini else {"wall": "solid", "obstruction": "solid", "forest": "woods"}.get(thing.kind)
            )  # type: ignore[union-attr]
            how = "nothing" if kind is None else self.setting(f"open-{kind}")
            height = self._top(thing.id) if is_mini else thing.height_mm  # type: ignore[union-attr]
            if how == "block-unless-inside":
                inside = any(self.shape(thing.id).intersects(self.shape(end)) for end in (a, b))
                how = "nothing" if inside else "block"
            if how == "by-height":
                how = "nothing" if min(tops) > height else "block" if max(tops) <= height else "partly"
            if how in ("partly", "depth"):
                found.append(None)
            elif how == "block":
                found.append(self.shape(thing.id))
        return found

    def uprights(self, a: str, b: str) -> list[tuple[Any, float]]:
        """What stands between two, each with the height up to which it closes lines."""
        found = []
        for thing in (*self.state.terrain, *self.state.miniatures):
            kinds = {"wall": "solid", "obstruction": "solid", "forest": "woods"}
            kind = "figures" if thing.id.startswith("m") else kinds.get(thing.kind)  # type: ignore[union-attr]
            how = "nothing" if kind is None or thing.id in (a, b) else self.setting(f"open-{kind}")
            shape = self.shape(thing.id)
            if how == "block-unless-inside" and any(shape.intersects(self.shape(end)) for end in (a, b)):
                how = "nothing"
            height = self._top(thing.id) if kind == "figures" else thing.height_mm  # type: ignore[union-attr]
            if how != "nothing":
                found.append((shape, height if how == "by-height" else math.inf))
        return found

    def _top(self, id_: str) -> float:
        one: Any = self.state.by_id[id_]
        return float(one.elevation_mm + one.body_mm)

    def tried_lines(self, a: str, b: str) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
        ends = [np.array(_points_of(self.shape(id_))) for id_ in (a, b)]
        yield from ((tuple(p), tuple(q)) for p in ends[0] for q in ends[1])


def _turned(at: tuple[float, float], heading: float, ahead: float, left: float) -> tuple[float, float]:
    c, s = math.cos(heading), math.sin(heading)
    return at[0] + c * ahead - s * left, at[1] + s * ahead + c * left


def _points_of(shape: Any) -> list[tuple[float, float]]:
    rim = [shape.exterior.interpolate(k / _TRIES, normalized=True) for k in range(_TRIES)]
    return [(p.x, p.y) for p in (*rim, shape.centroid)]


def disagreements(seed: int) -> list[str]:
    """Every question of one random table on which the referee and brute force differ."""
    oracle = Oracle(random_state(seed))
    return [f"seed {seed}: {one}" for one in _compare(oracle)]


def _compare(oracle: Oracle) -> Iterator[str]:
    a, b = "m0", "m1"
    apart = _ask(oracle, kind="distance", a=a, b=b).value["distance_mm"]
    if abs(apart - oracle.distance_mm(a, b)) > 0.01:
        yield f"distance {apart} not {oracle.distance_mm(a, b)}"
    hair = float(oracle.setting("open-hair-mm"))
    yield from _told(_ask(oracle, kind="within", a=a, b=b, range_in=5), oracle.distance_mm(a, b) <= 127 + hair)
    yield from _told(_ask(oracle, kind="in-front-arc", viewer=a, target=b), oracle.is_in_front(a, b))
    yield from _told(_ask(oracle, kind="in-back-arc", viewer=a, target=b), not oracle.is_in_front(a, b))
    yield from _compare_sight(oracle, a, b)
    yield from _compare_cover(oracle, a, b)
    yield from _compare_template(oracle)
    yield from _compare_coherency(oracle, hair)


def _ask(oracle: Oracle, **fields: Any) -> Any:
    return ask(oracle.state, parse_query(fields))


def _told(verdict: Any, expected: bool, *, blur_mm: float = 0.01) -> Iterator[str]:
    """The difference, unless it is nearer to the limit than brute force can tell."""
    if (verdict.answer == "yes") is not expected and abs(verdict.margin_mm) > blur_mm:
        yield f"{verdict.kind} is {verdict.answer} by {verdict.margin_mm}, not {expected}"


def _compare_sight(oracle: Oracle, a: str, b: str) -> Iterator[str]:
    closing, how = oracle.closers(a, b), oracle.setting("open-sight")
    if how == "body":
        yield from _compare_body(oracle, a, b)
        return
    if None in closing:
        return
    verdict, joined = _ask(oracle, kind="los", viewer=a, target=b), shapely.union_all(closing)
    if how == "any-part":
        lines = shapely.linestrings(np.array(list(oracle.tried_lines(a, b))))
        is_clear = bool((~shapely.intersects(joined, lines)).any())
        is_missed = verdict.answer == "yes" and not is_clear and verdict.margin_mm < _ROUGH_MM
        yield from () if is_missed else _told(verdict, is_clear)
    elif how == "share":
        seen = _seen_share(oracle, a, b, joined)
        wide = 2 * shapely.minimum_bounding_radius(oracle.shape(b))
        yield from _told(verdict, seen >= 0.5, blur_mm=max(_SHARE_MM, 0.04 * wide))
    else:
        ends = [oracle.at(b)] if how == "centre-to-centre" else _outermost(oracle, a, b)
        lines = [shapely.LineString([oracle.at(a), end]) for end in ends]
        yield from _told(verdict, not any(line.intersects(joined) for line in lines))


def _compare_body(oracle: Oracle, a: str, b: str) -> Iterator[str]:
    """Lines from the eye to a lattice on the sheet across the line of sight, each against every upright thing."""
    viewer, target = (oracle.state.by_id[id_] for id_ in (a, b))
    eye_mm = viewer.elevation_mm + viewer.body_mm * float(oracle.setting("open-eye-percent")) / 100  # type: ignore[union-attr, operator]
    (ax, ay), (bx, by) = oracle.at(a), oracle.at(b)
    away = math.hypot(bx - ax, by - ay)
    left = (-(by - ay) / away, (bx - ax) / away)
    across = [(x - bx) * left[0] + (y - by) * left[1] for x, y in oracle.shape(b).exterior.coords]
    uprights, seen, tried = oracle.uprights(a, b), 0, 0
    for u in np.linspace(min(across), max(across), 27)[1:-1]:
        line = shapely.LineString([(ax, ay), (bx + u * left[0], by + u * left[1])])
        stretches = [(_stretch(line, shape), top) for shape, top in uprights]
        for share in (np.arange(14) + 0.5) / 14:
            z = target.elevation_mm + share * target.body_mm  # type: ignore[union-attr, operator]
            lows = [(min(eye_mm + t * (z - eye_mm) for t in ends), top) for ends, top in stretches if ends is not None]
            tried, seen = tried + 1, seen + all(low >= top for low, top in lows)
    wide = 2 * shapely.minimum_bounding_radius(oracle.shape(b))
    verdict = _ask(oracle, kind="los", viewer=a, target=b)
    if abs(verdict.value["seen_share"] - seen / tried) > 0.06:
        yield f"body is seen to {verdict.value['seen_share']:.3f}, not {seen / tried:.3f}"
    yield from _told(verdict, seen / tried >= 0.5, blur_mm=max(_SHARE_MM, 0.06 * wide))


def _stretch(line: Any, shape: Any) -> tuple[float, float] | None:
    """From where to where a line runs in a convex shape, in shares of its length."""
    inside = line.intersection(shape)
    if inside.is_empty or inside.length < 1e-6:
        return None
    ends = [line.project(shapely.Point(p), normalized=True) for p in inside.coords]
    return min(ends), max(ends)


def _outermost(oracle: Oracle, a: str, b: str) -> list[tuple[float, float]]:
    """The points of b farthest to either side of the line of middles."""
    (ax, ay), (bx, by) = oracle.at(a), oracle.at(b)
    rim = list(oracle.shape(b).exterior.coords)
    side = [(bx - ax) * (y - by) - (by - ay) * (x - bx) for x, y in rim]
    return [rim[int(np.argmax(side))], rim[int(np.argmin(side))]]


def _seen_share(oracle: Oracle, a: str, b: str, joined: Any) -> float:
    shape = oracle.shape(b)
    left, low, right, high = shape.bounds
    lattice = [(x, y) for x in np.linspace(left, right, 31) for y in np.linspace(low, high, 31)]
    inside = [p for p in lattice if shape.contains(shapely.Point(p))]
    lines = shapely.linestrings(np.array([(oracle.at(a), p) for p in inside]))
    return float(1 - shapely.intersects(joined, lines).mean())


def _compare_cover(oracle: Oracle, a: str, b: str) -> Iterator[str]:
    how, inside = oracle.setting("open-cover"), oracle.setting("open-cover-inside")
    features = [oracle.shape(t.id) for t in oracle.state.terrain if t.kind in ("wall", "forest", "obstruction")]
    names = [t.id for t in oracle.state.terrain if t.kind in ("wall", "forest", "obstruction")]
    line, base, middle = shapely.LineString([oracle.at(a), oracle.at(b)]), oracle.shape(b), shapely.Point(oracle.at(b))
    stands = {
        "no": lambda one: False,
        "centre": lambda one: one.covers(middle),
        "any-part": lambda one: one.intersects(base),
        "all": lambda one: one.covers(base),
    }[inside]
    granted = any(stands(one) for one in features)
    if how == "crossed":
        granted |= any(one.intersects(line) for one in features)
    elif how == "near":
        limit = INCH + float(oracle.setting("open-hair-mm"))
        near = [oracle.distance_mm(b, id_) <= limit for id_ in names]
        granted |= any(one.intersects(line) and is_near for one, is_near in zip(features, near, strict=True))
    blur_mm = 0.01
    if how == "share" and features:
        granted |= _seen_share(oracle, a, b, shapely.union_all(features)) <= 0.5
        blur_mm = max(_SHARE_MM, 0.08 * shapely.minimum_bounding_radius(base))
    if how == "lines" and features:
        joined, ends = shapely.union_all(features), _rim_points(oracle, a, b)
        lines = [shapely.LineString([oracle.at(a), end]) for end in ends]
        granted |= 2 * sum(line.intersects(joined) for line in lines) >= len(lines)
    yield from _told(_ask(oracle, kind="cover", attacker=a, target=b), granted, blur_mm=blur_mm)


def _rim_points(oracle: Oracle, a: str, b: str) -> list[tuple[float, float]]:
    """The corners of b, or eight points of its rim from the one straight behind on."""
    target: Any = oracle.state.by_id[b]
    rim = list(oracle.shape(b).exterior.coords)
    if target.base.shape == "rect":
        return rim[:4]
    (ax, ay), (bx, by) = oracle.at(a), oracle.at(b)
    ways = [math.atan2(by - ay, bx - ax) + k * math.pi / 4 for k in range(8)]
    r = target.base.diameter_mm / 2
    return [(bx + r * math.cos(w), by + r * math.sin(w)) for w in ways]


def _compare_template(oracle: Oracle) -> Iterator[str]:
    verdict = _ask(oracle, kind="template-hits", at=[500.0, 450.0], diameter_in=5)
    disc, how = shapely.Point(500, 450).buffer(2.5 * INCH, quad_segs=512), oracle.setting("open-template")
    for member in verdict.members:
        shape = shapely.Point(oracle.at(member.id)) if how == "centre" else oracle.shape(member.id)
        expected = disc.covers(shape) if how == "all" else disc.intersects(shape)
        if (member.answer == "yes") is not expected and abs(member.margin_mm) > 0.01:
            yield f"template on {member.id} is {member.answer} by {member.margin_mm}"


def _compare_coherency(oracle: Oracle, hair_mm: float) -> Iterator[str]:
    ids = [m.id for m in oracle.state.miniatures if m.unit == "u"]
    wanted = {"one": 1, "two": 2, "all": len(ids)}[oracle.setting("open-coherency")]
    for member in _ask(oracle, kind="formation", unit="u").members:
        order = sorted(oracle.distance_mm(member.id, other) for other in ids if other != member.id)
        expected = not order or order[min(wanted, len(order)) - 1] <= 2 * INCH + hair_mm
        if (member.answer == "yes") is not expected and abs(member.margin_mm) > 0.01:
            yield f"coherency of {member.id} is {member.answer} by {member.margin_mm}"
