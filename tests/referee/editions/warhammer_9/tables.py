"""Tables of ranked units for tests: some written down, some drawn."""

import math
import random
from typing import Any

from models.state import TableState

TABLE = {"width_mm": 1828.8, "depth_mm": 1219.2}
HALL = 8000.0
BASES = {"infantry": (20, 20), "cavalry": (25, 50), "monstrous-infantry": (40, 40)}
CARD = {
    "spd_in": 4, "bs": 4, "ld": 7, "wounds": 3, "ranged": [{"name": "bow", "rng_in": 24, "rules": ["volley-fire"]}],
}  # fmt: skip


def block(
    id_: str, side: str, front: tuple[float, float], facing: float, files: int, count: int, **more: Any
) -> dict[str, Any]:
    """A unit written as a block."""
    kind = more.pop("type", "infantry")
    wide, deep = BASES[kind]
    told = {"gap_mm": more.pop("gap_mm")} if "gap_mm" in more else {}
    sigma = {"sigma": more.pop("sigma")} if "sigma" in more else {}
    shape = {"shape": "rect", "width_mm": wide, "depth_mm": deep}
    return {
        "id": id_, "side": side, "formation": "ranked", **more,
        "block": {"front_mm": front, "facing_deg": facing, "files": files, "count": count, "base": shape,
                  "type": kind, "profile": CARD, **told, **sigma},
    }  # fmt: skip


def lone(id_: str, side: str, at: tuple[float, float], facing: float, **more: Any) -> dict[str, Any]:
    """A miniature that is a unit of its own."""
    base = {"shape": "rect", "width_mm": 50, "depth_mm": 50}
    return {"id": id_, "side": side, "base": base, "at_mm": at, "facing_deg": facing, "profile": CARD, **more}


def table(units: list[dict[str, Any]], alone: list[dict[str, Any]] | None = None, **more: Any) -> TableState:
    raw = {"version": 1, "edition": "warhammer-9", "table": TABLE, "units": units, "miniatures": alone or []}
    return TableState.model_validate(raw | more)


def drawn(seed: int, *, sigma_mm: float = 0.0) -> TableState:
    """Four to eight units and some terrain, anywhere, also on one another."""
    r = random.Random(seed)
    units, alone = [], []
    sigma = {"at_mm": sigma_mm, "facing_deg": 3 * sigma_mm}
    for k in range(r.randint(4, 8)):
        side, at, facing = r.choice(("red", "blue")), (r.uniform(100, 1700), r.uniform(100, 1100)), r.uniform(0, 360)
        if r.random() < 0.3:
            kind = r.choice(("monster", "war-machine"))
            alone.append(lone(f"M{k}", side, at, facing, type=kind, sigma=sigma))
        else:
            files = r.randint(3, 7)
            loose = {"formation": "skirmish", "gap_mm": 12.7} if r.random() < 0.3 else {}
            kind = r.choice(tuple(BASES))
            units.append(
                block(f"U{k}", side, at, facing, files, r.randint(files, 3 * files), type=kind, sigma=sigma, **loose)
            )
    return table(units, alone, terrain=[_piece(r, k) for k in range(r.randint(0, 4))])


def _piece(r: random.Random, k: int) -> dict[str, Any]:
    x, y, w, h = r.uniform(100, 1600), r.uniform(100, 1000), r.uniform(20, 300), r.uniform(20, 200)
    kind = r.choice(("forest", "hill", "wall", "impassable", "river", "building", "marsh"))
    tall = {"height_mm": 60} if r.random() < 0.5 else {}
    return {"id": f"t{k}", "kind": kind, "polygon_mm": [[x, y], [x + w, y], [x + w, y + h], [x, y + h]], **tall}


def regiments_of(state: TableState) -> list[str]:
    return [u.id for u in state.units] + [m.id for m in state.miniatures if m.unit is None]


def moved(state: TableState, turn_rad: float, by: tuple[float, float]) -> TableState:
    """The same turned about its corner and shifted, in the middle of a table whose edges are far from everything."""
    c, s = math.cos(turn_rad), math.sin(turn_rad)

    def there(p: Any) -> list[float]:
        return [c * p[0] - s * p[1] + by[0] + HALL / 2, s * p[0] + c * p[1] + by[1] + HALL / 2]

    raw = state.model_dump(mode="json", exclude_none=True)
    for one in raw["miniatures"]:
        one["at_mm"], one["facing_deg"] = there(one["at_mm"]), one["facing_deg"] + math.degrees(turn_rad)
    for piece in raw["terrain"]:
        piece["polygon_mm"] = [there(p) for p in piece["polygon_mm"]]
    return TableState.model_validate(raw | {"table": {"width_mm": HALL, "depth_mm": HALL}})
