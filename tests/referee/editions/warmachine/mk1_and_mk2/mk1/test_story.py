"""One turn of WARMACHINE's first edition told as a story: ranks, screens, a slam, a melee that is shot into, a rally.

To tell it anew after a deliberate change:
`python -m tests.referee.editions.warmachine.mk1_and_mk2.mk1.test_story > tests/referee/stories/first-turn.txt`.
"""

from pathlib import Path

from models.state import TableState
from tests.referee.game import Game
from tests.referee.tables import box, mini, table

STORY = Path(__file__).parents[4] / "stories" / "first-turn.txt"


def _set_up() -> TableState:
    """Red's warcaster, warjack, gun and a rank of shields against blue's warjack, troopers and one who fled."""
    fist = [{"name": "Fist", "reach_in": 0.5, "rules": ["open-fist"]}]
    one = {"side": "red", "unit": "shields", "status": ["shield-wall"]}
    red = (
        mini("caster", 600, 260, 90, side="red", type="warcaster", reach=0.5, profile={"control_stat": 6, "spd_in": 6}),
        mini(
            "jack",
            600,
            400,
            90,
            mm=50,
            side="red",
            type="warjack",
            controller="caster",
            profile={"spd_in": 5, "strength": 12, "melee": fist},
        ),
        mini("gun", 760, 300, 90, side="red", gun=12, profile={"spd_in": 6}),
        mini("s1", 400, 400, 90, reach=0.5, **one),
        mini("s2", 430, 400, 90, reach=0.5, **one),
        mini("s3", 400, 370, 90, reach=0.5, **one),
        mini("s4", 430, 370, 90, reach=0.5, **one),
    )
    blue = (
        mini("iron", 605, 540, 270, mm=50, side="blue", type="warjack", profile={"spd_in": 4, "melee": fist}),
        mini("pike1", 400, 430, 270, side="blue", reach=2),
        mini("pike2", 760, 540, 270, side="blue", reach=0.5),
        mini("screen", 775, 505, 270, side="blue", reach=0.5),
        mini("coward", 900, 700, 90, side="blue", status=["fleeing"]),
    )
    units = [{"id": "shields", "commander": "s1", "spacing_in": 3, "formation": "tight", "orders": ["shield-wall"]}]
    ground = [box("bog", "rough", 380, 440, 460, 500), box("wall", "wall", 540, 700, 680, 708, height_mm=20)]
    turn = {"round": 2, "active": "red", "phase": "activation", "activating": "shields"}
    return table(*red, *blue, units=units, terrain=ground, turn=turn).in_edition("warmachine-mk1")


def told() -> str:
    game = Game(_set_up(), keeps=("bonus", "target", "mode", "chains", "facing_deg", "distance_mm"))
    game.says("1. The shields stand in two ranks, measured while the unit is active, and one is struck.")
    game.asks("ranked-formation", unit="shields", manner="tight")
    game.asks("formation", unit="shields")
    game.declares("melee-attack", "s1", target="pike1")
    game.asks("target-legal", attacker="s1", target="pike1", attack="melee")
    game.asks("shield-wall", target="s1", attacker="pike1")
    game.says("2. The gun declares its shot past one who screens, and the sum is taken.")
    game.asks("range", attacker="gun", target="pike2", weapon="Gun")
    game.declares("ranged-attack", "gun", target="pike2", weapon="Gun", range_in=12)
    game.asks("los", viewer="gun", target="pike2")
    game.asks("screening", attacker="gun", target="pike2")
    game.asks("range", attacker="gun", target="pike2", weapon="Gun")
    game.asks("attack-modifiers", attacker="gun", target="pike2", attack="ranged")
    game.says("3. The jack slams the iron one, straight at its middle.")
    game.declares("slam", "jack", target="iron")
    slam = game.asks("slam", attacker="jack", target="iron", dice={"slam": 3})
    slammed = slam.value["slammed"]
    assert isinstance(slammed, dict)
    game.follows({"jack": {"at_mm": (slam.witness[0].points_mm or ((0.0, 0.0),))[-1]}} | slammed["poses"])  # type: ignore[operator]
    game.says("4. The warcaster measures its own area, and nobody between two others.")
    game.asks("control-area", caster="caster", target="jack")
    game.asks("distance", a="caster", b="iron")
    game.asks("distance", a="gun", b="iron")
    game.says("5. In the next maintenance phase the coward, a solo, may rally and turns to its nearest enemy.")
    game.declares("check", "coward")
    game.asks("rally", who="coward")
    return game.told()


def test_the_turn_is_judged_as_it_was_told() -> None:
    assert told() == STORY.read_text()


if __name__ == "__main__":
    print(told(), end="")
