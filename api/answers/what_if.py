"""What if: whether a move or a unit's manoeuvre is legal, what it costs, what strikes on it, where everybody ends."""

from typing import Any, Literal

from pydantic import Field

from api.answers.answer_line import Line, query_of, render_line
from api.answers.pair_questions import QuestionLine, ToldLength
from api.answers.unconfirmed_bases import careful_referee
from api.evaluation.cache import Ask
from api.evaluation.hypothetical_table import Hypothesis, apply_hypothesis
from api.live.entities import leader_of
from models.errors import BadQuery, UnknownThing
from models.frozen import Frozen
from models.state import TableState
from models.turn import Step
from models.vocabulary import AngleDeg, Id, Point

_OFF_MM = 1000.0
MOST_STEPS = 24

Manner = Literal["advance", "run"]


class WhatIfMove(
    Hypothesis,
    json_schema_extra={"examples": [{"who": "m3", "path_mm": [[410.0, 300.0], [460.0, 310.0]], "manner": "run"}]},
):
    """A way that one miniature may take, from where it stands."""

    who: Id
    path_mm: tuple[Point, ...] = Field(
        min_length=1, max_length=MOST_STEPS, description="points of the base centre, after where it stands"
    )
    facing_deg: AngleDeg | None = Field(None, description="how it looks at the end")
    manner: Manner = "advance"


class WhatIfMoveResult(Frozen):
    """The referee's word on a way: the move, and where free strikes fall on it when there are any."""

    state_id: str
    who: Id
    reach_in: float
    speed_in: float
    lines: tuple[Line, ...]


def what_if_move(state: TableState, asked: WhatIfMove, *, ask: Ask) -> WhatIfMoveResult:
    """What holds of the whole way. Raises: UnknownThing when somebody is not on the table; BadQuery far off it."""
    supposed = apply_hypothesis(state, asked)
    start = next((m.at_mm for m in supposed.miniatures if m.id == asked.who), None)
    if start is None:
        raise UnknownThing(f"there is no miniature {asked.who!r} on the table", field="who", value=asked.who)
    for k, point in enumerate(asked.path_mm):
        if not _is_near_table(state, point):
            raise BadQuery("nobody goes that far off the table", field=f"path_mm.{k}", value=[*point])
    fields: dict[str, object] = {"mover": asked.who, "path_mm": (start, *asked.path_mm), "manner": asked.manner}
    if asked.facing_deg is not None:
        fields["facing_deg"] = asked.facing_deg
    ask = careful_referee(ask, ghosts=(asked.who,))
    moves = QuestionLine("move", "Move", "move", fields, yes="Legal", no="Not legal", turns_on="speed", permits=True)
    lines = [render_line(moves, ask(supposed, query_of(moves)))]
    if _is_struck(lines[0]):
        course = {"mover": asked.who, "path_mm": fields["path_mm"]}
        strikes = QuestionLine(
            "strikes", "Free strikes", "free-strike", course, yes="Struck", no="None", turns_on="reach"
        )
        lines.append(render_line(strikes, ask(supposed, query_of(strikes))))
    return WhatIfMoveResult(
        state_id=state.state_id,
        who=asked.who,
        reach_in=asked.supposed_reach_in,
        speed_in=asked.supposed_speed_in,
        lines=tuple(lines),
    )


class Manoeuvre(Hypothesis, json_schema_extra={"examples": [{"who": "u1", "do": "charge", "other": "u2"}]}):
    """What a unit may do: go by `steps`, charge another, or flee from it."""

    who: Id
    do: Literal["move", "march", "charge", "flee"]
    steps: tuple[Step, ...] = Field((), max_length=MOST_STEPS, description="of a move or a march, in their order")
    other: Id | None = Field(None, description="whom it charges, or from whom it flees")
    roll_in: int | None = Field(None, ge=1, le=18, description="how far it flees, as rolled")


def what_if_manoeuvre(state: TableState, asked: Manoeuvre, *, ask: Ask) -> WhatIfMoveResult:
    """What holds of it. Raises: UnknownThing when somebody is not on the table; BadQuery when nobody is named."""
    card = leader_of(state, asked.who, field="who").profile
    if asked.other is not None:
        leader_of(state, asked.other, field="other")
    supposed, referee = apply_hypothesis(state, asked), careful_referee(ask, ghosts=asked.ghosts)
    turns_on: ToldLength | None = "speed" if card.spd_in is None else None
    lines = tuple(render_line(line, referee(supposed, query_of(line))) for line in _question_lines(asked, turns_on))
    return WhatIfMoveResult(
        state_id=state.state_id,
        who=asked.who,
        reach_in=asked.supposed_reach_in,
        speed_in=asked.supposed_speed_in,
        lines=lines,
    )


def _question_lines(asked: Manoeuvre, turns_on: ToldLength | None) -> tuple[QuestionLine, ...]:
    if asked.do in ("move", "march"):
        return (_move_line(asked, turns_on),)
    if asked.other is None:
        raise BadQuery(f"to {asked.do}, say whom", field="other", value=None)
    if asked.do == "flee":
        return (_flee_line(asked, asked.other),)
    pair = {"attacker": asked.who, "target": asked.other}
    charge = QuestionLine("charge", "Charge", "charge", pair, yes="May", no="May not", turns_on=turns_on, permits=True)
    return (charge, QuestionLine("odds", "Odds to reach it", "charge-chance", pair))


def _move_line(asked: Manoeuvre, turns_on: ToldLength | None) -> QuestionLine:
    if not asked.steps:
        raise BadQuery("a move has steps", field="steps", value=None)
    fields: dict[str, Any] = {"mover": asked.who, "steps": [step.model_dump(exclude_none=True) for step in asked.steps]}
    if asked.do == "march":
        fields["manner"] = "march"
    title = "March" if asked.do == "march" else "Move"
    return QuestionLine("move", title, "move", fields, yes="Legal", no="Not legal", turns_on=turns_on, permits=True)


def _flee_line(asked: Manoeuvre, other: Id) -> QuestionLine:
    dice = {} if asked.roll_in is None else {"dice": {"flee": asked.roll_in}}
    fields: dict[str, Any] = {"mover": asked.who, "threats": [other], "cause": "charge", **dice}
    return QuestionLine("flee", "Flight", "flee", fields)


def _is_near_table(state: TableState, point: Point) -> bool:
    """Whether it lies on the table or not far off: what is far beyond would be searched for strikes without end."""
    sides = (state.table.width_mm, state.table.depth_mm)
    return all(-_OFF_MM <= at <= side + _OFF_MM for at, side in zip(point, sides, strict=True))


def _is_struck(line: Line) -> bool:
    return line.verdict is not None and bool(line.verdict.value.get("free_strikes"))
