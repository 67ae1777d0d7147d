"""Doubt in the first edition and HORDES: each place counts once, and every condition near its threshold is told."""

import math
from typing import Any

import pytest

from benchmarks.rules.redrawn_states import redraw_states
from models.parsing import parse_query
from models.state import TableState
from models.verdict import Answer, Verdict
from referee import ask
from tests.referee.tables import box, mini, table

BOOKS = ("warmachine-mk1", "hordes-mk2")
SIGMA = 0.3
ROOT2 = math.sqrt(2)


def _table(book: str, *minis: dict[str, Any], **more: Any) -> TableState:
    return table(*minis, edition=book, house_rules={"measure-policy": "allow"}, **more)


def _ask(state: TableState, kind: str, **fields: Any) -> Verdict:
    return ask(state, parse_query({"kind": kind, **fields}))


def _share(state: TableState, kind: str, *, draws: int = 200, **fields: Any) -> float:
    said = [_ask(one, kind, **fields).answer for one in redraw_states(state, draws, seed=3)]
    return said.count(Answer.YES) / draws


def _normal(margin: float, sigma: float) -> float:
    return 0.5 * math.erfc(-margin / sigma / ROOT2)


@pytest.mark.parametrize("book", BOOKS)
def test_a_back_strike_at_the_end_of_its_path_is_as_unsure_as_the_striker(book: str) -> None:
    striker = mini("a", 584.9, 600, sigma=SIGMA)  # 0.1 mm behind the arc line of t
    state = _table(book, striker, mini("t", 600, 600, 0))
    path = [[500, 600], [584.9, 600]]

    verdict = _ask(state, "back-strike", attacker="a", target="t", path_mm=path)

    assert verdict.sigma_mm == pytest.approx(SIGMA, rel=0.01)
    assert verdict.probability == pytest.approx(_normal(0.1, SIGMA), abs=0.02)


@pytest.mark.parametrize("book", BOOKS)
def test_a_trample_ends_as_surely_as_it_began(book: str) -> None:
    heavy = mini("a", 300, 600, mm=50, sigma=SIGMA, type="warbeast", profile={"spd_in": 5})
    end_mm = 300 + 8 * 25.4
    state = _table(book, heavy, mini("b", end_mm + 40.1, 600, sigma=SIGMA))  # 0.1 mm clear of its base

    verdict = _ask(state, "trample", attacker="a", heading_deg=0, distance_in=8)

    assert verdict.sigma_mm == pytest.approx(SIGMA * ROOT2, rel=0.01)


@pytest.mark.parametrize("book", BOOKS)
def test_a_charge_past_its_contact_fails_however_surely_it_stands(book: str) -> None:
    profile = {"spd_in": 5, "melee": [{"name": "W", "reach_in": 2}]}
    charger = mini("A", 254, 508, mm=40, profile=profile, side="red", type="solo", sigma=0.02)
    target = mini("T", 431.8, 579.12, 180, side="blue", type="solo")
    declared = {"what": "charge", "by": "A", "target": "T"}
    turn = {"round": 2, "active": "red", "phase": "activation", "activating": "A", "declared": declared}
    asked = {"attacker": "A", "target": "T", "heading_deg": 0, "stop_after_in": 8, "step": "outcome"}

    verdict = _ask(_table(book, charger, target, turn=turn), "charge", **asked)

    assert (verdict.answer, verdict.probability) == (Answer.NO, 0.0)
    assert verdict.margin_mm == pytest.approx(-10.4, abs=0.01)
    assert verdict.sigma_mm == pytest.approx(0.02, rel=0.01)


@pytest.mark.parametrize("past_mm", [-0.2, 0.2])
def test_a_charge_that_just_runs_past_its_contact_is_too_close(past_mm: float) -> None:
    profile = {"spd_in": 5, "melee": [{"name": "W", "reach_in": 2}]}
    charger = mini("A", 254, 508, mm=40, profile=profile, side="red", type="solo", sigma=0.2)
    target = mini("T", 431.8 - past_mm, 579.12, 180, side="blue", type="solo")
    declared = {"what": "charge", "by": "A", "target": "T"}
    turn = {"round": 2, "active": "red", "phase": "activation", "activating": "A", "declared": declared}
    asked = {"attacker": "A", "target": "T", "heading_deg": 0, "stop_after_in": 8 - 10.403 / 25.4, "step": "outcome"}
    state = _table("hordes-mk2", charger, target, turn=turn)

    verdict = _ask(state, "charge", **asked)

    assert verdict.answer is Answer.TOO_CLOSE
    assert verdict.probability == pytest.approx(_normal(-past_mm, 0.2), abs=0.03)


@pytest.mark.parametrize(("moved_mm", "answer"), [(0.0, Answer.YES), (0.6, Answer.TOO_CLOSE), (2.0, Answer.NO)])
def test_a_lock_is_as_sure_as_the_places_of_those_who_hold_it(moved_mm: float, answer: Answer) -> None:
    lock = {"partner": "t", "kind": "headlock", "holder": True}
    before = {"at_mm": [300, 600], "facing_deg": 0}
    holder = mini("a", 300 + moved_mm, 600, sigma=0.15, lock=lock, before=before)
    held = {"partner": "a", "kind": "headlock", "holder": False}
    state = _table("hordes-mk2", holder, mini("t", 340, 600, 180, lock=held))

    verdict = _ask(state, "lock", attacker="a", target="t")

    assert verdict.answer is answer
    assert verdict.probability == pytest.approx(_share(state, "lock", attacker="a", target="t"), abs=0.07)


def test_screening_hangs_on_every_base_that_narrows_the_sight() -> None:
    bases = [mini("X", 640, 620.3, mm=40, sigma=0.4), mini("Y", 640, 579.7, mm=40, sigma=0.4)]
    ends = [mini("A", 300, 600, sigma=0.4), mini("T", 700, 600, 180, mm=40, sigma=0.4)]
    state = _table("warmachine-mk1", *ends, *bases)

    screened = _ask(state, "screening", attacker="A", target="T")
    seen = _ask(state, "los", viewer="A", target="T")

    assert screened.sigma_mm == pytest.approx(seen.sigma_mm, rel=0.01)
    assert screened.probability == pytest.approx(seen.probability, abs=0.03)


@pytest.mark.parametrize("beyond_mm", [-0.1, 0.1])
def test_a_screen_an_inch_off_from_above_is_as_sure_as_the_inch(beyond_mm: float) -> None:
    above = mini("a", 300, 600, sigma=0.2, elevation_mm=60)
    large = mini("b", 600 - 25.4 - 15 - 25 - beyond_mm, 600, mm=50, sigma=0.2)
    state = _table("hordes-mk2", above, large, mini("t", 600, 600, 180, sigma=0.2))

    verdict = _ask(state, "los", viewer="a", target="t")

    assert verdict.probability == pytest.approx(_normal(beyond_mm, 0.2 * ROOT2), abs=0.04)
    assert "whether b stands within 1 in of t" in [flip.whether for flip in verdict.flips_if]


@pytest.mark.parametrize("inside_mm", [-0.1, 0.1])
def test_who_just_touches_deep_water_may_or_may_not_charge(inside_mm: float) -> None:
    profile = {"spd_in": 5, "melee": [{"name": "W", "reach_in": 1}]}
    charger = mini("a", 300, 600, side="red", type="solo", profile=profile, sigma=0.2)
    pool = box("w", "deep-water", 100, 500, 285 + inside_mm, 700)
    state = _table("hordes-mk2", charger, mini("t", 500, 600, 180, side="blue"), terrain=[pool])

    verdict = _ask(state, "charge", attacker="a", target="t", step="declare")

    assert verdict.answer is Answer.TOO_CLOSE
    assert verdict.probability == pytest.approx(_normal(-inside_mm, 0.2), abs=0.02)
    assert [flip.whether for flip in verdict.flips_if] == ["whether a stands in w"]


def test_a_trooper_at_the_end_of_a_weak_chain_is_as_unsure_as_each_link() -> None:
    line = [mini(id_, 300 + 80.5 * k, 600, unit="u", sigma=SIGMA) for k, id_ in enumerate("abc")]  # 0.3 mm to spare
    state = _table("warmachine-mk1", *line, units=[{"id": "u", "commander": "a", "spacing_in": 2}])

    verdict = _ask(state, "formation", unit="u", who="c")

    assert verdict.probability == pytest.approx(_share(state, "formation", unit="u", who="c"), abs=0.07)


def test_a_frenzied_beast_that_just_reaches_somebody_has_two_outcomes() -> None:
    beast = mini("a", 300, 600, mm=40, side="red", type="warbeast", status=["frenzied"], sigma=0.2)
    near = mini("t", 300 + 20 + 12.7 + 15 + 0.1, 600, 180, side="blue", sigma=0.2)  # 0.1 mm out of half an inch
    verdict = _ask(_table("hordes-mk2", beast, near), "frenzy", who="a")

    (likelier, other) = verdict.outcomes
    assert {likelier.value["mode"], other.value["mode"]} == {"attack", "charge"}
    assert likelier.probability + other.probability == pytest.approx(1.0, abs=0.01)
    assert likelier.probability == pytest.approx(_normal(0.1, 0.2 * ROOT2), abs=0.03)


def test_of_a_member_of_whom_nothing_is_told_nothing_is_said() -> None:
    blade = {"abilities": ["combined-melee-attack"], "melee": [{"name": "Sword", "reach_in": 0.5}]}
    minis = [mini(id_, 600, y, side="red", unit="u", profile=blade) for id_, y in (("a", 600), ("b", 640))]
    target = mini("T", 645, 620, 180, mm=50, side="blue", type="warbeast")
    state = _table("hordes-mk2", *minis, target, units=[{"id": "u", "commander": "a"}])

    verdict = _ask(state, "combined-melee", participants=["a", "b"], primary="a", target="T")

    assert [(one.id, one.answer) for one in verdict.members] == [("a", Answer.YES), ("b", None)]
    assert verdict.needs == ("profile.cmd_in of a",)
