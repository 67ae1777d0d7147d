"""Tables that the network cuts off play on, touch no other, and hand all over once they are back."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest

from api.hall.hub_app import create_hub_app
from api.hall.keys import make_keys, write_keys
from api.hall.nats_feed import NatsFeed
from api.hall.store import HallStore
from tests.api.hall.hall_tables import Cable, Hall, Made, Table
from tests.api.hall.servers import start_broker
from tests.api.hall.test_hall import lines_of
from tests.api.hall.test_hub_app import wait_until
from tests.api.serving import serve_app

CUT_S = 180.0
CUT_OFF = range(1, 5)


@pytest.fixture(scope="module")
def made() -> Made:
    return make_keys("spring", tables=12, judges=("Anna",))


def port_of(url: str) -> int:
    return int(url.rsplit(":", 1)[1].strip("/"))


def test_a_table_that_is_cut_off_sends_all_when_it_is_back(made: Made, tmp_path: Path) -> None:
    """A proxy that drops everything stands for the network."""
    store = HallStore(f"sqlite:///{tmp_path}/hall.sqlite", "spring", tables=range(1, 13))
    with (
        serve_app(create_hub_app(store, made[0])) as page,
        Cable(port_of(page)) as cable,
        Table(tmp_path / "table", Hall(store, page, cable.url, made)) as table,
    ):
        table.write(5)
        wait_until(table.has_arrived)
        cable.cut()
        table.write(5)
        wait_until(lambda: cable.refused > 2)
        before = len(store.texts_of(12))
        cable.mend()
        wait_until(table.has_arrived)
    held = len(store.texts_of(12))
    store.close()

    assert (before, held) == (5, 10)


def test_a_third_of_the_tables_is_cut_off_and_no_other_is_touched(made: Made, tmp_path: Path) -> None:
    store = HallStore(f"sqlite:///{tmp_path}/hall.sqlite", "spring", tables=range(1, 13))
    with ExitStack() as stack:
        stack.callback(store.close)
        page = stack.enter_context(serve_app(create_hub_app(store, made[0])))
        cable = stack.enter_context(Cable(port_of(page)))
        addresses = {n: cable.url if n <= 2 else page for n in range(1, 7)}
        tables = {
            n: stack.enter_context(Table(tmp_path / str(n), Hall(store, page, url, made), number=n))
            for n, url in addresses.items()
        }
        cable.cut()
        for table in tables.values():
            table.write(8)
        wait_until(lambda: all(tables[n].has_arrived() for n in range(3, 7)) and cable.refused > 4)
        cut_off = [len(store.texts_of(n)) for n in (1, 2)]
        cable.mend()
        wait_until(lambda: all(table.has_arrived() for table in tables.values()))

    assert cut_off == [0, 0]


@pytest.fixture(params=["http", "nats"])
def cut_hall(request: pytest.FixtureRequest, made: Made, tmp_path: Path) -> Iterator[tuple[Hall, Hall, Cable]]:
    """A hub as most tables reach it, as the others do, and the cable between those and it."""
    with ExitStack() as stack:
        if request.param == "http":
            store = HallStore(f"sqlite:///{tmp_path}/hall.sqlite", "spring", tables=range(1, 13))
            stack.callback(store.close)
            page = url = stack.enter_context(serve_app(create_hub_app(store, made[0])))
        else:
            write_keys(tmp_path / "keys", *made)
            (tmp_path / "broker").mkdir()
            told = (tmp_path / "keys" / "nats.conf").read_text()
            url = stack.enter_context(start_broker(tmp_path / "broker", told)).url
            database = request.getfixturevalue("postgres").new_database()
            store = HallStore(database, "spring", tables=range(1, 13))
            stack.callback(store.close)
            app = create_hub_app(store, made[0], broker=NatsFeed(url, made[0]).run)
            page = stack.enter_context(serve_app(app))
        cable = stack.enter_context(Cable(port_of(url)))
        through = cable.url.replace("http", url.split(":")[0])
        yield Hall(store, page, url, made), Hall(store, page, through, made), cable


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_third_of_the_tables_is_lost_for_minutes_and_every_line_arrives_once(
    cut_hall: tuple[Hall, Hall, Cable], tmp_path: Path
) -> None:
    """Nothing passes and nothing is refused, as when an access point fails; what was under way arrives late."""
    hall, lost, cable = cut_hall
    with ExitStack() as stack:
        tables = {n: Table(tmp_path / str(n), lost if n in CUT_OFF else hall, number=n) for n in range(1, 13)}
        for table in tables.values():
            stack.enter_context(table).write(3)
        wait_until(lambda: all(table.has_arrived() for table in tables.values()))
        cable.hold()
        shown: list[list[int]] = []
        begun_s = time.monotonic()
        while time.monotonic() < begun_s + CUT_S:
            for table in tables.values():
                table.write(1)
            wait_until(lambda: all(table.has_arrived() for n, table in tables.items() if n not in CUT_OFF))
            shown.append([row["line"] for row in hall.ask("Anna", "hall")["tables"]])
            threading.Event().wait(0.5)
        cable.mend()
        wait_until(lambda: all(table.has_arrived() for table in tables.values()))
    numbers = [len(lines_of(table.folder)) for table in tables.values()]

    assert [lines[:4] for lines in shown] == [[3] * 4] * len(shown)
    assert all(later >= earlier for one in zip(*shown, strict=True) for earlier, later in pairwise(one))
    assert [len(hall.store.texts_of(n)) for n in tables] == numbers == [3 + len(shown)] * 12
