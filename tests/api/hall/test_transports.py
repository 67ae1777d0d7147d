"""HTTP and NATS, SQLite and PostgreSQL, the real servers: one interface, the same behaviour."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from api.clocks.entries import ClocksSet
from api.hall import nats_transport
from api.hall.envelope import JournalIdentity, RawLine, source_of, wrap_line
from api.hall.errors import HubAway, HubDisagrees, HubRefused, NoJetStream
from api.hall.hub_app import create_hub_app
from api.hall.keys import make_keys, write_keys
from api.hall.nats_feed import NatsFeed
from api.hall.nats_transport import NatsTransport, connect_nats, translate_errors
from api.hall.store import HallStore
from api.hall.table_link import open_transport
from api.hall.transport import Order, Transport, stream_of
from api.journal.file_journal import NAME, FileJournal
from api.journal.signature import public_key
from api.server.journal_entries import ENTRY_CLASSES
from tests.api.hall.hall_tables import Hall, Made, Table
from tests.api.hall.servers import Broker, Postgres, start_broker
from tests.api.hall.test_hall import J1, lines_of, send_until, written
from tests.api.hall.test_hub_app import as_seat, wait_until
from tests.api.serving import call_api, serve_app, start_program


@pytest.fixture(scope="module")
def made() -> Made:
    return make_keys("spring", tables=12, judges=("Anna",))


@pytest.fixture
def broker(made: Made, tmp_path: Path) -> Iterator[Broker]:
    write_keys(tmp_path / "keys", *made)
    (tmp_path / "broker").mkdir()
    with start_broker(tmp_path / "broker", (tmp_path / "keys" / "nats.conf").read_text()) as started:
        yield started


@pytest.fixture(params=["http", "nats"])
def hall(request: pytest.FixtureRequest, database: str, made: Made) -> Iterator[Hall]:
    store = HallStore(database, "spring", tables=range(1, 13))
    with ExitStack() as stack:
        stack.callback(store.close)
        if request.param == "http":
            page = stack.enter_context(serve_app(create_hub_app(store, made[0])))
            yield Hall(store, page, page, made)
        else:
            broker = request.getfixturevalue("broker")
            feed = NatsFeed(broker.url, made[0])
            page = stack.enter_context(serve_app(create_hub_app(store, made[0], broker=feed.run)))
            call_api(page, "seat")  # once it answers, it has made its stream
            yield Hall(store, page, broker.url, made)


def test_every_line_reaches_the_hub_as_it_stands_in_the_file(hall: Hall, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    written(folder, *range(1, 30))
    send_until(folder, hall.transport(), lambda _: len(hall.store.texts_of(12)) == 29, hall.key)
    written(folder, 40, 41)
    send_until(folder, hall.transport(), lambda _: len(hall.store.texts_of(12)) == 31, hall.key)

    assert hall.store.texts_of(12) == lines_of(folder)


def test_an_old_copy_is_told_and_goes_on_as_another_journal_once_it_is_let_in(hall: Hall, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    written(folder, 1, 2)
    old = (folder / NAME).read_bytes()
    written(folder, 3)
    send_until(folder, hall.transport(), lambda _: len(hall.store.texts_of(12)) == 3, hall.key)
    (folder / NAME).write_bytes(old)
    written(folder, 30)
    told = send_until(folder, hall.transport(), lambda told: bool(told and told[-1]), hall.key)
    kept, before = hall.store.texts_of(12), JournalIdentity(folder).id
    call_release(hall)
    send_until(folder, hall.transport(), lambda _: hall.store.texts_of(12) == lines_of(folder), hall.key)

    assert "restored from an old copy" in str(told[-1])
    assert len(kept) == 3
    assert JournalIdentity(folder).id != before


def test_a_second_machine_under_the_same_number_is_told(hall: Hall, tmp_path: Path) -> None:
    written(tmp_path / "first", 1, 2)
    written(tmp_path / "second", 5)
    send_until(tmp_path / "first", hall.transport(), lambda _: len(hall.store.texts_of(12)) == 2, hall.key)
    told = send_until(tmp_path / "second", hall.transport(), bool, hall.key)

    assert "table 12 is written by another journal" in str(told[-1])
    assert hall.store.texts_of(12) == lines_of(tmp_path / "first")


def test_a_table_is_asked_what_the_hall_wants_of_it(hall: Hall) -> None:
    text = '{"n":1,"at_s":5.0,"entry":{"type":"judge-called","by":"player-a","verdict":null}}'
    called = wrap_line(RawLine(1, 0, 5.0, text), journal=J1, source=source_of("spring", 12))
    exchange(hall.transport(), lambda one: one.publish([called]), lambda one: one.read_tail())
    wait_until(lambda: bool(hall.ask("Anna", "hall")["calls"]))
    (call,) = hall.ask("Anna", "hall")["calls"]
    hall.ask("Anna", f"hall/calls/{call['id']}/take", method="POST")
    orders = exchange(hall.transport(), wait_for_orders)

    assert [(one.kind, one.facts["says"]) for one in orders] == [("say", "Anna is on the way.")]


def test_the_hub_countersigns_how_far_a_table_has_come(hall: Hall, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    nothing = exchange(hall.transport(), lambda one: one.read_witness())
    with closing(FileJournal(folder, ENTRY_CLASSES)) as journal:
        journal.write(ClocksSet(by="judge", total_s=3600))
        head = str(journal.head())
    send_until(folder, hall.transport(), lambda _: bool(hall.store.texts_of(12)), hall.key)
    seen = exchange(hall.transport(), lambda one: one.read_witness())

    assert nothing is None
    assert (seen.event, seen.table, seen.head, seen.is_signed()) == ("spring", 12, head, True)
    assert hall.made[0].signing_key is not None
    assert seen.key == public_key(hall.made[0].signing_key)


def test_a_key_of_another_event_opens_nothing(hall: Hall) -> None:
    _, strangers = make_keys("autumn", tables=12, judges=())
    with pytest.raises((HubRefused, HubAway)):
        exchange(open_transport(hall.url, strangers[11]), lambda one: one.read_tail())


async def wait_for_orders(transport: Transport) -> list[Order]:
    """A table asks again and again: any hub answers, a little after another was told."""
    while not (orders := await transport.read_orders(0)):
        await asyncio.sleep(0.02)
    return orders


def exchange(transport: Transport, *works: Callable[[Transport], Any]) -> Any:
    """What the last of these gives."""

    async def main() -> Any:
        try:
            found = None
            for work in works:
                found = await work(transport)
            return found
        finally:
            await transport.close()

    return asyncio.run(main())


def test_a_link_that_is_ended_in_the_moment_of_an_answer_ends() -> None:
    async def main() -> bool:
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def ask() -> None:
            with translate_errors():
                await asyncio.wait_for(answer, 120)

        asking = asyncio.create_task(ask())
        await asyncio.sleep(0)
        answer.set_result(1)
        asking.cancel()
        await asyncio.wait([asking])
        return asking.cancelled()

    assert asyncio.run(main())


def call_release(hall: Hall) -> None:
    import urllib.request

    headers = as_seat(hall.made, "Organiser")
    request = urllib.request.Request(f"{hall.page}api/v1/hall/tables/12/release", headers=headers, method="POST")
    urllib.request.urlopen(request, timeout=120).close()


def test_the_broker_keeps_no_repeat_of_a_link_that_forgot_it(broker: Broker, made: Made, tmp_path: Path) -> None:
    store = HallStore("sqlite://", "spring", tables=[])
    line = wrap_line(RawLine(1, 0, 5.0, '{"n":1}'), journal=J1, source=source_of("spring", 12))

    async def main() -> int:
        client = await connect_nats(broker.url, made[0].hub_seed)
        await NatsFeed(broker.url, made[0])._make_stream(client)
        first, again = (NatsTransport(broker.url, made[1][11]) for _ in range(2))
        await first.publish([line])
        with pytest.raises(HubDisagrees):  # upon which a link reads how far the stream came
            await again.publish([line])
        await first.close()
        await again.close()
        info = await client.jsm().stream_info(stream_of("spring"))
        await client.close()
        return info.state.messages

    count = asyncio.run(main())
    store.close()
    assert count == 1


def test_a_table_cannot_publish_under_another_number(broker: Broker, made: Made) -> None:
    """The broker itself refuses, whatever the table's program is."""
    wrong = made[1][10].model_copy(update={"table": 12})
    line = wrap_line(RawLine(1, 0, 5.0, '{"n":1}'), journal=J1, source=source_of("spring", 12))

    async def main() -> int:
        client = await connect_nats(broker.url, made[0].hub_seed)
        await NatsFeed(broker.url, made[0])._make_stream(client)
        transport = NatsTransport(broker.url, wrong)
        with pytest.raises(HubAway):
            await transport.publish([line])
        await transport.close()
        info = await client.jsm().stream_info(stream_of("spring"))
        await client.close()
        return info.state.messages

    assert asyncio.run(main()) == 0


def test_a_broker_without_jetstream_is_named(made: Made, tmp_path: Path) -> None:
    write_keys(tmp_path / "keys", *made)
    told = (tmp_path / "keys" / "nats.conf").read_text().replace("jetstream { store_dir: nats-data }\n", "")

    async def main(url: str) -> None:
        client = await connect_nats(url, made[0].hub_seed)
        try:
            await NatsFeed(url, made[0])._make_stream(client)
        finally:
            await client.close()

    with start_broker(tmp_path, told) as broker, pytest.raises(NoJetStream, match="JetStream not enabled"):
        asyncio.run(main(broker.url))


def test_a_broker_killed_in_the_middle_loses_nothing(broker: Broker, made: Made, tmp_path: Path) -> None:
    store = HallStore(f"sqlite:///{tmp_path}/hall.sqlite", "spring", tables=range(1, 13))
    app = create_hub_app(store, made[0], broker=NatsFeed(broker.url, made[0]).run)
    with serve_app(app) as page, Table(tmp_path / "table", Hall(store, page, broker.url, made)) as table:
        table.write(20)
        wait_until(lambda: len(store.texts_of(12)) > 0)
        broker.kill()
        table.write(20)
        broker.start()
        table.write(20)
        wait_until(table.has_arrived)
    held = store.texts_of(12)
    store.close()

    assert len(held) == 60


def test_a_database_that_is_restarted_loses_nothing(
    broker: Broker, postgres: Postgres, made: Made, tmp_path: Path
) -> None:
    store = HallStore(postgres.new_database(), "spring", tables=range(1, 13))
    app = create_hub_app(store, made[0], broker=NatsFeed(broker.url, made[0]).run)
    with serve_app(app) as page, Table(tmp_path / "table", Hall(store, page, broker.url, made)) as table:
        table.write(20)
        wait_until(lambda: len(store.texts_of(12)) > 0)
        postgres.kill()
        table.write(20)
        postgres.start()
        wait_until(table.has_arrived)
    held = store.texts_of(12)
    store.close()

    assert len(held) == 40


def test_either_of_two_hubs_may_die(broker: Broker, postgres: Postgres, made: Made, tmp_path: Path) -> None:
    """They share the broker's consumer and the database; what one took and did not acknowledge the other gets."""
    address = postgres.new_database()
    arguments = ("hub", "run", "--keys", str(tmp_path / "keys"), "--database", address, "--nats", broker.url)
    store = HallStore(address, "spring", tables=range(1, 13))
    with start_program(*arguments) as first, start_program(*arguments) as second:
        pages = [json.loads(hub.stdout.readline())["urls"][0] for hub in (first, second) if hub.stdout]
        with Table(tmp_path / "table", Hall(store, pages[1], broker.url, made)) as table:
            table.write(30)
            wait_until(lambda: len(store.texts_of(12)) > 0)
            first.kill()
            table.write(30)
            wait_until(table.has_arrived)
            seen = Hall(store, pages[1], broker.url, made)
            wait_until(lambda: seen.ask("Anna", "hall")["tables"][11]["line"] == 60)
    held = store.texts_of(12)
    store.close()

    assert len(held) == 60


def test_lines_glances_and_orders_go_over_one_connection(
    broker: Broker, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They begin at once; each with a connection of its own would be three a table at the broker."""
    opened: list[str] = []

    async def connect(url: str, seed: str | None, *, inbox: str) -> Any:
        opened.append(url)
        return await connect_nats(url, seed, inbox=inbox)

    monkeypatch.setattr(nats_transport, "connect_nats", connect)

    async def send_at_once() -> None:
        transport = NatsTransport(broker.url, made[1][11])
        await asyncio.gather(*(transport.send_glance({}) for _ in range(3)))
        await transport.close()

    asyncio.run(send_at_once())

    assert opened == [broker.url]
