"""Crowded tables and mixed questions: what a long evening asks of a referee."""

import math
import random
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import ValidationError

from models.queries import QUERY, BaseQuery
from models.state import TableState
from referee.editions.registry import EDITIONS

EDITION = "warmachine-prime"
SIDE_MM = 1219.2
Drawn = dict[str, Any]

_GROUPS = ("distances", "arcs", "sight_and_shooting", "cover", "melee")
_NEAR_MM = 305.0  # who is asked about stands within 12 in, two times of three
_SIGMA_MM, _SIGMA_DEG = 0.25, 1.2
_SHARED_MM = (0.12, 0.10, 0.08)  # errors that move all bases together: camera, pose, light
_SIZES = (30.0,) * 7 + (40.0, 50.0)
_ABILITIES = ("stealth", "pathfinder", "flight", "incorporeal", "eyeless-sight", "amphibious", "gunfighter", "parry")


def draw_crowded_table(*, measured: bool, miniatures: int = 60, seed: int = 1) -> TableState:
    """Two armies in each other's reach, on a table with terrain and clouds; exact, or as a camera measures it."""
    r = random.Random(seed)
    minis: list[Drawn] = []
    while len(minis) < miniatures:
        one = _draw_miniature(r, len(minis))
        if all(math.dist(one["at_mm"], m["at_mm"]) > _least_distance_mm(one, m) for m in minis):
            minis.append(one)
    state: Drawn = {"edition": EDITION, "table": {"width_mm": SIDE_MM, "depth_mm": SIDE_MM}, "miniatures": minis}
    state |= {"units": _group_units(minis), "terrain": list(_draw_terrain(r)), "effects": _draw_clouds(r)}
    return TableState.model_validate(_with_sigmas(r, state) if measured else state)


def _draw_miniature(r: random.Random, k: int) -> Drawn:
    """One of either side; the lines meet in the middle of the table."""
    red = k % 2 == 0
    at = [r.uniform(80, SIDE_MM - 80), min(SIDE_MM - 60, max(60.0, r.gauss(560 if red else 660, 150)))]
    profile: Drawn = {"spd_in": 6, "cmd_in": 8, "melee": [{"name": "Blade", "reach_in": r.choice((0.5, 0.5, 1, 2))}]}
    if r.random() < 0.5:
        profile["ranged"] = [{"name": "Gun", "rng_in": r.choice((8, 10, 12, 14)), "rof": 1}]
    if r.random() < 0.3:
        profile["abilities"] = [r.choice(_ABILITIES)]
    return {
        "id": f"m{k}",
        "side": "red" if red else "blue",
        "type": "warcaster" if k < 2 else "trooper" if k < 42 else "warjack",
        "base": {"shape": "round", "diameter_mm": 40.0 if k < 2 else r.choice(_SIZES)},
        "at_mm": at,
        "facing_deg": (90 if red else 270) + r.gauss(0, 40),
        "status": ["knocked-down"] if r.random() < 0.05 else [],
        "profile": profile,
    }


def _least_distance_mm(one: Drawn, other: Drawn) -> float:
    return float((one["base"]["diameter_mm"] + other["base"]["diameter_mm"]) / 2)


def _group_units(minis: list[Drawn]) -> list[Drawn]:
    """Four units of ten, the first of each its commander."""
    units = []
    for k in range(4):
        members = minis[2 + k % 2 : 42 : 2][10 * (k // 2) : 10 * (k // 2) + 10]
        for one in members:
            one["unit"] = f"u{k}"
        units.append({"id": f"u{k}", "side": members[0]["side"], "commander": members[0]["id"], "command_in": 8})
    return units


def _draw_terrain(r: random.Random) -> Iterator[Drawn]:
    kinds = (("wall", 15, 120, 22), ("wall", 15, 100, 50), ("building", 90, 110, 100), ("forest", 180, 150, 2),
             ("forest", 140, 120, 2), ("hill", 200, 170, 25.4), ("trench", 150, 60, 1), ("rubble", 110, 90, 2),
             ("shallow-water", 150, 110, 1), ("linear-obstacle", 12, 130, 20))  # fmt: skip
    for k, (kind, w, h, height) in enumerate(kinds):
        x, y, a = r.uniform(150, SIDE_MM - 150), r.uniform(250, SIDE_MM - 250), r.uniform(0, math.tau)
        c, s = math.cos(a), math.sin(a)
        corners = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]
        surface = {"surface_mm": 25.4} if kind == "hill" else {}
        outline = [[x + c * u - s * v, y + s * u + c * v] for u, v in corners]
        yield {"id": f"t{k}", "kind": kind, "polygon_mm": outline, "height_mm": height} | surface


def _draw_clouds(r: random.Random) -> list[Drawn]:
    places = [[r.uniform(300, 900), r.uniform(400, 800)] for _ in range(2)]
    return [{"id": f"c{k}", "kind": "cloud", "centre_mm": at, "diameter_mm": 76.2} for k, at in enumerate(places)]


def _with_sigmas(r: random.Random, state: Drawn) -> Drawn:
    """The same table with the sigmas of a good camera, and what all its errors have in common."""
    for one in state["miniatures"]:
        one["sigma"] = {"at_mm": _SIGMA_MM * r.uniform(0.8, 1.4), "facing_deg": _SIGMA_DEG * r.uniform(0.7, 1.5)}
    ids = [one["id"] for one in state["miniatures"]]
    shifts = [(size * math.cos(k), size * math.sin(k)) for k, size in enumerate(_SHARED_MM)]
    modes = [{"name": f"shared {k}", "shift_mm": dict.fromkeys(ids, shift)} for k, shift in enumerate(shifts)]
    return state | {"common_mm": modes}


def mixed_queries(state: TableState, count: int, *, seed: int = 1) -> list[BaseQuery]:
    """Questions of every kind about a table at rest, as many of each, in mixed order."""
    r = random.Random(seed)
    kinds = kinds_of(state)
    asked = [_draw_query(r, state, kinds[k % len(kinds)]) for k in range(count)]
    r.shuffle(asked)
    return asked


def kinds_of(state: TableState) -> list[type[BaseQuery]]:
    """The questions about distance, arcs, sight, cover and melee that the edition answers."""
    known = (cls for cls in EDITIONS[state.edition].rules if cls.__module__.rpartition(".")[2] in _GROUPS)
    return sorted(known, key=lambda cls: cls.__name__)


def draw_queries(state: TableState, cls: type[BaseQuery], count: int, *, seed: int = 1) -> list[BaseQuery]:
    """Questions of one kind."""
    r = random.Random(f"{cls.__name__} {seed}")
    return [_draw_query(r, state, cls) for _ in range(count)]


def _draw_query(r: random.Random, state: TableState, cls: type[BaseQuery]) -> BaseQuery:
    """One question of this kind, its fields drawn by what they may hold."""
    for _ in range(50):
        fields = {"kind": cls.model_fields["kind"].default} | _draw_fields(r, state, cls)
        try:
            return QUERY.validate_python(fields)
        except ValidationError:
            continue  # two fields of which one may be given at most: draw again
    raise AssertionError(f"nothing drawn for {cls.__name__} is allowed")


def _draw_fields(r: random.Random, state: TableState, cls: type[BaseQuery]) -> Drawn:
    near = iter(_neighbours(r, state))
    fields: Drawn = {}
    for name, field in cls.model_fields.items():
        optional = not field.is_required()
        if name in ("kind", "asked_by") or (optional and name not in ("path_mm", "range_in") and r.random() < 0.8):
            continue
        drawn = _draw_value(r, state, cls, name, _strip_optional(field.annotation), near)
        if drawn is not None:
            fields[name] = drawn
    return fields


def _neighbours(r: random.Random, state: TableState) -> list[str]:
    """Miniatures in a drawn order: one, and then mostly those who stand within 12 in of it."""
    first, *others = r.sample(state.miniatures, len(state.miniatures))
    if r.random() < 2 / 3:
        others.sort(key=lambda m: math.dist(m.at_mm, first.at_mm) > _NEAR_MM)
    enemies_first = sorted(others, key=lambda m: m.side == first.side) if r.random() < 0.5 else others
    return [first.id, *(m.id for m in enemies_first)]


def _strip_optional(annotation: Any) -> Any:
    """What a field holds when it is given: without None and without notes."""
    if get_origin(annotation) is Annotated:
        return _strip_optional(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return _strip_optional(next(part for part in get_args(annotation) if part is not type(None)))
    return annotation


def _draw_value(
    r: random.Random, state: TableState, cls: type[BaseQuery], name: str, kind: Any, near: Iterator[str]
) -> Any:
    if name == "path_mm":
        return _draw_path(r, state, next(near))
    if cls.wants_unit(name):
        return r.choice(state.units).id
    if name == "area":
        return r.choice([*(t.id for t in state.terrain), *(e.id for e in state.effects)])
    if name in cls.PLACES:
        return [next(near) for _ in range(4)] if get_origin(kind) is tuple else next(near)
    if get_origin(kind) is Literal:
        return r.choice(get_args(kind))
    if name.endswith("_in"):
        return r.choice((0.5, 1, 2) if name == "reach_in" else (5, 8, 10, 12))
    return r.random() < 0.5 if kind is bool else None


def _draw_path(r: random.Random, state: TableState, mover: str) -> list[list[float]]:
    """A move of up to 6 in that ends somewhere else; it may be anybody's."""
    x, y = next(m.at_mm for m in state.miniatures if m.id == mover)
    a, far = r.uniform(0, math.tau), r.uniform(30, 152)
    return [[x, y], [x + far * math.cos(a), y + far * math.sin(a)]]
