"""Set-up: where a side deploys, how far zones lie apart, and where a base may be put or replaced."""

from typing import Any

from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table

INCH = 25.4


def deploy(who: dict[str, Any], *others: dict[str, Any], state: Any = None, **fields: Any) -> Verdict:
    return asked(table(who, *others, **(state or {})), "deployment", who=who["id"], **fields)


def clauses(verdict: Verdict) -> dict[str, str | None]:
    told: Any = verdict.value["clauses"]
    return {one["clause"]: one["answer"] for one in told}


def test_the_whole_base_has_to_lie_within_the_depth_and_its_limit_will_do() -> None:
    edge = mini("r", 600, 7 * INCH - 15, side="red")

    assert (deploy(edge).answer, deploy(edge).at_edge) == ("yes", True)
    assert deploy(mini("r", 600, 7 * INCH - 14, side="red")).margin_mm == -1
    assert deploy(mini("b", 600, 1219.2 - 10 * INCH + 15, side="blue")).answer == "yes"


def test_a_place_may_be_tried_before_anything_is_put_there() -> None:
    verdict = deploy(mini("r", 600, 600, side="red"), to={"at_mm": [600, 100]})

    assert verdict.answer == "yes"


def test_advance_deployment_goes_six_inches_further_for_those_who_have_it() -> None:
    edge = mini("r", 600, 13 * INCH - 15, side="red", abilities=["advance-deployment"])

    assert deploy(edge).margin_mm == 0
    assert deploy(edge, manner="normal").answer == "no"
    assert clauses(deploy(mini("r", 600, 300, side="red"), manner="advance"))["ability"] == "no"


def test_the_six_inches_may_run_to_the_nearer_edge_of_the_base() -> None:
    scout = mini("r", 600, 13 * INCH + 15, side="red", abilities=["advance-deployment"])

    assert deploy(scout).answer == "no"
    assert deploy(scout, state={"house_rules": {"deploy-advance": "front-edge"}}).answer == "yes"


def test_a_corner_is_a_quarter_disc_unless_the_table_plays_a_square() -> None:
    sides = {"sides": [{"id": "red", "edge": "corner-far-right", "first": True}]}
    who = mini("r", 1219.2 - 200, 1219.2 - 200, side="red")

    assert deploy(who, state=sides).answer == "no"
    assert deploy(who, state=sides | {"house_rules": {"deploy-corner": "square"}}).answer == "yes"


def test_outflank_gives_one_of_each_side_a_zone_on_the_flank() -> None:
    state = {"scenario": {"name": "outflank"}}
    flank = mini("r", 46 * INCH, 24 * INCH, side="red")
    other = mini("r2", 46 * INCH, 21 * INCH, side="red")

    assert deploy(flank, state=state).answer == "yes"
    assert deploy(flank, other, state=state).answer == "no"
    assert deploy(flank | {"type": "warcaster"}, state=state).answer == "no"
    assert deploy(mini("r", 20 * INCH, 9 * INCH, side="red"), state=state).answer == "yes"


def test_troopers_start_in_formation() -> None:
    lead = mini("lead", 100, 100, side="red", unit="u")
    units = {"units": [{"id": "u", "commander": "lead", "command_in": 5}]}
    far = mini("far", 500, 100, side="red", unit="u")

    assert clauses(deploy(far, lead, state=units))["formation"] == "no"


def test_nothing_starts_on_another_base_or_inside_an_obstruction() -> None:
    assert clauses(deploy(mini("r", 600, 100, side="red"), mini("q", 610, 100, side="red")))["free"] == "no"
    block = {"terrain": [box("o", "obstruction", 590, 80, 650, 140, height_mm=60)]}
    assert clauses(deploy(mini("r", 600, 100, side="red"), state=block))["ground"] == "no"


def test_zones_the_players_drew_go_before_the_printed_ones() -> None:
    zone = {"id": "z", "kind": "deployment", "side": "red", "polygon_mm": [[0, 0], [400, 0], [400, 400], [0, 400]]}

    assert deploy(mini("r", 200, 380, side="red"), state={"zones": [zone]}).margin_mm == 5


def test_a_side_without_an_edge_is_asked_for_it() -> None:
    verdict = deploy(mini("g", 600, 100, side="green"))

    assert (verdict.status, verdict.needs) == ("unknown", ("sides: the edge of green",))


def test_rival_zones_are_twenty_eight_inches_apart() -> None:
    def apart(gap_in: float) -> Verdict:
        near = {"id": "a", "kind": "deployment", "polygon_mm": [[0, 0], [1219, 0], [1219, 100], [0, 100]]}
        far = 100 + gap_in * INCH
        away = {"id": "b", "kind": "deployment", "polygon_mm": [[0, far], [1219, far], [1219, far + 99], [0, far + 99]]}
        return asked(table(zones=[near, away]), "zone-separation", a="a", b="b")

    assert (apart(28).answer, apart(28).margin_mm) == ("yes", 0)
    assert apart(27.9).answer == "no"


def put(*others: dict[str, Any], at: Any = (600, 600), me: Any = None, state: Any = None, **fields: Any) -> Verdict:
    mover = mini("m", 200, 200, side="red", **(me or {}))
    return asked(table(mover, *others, **(state or {})), "placement", mover="m", to={"at_mm": at}, **fields)


def test_there_has_to_be_room_and_touching_is_allowed() -> None:
    assert put(mini("b", 630, 600)).margin_mm == 0
    assert put(mini("b", 630, 600)).answer == "yes"
    assert put(mini("b", 629, 600)).margin_mm == -1


def test_nothing_is_placed_on_solid_terrain_but_rough_ground_will_do() -> None:
    wall = {"terrain": [box("w", "wall", 610, 500, 620, 700, height_mm=20)]}
    bog = {"terrain": [box("b", "rough", 500, 500, 700, 700)]}

    assert put(state=wall).margin_mm == -5
    assert put(state=bog).answer == "yes"


def test_it_stays_on_the_table() -> None:
    assert put(at=(10, 600)).margin_mm == -5


def test_a_colossal_is_never_placed_though_it_may_move_there() -> None:
    huge = {"mm": 120, "type": "warjack"}

    assert clauses(put(me=huge))["kind"] == "no"
    assert put(me=huge, manner="moved").answer == "yes"


def test_a_range_is_kept() -> None:
    assert put(mini("b", 600, 600 + 30 + 3 * INCH), range_in=3, of="b").answer == "yes"
    assert put(mini("b", 600, 600 + 31 + 3 * INCH), range_in=3, of="b").answer == "no"


def test_a_trooper_in_formation_stays_in_it() -> None:
    lead = mini("lead", 200, 250, side="red", unit="u")
    units = {"units": [{"id": "u", "commander": "lead", "command_in": 5}]}

    assert clauses(put(lead, me={"unit": "u"}, state=units))["formation"] == "no"
    assert put(lead, me={"unit": "u"}, at=(300, 250), state=units).answer == "yes"


def swap(diameter: float, at: Any) -> Verdict:
    state = table(mini("m", 600, 600, mm=30))
    base = {"shape": "round", "diameter_mm": diameter}
    return asked(state, "replacement", mover="m", base=base, to={"at_mm": at})


def test_the_smaller_base_lies_within_the_larger() -> None:
    assert (swap(50, (610, 600)).answer, swap(50, (610, 600)).margin_mm) == ("yes", 0)
    assert swap(50, (611, 600)).answer == "no"
    assert swap(30, (600, 600)).answer == "yes"
    assert swap(30, (601, 600)).margin_mm == -0.5


def test_a_replacement_needs_room() -> None:
    state = table(mini("m", 600, 600, mm=30), mini("b", 632, 600))
    base = {"shape": "round", "diameter_mm": 50}

    assert asked(state, "replacement", mover="m", base=base, to={"at_mm": (600, 600)}).answer == "no"
