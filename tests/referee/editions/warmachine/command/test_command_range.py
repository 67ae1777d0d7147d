from typing import Any

import pytest

from models.verdict import Verdict
from tests.referee.tables import asked, mini, table

INCH = 25.4


def trooper(id_: str, gap_in: float, **more: Any) -> dict[str, Any]:
    """A trooper whose base edge is so many inches from the commander's, along +x."""
    return mini(id_, 300 + 30 + gap_in * INCH, 400, **({"side": "red", "unit": "u"} | more))


def command(gap_in: float, **fields: Any) -> Verdict:
    leader = mini("a", 300, 400, side="red", profile=fields.pop("profile", {"cmd_in": 8}))
    return asked(table(leader, trooper("b", gap_in, unit=None)), "command-range", commander="a", who="b", **fields)


def test_the_command_range_runs_from_edge_to_edge() -> None:
    verdict = command(8)

    assert (verdict.answer, verdict.margin_mm, verdict.value["stat"]) == ("yes", 0, "command")
    assert command(8.01).answer == "no"


def test_without_a_command_stat_the_question_says_what_is_missing() -> None:
    verdict = command(3, profile={})

    assert (verdict.status, verdict.needs) == ("unknown", ("profile.cmd_in of a",))


def test_everybody_is_in_its_own_command_range() -> None:
    state = table(mini("a", 300, 400, profile={"cmd_in": 8}))

    assert asked(state, "command-range", commander="a", who="a").answer == "yes"


@pytest.mark.parametrize("edition", ["hordes-mk2", "warmachine-mk1"])
@pytest.mark.parametrize(("mate", "answer"), [([], "no"), (["fleeing"], "yes")])
def test_a_lone_fleer_has_nothing_of_where_the_others_stand(edition: str, mate: list[str], answer: str) -> None:
    captain = mini("c", 800, 833.3, side="red", type="solo", abilities=["commander"], profile={"cmd_in": 8})
    fleer = mini("t", 800, 600, side="red", unit="u", status=["fleeing"])
    other = mini("l", 900, 900, side="red", unit="u", status=mate)
    units = [{"id": "u", "commander": "l", "command_in": 8}]
    state = table(captain, fleer, other, units=units, edition=edition, house_rules={"measure-policy": "allow"})

    assert asked(state, "command-range", commander="c", who="t", purpose="rally").answer == answer
