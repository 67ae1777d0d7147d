"""Asking over HTTP about one miniature: what is around it, and what if it went elsewhere."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Header

from api.alone import Alone, Around, around
from api.going import Course, Going, going
from api.growing import grown
from api.manoeuvres import Manoeuvre, manoeuvre
from api.memory import Ask
from api.moments import Moments, asked_table
from api.turns import Turns
from models.state import TableState


def what_if(moments: Moments, *, ask: Ask, turns: Turns) -> APIRouter:
    """The routes about one miniature of the table."""
    router = APIRouter(prefix="/api/v1", tags=["questions"])
    router.post("/ask-one", response_model=Around)(_around_route(moments, turns.patiently(ask)))
    router.post("/ask-move", response_model=Course)(_move_route(moments, ask))
    router.post("/ask-manoeuvre", response_model=Course)(_manoeuvre_route(moments, ask))
    return router


def _around_route(moments: Moments, ask: Ask) -> Callable[..., Any]:
    table = asked_table(moments)

    def ask_about_one(alone: Alone, state: Annotated[TableState, table], accept: Annotated[str, Header()] = "") -> Any:
        """Answer what is around one miniature: distances, rings, arcs, and who threatens whom.

        Who accepts `application/x-ndjson` gets one answer a line, each with more threats than the one before.
        """
        return grown(around(state, alone, ask=ask), accept, stage=lambda one: one.is_whole)

    return ask_about_one


def _move_route(moments: Moments, ask: Ask) -> Callable[..., Any]:
    table = asked_table(moments)

    def ask_about_a_move(way: Going, state: Annotated[TableState, table]) -> Course:
        """Answer whether a way is legal, what it costs, what strikes on it, and how it ends."""
        return going(state, way, ask=ask)

    return ask_about_a_move


def _manoeuvre_route(moments: Moments, ask: Ask) -> Callable[..., Any]:
    table = asked_table(moments)

    def ask_about_a_manoeuvre(asked: Manoeuvre, state: Annotated[TableState, table]) -> Course:
        """Answer whether a unit may move, charge or flee like that, over which way, and where everybody ends."""
        return manoeuvre(state, asked, ask=ask)

    return ask_about_a_manoeuvre
