from typing import Any

from models.verdict import Verdict
from tests.referee.tables import asked, mini, table

INCH = 25.4
BOLT = {"name": "Bolt", "rng_in": 10, "offensive": True}
BOON = {"name": "Boon", "rng_in": 6}
OWN = {"name": "Own", "rng_in": "self"}


def channel(*others: dict[str, Any], node: dict[str, Any] | None = None, **fields: Any) -> Verdict:
    caster = mini("c", 200, 400, 180, side="red", profile={"control_stat": 7, "spells": [BOLT, BOON, OWN]})
    words = {"side": "red", "type": "warjack", "controller": "c", "abilities": ["arc-node"]} | (node or {})
    x = 200 + 15 + 20 + words.pop("gap_in", 10) * INCH
    state = table(caster, mini("n", x, 400, words.pop("facing", 0.0), mm=40, **words), *others)
    return asked(state, "channel", caster="c", channeler="n", **fields)


def foe(dx: float, **more: Any) -> dict[str, Any]:
    """An enemy whose edge is dx mm beyond the channeler's."""
    return mini("t", 200 + 35 + 10 * INCH + 35 + dx, 400, 180, side="blue", **more)


def clauses(verdict: Verdict) -> dict[str, str | None]:
    told: Any = verdict.value["clauses"]
    return {one["clause"]: one["answer"] for one in told}


def test_sight_and_range_run_from_the_channeler_and_the_caster_may_look_away() -> None:
    verdict = channel(foe(200), target="t", spell="Bolt")

    assert verdict.answer == "yes"
    assert verdict.margin_mm == 10 * INCH - 200


def test_the_channeler_has_to_see_the_target() -> None:
    verdict = channel(foe(200), target="t", spell="Bolt", node={"facing": 180.0})

    assert (verdict.answer, clauses(verdict)["sight"]) == ("no", "no")


def test_the_channeler_has_to_stand_in_the_control_range_and_its_limit_is_within() -> None:
    assert channel(node={"gap_in": 14}).margin_mm == 0
    assert channel(node={"gap_in": 14.1}).answer == "no"


def test_an_engaged_channeler_cannot_channel() -> None:
    verdict = channel(foe(10, reach=0.5))

    assert (verdict.answer, clauses(verdict)["engaged"]) == ("no", "no")


def test_a_channeler_that_lies_or_stands_helpless_cannot_channel() -> None:
    for status in ("knocked-down", "stationary", "inert"):
        assert clauses(channel(node={"status": [status]}))["state"] == "no"


def test_only_a_channeler_of_the_own_battlegroup_relays() -> None:
    assert clauses(channel(node={"controller": "other"}))["battlegroup"] == "no"
    assert clauses(channel(node={"abilities": ["pathfinder"]}))["arc-node"] == "no"


def test_a_spell_for_oneself_cannot_be_channeled() -> None:
    assert channel(spell="Own").answer == "no"
    assert channel(foe(100), target="t", spell="Own").answer == "no"


def test_the_channeler_may_be_the_target_of_what_is_not_offensive_only() -> None:
    assert channel(target="n", spell="Boon").answer == "yes"
    assert channel(target="n", spell="Bolt").answer == "no"
    assert channel(target="n").status == "unknown"


def test_what_the_channeler_is_has_to_be_told() -> None:
    verdict = channel(node={"abilities": []})

    assert (verdict.status, verdict.needs) == ("unknown", ("profile.abilities of n",))
