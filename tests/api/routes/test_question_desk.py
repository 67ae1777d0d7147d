"""Nobody starves the players: questions have limits of their own, seats go first, who hangs up is answered no more."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
from starlette.testclient import TestClient

import referee
from api.evaluation.asker import (
    Asker,
    AskerGone,
    Rank,
    answering,
    check_asker,
    current_asker,
    extra_wait_s,
    over_budget,
)
from api.evaluation.cache import VerdictCache
from api.evaluation.processor_budget import LIMITS
from api.live.hub import Hub
from api.routes.question_desk import NDJSON, UNSEATED
from api.routes.services import HaltGuard
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from models.queries import BaseQuery, Distance
from models.state import TableState
from models.verdict import Verdict
from tests.api import fakes
from tests.api.serving import serve_app
from tests.api.worlds import frame_report, skirmish, state_line

LISTED = [{"kind": "distance", "a": "m1", "b": b} for b in ("m2", "m3", "m4")]
PATIENCE_S = 120


class HeldReferee:
    """Answers questions about m1 when it may, and all others at once."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.was_left = threading.Event()
        self.began = threading.Semaphore(0)

    def __call__(self, state: TableState, query: BaseQuery) -> Verdict:
        if getattr(query, "a", "") == "m1":
            self.began.release()
            try:
                while not self.go_on.wait(0.01):
                    check_asker()
            except AskerGone:
                self.was_left.set()
                raise
        return fakes.ask(state, query)


@contextmanager
def held_table() -> Iterator[tuple[HeldReferee, SeatSessions, str]]:
    """A table whose referee is held, its seats and its address."""
    referee, hub = HeldReferee(), Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    seats = SeatSessions(hub.journal)
    with serve_app(create_app(hub, ask=referee, seats=seats)) as url:
        try:
            yield referee, seats, url
        finally:
            referee.go_on.set()


def test_lists_of_those_without_a_seat_keep_no_page_no_state_and_no_player_waiting() -> None:
    async def attack() -> tuple[list[int], int]:
        async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as client:
            asked = [asyncio.ensure_future(client.post("api/v1/ask", json=LISTED)) for _ in range(45)]
            await asyncio.to_thread(referee.began.acquire)
            token = {"Authorization": f"Bearer {seats.take_seat('player-a')}"}
            got = [(await client.get(path)).status_code for path in ("api/v1/state", "api/v1/health", "join")]
            got.append((await client.get("api/v1/glance", headers=token)).status_code)
            referee.go_on.set()
            told = await client.post("api/v1/ask", json=LISTED, headers=token)
            await asyncio.gather(*asked)
            return got, told.status_code

    with held_table() as (referee, seats, url):
        assert asyncio.run(attack()) == ([200, 200, 200, 200], 200)


def test_who_finds_no_place_in_time_is_told_so_by_name() -> None:
    async def attack() -> list[httpx2.Response]:
        async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as client:
            asked = [asyncio.ensure_future(client.post("api/v1/ask", json=LISTED)) for _ in range(6)]
            for done in asyncio.as_completed(asked):
                await done
                if sum(one.done() for one in asked) >= 6 - UNSEATED.lists_from_one:
                    break
            referee.go_on.set()
            return await asyncio.gather(*asked)

    with held_table() as (referee, _, url):
        answers = asyncio.run(attack())
    refused = [one for one in answers if one.status_code == 429]
    assert len(refused) == 6 - UNSEATED.lists_from_one
    assert {one.json()["type"] for one in refused} == {"input/too_many_questions"}


def test_who_hangs_up_is_answered_no_more_and_leaves_the_place_free() -> None:
    async def hang_up() -> None:
        async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as client:
            asked = asyncio.ensure_future(client.post("api/v1/ask", json=LISTED))
            await asyncio.to_thread(referee.began.acquire)
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
        assert await asyncio.to_thread(referee.was_left.wait, PATIENCE_S)

    with held_table() as (referee, _, url):
        asyncio.run(hang_up())


def test_a_list_of_who_has_no_seat_is_shorter() -> None:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    seats = SeatSessions(hub.journal)
    with TestClient(create_app(hub, ask=fakes.ask, seats=seats)) as phone:
        many = LISTED * 40
        assert phone.post("/api/v1/ask", json=many).json()["type"] == "input/too_much"
        token = {"Authorization": f"Bearer {seats.take_seat('player-a')}"}
        assert phone.post("/api/v1/ask", json=many, headers=token).status_code == 200


def test_who_waits_for_the_answer_of_one_who_hung_up_gets_it_all_the_same() -> None:
    tried: list[int] = []

    def ask(state: TableState, query: BaseQuery) -> Verdict:
        tried.append(1)
        if len(tried) == 1:
            waits.start()
            raise AskerGone
        return fakes.ask(state, query)

    found: list[Any] = []
    query = Distance(a="m1", b="m2")
    cache = VerdictCache(ask)
    waits = threading.Thread(target=lambda: found.append(cache(skirmish(), query)))

    assert cache(skirmish(), query).status == "measured"
    waits.join(PATIENCE_S)
    assert [one.status for one in found] == ["measured"]


def test_the_judge_goes_before_players_and_they_before_viewers() -> None:
    waits_s = []
    for rank in (Rank.JUDGE, Rank.PLAYER, Rank.VIEWER):
        with answering(Asker(rank)):
            waits_s.append(extra_wait_s())

    assert waits_s == sorted(waits_s)
    assert waits_s[1] == 0


def test_whose_address_has_spent_its_processor_time_is_told_when_to_ask_again() -> None:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    seats = SeatSessions(hub.journal)
    spent_s = iter([LIMITS[Rank.VIEWER].burst_s + 1, 0.0, 0.0])

    def ask(state: TableState, query: BaseQuery) -> Verdict:
        asker = current_asker()
        assert asker is not None
        assert asker.allowance is not None
        asker.allowance.spend(next(spent_s))
        return fakes.ask(state, query)

    app = create_app(hub, seats=seats)
    app.state.table.referee = HaltGuard(hub, VerdictCache(ask))
    with TestClient(app) as phone:
        assert phone.post("/api/v1/ask", json=LISTED[:1]).status_code == 200
        refused = phone.post("/api/v1/ask", json=LISTED[1:2])
        assert (refused.status_code, refused.json()["type"]) == (503, "world/over_budget")
        assert int(refused.headers["retry-after"]) == refused.json()["retry_after_s"] > 0
        token = {"Authorization": f"Bearer {seats.take_seat('player-a')}"}
        assert phone.post("/api/v1/ask", json=LISTED[1:2], headers=token).status_code == 200


def test_what_is_over_budget_after_the_first_line_is_a_problem_in_the_last() -> None:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))

    def ask(state: TableState, query: BaseQuery) -> Verdict:
        if query.kind in ("charge", "engaged", "range"):  # type: ignore[attr-defined]
            raise over_budget()
        return referee.ask(state, query)

    with TestClient(create_app(hub, ask=ask)) as phone:
        lines = phone.post("/api/v1/ask-one", json={"who": "m1"}, headers={"Accept": NDJSON}).text.splitlines()

    assert json.loads(lines[0])["is_whole"] is False
    assert json.loads(lines[-1])["problem"]["type"] == "world/over_budget"
