"""Small steps: moves that the referee finds beside those of steps worked from the book, which share no code with it.

    python -m benchmarks.rules.small_steps charges [--tables 1000] [--first 0]

`charges` and `ranked-charges`: how many charges the steps find that the search does not, how many of the search's break
a rule when they are walked in small steps, and the processor time of one, the whole question. `shoves` and
`disturbance`: on how many tables a push, slam or throw ends otherwise than by small steps, and on how many the rule of
least disturbance moves others than has to be, overlaps something or moves them farther. `ranked-moves`: moves and
pursuits of ranked units that disagree. It is none that is wanted.
"""

import math
import random
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from rich.progress import track

from benchmarks.harness import processor_ms, run, spread_ms
from benchmarks.rules.crowded_tables import draw_crowded_table
from models.parsing import parse_query
from referee import ask
from tests.referee.editions.warhammer_9.charges import stepped_charges
from tests.referee.editions.warhammer_9.movement.moves_by_hand import move_disagreement, pursuit_disagreement
from tests.referee.editions.warmachine.charges import charge_sweep, shove_sweep
from tests.referee.tables import asked

SURE_MM = 2.0  # a sweep in steps cannot tell a charge that succeeds by less
CROWDED_MM, CROWDED_COUNT = 300.0, 80


def main(family: str, tables: int = 1000, first: int = 0) -> None:
    FAMILIES[family](range(first, first + tables))


def compare_charges(seeds: range) -> None:
    missed, broken, found = [], [], 0
    for seed in track(seeds, description="charges"):
        state, tried = charge_sweep.random_charge(100_000 + seed)
        value: Any = asked(state, "charge", attacker="a", target="t").value
        if value["stop_mm"] is None:
            missed += [seed] if charge_sweep.most_left(tried) > SURE_MM else []
            continue
        found += 1
        wrong = charge_sweep.faults(tried, math.radians(value["heading"]["heading_deg"]), value["stop_mm"][0])
        broken += [(seed, wrong)] if wrong else []
    print(f"{len(seeds)} tables: {found} found; missed {len(missed)} {missed[:5]}; broken {len(broken)} {broken[:3]}")
    for name, is_measured in (("exact", False), ("measured", True)):
        state = draw_crowded_table(measured=is_measured)
        minis = state.miniatures
        pairs = [
            (a.id, b.id)
            for a in minis for b in minis
            if a.side != b.side and math.dist(a.at_mm, b.at_mm) < CROWDED_MM
        ]  # fmt: skip
        near = random.Random(1).sample(pairs, min(CROWDED_COUNT, len(pairs)))
        ms = [processor_ms(lambda a=a, b=b: asked(state, "charge", attacker=a, target=b)) for a, b in near]  # type: ignore[misc]  # noqa: B023
        print(f"{len(ms)} charges on a crowded table, {name}: {spread_ms(ms)}")


def compare_ranked_charges(seeds: range) -> None:
    found, stepped, missed, broken, ms = 0, 0, [], [], []
    for seed in track(seeds, description="charges"):
        world, verdicts = stepped_charges.random_table(seed), list[Any]()
        query = parse_query({"kind": "charge", "attacker": "A", "target": "T", "step": "declare"})
        ms.append(processor_ms(lambda: verdicts.append(ask(world.state, query).value)))  # noqa: B023
        value = verdicts[0]
        is_found = bool(value.get("paths")) and not value["must_also"]
        found += is_found
        broken += [(seed, wrong)] if is_found and (wrong := stepped_charges.faults(world, value)) else []
        path = stepped_charges.steps_find(world, value["side"]) if value["side"] is not None else None
        stepped += path is not None
        missed += [(seed, path)] if path is not None and not is_found else []
    print(f"{len(seeds)} tables: the search finds a charge on {found}, small steps on {stepped}")
    print(f"impossible where small steps find one: {len(missed)} {missed[:5]}; broken: {len(broken)} {broken[:5]}")
    print(f"a charge: {spread_ms(ms)}; over 150 ms: {sum(one > 150 for one in ms)}")


def compare(differ: Callable[[int], list[str]], family_of: Callable[[int], str]) -> Callable[[range], None]:
    """Prints every disagreement, and their count by family."""

    def compare_seeds(seeds: range) -> None:
        tables, wrong, begun = Counter[str](), Counter[str](), time.perf_counter()
        for seed in track(seeds):
            faults = differ(seed)
            tables[family_of(seed)] += 1
            wrong[family_of(seed)] += bool(faults)
            if faults:
                print(f"{seed}, {family_of(seed)}: {faults}", flush=True)
        spread = ", ".join(f"{name} {wrong[name]} of {count}" for name, count in tables.items())
        print(f"{len(seeds)} tables: {wrong.total()} disagree ({spread}); {time.perf_counter() - begun:.0f} s")

    return compare_seeds


def _ranked_move_disagreements(seed: int) -> list[str]:
    return [str(fault) for fault in (move_disagreement(seed), pursuit_disagreement(seed)) if fault is not None]


FAMILIES: dict[str, Callable[[range], None]] = {
    "charges": compare_charges,
    "ranked-charges": compare_ranked_charges,
    "shoves": compare(shove_sweep.disagreements, shove_sweep.family),
    "disturbance": compare(shove_sweep.disturbed_too_much, lambda seed: "all"),
    "ranked-moves": compare(_ranked_move_disagreements, lambda seed: "all"),
}


if __name__ == "__main__":
    run(main)
