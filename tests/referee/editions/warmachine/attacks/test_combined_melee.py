from typing import Any

from models.verdict import Verdict
from tests.referee.tables import answers, asked, mini, table

UNIT = [{"id": "u", "side": "red", "commander": "a", "command_in": 8}]


def parts(verdict: Verdict) -> dict[str, Any]:
    by_id: Any = verdict.value["by_id"]
    return {id_: (told["part"], told["why"]) for id_, told in by_id.items()}


def blow(*more: dict[str, Any], **both: Any) -> Verdict:
    def fighter(id_: str, y: float) -> dict[str, Any]:
        return mini(id_, 300, y, 0, side="red", unit="u", reach=1, abilities=["combined-melee-attack"], **both)

    ids = ["a", "b", *(m["id"] for m in more)]
    state = table(
        fighter("a", 300), fighter("b", 335), *more, mini("t", 345, 317, 180, side="blue", reach=0.5), units=UNIT
    )
    return asked(state, "combined-melee", participants=ids, primary="a", target="t")


def test_everybody_in_reach_adds_one_to_the_blow() -> None:
    behind = mini("c", 250, 317, 0, side="red", unit="u", reach=1, abilities=["combined-melee-attack"])
    verdict = blow(behind)

    assert (answers(verdict), verdict.value["bonus"]) == ({"a": "yes", "b": "yes", "c": "no"}, 2)
    assert parts(verdict)["c"] == ("may-not", "reach")


def test_it_is_a_charge_attack_when_all_charged_far_enough() -> None:
    def charged(inches: float) -> dict[str, Any]:
        return {"moved": ["charge"], "charged": "t", "path_mm": [[0, 0], [25.4 * inches, 0]]}

    assert blow().value["charge_attack"] is False
    assert blow(this_turn=charged(3)).value["charge_attack"] is True
    assert blow(this_turn=charged(2.9)).value["charge_attack"] is False
