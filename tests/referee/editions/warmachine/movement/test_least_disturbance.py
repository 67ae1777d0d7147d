"""Least disturbance, against every place on a fine grid."""

import math
import random
from typing import Any

import numpy as np
import pytest

from models.state import TableState
from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table


def disturb(*minis: dict[str, Any], **state: Any) -> Verdict:
    return asked(table(mini("m", 600, 600, mm=50), *minis, **state), "least-disturbance", mover="m")


def places(verdict: Verdict) -> dict[str, tuple[float, float]]:
    poses: Any = verdict.value["poses"]
    return {id_: tuple(pose["at_mm"]) for id_, pose in poses.items()}


def test_one_underneath_goes_straight_out() -> None:
    verdict = disturb(mini("a", 630, 600))

    assert places(verdict) == {"a": (640, 600)}
    assert verdict.value["total_mm"] == 10


def test_what_only_touches_stays() -> None:
    assert places(disturb(mini("a", 640, 600))) == {}


def test_one_that_is_in_the_way_of_another_stays_and_is_gone_round() -> None:
    verdict = disturb(mini("a", 630, 600), mini("b", 665, 600))
    moved = places(verdict)

    assert set(moved) == {"a"}
    assert math.dist(moved["a"], (600, 600)) == pytest.approx(40)
    assert math.dist(moved["a"], (665, 600)) == pytest.approx(30)


def test_right_under_the_middle_any_way_is_as_short_and_one_is_drawn() -> None:
    verdict = disturb(mini("a", 600, 600))

    assert (verdict.value["total_mm"], verdict.value["ties"]) == (40, ["a"])


def test_over_what_cannot_be_moved_the_mover_makes_room() -> None:
    verdict = disturb(mini("a", 660, 600, mm=120, type="warjack"))

    assert places(verdict) == {"m": (575, 600)}


def test_nobody_is_moved_onto_a_wall_or_off_the_table() -> None:
    wall = {"terrain": [box("w", "wall", 650, 500, 660, 700, height_mm=20)]}
    moved = places(disturb(mini("a", 630, 600), **wall))
    assert moved["a"][0] == pytest.approx(635)
    edge = places(disturb(mini("a", 630, 600), table={"width_mm": 650, "depth_mm": 1219}))
    assert edge["a"][0] == pytest.approx(635)


@pytest.mark.parametrize("seed", range(24))
def test_no_place_on_a_fine_grid_disturbs_less(seed: int) -> None:
    state = _crowd(seed)
    verdict = asked(state, "least-disturbance", mover="m")
    total: Any = verdict.value["total_mm"]
    moved = places(verdict)

    assert _overlaps(state, moved) < 1e-3
    assert total <= _least_on_grid(state, tuple(moved)) + 1.5


def _crowd(seed: int) -> TableState:
    rng = random.Random(seed)
    minis = [mini("m", 600, 600, mm=rng.choice([40, 50]))]
    while len(minis) < 9:
        x, y, size = rng.uniform(540, 660), rng.uniform(540, 660), rng.choice([30, 30, 40])
        others = minis[1:]
        lying = sum(math.dist((600, 600), m["at_mm"]) < 20 + m["base"]["diameter_mm"] / 2 for m in others)
        near = math.dist((600, 600), (x, y)) < minis[0]["base"]["diameter_mm"] / 2 + size / 2
        apart = all(math.dist((x, y), m["at_mm"]) > size / 2 + m["base"]["diameter_mm"] / 2 for m in others)
        if apart and not (near and lying >= 2):
            minis.append(mini(f"b{len(minis)}", x, y, mm=size))
        elif rng.random() < 0.02:
            break
    return table(*minis)


def _radius(state: TableState, id_: str) -> float:
    base: Any = state.by_id[id_].base  # type: ignore[union-attr]
    return float(base.radius_mm)


def _overlaps(state: TableState, moved: dict[str, tuple[float, float]]) -> float:
    at = {m.id: moved.get(m.id, m.at_mm) for m in state.miniatures}
    pairs = [(a, b) for a in moved for b in at if a != b]
    return max((_radius(state, a) + _radius(state, b) - math.dist(at[a], at[b]) for a, b in pairs), default=0.0)


def _least_on_grid(state: TableState, ids: tuple[str, ...]) -> float:
    """The least total on a polar grid of places, for one or two bases; for more the sum of each alone."""
    fixed = [m for m in state.miniatures if m.id not in ids]
    grids = [_free_places(state, id_, [(f.at_mm, _radius(state, f.id)) for f in fixed]) for id_ in ids]
    if len(ids) != 2:
        return sum(float(grid[1].min()) for grid in grids) if len(ids) == 1 else math.inf
    (p, far_p), (q, far_q) = ((grid[0][:1500], grid[1][:1500]) for grid in grids)
    apart = np.abs(p[:, None] - q[None, :]) >= _radius(state, ids[0]) + _radius(state, ids[1])
    return float(np.min(np.where(apart, far_p[:, None] + far_q[None, :], np.inf)))


def _free_places(state: TableState, id_: str, fixed: list[tuple[Any, float]]) -> tuple[Any, Any]:
    """Free places as complex numbers with their distances, the nearest first."""
    here = complex(*state.by_id[id_].at_mm)  # type: ignore[union-attr, arg-type]
    away = np.arange(0.0, 90.0, 1.0)[:, None] * np.exp(1j * np.linspace(0, math.tau, 145)[None, :])
    spots = (here + away).ravel()
    free = np.all([np.abs(spots - complex(*at)) >= r + _radius(state, id_) for at, r in fixed], axis=0)
    found = spots[free]
    order = np.argsort(np.abs(found - here))
    return found[order], np.abs(found - here)[order]
