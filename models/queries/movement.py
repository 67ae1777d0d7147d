"""Movement: whether a path is legal, what it costs, what it meets, and where things end up."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from models.dice import Dice
from models.pose import Pose
from models.queries.base import (
    EVERY,
    HM,
    HMW,
    OPEN,
    PHM,
    BaseQuery,
    MiniatureId,
    MiniatureIds,
    MoveIn,
    PathPoints,
    Steps,
    ThingId,
    at_most_one,
)
from models.turn import UnitPose
from models.vocabulary import AngleDeg, LengthIn

PathMm = Annotated[
    PathPoints, Field(description="points of the base centre, from where the move began; the tracked ones else")
]
HeadingDeg = Annotated[AngleDeg, Field(description="direction of a straight move, in the table frame")]
DistanceIn = Annotated[LengthIn, Field(description="length of a straight move in inches")]


class Move(BaseQuery):
    """Is this move legal, how far did it get?

    Yes: legal. Margin: the least of allowance - spent and the clearances. Gives `travelled_mm`, `spent_mm`, `left_mm`,
    `poses`, `stopped_by`, `ground` (id, rate, from_mm, to_mm), `violation` (what, thing, at_mm), `contacts` in order,
    `free_strikes` and `in_melee_with` at the end.
    """

    EDITIONS = EVERY | OPEN
    RULES = {
        "warmachine-prime": "advance-distance advance-legal run-distance "
        "rough-terrain-cost fly-through end-of-activation-move",
        "hordes-mk2": "movement rough impassable incorporeal-move light-cavalry-move ride-by",
        "warhammer-9": "move-budget move-infer terrain-movement fly-move skirmish-move vanguard-move",
        "warmachine-mk1": "advance-length",
    }
    PLACES = ("mover",)
    kind: Literal["move"] = "move"
    mover: MiniatureId
    path_mm: PathMm | None = None
    heading_deg: HeadingDeg | None = None
    distance_in: DistanceIn | None = None
    steps: Steps | None = None
    to: Pose | UnitPose | None = Field(None, description="or where it ends, straight from where it stands")
    manner: (
        Literal[
            "advance", "run", "march", "fly", "incorporeal", "end-of-activation", "light-cavalry", "ride-by",
            "vanguard", "skirmish", "fly-march",
        ]
        | None
    ) = Field(None, description="how it moves; an ordinary advance when left out")  # fmt: skip
    allowance_in: MoveIn | None = Field(None, description="how far it may go, when the card does not say")
    facing_deg: AngleDeg | None = Field(None, description="how it looks at the end")

    @model_validator(mode="after")
    def _check_one_way(self) -> "Move":
        return at_most_one(self, "path_mm", "heading_deg", "steps", "to")


class MayMove(BaseQuery):
    """May it still move, and how?

    Yes: something is left to it after what it did this turn: in Warhammer a move, else anything of its activation, so
    attacks and spells too. Gives `may` (what is left), `barred` (of each act why it is not) and `ledger` (what bars
    which acts, with section and page).
    """

    EDITIONS = EVERY
    RULES = {"warhammer-9": "may-move"}
    PLACES = ("mover",)
    kind: Literal["may-move"] = "may-move"
    mover: MiniatureId


class FitsBetween(BaseQuery):
    """Does it fit through that gap?

    Yes: the gap is wide enough. Margin: gap - width needed. Gives `width_mm`.
    """

    EDITIONS = EVERY | OPEN
    RULES = {
        "warmachine-prime": "gap-fits",
        "hordes-mk2": "passage",
        "warhammer-9": "fits-between charge-impassable-squeeze",
    }
    PLACES = ("mover", "a", "b")
    kind: Literal["fits-between"] = "fits-between"
    mover: MiniatureId
    a: ThingId
    b: ThingId
    manner: Literal["move", "charge"] = "move"


class FirstContact(BaseQuery):
    """What does it touch first that way?

    Gives `contacts` (id, after_mm, at_mm) in order.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "contact-event"}
    PLACES = ("mover",)
    kind: Literal["first-contact"] = "first-contact"
    mover: MiniatureId
    path_mm: PathMm | None = None
    heading_deg: HeadingDeg | None = None
    distance_in: DistanceIn | None = None

    @model_validator(mode="after")
    def _check_one_way(self) -> "FirstContact":
        return at_most_one(self, "path_mm", "heading_deg")


class TableEdge(BaseQuery):
    """What happens at the table edge?

    Gives `result` (stays, stops, removed, returns, not-allowed), `poses` and `to_edge_mm`.
    """

    EDITIONS = EVERY | OPEN
    RULES = {
        "warmachine-prime": "table-edge-stop",
        "hordes-mk2": "beyond-table",
        "warhammer-9": "table-edge pursuit-off-table",
        "warmachine-mk1": "table-edge",
    }
    PLACES = ("mover",)
    kind: Literal["table-edge"] = "table-edge"
    mover: MiniatureId
    path_mm: PathMm | None = None
    heading_deg: HeadingDeg | None = None
    distance_in: DistanceIn | None = None
    cause: Literal["move", "involuntary", "flee", "pursuit"] = "move"

    @model_validator(mode="after")
    def _check_one_way(self) -> "TableEdge":
        return at_most_one(self, "path_mm", "heading_deg")


class LeastDisturbance(BaseQuery):
    """Who is moved aside, and where to?

    Gives `poses` of those that are moved, `total_mm` and `ties`.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "rule-of-least-disturbance", "hordes-mk2": "least-disturbance"}
    PLACES = ("mover",)
    kind: Literal["least-disturbance"] = "least-disturbance"
    mover: MiniatureId


class Rollback(BaseQuery):
    """Where must it go back to under that control effect?

    Gives `poses` (where it came into the control area, or where it stands) and `entered_mm` along its way.
    """

    EDITIONS = HM
    RULES = {"warmachine-mk1": "control-effect-rollback"}
    PLACES = ("caster", "mover")
    kind: Literal["rollback"] = "rollback"
    caster: MiniatureId
    mover: MiniatureId
    path_mm: PathMm | None = None
    rate: LengthIn | None = Field(None, description="inches it may go for each inch of movement, once inside")


class Flee(BaseQuery):
    """Which way and how far does it flee?

    Yes (path given): no rule broken. Margin: least slack. Gives `heading_deg`, `poses`, `crossed` and `result` (flees,
    holds, cowers, removed) where the book leaves no choice, else `allowance_mm` and `first_break_mm`; of ranked units
    `may_flee`, and `tests` for enemies and ground run through. The first edition also tells the `edge` it flees to,
    what is `in_the_way` of the shortest way, and what a run lacks (`short_mm`).
    """

    EDITIONS = HMW
    RULES = {
        "hordes-mk2": "flee-path",
        "warhammer-9": "flee-reaction flee-move flee-dangerous-tests flee-off-table flee-direction-break "
        "flee-direction-panic",
        "warmachine-mk1": "flee-path",
    }
    PLACES = ("mover", "threats")
    kind: Literal["flee"] = "flee"
    mover: MiniatureId
    threats: MiniatureIds | None = Field(None, description="whom it flees from; all its enemies when left out")
    cause: Literal["charge", "break", "panic", "terror"] | None = None
    path_mm: PathMm | None = None
    dice: Dice = Dice()
