from typing import Any

import pytest

from models.state import TableState
from models.verdict import Verdict
from tests.referee.tables import asked, mini, table


def clauses(verdict: Verdict) -> dict[str, str]:
    listed: Any = verdict.value["clauses"]
    return {clause["clause"]: clause["answer"] for clause in listed}


def pair(apart: float, **more: Any) -> TableState:
    attacker: dict[str, Any] = {"side": "red", "reach": 2, "gun": 10} | more.pop("attacker", {})
    target = mini("t", 330 + apart, 300, 180, side="blue", reach=more.pop("their_reach", 0.5))
    return table(mini("a", 300, 300, **attacker), target, **more)


SPELLS = {"control_stat": 5, "spells": [{"name": "Bolt", "rng_in": 8, "offensive": True}, {"name": "Ward", "rng_in": "self"}, {"name": "Field", "rng_in": "control"}]}  # fmt: skip # noqa: E501


def cast(apart: float, spell: str, target: str = "t") -> Verdict:
    state = pair(apart, attacker={"profile": SPELLS})
    return asked(state, "spell-target", caster="a", target=target, spell=spell)


def test_a_spell_reaches_its_range_and_not_farther() -> None:
    assert (cast(203.2, "Bolt").answer, cast(203.2, "Bolt").value["in_range"]) == ("yes", "yes")
    assert (cast(204.2, "Bolt").answer, cast(204.2, "Bolt").margin_mm) == ("no", pytest.approx(-1.0))


def test_the_control_range_is_twice_the_stat() -> None:
    assert cast(254, "Field").answer == "yes"
    assert cast(255, "Field").answer == "no"


def test_a_spell_for_oneself_is_for_nobody_else() -> None:
    assert cast(10, "Ward").answer == "no"
    assert cast(10, "Ward", target="a").answer == "yes"


def test_a_channelled_spell_is_measured_and_seen_from_the_channeler() -> None:
    state = table(mini("a", 300, 300, 180, profile=SPELLS), mini("node", 600, 300), mini("t", 800, 300))

    assert asked(state, "spell-target", caster="a", target="t", spell="Bolt").answer == "no"
    assert asked(state, "spell-target", caster="a", target="t", spell="Bolt", origin="node").answer == "yes"


def test_a_friend_out_of_formation_is_no_target() -> None:
    stray = mini("t", 400, 300, side="red", status=["out-of-formation"])
    state = table(mini("a", 300, 300, side="red", profile=SPELLS), stray)

    assert clauses(asked(state, "spell-target", caster="a", target="t", spell="Bolt"))["formation"] == "no"


def test_an_unknown_spell_is_asked_for() -> None:
    assert cast(10, "Doom").needs == ("rng_in of spell Doom of a",)
