"""Bad input at the hall: each is said by name where it is read, nothing is half imported, no other table is touched."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from api.cli import app
from api.hall.envelope import source_of
from api.hall.errors import BadKey, HallStoreFailed, HubAway, HubRefused, NoJetStream
from api.hall.hub_app import create_hub_app
from api.hall.keys import make_keys, write_keys
from api.hall.store import HallStore
from tests.api.hall.hall_tables import Made
from tests.api.hall.servers import start_broker
from tests.api.hall.test_hall import envelope
from tests.api.hall.test_hub_app import as_seat, as_table
from tests.api.serving import find_free_port
from tests.api.worlds import SKIRMISH

GOOD = "Round,Table,Player 1,Player 2\n1,3,Ada,Ben\n"
WRONG = {
    "unknown columns": "Tisch,Heim,Gast\n4,Cem,Dot\n",
    "a table twice": "Round,Table,Player 1,Player 2\n2,4,Cem,Dot\n2,4,Eve,Fay\n",
    "a name twice": "Round,Table,Player 1,Player 2\n2,4,Cem,Dot\n2,5,cem ,Fay\n",
    "a table that is not there": "Round,Table,Player 1,Player 2\n2,4,Cem,Dot\n2,99,Eve,Fay\n",
    "too many rows": "Round,Player 1,Player 2\n" + "".join(f"2,a{n},b{n}\n" for n in range(20_000)),
}


@pytest.fixture(scope="module")
def made() -> Made:
    return make_keys("spring", tables=12, judges=("Anna",))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HallStore]:
    opened = HallStore(f"sqlite:///{tmp_path / 'hall.sqlite'}", "spring", tables=range(1, 13))
    yield opened
    opened.close()


@pytest.fixture
def client(store: HallStore, made: Made) -> Iterator[TestClient]:
    with TestClient(create_hub_app(store, made[0])) as client:
        yield client


def run(*arguments: str) -> BaseException | None:
    return CliRunner().invoke(app, arguments).exception


@pytest.mark.parametrize("name", sorted(WRONG))
def test_a_pairing_file_that_is_wrong_leaves_the_rounds_as_they_were(
    client: TestClient, store: HallStore, made: Made, name: str
) -> None:
    organiser = as_seat(made, "Organiser")
    client.post("/api/v1/hall/rounds", content=GOOD, headers=organiser)
    before = client.get("/api/v1/hall/export.json", headers=organiser).json(), store.settings()
    refused = client.post("/api/v1/hall/rounds", content=WRONG[name], headers=organiser)
    after = client.get("/api/v1/hall/export.json", headers=organiser).json(), store.settings()

    assert refused.status_code in (413, 422)
    assert refused.json()["field"]
    assert refused.json()["detail"]
    assert len(before[0]["rounds"]) == 1
    assert after == before


@pytest.mark.parametrize(
    ("change", "field"),
    [({"source": source_of("autumn", 12)}, "source"), ({"lineversion": 2}, "lineversion")],
    ids=["another event", "a newer version"],
)
def test_a_batch_with_a_strange_message_is_refused_whole_and_no_other_table_is_touched(
    client: TestClient, store: HallStore, made: Made, change: dict[str, Any], field: str
) -> None:
    store.take(11, [envelope(1).model_copy(update={"source": source_of("spring", 11)})])
    before = [store.texts_of(number) for number in range(1, 13)]
    batch = [envelope(1).model_dump(mode="json"), envelope(2).model_dump(mode="json") | change]
    refused = client.post("/api/v1/hall/tables/12/journal", content=json.dumps(batch), headers=as_table(made, 12))

    assert (refused.status_code, refused.json()["field"]) == (422, field)
    assert [store.texts_of(number) for number in range(1, 13)] == before


@pytest.mark.parametrize(
    ("file", "says"), [("table-2.json", "key of table 2, not of 3"), ("event.json", "event.json is no key of a table")]
)
def test_a_table_does_not_start_with_a_key_that_is_not_its_own(
    made: Made, tmp_path: Path, file: str, says: str
) -> None:
    write_keys(tmp_path / "keys", *made)
    options = ["--data", str(tmp_path / "table"), "--hub", "http://127.0.0.1:1", "--table", "3"]
    wrong = run("serve", "--state", str(SKIRMISH), *options, "--key", str(tmp_path / "keys" / file))

    assert isinstance(wrong, BadKey)
    assert says in str(wrong)


def test_a_hub_does_not_start_at_a_broker_that_keeps_no_streams_or_does_not_know_it(made: Made, tmp_path: Path) -> None:
    write_keys(tmp_path / "keys", *made)
    write_keys(tmp_path / "others", *make_keys("autumn", tables=1, judges=()))
    told = (tmp_path / "keys" / "nats.conf").read_text().replace("jetstream { store_dir: nats-data }\n", "")
    hub = ("hub", "run", "--data", str(tmp_path / "hub"), "--port", "0", "--nats")
    with start_broker(tmp_path, told) as broker:
        without = run(*hub, broker.url, "--keys", str(tmp_path / "keys"))
        strange = run(*hub, broker.url, "--keys", str(tmp_path / "others"))
    away = run(*hub, f"nats://127.0.0.1:{find_free_port()}", "--keys", str(tmp_path / "keys"))

    assert isinstance(without, NoJetStream)
    assert f"{broker.url} has JetStream not enabled" in str(without)
    assert isinstance(strange, HubRefused)
    assert isinstance(away, HubAway)


@pytest.mark.timeout(60)  # the driver alone would wait for 130 s
def test_a_database_that_never_answers_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(HallStoreFailed, match="timeout"):
            HallStore(f"postgresql+psycopg://127.0.0.1:{port}/hall", "spring", tables=range(1, 13))
