"""Supervision: whatever goes on beside the requests of a table or a hub, its death is told and it is started again."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from api.evaluation.worker_pool import WorkerPool
from api.hall import table_link
from api.hall.hub_app import create_hub_app
from api.hall.keys import make_keys
from api.hall.store import HallStore
from api.journal.file_journal import FileJournal
from api.live.alarms import Alarms
from api.live.hub import Hub
from api.overlay.cues import Cue, Cues
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES
from api.supervision import RemoteBell, Supervisor, run_in_thread
from tests.api.fakes import ask
from tests.api.hall.test_hub_app import as_seat, wait_until

EVENT = make_keys("spring", tables=3, judges=("Anna",))


class Deaf:
    """A program of a studio that cues are never sent to."""

    name = "studio"

    async def deliver(self, cue: Cue) -> None:
        raise AssertionError(cue)


def supervised(bell: Alarms) -> Supervisor:
    return Supervisor(bell, first_s=0.01, steady_s=0.1)


def test_a_task_that_dies_is_told_and_started_again_until_it_is_steady() -> None:
    heard: list[tuple[str, ...]] = []

    async def play() -> int:
        bell = Alarms(changed=lambda: heard.append(tuple(alarm.says for alarm in bell.all())))
        starts = 0

        async def work() -> None:
            nonlocal starts
            starts += 1
            if starts < 3:
                raise KeyError("gone")
            await asyncio.Event().wait()

        async with supervised(bell).keep({"lines": work}):
            while len(heard) < 2:
                await asyncio.sleep(0.01)
        return starts

    assert asyncio.run(play()) == 3
    assert heard == [("“lines” failed (KeyError: 'gone') and is started again.",), ()]


def test_a_task_that_comes_to_its_end_is_no_alarm_and_one_that_is_stopped_is_waited_for() -> None:
    ended: list[str] = []

    async def play() -> tuple[Any, ...]:
        bell, over = Alarms(changed=lambda: None), asyncio.Event()

        async def finish() -> None:
            ended.append("by itself")

        async def write() -> None:
            await over.wait()
            await asyncio.sleep(0.05)
            ended.append("after it was stopped")

        async def stop() -> None:
            over.set()

        async with supervised(bell).keep({"once": finish, "writer": write}, stop=stop):
            await asyncio.sleep(0.02)
        return bell.all()

    assert asyncio.run(play()) == ()
    assert ended == ["by itself", "after it was stopped"]


def test_two_servers_of_one_table_end_each_its_own_tasks_of_one_name() -> None:
    async def play() -> int:
        tasks, outer, inner = Supervisor(Alarms(changed=lambda: None)), asyncio.Event(), asyncio.Event()

        async def beat(begun: asyncio.Event) -> None:
            begun.set()
            await asyncio.Event().wait()

        async with tasks.keep({"heartbeat": lambda: beat(outer)}):
            await outer.wait()
            async with tasks.keep({"heartbeat": lambda: beat(inner)}):
                await inner.wait()
        return len(tasks.tasks)

    assert asyncio.run(asyncio.wait_for(play(), 60)) == 0


def test_a_thread_that_dies_is_told_as_a_task_is_also_from_another_loop() -> None:
    async def play() -> list[str]:
        bell, heard = Alarms(changed=lambda: heard.set()), asyncio.Event()

        def work() -> None:
            raise OSError("no more files")

        async with Supervisor(RemoteBell(bell, asyncio.get_running_loop())).keep(
            {"camera": lambda: run_in_thread(work)}
        ):
            await asyncio.wait_for(heard.wait(), 60)
        return [alarm.code for alarm in bell.all()]

    assert asyncio.run(play()) == ["task-camera"]


class Served:
    """A server whose tasks can be ended, and where its alarms show."""

    def __init__(self, app: FastAPI, tasks: Supervisor, health: str, shown: Callable[[TestClient], list[str]]) -> None:
        self.app, self.tasks, self.health, self.shown = app, tasks, health, shown


@pytest.fixture(params=["table", "hub"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    if request.param == "table":
        with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
            hub = Hub(title="Table 3", journal=journal)
            app = create_app(hub, ask=ask, pool=WorkerPool(workers=0), cues=Cues([Deaf()]))
            yield Served(app, hub.tasks, "/api/v1/health", lambda client: codes(client.get("/api/v1/bench")))
    else:
        store = HallStore(f"sqlite:///{tmp_path / 'hall.sqlite'}", "spring", tables=range(1, 4))
        app = create_hub_app(store, EVENT[0])
        judge = as_seat(EVENT, "Anna")
        yield Served(
            app,
            app.state.board.tasks,
            "/api/v1/hall/health",
            lambda client: codes(client.get("/api/v1/hall", headers=judge)),
        )
        store.close()


def codes(answer: Any) -> list[str]:
    return [alarm["code"] for alarm in answer.json().get("alarms", [])]


def test_each_task_of_a_server_is_told_when_it_ends_and_goes_on(served: Served) -> None:
    with TestClient(served.app) as client:
        assert client.portal is not None
        names = sorted(served.tasks.tasks)
        for name in names:
            first = served.tasks.tasks[name]
            client.portal.call(first.cancel)
            wait_until(lambda name=name: f"task-{name}" in codes(client.get(served.health)))
            wait_until(lambda name=name, first=first: served.tasks.tasks[name] is not first)
        shown = served.shown(client)

    assert names in (["cues-1-studio", "heartbeat"], ["hall", "spectators"])
    assert {f"task-{name}" for name in names} <= set(shown)


class Broken:
    """A way to a hub on which nothing is as anybody thought of."""

    async def fail(self, *_: Any) -> None:
        raise ZeroDivisionError

    read_tail = publish = send_glance = read_orders = read_witness = fail

    async def close(self) -> None:
        pass


def test_each_task_of_a_link_to_a_hall_is_told_at_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_link, "open_transport", lambda _url, _key: Broken())
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        link = table_link.TableLink(tmp_path, "http://127.0.0.1:9", EVENT[1][2])
        app = create_app(Hub(title="Table 3", journal=journal), ask=ask, hall=link, pool=WorkerPool(workers=0))
        with TestClient(app) as client:
            expected = {"task-hall-lines", "task-hall-glance", "task-hall-orders", "task-hall-witness"}
            wait_until(lambda: expected <= set(codes(client.get("/api/v1/health"))))
