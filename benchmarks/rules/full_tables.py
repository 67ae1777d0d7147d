"""Full tables of Warhammer: 20 units and 300 miniatures, measured as a camera does, and questions of every kind.

Every place and facing is in doubt, and errors that move all of them together.
"""

import random
from collections.abc import Iterator
from typing import Any

from models.queries import QUERY, BaseQuery
from models.state import TableState

WIDE_MM, DEEP_MM = 1828.8, 1219.2
_SIGMA = {"at_mm": 0.25, "facing_deg": 1.0}
_SHARED_MM = (0.12, 0.10, 0.08)
_BOW = {"name": "bow", "rng_in": 30, "rules": ["volley-fire"]}
_CARD: dict[str, Any] = {
    "spd_in": 4, "bs": 4, "ld": 7, "wounds": 4, "ranged": [_BOW],
    "spells": [{"name": "bolt", "rng_in": 24, "type": "missile", "offensive": True}],
}  # fmt: skip
Drawn = dict[str, Any]
# type, base, files, how many, gap; what is left of 150 a side fills up the first
_ARMY: tuple[tuple[str, tuple[float, float], int, int, float], ...] = (
    ("infantry", (20, 20), 7, 28, 0.0), ("infantry", (25, 25), 6, 24, 0.0), ("infantry", (20, 20), 5, 25, 0.0),
    ("infantry", (20, 20), 10, 20, 0.0), ("cavalry", (25, 50), 5, 10, 0.0), ("monstrous-infantry", (40, 40), 3, 9, 0.0),
    ("infantry", (20, 20), 5, 15, 12.7), ("war-beast", (25, 50), 5, 10, 0.0), ("swarm", (40, 40), 4, 8, 12.7),
    ("monster", (50, 100), 1, 1, 0.0),
)  # fmt: skip
# Every kind with the fields it is asked with: `?` stands for a unit of red, `!` for one of blue, `*` for a unit of
# either that is more than one miniature.
KINDS: dict[str, Drawn] = {
    "distance": {"a": "?", "b": "!"}, "within": {"a": "?", "b": "!", "range_in": 12},
    "aura": {"source": "?", "range_in": 12}, "range": {"attacker": "?", "target": "!", "weapon": "bow"},
    "in-front-arc": {"viewer": "?", "target": "!"}, "arc": {"viewer": "?", "target": "!"},
    "los": {"viewer": "?", "target": "!"}, "cover": {"attacker": "?", "target": "!"}, "may-shoot": {"attacker": "?"},
    "attack-modifiers": {"attacker": "?", "target": "!", "attack": "ranged"},
    "shooters": {"attacker": "?", "target": "!"}, "shooting-into-combat": {"attacker": "?", "target": "!"},
    "combat-contacts": {}, "spell-target": {"caster": "?", "target": "!", "spell": "bolt"},
    "command-range": {"commander": "?", "who": "?", "purpose": "leadership"},
    "morale-check": {"cause": "broken", "source": "?"}, "look-out-sir": {"who": "?", "cause": "template"},
    "template-hits": {"at": "@", "diameter_in": 5}, "spray-hits": {"attacker": "?", "heading_deg": 80},
    "deviation": {"origin": "?", "target": "@", "diameter_in": 3,
                  "dice": {"scatter": "arrow", "heading_deg": 30, "artillery": 6}},
    "stone-thrower": {"attacker": "?", "at": "@"},
    "cannon": {"attacker": "?", "at": "@", "dice": {"scatter": "hit", "bounce": 8}},
    "bolt-thrower": {"attacker": "?", "target": "!"}, "war-machine-pivot": {"who": "?", "target": "!"},
    "march": {"mover": "?"}, "may-move": {"mover": "?"}, "wheel": {"mover": "?", "way": "left", "by_deg": 30},
    "move": {"mover": "?", "steps": [{"do": "forward", "by_in": 3}, {"do": "wheel-right", "by_deg": 15}]},
    "one-inch-rule": {"mover": "?", "steps": [{"do": "forward", "by_in": 3}, {"do": "wheel-right", "by_deg": 15}]},
    "fits-between": {"mover": "?", "a": "!", "b": "!"}, "reform": {"unit": "*", "files": 8},
    "charge": {"attacker": "?", "target": "!"}, "charge-chance": {"attacker": "?", "target": "!"},
    "multi-charge": {"attackers": ["?"], "targets": ["!"]}, "stand-and-shoot": {"attacker": "?", "target": "!"},
    "building-assault": {"attacker": "?", "target": "house"},
    "flee": {"mover": "?", "threats": ["!"], "cause": "charge", "dice": {"flee": 7}},
    "pursuit": {"winner": "?", "loser": "!", "dice": {"flee": 6, "pursue": 8}},
    "combat-bonuses": {"a": ["?"], "b": ["!"]}, "steadfast": {"unit": "?"},
    "deployment": {"who": "?", "manner": "normal"}, "objective-control": {"objective": "tower"},
    "hazard": {"mover": "?", "manner": "march", "steps": [{"do": "forward", "by_in": 8}]},
    "in-area": {"who": "?", "area": "wood"}, "bases-clear": {}, "elevation-bonus": {"attacker": "?", "target": "!"},
    "join-unit": {"who": "hero", "unit": "*"}, "garrison": {"unit": "?", "feature": "house", "manner": "enter"},
    "reinforcements": {"who": "?", "edge": "edge:near"}, "score": {},
    "may-measure": {"asked_by": "red", "query": {"kind": "distance", "a": "hero", "b": "house"}},
    "line-hits": {"attacker": "?", "heading_deg": 90, "length_in": 12},
    "vortex": {"caster": "?", "diameter_in": 3, "distance_in": 8},
    "push": {"attacker": "?", "target": "!", "distance_in": 4}, "impact-attacks": {"attacker": "?"},
    "war-machine-combat": {"attackers": ["?"], "target": "!"}, "nudge": {"mover": "?", "target": "!"},
    "challenge": {"a": "?", "b": "!"}, "rally": {"who": "?"}, "charge-redirect": {"attacker": "?"},
    "frenzy": {"who": "?"}, "random-move": {"mover": "?", "dice": {"move": 7}},
    "table-edge": {"mover": "?", "distance_in": 8, "cause": "move"}, "ranked-formation": {"unit": "*"},
    "unit-strength": {"unit": "?"}, "casualties": {"unit": "*", "lost": 6},
}  # fmt: skip


def draw_queries(state: TableState, kind: str, each: int) -> Iterator[BaseQuery]:
    """So many questions of a kind, about units that stand within reach of one another."""
    r = random.Random(f"{kind} {each}")
    reds, blues = ([one for one in _regiments(state) if one[0] == side] for side in ("R", "B"))
    many = [u.id for u in state.units]
    for _ in range(each):
        pool = {"?": r.sample(reds, len(reds)), "!": r.sample(blues, len(blues)), "*": r.sample(many, len(many))}
        yield QUERY.validate_python(
            {"kind": kind, **{name: _substitute(v, pool, r) for name, v in KINDS[kind].items()}}
        )


def _substitute(value: Any, pool: dict[str, list[str]], r: random.Random) -> Any:
    if isinstance(value, list):
        return [_substitute(one, pool, r) for one in value]
    if value == "@":
        return [r.uniform(300, WIDE_MM - 300), r.uniform(400, DEEP_MM - 400)]
    return pool[value].pop() if isinstance(value, str) and value in pool else value


def _regiments(state: TableState) -> list[str]:
    return [u.id for u in state.units] + [m.id for m in state.miniatures if m.unit is None and m.id != "hero"]


def draw_full_table(seed: int = 1) -> TableState:
    """Two armies of ten units in each other's reach, and terrain between them; 150 miniatures a side."""
    r = random.Random(seed)
    units: list[Drawn] = []
    alone: list[Drawn] = []
    for side, name, y, facing in (("red", "R", 480.0, 90.0), ("blue", "B", 740.0, 270.0)):
        for k, army in enumerate(_ARMY):
            at = (100 + (k % 5) * 390 + r.uniform(-40, 40), y + (1 if side == "blue" else -1) * (k // 5) * 200)
            one = _unit(f"{name}{k}", side, at, facing + r.uniform(-12, 12), army)
            (units if "block" in one else alone).append(one)
    raw = TableState.model_validate(
        {"edition": "warhammer-9", "table": {"width_mm": WIDE_MM, "depth_mm": DEEP_MM}, "units": units,
         "miniatures": [*alone, _hero()], "terrain": list(_terrain()),
         "objectives": [{"id": "tower", "kind": "tower", "terrain": "house"}],
         "sides": [{"id": "red", "edge": "near", "first": True}, {"id": "blue", "edge": "far"}],
         "scenario": {"name": "battleline"}, "turn": {"round": 2, "active": "red"}}
    )  # fmt: skip
    return _with_noise(r, raw)


def _unit(id_: str, side: str, at: tuple[float, float], facing: float, army: Any) -> Drawn:
    kind, (wide, deep), files, count, gap = army
    shape = {"shape": "rect", "width_mm": wide, "depth_mm": deep}
    if count == 1:
        told = {"id": id_, "side": side, "base": shape, "at_mm": at, "facing_deg": facing, "type": kind}
        return told | {"profile": _CARD, "sigma": _SIGMA}
    block = {"front_mm": at, "facing_deg": facing, "files": files, "count": count, "base": shape, "type": kind,
             "profile": _CARD, "gap_mm": gap, "sigma": _SIGMA}  # fmt: skip
    return {"id": id_, "side": side, "formation": "skirmish" if gap else "ranked", "block": block}


def _hero() -> Drawn:
    base = {"shape": "rect", "width_mm": 20, "depth_mm": 20}
    return {"id": "hero", "side": "red", "base": base, "at_mm": (930, 330), "facing_deg": 90, "type": "infantry",
            "role": ["character", "general", "wizard"], "profile": _CARD, "sigma": _SIGMA}  # fmt: skip


def _terrain() -> Iterator[Drawn]:
    pieces = (("wood", "forest", 250, 560, 480, 680), ("hill", "hill", 1150, 540, 1450, 690),
              ("house", "building", 700, 560, 820, 660), ("wall", "wall", 900, 600, 1100, 610),
              ("river", "river", 1600, 300, 1700, 900), ("rocks", "impassable", 40, 560, 140, 660))  # fmt: skip
    for id_, kind, x, y, right, far in pieces:
        yield {"id": id_, "kind": kind, "polygon_mm": [[x, y], [right, y], [right, far], [x, far]], "height_mm": 50}


def _with_noise(r: random.Random, state: TableState) -> TableState:
    """The same table as a hand left it and a camera measured it."""
    raw = state.model_dump(mode="json", exclude_none=True)
    for one in raw["miniatures"]:
        one["at_mm"] = [v + r.gauss(0, 0.3) for v in one["at_mm"]]
        one["facing_deg"] += r.gauss(0, 1.0)
    ids = [one["id"] for one in raw["miniatures"]]
    raw["common_mm"] = [
        {"name": f"shared-{k}", "shift_mm": {id_: [r.gauss(0, s), r.gauss(0, s)] for id_ in ids}}
        for k, s in enumerate(_SHARED_MM)
    ]
    return TableState.model_validate(raw)
