"""What-if manoeuvre: a unit's move, charge or flight by steps, with its way and where everybody ends."""

from typing import Any, Literal

from pydantic import Field

from api.answers.answer_line import query_of, render_line
from api.answers.pair_questions import QuestionLine, ToldLength
from api.answers.unconfirmed_bases import careful_referee
from api.answers.what_if_move import WhatIfMoveResult
from api.evaluation.cache import Ask
from api.evaluation.hypothetical_table import Hypothesis, apply_hypothesis
from api.live.entities import leader_of
from models.errors import BadQuery
from models.state import TableState
from models.turn import Step
from models.vocabulary import Id

MOST_STEPS = 24


class Manoeuvre(Hypothesis):
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
    lines = tuple(render_line(one, referee(supposed, query_of(one))) for one in _question_lines(asked, turns_on))
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
    told: dict[str, Any] = {"mover": asked.who, "steps": [step.model_dump(exclude_none=True) for step in asked.steps]}
    if asked.do == "march":
        told["manner"] = "march"
    title = "March" if asked.do == "march" else "Move"
    return QuestionLine("move", title, "move", told, yes="Legal", no="Not legal", turns_on=turns_on, permits=True)


def _flee_line(asked: Manoeuvre, other: Id) -> QuestionLine:
    dice = {} if asked.roll_in is None else {"dice": {"flee": asked.roll_in}}
    told: dict[str, Any] = {"mover": asked.who, "threats": [other], "cause": "charge", **dice}
    return QuestionLine("flee", "Flight", "flee", told)
