"""Tables on which a house rule of moves, charges, flight, fights and set-up matters, as those of
`house_rule_tables`."""

from models.state import TableState
from tests.referee.editions.warhammer_9.house_rule_tables import Quiet, Switch
from tests.referee.scenarios.warhammer.field import field, lone, unit
from tests.referee.tables import box

A = unit("A", (600, 300), 90, 5, 10)
WHEEL = {"kind": "wheel", "mover": "A", "way": "left", "by_deg": 60}
MARSH = box("marsh", "marsh", 550, 320, 590, 360)
MARCH = {"kind": "hazard", "mover": "A", "manner": "march", "steps": [{"do": "forward", "by_in": 3}]}
AHEAD = box("rock", "impassable", 600, 325.4, 700, 340)
STANDS = {"kind": "one-inch-rule", "mover": "A", "steps": [{"do": "forward", "by_in": 0}]}
# its outer corner goes round (550, 300) from (650, 300) to (550, 400), past (632, 357), and ends far from it
SWEPT = box("rock", "impassable", 635, 375, 655, 395)
TURNS = {"kind": "one-inch-rule", "mover": "A", "steps": [{"do": "wheel-left", "by_deg": 90}]}
FLEE = {"kind": "flee", "mover": "A", "threats": ["E"], "dice": {"flee": 4}}
FLED_FROM = field(A, unit("E", (760, 420), 250, 5, 10, "blue"))
DECLARE = {"kind": "charge", "attacker": "A", "target": "E", "step": "declare"}
CHARGE = {"kind": "charge", "attacker": "A", "target": "E"}
STRADDLES = field(unit("A", (752, 402), 135, 5, 10), unit("E", (600, 500), 270, 5, 10, "blue"))
# its middle is to the left of the small one, but more of it lies ahead: 48 of 100 at 11 from the edge, and 42 beside
WIDE = field(lone("A", (579, 519), 0, base=(100, 18), kind="cavalry"), lone("E", (600, 500), 90, "blue", base=(20, 20)))
ASIDE = field(A, unit("E", (605, 500), 270, 10, 10, "blue"))
TOUCH = field(unit("A", (600, 300), 90, 5, 10), unit("E", (700, 300), 270, 5, 10, "blue"))
RIDERS = {"card": {"spd_in": 7, "abilities": ["barding"]}, "base": (25, 50), "kind": "cavalry"}
COMES_ON = {"kind": "reinforcements", "who": "A", "edge": "edge:near"}
COMBAT = {"kind": "reform", "unit": "A", "manner": "combat"}
WIDENS = COMBAT | {"files": 10}
FIGHTS = field(A, unit("E", (600, 300), 270, 5, 10, "blue"))
# turned to flee, its twenty ranks reach 100 back from its middle: 3 in on, its rear is at 356, and 50.8 are pursued
LANDS = field(A, unit("L", (700, 380), 0, 2, 20, "blue"))
PURSUE = {"kind": "pursuit", "winner": "A", "loser": "L", "dice": {"flee": 3, "pursue": 2}}
# E's last rank has three of five: the outer two of A touch it by a corner, and stand before a gap
GAP = field(unit("A", (600, 340), 270, 5, 5), unit("E", (600, 300), 270, 5, 8, "blue"))
AGAIN = {"kind": "move", "mover": "A", "steps": [{"do": "forward", "by_in": 2}]}
UPHILL = {"kind": "elevation-bonus", "attacker": "A", "target": "E"}
BOTH = {"kind": "multi-charge", "attackers": ["A", "B"], "targets": ["E"]}
TWO_CHARGE = field(unit("A", (545, 300), 90, 5, 10), unit("B", (655, 300), 90, 5, 10),
                   unit("E", (600, 500), 270, 10, 10, "blue"))  # fmt: skip
STAND = {"kind": "stand-and-shoot", "attacker": "A", "target": "E"}
AHEAD_OF_ALL = unit("A", (600, 300), 90, 5, 10, card={"abilities": ["vanguard"]})
VANGUARD = {"kind": "move", "mover": "A", "manner": "vanguard", "steps": [{"do": "forward", "by_in": 5}]}


def _hill(x: float, y: float) -> TableState:
    """A reaches from 550 to 650 and from 260 to 300, and the hill from x on and up to y."""
    hill = box("hill", "hill", x, 100, 900, y, height_mm=50)
    return field(A, unit("E", (600, 300), 270, 5, 10, "blue"), terrain=[hill])


def _held() -> TableState:
    """The wall, 252 from A and 5 deep, is touched by three of E's five."""
    E = unit("E", (600, 560), 270, 5, 10, "blue")
    return field(unit("A", (600, 303), 90, 5, 10), E, terrain=[box("wall", "wall", 575, 555, 625, 560)])


def _flies(y: float) -> TableState:
    """A's front is at 300; a flyer charges by 10 in, on foot by 4."""
    return field(lone("A", (600, 275), 90, this_turn={"moved": ["fly"]}), unit("E", (600, y), 270, 5, 10, "blue"))


SWITCHES = (
    Switch("wheel-measure", "outer-centre", WHEEL, field(A)),
    Switch("wheel-measure", "chord", WHEEL, field(A)),
    Switch("wheel-double-move", "front-rank", WHEEL | {"by_deg": 90, "allowance_in": 8},
           field(unit("A", (600, 300), 90, 5, 25)), ("no", "yes")),
    Switch("reform-partner", "by-place", {"kind": "reform", "unit": "A", "facing_deg": 270}, field(A)),
    Switch("combat-reform-centre", "kept", WIDENS, FIGHTS, ("yes", "no")),
    Switch("combat-reform-centre", "any-place",
           COMBAT | {"to": {"front_mm": [610, 300], "facing_deg": 90}}, FIGHTS, ("no", "yes")),
    Switch("dangerous-who", "whole-unit", MARCH, field(A, terrain=[MARSH])),
    Switch("one-inch-exact", "too-near", STANDS, field(A, terrain=[AHEAD]), ("yes", "no")),
    Switch("one-inch-when", "end-only", TURNS, field(A, terrain=[SWEPT]), ("no", "yes")),
    Switch("toward-from", "closest-points", FLEE, FLED_FROM),
    Switch("toward-from", "edges", FLEE, FLED_FROM),
    Switch("twelve-inches", "allowed", VANGUARD,
           field(AHEAD_OF_ALL, unit("E", (600, 731.8), 270, 5, 10, "blue")), ("no", "yes")),
    Switch("charge-side-by", "whole-base", DECLARE, STRADDLES),
    Switch("charge-side-by", "area", DECLARE, WIDE),
    Switch("swiftstride-move", "printed", {"kind": "charge-chance", "attacker": "A", "target": "E"},
           field(unit("A", (600, 300), 90, 5, 10, **RIDERS), unit("E", (600, 600), 270, 5, 10, "blue"))),
    Switch("most-contact", "own-side", CHARGE, ASIDE),
    Switch("corner-contact", "ignored", {"kind": "combat-contacts"}, TOUCH),
    Switch("across-gap", "untouched", {"kind": "combat-contacts"}, GAP),
    Switch("second-move", "in-parts", AGAIN, field(A | {"this_turn": {"moved": ["advance"]}}), ("no", "yes")),
    Switch("ridden-monster", "plain", {"kind": "unit-strength", "unit": "M"},
           field(lone("M", (600, 300), 90, role=["character"]))),
    Switch("reserve-within", "partly", COMES_ON, field(unit("A", (600, 220), 90, 5, 55)), ("no", "yes")),
    Switch("multi-charge-margin", "least-clause", BOTH, TWO_CHARGE),
    Switch("pursuit-landing", "behind", PURSUE, LANDS),
    Switch("pursuit-landing", "push", PURSUE, LANDS),
    Switch("high-ground", "any", UPHILL, _hill(630, 300), ("no", "yes")),
    Switch("high-ground", "crest", UPHILL, _hill(550, 295), ("yes", "no")),
    Switch("defended-by", "all-models", CHARGE, _held(), ("yes", "no")),
    Switch("stand-shoot-move", "ground-move", STAND, _flies(500), ("no", "yes")),
)  # fmt: skip

QUIET = (
    Quiet("combat-reform-centre", COMBAT, FIGHTS),
    Quiet("dangerous-who", MARCH, field(A, terrain=[box("marsh", "marsh", 540, 250, 660, 360)])),
    Quiet("multi-charge-search", CHARGE,
          field(A, unit("E", (600, 520), 270, 5, 10, "blue"), unit("F", (715, 520), 270, 5, 10, "blue"))),
    Quiet("across-gap", {"kind": "combat-contacts"}, FIGHTS),
    Quiet("second-move", AGAIN, field(A)),
    Quiet("ridden-monster", {"kind": "unit-strength", "unit": "M"}, field(lone("M", (600, 300), 90))),
    Quiet("reserve-within", COMES_ON, field(A)),
    Quiet("multi-charge-margin", BOTH | {"attackers": ["A"]}, TWO_CHARGE),
    Quiet("stand-shoot-move", STAND | {"weapon": "sling"}, _flies(390)),
)  # fmt: skip
