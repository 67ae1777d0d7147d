"""A flight of the first edition along a way told by hand: of any length, and none past the bound."""

import time

import pytest

from models.errors import BadInput
from models.parsing import parse_query
from referee import ask
from tests.referee.tables import asked, mini, table

STATE = (
    table(mini("a", 600, 300, side="red", profile={"spd_in": 5}), mini("e", 600, 500, side="blue", reach=2))
    .in_edition("warmachine-mk1")
    .with_house_rules(measure_policy="allow")
)


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
