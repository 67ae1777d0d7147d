"""Question desk: backpressure for questions, of which players may ask more at once than those who only watch.

Questions have threads of their own, so that pages and the table never wait for them. Who hangs up is answered no more.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel
from starlette.types import Receive, Scope, Send

from api.errors import TooManyQuestions
from api.evaluation.asker import Asker, AskerGone, Rank, answering
from api.evaluation.processor_budget import ProcessorBudget
from api.http.problems import tellable
from api.routes.auth import is_seated, seat_of
from models.errors import TablesideError

NDJSON = "application/x-ndjson"
PAUSE_S = 0.05  # a page that is drawn anew more often than this only keeps its phone from drawing what counts
PATIENCE_S = 5.0  # who comes when all places are taken waits so long for one
MOST_IN_LIST = {True: 200, False: 50}

Result = TypeVar("Result")
Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True)
class DeskLimits:
    """Of one class of askers: threads, and how much of theirs is taken up at once, from one address and altogether."""

    threads: int
    from_one: int
    altogether: int
    lists_from_one: int
    lists_altogether: int


SEATED = DeskLimits(threads=12, from_one=48, altogether=96, lists_from_one=6, lists_altogether=12)
UNSEATED = DeskLimits(threads=2, from_one=1, altogether=64, lists_from_one=1, lists_altogether=4)


class QuestionDesk:
    """Lives on the server's event loop. `with_seat` and `without` are the limits of the two classes of askers."""

    def __init__(
        self, *, with_seat: DeskLimits = SEATED, without: DeskLimits = UNSEATED, patience_s: float = PATIENCE_S
    ) -> None:
        self._classes = {True: _AskerClass(with_seat), False: _AskerClass(without)}
        self._patience_s = patience_s
        self._budget = ProcessorBudget()

    async def answer(self, request: Request, work: Callable[[], Result], *, is_list: bool = False) -> Result:
        """What the work makes, on a thread. Raises: TooManyQuestions; AskerGone when the asker hung up."""
        place = await self.take_place(request, is_list=is_list)
        try:
            return await place.work(work)
        finally:
            place.leave()

    async def stream(
        self,
        request: Request,
        answers: Iterator[Answer],
        accept: str,
        *,
        stage: Callable[[Answer], Any],
        is_list: bool = False,
    ) -> Answer | StreamingResponse:
        """The last answer; who accepts lines gets one a line, the first at once, then what `throttle` lets through.

        What goes wrong after the first line is a line too, the last: its problem.
        """
        if NDJSON not in accept:
            return await self.answer(request, partial(_last, answers), is_list=is_list)
        place = await self.take_place(request, is_list=is_list)
        try:
            # the first here, so that a bad question is a problem and no broken stream
            lines = throttle(answers, stage=stage)
            first = await place.work(partial(next, lines))
        except BaseException:
            place.leave()
            raise
        return _PlaceResponse(_write_lines(place, first, lines), place)

    async def take_place(self, request: Request, *, is_list: bool = False) -> "Place":
        """A place at the desk, to be left again.

        Raises: TooManyQuestions when none is free in time; OverBudget when this seat or address has spent its own.
        """
        has_seat = is_seated(request)
        address = request.client.host if request.client else ""
        seat = seat_of(request)
        rank = Rank.JUDGE if seat == "judge" else Rank.PLAYER if has_seat else Rank.VIEWER
        allowance = self._budget.admit(rank, address if seat == "viewer" else seat)
        asked_in = self._classes[has_seat]
        try:
            await asyncio.wait_for(asked_in.enter(address, is_list=is_list), self._patience_s)
        except TimeoutError:
            raise TooManyQuestions(
                "Too many questions came from you at once; ask again when those are answered.",
                field="questions",
                value=None,
            ) from None
        return Place(request, Asker(rank, allowance), asked_in, address, is_list=is_list)


class _AskerClass:
    """Askers of one class: who is at work for whom."""

    def __init__(self, limits: DeskLimits) -> None:
        self.limiter = CapacityLimiter(limits.threads)
        self._most = {
            True: (limits.lists_from_one, limits.lists_altogether),
            False: (limits.from_one, limits.altogether),
        }
        self._taken: Counter[tuple[str, bool]] = Counter()
        self._altogether: Counter[bool] = Counter()
        self._left = asyncio.Condition()

    async def enter(self, address: str, *, is_list: bool) -> None:
        async with self._left:
            await self._left.wait_for(lambda: self._has_room(address, is_list))
            self._taken[address, is_list] += 1
            self._altogether[is_list] += 1

    def leave(self, address: str, *, is_list: bool) -> None:
        self._taken[address, is_list] -= 1
        self._altogether[is_list] -= 1
        if not self._taken[address, is_list]:
            del self._taken[address, is_list]
        self._wake = asyncio.ensure_future(self._notify())

    def _has_room(self, address: str, is_list: bool) -> bool:
        from_one, altogether = self._most[is_list]
        return self._taken[address, is_list] < from_one and self._altogether[is_list] < altogether

    async def _notify(self) -> None:
        async with self._left:
            self._left.notify_all()


def throttle(
    answers: Iterator[Answer], *, stage: Callable[[Answer], Any], clock: Callable[[], float] = time.monotonic
) -> Iterator[Answer]:
    """NDJSON throttle: answers at another stage than the one before, or a while after it; the others are left out."""
    was: tuple[Any, float] | None = None
    for answer in answers:
        now = (stage(answer), clock())
        if was is None or now[0] != was[0] or now[1] - was[1] >= PAUSE_S:
            was = now
            yield answer


class Place:
    """One asker's place at the desk."""

    def __init__(self, request: Request, asker: Asker, asked_in: _AskerClass, address: str, *, is_list: bool) -> None:
        self._request = request
        self._asker = asker
        self._class = asked_in
        self._address = address
        self._is_list = is_list
        self._is_left = False

    async def work(self, work: Callable[[], Result]) -> Result:
        """What the work makes, on a thread. Raises: AskerGone when the asker hung up."""
        at_work = asyncio.ensure_future(
            to_thread.run_sync(
                partial(_work_for, self._asker, work), limiter=self._class.limiter, abandon_on_cancel=True
            )
        )
        hung_up = asyncio.ensure_future(_until_gone(self._request))
        try:
            await asyncio.wait({at_work, hung_up}, return_when=asyncio.FIRST_COMPLETED)
            if at_work.done():
                return at_work.result()
            raise AskerGone
        finally:
            if not at_work.done():
                self._asker.gone.set()
                at_work.cancel()
            hung_up.cancel()
            await asyncio.gather(at_work, hung_up, return_exceptions=True)

    def leave(self) -> None:
        if not self._is_left:
            self._is_left = True
            self._asker.gone.set()
            self._class.leave(self._address, is_list=self._is_list)


class _PlaceResponse(StreamingResponse):
    """Lines from a place at the desk, which is left however the response ends."""

    def __init__(self, lines: AsyncIterator[str], place: Place) -> None:
        super().__init__(lines, media_type=NDJSON)
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._place.leave()


async def _write_lines(place: Place, first: Answer, rest: Iterator[Answer]) -> AsyncIterator[str]:
    answer: Answer | None = first
    while answer is not None:
        yield f"{answer.model_dump_json()}\n"
        try:
            answer = await place.work(partial(next, rest, None))
        except AskerGone:
            return
        except TablesideError as wrong:
            yield f"{json.dumps({'problem': tellable(wrong.problem())})}\n"
            return


def _work_for(asker: Asker, work: Callable[[], Result]) -> Result:
    with answering(asker):
        return work()


def _last(answers: Iterator[Answer]) -> Answer:
    (*_, whole) = answers
    return whole


async def _until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
