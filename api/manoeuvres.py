"""What if a unit manoeuvred: steps of a move, a charge or a flight, with its way and where everybody ends."""

from typing import Any, Literal

from pydantic import Field

from api.etiquette import of_ghosts
from api.fielded import leading
from api.going import Course
from api.line import query_of, shown_line
from api.memory import Ask
from api.pair_lines import Told, Wanted
from api.supposing import Supposing, as_supposed
from models.errors import BadQuery
from models.state import TableState
from models.turn import Step
from models.words import Id

MOST_STEPS = 24


class Manoeuvre(Supposing):
    """What a unit may do: go by `steps`, charge another, or flee from it."""

    who: Id
    do: Literal["move", "march", "charge", "flee"]
    steps: tuple[Step, ...] = Field((), max_length=MOST_STEPS, description="of a move or a march, in their order")
    other: Id | None = Field(None, description="whom it charges, or from whom it flees")
    roll_in: int | None = Field(None, ge=1, le=18, description="how far it flees, as rolled")


def manoeuvre(state: TableState, asked: Manoeuvre, *, ask: Ask) -> Course:
    """What holds of it. Raises: UnknownThing when somebody is not on the table; BadQuery when nobody is named."""
    card = leading(state, asked.who, field="who").profile
    if asked.other is not None:
        leading(state, asked.other, field="other")
    supposed, referee = as_supposed(state, asked), of_ghosts(ask, asked.ghosts)
    turns_on: Told | None = "speed" if card.spd_in is None else None
    lines = tuple(shown_line(one, referee(supposed, query_of(one))) for one in _wanted(asked, turns_on))
    return Course(
        state_id=state.state_id,
        who=asked.who,
        reach_in=asked.supposed_reach_in,
        speed_in=asked.supposed_speed_in,
        lines=lines,
    )


def _wanted(asked: Manoeuvre, turns_on: Told | None) -> tuple[Wanted, ...]:
    if asked.do in ("move", "march"):
        return (_move(asked, turns_on),)
    if asked.other is None:
        raise BadQuery(f"to {asked.do}, say whom", field="other", value=None)
    if asked.do == "flee":
        return (_flee(asked, asked.other),)
    pair = {"attacker": asked.who, "target": asked.other}
    charge = Wanted("charge", "Charge", "charge", pair, yes="May", no="May not", turns_on=turns_on)
    return (charge, Wanted("odds", "Odds to reach it", "charge-chance", pair))


def _move(asked: Manoeuvre, turns_on: Told | None) -> Wanted:
    if not asked.steps:
        raise BadQuery("a move has steps", field="steps", value=None)
    told: dict[str, Any] = {"mover": asked.who, "steps": [step.model_dump(exclude_none=True) for step in asked.steps]}
    if asked.do == "march":
        told["manner"] = "march"
    title = "March" if asked.do == "march" else "Move"
    return Wanted("move", title, "move", told, yes="Legal", no="Not legal", turns_on=turns_on)


def _flee(asked: Manoeuvre, other: Id) -> Wanted:
    dice = {} if asked.roll_in is None else {"dice": {"flee": asked.roll_in}}
    told: dict[str, Any] = {"mover": asked.who, "threats": [other], "cause": "charge", **dice}
    return Wanted("flee", "Flight", "flee", told)
