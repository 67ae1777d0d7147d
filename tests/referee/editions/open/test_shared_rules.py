"""Shared rules: where a book's rule is only a setting of the open edition, both say the same."""

from typing import Any

import pytest
from hypothesis import given, settings

from models import queries
from models.parsing import parse_query
from models.state import TableState
from referee import EDITIONS, ask
from tests.strategies import tables

AS_PRIME = {"open-sight": "any-part", "open-arc-deg": "180", "open-arc-counts": "any-part"}
"""The settings that are the rules of Prime; what they do not choose is so by default."""

ASKED: list[dict[str, Any]] = [
    {"kind": "distance", "a": "m0", "b": "m1"},
    {"kind": "within", "a": "m0", "b": "m1", "range_in": 8},
    {"kind": "completely-within", "a": "m0", "b": "m1", "range_in": 8},
    {"kind": "range", "attacker": "m0", "target": "m1", "range_in": 10},
    {"kind": "in-front-arc", "viewer": "m0", "target": "m1"},
    {"kind": "in-back-arc", "viewer": "m0", "target": "m1"},
    {"kind": "b2b", "a": "m0", "b": "m1"},
    {"kind": "bases-clear"},
    {"kind": "template-hits", "at": [600.0, 560.0], "diameter_in": 5},
]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked["kind"])
@given(state=tables(most=5, terrain=False))
@settings(max_examples=25, deadline=None)
def test_under_the_settings_of_prime_the_open_edition_says_what_prime_says(
    asked: dict[str, Any], state: TableState
) -> None:
    prime = ask(state, parse_query(asked))
    freely = TableState.model_validate(state.model_dump(mode="json") | {"edition": "open", "house_rules": AS_PRIME})
    by_settings = ask(freely, parse_query(asked))

    assert by_settings.answer == prime.answer
    assert by_settings.margin_mm == pytest.approx(prime.margin_mm, abs=1e-6)
    assert [one.value_mm for one in by_settings.measured] == pytest.approx([one.value_mm for one in prime.measured])
    assert {m.id: m.answer for m in by_settings.members} == {m.id: m.answer for m in prime.members}


@pytest.mark.parametrize(
    "cls", [queries.InArea, queries.B2b, queries.BasesClear, queries.FitsBetween, queries.TableEdge]
)
def test_what_no_setting_changes_is_the_very_rule_of_prime(cls: type[queries.BaseQuery]) -> None:
    assert EDITIONS["open"].rules[cls] is EDITIONS["warmachine-prime"].rules[cls]
