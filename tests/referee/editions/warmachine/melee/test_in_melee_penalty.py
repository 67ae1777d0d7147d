from typing import Any

import pytest

from tests.referee.tables import asked, mini, table


def shot(*, foe_at: float = 335, mm: float = 30, shooter_at: float = 600, **more: Any) -> Any:
    state = table(
        mini("t", 300, 300, side="blue", reach=0.5, mm=mm),
        mini("foe", foe_at, 300, 180, side="red", reach=0.5),
        mini("a", shooter_at, 330, 180, side="red", reach=0.5, gun=10),
        mini("node", 300, 260, 90, side="red", reach=0.5),
    )  # fmt: skip
    return asked(state, "in-melee-penalty", attacker="a", target="t", **more)


def test_a_target_in_melee_gains_four() -> None:
    verdict = shot()

    assert (verdict.answer, verdict.margin_mm) == ("yes", pytest.approx(7.7))
    assert (verdict.value["bonus"], verdict.value["bonus_to"]) == (4, "defence")


def test_a_shot_from_one_who_is_in_melee_with_it_waives_the_bonus() -> None:
    verdict = shot(shooter_at=322)

    assert (verdict.answer, verdict.value["waived_by"]) == ("no", "a")


def test_so_does_a_channeler_in_melee_with_it() -> None:
    assert shot(attack="magic", origin="node").value["waived_by"] == "node"


@pytest.mark.parametrize(("more", "by"), [({"shape": "spray"}, "spray"), ({"mm": 120}, "huge-base")])
def test_sprays_and_huge_bases_know_no_bonus(more: dict[str, Any], by: str) -> None:
    assert (shot(**more).answer, shot(**more).value["waived_by"]) == ("no", by)


def test_an_area_attack_suffers_it_too() -> None:
    assert shot(shape="aoe").answer == "yes"
