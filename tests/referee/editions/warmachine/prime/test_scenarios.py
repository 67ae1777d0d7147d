"""Scenarios: where terrain and reinforcements are put, which side holds what, and what it scores."""

from typing import Any

from models.verdict import Verdict
from tests.referee.tables import answers, asked, box, mini, table

INCH = 25.4
LATE = {"turn": {"round": 2, "active": "red"}}
AMBUSH: dict[str, Any] = {"side": "red", "abilities": ["ambush"]}
RESERVES = LATE | {"scenario": {"name": "reinforcements"}}
ZONE = {"id": "z", "kind": "control", "centre_mm": [600, 600], "diameter_mm": 12 * INCH}


def put(piece: dict[str, Any], name: str) -> Verdict:
    return asked(table(terrain=[piece], scenario={"name": name}), "terrain-placement", feature="t")


def test_no_obstruction_lies_in_a_control_zone() -> None:
    middle = 609.6

    def block(gap: float, kind: str = "obstruction") -> dict[str, Any]:
        left = middle + 6 * INCH + gap
        return box("t", kind, left, middle - 50, left + 80, middle + 50)

    assert put(block(1), "incoming").margin_mm == 1
    assert (put(block(0), "incoming").answer, put(block(0), "incoming").at_edge) == ("no", True)
    assert put(block(-20, "forest"), "incoming").answer == "yes"


def test_nothing_that_keeps_a_base_off_lies_within_five_inches_of_a_flag() -> None:
    left = 30 * INCH + 20 + 5 * INCH + 1

    assert put(box("t", "obstruction", left, 500, left + 40, 560), "close-quarters").margin_mm == 1
    assert put(box("t", "obstruction", left - 2, 500, left + 40, 560), "close-quarters").answer == "no"
    assert put(box("t", "rubble", left - 90, 500, left + 40, 560), "close-quarters").answer == "yes"


def test_a_placement_needs_to_know_the_scenario() -> None:
    verdict = asked(table(terrain=[box("t", "wall", 1, 1, 9, 9)]), "terrain-placement", feature="t")

    assert verdict.needs == ("scenario.name",)


def clauses(verdict: Verdict) -> dict[str, str | None]:
    told: Any = verdict.value["clauses"]
    return {one["clause"]: one["answer"] for one in told}


def come(who: dict[str, Any], edge: str, state: Any = None, **fields: Any) -> Verdict:
    return asked(table(who, **(LATE if state is None else state)), "reinforcements", who="r", edge=edge, **fields)


def test_ambush_comes_on_within_three_inches_of_any_edge_but_the_enemys_own() -> None:
    assert come(mini("r", 3 * INCH - 15, 600, **AMBUSH), "edge:left").margin_mm == 0
    assert come(mini("r", 3 * INCH - 14, 600, **AMBUSH), "edge:left").answer == "no"
    assert clauses(come(mini("r", 600, 1190, **AMBUSH), "edge:far"))["edge"] == "no"


def test_ambush_waits_for_the_second_turn_and_for_those_who_have_it() -> None:
    first = {"turn": {"round": 1, "active": "red"}}

    assert clauses(come(mini("r", 40, 600, **AMBUSH), "edge:left", first))["turn"] == "no"
    assert clauses(come(mini("r", 40, 600, side="red"), "edge:left", manner="ambush"))["ability"] == "no"
    assert come(mini("r", 40, 600, **AMBUSH), "edge:left", {}).needs == ("turn.round",)


def test_outflank_takes_ambush_away() -> None:
    state = LATE | {"scenario": {"name": "outflank"}}

    assert clauses(come(mini("r", 40, 600, **AMBUSH), "edge:left", state))["ability"] == "no"


def test_reinforcements_come_on_within_eight_inches_of_the_own_edge() -> None:
    assert come(mini("r", 600, 8 * INCH - 15, side="red"), "edge:near", RESERVES).margin_mm == 0
    assert clauses(come(mini("r", 600, 1190, side="red"), "edge:far", RESERVES))["edge"] == "no"
    assert clauses(come(mini("r", 600, 100, side="red", type="warcaster"), "edge:near", RESERVES))["kind"] == "no"
    assert clauses(come(mini("r", 600, 100, side="red"), "edge:near"))["scenario"] == "no"


def by_flag(id_: str, gap_in: float, side: str, **more: Any) -> dict[str, Any]:
    """A miniature so many inches from the edge of the flag's marker, along +x for red and -x for blue."""
    away = 20 + 15 + gap_in * INCH
    return mini(id_, 600 + (away if side == "red" else -away), 600, side=side, **more)


HOLDS = by_flag("r", 0, "red"), by_flag("b", 9, "blue")


def flag(*minis: dict[str, Any], **more: Any) -> Verdict:
    return asked(table(*minis, objectives=[FLAG], **more), "objective-control", objective="f")


FLAG = {"id": "f", "kind": "flag", "at_mm": [600, 600]}


def test_who_touches_an_uncontested_flag_holds_it() -> None:
    verdict = flag(by_flag("r", 0, "red"), by_flag("b", 4.1, "blue"))

    assert (verdict.value["controller"], verdict.value["contested_by"]) == ("red", [])


def test_an_enemy_exactly_four_inches_away_contests() -> None:
    verdict = flag(by_flag("r", 0, "red"), by_flag("b", 4, "blue"))

    assert (verdict.value["controller"], verdict.value["contested_by"]) == ("none", ["b"])
    assert answers(verdict) == {"r": "yes", "b": "yes"}
    assert verdict.margin_mm == 0


def test_four_inches_may_be_measured_from_the_middle_of_the_flag() -> None:
    near = by_flag("b", 4 - 19 / INCH, "blue")

    assert flag(by_flag("r", 0, "red"), near).value["controller"] == "none"
    under = flag(by_flag("r", 0, "red"), by_flag("b", 3.5, "blue"), house_rules={"flag-distance": "centre"})
    assert under.value["controller"] == "red"


def test_when_both_touch_nobody_holds_it() -> None:
    assert flag(by_flag("r", 0, "red"), by_flag("b", 0, "blue")).value["controller"] == "none"


def test_a_friend_does_not_contest() -> None:
    sides = [{"id": "red", "edge": "near", "first": True, "allies": ["green"]}, {"id": "green"}]

    assert flag(by_flag("r", 0, "red"), by_flag("g", 1, "green"), sides=sides).value["controller"] == "red"


def test_wild_and_inert_ones_and_those_out_of_formation_do_not_count() -> None:
    for status in ("wild", "inert", "out-of-formation"):
        assert flag(by_flag("r", 0, "red"), by_flag("b", 1, "blue", status=[status])).value["controller"] == "red"
        assert flag(by_flag("r", 0, "red", status=[status])).value["controller"] == "none"


def test_a_trooper_out_of_its_commanders_range_does_not_contest() -> None:
    lead = mini("lead", 600, 1100, side="blue", unit="u")
    lost = by_flag("b", 1, "blue", unit="u")
    units = [{"id": "u", "commander": "lead", "command_in": 6}]

    assert flag(by_flag("r", 0, "red"), lost, lead, units=units).value["controller"] == "red"


def zone(*minis: dict[str, Any], **more: Any) -> Verdict:
    return asked(table(*minis, zones=[ZONE], **more), "objective-control", objective="z")


def test_any_part_of_a_base_in_a_zone_counts_and_touching_its_rim_does() -> None:
    edge = mini("r", 600, 600 + 6 * INCH + 15, side="red")

    assert zone(edge).value["controller"] == "red"
    assert zone(edge).margin_mm == 0
    assert zone(edge, house_rules={"area-touch": "not-covered"}).value["controller"] == "none"


def test_a_zone_with_both_sides_in_it_is_nobodys() -> None:
    verdict = zone(mini("r", 600, 650, side="red"), mini("b", 600, 550, side="blue"))

    assert verdict.value["controller"] == "none"
    assert set(verdict.value["contested_by"]) == {"r", "b"}  # type: ignore[arg-type]


def score(round_: int, active: str, *minis: dict[str, Any], name: str = "close-quarters", **scenario: Any) -> Verdict:
    state = table(
        *minis,
        objectives=[FLAG],
        scenario={"name": name, **scenario},
        turn={"round": round_, "active": active},
    )
    return asked(state, "score")


def test_points_come_from_the_second_players_second_turn_on() -> None:
    assert score(2, "red", *HOLDS).value["points"] == 0  # red is first: its first scoring turn is its third
    assert score(3, "red", *HOLDS).value["points"] == 1
    assert score(2, "blue", by_flag("b", 0, "blue")).value["points"] == 1


def test_in_seek_and_destroy_from_the_first_players_and_each_flag_once() -> None:
    assert score(2, "red", *HOLDS, name="seek-and-destroy").value["points"] == 1
    assert score(2, "red", *HOLDS, name="seek-and-destroy", scored=["f"]).value["points"] == 0


def test_what_was_scored_before_is_added_and_tells_whether_it_wins() -> None:
    verdict = score(3, "red", *HOLDS, points={"red": 3})

    assert (verdict.value["total"], verdict.value["needed"], verdict.value["wins"]) == (4, 4, True)
    assert verdict.value["parts"] == [{"objective": "f", "points": 1}]


def test_nobody_scores_in_the_others_turn() -> None:
    state = table(*HOLDS, objectives=[FLAG], scenario={"name": "close-quarters"}, turn={"round": 4, "active": "blue"})

    assert asked(state, "score", scorer="red").value["points"] == 0


def test_what_is_missing_for_a_score_is_named() -> None:
    assert asked(table(), "score").needs == ("scorer", "scenario.name", "turn.round")
    assert score(3, "red", name="incoming").needs == ("zones",)


def test_annihilation_counts_what_no_table_shows() -> None:
    assert score(3, "red", *HOLDS, name="annihilation").status == "refused"
