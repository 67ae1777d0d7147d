from typing import Any

from models.verdict import Verdict
from tests.referee.tables import answers, asked, mini, table

UNIT = [{"id": "u", "side": "red", "commander": "a", "command_in": 8}]


def archer(id_: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    return mini(
        id_, x, y, 0, **({"side": "red", "unit": "u", "gun": 10, "abilities": ["combined-ranged-attack"]} | more)
    )


def volley(*more: dict[str, Any], target: dict[str, Any] | None = None, primary: str = "a") -> Verdict:
    shooters = [archer("a", 300, 300), archer("b", 300, 340), *more]
    state = table(*shooters, target or mini("t", 550, 300, 180, side="blue", reach=0.5), units=UNIT)
    ids = [shooter["id"] for shooter in shooters]
    return asked(state, "combined-ranged", participants=ids, primary=primary, target="t", weapon="Gun")


def parts(verdict: Verdict) -> dict[str, Any]:
    by_id: Any = verdict.value["by_id"]
    return {id_: (told["part"], told["why"]) for id_, told in by_id.items()}


def test_everybody_who_could_shoot_adds_one() -> None:
    verdict = volley(archer("c", 300, 380))

    assert (answers(verdict), verdict.value["bonus"]) == ({"a": "yes", "b": "yes", "c": "yes"}, 3)


def test_who_is_out_of_range_or_formation_or_in_melee_may_not() -> None:
    verdict = volley(
        archer("far", 100, 300),
        archer("lost", 300, 540),
        archer("held", 300, 400),
        mini("f", 335, 400, 180, side="blue", reach=1),
    )

    assert parts(verdict)["far"] == ("may-not", "range")
    assert parts(verdict)["lost"] == ("may-not", "formation")
    assert parts(verdict)["held"] == ("may-not", "may-shoot")


def test_one_who_lacks_the_advantage_or_the_unit_may_not() -> None:
    verdict = volley(archer("plain", 300, 380, abilities=[]), archer("other", 300, 420, unit=None))

    assert (parts(verdict)["plain"], parts(verdict)["other"]) == (("may-not", "advantage"), ("may-not", "unit"))


def test_stealth_leaves_out_who_would_miss() -> None:
    hidden = mini("t", 440, 300, 180, side="blue", reach=0.5, abilities=["stealth"])
    verdict = volley(archer("c", 270, 300), target=hidden)

    assert (parts(verdict)["a"][0], parts(verdict)["c"]) == ("adds", ("may-not", "stealth"))


def test_one_alone_combines_nothing() -> None:
    state = table(archer("a", 300, 300), mini("t", 550, 300, side="blue", reach=0.5), units=UNIT)

    assert asked(state, "combined-ranged", participants=["a"], primary="a", target="t").value["bonus"] == 0


def test_a_target_in_melee_is_none_unless_it_is_huge() -> None:
    friend = mini("f", 550, 335, 270, side="red", reach=0.5)

    assert volley(friend).value["bonus"] == 0
    assert (
        volley(
            mini("f", 600, 380, 270, side="red", reach=0.5),
            target=mini("t", 600, 300, 180, mm=120, side="blue", reach=0.5),
        ).value["bonus"]
        == 2
    )
