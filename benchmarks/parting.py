"""Where the three books of round bases part: random tables, the same questions, counted by question and by reason.

    python -m benchmarks.parting [TABLES]

Every table is asked the same questions under each book. Where the answers differ, the first reason of either side that
the other does not give is named with its place in the book: so each kind of disagreement leads to a rule, and one that
leads to none is a mistake. Measuring is allowed throughout (`measure-policy: allow`), for a refusal is no disagreement.
"""

import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from typing import Any

from models.reading import read_query
from models.state import TableState
from models.verdict import Verdict
from models.words import EditionId
from referee import ask

BOOKS: tuple[EditionId, ...] = ("warmachine-prime", "hordes-mk2", "warmachine-mk1")
QUESTIONS: list[dict[str, Any]] = [
    {"kind": "los", "viewer": "a", "target": "b"},
    {"kind": "intervening", "viewer": "a", "target": "b", "blocker": "m0"},
    {"kind": "in-front-arc", "viewer": "a", "target": "b"},
    {"kind": "melee-range", "attacker": "a", "target": "b"},
    {"kind": "engaged", "attacker": "a", "target": "b"},
    {"kind": "in-melee", "who": "b"},
    {"kind": "cover", "attacker": "a", "target": "b"},
    {"kind": "elevation-bonus", "attacker": "a", "target": "b"},
    {"kind": "back-strike", "attacker": "a", "target": "b"},
    {"kind": "target-legal", "attacker": "a", "target": "b", "attack": "ranged"},
    {"kind": "target-legal", "attacker": "a", "target": "b", "attack": "melee"},
    {"kind": "charge", "attacker": "a", "target": "b", "step": "outcome"},
    {"kind": "slam", "attacker": "a", "target": "b"},
    {"kind": "within", "a": "a", "b": "b", "range_in": 8},
    {"kind": "stealth", "attacker": "a", "target": "b"},
]
_GROUND = (("forest", 80), ("wall", 30), ("hill", 40), ("obstruction", 60), ("rubble", 10), ("linear-obstacle", 20))


def table(seed: int) -> TableState:
    """Two who matter, two to six others, and up to three pieces of ground between them."""
    r = random.Random(f"parting {seed}")
    minis = [_mini(r, "a", "red", (300, 300)), _mini(r, "b", "blue", (r.uniform(350, 620), r.uniform(200, 500)))]
    for k in range(r.randint(2, 6)):
        minis.append(_mini(r, f"m{k}", r.choice(("red", "blue")), (r.uniform(200, 650), r.uniform(150, 500))))
    ground = [_piece(r, k) for k in range(r.randint(0, 3))]
    raw = {"version": 1, "edition": BOOKS[0], "table": {"width_mm": 1219.2, "depth_mm": 1219.2}}
    return TableState.model_validate(raw | {"miniatures": minis, "terrain": ground})


def _mini(r: random.Random, id_: str, side: str, at: tuple[float, float]) -> dict[str, Any]:
    card = {
        "spd_in": 6,
        "melee": [{"name": "Blade", "reach_in": r.choice((0.5, 2))}],
        "ranged": [{"name": "Gun", "rng_in": 10}],
    }
    if r.random() < 0.15:
        card["abilities"] = ["stealth"]
    status = ["knocked-down"] if id_.startswith("m") and r.random() < 0.2 else []
    return {
        "id": id_, "side": side, "type": "solo", "base": {"shape": "round", "diameter_mm": r.choice((30, 40, 50))},
        "at_mm": at, "facing_deg": r.uniform(-60, 60) if id_ == "a" else r.uniform(0, 360), "profile": card,
        "status": status,
    }  # fmt: skip


def _piece(r: random.Random, k: int) -> dict[str, Any]:
    kind, height = r.choice(_GROUND)
    x, y, w, h = r.uniform(250, 550), r.uniform(180, 450), r.uniform(10, 120), r.uniform(10, 120)
    return {
        "id": f"t{k}",
        "kind": kind,
        "height_mm": height,
        "polygon_mm": [[x, y], [x + w, y], [x + w, y + h], [x, y + h]],
    }


def parted(seed: int) -> list[tuple[str, str, str, str]]:
    """Every disagreement of one table: the question, both books, and the reason that tells."""
    state = table(seed)
    found: list[tuple[str, str, str, str]] = []
    for query in QUESTIONS:
        asked = read_query(query)
        said = {book: ask(state.in_edition(book).with_house_rules(measure_policy="allow"), asked) for book in BOOKS}
        for one, other in combinations(BOOKS, 2):
            if said[one].answer != said[other].answer or said[one].status != said[other].status:
                found.append((str(query["kind"]), one, other, _why(said[one], said[other])))
    return found


def _why(one: Verdict, other: Verdict) -> str:
    """The first reason either gives and the other does not."""
    mine, theirs = ([(r.source.section, r.says) for r in verdict.because] for verdict in (one, other))
    told = [reason for reason in (*mine, *theirs) if not (reason in mine and reason in theirs)]
    return f"{told[0][0]}: {told[0][1]}" if told else "nothing tells"


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    counted: Counter[tuple[str, str, str, str]] = Counter()
    with ProcessPoolExecutor() as pool:
        for found in pool.map(parted, range(tables), chunksize=20):
            counted.update(found)
    print(f"{tables} tables, {len(QUESTIONS)} questions each: {sum(counted.values())} answers part")
    for (kind, one, other, why), times in sorted(counted.items(), key=lambda c: (c[0][0], c[0][1], c[0][2], -c[1])):
        print(f"{times:6d}  {kind:16s} {one} / {other}: {why}")


if __name__ == "__main__":
    main()
