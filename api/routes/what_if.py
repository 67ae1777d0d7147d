"""What-if routes: what is around one miniature, and what if it went elsewhere."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request

from api.answers.miniature_sheet import MiniatureQuestion, MiniatureSheet, miniature_sheets
from api.answers.one_word import OneWord, mark_told_around, mark_told_move
from api.answers.what_if_manoeuvre import Manoeuvre, what_if_manoeuvre
from api.answers.what_if_move import WhatIfMove, WhatIfMoveResult, what_if_move
from api.answers.word_finder import WordFinder
from api.errors import TooManyQuestions, TooMuch
from api.evaluation.cache import Ask
from api.evaluation.request_priority import RequestPriority
from api.http.openapi import problem_responses
from api.http.refusals import MOST_QUESTION_BYTES
from api.live.halt_guard import RefereePorts
from api.live.moments import Moments
from api.routes.moments import At, asked_table, asked_word
from api.routes.question_desk import QuestionDesk
from models.state import TableState

LayRulings = Callable[[MiniatureSheet, int | None], MiniatureSheet]
"""Lays what a judge ruled over the answers of now, or of an earlier moment."""


def what_if_router(
    moments: Moments,
    *,
    ask: RefereePorts,
    lay_rulings: LayRulings,
    words: WordFinder,
    priority: RequestPriority,
    desk: QuestionDesk,
) -> APIRouter:
    """The routes about one miniature of the table."""
    router = APIRouter(prefix="/api/v1", tags=["questions"])
    told = problem_responses(TooManyQuestions, TooMuch)
    around = _around_route(moments, ask, lay_rulings, words, priority, desk)
    router.post("/ask-one", response_model=MiniatureSheet, responses=told, max_body_size=MOST_QUESTION_BYTES)(around)
    router.post("/ask-move", response_model=WhatIfMoveResult, responses=told, max_body_size=MOST_QUESTION_BYTES)(
        _move_route(moments, ask, words, desk)
    )
    router.post("/ask-manoeuvre", response_model=WhatIfMoveResult, responses=told, max_body_size=MOST_QUESTION_BYTES)(
        _manoeuvre_route(moments, ask, words, desk)
    )
    return router


def _around_route(
    moments: Moments,
    ask: RefereePorts,
    lay_rulings: LayRulings,
    words: WordFinder,
    priority: RequestPriority,
    desk: QuestionDesk,
) -> Callable[..., Any]:
    table, told_alone = asked_table(moments), asked_word(words)

    async def ask_about_one(
        request: Request,
        alone: MiniatureQuestion,
        state: Annotated[TableState, table],
        word: Annotated[OneWord | None, told_alone],
        at: At = None,
        accept: Annotated[str, Header()] = "",
    ) -> Any:
        """Answer what is around one miniature: distances, rings, arcs, and who threatens whom.

        Who accepts `application/x-ndjson` gets one answer a line, each with more threats than the one before.
        """
        unhurried = priority.ask_in_background(ask.about(at))
        sheets = miniature_sheets(state, alone, ask=unhurried)
        if word is not None:
            sheets = mark_told_around(sheets, state, alone, word, ask=unhurried)
        if not alone.ghosts:
            sheets = (lay_rulings(sheet, at) for sheet in sheets)
        return await desk.stream(request, sheets, accept, stage=lambda one: one.is_whole)

    return ask_about_one


def _move_route(moments: Moments, ask: RefereePorts, words: WordFinder, desk: QuestionDesk) -> Callable[..., Any]:
    table, told_alone = asked_table(moments), asked_word(words)

    async def ask_about_a_move(
        request: Request,
        way: WhatIfMove,
        state: Annotated[TableState, table],
        word: Annotated[OneWord | None, told_alone],
        at: At = None,
    ) -> WhatIfMoveResult:
        """Answer whether a way is legal, what it costs, what strikes on it, and how it ends."""
        referee = ask.about(at)
        return await desk.answer(
            request, lambda: _marked(what_if_move(state, way, ask=referee), state, way, word, referee)
        )

    return ask_about_a_move


def _manoeuvre_route(moments: Moments, ask: RefereePorts, words: WordFinder, desk: QuestionDesk) -> Callable[..., Any]:
    table, told_alone = asked_table(moments), asked_word(words)

    async def ask_about_a_manoeuvre(
        request: Request,
        asked: Manoeuvre,
        state: Annotated[TableState, table],
        word: Annotated[OneWord | None, told_alone],
        at: At = None,
    ) -> WhatIfMoveResult:
        """Answer whether a unit may move, charge or flee like that, over which way, and where everybody ends."""
        referee = ask.about(at)
        return await desk.answer(
            request, lambda: _marked(what_if_manoeuvre(state, asked, ask=referee), state, asked, word, referee)
        )

    return ask_about_a_manoeuvre


def _marked(
    result: WhatIfMoveResult, state: TableState, asked: WhatIfMove | Manoeuvre, word: OneWord | None, ask: Ask
) -> WhatIfMoveResult:
    """The answer, with what of it rests on one player's word."""
    return result if word is None else mark_told_move(result, state, asked, word, ask=ask)
