"""What HORDES lets players measure, when, and what they are told of it."""

from typing import Any

import pytest

from models.state import TableState
from models.verdict import Verdict
from tests.referee.tables import asked, mini, table


def shot(*, declared: bool = True, mark: float = 500, **more: Any) -> TableState:
    """Red g of 30 at 300 with a spear of 8 in, or 203.2, and blue t of 30; red may have declared its attack at t."""
    what = {"what": "ranged-attack", "by": "g", "target": "t", "weapon": "Gun", "range_in": 8}
    turn = {"active": "red", "phase": "activation", "activating": "g"} | ({"declared": what} if declared else {})
    state = table(mini("g", 300, 300, side="red", gun=8, reach=0.5), mini("t", mark, 300, 180, side="blue"),
                  **{"turn": turn} | more)  # fmt: skip
    return state.in_edition("hordes-mk2")


def ranged(state: TableState) -> Verdict:
    return asked(state, "range", attacker="g", target="t", weapon="Gun", asked_by="red")


def test_a_range_is_refused_until_the_attack_is_declared() -> None:
    verdict = ranged(shot(declared=False))

    assert (verdict.status, verdict.unlock) == ("refused", "declared-attack")
    assert (verdict.answer, verdict.margin_mm, verdict.measured, verdict.witness) == (None, None, (), ())
    assert verdict.advice


def test_a_declared_range_is_measured_up_to_its_length() -> None:
    verdict = ranged(shot())

    assert verdict.margin_mm == pytest.approx(203.2 - 170)
    assert verdict.value["licence"] == "declared-attack"
    assert (verdict.value["disclosed"], verdict.value["cap_mm"]) == ("figures", pytest.approx(203.2))


def test_beyond_the_range_only_that_is_told() -> None:
    verdict = ranged(shot(mark=700))

    assert (verdict.status, verdict.answer) == ("decided", "no")
    assert (verdict.margin_mm, verdict.sigma_mm, verdict.probability, verdict.witness) == (None, None, None, ())
    assert verdict.value["disclosed"] == "verdict"
    assert not any(isinstance(one, float) for key, one in verdict.value.items() if key != "cap_mm")
    assert all(reason.effect is None for reason in verdict.because)


def test_a_range_just_reached_is_told_with_its_figure() -> None:
    verdict = ranged(shot(mark=300 + 30 + 203.2))

    assert (verdict.answer, verdict.margin_mm) == ("yes", 0.0)


def test_an_attack_declared_at_another_opens_nothing() -> None:
    state = shot()
    verdict = asked(state, "range", attacker="t", target="g", range_in=8, asked_by="red")

    assert verdict.unlock == "declared-attack"


def test_sight_is_free_and_without_figures() -> None:
    verdict = asked(shot(declared=False), "los", viewer="g", target="t", asked_by="red")

    assert verdict.answer == "yes"
    assert (verdict.value["licence"], verdict.value["disclosed"]) == ("sight", "verdict")
    assert (verdict.margin_mm, verdict.measured) == (None, ())


def test_sight_may_be_read_as_licensed() -> None:
    state = shot(declared=False).with_house_rules(los_check="licensed")

    assert asked(state, "los", viewer="g", target="t", asked_by="red").unlock == "sight"


def test_a_table_may_allow_all_measuring() -> None:
    verdict = ranged(shot(declared=False).with_house_rules(measure_policy="allow"))

    assert verdict.margin_mm == pytest.approx(203.2 - 170)
    assert "licence" not in verdict.value


def test_before_the_first_turn_everything_is_measured() -> None:
    verdict = asked(shot(turn={"phase": "set-up"}), "distance", a="g", b="t", asked_by="red")

    assert (verdict.value["distance_mm"], verdict.value["licence"]) == (170.0, "set-up")


def test_bare_distances_are_not_measured_in_play() -> None:
    verdict = asked(shot(), "distance", a="g", b="t", asked_by="red")

    assert (verdict.status, verdict.unlock) == ("refused", "own-control-area")


def lord(x: float, *, asker: str = "red") -> Verdict:
    """From red's warlock of FURY 3 to a mark: up to 6 in, or 152.4."""
    warlock = mini("w", 300, 300, side="red", type="warlock", profile={"control_stat": 3})
    state = table(warlock, mini("t", x, 300, side="blue")).in_edition("hordes-mk2")
    return asked(state, "control-area", caster="w", target="t", asked_by=asker)


def test_from_an_own_warlock_one_measures_its_control_area_at_any_time() -> None:
    verdict = lord(400)

    assert verdict.margin_mm == pytest.approx(152.4 - 70)
    assert (verdict.value["licence"], verdict.value["cap_mm"]) == ("own-control-area", pytest.approx(152.4))


def test_outside_the_control_area_only_that_is_told() -> None:
    verdict = lord(600)

    assert (verdict.answer, verdict.margin_mm, verdict.value["disclosed"]) == ("no", None, "verdict")


def test_nobody_measures_the_enemy_warlocks_area() -> None:
    assert lord(400, asker="blue").unlock == "own-control-area"


def unit(activating: str) -> Verdict:
    leader, grunt = (mini(i, x, 300, side="red", unit="u") for i, x in (("c", 300), ("m", 400)))
    units = [{"id": "u", "commander": "c", "command_in": 5}]
    state = table(leader, grunt, units=units, turn={"active": "red", "activating": activating})
    return asked(state.in_edition("hordes-mk2"), "formation", unit="u", who="m", asked_by="red")


def test_a_unit_is_measured_while_it_is_active() -> None:
    verdict = unit("u")

    assert (verdict.value["licence"], verdict.margin_mm) == ("own-unit", pytest.approx(127 - 70))


def test_a_unit_is_not_measured_while_another_is_active() -> None:
    assert unit("v").unlock == "own-unit"


@pytest.mark.parametrize(
    ("query", "unlock"),
    [
        ({"kind": "charge", "attacker": "g", "target": "t", "step": "outcome"}, "declared-charge"),
        ({"kind": "slam", "attacker": "g", "target": "t"}, "declared-charge"),
        ({"kind": "trample", "attacker": "g", "heading_deg": 0}, "declared-charge"),
        ({"kind": "move", "mover": "g", "heading_deg": 0, "distance_in": 3}, "move-under-way"),
        ({"kind": "throw", "attacker": "g", "target": "t", "heading_deg": 0}, "declared-throw"),
        ({"kind": "spell-target", "caster": "g", "target": "t", "range_in": 8}, "declared-spell"),
        ({"kind": "template-hits", "at": "t", "diameter_in": 3}, "template-resolution"),
        ({"kind": "cover", "attacker": "g", "target": "t"}, "attack-resolution"),
        ({"kind": "frenzy", "who": "g"}, "triggered-check"),
        ({"kind": "melee-range", "attacker": "t", "target": "g", "reach_in": 2}, "own-melee-range"),
        ({"kind": "deployment", "who": "g"}, "set-up"),
    ],
)
def test_each_measurement_names_what_would_open_it(query: dict[str, Any], unlock: str) -> None:
    kind = query.pop("kind")
    verdict = asked(shot(declared=False), kind, **query, asked_by="red")

    assert (verdict.status, verdict.unlock) == ("refused", unlock)


def test_may_measure_says_so_without_measuring() -> None:
    inner = {"kind": "range", "attacker": "g", "target": "t", "weapon": "Gun"}
    shut = asked(shot(declared=False), "may-measure", query=inner, asked_by="red")
    free = asked(shot(), "may-measure", query=inner, asked_by="red")

    assert (shut.answer, shut.unlock) == ("no", "declared-attack")
    assert (free.answer, free.value["licence"], free.value["tell"]) == ("yes", "declared-attack", ["red", "blue"])


def test_prime_measures_as_it_likes() -> None:
    verdict = ranged(shot(declared=False).in_edition("warmachine-prime"))

    assert verdict.margin_mm == pytest.approx(203.2 - 170)
    assert "licence" not in verdict.value


def test_a_longer_range_than_was_declared_is_not_measured() -> None:
    verdict = asked(shot(mark=700), "range", attacker="g", target="t", range_in=20, asked_by="red")

    assert (verdict.status, verdict.unlock) == ("refused", "declared-attack")


def test_a_longer_reach_than_the_card_tells_is_not_measured() -> None:
    long, short = (
        asked(shot(mark=340), "melee-range", attacker="g", target="t", reach_in=reach, asked_by="red")
        for reach in (8, 0.5)
    )

    assert (long.status, long.unlock) == ("refused", "own-melee-range")
    assert short.margin_mm == pytest.approx(12.7 - 10)


def warlock(query: dict[str, Any]) -> Verdict:
    """Red's warlock of FURY 3 measures up to 152.4; n is 70 off, t is 270."""
    w = mini("w", 300, 300, side="red", type="warlock", profile={"control_stat": 3})
    others = mini("n", 400, 300, side="blue"), mini("t", 600, 300, side="blue")
    return asked(table(w, *others).in_edition("hordes-mk2"), **query, asked_by="red")


def test_a_distance_beyond_the_control_area_is_not_told() -> None:
    near, far = (warlock({"kind": "distance", "a": "w", "b": b}) for b in ("n", "t"))

    assert near.value["distance_mm"] == 70.0
    assert (far.measured, far.margin_mm, far.witness, far.value.get("distance_mm")) == ((), None, (), None)
    assert all(reason.effect is None for reason in far.because)


def test_no_more_than_the_control_area_may_be_asked_about() -> None:
    within, area = (warlock({"kind": "within", "a": "w", "b": "t", "range_in": r}) for r in (12, 6))

    assert (within.status, within.unlock) == ("refused", "own-control-area")
    assert (area.answer, area.margin_mm) == ("no", None)


def test_of_those_outside_an_area_only_that_is_told() -> None:
    verdict = warlock({"kind": "aura", "source": "w", "range_in": 6})

    assert {m.id: m.margin_mm for m in verdict.members} == {"n": pytest.approx(152.4 - 70), "t": None}
    told: Any = verdict.value["by_id"]
    assert not any(isinstance(one, float) for one in told.get("t", {}).values())


@pytest.mark.parametrize("kind", ["b2b", "bases-clear"])
def test_what_eyes_tell_comes_without_the_length_that_is_missing(kind: str) -> None:
    query = {"a": "g", "b": "t"} if kind == "b2b" else {}
    verdict = asked(shot(declared=False), kind, **query, asked_by="red")

    assert verdict.status == "decided"
    assert (verdict.margin_mm, verdict.measured) == (None, ())
    assert not any(isinstance(one, float) for one in verdict.value.values())


def test_in_the_first_edition_a_declared_attack_opens_the_figures_of_sight() -> None:
    state = shot().in_edition("warmachine-mk1")
    before = shot(declared=False).in_edition("warmachine-mk1")
    declared, looking = (asked(one, "los", viewer="g", target="t", asked_by="red") for one in (state, before))

    assert (declared.value["licence"], declared.value["disclosed"]) == ("attack-resolution", "figures")
    assert declared.margin_mm is not None
    assert (looking.value["licence"], looking.value["disclosed"], looking.margin_mm) == ("sight", "verdict", None)
