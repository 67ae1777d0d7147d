"""Switch cells: near a switch the stated probability is the share of redrawn tables that say yes."""

import math
from typing import Any

import pytest

from benchmarks.rules.redrawn_states import redraw_states
from models.parsing import parse_query
from models.state import TableState
from models.verdict import Answer, Verdict
from referee import ask
from tests.referee.tables import box, mini, table

SIGMA = {"at_mm": 0.2, "facing_deg": 1.0}
FAR_EDGE_MM = 663.5 + 15  # of a cloud of 127 mm about x = 600, and of a base of 30 mm


def _normal(margin: float, sigma: float) -> float:
    return 0.5 * math.erfc(-margin / sigma / math.sqrt(2))


def _cloud(beyond_mm: float, **sigma: Any) -> TableState:
    """The target touches the far edge of a cloud, or not, by so much."""
    told = {"sigma": sigma or SIGMA}
    minis = [mini("a", 300, 600) | told, mini("t", FAR_EDGE_MM + beyond_mm, 600, 180) | told]
    return table(*minis, effects=[{"id": "c", "kind": "cloud", "centre_mm": [600, 600], "diameter_mm": 127}])


def _sight(state: TableState) -> Verdict:
    return ask(state, parse_query({"kind": "los", "viewer": "a", "target": "t"}))


def _share(state: TableState, draws: int = 300) -> float:
    return sum(_sight(one).answer is Answer.YES for one in redraw_states(state, draws, seed=7)) / draws


@pytest.mark.parametrize("beyond_mm", [-0.5, -0.1, 0.1, 0.3])
def test_at_a_clouds_edge_it_is_as_probable_as_the_base_touches(beyond_mm: float) -> None:
    verdict = _sight(_cloud(beyond_mm))

    assert verdict.probability == pytest.approx(_normal(-beyond_mm, 0.2), abs=0.02)


@pytest.mark.parametrize("beyond_mm", [-0.15, 0.15])
def test_redrawn_tables_say_the_same(beyond_mm: float) -> None:
    state = _cloud(beyond_mm)

    assert _sight(state).probability == pytest.approx(_share(state), abs=0.08)


def test_far_from_every_switch_nothing_is_told_of_any() -> None:
    verdict = _sight(_cloud(-20.0))

    assert (verdict.answer, verdict.flips_if, verdict.outcomes) == (Answer.YES, (), ())


def test_the_verdict_says_the_switch_its_margin_and_what_is_beyond() -> None:
    verdict = _sight(_cloud(-0.1))
    (flip,) = verdict.flips_if

    assert verdict.answer is Answer.TOO_CLOSE
    assert verdict.margin_mm == pytest.approx(0.1)
    assert (flip.whether, flip.answer) == ("whether t touches c", Answer.NO)
    assert (flip.margin_mm, flip.sigma_mm) == pytest.approx((0.1, 0.2), rel=1e-3)
    assert flip.probability == pytest.approx(_normal(-0.1, 0.2), abs=0.01)
    assert flip.witness


@pytest.mark.parametrize("at_mm", [0.0, 1e-9])
def test_exact_tables_and_those_that_nearly_are_answer_alike(at_mm: float) -> None:
    sure = _sight(_cloud(-0.1, at_mm=at_mm)), _sight(_cloud(0.1, at_mm=at_mm))

    assert [one.answer for one in sure] == [Answer.YES, Answer.NO]


def test_a_wide_sigma_is_answered_too() -> None:
    verdict = _sight(_cloud(-0.1, at_mm=50.0, facing_deg=180.0))

    assert verdict.answer is Answer.TOO_CLOSE


def test_the_same_question_has_the_same_bytes() -> None:
    first, again = (_sight(_cloud(-0.1)).model_dump_json() for _ in range(2))

    assert first == again


def test_what_stops_at_a_contact_has_its_place_there_in_every_cell() -> None:
    """A larger base brushes the way by 0 ± 0.3 mm: met, it ends in contact with it; not met, beyond it."""
    attacker = mini("a", 300, 600, 0, mm=50, side="red", type="warjack") | {"sigma": {"at_mm": 0.2}}
    beside = mini("b", 400, 650.1, 180, mm=50, side="blue", type="warjack") | {"sigma": {"at_mm": 0.2}}
    asked = {"kind": "trample", "attacker": "a", "heading_deg": 0, "speed_in": 5}

    verdict = ask(table(attacker, beside), parse_query(asked))

    assert verdict.flips_if
    assert verdict.probability == pytest.approx(1.0, abs=0.01)


def test_what_hangs_on_heights_alone_turns_by_no_error_of_a_place() -> None:
    wall = box("w", "wall", 585, 550, 615, 650, height_mm=60)
    state = table(*(mini(id_, x, 600) | {"sigma": SIGMA} for id_, x in (("a", 300), ("t", 900))), terrain=[wall])
    verdict = _sight(state)

    assert verdict.estimate is not None
    assert (verdict.answer, verdict.estimate.method) == (Answer.NO, "first-order")
