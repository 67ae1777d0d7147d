"""One turn of two armies of Warhammer told as a story: a march, a wheel, two charges, a flight and a pursuit.

The story is a text file that is replayed and compared line by line; every move goes where the verdict before it said.
To tell it anew after a deliberate change:
`python -m tests.referee.editions.warhammer_9.test_story > tests/referee/stories/warhammer-turn.txt`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict
from referee import ask
from tests.referee.scenarios.warhammer.field import field, unit

STORY = Path(__file__).parents[2] / "stories" / "warhammer-turn.txt"
_LEDGER = ("allowance_mm", "spent_mm", "left_mm", "distance_mm", "side", "chance", "in_contact", "aligned_by",
           "must_also", "fails", "crossed", "tests", "result", "stopped_by", "contact", "ranks", "total",
           "disrupted_by", "counts")  # fmt: skip


def _set_up() -> TableState:
    """Red's spearmen, halberdiers, knights and a column behind, against blue's three regiments and a cliff."""
    spears = {"melee": [{"name": "spear", "rules": ["spear"]}]}
    red = (
        unit("spears", (600, 300), 90, 5, 20, card=spears, standard=True),
        unit("halberds", (900, 320), 90, 6, 18),
        unit("knights", (1200, 260), 75, 5, 10, base=(25, 50), kind="cavalry", card={"spd_in": 8, "ld": 8}),
        unit("column", (300, 120), 90, 5, 25),
    )
    blue = (
        unit("orcs", (640, 470), 265, 6, 24, "blue", base=(25, 25), card={"ld": 7}),
        unit("goblins", (1230, 560), 250, 5, 20, "blue", card={"ld": 6}),
        unit("wolves", (1000, 800), 270, 5, 5, "blue", base=(25, 50), kind="cavalry", card={"spd_in": 9}),
    )
    cliff = {"id": "cliff", "kind": "impassable", "polygon_mm": [[760, 400], [800, 400], [800, 560], [760, 560]]}
    turn = {"round": 2, "active": "red", "phase": "movement"}
    return field(*red, *blue, terrain=[cliff], turn=turn, sides=[{"id": "red", "first": True}, {"id": "blue"}])


class _Game:
    """The table as it goes on, and what was said of it."""

    def __init__(self) -> None:
        self.state, self.lines = _set_up(), list[str]()

    def says(self, text: str) -> None:
        self.lines.append(f"# {text}")

    def asks(self, kind: str, **fields: Any) -> Verdict:
        verdict = ask(self.state, parse_query({"kind": kind, **fields}))
        self.lines.append(" ".join([kind, *(f"{key}={value}" for key, value in fields.items())]))
        self.lines += [f"    {line}" for line in _summary(verdict)]
        return verdict

    def follows(self, verdict: Verdict) -> None:
        """Put every miniature where the verdict says it ends."""
        poses: Any = verdict.value["poses"]
        told = [(m, poses.get(m.id)) for m in self.state.miniatures]
        moved = [m if pose is None else type(m).model_validate(m.model_dump() | pose) for m, pose in told]
        self.state = self.state.with_miniatures(tuple(moved))

    def notes(self, id_: str, **this_turn: Any) -> None:
        """What a unit has done this turn."""
        raw = self.state.model_dump(mode="json", exclude_none=True)
        for one in raw["units"]:
            one |= {"this_turn": this_turn} if one["id"] == id_ else {}
        self.state = TableState.model_validate(raw)

    def loses(self, id_: str, count: int) -> None:
        """The last so many of a unit are taken off."""
        own = [m.id for m in self.state.miniatures if m.unit == id_]
        gone = set(own[len(own) - count :])
        self.state = self.state.with_miniatures(tuple(m for m in self.state.miniatures if m.id not in gone))


def _summary(verdict: Verdict) -> Iterator[str]:
    margin = "" if verdict.margin_mm is None else f", margin {verdict.margin_mm:.1f} mm"
    yield f"{verdict.answer.value if verdict.answer else verdict.status}{margin}"
    for key in _LEDGER:
        if verdict.value.get(key) not in (None, [], {}):
            yield f"{key}: {_rounded(verdict.value[key])}"
    paths: Any = verdict.value.get("paths", {})
    for id_, legs in paths.items():
        for leg in legs:
            yield f"{id_}: {_leg(leg)}"
    poses: Any = verdict.value.get("poses", {})
    for id_ in paths:
        front, facing = poses[id_]["front_mm"], poses[id_]["facing_deg"]
        yield f"{id_} ends at {front[0]:.1f}, {front[1]:.1f} looking {facing:.1f}"


def _leg(leg: Any) -> str:
    told = f" to {leg['for']}" if "for" in leg else ""
    turned = f" by {leg['by_deg']:.1f} degrees about {_rounded(leg['about_mm'])}" if leg["do"] == "turn" else ""
    return f"{leg['do']}{turned} {leg['length_mm']:.1f} mm{told}"


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 1)
    if isinstance(value, dict):
        return {k: _rounded(v) for k, v in value.items() if k not in ("p", "with_reroll")}
    return [_rounded(v) for v in value] if isinstance(value, list | tuple) else value


def told() -> str:
    game = _Game()
    _charges(game)
    _moves(game)
    _fight(game)
    return "\n".join(game.lines) + "\n"


def _charges(game: _Game) -> None:
    game.says("1. The spearmen charge the orcs, who hold.")
    game.asks("charge-chance", attacker="spears", target="orcs")
    game.asks("charge", attacker="spears", target="orcs", step="declare")
    game.says("2. The knights charge the goblins, who flee.")
    game.asks("charge-chance", attacker="knights", target="goblins", flees=True, dice={"flee": 9})
    game.asks("charge", attacker="knights", target="goblins", step="declare")
    game.follows(game.asks("flee", mover="goblins", threats=["knights"], cause="charge", dice={"flee": 9}))
    game.asks("charge-redirect", attacker="knights")
    game.says("3. The spearmen roll 2 and 4, the knights 1, 2 and 2: too little.")
    game.follows(game.asks("charge", attacker="spears", target="orcs", dice={"charge": [2, 4]}))
    game.follows(game.asks("charge", attacker="knights", target="goblins", dice={"charge": [1, 2, 2]}))


def _moves(game: _Game) -> None:
    game.says("4. The column marches, the halberdiers wheel toward the fight.")
    game.asks("march", mover="column")
    steps = [{"do": "forward", "by_in": 5}, {"do": "wheel-right", "by_deg": 20}, {"do": "forward", "by_in": 1}]
    game.follows(game.asks("move", mover="column", manner="march", steps=steps))
    game.asks("one-inch-rule", mover="halberds", steps=[{"do": "wheel-left", "by_deg": 40}])
    game.follows(game.asks("wheel", mover="halberds", way="left", by_deg=40))


def _fight(game: _Game) -> None:
    game.says("5. Spears and orcs fight; ten orcs fall, and the rest break.")
    game.notes("spears", charged="orcs")
    game.asks("combat-contacts", among=["spears", "orcs"])
    game.loses("orcs", 10)
    game.asks("combat-bonuses", a=["spears"], b=["orcs"])
    game.asks("steadfast", unit="orcs")
    game.asks("pursuit", winner="spears", loser="orcs")
    game.follows(game.asks("pursuit", winner="spears", loser="orcs", dice={"flee": 8, "pursue": 6}))
    game.asks("distance", a="spears", b="orcs")


def test_the_turn_is_judged_as_it_was_told() -> None:
    assert told() == STORY.read_text()


if __name__ == "__main__":
    print(told(), end="")
