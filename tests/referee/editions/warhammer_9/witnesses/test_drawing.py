"""Pictures of Warhammer: every verdict draws what decides it, and drawing changes nothing that is said."""

import math
from itertools import pairwise

import pytest

from models.parsing import parse_query
from models.queries import InFrontArc
from models.verdict import Witness
from referee import EDITIONS, ask
from referee.editions.warhammer_9.witnesses.drawing import ADDITIONAL_PICTURES, PICTURES
from referee.rules.exact_table import ExactTable
from tests.referee.scenario import Scenario
from tests.referee.scenarios.warhammer.book import SCENARIOS
from tests.referee.scenarios.warhammer.field import field, unit
from tests.rows import every_row

NOTHING_TO_DRAW = {
    "may-measure": "only who may ask is decided, by no thing on the table",
    "score": "where nothing that is worth points is left, nothing is left to point at",
}
_IDS = [f"{one.rule}-{one.side}" for one in SCENARIOS]


@every_row("scenario", SCENARIOS, ids=_IDS)
def test_every_example_draws_what_decides_it(scenario: Scenario) -> None:
    verdict = scenario.verdict

    told = verdict.status in ("unknown", "refused") or verdict.kind in NOTHING_TO_DRAW
    assert verdict.witness or told


def _long_mm(one: Witness) -> float:
    points = one.points_mm or ()
    return one.radius_mm or 0.0 or sum(math.dist(a, b) for a, b in pairwise(points))


def test_what_has_nothing_to_draw_is_asked_somewhere() -> None:
    kinds = {str(cls.model_fields["kind"].default) for cls in EDITIONS["warhammer-9"].rules}

    assert set(NOTHING_TO_DRAW) <= kinds


@pytest.mark.parametrize("cls", sorted({*PICTURES, *ADDITIONAL_PICTURES}, key=lambda one: one.__name__))
def test_a_drawing_belongs_to_a_rule_of_the_edition_and_keeps_its_name(cls: type) -> None:
    rule = EDITIONS["warhammer-9"].rules[cls]

    assert rule.__wrapped__.__name__ == rule.__name__  # type: ignore[attr-defined]


@every_row("scenario", SCENARIOS[::7], ids=_IDS[::7])
def test_a_drawing_changes_nothing_that_is_ruled(scenario: Scenario) -> None:
    query = parse_query(scenario.query)
    rule = EDITIONS["warhammer-9"].rules[type(query)]
    plain = getattr(rule, "__wrapped__", rule)(ExactTable(scenario.state, EDITIONS["warhammer-9"]), query)
    drawn = rule(ExactTable(scenario.state, EDITIONS["warhammer-9"]), query)

    assert (drawn.margin_mm, drawn.value, drawn.status) == (plain.margin_mm, plain.value, plain.status)


def test_what_lies_in_the_front_is_drawn_as_far_as_it_does() -> None:
    """The border runs from (650, 300) at 45 degrees: of E, 680 to 780 wide at 350 to 390, it leaves a corner."""
    state = field(unit("A", (600, 300), 90, 5, 5), unit("E", (730, 350), 270, 5, 10, "blue"))
    verdict = ask(state, InFrontArc(viewer="A", target="E"))
    inside = [p for one in verdict.witness if one.role == "clear" for p in one.points_mm or ()]

    assert min(x for x, _ in inside) == pytest.approx(680)
    assert max(x - y for x, y in inside) == pytest.approx(350)


def test_what_lies_outside_is_drawn_by_how_far_it_does() -> None:
    state = field(unit("A", (600, 300), 90, 5, 5), unit("E", (850, 350), 270, 5, 10, "blue"))
    verdict = ask(state, InFrontArc(viewer="A", target="E"))
    (missed,) = [one for one in verdict.witness if one.role == "blocked"]

    assert _long_mm(missed) == pytest.approx(-(verdict.margin_mm or 0.0))
