"""Scenes of abilities: small tables worked by hand, each asked with and without one word on a card."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Thing = dict[str, Any]
Words = tuple[str, ...]
INCH = 25.4
PRIME, HORDES, FIRST, WARHAMMER = BOOKS = ("warmachine-prime", "hordes-mk2", "warmachine-mk1", "warhammer-9")


@dataclass(frozen=True)
class Scene:
    """A question on one table, and what it says of `part` (a field, a key of the value, or members) by the card."""

    book: str
    word: str
    query: Thing
    part: str
    without: object
    having: object
    things: Callable[[Words], list[Thing]]
    more: Thing

    @property
    def id(self) -> str:
        return f"{self.book}-{self.word}-{self.query['kind']}"

    def state(self, words: Words) -> Thing:
        """The table, the card with these words; units are told from miniatures by what they lack."""
        things = self.things(words)
        size = {"width_mm": 1828.8, "depth_mm": 1219.2}
        state: Thing = {"version": 1, "edition": self.book, "table": size, "turn": {"round": 2, "active": "red"}}
        state |= {"miniatures": [t for t in things if "base" in t], "units": [t for t in things if "base" not in t]}
        return state | ({"house_rules": {"measure-policy": "allow"}} if self.book in BOOKS[1:3] else {}) | self.more


def box(id_: str, kind: str, x0: float, y0: float, x1: float, y1: float, **more: object) -> Thing:
    return {"id": id_, "kind": kind, "polygon_mm": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], **more}


def mini(id_: str, x: float, words: Words = (), *, y: float = 500, size: float = 30, **more: Any) -> Thing:
    """A round base, red looks to +x and blue, which are b, e and f, to -x; `card` adds to its profile."""
    card = {"spd_in": 6, "strength": 9, "cmd_in": 8, "control_stat": 6, "abilities": [*words], **more.pop("card", {})}
    blue = id_ in ("b", "e", "f")
    return {"id": id_, "side": "blue" if blue else "red", "type": "trooper", "at_mm": [x, y], "profile": card,
            "base": {"shape": "round", "diameter_mm": size}, "facing_deg": 180 if blue else 0} | more  # fmt: skip


def block(id_: str, y: float, words: Words = (), **more: Any) -> Thing:
    """Ten infantry in two ranks, red looks to +y and blue, which is E, to -y; `card` adds to its profile."""
    card = {"spd_in": 4, "ld": 7, "abilities": [*words], **more.pop("card", {})}
    unit = {name: more.pop(name) for name in ("this_turn",) if name in more}
    rank: Thing = {"front_mm": [more.pop("x", 600), y], "facing_deg": 270 if id_ == "E" else 90, "files": 5,
                   "count": 10, "type": "infantry", "profile": card,
                   "base": {"shape": "rect", "width_mm": 20, "depth_mm": 20}}  # fmt: skip
    return {"id": id_, "side": "blue" if id_ == "E" else "red", "formation": "ranked", "block": rank | more} | unit


def lone(id_: str, x: float, y: float, words: Words = (), **more: Any) -> Thing:
    """A miniature on a square base of 20 mm, which is a unit of its own."""
    card = {"spd_in": 4, "ld": 9, "abilities": [*words], **more.pop("card", {})}
    wide, deep = more.pop("size", (20, 20))
    return {"id": id_, "side": "blue" if id_ == "E" else "red", "type": "infantry", "at_mm": [x, y],
            "base": {"shape": "rect", "width_mm": wide, "depth_mm": deep}, "profile": card,
            "facing_deg": 270 if id_ == "E" else 90} | more  # fmt: skip


FIST = {"melee": [{"name": "Fist", "reach_in": 0.5, "rules": ["open-fist"]}]}
LANCE = {"melee": [{"name": "Lance", "reach_in": 2}]}
RIDER = {"melee": [{"name": "Mount", "reach_in": 0.5, "rules": ["mount"]}, *LANCE["melee"]]}
GUN = {"ranged": [{"name": "Gun", "rng_in": 12}]}
BOW = {"bs": 3, "ranged": [{"name": "bow", "rng_in": 24}]}
DECLARED = {"turn": {"round": 2, "active": "red", "activating": "a",
                     "declared": {"what": "charge", "by": "a", "target": "b"}}}  # fmt: skip
JACK: Thing = {"type": "warjack", "size": 50, "card": FIST}
HORSE: Thing = {"type": "cavalry", "count": 5, "base": {"shape": "rect", "width_mm": 25, "depth_mm": 50}}
UNIT = {"id": "u", "side": "red", "commander": "a"}
ALONE = {"id": "u", "side": "red"}
AHEAD, ASIDE = [[300, 500], [420, 500]], [[300, 500], [300, 600]]
PAIR = {"attacker": "a", "target": "b"}
AT = {"attacker": "A", "target": "E"}
ROUGH, WATER = (box("o", kind, 320, 450, 470, 550) for kind in ("rough", "shallow-water"))
LOW, TALL = (
    box("o", kind, 360, 450, 380, 550, height_mm=high) for kind, high in (("obstacle", 20), ("obstruction", 60))
)
RIVER, WOOD, MARSH = (box("o", kind, 400, 320, 800, 360) for kind in ("river", "forest", "marsh"))
FIRST_TURN = {"turn": {"round": 1, "active": "red", "phase": "charge"},
              "sides": [{"id": "red", "edge": "near", "first": True}, {"id": "blue", "edge": "far"}],
              "zones": [{"id": "z", "kind": "deployment", "side": "red",
                         "polygon_mm": [[0, 0], [1800, 0], [1800, 300], [0, 300]]}]}  # fmt: skip


def _round(
    books: Words, word: str, kind: str, part: str, change: tuple[object, object],
    things: Callable[[Words], list[Thing]], more: Thing | None = None, **fields: object,
) -> Iterator[Scene]:  # fmt: skip
    """The same scene in each of these books."""
    yield from (Scene(book, word, {"kind": kind, **fields}, part, *change, things, more or {}) for book in books)


def _on(*terrain: Thing, **more: object) -> Thing:
    return {"terrain": [*terrain], **more}


PH, PHM, YES, NO, SAME = BOOKS[:2], BOOKS[:3], ("no", "yes"), ("yes", "no"), ("no", "no")


def _warmachine() -> Iterator[Scene]:
    def beside(words: Words) -> list[Thing]:
        return [mini("a", 300), mini("b", 340, words, card=FIST)]

    def between(words: Words) -> list[Thing]:
        return [mini("a", 300), mini("c", 500, words), mini("b", 700)]

    def goes(words: Words) -> list[Thing]:
        return [mini("a", 300, words, card=FIST), mini("b", 900)]

    def rushes(words: Words) -> list[Thing]:
        return [mini("a", 300, words, card=FIST), mini("b", 480)]

    def drives(words: Words) -> list[Thing]:
        return [mini("a", 300, words, **JACK), mini("b", 470)]

    def shoves(words: Words) -> list[Thing]:
        return [mini("a", 300, **JACK), mini("b", 340, words)]

    def looks(words: Words) -> list[Thing]:
        return [mini("a", 300, words), mini("b", 700)]

    def flies(words: Words) -> list[Thing]:
        return [mini("a", 300, words), mini("c", 500), mini("b", 700)]

    def rides(words: Words) -> list[Thing]:
        return [mini("a", 300, words, size=50, card=RIDER), mini("e", 467), mini("b", 518)]

    def looks_past(words: Words) -> list[Thing]:
        return [mini("a", 300, words, size=50), mini("c", 600, size=40), mini("b", 700)]

    def shoots(words: Words) -> list[Thing]:
        return [mini("a", 300, words, card=GUN), mini("b", 340)]

    view = {"viewer": "a", "target": "b"}
    move, rush = {"mover": "a", "path_mm": AHEAD}, {**PAIR, "heading_deg": 0}
    yield from _round(PHM, "stealth", "stealth", "answer", YES,
                      lambda w: [mini("a", 300), mini("b", 460, w)], **PAIR)  # fmt: skip
    yield from _round(PH, "stealth", "los", "answer", YES, between, **view)
    yield from _round(PHM, "incorporeal", "los", "answer", YES, between, **view)
    for terrain in (ROUGH, TALL):
        path = {"mover": "a", "path_mm": [[300, 500], [440, 500]]}
        yield from _round(PHM, "incorporeal", "move", "answer", YES, goes, _on(terrain), **path)
    yield from _round(PHM, "incorporeal", "move", "answer", SAME, goes, _on({**TALL, "kind": "impassable"}), **move)
    yield from _round(BOOKS[:1], "incorporeal", "push", "travelled_mm", (INCH, 0.0), shoves, **PAIR, distance_in=1)
    yield from _round(BOOKS[1:3], "incorporeal", "push", "travelled_mm", (INCH, INCH), shoves, **PAIR, distance_in=1)
    yield from _round(BOOKS[:1], "incorporeal", "free-strike", "answer", NO, beside, mover="a", path_mm=ASIDE)
    yield from _round(BOOKS[1:3], "incorporeal", "free-strike", "answer", ("yes", "yes"), beside, mover="a",
                      path_mm=ASIDE)  # fmt: skip
    yield from _round(PH, "pathfinder", "move", "answer", YES, goes, _on(ROUGH), mover="a",
                      path_mm=[[300, 500], [440, 500]])  # fmt: skip
    yield from _round(PH, "pathfinder", "move", "answer", SAME, goes, _on(TALL), **move)
    yield from _round(PH, "pathfinder", "charge", "answer", YES, rushes, _on(LOW, **DECLARED), **rush)
    yield from _round(PH, "pathfinder", "trample", "members", ([], ["b"]), drives, _on(LOW), attacker="a",
                      heading_deg=0, distance_in=9)  # fmt: skip
    yield from _round(BOOKS[:1], "flight", "hazard", "answer", NO, goes, _on({**ROUGH, "kind": "acid-bath"}), **move)
    for purpose, change in (("charge", YES), ("shot", SAME)):
        yield from _round(BOOKS[:1], "flight", "los", "answer", change, flies, **view, purpose=purpose)
    yield from _round(BOOKS[:1], "amphibious", "move", "answer", YES, goes, _on(WATER), mover="a",
                      path_mm=[[300, 500], [440, 500]])  # fmt: skip
    yield from _round(BOOKS[:1], "amphibious", "cover", "answer", YES,
                      lambda w: [mini("a", 300), mini("b", 400, w)], _on(WATER), **PAIR)  # fmt: skip
    cloud = {"effects": [{"id": "cl", "kind": "cloud", "centre_mm": [500, 500], "diameter_mm": 127}]}
    yield from _round(PH, "eyeless-sight", "los", "answer", YES, looks, cloud, **view)
    wood = _on(box("f", "forest", 450, 400, 550, 600))
    yield from _round(BOOKS[:1], "eyeless-sight", "los", "answer", SAME, looks, wood, **view)
    yield from _round(BOOKS[1:2], "eyeless-sight", "los", "answer", YES, looks, wood, **view)
    for kind, change in (("hedge", NO), ("wall", ("yes", "yes"))):
        edge = _on(box("f", kind, 668, 400, 676, 600, height_mm=20))
        yield from _round(PH, "eyeless-sight", "cover", "answer", change, looks, edge, **PAIR)
    yield from _round(PH, "gunfighter", "engaged", "answer", YES, shoots, **PAIR)
    yield from _round(PH, "gunfighter", "may-shoot", "answer", YES,
                      lambda w: [mini("a", 300, w, card=GUN), mini("b", 340, card=FIST)], **PAIR)  # fmt: skip
    yield from _round(BOOKS[:1], "parry", "free-strike", "answer", NO,
                      lambda w: [mini("a", 300, w), mini("b", 340, card=FIST)], mover="a", path_mm=ASIDE)  # fmt: skip
    yield from _round(BOOKS[:1], "massive", "push", "travelled_mm", (INCH, 0.0), shoves, **PAIR, distance_in=1)
    yield from _round(PHM, "cavalry", "impact-attacks", "members", ([], ["e"]), rides, **rush)
    yield from _round(BOOKS[1:2], "light-cavalry", "impact-attacks", "members", (["e"], []),
                      lambda w: rides((*w, "cavalry")), **rush)  # fmt: skip
    yield from _round(BOOKS[::2], "assault", "assault", "answer", YES,
                      lambda w: [mini("a", 400, w, card=FIST | GUN, this_turn={"moved": ["charge"], "charged": "b"}),
                                 mini("b", 440)], **PAIR)  # fmt: skip
    for word in ("cavalry", "light-cavalry"):
        yield from _round(BOOKS[1:2], word, "los", "answer", YES, looks_past, **view, purpose="charge")
        yield from _round(BOOKS[1:2], word, "los", "answer", SAME, looks_past, **view, purpose="shot")
    yield from _round(PHM, "arc-node", "channel", "answer", YES,
                      lambda w: [mini("a", 300, type="warcaster"), mini("c", 400, w, type="warjack", controller="a"),
                                 mini("b", 500)], caster="a", channeler="c", target="b", range_in=8)  # fmt: skip
    for word, kind, card in (("combined-melee-attack", "combined-melee", LANCE),
                             ("combined-ranged-attack", "combined-ranged", GUN)):  # fmt: skip
        both = {"unit": "u", "card": card}
        yield from _round(PHM, word, kind, "bonus", (0, 2),
                          lambda w, both=both: [mini("a", 300, w, **both), mini("c", 300, w, y=535, **both),  # type: ignore[misc]
                                                mini("b", 360), UNIT], participants=["a", "c"], primary="a",
                          target="b")  # fmt: skip
    yield from _round(PH, "officer", "formation", "members", (["a", "c"], ["a", "c", "d"]),
                      lambda w: [mini("a", 300, unit="u"), mini("c", 450, w, unit="u"), mini("d", 650, unit="u"), UNIT],
                      unit="u")  # fmt: skip
    yield from _round(BOOKS[1:2], "standard-bearer", "promotion", "members", ([], ["c"]),
                      lambda w: [mini("a", 300, w, unit="u"), mini("c", 330, unit="u"), ALONE],
                      who="a")  # fmt: skip
    yield from _round(BOOKS[1:2], "officer", "promotion", "members", (["c"], []),
                      lambda w: [mini("a", 300, ("standard-bearer",), unit="u"), mini("c", 330, w, unit="u"),
                                 ALONE], who="a")  # fmt: skip
    for word in ("fearless", "construct"):
        yield from _round(BOOKS[1:3] if word == "fearless" else BOOKS[1:2], word, "morale-check", "members",
                          (["a"], []), lambda w: [mini("a", 300, w, unit="u"), mini("b", 340, ("terror",), card=FIST),
                                                  UNIT], cause="terror", source="b")  # fmt: skip
    yield from _round(PH, "advance-deployment", "deployment", "answer", YES,
                      lambda w: [mini("a", 600, w, y=315), mini("b", 800)], who="a",
                      to={"at_mm": [600, 310]})  # fmt: skip


def _warhammer() -> Iterator[Scene]:
    def scene(word: str, kind: str, part: str, change: tuple[object, object], *things: Callable[[Words], Thing],
              more: Thing | None = None, **fields: object) -> Scene:  # fmt: skip
        query = {"kind": kind, **fields}
        return Scene(WARHAMMER, word, query, part, *change, lambda words: [make(words) for make in things], more or {})

    def own(w: Words) -> Thing:
        return block("A", 300, w)

    def riders(w: Words) -> Thing:
        return block("A", 300, w, card={"spd_in": 8}, **HORSE)

    def deep(w: Words) -> Thing:
        return block("A", 300, w, count=15)

    def archers(_: Words) -> Thing:
        return block("A", 300, card=BOW)

    def far(_: Words) -> Thing:
        return block("E", 1000)

    def foe(w: Words) -> Thing:
        return block("E", 600, w)

    def fought(_: Words) -> Thing:
        return block("E", 300)

    def friend(_: Words) -> Thing:
        return block("B", 300, x=750)

    def hero(_: Words) -> Thing:
        return lone("c", 540, 290, role=["character"])

    def rider(_: Words) -> Thing:
        return lone("c", 537.5, 275, role=["character"], type="cavalry", size=(25, 50))

    def general(w: Words, x: float = 700) -> Thing:
        return lone("g", x, 290, w, role=["general", "character"])

    def dogs(w: Words) -> Thing:
        return block("A", 300, w, type="war-beast")

    forward = {n: [{"do": "forward", "by_in": n}] for n in (3, 4, 8, 9, 10, 15)}
    march = {"mover": "A", "manner": "march", "steps": forward[8]}
    yield scene("aquatic", "move", "answer", YES, own, far, more=_on(RIVER), **march)
    yield scene("aquatic", "steadfast", "answer", YES, deep, fought, more=_on({**RIVER, "polygon_mm": WET}), unit="A")
    yield scene("aquatic", "attack-modifiers", "total", (0, -1), archers, foe,
                more=_on(box("o", "river", 400, 590, 800, 700)), **AT, attack="ranged")  # fmt: skip
    yield scene("aquatic", "hazard", "tests", (10, 10), own, far, more=_on(MARSH), **march)
    yield scene("construct", "march", "answer", NO, own, far, mover="A")
    yield scene("construct", "stand-and-shoot", "answer", NO, own, lambda w: block("E", 600, w, card=BOW), **AT)
    panic = {"cause": "broken", "source": "B", "unit": "A"}
    for word in ("construct", "ethereal", "unbreakable", "immunity-psychology", "frenzy"):
        yield scene(word, "flee", "may_flee", (True, False), own, far, mover="A", cause="charge", threats=["E"])
        yield scene(word, "morale-check", "members", (["A"], []), own, friend, far, **panic)
    for word in ("construct", "ethereal", "unbreakable", "frenzy"):
        change = (["A"], ["A"] if word == "frenzy" else [])
        yield scene(word, "morale-check", "members", change, own, fought, cause="break", unit="A", lost_by=3)
    for word in ("construct", "unbreakable", "ethereal", "expendable", "mixed-unit", "fly", "hover"):
        yield scene(word, "join-unit", "answer", NO, own, hero, far, who="c", unit="A")
    yield scene("skirmishers", "join-unit", "answer", NO, own, rider, far, who="c", unit="A")
    yield scene("skirmishers", "steadfast", "answer", NO, deep, fought, unit="A")
    yield scene("expendable", "morale-check", "members", (["A"], []), lambda _: own(()),
                lambda w: block("B", 300, w, x=750), far, **panic)  # fmt: skip
    pit = _on(box("o", "impassable", 400, 330, 800, 345))
    yield scene("ethereal", "move", "answer", YES, own, far, more=pit, **march)
    for word in ("ethereal", "strider"):
        yield scene(word, "move", "answer", YES, own, far, more=_on(WOOD), mover="A", steps=forward[4])
        yield scene(word, "move", "answer", YES, own, far, more=_on(RIVER), **march)
        yield scene(word, "hazard", "tests", (5, 0), riders, far, more=_on(WOOD), mover="A", manner="march",
                    steps=forward[10])  # fmt: skip
    for word, marches in (("fly", YES), ("hover", SAME)):
        yield scene(word, "move", "answer", YES, own, far, mover="A", manner="fly", steps=forward[9])
        yield scene(word, "move", "answer", marches, own, far, mover="A", manner="fly-march", steps=forward[15])
    for word in ("fly", "hover", "swiftstride"):
        dice = ("highest-of-2d6", "2d6")
        yield scene(word, "charge-chance", "chance.dice", dice, own, lambda _: block("E", 554), **AT)
        yield scene(word, "pursuit", "chance.exact", ("721/1296", "1877/2592"), own, fought, winner="A", loser="E")
    for kind, fields in (("move", {"mover": "A", "steps": forward[3]}), ("march", {"mover": "A"}),
                         ("reform", {"unit": "A", "files": 10})):  # fmt: skip
        yield scene("random-movement", kind, "answer", NO, own, far, **fields)
    yield scene("random-movement", "charge", "answer", NO, own, lambda _: block("E", 500), **AT)
    yield scene("barding", "move", "answer", NO, riders, far, mover="A", steps=forward[8])
    yield scene("scouts", "charge", "answer", NO, lambda w: block("A", 600, w), lambda _: block("E", 700),
                more=FIRST_TURN, **AT)  # fmt: skip
    yield scene("scouts", "deployment", "answer", YES, own, far, who="A", manner="scout")
    yield scene("vanguard", "move", "answer", YES, own, far, mover="A", manner="vanguard", steps=forward[3])
    yield scene("ambushers", "reinforcements", "answer", YES, lambda w: block("A", 40, w), far,
                who="A", edge="edge:near", manner="ambush")  # fmt: skip
    yield scene("stubborn", "steadfast", "answer", YES, own, lambda _: block("E", 300, count=40), unit="A")
    lead = {"commander": "g", "who": "A", "purpose": "leadership"}
    for word in ("sentient", "mixed-unit"):
        yield scene(word, "command-range", "answer", YES, dogs, lambda _: general(()), far, **lead)
    yield scene("towering", "command-range", "answer", YES, lambda _: own(()), lambda w: general(w, 1050), far, **lead)
    yield scene("skirmishers", "attack-modifiers", "total", (0, -1), archers, foe, **AT, attack="ranged")
    yield scene("skirmishers", "combat-bonuses", "ranks.A", (2, 0), deep, fought, a=["A"], b=["E"])
    yield scene("skirmishers", "hazard", "tests", (10, 0), own, far, more=_on(MARSH), **march)
    yield scene("skirmishers", "move", "answer", YES, own, far, more=_on(WOOD), mover="A", steps=forward[4])
    yield scene("skirmishers", "ranked-formation", "answer", YES, lambda w: block("A", 300, w, files=3, count=9), far,
                unit="A")  # fmt: skip
    marched = {"this_turn": {"moved": ["march"]}}
    yield scene("skirmishers", "may-shoot", "answer", YES, lambda w: block("A", 300, w, card=BOW, **marched), far,
                attacker="A")  # fmt: skip
    for barding, change in (((), YES), (("barding",), SAME)):
        yield scene("fast-cavalry", "may-shoot", "answer", change,
                    lambda w, b=barding: block("A", 300, (*w, *b), card=BOW, **marched, **HORSE), far,  # type: ignore[misc]
                    attacker="A")  # fmt: skip
    beast = {"type": "monstrous-beast", "size": (50, 50)}
    yield scene("breath-weapon", "may-shoot", "answer", YES, lambda w: lone("A", 600, 275, w, **marched, **beast), far,
                attacker="A")  # fmt: skip
    yield scene("impact-hits", "impact-attacks", "members", ([], [f"E/0-{k}" for k in range(5)]),
                lambda w: block("A", 300, w, this_turn={"moved": ["charge"], "charged": "E"}), fought,
                attacker="A")  # fmt: skip
    yield scene("stomp", "impact-attacks", "members", ([], [f"E/0-{k}" for k in (1, 2, 3)]),
                lambda w: lone("A", 600, 275, w, **beast), fought, attacker="A", attack="stomp")  # fmt: skip
    yield scene("frenzy", "reform", "answer", NO, own, far, unit="A", files=5, manner="restrain")
    broken = {"cause": "break", "unit": "A", "lost_by": 2}
    for word, ld in (("fear", 4), ("terror", 3)):
        yield scene(word, "morale-check", "ld", (5, ld), lambda _: own(()), lambda w: block("E", 300, w), **broken)


WET = [[400, 200], [800, 200], [800, 290], [400, 290]]
SCENES = (*_warmachine(), *_warhammer())
