from typing import Any

import pytest

from models.verdict import Verdict
from referee.editions.warmachine.setup.scenarios import PRINTED
from tests.referee.tables import asked, table

INCH = 25.4


def layout(name: str | None, first: str = "near", **more: Any) -> Verdict:
    across = {"near": "far", "far": "near", "left": "right", "right": "left"}[first]
    sides = [{"id": "red", "edge": first, "first": True}, {"id": "blue", "edge": across}]
    return asked(table(sides=sides, **more), "scenario-layout", **({"scenario": name} if name else {}))


def points(value: Any) -> list[tuple[float, float]]:
    return [(round(x / INCH, 3), round(y / INCH, 3)) for x, y in value]


def zones(verdict: Verdict) -> list[tuple[float, float]]:
    told: Any = verdict.value["zones"]
    return points(zone["centre_mm"] for zone in told)


# Worked by hand from each player's edge and right hand, on a table of 48 by 48 in, the first player's edge at y = 0.
@pytest.mark.parametrize(
    ("name", "flags"),
    [
        ("close-quarters", [(30, 21), (18, 27)]),
        ("outflank", [(30, 21), (18, 27)]),
        ("hold-the-line", [(36, 24), (24, 24), (12, 24)]),
        ("seek-and-destroy", [(24, 24), (11.272, 11.272), (11.272, 36.728), (36.728, 11.272), (36.728, 36.728)]),
    ],
)
def test_flags_lie_where_the_scenario_puts_them(name: str, flags: list[tuple[float, float]]) -> None:
    assert points(layout(name).value["flags"]) == flags


@pytest.mark.parametrize(
    ("name", "centres"),
    [
        ("incoming", [(24, 24)]),
        ("mosh-pit", [(24, 24)]),
        ("reinforcements", [(24, 24)]),
        ("throw-down", [(14, 24), (34, 24)]),
    ],
)
def test_zones_lie_where_the_scenario_puts_them(name: str, centres: list[tuple[float, float]]) -> None:
    assert zones(layout(name)) == centres


@pytest.mark.parametrize(
    ("first", "flags"),
    [("far", [(18, 27), (30, 21)]), ("left", [(21, 18), (27, 30)]), ("right", [(27, 30), (21, 18)])],
)
def test_the_layout_turns_with_the_first_players_edge(first: str, flags: list[tuple[float, float]]) -> None:
    assert points(layout("close-quarters", first).value["flags"]) == flags


def test_the_first_player_has_seven_inches_and_the_second_ten() -> None:
    deployment: Any = layout("mosh-pit").value["deployment"]

    assert points(deployment["red"][0]) == [(0, 0), (48, 0), (48, 7), (0, 7)]
    assert points(deployment["blue"][0]) == [(48, 48), (0, 48), (0, 38), (48, 38)]


def test_outflank_has_a_second_zone_at_the_players_right() -> None:
    deployment: Any = layout("outflank").value["deployment"]

    assert points(deployment["red"][0]) == [(12, 0), (36, 0), (36, 10), (12, 10)]
    assert points(deployment["red"][1]) == [(44, 18), (48, 18), (48, 30), (44, 30)]
    assert points(deployment["blue"][1]) == [(4, 30), (0, 30), (0, 18), (4, 18)]


def test_every_printed_scenario_can_be_laid_out() -> None:
    assert len(PRINTED) == 9
    assert {layout(name).status for name in PRINTED} == {"measured"}


def test_the_state_may_name_the_scenario_and_one_has_to() -> None:
    assert zones(layout(None, scenario={"name": "incoming"})) == [(24, 24)]
    assert layout(None).needs == ("scenario",)


def test_a_scenario_the_book_does_not_print_is_refused_with_those_it_does() -> None:
    verdict = layout("king-of-the-hill")

    assert verdict.status == "refused"
    assert "'king-of-the-hill'" in str(verdict.advice)
    assert "throw-down" in str(verdict.advice)
