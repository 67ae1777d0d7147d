from typing import Any

from models.verdict import Verdict
from tests.referee.tables import answers, asked, mini, table

INCH = 25.4
FLAG = {"id": "f", "kind": "flag", "at_mm": [600, 600]}
ZONE = {"id": "z", "kind": "control", "centre_mm": [600, 600], "diameter_mm": 12 * INCH}


def by_flag(id_: str, gap_in: float, side: str, **more: Any) -> dict[str, Any]:
    """A miniature so many inches from the edge of the flag's marker, along +x for red and -x for blue."""
    away = 20 + 15 + gap_in * INCH
    return mini(id_, 600 + (away if side == "red" else -away), 600, side=side, **more)


def flag(*minis: dict[str, Any], **more: Any) -> Verdict:
    return asked(table(*minis, objectives=[FLAG], **more), "objective-control", objective="f")


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
