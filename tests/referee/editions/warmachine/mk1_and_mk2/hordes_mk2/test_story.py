"""One turn of HORDES told as a story: what may be measured only after it is declared, and what frenzy does.

To tell it anew after a deliberate change:
`python -m tests.referee.editions.warmachine.mk1_and_mk2.hordes_mk2.test_story > tests/referee/stories/hordes-turn.txt`.
"""

from pathlib import Path

from models.state import TableState
from tests.referee.game import Game
from tests.referee.tables import box, mini, table

STORY = Path(__file__).parents[4] / "stories" / "hordes-turn.txt"


def _set_up() -> TableState:
    """Red's warlock, two warbeasts and a spearman against blue's beast and troopers round a wood and a low wall."""
    claw = [{"name": "Claw", "reach_in": 0.5, "rules": ["open-fist"]}]
    red = (
        mini("lord", 400, 300, 90, side="red", type="warlock", profile={"control_stat": 6, "spd_in": 6, "melee": claw}),
        mini(
            "bull",
            500,
            400,
            90,
            mm=50,
            side="red",
            type="warbeast",
            controller="lord",
            profile={"spd_in": 5, "strength": 12, "melee": claw},
        ),
        mini(
            "wild",
            300,
            420,
            90,
            mm=40,
            side="red",
            type="warbeast",
            controller="lord",
            status=["frenzied"],
            profile={"spd_in": 6, "melee": claw},
        ),
        mini("spear", 620, 380, 90, side="red", gun=8, reach=2, profile={"spd_in": 6}),
    )
    blue = (
        mini("brute", 505, 560, 270, mm=50, side="blue", type="warbeast", profile={"spd_in": 4, "melee": claw}),
        mini("axe1", 300, 470, 270, side="blue", reach=1),
        mini("axe2", 640, 560, 270, side="blue", reach=1),
    )
    ground = [box("wood", "forest", 560, 430, 700, 500), box("wall", "wall", 440, 700, 640, 708, height_mm=20)]
    turn = {"round": 2, "active": "red", "phase": "activation", "activating": "spear"}
    return table(*red, *blue, terrain=ground, turn=turn).in_edition("hordes-mk2")


def told() -> str:
    game = Game(_set_up(), keeps=("bonus", "target", "mode", "chains", "facing_deg", "distance_mm"))
    game.says("1. The frenzied one goes first, for whom its book says.")
    game.declares("check", "wild")
    game.asks("frenzy", who="wild")
    game.asks("engaged", attacker="wild", target="axe1")
    game.says("2. The spear looks, and measures only after it has declared its throw.")
    game.asks("los", viewer="spear", target="axe2")
    game.declares("move", "spear")
    game.asks("range", attacker="spear", target="axe2", weapon="Gun")
    game.declares("ranged-attack", "spear", target="axe2", weapon="Gun", range_in=8)
    game.asks("range", attacker="spear", target="axe2", weapon="Gun")
    game.asks("cover", attacker="spear", target="axe2")
    game.asks("attack-modifiers", attacker="spear", target="axe2", attack="ranged")
    game.says("3. The bull slams the brute against the wall.")
    game.asks("slam", attacker="bull", target="brute")
    game.declares("slam", "bull", target="brute")
    slam = game.asks("slam", attacker="bull", target="brute", dice={"slam": 6})
    slammed = slam.value["slammed"]
    assert isinstance(slammed, dict)
    game.follows({"bull": {"at_mm": (slam.witness[0].points_mm or ((0.0, 0.0),))[-1]}} | slammed["poses"])  # type: ignore[operator]
    game.says("4. From the warlock everything in its area is measured at any time.")
    game.asks("control-area", caster="lord", target="bull", purpose="force")
    game.asks("distance", a="lord", b="axe2")
    game.asks("distance", a="lord", b="brute")
    game.asks("distance", a="bull", b="brute")
    return game.told()


def test_the_turn_is_judged_as_it_was_told() -> None:
    assert told() == STORY.read_text()


if __name__ == "__main__":
    print(told(), end="")
