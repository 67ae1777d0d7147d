"""Movement: flight, also along a long way."""

import math
import time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import BadInput
from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict
from referee import ask
from tests.referee.scenarios.first.field import field
from tests.referee.tables import asked, mini, table

_RUN_MM = 304.8
_SIDES = [{"id": "red", "edge": "near"}, {"id": "blue", "edge": "far"}]
STATE = (
    table(mini("a", 600, 300, side="red", profile={"spd_in": 5}), mini("e", 600, 500, side="blue", reach=2))
    .in_edition("warmachine-mk1")
    .with_house_rules(measure_policy="allow")
)


def foe(x: float, y: float, *, reach: float = 0.5, id_: str = "e", facing: float = 90, **more: Any) -> dict[str, Any]:
    return mini(id_, x, y, facing, side="blue", reach=reach, **more)


def fleeing(*others: dict[str, Any], **more: Any) -> TableState:
    """m of 30 flees from 600, 600; its own edge is at y = 0."""
    me = mini("m", 600, 600, side="red", profile={"spd_in": 6}, status=["fleeing"])
    return field(me, *others, sides=_SIDES, **more)


def fled(state: TableState, **more: Any) -> Verdict:
    return asked(state, "flee", mover="m", **more)


def way(verdict: Verdict) -> tuple[tuple[float, float], ...]:
    return next(w.points_mm for w in verdict.witness if w.role == "path")


def end(verdict: Verdict) -> Any:
    poses: Any = verdict.value["poses"]
    return pytest.approx(tuple(poses["m"]["at_mm"]), abs=0.005)


def ring(*, reach: float) -> list[dict[str, Any]]:
    """Six who stand all round m, 45 off, and look at it."""
    places = [(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6)]
    return [
        foe(600 + 45 * x, 600 + 45 * y, reach=reach, id_=f"r{k}", facing=(60 * k + 180) % 360)
        for k, (x, y) in enumerate(places)
    ]


def test_from_a_threat_between_it_and_its_edge_it_runs_round_at_the_distance_it_has() -> None:
    """A quarter of the circle of 150, 235.6, then 69.2 straight down."""
    verdict = fled(fleeing(foe(600, 450)))

    assert end(verdict) == (450, 450 - (_RUN_MM - 75 * math.pi))
    assert min(math.dist(p, (600, 450)) for p in way(verdict)) == pytest.approx(150, abs=1e-6)


def test_from_a_threat_aslant_it_turns_until_its_edge_lies_away_from_it() -> None:
    verdict = fled(fleeing(foe(500, 500)))

    assert way(verdict)[-1][0] == pytest.approx(500 + math.hypot(100, 100))


def test_with_the_edge_first_it_runs_straight_to_it_whoever_stands_there() -> None:
    state = fleeing(foe(500, 500)).with_house_rules(flee_priority="edge-first")

    assert end(fled(state)) == (600, 600 - _RUN_MM)


def test_the_reading_that_counts_is_named() -> None:
    assert "flee-priority" in fled(fleeing(foe(500, 500))).house_rules
    assert "flee-priority" not in fled(fleeing(foe(600, 800))).house_rules


def test_who_cannot_fight_is_no_threat() -> None:
    state = fleeing(foe(600, 800), foe(600, 540, id_="k", status=["knocked-down"]))

    assert fled(state).value["threats"] == ["e"]
    assert "flee-threat" in fled(state).house_rules
    assert fled(state.with_house_rules(flee_threat="any-enemy")).value["threats"] == ["k"]


def test_a_way_into_an_enemys_reach_is_not_taken() -> None:
    """The foe at 400 would engage it: it passes just outside of 30 + 50.8 about it."""
    verdict = fled(fleeing(foe(600, 800), foe(600, 400, reach=2, id_="g")))
    legs = [(a, b) for a, b in pairwise(way(verdict))]

    assert verdict.value["in_the_way"] == ["g"]
    assert min(_off((600, 400), a, b) for a, b in legs) == pytest.approx(30 + 50.8, abs=0.01)


def test_nor_one_through_what_harms() -> None:
    fire = {"id": "f", "kind": "burning", "centre_mm": [600, 400], "diameter_mm": 100}
    verdict = fled(fleeing(foe(600, 800), effects=[fire]))

    assert verdict.value["in_the_way"] == ["f"]
    assert min(_off((600, 400), a, b) for a, b in pairwise(way(verdict))) == pytest.approx(65, abs=0.01)


def test_who_is_shut_in_cowers() -> None:
    verdict = fled(fleeing(*ring(reach=0)))

    assert (verdict.value["result"], verdict.value["poses"]) == ("cowers", {"m": {"at_mm": [600.0, 600.0]}})


def test_but_not_who_is_engaged() -> None:
    assert fled(fleeing(*ring(reach=1))).value["result"] == "flees"


def test_who_reaches_the_edge_leaves_the_table() -> None:
    me = mini("m", 600, 300, side="red", profile={"spd_in": 6}, status=["fleeing"])
    state = field(me, foe(600, 500), sides=_SIDES)

    assert fled(state).value["result"] == "removed"


def test_a_way_told_that_leads_into_an_enemys_reach_breaks_the_rule() -> None:
    """30 + 12.7 about the foe at 640, who is passed at 40."""
    state = fleeing(foe(600, 800), foe(640, 450, id_="g", facing=180))
    verdict = fled(state, threats=["e"], path_mm=[[600, 600], [600, 300]])

    assert (verdict.answer, verdict.margin_mm) == ("no", pytest.approx(-2.7, abs=0.05))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(250, 950), st.integers(250, 950)), min_size=1, max_size=4, unique=True))
def test_the_way_found_comes_no_nearer_to_the_threat_and_into_nobodys_reach(places: list[tuple[int, int]]) -> None:
    """Looked at every 2 mm, all round each foe; and where none is found, no straight way of 720 is free either."""
    foes = [(x, y) for x, y in places if math.dist((x, y), (600, 600)) > 50]
    foes = [f for k, f in enumerate(foes) if all(math.dist(f, g) > 35 for g in foes[:k])]
    everyone = [foe(x, y, id_=f"e{k}") | {"front_arc_deg": 360} for k, (x, y) in enumerate(foes)]
    verdict = fled(fleeing(*everyone))
    if not foes:
        return
    threat = min(foes, key=lambda f: math.dist(f, (600, 600)))
    ways = [[(600 + s * math.cos(h), 600 + s * math.sin(h)) for s in range(0, 305, 2)] for h in _headings(720)]
    if verdict.value["result"] == "cowers":
        assert not any(_keeps(points, threat, foes, -0.1) for points in ways)
    elif any(w.role == "path" for w in verdict.witness):
        assert _keeps(_walked(way(verdict)), threat, foes, 0.01)


def _headings(n: int) -> list[float]:
    return [2 * math.pi * k / n for k in range(n)]


def _walked(points: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    return [
        (a[0] + (b[0] - a[0]) * k / n, a[1] + (b[1] - a[1]) * k / n)
        for a, b in pairwise(points)
        for n in [max(1, math.ceil(math.dist(a, b) / 2))]
        for k in range(n)
    ] + [points[-1]]


def _keeps(
    points: list[tuple[float, float]], threat: tuple[int, int], foes: list[tuple[int, int]], give: float
) -> bool:
    """Whether no step shrinks the distance to the threat, and none comes into reach: 30 + 12.7 from middle to middle.

    A circle is gone along in chords, which lie inside of it by less than 0.2 of a promille.
    """
    off = [math.dist(p, threat) for p in points]
    away = all(b >= a - 2e-4 * a for a, b in pairwise(off)) and min(off) >= off[0] - give - 2e-4 * off[0]
    started = [f for f in foes if math.dist(f, points[0]) > 42.7]
    return away and all(math.dist(p, f) > 42.7 - give for p in points for f in started)


def _off(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    (x, y), leg = (b[0] - a[0], b[1] - a[1]), math.dist(a, b)
    t = min(1.0, max(0.0, ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / leg**2))
    return math.dist(p, (a[0] + t * x, a[1] + t * y))


def test_who_runs_by_an_enemy_on_a_long_way_is_in_his_reach_soon_enough() -> None:
    begun = time.process_time()
    verdict = asked(STATE, "flee", mover="a", path_mm=[[600, 300], [620, -90_000], [620, 90_000]])

    assert verdict.answer == "no"
    assert time.process_time() - begun < 5


def test_a_way_of_kilometres_is_refused() -> None:
    with pytest.raises(BadInput, match="path_mm"):
        ask(STATE, parse_query({"kind": "flee", "mover": "a", "path_mm": [[600, 300], [600, 1e9]]}))


def test_a_range_of_kilometres_is_refused() -> None:
    with pytest.raises(BadInput, match="range_in"):
        parse_query({"kind": "within", "a": "a", "b": "e", "range_in": 1e6})
