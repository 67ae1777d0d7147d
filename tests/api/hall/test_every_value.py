"""Every JSON value in every field of every message, by HTTP and by broker: only the liar's own table shows of it."""

import asyncio
import http.client
import json
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

import pytest
from nats.aio.client import Client

from api.hall.envelope import Envelope
from api.hall.nats_transport import connect_nats
from api.hall.table_link import open_transport
from api.hall.transport import headers_of, inbox_of, subject_of
from tests.api.hall.hall_tables import Hall
from tests.api.hall.test_hall import EVENT, J2
from tests.api.hall.test_hub_app import as_table, wait_until
from tests.api.hall.test_quarantine import GLANCE, NOW_S, entries, good, message
from tests.api.hall.test_transports import broker, exchange, hall, made

__all__ = ["broker", "hall", "made"]  # fixtures

LIAR, WITNESS = 12, 11
VALUES = (
    "null", "true", "false", "0", "-1", "1.5", "2147483648", "1" + "0" * 30, "1e308", "-1e308", "1e400", "NaN",
    "253402300799",
    '""', '"x"', '"\\u0000"', '"\\ud800"', '"\\ud83d\\ude00"', '"' + "a" * 30_000 + '"', "[]", "[[1]]", "{}",
    '{"a":{"b":[null]}}', "[" * 300 + "]" * 300,
)  # fmt: skip
FEW = ("null", "1e308", '"\\ud800"', "[[1]]")
_HOLE = "\x00hole"
Path_ = tuple[str, ...]


def paths(document: Any, above: Path_ = ()) -> Iterator[Path_]:
    """Where a value stands in the document, itself first."""
    yield above
    for name, value in document.items() if isinstance(document, dict) else ():
        yield from paths(value, (*above, name))


def filled(document: Any, path: Path_, value: str) -> str:
    """The document as JSON, with this text in the place of what stands there."""
    copy = json.loads(json.dumps({"": document}))
    owner, names = copy, ("", *path)
    for name in names[:-1]:
        owner = owner[name]
    owner[names[-1]] = _HOLE
    return json.dumps(copy[""]).replace(json.dumps(_HOLE), value)


def every(document: Any, values: Sequence[str]) -> Iterator[str]:
    for path in paths(document):
        for value in values:
            yield filled(document, path, value)


def lying_lines(values: Sequence[str]) -> list[str]:
    """Lines of the journal, each with one value somewhere."""
    lines = [text for entry in entries for text in every({"n": 1, "at_s": NOW_S, "entry": entry}, values)]
    return [line.encode(errors="replace").decode() for line in lines]


class HttpLiar:
    """Table 12 with its right key, by HTTP."""

    def __init__(self, hall: Hall, values: Sequence[str]) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(hall.url).netloc, timeout=60)
        self._headers = as_table(hall.made, LIAR) | {"Content-Type": "application/json"}
        self._hall, self._values = hall, values
        self.answers: set[int] = set()

    def send(self, method: str, what: str, body: str | None) -> None:
        path = f"/api/v1/hall/tables/{LIAR}/{what}"
        self._connection.request(method, path, None if body is None else body.encode(), self._headers)
        answer = self._connection.getresponse()
        answer.read()
        self.answers.add(answer.status)

    def tell(self, batches: list[list[Envelope]]) -> None:
        for batch in batches:
            self.send("POST", "journal", json.dumps([one.model_dump(mode="json") for one in batch]))
        held = sum(map(len, batches))
        whole = message(LIAR, held + 1, good(held + 1)).model_dump(mode="json")
        for text in every(whole, self._values):
            self.send("POST", "journal", f"[{text}]")
        for text in every(GLANCE, self._values):
            self.send("PUT", "glance", text)
        for value in ("-1", "x", "1" + "0" * 30, "%00"):
            self.send("GET", f"orders?after={value}", None)

    def close(self) -> None:
        self._connection.close()


class NatsLiar:
    """The same by the broker, which lets it publish whatever it will under its own number."""

    def __init__(self, hall: Hall, values: Sequence[str]) -> None:
        self._hall, self._values = hall, values
        self.answers: set[int] = set()

    def tell(self, batches: list[list[Envelope]]) -> None:
        asyncio.run(self._tell(batches))

    async def _tell(self, batches: list[list[Envelope]]) -> None:
        key = self._hall.made[1][LIAR - 1]
        client = await connect_nats(self._hall.url, key.nkey_seed, inbox=inbox_of(EVENT, LIAR))
        journal = subject_of(EVENT, LIAR, "journal")
        for one in (one for batch in batches for one in batch):
            await client.publish(journal, one.data.encode(), headers=headers_of(one))
        whole = message(LIAR, 1, good(1))
        for name in headers_of(whole):
            for value in self._values:
                await client.publish(journal, whole.data.encode(), headers=_headers_with(whole, name, value))
        await self._tell_more(client)
        await client.flush(30)
        await client.close()

    async def _tell_more(self, client: Client) -> None:
        for text in every(GLANCE, self._values):
            await client.publish(subject_of(EVENT, LIAR, "glance"), text.encode())
        for text in self._values:
            await client.publish(subject_of(EVENT, LIAR, "orders"), text.encode(), reply="nowhere")

    def close(self) -> None:
        pass


def _headers_with(whole: Envelope, name: str, value: str) -> dict[str, str]:
    """A header is one line of text; what none can hold stays away."""
    return headers_of(whole) | {name: value[:5000]}


@pytest.mark.parametrize(
    "values", [pytest.param(VALUES, marks=pytest.mark.slow, id="all"), pytest.param(FEW, id="few")]
)
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_no_value_in_any_field_reaches_another_table_or_fails_the_hub(hall: Hall, values: Sequence[str]) -> None:
    witness = open_transport(hall.url, hall.made[1][WITNESS - 1])
    liar = HttpLiar(hall, values) if hall.url.startswith("http:") else NatsLiar(hall, values)
    lines = [message(LIAR, n, text) for n, text in enumerate(lying_lines(values), 1)]
    first, second = (message(WITNESS, n, good(n), journal=J2) for n in (1, 2))
    exchange(witness, lambda link: link.read_tail(), lambda link: link.publish([first]))
    try:
        liar.tell([lines[start : start + 200] for start in range(0, len(lines), 200)])
    finally:
        liar.close()
    exchange(witness, lambda link: link.read_tail(), lambda link: link.publish([second]))
    wait_until(lambda: len(hall.store.texts_of(WITNESS)) == 2 and len(hall.store.texts_of(LIAR)) >= len(lines))
    wait_until(lambda: _shown(hall)[WITNESS]["line"] == 2)
    shown = _shown(hall)

    assert {status for status in liar.answers if status >= 500} == set()
    assert shown[WITNESS]["trouble"] is None
    assert {number for number, table in shown.items() if table["line"] or table["trouble"]} == {LIAR, WITNESS}
    assert hall.ask("Anna", "hall/health")["alarms"] == []


def _shown(hall: Hall) -> dict[int, Any]:
    return {table["number"]: table for table in hall.ask("Anna", "hall")["tables"]}
