"""What is refused before any rule runs."""

import json
from typing import Any

import pytest

from models.errors import BadQuery, BadState
from models.parsing import parse_query, parse_state
from models.vocabulary import Point
from referee.verdicts.validation import check_kind
from tests.referee.tables import asked, mini, table

MINI = {"id": "a", "base": {"shape": "round", "diameter_mm": 30}, "at_mm": [300, 300]}


def test_a_template_is_laid_on_the_table() -> None:
    state = table(mini("t", 1195, 600, 0))

    with pytest.raises(BadQuery, match=r"at: \(1240, 600\) lies off the table") as refused:
        asked(state, "template-hits", at=[1240, 600], diameter_in=4)

    assert (refused.value.field, refused.value.value) == ("at", [1240, 600])


@pytest.mark.parametrize("at", [(0, 0), (1219.2, 1219.2)])
def test_the_edge_belongs_to_the_table(at: Point) -> None:
    assert asked(table(mini("t", 600, 600, 0)), "template-hits", at=at, diameter_in=4).status == "measured"


def test_a_kind_of_another_book_is_refused_unless_one_of_the_books_knows_it() -> None:
    hordes = table(mini("t", 600, 600, 0), edition="hordes-mk2")
    steadfast = parse_query({"kind": "steadfast", "unit": "u"})
    with pytest.raises(BadQuery) as wrong:
        check_kind([hordes], steadfast)

    assert (wrong.value.field, wrong.value.value) == ("kind", "steadfast")
    check_kind([hordes, hordes.in_edition("warhammer-9")], steadfast)


@pytest.mark.parametrize(
    ("changes", "field", "value"),
    [
        ({"units": [{"id": "u", "commander": "gone"}]}, "units.0.commander", "gone"),
        ({"turn": {"declared": {"what": "charge", "by": "gone"}}}, "turn.declared.by", "gone"),
        ({"common_mm": [{"name": "pose", "shift_mm": {"gone": [1, 0]}}]}, "common_mm.0.shift_mm", "gone"),
        ({"miniatures": [MINI | {"controller": "gone"}]}, "miniatures.0.controller", "gone"),
        (
            {"miniatures": [MINI | {"lock": {"kind": "headlock", "partner": "gone", "holder": True}}]},
            "miniatures.0.lock.partner",
            "gone",
        ),
        ({"miniatures": [MINI, MINI]}, "miniatures.1.id", "a"),
        ({"miniatures": [MINI | {"unit": "gone"}]}, "miniatures.0.unit", "gone"),
        ({"house_rules": {"no-such": "x"}}, "house_rules.no-such", "x"),
        ({"contacts": [{"a": "a", "b": "gone", "probability": 1}]}, "contacts.0.b", "gone"),
    ],
)
def test_a_file_that_names_nobody_is_refused_with_field_and_value(
    changes: dict[str, Any], field: str, value: str
) -> None:
    plain = {"edition": "warmachine-prime", "table": {"width_mm": 600, "depth_mm": 600}, "miniatures": [MINI]}
    with pytest.raises(BadState) as wrong:
        parse_state(json.dumps(plain | changes))

    assert (wrong.value.field, wrong.value.value) == (field, value)


def test_a_problem_holds_no_number_that_json_does_not_know() -> None:
    with pytest.raises(BadState) as wrong:
        parse_state('{"edition": "warmachine-prime", "table": {"width_mm": NaN, "depth_mm": 600}}')

    assert json.dumps(wrong.value.problem(), allow_nan=False)
    assert wrong.value.problem()["value"] == "nan"


def test_nobody_goes_farther_than_any_table() -> None:
    told = {"kind": "move", "mover": "a", "path_mm": [[0, 0], [10, 0]], "allowance_in": 1e14}
    with pytest.raises(BadQuery) as wrong:
        parse_query(told)

    assert (wrong.value.field, wrong.value.value) == ("allowance_in", 1e14)
