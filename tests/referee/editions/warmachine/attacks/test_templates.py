"""Templates: whom an area of effect hits."""

from typing import Any

from models.verdict import Verdict
from tests.referee.tables import answers, asked, box, mini, table

INCH = 25.4
START = 200 + 35 + 8 * INCH


def hits(*minis: dict[str, Any], at: Any = (400, 400), terrain: Any = (), **more: Any) -> Verdict:
    state = table(*minis, terrain=list(terrain), **more.pop("state", {}))
    return asked(state, "template-hits", at=at, diameter_in=more.pop("diameter_in", 4), **more)


def test_every_base_that_is_partly_under_it_is_hit_and_touching_counts() -> None:
    verdict = hits(mini("in", 430, 400), mini("edge", 400, 400 + 2 * INCH + 15), mini("out", 400, 300))

    assert answers(verdict) == {"in": "yes", "edge": "yes", "out": "no"}
    assert {m.id: m.margin_mm for m in verdict.members} == {"in": 35.8, "edge": 0, "out": -34.2}


def test_a_base_that_only_touches_is_not_hit_where_the_table_says_so() -> None:
    edge = mini("edge", 400, 400 + 2 * INCH + 15)

    assert answers(hits(edge, state={"house_rules": {"area-touch": "not-covered"}})) == {"edge": "no"}


def test_the_one_hit_directly_is_told_from_those_under_the_blast() -> None:
    verdict = hits(
        mini("t", 400, 400), mini("b", 430, 400, unit="u"), at="t", direct="t", state={"units": [{"id": "u"}]}
    )

    assert verdict.value["by_id"] == {"t": {"hit": "direct"}, "b": {"hit": "blast"}}
    assert verdict.value["units"] == {"u": 1}


def test_a_trench_shelters_from_a_blast_that_starts_outside() -> None:
    trench = box("pit", "trench", 410, 350, 537, 450)
    verdict = hits(mini("in", 440, 400), at=(380, 400), terrain=[trench])

    assert verdict.value["by_id"] == {"in": {"hit": "blast", "blast_immune": True}}


def stray(direction: int | None = None, distance: int | None = None, **more: Any) -> Verdict:
    dice = {k: v for k, v in (("direction", direction), ("distance", distance)) if v is not None}
    state = table(mini("a", 200, 600, mm=40), mini("t", 200 + 20 + 15 + 8 * INCH, 600), **more.pop("state", {}))
    return asked(state, "deviation", origin="a", target="t", dice=dice, **({"range_in": 10} | more))


def test_direction_one_goes_on_and_four_comes_back() -> None:
    assert stray(1, 2).value["point_mm"] == [START + 2 * INCH, 600]
    x, y = _point(stray(4, 2))

    assert (round(x, 6), round(y, 6)) == (round(START - 2 * INCH, 6), 600)


def _point(verdict: Verdict) -> Any:
    return verdict.value["point_mm"]


def test_directions_run_clockwise_seen_from_above_unless_the_table_says_otherwise() -> None:
    assert _point(stray(2, 3))[1] < 600
    assert _point(stray(2, 3, state={"house_rules": {"deviation-sense": "anticlockwise"}}))[1] > 600


def test_it_goes_no_farther_than_half_the_distance_and_nothing_is_rounded() -> None:
    verdict = stray(1, 6)

    assert (verdict.value["cap_mm"], _point(verdict)[0]) == (4 * INCH, START + 4 * INCH)
    assert _point(stray(1, 6, cap="none"))[0] == START + 6 * INCH


def test_half_may_be_measured_between_centres() -> None:
    assert stray(1, 6, state={"house_rules": {"deviation-cap": "centres"}}).value["cap_mm"] == (35 + 8 * INCH) / 2


def test_beyond_range_it_strays_from_the_point_at_its_range() -> None:
    verdict = stray(1, 1, range_in=6)

    assert verdict.value["start_mm"] == [200 + 20 + 6 * INCH, 600]
    assert verdict.value["cap_mm"] == 3 * INCH


def test_that_point_may_be_measured_from_the_centre() -> None:
    verdict = stray(1, 1, range_in=6, state={"house_rules": {"deviation-far-point": "centre"}})

    assert verdict.value["start_mm"] == [200 + 6 * INCH, 600]


def test_the_tables_edge_stops_it() -> None:
    state = table(mini("a", 900, 600), mini("t", 1200, 600))
    verdict = asked(state, "deviation", origin="a", target="t", dice={"direction": 1, "distance": 6})

    assert (verdict.value["point_mm"], verdict.value["clipped"]) == ([1219.2, 600], True)


def test_a_hit_does_not_stray() -> None:
    verdict = stray(hit=True, diameter_in=3)

    assert _point(verdict) == [START, 600]
    assert verdict.value["by_id"] == {"t": {"hit": "direct"}}


def test_what_strayed_hits_nobody_directly_even_on_top_of_somebody() -> None:
    state = table(mini("a", 200, 600), mini("t", 400, 600), mini("b", 400 + 2 * INCH, 600))
    verdict = asked(
        state, "deviation", origin="a", target="t", dice={"direction": 1, "distance": 2}, diameter_in=3, range_in=20
    )

    assert verdict.value["by_id"] == {"t": {"hit": "blast"}, "b": {"hit": "blast"}}


def test_without_dice_every_face_is_told_and_the_chance_of_each_to_be_hit() -> None:
    verdict = stray(diameter_in=3)
    points: Any = verdict.value["points"]
    by_id: Any = verdict.value["by_id"]

    assert len(points) == 36
    assert by_id["t"]["chance"]["exact"] == "1/3"  # 1 in and 2 in in all six directions, as 1.5 in + 15 mm is 53.1 mm


def test_two_at_one_spot_need_an_axis() -> None:
    state = table(mini("a", 200, 600))
    verdict = asked(state, "deviation", origin="a", target="a", dice={"direction": 1, "distance": 2})

    assert (verdict.status, verdict.needs) == ("unknown", ("axis_deg",))


def test_a_bombardment_takes_its_axis_from_the_one_who_asks() -> None:
    state = table(mini("t", 400, 600))
    verdict = asked(
        state, "deviation", origin=(400, 600), target=(400, 600), cap="none", axis_deg=90,
        dice={"direction": 4, "distance": 9}, diameter_in=4,
    )  # fmt: skip

    assert [round(v, 6) for v in _point(verdict)] == [400, round(600 - 9 * INCH, 6)]
