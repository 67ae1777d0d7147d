"""Flight, pursuit and rallying."""

from fractions import Fraction
from itertools import product
from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.warhammer.field import field, lone, unit

A = unit("A", (600, 300), 90, 5, 10)  # its middle is at (600, 280)
E = unit("E", (600, 500), 270, 5, 10, "blue")


def _flees(roll: int | None = None, **more: Any) -> dict[str, Any]:
    return {"kind": "flee", "mover": "A", "dice": {} if roll is None else {"flee": roll}} | more


FROM_E = {"threats": ["E"]}
ROCK = {"id": "rock", "kind": "impassable", "polygon_mm": [[500, 90], [700, 90], [700, 133], [500, 133]]}
FOES = unit("N", (600, 200), 90, 5, 5, "blue")
ASIDE = unit("N", (700, 200), 90, 5, 5, "blue")
WEST = (400, 280)  # a front here, looking along +x, has its middle west of A's
FLIGHTS = (
    Scenario("flee-move", "yes", "turned about its middle its front is at 260; 4 in on it is at 158.4", field(A, E),
             _flees(4, **FROM_E), {"value": {"result": "flees", "heading_deg": 270.0,
             "poses": {"A": {"front_mm": [600, 158.4], "facing_deg": 270}}}}),
    Scenario("flee-move", "no", "12 in = 304.8 lead off the table", field(A, E), _flees(12, **FROM_E),
             {"value": {"result": "removed"}}),
    Scenario("flee-move", "edge", "an inch is left to the rock at 133, so it need not run on",
             field(A, E, terrain=[ROCK]), _flees(4, **FROM_E), {"value": {"poses": {"A": {"front_mm": [600, 158.4]}}}},
             exactly="158.4 - 133 = 25.4"),
    Scenario("flee-dangerous-tests", "yes", "7 in lead all ten through N, from 260 to 82.2", field(A, E, FOES),
             _flees(7, **FROM_E), {"value": {"crossed": ["N"], "tests": 10}}),
    Scenario("flee-dangerous-tests", "no", "nobody is in the way", field(A, E), _flees(7, **FROM_E),
             {"value": {"crossed": [], "tests": 0}}),
    Scenario("flee-dangerous-tests", "edge", "N begins at x = 650, where A ends", field(A, E, ASIDE),
             _flees(7, **FROM_E), {"value": {"tests": 0}}, exactly="it passes touching"),
    Scenario("flee-off-table", "yes", "260 = 10.24 in: 11 or more, 3 of 36", field(A, E), _flees(**FROM_E),
             {"value": {"off_table": {"needs": 11, "exact": "1/12"}}}),
    Scenario("flee-off-table", "no", "no two dice reach 660",
             field(unit("A", (600, 700), 90, 5, 10), unit("E", (600, 900), 270, 5, 10, "blue")), _flees(**FROM_E),
             {"value": {"off_table": {"needs": None, "p": 0.0}}}),
    Scenario("flee-off-table", "edge", "254 = 10 in touch the edge: 6 of 36",
             field(unit("A", (600, 294), 90, 5, 10), E), _flees(**FROM_E),
             {"value": {"off_table": {"needs": 10, "exact": "1/6"}}}, exactly="10 in to the edge"),
    Scenario("flee-direction-break", "yes", "E is ten strong, N five: away from E",
             field(A, unit("E", (600, 300), 270, 5, 10, "blue"), unit("N", WEST, 0, 5, 5, "blue")),
             _flees(cause="break", threats=["E", "N"]), {"value": {"heading_deg": 270.0, "ties": []}}),
    Scenario("flee-direction-break", "no", "E is five strong, N ten: not away from E",
             field(A, unit("E", (600, 300), 270, 5, 5, "blue"), unit("N", WEST, 0, 5, 10, "blue")),
             _flees(cause="break", threats=["E", "N"]), {"value": {"heading_deg": 0.0}}),
    Scenario("flee-direction-break", "edge", "both are ten strong: a die decides",
             field(A, unit("E", (600, 300), 270, 5, 10, "blue"), unit("N", WEST, 0, 5, 10, "blue")),
             _flees(cause="break", threats=["E", "N"]), {"value": {"ties": ["E", "N"]}}, exactly="equal strength"),
    Scenario("flee-direction-panic", "yes", "N is 150 away, E 200: away from N",
             field(A, E, unit("N", WEST, 0, 5, 5, "blue")), _flees(cause="panic"),
             {"value": {"threats": ["N"], "heading_deg": 0.0}}),
    Scenario("flee-direction-panic", "no", "no enemy is there", field(A), _flees(cause="panic"),
             {"status": "unknown", "needs": ["threats"]}),
    Scenario("flee-direction-panic", "edge", "E's closest base is 200 away, N's 550 - 350 = 200: the first named",
             field(A, E, unit("N", (350, 280), 0, 5, 5, "blue")), _flees(cause="panic"),
             {"value": {"threats": ["E"], "heading_deg": 270.0}}, exactly="equally close"),
)  # fmt: skip
BOTH = field(unit("A", (600, 300), 90, 5, 10), unit("E", (600, 300), 270, 5, 10, "blue"))


def _pursues(**dice: int) -> dict[str, Any]:
    return {"kind": "pursuit", "winner": "E", "loser": "A", "dice": dice}


def _riders(id_: str, y: float, facing: float, side: str, **card: Any) -> dict[str, Any]:
    return unit(id_, (600, y), facing, 5, 5, side, base=(25, 50), kind="cavalry", card={"spd_in": 8, **card})


def _caught(chasers: int, runners: int) -> str:
    """Every roll of so many dice against every roll of so many, all added up."""
    chase = [sum(faces) for faces in product(range(1, 7), repeat=chasers)]
    run = [sum(faces) for faces in product(range(1, 7), repeat=runners)]
    return str(Fraction(sum(a >= b for a in chase for b in run), len(chase) * len(run)))


OVERRUN = {"kind": "pursuit", "winner": "A", "dice": {"pursue": 6}}


def _ahead(y: float) -> Any:
    """A friend's rear at this y."""
    return field(A, unit("G", (600, y + 20), 90, 5, 5))


def _edge(inches: float) -> dict[str, Any]:
    return {"kind": "table-edge", "mover": "A", "distance_in": inches, "cause": "pursuit"}


LAST = field(unit("A", (600, 1150), 90, 5, 10))
PURSUITS = (
    Scenario("pursuit-probability", "yes", "721 of 1296", BOTH, _pursues(),
             {"value": {"chance": {"exact": "721/1296"}}}),
    Scenario("pursuit-probability", "no", "two dice seldom catch three",
             field(_riders("A", 300, 90, "red"), unit("E", (600, 300), 270, 5, 10, "blue")), _pursues(),
             {"value": {"chance": {"exact": _caught(2, 3)}}}),
    Scenario("pursuit-probability", "edge", "as much as they is enough, three dice against three",
             field(_riders("A", 300, 90, "red"), _riders("E", 300, 270, "blue")), _pursues(),
             {"value": {"chance": {"exact": _caught(3, 3)}}}, exactly="ties catch"),
    Scenario("pursuit-move", "yes", "6 against 4; E's front goes 152.4 from 300", BOTH, _pursues(flee=4, pursue=6),
             {"answer": "yes", "margin_mm": 50.8, "value": {"poses": {"E": {"front_mm": [600, 147.6]}}}}),
    Scenario("pursuit-move", "no", "A's middle runs 203.2 from 280 to 76.8", BOTH, _pursues(flee=8, pursue=6),
             {"answer": "no", "margin_mm": -50.8, "value": {"stopped_by": None,
             "poses": {"E": {"front_mm": [600, 147.6]}}}}),
    Scenario("pursuit-move", "edge", "6 against 6", BOTH, _pursues(flee=6, pursue=6),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("overrun-move", "yes", "300 + 152.4", field(A), OVERRUN,
             {"value": {"stopped_by": None, "poses": {"A": {"front_mm": [600, 452.4]}}}}),
    Scenario("overrun-move", "no", "an inch short of G at 400", _ahead(400), OVERRUN,
             {"value": {"stopped_by": "G", "poses": {"A": {"front_mm": [600, 374.6]}}}}),
    Scenario("overrun-move", "edge", "G's rear is at 477.8: an inch is left", _ahead(477.8), OVERRUN,
             {"value": {"stopped_by": None, "poses": {"A": {"front_mm": [600, 452.4]}}}}, exactly="an inch is left"),
    Scenario("pursuit-off-table", "yes", "1150 + 76.2 is beyond 1219.2", LAST, _edge(3),
             {"value": {"result": "returns"}}),
    Scenario("pursuit-off-table", "no", "1200.8 is not", LAST, _edge(2), {"value": {"result": "stays"}}),
    Scenario("pursuit-off-table", "edge", "it touches the edge", LAST, _edge(69.2 / 25.4),
             {"value": {"result": "returns", "to_edge_mm": 0.0}}, exactly="the edge is touched"),
)  # fmt: skip
RESTRAIN = {"kind": "reform", "unit": "A", "files": 10, "manner": "restrain"}
FAR_IN = 2600**0.5  # from (560, 290) to (510, 280)


def _fled(status: list[str], began: int) -> Any:
    """One miniature that is left of so many."""
    hero = lone("A/0-0", (600, 290), 90, base=(20, 20), kind="infantry", unit="A", status=status)
    return field({"id": "A", "side": "red", "started": {"battle": {"models": began}}}, hero)


RALLY = {"kind": "rally", "who": "A"}
AFTER = (
    Scenario("restrain-reform", "yes", "2D6 up to 7; 50.99 of 203.2", field(A), RESTRAIN,
             {"answer": "yes", "margin_mm": 152.21, "value": {"chance": {"exact": "7/12"}}}),
    Scenario("restrain-reform", "no", "it still fights E", BOTH, RESTRAIN, {"answer": "no"}),
    Scenario("restrain-reform", "edge", "a Movement of half the 50.99",
             field(unit("A", (600, 300), 90, 5, 10, card={"spd_in": FAR_IN / 50.8})), RESTRAIN,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("rally-reform", "yes", "one of three: 7 or less", _fled(["fleeing"], 3), RALLY,
             {"answer": "yes", "value": {"needs": 7, "chance": {"exact": "7/12"}}}),
    Scenario("rally-reform", "no", "it does not flee", _fled([], 3), RALLY, {"answer": "no"}),
    Scenario("rally-reform", "edge", "one of four is a quarter: half of 7 is 4, 6 of 36", _fled(["fleeing"], 4), RALLY,
             {"answer": "yes", "value": {"needs": 4, "chance": {"exact": "1/6"}}}, exactly="a quarter is left"),
)  # fmt: skip
SCENARIOS = FLIGHTS + PURSUITS + AFTER
