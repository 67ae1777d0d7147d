"""One turn of Prime told as a story: what is asked, what the referee says, and what moves. Read it like a game.

The story is a text file that is replayed and compared line by line. To tell it anew after a deliberate change:
`python -m tests.referee.editions.warmachine.prime.test_story > tests/referee/stories/prime-turn.txt`.
"""

from pathlib import Path
from typing import Any

from models.state import TableState
from tests.referee.game import Game
from tests.referee.tables import box, mini, table

STORY = Path(__file__).parents[3] / "stories" / "prime-turn.txt"
INCH = 25.4


def _set_up() -> TableState:
    """Red's warcaster, heavy warjack, cavalry and a unit of two against blue's, round a flag, in the third round."""
    axe = [{"name": "Axe", "reach_in": 1}]
    fist = [{"name": "Fist", "reach_in": 0.5, "rules": ["open-fist"]}]
    lance = [{"name": "Lance", "reach_in": 2}, {"name": "Mount", "reach_in": 0.5, "rules": ["mount"]}]
    mortar = [{"name": "Mortar", "rng_in": 16}]
    mind = {"spd_in": 6, "control_stat": 7, "melee": axe}
    red = (
        mini("caster", 500, 260, 90, side="red", type="warcaster", profile=mind),
        mini("jack", 600, 400, 90, mm=50, side="red", type="warjack", controller="caster",
             profile={"spd_in": 4, "strength": 12, "melee": fist, "abilities": ["arc-node"]}),
        mini("rider", 300, 400, 90, mm=50, side="red", profile={"spd_in": 8, "melee": lance, "abilities": ["cavalry"]}),
        mini("pike1", 420, 380, 90, side="red", unit="pikes", profile={"spd_in": 6, "cmd_in": 8, "melee": axe}),
        mini("pike2", 460, 380, 90, side="red", unit="pikes", profile={"spd_in": 6, "melee": axe}),
        mini("gun", 700, 300, 90, mm=40, side="red", profile={"spd_in": 5, "ranged": mortar}),
    )  # fmt: skip
    blue = (
        mini("brute", 610, 560, 270, mm=50, side="blue", type="warjack", profile={"spd_in": 4, "melee": fist}),
        mini("thrall1", 420, 560, 270, side="blue", profile={"melee": [{"name": "Claw", "reach_in": 0.5}]}),
        mini("thrall2", 460, 570, 270, side="blue", profile={"melee": [{"name": "Claw", "reach_in": 0.5}]}),
        mini("lich", 620, 760, 270, side="blue", type="warcaster", profile={"control_stat": 7}),
        mini("guard", 300, 640, 270, side="blue", profile={"melee": axe}),
    )
    return table(
        *red,
        *blue,
        units=[{"id": "pikes", "commander": "pike1"}],
        terrain=[box("bog", "rough", 330, 440, 480, 500), box("wall", "wall", 540, 640, 700, 650, height_mm=20)],
        objectives=[{"id": "flag", "kind": "flag", "at_mm": [440, 600]}],
        scenario={"name": "close-quarters"},
        turn={"round": 3, "active": "red", "phase": "activation"},
    )  # fmt: skip


def told() -> str:
    game = Game(_set_up())
    _cavalry(game)
    _pikes(game)
    _warjack(game)
    _mortar(game)
    _caster(game)
    _end(game)
    return game.told()


def _cavalry(game: Game) -> None:
    game.says("1. The rider charges the guard.")
    game.asks("charge", attacker="rider", target="guard", step="declare")
    charge = game.asks("charge", attacker="rider", target="guard", heading_deg=90)
    game.asks("charge", attacker="rider", target="guard", heading_deg=90, step="attack")
    game.follows(charge.value["poses"])
    game.asks("engaged", attacker="rider", target="guard")
    game.loses("guard")


def _pikes(game: Game) -> None:
    game.says("2. The pikes go through the bog; one runs to the flag.")
    game.asks("formation", unit="pikes")
    first = game.asks("move", mover="pike1", heading_deg=90, distance_in=6)
    game.follows(first.value["poses"])
    second = game.asks("move", mover="pike2", path_mm=[(460, 380), (500, 400), (500, 585)], manner="run")
    game.follows(second.value["poses"])


def _warjack(game: Game) -> None:
    game.says("3. The warjack slams the brute into the wall.")
    slam = game.asks("slam", attacker="jack", target="brute", dice={"slam": 5})
    slammed: Any = slam.value["slammed"]
    game.follows({"jack": {"at_mm": (slam.witness[0].points_mm or ((0.0, 0.0),))[-1]}} | slammed["poses"])


def _mortar(game: Game) -> None:
    game.says("4. The gun shoots at the thralls and misses.")
    game.asks("range", attacker="gun", target="thrall2", weapon="Mortar")
    landed = game.asks("deviation", origin="gun", target="thrall2", range_in=16, diameter_in=3,
                       dice={"direction": 4, "distance": 1})  # fmt: skip
    game.asks("template-hits", at=tuple(landed.value["point_mm"]), diameter_in=3)  # type: ignore[arg-type]


def _caster(game: Game) -> None:
    game.says("5. The warcaster channels through the warjack.")
    game.asks("control-area", caster="caster", target="jack", purpose="allocate")
    game.asks("channel", caster="caster", channeler="jack", target="lich", range_in=10)


def _end(game: Game) -> None:
    game.says("6. The thralls are gone; who holds the flag, and what does it score?")
    game.loses("thrall1", "thrall2")
    touch = game.asks("move", mover="pike1", path_mm=[(420, 532.4), (405, 595)])
    game.follows(touch.value["poses"])
    game.asks("objective-control", objective="flag")
    game.asks("score")


def test_the_turn_is_judged_as_it_was_told() -> None:
    assert told() == STORY.read_text()


if __name__ == "__main__":
    print(told(), end="")
