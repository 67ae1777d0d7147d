from tests.referee.tables import answers, asked, mini, table

ARM = {"melee": [{"name": "Arm", "reach_in": 2, "location": "left"}]}
COLOSSAL = mini("c", 600, 600, 90, mm=120, type="warjack", profile=ARM)


def test_a_sweep_hits_friend_and_foe_in_the_arms_field_and_reach() -> None:
    state = table(
        COLOSSAL, mini("near", 530, 640), mini("behind-it", 505, 675), mini("right", 690, 660), mini("far", 420, 760)
    )

    assert answers(asked(state, "sweep", attacker="c", weapon="Arm")) == {
        "near": "yes", "behind-it": "yes", "right": "no", "far": "no",
    }  # fmt: skip


def test_the_limit_of_the_reach_is_hit() -> None:
    state = table(COLOSSAL, mini("at", 595, 600 + 60 + 50.8 + 15), mini("off", 595, 600 + 60 + 50.9 + 15.1))

    assert answers(asked(state, "sweep", attacker="c", weapon="Arm"))["off"] == "no"


def test_only_colossals_sweep() -> None:
    assert asked(table(mini("c", 600, 600, mm=50, reach=2)), "sweep", attacker="c").status == "refused"


def test_an_arm_without_a_side_is_asked_for() -> None:
    state = table(mini("c", 600, 600, mm=120, reach=2))

    assert asked(state, "sweep", attacker="c").needs == ("location of c",)
