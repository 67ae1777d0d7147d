"""Table services: what the routes of one table stand on, as FastAPI dependencies; no verdict about now while halted."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Annotated

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Query
from starlette.requests import HTTPConnection

from api.answers.one_word import OneWord, WordFinder
from api.cards.card_file import CardLibrary
from api.errors import NoSuchMoment, NoTableYet
from api.evaluation.cache import Ask, VerdictCache
from api.evaluation.request_priority import RequestPriority
from api.http.openapi import raises
from api.live.annotated_video import PictureSizes
from api.live.hub import Hub
from api.live.moments import Moments
from api.live.terrain_proposals import TerrainProposals
from api.routes.question_desk import QuestionDesk
from api.rulings.bench import JudgesBench
from api.setups.store import SetupStore
from api.tap_measurement.service import TapMeasurementService
from models.halt import Halt
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict
from referee.verdicts.disclosure import query_fields

_PAST_THREADS = 2  # they read the journal for earlier moments: the table as it is now never waits for them

At = Annotated[int | None, Query(ge=1, description="an earlier moment to ask about: a line of the journal")]


class HaltGuard:
    """A referee, silent about now while nobody knows the camera's pose; earlier moments are answered."""

    def __init__(self, hub: Hub, verdicts: VerdictCache) -> None:
        self._hub = hub
        self._verdicts = verdicts

    def about(self, at: int | None) -> Ask:
        """Who answers about this moment; None is now."""
        return self.ask_now if at is None else self._verdicts

    def ask_now(self, state: TableState, query: BaseQuery) -> Verdict:
        """The verdict, or a refusal with what would end it."""
        halt = self._hub.source.halt
        return self._verdicts(state, query) if halt is None else _refuse(state, query, halt)

    def begin(self, state: TableState, queries: Sequence[BaseQuery]) -> None:
        """Begin what will be asked at length about now."""
        if self._hub.source.halt is None:
            self._verdicts.begin(state, queries)


def _refuse(state: TableState, query: BaseQuery, halt: Halt) -> Verdict:
    return Verdict(
        kind=query.kind,  # type: ignore[attr-defined]
        edition=state.edition,
        book=state.book_stamp,
        status="refused",
        value={"why": halt.why},
        advice=halt.says,
        unlock=halt.unlock,
        state_id=state.state_id,
        query=query_fields(query),
    )


class TableServices:
    """One table as its routes use it; `cards` reads the library each time, as its owner may have mended it."""

    def __init__(
        self,
        bench: JudgesBench,
        verdicts: VerdictCache,
        *,
        shelf: SetupStore,
        cards: Callable[[], CardLibrary],
        taps: TapMeasurementService | None = None,
    ) -> None:
        self.bench = bench
        self.hub: Hub = bench.hub
        self.referee = HaltGuard(bench.hub, verdicts)
        self.shelf = shelf
        self.cards = cards
        self.moments = Moments(self.hub)
        self.open_facts = WordFinder(self.hub, self.moments)
        self.priority = RequestPriority()
        self.desk = QuestionDesk()
        self.picture_sizes, self.past_picture_sizes = PictureSizes(), PictureSizes()
        self.proposals = TerrainProposals(self.hub)
        self.taps = taps or TapMeasurementService(self.hub)
        self.list_changes = asyncio.Lock()  # a list is laid over what the one before has left
        self.past = CapacityLimiter(_PAST_THREADS)


async def services_of(connection: HTTPConnection) -> TableServices:
    table: TableServices = connection.app.state.table
    return table


Table = Annotated[TableServices, Depends(services_of)]


@raises(NoTableYet, NoSuchMoment)
async def asked_table(table: Table, at: At = None) -> TableState:
    if at is None:
        return table.moments.table()
    return await to_thread.run_sync(table.moments.asked_table, at, limiter=table.past)


async def asked_word(table: Table, at: At = None) -> OneWord | None:
    """What one player's word alone says of that table."""
    if at is None:
        return table.open_facts.word()
    return await to_thread.run_sync(table.open_facts.asked_word, at, limiter=table.past)


AskedTable = Annotated[TableState, Depends(asked_table)]
AskedWord = Annotated[OneWord | None, Depends(asked_word)]
