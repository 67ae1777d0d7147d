"""Tables on which a house rule of sight, shots and formations matters: what it finds and what another reading finds."""

from typing import Any, NamedTuple

from models.state import TableState
from tests.referee.scenarios.warhammer.field import field, lone, unit
from tests.referee.scenarios.warhammer.war_machines import FOE
from tests.referee.tables import box

Query = dict[str, Any]


class Switch(NamedTuple):
    """A doubt: the other reading, a question, and a table where that reading finds something else.

    `found` are the answers under the default and under the other reading; none of a question that only measures, or
    where something else is told than the answer.
    """

    key: str
    reading: str
    query: Query
    state: TableState
    found: tuple[str, str] | None = None


def _soldier(id_: str, x: float, y: float, facing: float, side: str, **more: Any) -> dict[str, Any]:
    return lone(id_, (x, y), facing, side, **({"kind": "infantry"} | more))


def _look(*others: dict[str, Any], **more: Any) -> TableState:
    """a looks up from y = 300 at t, which begins at 500."""
    return field(_soldier("a", 600, 275, 90, "red"), _soldier("t", 600, 525, 270, "blue"), *others, **more)


def _over(wall_mm: float, near: float, looks_mm: float = 50.0) -> TableState:
    """Who is looked at is 50 tall; the wall begins so far up and is 10 thick."""
    ends = (_soldier("a", 600, 275, 90, "red", body_mm=looks_mm), _soldier("t", 600, 525, 270, "blue", body_mm=50.0))
    return field(*ends, terrain=[box("g", "wall", 0, near, 1800, near + 10, height_mm=wall_mm)])


def _corner(x: float, y: float) -> TableState:
    """A forest begins right of x and above y; t reaches from 575 to 625 and from 500 to 550."""
    return _look(terrain=[box("g", "forest", x, y, 900, 900)])


def _ground(kind: str, near: float, far: float, **more: Any) -> dict[str, Any]:
    return {"terrain": [box("g", kind, 0, near, 1800, far, **more)]}


def _machine(*others: dict[str, Any]) -> TableState:
    gun = {"ranged": [{"name": "gun", "rng_in": [12, 60]}]}
    return field(lone("m", (600, 75), 90, kind="war-machine", card=gun), *others)


def _garrison(**more: Any) -> TableState:
    inside = [_soldier("G/0", 600, 460, 90, "red", base=(20, 20), unit="G", inside="g")]
    house = box("g", "building", 500, 400, 700, 500)
    return field({"id": "G", "side": "red", **more}, *inside, unit("E", (600, 700), 270, 5, 5, "blue"), terrain=[house])


def _hidden() -> TableState:
    """One who hides stands 50 before his unit."""
    plain = _soldier("U/0", 600, 425, 270, "red", unit="U", rank=1, file=0)
    ahead = _soldier("U/1", 600, 375, 270, "red", unit="U", rank=0, file=0, status=["hidden"])
    return field(_soldier("a", 600, 275, 90, "red"), {"id": "U", "side": "red"}, plain, ahead)


def _fight(*shooter: dict[str, Any], by: dict[str, Any]) -> TableState:
    """E looks up from y = 500 and is fought by a friend of the shooter."""
    return field(unit("E", (600, 500), 90, 5, 10, "blue"), by, *shooter)


def _two_targets() -> TableState:
    """One of T stands near by but outside the shooter's front, the other far off within it."""
    near, far = ((950.0, 400.0), (800.0, 850.0))
    ones = [
        lone(f"T/{k}", at, 270, "blue", kind="infantry", unit="T", rank=k, file=0) for k, at in enumerate((near, far))
    ]
    return field(unit("A", (600, 300), 90, 5, 5), {"id": "T", "side": "blue", "formation": "skirmish"}, *ones)


class Quiet(NamedTuple):
    """A table on which a rule reads a house rule and every reading finds the same."""

    key: str
    query: Query
    state: TableState


SEES, COVER = {"kind": "los", "viewer": "a", "target": "t"}, {"kind": "cover", "attacker": "a", "target": "t"}
SHOOT = {"kind": "shooters", "attacker": "A", "target": "E"}
INTO = {"kind": "shooting-into-combat", "attacker": "a", "target": "E"}
VOLLEYS = {"ranged": [{"name": "bow", "rng_in": 24, "rules": ["volley-fire"]}]}
ACROSS = lone("F", (600, 525), 270, base=(100, 50), kind="cavalry")
BESIDE = lone("F", (500, 450), 0, base=(100, 100), kind="infantry")
BEHIND = _look(_soldier("b", 545, 410, 90, "blue", base=(90, 20)))
FLAME = {"kind": "spray-hits", "attacker": "d", "heading_deg": 90}
BREATH = field(lone("d", (600, 275), 90), _soldier("f", 650, 520, 270, "red"))
LEADS = {"kind": "command-range", "commander": "h", "who": "U", "purpose": "leadership"}
LED = field(_soldier("h", 600, 275, 90, "red", role=["general"]), unit("U", (600, 590), 270, 5, 10))
BEASTS = field(unit("A", (600, 300), 90, 4, 8, base=(25, 50), kind="war-beast"))

A, CHARGE = unit("A", (600, 300), 90, 5, 10), {"kind": "charge", "attacker": "A", "target": "E"}
ASKEW = unit("E", (600, 566.75), 285, 5, 10, "blue")  # 253.8 by the closest bases, past a rock 254.2, round it 254.0
BEFORE_E = unit("F", (650, 470), 270, 3, 3, "blue")  # the most in contact would touch it too

SWITCHES = (
    Switch("arc-corners", "last-rank", {"kind": "arc", "viewer": "A", "target": [560, 245]},
           field(unit("A", (600, 300), 90, 5, 7))),
    Switch("arc-corners", "miniature", {"kind": "arc", "viewer": "A", "target": [660, 305]},
           field(unit("A", (600, 300), 90, 5, 10))),
    Switch("seen-body", "base", SEES, _look(**_ground("hedge", 400, 405)), ("yes", "no")),
    Switch("seen-body", "declared-body", SEES, _look(**_ground("hedge", 400, 405)), ("yes", "no")),
    Switch("seen-body", "outline", SEES, _over(45.0, 310, 20.0), ("yes", "no")),
    Switch("forest-exact", "blocked", SEES, _look(**_ground("forest", 400, 450.8)), ("yes", "no")),
    Switch("majority-inside", "any-part", COVER, _look(**_ground("forest", 540, 700)), ("no", "yes")),
    Switch("majority-inside", "centre", COVER, _corner(595, 520), ("no", "yes")),
    Switch("majority-inside", "wholly", {"kind": "in-area", "who": "t", "area": "g"},
           _look(**_ground("forest", 510, 700))),
    Switch("obscured", "hidden-part", COVER, BEHIND, ("no", "yes")),
    Switch("obscured", "some-line", COVER, BEHIND, ("no", "yes")),
    Switch("obscured", "half-body", COVER, _over(30.0, 400), ("yes", "no")),
    Switch("area-touch", "covered", {"kind": "template-hits", "at": [600, 461.9], "diameter_in": 3}, _look()),
    Switch("template-outline", "trapezoid", FLAME, BREATH, ("yes", "no")),
    Switch("template-outline", "calibrated", FLAME, BREATH),
    Switch("unit-in-range", "all", LEADS, LED, ("yes", "no")),
    Switch("unit-in-range", "leader", LEADS | {"who": "U"}, LED),
    Switch("unengaged-side", "near", INTO, _fight(_soldier("a", 480, 600, 315, "red"), by=ACROSS), ("no", "yes")),
    Switch("fire-past-friend", "free", INTO,
           _fight(_soldier("a", 480, 380, 60, "red", base=(20, 20)), by=BESIDE), ("no", "yes")),
    Switch("second-rank-range", "front-base", SHOOT,
           field(unit("A", (600, 300), 90, 5, 10), unit("E", (600, 900), 270, 5, 5, "blue"))),
    Switch("volley-sight", "each", SHOOT | {"manner": "volley"},
           field(unit("A", (600, 300), 90, 10, 10, card=VOLLEYS), unit("E", (1000, 700), 270, 5, 5, "blue"))),
    Switch("shot-measured-to", "nearest", SHOOT | {"target": "T"}, _two_targets()),
    Switch("least-width", "5", {"kind": "ranked-formation", "unit": "A"},
           field(unit("A", (600, 300), 90, 3, 6, base=(50, 50), kind="monstrous-cavalry")), ("yes", "no")),
    Switch("least-width", "none", {"kind": "ranked-formation", "unit": "A"}, BEASTS, ("no", "yes")),
    Switch("squeeze-width", "binding", {"kind": "ranked-formation", "unit": "A", "manner": "squeezing"},
           field(unit("A", (600, 300), 90, 3, 12)), ("yes", "no")),
    Switch("cannon-risk", "any-scatter", {"kind": "cannon", "attacker": "m", "at": [600, 600]},
           _machine(unit("F", (720, 700), 270, 5, 5)), ("yes", "no")),
    Switch("ball-width", "ball", {"kind": "cannon", "attacker": "m", "at": [600, 650], "dice": {"scatter": "hit",
           "bounce": 4}}, _machine(lone("t", (627, 700), 270, "blue", kind="infantry"))),
    Switch("stone-range", "any-part", {"kind": "stone-thrower", "attacker": "m", "at": [600, 400]}, _machine(),
           ("no", "yes")),
    Switch("stone-heading", "exactly", {"kind": "stone-thrower", "attacker": "m", "at": [700, 600]}, _machine(FOE),
           ("yes", "no")),
    Switch("garrison-edge", "marker", {"kind": "within", "a": "G", "b": "E", "range_in": 8.5}, _garrison(),
           ("yes", "no")),
    Switch("special-geometry", "none", {"kind": "within", "a": "a", "b": "U", "range_in": 3}, _hidden(),
           ("yes", "no")),
    Switch("charge-line", "shortest-clear-line", CHARGE,
           field(A, ASKEW, terrain=[box("g", "impassable", 540, 400, 560, 410)]), ("yes", "no")),
    Switch("charge-line", "way-round", CHARGE,
           field(A, ASKEW, terrain=[box("g", "impassable", 540, 400, 560, 410)]), ("yes", "no")),
    Switch("failed-charge-way", "free-path", CHARGE | {"dice": {"charge": [6, 5]}},
           field(A, unit("E", (600, 600), 270, 5, 10, "blue"), terrain=[box("g", "impassable", 620, 390, 700, 410)])),
    Switch("multi-charge-search", "obvious", {"kind": "multi-charge", "attackers": ["A"], "targets": ["E"]},
           field(A, unit("E", (600, 520), 270, 5, 10, "blue"), BEFORE_E), ("yes", "no")),
    Switch("rank-bonus-flank", "behind-fighters", {"kind": "combat-bonuses", "a": ["U"], "b": ["E"]},
           field(unit("U", (600, 400), 90, 5, 20), unit("E", (550, 360), 0, 3, 3, "blue"))),
    Switch("reserve-depth", "then-moves", {"kind": "move", "mover": "A", "steps": [{"do": "forward", "by_in": 3}]},
           field(A | {"this_turn": {"moved": ["reinforced"]}}), ("no", "yes")),
)  # fmt: skip

QUIET = (
    Quiet("majority-inside", {"kind": "in-area", "who": "t", "area": "g"}, _look(**_ground("forest", 450, 700))),
    Quiet("template-outline", FLAME | {"outline_mm": [[600, 300], [560, 500], [640, 500]]}, BREATH),
    Quiet("unit-in-range", LEADS | {"who": "t"},
          field(_soldier("h", 600, 275, 90, "red", role=["general"]), _soldier("t", 600, 525, 90, "red"))),
    Quiet("least-width", {"kind": "ranked-formation", "unit": "A"},
          field(unit("A", (600, 300), 90, 1, 1, base=(25, 50), kind="war-beast"))),
    Quiet("squeeze-width", {"kind": "ranked-formation", "unit": "A", "manner": "squeezing"},
          field(unit("A", (600, 300), 90, 1, 1))),
    Quiet("stone-range", {"kind": "stone-thrower", "attacker": "m", "at": [1100, 75]}, _machine()),
    Quiet("garrison-edge", {"kind": "shooters", "attacker": "G", "target": "E"},
          _garrison(this_turn={"moved": ["march"]})),
)  # fmt: skip
