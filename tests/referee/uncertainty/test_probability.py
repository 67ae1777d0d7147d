"""Doubt said out loud."""

import math
from typing import Any
from unittest.mock import patch

import pytest

from models.parsing import parse_query
from models.state import TableState
from models.verdict import Answer, Verdict
from referee import EDITIONS, ask
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.uncertainty import probability
from referee.uncertainty.probability import Uncertainty
from referee.uncertainty.stratified_share import Share
from tests.strategies import mini, state_of


def verdict(state: TableState, **query: Any) -> Verdict:
    return ask(state, parse_query(query))


def pair(apart: float, sigma: float = 0.2, **more: Any) -> TableState:
    seen = {"sigma": {"at_mm": sigma}}
    return state_of([mini("a", 300, 600, **seen), mini("b", 330 + apart, 600, **seen)], **more)


def test_two_bases_measured_alike_double_the_variance() -> None:
    told = verdict(pair(100.0), kind="within", a="a", b="b", range_in=5)

    assert told.sigma_mm == pytest.approx(0.2 * math.sqrt(2), rel=1e-3)


def test_a_margin_of_one_sigma_is_too_close() -> None:
    told = verdict(pair(127.0 - 0.283), kind="within", a="a", b="b", range_in=5)

    assert told.answer == "too-close"
    assert told.probability == pytest.approx(0.841, abs=0.01)
    assert told.advice is not None
    assert "p. 12" in told.advice


def test_an_exact_table_is_never_too_close() -> None:
    told = verdict(pair(127.0, sigma=0.0), kind="within", a="a", b="b", range_in=5)

    assert (told.answer, told.at_edge, told.margin_mm) == ("yes", True, 0.0)


def test_what_moves_both_bases_together_does_not_blur_their_distance() -> None:
    shared = [{"name": "camera", "shift_mm": {"a": [0.2, 0.0], "b": [0.2, 0.0]}}]

    told = verdict(pair(126.5, common_mm=shared), kind="within", a="a", b="b", range_in=5)

    assert told.sigma_mm == pytest.approx(0.0, abs=1e-3)
    assert told.answer == "yes"


def test_a_covariance_may_stand_for_sigma() -> None:
    stretched = {"covariance_mm2": [[0.09, 0.0], [0.0, 4.0]]}
    state = state_of([mini("a", 300, 600), mini("b", 450, 600, **stretched)])

    told = verdict(state, kind="within", a="a", b="b", range_in=5)

    assert told.sigma_mm == pytest.approx(0.3, abs=0.01)


def test_facing_doubt_grows_with_distance() -> None:
    def sigma(away: float) -> float:
        state = state_of([mini("a", 300, 600, sigma={"facing_deg": 2.0}), mini("b", 300, 600 + away)])
        return verdict(state, kind="in-front-arc", viewer="a", target="b").sigma_mm or 0.0

    assert sigma(400) == pytest.approx(4 * sigma(100), rel=0.01)


def test_a_second_facing_shares_the_probability() -> None:
    other = {"facing_alternatives": [{"facing_deg": 180.0, "probability": 0.3}]}
    state = state_of([mini("a", 300, 600, **other), mini("b", 500, 600)])

    told = verdict(state, kind="in-front-arc", viewer="a", target="b")

    assert told.probability == pytest.approx(0.7)
    assert told.answer == "too-close"


def test_an_unknown_facing_that_matters_asks_for_the_facing() -> None:
    state = state_of([mini("a", 300, 600, facing=None), mini("b", 500, 600)])

    told = verdict(state, kind="in-front-arc", viewer="a", target="b")

    assert told.answer == "too-close"
    assert told.needs == ("facing_deg of a",)


def test_an_answer_that_holds_for_every_facing_is_given() -> None:
    wall = {"id": "w", "kind": "wall", "polygon_mm": [[400, 0], [420, 0], [420, 1200], [400, 1200]], "height_mm": 100}
    state = state_of([mini("a", 300, 600, facing=None), mini("b", 600, 600)], terrain=[wall])

    told = verdict(state, kind="los", viewer="a", target="b")

    assert told.answer == "no"


@pytest.mark.parametrize("apart_mm", [60.0, 90.0, 140.0, 400.0])
def test_an_unknown_facing_is_answered_as_all_facings_are(apart_mm: float) -> None:
    """Far from the threshold not each facing's doubt is worked out: that must change nothing."""
    seen: dict[str, Any] = {"sigma": {"at_mm": 0.5}, "profile": {"melee": [{"name": "Blade", "reach_in": 2}]}}
    asked = {"kind": "melee-range", "attacker": "a", "target": "b"}
    ways_deg = [0, 180, *range(0, 360, 45)]

    def looking(facing_deg: float | None) -> Verdict:
        minis = [mini("a", 300, 600, facing=facing_deg, **seen), mini("b", 300 + apart_mm, 600, **seen)]
        return verdict(state_of(minis), **asked)

    each, told = [looking(way) for way in ways_deg], looking(None)
    nearest = min(each, key=lambda one: abs(one.margin_mm or 0.0))
    agree = len({one.answer for one in each}) == 1

    assert told.answer == (nearest.answer if agree else "too-close")
    assert told.margin_mm == (pytest.approx(nearest.margin_mm) if agree else None)


def test_told_contact_decides_instead_of_the_tape() -> None:
    state = pair(0.9, contacts=[{"a": "b", "b": "a", "probability": 0.99}])

    told = verdict(state, kind="b2b", a="a", b="b")

    assert (told.answer, told.probability) == ("yes", 0.99)


def test_without_told_contact_the_tolerance_decides_and_is_named() -> None:
    told = verdict(pair(0.3, sigma=0.0), kind="b2b", a="a", b="b")

    assert told.answer == "yes"
    assert told.value["contact_tolerance_mm"] == 0.5


def test_a_slit_between_two_blockers_is_doubted_as_the_lesser_of_its_corners() -> None:
    seen = {"sigma": {"at_mm": 0.3}}
    minis = [
        mini("a", 300, 600),
        mini("b", 560, 600),
        mini("p", 430, 625.2, 50, **seen),
        mini("q", 430, 574.9, 50, **seen),
    ]
    walls = [mini(f"w{k}", 430, 600 + side * 76, 50) for k, side in enumerate((1, -1))]

    told = verdict(state_of(minis + walls), kind="los", viewer="a", target="b")

    assert told.answer == "too-close"
    assert 0.05 < (told.probability or 0) < 0.95


def test_a_camera_state_without_weapons_says_what_it_needs() -> None:
    told = verdict(pair(20.0), kind="engaged", attacker="a", target="b")

    assert told.status == "unknown"
    assert told.needs == ("profile.melee of a",)
    assert told.measured[0].value_mm == pytest.approx(20.0)


def test_a_reading_that_would_turn_the_answer_is_named() -> None:
    minis = [mini("v", 254, 609.6), mini("m", 381, 609.6), mini("t", 508, 609.6)]

    told = verdict(state_of(minis), kind="los", viewer="v", target="t")

    assert told.answer == "no"
    assert [(f.house_rule, f.reading, f.answer) for f in told.flips_under] == [("los-touch", "clear", "yes")]


def test_what_was_counted_for_each_facing_lies_between_their_means(monkeypatch: pytest.MonkeyPatch) -> None:
    other = {"facing_alternatives": [{"facing_deg": 180.0, "probability": 0.5}]}
    state = state_of([mini("a", 300, 600, **other), mini("b", 500, 600)])
    counted = iter([Share(0.99, 0.96, 1.0), Share(0.98, 0.94, 1.0)])

    def count(*_: Any, **__: Any) -> Uncertainty:
        return Uncertainty(next(counted), 0.3, {}, 0.3)

    monkeypatch.setattr(probability, "_estimate_uncertainty", count)
    result = RuleResult(margin_mm=1.0, depends_on_facing=("a",))
    found = probability.uncertainty_of_result(lambda _: result, ExactTable(state, EDITIONS[state.edition]), result)

    assert found is not None
    assert (found.share.low, found.share.high) == pytest.approx((0.95, 1.0))
    assert probability.decide(found.probability, found, result) is Answer.TOO_CLOSE


@pytest.mark.parametrize("apart_mm", [400.0, 310.0, 283.0, 281.0])
def test_what_lacks_what_is_necessary_is_answered_as_if_it_had_been_redrawn(apart_mm: float) -> None:
    card = {"spd_in": 6, "melee": [{"name": "Blade", "reach_in": 1}]}
    sigma = {"at_mm": 0.5, "facing_deg": 1.0}
    ends = [mini("a", 300, 600, side="red", profile=card), mini("t", 300 + apart_mm, 600, side="blue")]
    state = state_of([end | {"sigma": sigma} for end in (*ends, mini("b", 400, 621, side="blue"))])
    query = parse_query({"kind": "charge", "attacker": "a", "target": "t"})
    bounded = ask(state, query)
    with patch("referee.uncertainty.probability.surely_fails", return_value=False):
        redrawn = ask(state.model_copy(), query)

    assert (bounded.answer, bounded.margin_mm) == (redrawn.answer, redrawn.margin_mm)
    assert bounded.probability == pytest.approx(redrawn.probability, abs=1e-6)
