"""Ability effects: which questions a word on a card changes in each book, and by which sentence.

    python -m benchmarks.rules.ability_effects [--tables 12] [--write]

Random tables are asked every question with and without each word, on who acts, on its target and on who stands by. The
differences stand in docs/editions/abilities.md with the table they were seen on; a test asks each of them again.
"""

import argparse
import math
import random
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from models.errors import TablesideError
from models.parsing import parse_query
from models.state import TableState
from models.verdict import Reason, Verdict
from models.vocabulary import EditionId
from referee import ask

PAGE = Path(__file__).parents[2] / "docs/editions/abilities.md"
BOOKS: tuple[EditionId, ...] = ("warmachine-prime", "hordes-mk2", "warmachine-mk1", "warhammer-9")
_SHARED = "stealth incorporeal arc-node jack-marshal combined-melee-attack combined-ranged-attack cavalry"
_TERRORS = "commander ride-by terror abomination fearless"
# The words that each book has rules for; it leaves all others out of a card.
_ABILITIES: dict[EditionId, str] = {
        "warmachine-prime": f"{_SHARED} eyeless-sight flight pathfinder amphibious officer "
        "battlegroup-commander gunfighter assault parry massive advance-deployment ambush",
        "hordes-mk2": f"{_SHARED} {_TERRORS} eyeless-sight pathfinder officer battlegroup-commander standard-bearer "
        "gunfighter light-cavalry advance-deployment construct",
        "warmachine-mk1": f"{_SHARED} {_TERRORS} assault",
        "warhammer-9": "ethereal fly hover strider aquatic scouts vanguard ambushers construct stubborn expendable "
        "immunity-psychology unbreakable towering sentient mixed-unit skirmishers fast-cavalry swiftstride barding "
        "random-movement frenzy stupidity impact-hits stomp breath-weapon terror",
}  # fmt: skip
WORDS = {book: tuple(abilities.split()) for book, abilities in _ABILITIES.items()}
CARRIERS = ("a", "b", "c")
Effects = dict[tuple[EditionId, str, str], tuple[int, Reason]]
_SIDE_MM = 900.0
_HEAD = """\
# What abilities change

<!-- Written by benchmarks/rules/ability_effects.py; run it with --write after changing what a word on a card does. -->

Random tables, each asked every question with and without a word on the card of who acts, of its target or of who
stands by. A row is a question whose verdict the word changed, and the first sentence that tells why; where it cites no
other, the one it answers by. A question without a row was not changed on any of the tables.
"""
_PAIR = {"attacker": "a", "target": "b"}
_ROUND_KINDS: tuple[dict[str, Any], ...] = (
    {"kind": "move", "mover": "a", "heading_deg": "@", "distance_in": 6},
    {"kind": "move", "mover": "a", "heading_deg": "@", "distance_in": 5, "manner": "light-cavalry"},
    {"kind": "move", "mover": "a", "heading_deg": "@", "distance_in": 5, "manner": "ride-by"},
    {"kind": "cross-obstacle", "mover": "a", "feature": "t0", "heading_deg": "@", "distance_in": 12},
    {"kind": "hazard", "mover": "a", "path_mm": "@path"},
    {"kind": "enters-area", "mover": "a", "area": "t1", "path_mm": "@path"},
    {"kind": "water", "who": "a"},
    {"kind": "placement", "mover": "a", "to": {"at_mm": [450, 450]}},
    {"kind": "charge", **_PAIR, "step": "declare"}, {"kind": "charge", **_PAIR, "step": "outcome"},
    {"kind": "slam", **_PAIR, "dice": {"slam": 4}}, {"kind": "push", **_PAIR, "distance_in": 3},
    {"kind": "throw", **_PAIR, "hit": True, "dice": {"direction": 2, "distance": 2}},
    {"kind": "trample", "attacker": "a", "heading_deg": "@"}, {"kind": "impact-attacks", **_PAIR},
    {"kind": "power-attack", **_PAIR, "attack": "slam"}, {"kind": "assault", **_PAIR},
    {"kind": "threat-range", "attacker": "a"}, {"kind": "frenzy", "who": "a"},
    {"kind": "los", "viewer": "a", "target": "b"}, {"kind": "los", "viewer": "a", "target": "b", "purpose": "charge"},
    {"kind": "intervening", "viewer": "a", "target": "b", "blocker": "c"}, {"kind": "screening", **_PAIR},
    {"kind": "target-legal", **_PAIR, "attack": "ranged"},
    {"kind": "spell-target", "caster": "a", "target": "b", "spell": "Bolt"},
    {"kind": "stealth", **_PAIR}, {"kind": "may-shoot", "attacker": "a"}, {"kind": "aim", "who": "a"},
    {"kind": "cover", **_PAIR}, {"kind": "attack-modifiers", **_PAIR, "attack": "ranged"},
    {"kind": "combined-ranged", "participants": ["a", "d"], "primary": "a", "target": "b"},
    {"kind": "combined-melee", "participants": ["a", "d"], "primary": "a", "target": "b"},
    {"kind": "melee-range", **_PAIR}, {"kind": "engaged", **_PAIR}, {"kind": "in-melee", "who": "a"},
    {"kind": "in-melee-group", **_PAIR}, {"kind": "free-strike", "mover": "a", "path_mm": "@path"},
    {"kind": "back-strike", **_PAIR}, {"kind": "sweep", "attacker": "a", "location": "left"},
    {"kind": "formation", "unit": "u"}, {"kind": "command-range", "commander": "a", "who": "d"},
    {"kind": "control-area", "caster": "a", "target": "c"}, {"kind": "take-control", "caster": "a", "target": "c"},
    {"kind": "channel", "caster": "a", "channeler": "c", "target": "b", "range_in": 10},
    {"kind": "promotion", "who": "a"}, {"kind": "morale-check", "cause": "terror", "source": "b"},
    {"kind": "flee", "mover": "a"}, {"kind": "rally", "who": "a"}, {"kind": "may-move", "mover": "a"},
    {"kind": "deployment", "who": "a", "to": {"at_mm": [450, 300]}},
    {"kind": "reinforcements", "who": "a", "edge": "edge:left", "to": {"at_mm": [40, 450]}},
)  # fmt: skip
_RANKED_KINDS: tuple[dict[str, Any], ...] = (
    {"kind": "move", "mover": "a", "steps": [{"do": "forward", "by_in": 3}]},
    {"kind": "move", "mover": "a", "steps": [{"do": "forward", "by_in": 7}], "manner": "march"},
    {"kind": "move", "mover": "a", "steps": [{"do": "forward", "by_in": 9}], "manner": "fly"},
    {"kind": "move", "mover": "a", "steps": [{"do": "forward", "by_in": 9}], "manner": "vanguard"},
    {"kind": "march", "mover": "a"}, {"kind": "may-move", "mover": "a"}, {"kind": "reform", "unit": "a", "files": 3},
    {"kind": "charge", **_PAIR}, {"kind": "charge-chance", **_PAIR}, {"kind": "stand-and-shoot", **_PAIR},
    {"kind": "flee", "mover": "a", "threats": ["b"], "dice": {"flee": 7}}, {"kind": "frenzy", "who": "a"},
    {"kind": "pursuit", "winner": "a", "loser": "b"}, {"kind": "random-move", "mover": "a", "heading_deg": "@"},
    {"kind": "hazard", "mover": "a", "steps": [{"do": "forward", "by_in": 7}], "manner": "march"},
    {"kind": "los", "viewer": "a", "target": "b"}, {"kind": "cover", **_PAIR}, {"kind": "shooters", **_PAIR},
    {"kind": "may-shoot", "attacker": "a"}, {"kind": "attack-modifiers", **_PAIR, "attack": "ranged"},
    {"kind": "ranked-formation", "unit": "a"}, {"kind": "combat-contacts"}, {"kind": "unit-strength", "unit": "a"},
    {"kind": "combat-bonuses", "a": ["a"], "b": ["b"]}, {"kind": "steadfast", "unit": "a"},
    {"kind": "impact-attacks", **_PAIR}, {"kind": "morale-check", "cause": "terror", "source": "b"},
    {"kind": "command-range", "commander": "c", "who": "a"},
    {"kind": "join-unit", "who": "d", "unit": "a", "manner": "join"},
    {"kind": "deployment", "who": "a", "manner": "scout"}, {"kind": "reinforcements", "who": "a", "edge": "edge:left"},
    {"kind": "spray-hits", "attacker": "a", "target": "b"}, {"kind": "one-inch-rule", "mover": "a"},
    {"kind": "look-out-sir", "who": "d", "cause": "shot"}, {"kind": "rally", "who": "a"},
)  # fmt: skip


def draw_table(book: EditionId, seed: int, carrier: str, word: str | None) -> TableState:
    """A crowded table of that book, the word on the card of the carrier; the same for each word."""
    r = random.Random(f"{book} {seed}")
    drawn = _draw_ranked(r) if book == "warhammer-9" else _draw_round(r, book)
    for thing in [
        *drawn["miniatures"],
        *(u["block"] | {"id": u["id"]} for u in drawn.get("units", ()) if "block" in u),
    ]:
        if thing["id"] == carrier and word is not None:
            thing["profile"]["abilities"] = [word]
    size = {"width_mm": _SIDE_MM, "depth_mm": _SIDE_MM}
    return TableState.model_validate({"version": 1, "edition": book, "table": size, **drawn})


def _draw_round(r: random.Random, book: str) -> dict[str, Any]:
    """Four round bases about the middle: red a and d of one unit, blue b, and c of either side between them."""
    angle, far = r.uniform(0, 360), r.choice((40.0, 70.0, 130.0, 220.0))
    x, y = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    places = {"a": (450.0, 450.0), "b": (450 + x * (far + 40), 450 + y * (far + 40)),
              "c": (450 + x * far / 2 + y * r.uniform(-60, 60), 450 + y * far / 2 - x * r.uniform(-60, 60)),
              "d": (450 - 60 * y, 450 + 60 * x)}  # fmt: skip
    kind = r.choice(("warbeast" if book == "hordes-mk2" else "warjack", "solo", "trooper"))
    card = {"spd_in": 6, "strength": 9, "cmd_in": 8, "control_stat": 6, "defence": 12,
            "melee": [{"name": "Fist", "reach_in": r.choice((0.5, 2)), "rules": ["open-fist"]}] * r.choice((0, 1, 1)),
            "ranged": [{"name": "Gun", "rng_in": 12}],
            "spells": [{"name": "Bolt", "rng_in": 10, "offensive": True}]}  # fmt: skip
    charged = r.random() < 0.3
    minis = [
        {
            "id": id_, "side": "blue" if id_ == "b" or (id_ == "c" and r.random() < 0.5) else "red", "type": kind,
            "base": {"shape": "round", "diameter_mm": r.choice((30, 40, 50))}, "at_mm": at, "profile": {**card},
            "facing_deg": (angle + (180 if id_ == "b" else 0) + r.uniform(-40, 40)) % 360,
            **({"unit": "u"} if id_ in "ad" else {}),
            **({"this_turn": {"moved": ["charge"], "charged": "b"}} if charged and id_ == "a" else {}),
        }
        for id_, at in places.items()
    ]  # fmt: skip
    terrain = [_piece(r, k, ("forest", "wall", "shallow-water", "rough", "obstruction", "obstacle", "trench"), places)
               for k in range(2)]  # fmt: skip
    return {"miniatures": minis, "units": [{"id": "u", "side": "red", "commander": "d"}], "terrain": terrain,
            "turn": {"round": 1, "active": "red", "phase": "activation", "activating": "a"},
            "sides": [{"id": "red", "edge": "near", "first": True}, {"id": "blue", "edge": "far"}],
            "house_rules": {} if book == "warmachine-prime" else {"measure-policy": "allow"}}  # fmt: skip


def _draw_ranked(r: random.Random) -> dict[str, Any]:
    """Red regiments a and c, blue b before a, and a character d beside it."""
    far, shape = r.choice((0.0, 60.0, 150.0)), {"shape": "rect", "width_mm": 20, "depth_mm": 20}
    card = {"spd_in": 4, "bs": 4, "ld": 7, "wounds": 1, "ranged": [{"name": "bow", "rng_in": 24}]}
    kind = r.choice(("infantry", "infantry", "cavalry"))
    at = {"a": (450.0, 300.0, 90.0), "b": (450 + r.uniform(-30, 30), 300 + far, 270.0), "c": (650.0, 280.0, 90.0)}
    units = [
        {"id": id_, "side": "blue" if id_ == "b" else "red", "formation": "ranked",
         "block": {"front_mm": [x, y], "facing_deg": turn, "files": 5, "count": r.choice((10, 15)), "base": shape,
                   "type": kind, "profile": {**card}}}
        for id_, (x, y, turn) in at.items()
    ]  # fmt: skip
    lone = {"id": "d", "side": "red", "type": "infantry", "base": shape, "at_mm": [390, 290], "facing_deg": 90,
            "role": ["character"], "profile": {**card}}  # fmt: skip
    spots = {id_: (x, y) for id_, (x, y, _) in at.items()}
    terrain = [_piece(r, k, ("forest", "river", "wall", "impassable", "marsh", "scree"), spots) for k in range(2)]
    return {"miniatures": [lone], "units": units, "terrain": terrain,
            "turn": {"round": 1, "active": "red", "phase": r.choice(("movement", "shooting"))},
            "sides": [{"id": "red", "edge": "near", "first": True}, {"id": "blue", "edge": "far"}]}  # fmt: skip


def _piece(r: random.Random, k: int, kinds: tuple[str, ...], places: dict[str, tuple[float, float]]) -> dict[str, Any]:
    """A piece of terrain about one of these places."""
    (x, y), w, h = r.choice(list(places.values())), r.uniform(15, 120), r.uniform(15, 120)
    x, y = x + r.uniform(-70, 70) - w / 2, y + r.uniform(-70, 70) - h / 2
    return {"id": f"t{k}", "kind": r.choice(kinds), "height_mm": r.choice((20, 40)),
            "polygon_mm": [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]}  # fmt: skip


def questions_of(book: EditionId, state: TableState) -> Iterator[dict[str, Any]]:
    """The questions, headings and paths filled in: a looks at b, and goes that way."""
    if book == "warhammer-9":
        yield from ({**q, **({"heading_deg": 90.0} if q.get("heading_deg") == "@" else {})} for q in _RANKED_KINDS)
        return
    (ax, ay), (bx, by) = state.miniatures[0].at_mm, state.miniatures[1].at_mm
    heading = math.degrees(math.atan2(by - ay, bx - ax)) + 35
    end = [ax + 150 * math.cos(math.radians(heading)), ay + 150 * math.sin(math.radians(heading))]
    fills = {"heading_deg": heading, "path_mm": [[ax, ay], end]}
    for q in _ROUND_KINDS:
        yield q | {field: fill for field, fill in fills.items() if str(q.get(field, "")).startswith("@")}


def verdict_on(state: TableState, query: dict[str, Any]) -> Verdict | None:
    """The verdict; None where this table or this book has no such question."""
    try:
        return ask(state, parse_query(query))
    except TablesideError:
        return None


def effects_on(
    book: EditionId, seed: int, words: Sequence[str] | None = None, kinds: Collection[str] | None = None
) -> Iterator[tuple[str, str, Reason]]:
    """Each word and kind of question whose verdict it changes on one table, with the sentence for it."""
    carrier = CARRIERS[seed % len(CARRIERS)]
    bare = draw_table(book, seed, carrier, None)
    wanted = (query for query in questions_of(book, bare) if kinds is None or query["kind"] in kinds)
    plain = [(query, verdict_on(bare, query)) for query in wanted]
    known = [(query, verdict) for query, verdict in plain if verdict is not None and verdict.status != "refused"]
    for word in WORDS[book] if words is None else words:
        state = draw_table(book, seed, carrier, word)
        for query, without in known:
            having = verdict_on(state, query)
            if having is not None and without is not None and _response(having) != _response(without):
                before = {reason.says for reason in without.because}
                new = [reason for reason in having.because if reason.says not in before]
                yield word, query["kind"], (new or [*having.because])[0]


def _response(verdict: Verdict) -> object:
    """All that a player reads of a verdict but the words for it."""
    members = [(member.id, member.answer, member.margin_mm) for member in verdict.members]
    return verdict.status, verdict.answer, verdict.margin_mm, verdict.margin_deg, verdict.value, members


def find_effects(tables: int) -> Effects:
    """By book, word and kind of question the first table that shows it, and the first sentence there."""
    found: Effects = {}
    for book in BOOKS:
        for seed in range(tables // 2 if book == "warmachine-mk1" else tables):  # slower: its lines start in the middle
            for word, kind, reason in effects_on(book, seed):
                found.setdefault((book, word, kind), (seed, reason))
    return found


def page(found: Effects) -> str:
    """The page of docs/ with a table a book."""
    lines = [_HEAD]
    for book in BOOKS:
        lines += [f"\n## {book}\n", "| ability | question | sentence | where | table |", "|---|---|---|---|---|"]
        for (of, word, kind), (seed, reason) in sorted(found.items(), key=lambda row: row[0]):
            if of == book:
                place = reason.source.section + ("" if reason.source.page is None else f", p. {reason.source.page}")
                lines.append(f"| `{word}` | `{kind}` | {reason.says} | {place} | {seed} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print how many pairs were found a book, or write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    found = find_effects(options.tables)
    print({book: sum(of == book for of, _, _ in found) for book in BOOKS})
    if options.write:
        PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
