"""What-if routes: what is around one miniature, and what if it went elsewhere."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request

from api.answers.miniature_sheet import MiniatureQuestion, MiniatureSheet, miniature_sheets
from api.answers.what_if_manoeuvre import Manoeuvre, what_if_manoeuvre
from api.answers.what_if_move import WhatIfMove, WhatIfMoveResult, what_if_move
from api.errors import TooManyQuestions, TooMuch
from api.evaluation.cache import Ask
from api.evaluation.request_priority import RequestPriority
from api.http.openapi import problem_responses
from api.http.refusals import MOST_QUESTION_BYTES
from api.live.moments import Moments
from api.routes.moments import asked_table
from api.routes.question_desk import QuestionDesk
from models.state import TableState

LayRulings = Callable[[MiniatureSheet], MiniatureSheet]


def what_if_router(
    moments: Moments, *, ask: Ask, lay_rulings: LayRulings, priority: RequestPriority, desk: QuestionDesk
) -> APIRouter:
    """The routes about one miniature of the table."""
    router = APIRouter(prefix="/api/v1", tags=["questions"])
    told = problem_responses(TooManyQuestions, TooMuch)
    around = _around_route(moments, priority.ask_in_background(ask), lay_rulings, desk)
    router.post("/ask-one", response_model=MiniatureSheet, responses=told, max_body_size=MOST_QUESTION_BYTES)(around)
    router.post("/ask-move", response_model=WhatIfMoveResult, responses=told, max_body_size=MOST_QUESTION_BYTES)(
        _move_route(moments, ask, desk)
    )
    router.post("/ask-manoeuvre", response_model=WhatIfMoveResult, responses=told, max_body_size=MOST_QUESTION_BYTES)(
        _manoeuvre_route(moments, ask, desk)
    )
    return router


def _around_route(moments: Moments, ask: Ask, lay_rulings: LayRulings, desk: QuestionDesk) -> Callable[..., Any]:
    table = asked_table(moments)

    async def ask_about_one(
        request: Request,
        alone: MiniatureQuestion,
        state: Annotated[TableState, table],
        accept: Annotated[str, Header()] = "",
    ) -> Any:
        """Answer what is around one miniature: distances, rings, arcs, and who threatens whom.

        Who accepts `application/x-ndjson` gets one answer a line, each with more threats than the one before.
        """
        sheets = miniature_sheets(state, alone, ask=ask)
        if not alone.ghosts:
            sheets = map(lay_rulings, sheets)
        return await desk.stream(request, sheets, accept, stage=lambda one: one.is_whole)

    return ask_about_one


def _move_route(moments: Moments, ask: Ask, desk: QuestionDesk) -> Callable[..., Any]:
    table = asked_table(moments)

    async def ask_about_a_move(
        request: Request, way: WhatIfMove, state: Annotated[TableState, table]
    ) -> WhatIfMoveResult:
        """Answer whether a way is legal, what it costs, what strikes on it, and how it ends."""
        return await desk.answer(request, lambda: what_if_move(state, way, ask=ask))

    return ask_about_a_move


def _manoeuvre_route(moments: Moments, ask: Ask, desk: QuestionDesk) -> Callable[..., Any]:
    table = asked_table(moments)

    async def ask_about_a_manoeuvre(
        request: Request, asked: Manoeuvre, state: Annotated[TableState, table]
    ) -> WhatIfMoveResult:
        """Answer whether a unit may move, charge or flee like that, over which way, and where everybody ends."""
        return await desk.answer(request, lambda: what_if_manoeuvre(state, asked, ask=ask))

    return ask_about_a_manoeuvre
