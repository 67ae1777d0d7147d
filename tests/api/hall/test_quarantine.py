"""Quarantine: whatever a table says, its line is kept and shown as unread, and no other table's is touched."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from api.hall.call_store import CallStore
from api.hall.envelope import (
    QUARANTINED,
    Envelope,
    JournalIdentity,
    JournalTail,
    RawLine,
    digest,
    read_envelope,
    source_of,
    wrap_line,
)
from api.hall.errors import BadEnvelope, HubRefused
from api.hall.hall_board import HallBoard
from api.hall.hall_records import HallRecords
from api.hall.hub_app import create_hub_app
from api.hall.inbound_line import MOST_CHARS, MOST_KEPT_CHARS, REASONS, read_line
from api.hall.nats_transport import NatsTransport
from api.hall.store import HallStore
from api.hall.table_link import open_transport
from api.hall.transport import body_of, headers_of, subject_of
from api.journal.file_journal import NAME
from tests.api.hall.hall_tables import Hall, Made
from tests.api.hall.test_hall import EVENT, J1, J2, lines_of, send_until, store, written
from tests.api.hall.test_hub_app import as_seat, as_table, wait_until
from tests.api.hall.test_transports import broker, exchange, hall, made

__all__ = ["broker", "hall", "made", "store"]  # fixtures

NOW_S = 1.8e9
SETTLED = {"type": "settled"}
WRONG: dict[str, tuple[str, str]] = {
    "a letter flipped": ("form", '{"n":1,"at_s":1.0,"entri":{"type":"settled"}}'),
    "no JSON": ("json", "hello"),
    "nothing": ("json", ""),
    "a list": ("form", "[]"),
    "an entry that is null": ("form", '{"n":1,"at_s":1.0,"entry":null}'),
    "a type that is a list": ("form", '{"n":1,"at_s":1.0,"entry":{"type":["settled"]}}'),
    "a type with a NUL": ("form", '{"n":1,"at_s":1.0,"entry":{"type":"set\\u0000"}}'),
    "a number that is text": ("form", '{"n":"1","at_s":1.0,"entry":{"type":"settled"}}'),
    "another number": ("other", '{"n":2,"at_s":1.0,"entry":{"type":"settled"}}'),
    "not a number": ("json", '{"n":1,"at_s":NaN,"entry":{"type":"settled"}}'),
    "a time beyond bounds": ("number", '{"n":1,"at_s":1e308,"entry":{"type":"settled"}}'),
    "a time of another age": ("time", '{"n":1,"at_s":253402300799,"entry":{"type":"settled"}}'),
    "a clock of another age": (
        "time",
        '{"n":1,"at_s":1.0,"entry":{"type":"clock-passed","by":"judge","to":"player-a","clock_s":-1e15}}',
    ),
    "a round beyond bounds": (
        "number",
        '{"n":1,"at_s":1.0,"entry":{"type":"round-begun","round":1' + "0" * 400 + ',"players":{}}}',
    ),
    "nested deep": ("json", '{"n":1,"at_s":1.0,"entry":' + "[" * 100_000),
    "half a letter": ("json", '{"n":1,"at_s":1.0,"entry":{"type":"codes-made","codes":{"judge":"\\ud800"}}}'),
    "codes that are none": ("entry", '{"n":1,"at_s":1.0,"entry":{"type":"codes-made","codes":[1]}}'),
    "a NUL at the end": ("json", '{"n":1,"at_s":1.0,"entry":{"type":"settled"}}\0'),
    "too long": ("size", '{"n":1,"at_s":1.0,"entry":{"type":"x","x":"' + "a" * MOST_CHARS + '"}}'),
    "a call too long": (
        "size",
        '{"n":1,"at_s":1.0,"entry":{"type":"judge-called","by":"player-a","verdict":"' + "a" * 30_000 + '"}}',
    ),
}

leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([1e308, -(10**400)])
values = st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)
entries = [
    SETTLED,
    {"type": "clocks-set", "by": "judge", "total_s": 3600.0, "increment_s": None, "clock_s": NOW_S},
    {"type": "clock-passed", "by": "judge", "to": "player-a", "clock_s": NOW_S},
    {"type": "clocks-extended", "by": "judge", "player": "player-a", "by_s": 60.0, "note": "late", "clock_s": NOW_S},
    {"type": "codes-made", "codes": {"judge": "ABC234", "players": "DEF567"}},
    {"type": "round-begun", "round": 1, "players": {"player-a": "Ada", "player-b": "Ben"}},
    {"type": "ruled", "decision": "accepted", "stands": "yes", "line": {"title": "x"}, "reason": "seen"},
    {"type": "ruling-withdrawn", "ruling": 1},
    {"type": "judge-called", "by": "player-a", "verdict": None},
    {"type": "result-told", "by": "player-a", "round": 1, "table": 12, "result": {"winner": "player-a"}},
]


def message(table: int, n: int, text: str, *, journal: str = J1) -> Envelope:
    return wrap_line(RawLine(n, n - 1, 5.0, text), journal=journal, source=source_of(EVENT, table))


def good(n: int) -> str:
    return json.dumps({"n": n, "at_s": 5.0, "entry": SETTLED})


@pytest.mark.parametrize("name", WRONG)
def test_a_line_that_cannot_be_read_keeps_its_number_and_the_next_goes_on(store: HallStore, name: str) -> None:
    fault, text = WRONG[name]
    batch = [message(12, 1, text), message(12, 2, good(2))]
    cells = store.take_all({12: batch, 13: [message(13, 1, good(1), journal=J2)]})
    tail = store.tail_of(12)

    assert [(line.line, line.reason) for line in cells[12].quarantined] == [(1, REASONS[fault])]
    assert (cells[12].line, cells[12].settled, cells[13].settled) == (2, 1, 1)
    assert tail is not None
    assert (tail.line, tail.sha256) == (2, digest(good(2)))
    assert len(store.texts_of(12)[0]) <= MOST_KEPT_CHARS


def test_a_line_sent_again_is_quarantined_once(store: HallStore) -> None:
    first = store.take(12, [message(12, 1, "hello")])
    again = store.take(12, [message(12, 1, "hello"), message(12, 2, good(2))])

    assert first == again
    assert len(store.cells([12])[12][0].quarantined) == 1


def test_a_line_that_named_a_wrong_one_before_it_goes_on_once_it_names_the_right_one(store: HallStore) -> None:
    lines_ = [message(12, n, good(n)) for n in (1, 2, 3)]
    store.take(12, [*lines_[:2], lines_[2].model_copy(update={"after": 1})])
    waiting = store.texts_of(12)
    store.take(12, [lines_[2], lines_[2]])

    assert waiting == [good(1), good(2)]
    assert store.texts_of(12) == [good(1), good(2), good(3)]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HallStore]:
    path = tmp_path_factory.mktemp("hall") / "hall.sqlite"
    opened = HallStore(f"sqlite:///{path}", EVENT, tables=range(1, 21), clock=lambda: NOW_S)
    yield opened
    opened.close()


@st.composite
def lines(draw: st.DrawFn) -> str:
    """A line in which one field, the line's, the entry's or one inside it, is any JSON value, or is not there."""
    entry = json.loads(json.dumps(draw(st.sampled_from(entries))))
    line: dict[str, Any] = {"n": 2, "at_s": NOW_S, "entry": entry}
    owner = draw(st.sampled_from([line, entry, *(inner for inner in entry.values() if isinstance(inner, dict))]))
    field = draw(st.sampled_from(sorted(owner)) | st.text(max_size=3)) if owner else draw(st.text(max_size=3))
    if draw(st.booleans()):
        owner[field] = draw(values)
    else:
        owner.pop(field, None)
    return json.dumps(line)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=lines() | st.text())
def test_no_value_in_a_line_leaves_intake_or_touches_another_table(kept: HallStore, text: str) -> None:
    for number in (12, 13):
        kept.release(number)
    clocks = json.dumps({"n": 1, "at_s": NOW_S, "entry": entries[1]})
    journals = {12: digest(text)[:32], 13: digest(text)[32:]}
    with kept.transaction() as db:
        db.exec_driver_sql("DELETE FROM lines")
    batch = [clocks, text.encode(errors="replace").decode(), json.dumps({"n": 3, "at_s": NOW_S, "entry": entries[2]})]
    its = [message(12, n, line, journal=journals[12]) for n, line in enumerate(batch, 1)]
    others = [message(13, 1, good(1), journal=journals[13])]
    kept.take_all({12: its, 13: others})
    board = HallBoard(HallRecords(kept), EVENT)
    shown = {table.number: table for table in board.view().tables}

    assert (shown[12].line, shown[13].line) == (3, 1)
    json.loads(board.view().model_dump_json())


@pytest.mark.parametrize("n", [2**31, 2**62, 10**4000])
def test_a_message_with_a_number_beyond_what_the_database_counts_to_is_bad(n: int) -> None:
    body = message(12, 2, good(2)).model_dump() | {"id": f"{J1}:2", "line": n}
    with pytest.raises(BadEnvelope, match="line"):
        read_envelope(body, source=source_of(EVENT, 12))


@settings(deadline=None)
@given(st.data())
def test_no_value_in_a_message_raises_anything_but_that_it_is_bad(data: st.DataObject) -> None:
    body = message(12, 2, good(2)).model_dump(mode="json")
    body[data.draw(st.sampled_from(sorted(body)))] = data.draw(values)
    headers = {name: str(value)[:5000] for name, value in headers_of(message(12, 2, good(2))).items()}
    headers[data.draw(st.sampled_from(sorted(headers)))] = data.draw(st.text() | st.just("9" * 5000))
    for wire in (body, body_of(headers, data.draw(st.binary())), data.draw(values)):
        try:
            envelope = read_envelope(wire, source=source_of(EVENT, 12))
        except BadEnvelope:
            continue
        read_line(envelope.data, n=envelope.line, now_s=NOW_S)


GLANCE: dict[str, Any] = {
    "summary": {
        "title": "x", "edition": None, "scenario": None, "turn": None, "miniatures": 1, "fresh": {},
        "problem": None, "devices": {},
    },
    "address": "http://10.0.0.3/",
    "clock_s": NOW_S,
}  # fmt: skip


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_value_in_a_glance_raises_anything_but_that_it_is_bad(kept: HallStore, data: st.DataObject) -> None:
    glance = json.loads(json.dumps(GLANCE))
    owner = data.draw(st.sampled_from([glance, glance["summary"]]))
    owner[data.draw(st.sampled_from(sorted(owner)))] = data.draw(values)
    board = HallBoard(HallRecords(kept), EVENT)
    for text in (json.dumps(glance).encode(), data.draw(st.binary())):
        try:
            board.note_glance(12, text)
        except BadEnvelope:
            assert board._look().tables[0].trouble
    board._look()
    json.loads(board.view().model_dump_json())


def test_a_table_is_told_by_http_what_is_kept_unread_and_the_hall_shows_it(tmp_path: Path, made: Made) -> None:
    store = HallStore(f"sqlite:///{tmp_path / 'hall.sqlite'}", EVENT, tables=range(1, 13))
    with TestClient(create_hub_app(store, made[0])) as client:
        path, own = "/api/v1/hall/tables/12/", as_table(made, 12)
        batch = [message(12, n, text).model_dump(mode="json") for n, text in enumerate(("hello", good(2)), 1)]
        answer = client.post(f"{path}journal", json=batch, headers=own)
        strange = client.put(f"{path}glance", json=GLANCE | {"clock_s": 1e308}, headers=own)
        huge = client.put(f"{path}glance", content=b"[" * 100_000, headers=own)

        def shown() -> Any:
            tables = client.get("/api/v1/hall", headers=as_seat(made, "Anna")).json()["tables"]
            return [table["trouble"] for table in tables if table["number"] == 12]

        assert (answer.status_code, strange.status_code, huge.status_code) == (204, 422, 422)
        assert answer.headers[QUARANTINED] == "line 1 is no JSON, or nested too deep"
        wait_until(lambda: shown() == ["the table's state holds a number beyond bounds"])
        assert client.put(f"{path}glance", json=GLANCE, headers=own).status_code == 204
        wait_until(lambda: shown() == ["line 1 is no JSON, or nested too deep"])
    store.close()


def test_one_wrong_byte_on_a_tables_disk_stops_nobody(hall: Hall, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    written(folder, *range(1, 5))
    raw = (folder / NAME).read_bytes().splitlines(keepends=True)
    raw[1] = raw[1].replace(b'"entry"', b'"entrx"')
    (folder / NAME).write_bytes(b"".join(raw))
    is_answered = hall.url.startswith("http:")  # a broker answers nothing: there the table is asked to show it
    told = send_until(
        folder,
        hall.transport(),
        lambda told: len(hall.store.texts_of(12)) == 4 and bool(told[-1]) == is_answered,
        hall.key,
    )
    cell, trouble = hall.store.cells([12])[12]

    assert trouble is None
    assert [(line.line, line.reason) for line in cell.quarantined] == [(2, REASONS["form"])]
    assert ("line 2 has no number" in str(told[-1])) == is_answered
    if not is_answered:
        wait_until(lambda: "line 2 has no number" in str(CallStore(hall.store).orders_of(12, after=0)))


def test_a_message_that_is_none_is_told_and_blocks_no_other_table(hall: Hall) -> None:
    wrong = message(12, 1, good(1)).model_copy(update={"source": "elsewhere"})
    with suppress(HubRefused):  # by HTTP; a broker takes anything
        exchange(hall.transport(), lambda link: link.publish([wrong]), lambda link: link.read_tail())
    other = open_transport(hall.url, hall.made[1][10])
    exchange(other, lambda link: link.publish([message(11, 1, good(1), journal=J2)]), lambda link: link.read_tail())
    wait_until(lambda: hall.store.texts_of(11) == [good(1)])

    assert hall.store.texts_of(12) == []


@pytest.mark.parametrize("field", ['"at_s":1e308', '"at_s":NaN', '"at_s":253402300800', '"n":1e400', '"n":99999999999'])
def test_a_table_reads_its_own_file_whatever_a_field_holds(tmp_path: Path, field: str) -> None:
    fields = {"n": '"n":1', "at_s": '"at_s":5.0'} | {field[1 : field.index(":") - 1]: field}
    (tmp_path / NAME).write_text(
        "{" + ",".join((*fields.values(), '"entry":{"type":"settled"}')) + "}\n" + good(2) + "\n"
    )
    read = JournalTail(tmp_path).read(most=10)

    assert [wrap_line(line, journal=J1, source=source_of(EVENT, 12)).line for line in read][-1] == 2


def test_no_table_takes_the_journal_of_another_by_being_first(hall: Hall, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    written(folder, *range(1, 5))
    own = JournalIdentity(folder).id
    liar = open_transport(hall.url, hall.made[1][10])
    lines_of_liar = [message(11, n, text, journal=own) for n, text in enumerate((lines_of(folder)[0], good(2)), 1)]
    exchange(liar, lambda link: link.read_tail(), lambda link: link.publish(lines_of_liar))
    if isinstance(liar, NatsTransport):
        asyncio.run(_claim_messages(liar, [f"{own}:{n}" for n in range(1, 5)]))
    wait_until(lambda: len(hall.store.texts_of(11)) == 2)
    told = send_until(folder, hall.transport(), lambda _: len(hall.store.texts_of(12)) == 4, hall.key)

    assert set(told) == {None}
    assert hall.store.texts_of(12) == lines_of(folder)
    assert hall.store.texts_of(11) == [lines_of(folder)[0], good(2)]


async def _claim_messages(liar: NatsTransport, ids: list[str]) -> None:
    """Publish under the liar's own number what bears the ids of another's messages."""
    client = await liar._connect()
    for id_ in ids:
        await client.jetstream().publish(subject_of(EVENT, 11, "journal"), b"x", headers={"Nats-Msg-Id": id_})
    await client.close()
