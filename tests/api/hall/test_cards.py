"""Cards: a phone reads the code on each, and it opens what the card says."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
import zxingcpp
from starlette.testclient import TestClient
from typer.testing import CliRunner

from api.cli import app
from api.hall.cards import render_cards
from api.hall.hub_app import create_hub_app
from api.hall.keys import EventKeys, read_event_keys, write_keys
from api.hall.store import HallStore
from models.errors import BadInput
from tests.api.hall.test_hub_app import Made, as_seat, as_table, made  # noqa: F401  # the fixture
from tests.api.hall.test_quarantine import GLANCE, message

URL = "http://192.168.1.10:8020"


@pytest.fixture
def client(tmp_path: Path, made: Made) -> Iterator[TestClient]:  # noqa: F811
    store = HallStore(f"sqlite:///{tmp_path / 'hall.sqlite'}", "spring", tables=range(1, 13))
    with TestClient(create_hub_app(store, made[0]), follow_redirects=False) as client:
        yield client
    store.close()


def read_codes(pdf: bytes) -> list[str]:
    pages = [np.asarray(page.render(scale=2).to_numpy()) for page in pypdfium2.PdfDocument(pdf)]
    return [code.text for page in pages for code in zxingcpp.read_barcodes(page)]


def addresses_of(keys: EventKeys) -> list[str]:
    tables = [f"{URL}/t/{one.table}?key={one.card}" for one in keys.tables]
    return tables + [f"{URL}/j/{one.code}" for one in keys.seats]


def test_a_phone_reads_the_code_of_every_card(made: Made) -> None:  # noqa: F811
    assert sorted(read_codes(render_cards(made[0], URL + "/"))) == sorted(addresses_of(made[0]))


def test_keys_come_with_their_cards(tmp_path: Path) -> None:
    options = ["--event", "spring", "--tables", "2", "--judge", "Anna", "--out", str(tmp_path / "keys"), "--url", URL]
    done = CliRunner().invoke(app, ["hub", "keys", *options])
    pdf = (tmp_path / "keys" / "cards.pdf").read_bytes()

    assert done.exit_code == 0
    assert sorted(read_codes(pdf)) == sorted(addresses_of(read_event_keys(tmp_path / "keys")))
    assert (tmp_path / "keys" / "cards.pdf").stat().st_mode & 0o077 == 0


def test_cards_are_printed_again_of_keys_that_exist(made: Made, tmp_path: Path) -> None:  # noqa: F811
    write_keys(tmp_path, *made)
    done = CliRunner().invoke(app, ["hub", "keys", "--out", str(tmp_path), "--url", URL, "--json"])
    printed = json.loads(done.stdout)

    assert sorted(read_codes(Path(printed["cards"]).read_bytes())) == sorted(addresses_of(made[0]))
    assert [seat["code"] for seat in printed["seats"]] == [seat.code for seat in made[0].seats]


def test_what_is_no_address_is_said_by_name(made: Made) -> None:  # noqa: F811
    with pytest.raises(BadInput) as wrong:
        render_cards(made[0], "hall.local")

    assert (wrong.value.field, wrong.value.value) == ("url", "hall.local")


def test_a_card_of_a_table_that_is_not_there_waits_for_it(client: TestClient, made: Made) -> None:  # noqa: F811
    answer = client.get(f"/t/3?key={made[0].tables[2].card}")

    assert answer.status_code == 503
    assert "Table 3 is not there yet" in answer.text


@pytest.mark.parametrize("path", ["/t/3?key=wrong", "/t/99?key=wrong"])
def test_a_card_that_was_made_up_opens_nothing(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 403


def test_the_card_of_another_table_opens_nothing(client: TestClient, made: Made) -> None:  # noqa: F811
    assert client.get(f"/t/3?key={made[0].tables[3].card}").status_code == 403


def test_without_a_card_one_watches(client: TestClient) -> None:
    assert client.get("/t/3").headers["location"] == "/hall/tables/3"


@pytest.mark.parametrize(
    ("address", "is_asked"),
    [
        ("http://evil.example/", True), ("http://203.0.113.7:8017/", False), ("http://8.8.8.8/", True),
        ("http://10.0.0.3:8017/", False), ("http://table-3.local/", False), ("http://[fd00::3]/", False),
    ],
)  # fmt: skip
def test_a_table_that_names_a_host_which_is_not_its_own_is_looked_at_first(
    client: TestClient,
    made: Made,  # noqa: F811
    address: str,
    is_asked: bool,
) -> None:
    own, official = as_table(made, 12), as_seat(made, "Anna")
    codes = {"judge": "ABC234", "players": "DEF567"}
    line = {"n": 1, "at_s": 5.0, "entry": {"type": "settled"}}
    client.post(
        "/api/v1/hall/tables/12/journal", json=[message(12, 1, json.dumps(line)).model_dump(mode="json")], headers=own
    )
    glance = GLANCE | {"address": address, "codes": codes, "clock_s": None}
    assert client.put("/api/v1/hall/tables/12/glance", json=glance, headers=own).status_code == 204
    door = client.get("/api/v1/hall/tables/12/door", headers=official).json()
    card = client.get(f"/t/12?key={made[0].tables[11].card}", follow_redirects=False)

    assert door["url"] == f"{address}j/ABC234"
    assert (door["asks_about"] is not None) == is_asked
    assert (card.status_code, f"{address}j/DEF567" in (card.text or card.headers["location"])) == (
        200 if is_asked else 303,
        True,
    )
