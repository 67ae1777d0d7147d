"""What the referee says of shoves, beside what small steps find on the same random table."""

import math
import random
from typing import Any

from tests.referee.editions.warmachine.charges.least_disturbance_steps import Room, least
from tests.referee.editions.warmachine.charges.shove_steps import Came, How, Surroundings, moved, strayed
from tests.referee.editions.warmachine.charges.shove_tables import FAMILIES, landed, shove_scene
from tests.referee.tables import asked

_SAME_MM = 0.06  # a base that is just brushed is within a hair of touching over so long a way
_INCH = 25.4


def family(seed: int) -> str:
    """The name of the family that a table is of."""
    return FAMILIES[seed % len(FAMILIES)].__name__


def disagreements(seed: int) -> list[str]:
    """Everything in which referee and small steps differ about one table."""
    state, around = shove_scene(seed)
    rng = random.Random(f"shove {seed}")
    far = rng.choice([2, 3, 4, 5, 6])
    pushed = asked(state, "push", attacker="a", target="t", distance_in=far).value
    found = _differ("push", pushed, _away(around, "pushed", far), around, hurts=False)
    slammed: Any = asked(state, "slam", attacker="a", target="t", here=True, distance_in=far).value["slammed"]
    found += _differ("slam", slammed, _away(around, "slammed", far), around)
    thrown = asked(state, "throw", attacker="a", target="t", distance_in=far, hit=True).value
    if "poses" in thrown:
        found += _differ("throw", thrown, _away(around, "thrown", far, past="a"), around)
    return found + _aimed(state, around, rng)


def _away(around: Surroundings, how: How, far_in: float, *, past: str = "") -> Came:
    (ax, ay, _), (tx, ty, _) = around.bases["a"], around.bases["t"]
    return moved(around, "t", how, (2 * tx - ax, 2 * ty - ay), far_in * _INCH, past=past)


def _aimed(state: Any, around: Surroundings, rng: random.Random) -> list[str]:
    """A throw at somebody: it hits, it misses and strays, or that one is too far away."""
    others = sorted(id_ for id_ in around.bases if id_ not in ("a", "t"))
    if not others:
        return []
    goal, far, hit = rng.choice(others), rng.choice([3.0, 6.0]), rng.random() < 0.5
    dice = {"direction": rng.randint(1, 6), "distance": rng.randint(1, 3)}
    verdict = asked(state, "throw", attacker="a", target="t", at=goal, distance_in=far, hit=hit, dice=dice)
    (tx, ty, tr), (gx, gy, gr) = around.bases["t"], around.bases[goal]
    apart = math.dist((tx, ty), (gx, gy))
    if apart - tr - gr > far * _INCH + 1e-9:
        came = moved(around, "t", "thrown", (gx, gy), far * _INCH, past="a")
    elif hit:
        came = moved(around, "t", "thrown", (gx, gy), apart, past="a", at=goal)
    else:
        point = strayed(around, "t", goal, dice["direction"], dice["distance"])
        came = moved(around, "t", "thrown", point, math.dist((tx, ty), point), past="a")
    return _differ(f"throw at {goal}", verdict.value, came, around)


def _differ(what: str, said: Any, came: Came, around: Surroundings, *, hurts: bool = True) -> list[str]:
    found = []
    off = math.dist(said["poses"]["t"]["at_mm"], came.end)
    if off > _SAME_MM:
        found.append(f"{what}: ends {off:.3f} mm from {came.end}")
    if said["stopped_by"] not in came.stoppers:
        found.append(f"{what}: stopped by {said['stopped_by']}, by steps {came.stopped_by}")
    if not hurts:
        return found
    down = {"t"} | came.knocked_down("t", around)
    if set(said["knocked_down"]) != down:
        found.append(f"{what}: knocks down {sorted(said['knocked_down'])}, by steps {sorted(down)}")
    if said["extra_die"] != came.is_harder("t", around):
        found.append(f"{what}: another die {said['extra_die']}, by steps {came.is_harder('t', around)}")
    return found


def disturbed_too_much(seed: int) -> list[str]:
    """Everything that is wrong with whom the rule of least disturbance moves on one table, and where to."""
    state, around = landed(seed)
    room = Room(around, "t")
    verdict: Any = asked(state, "least-disturbance", mover="t").value
    said = {id_: complex(*pose["at_mm"]) for id_, pose in verdict["poses"].items()}
    if set(said) != set(room.under):
        return [f"moves {sorted(said)}, has to move {sorted(room.under)}"]
    if not said:
        return []
    found = []
    if (deep := room.laps(said)) > 1e-4:
        found.append(f"overlaps by {deep} mm")
    if abs(room.moved_mm(said) - verdict["total_mm"]) > 1e-6:
        found.append(f"says {verdict['total_mm']} mm, moves {room.moved_mm(said)} mm")
    by_steps = least(room, seed=seed)
    if room.moved_mm(said) > room.moved_mm(by_steps) + 0.02:
        found.append(f"moves {room.moved_mm(said):.3f} mm, by steps {room.moved_mm(by_steps):.3f} mm: {by_steps}")
    return found
