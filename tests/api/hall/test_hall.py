"""From table to hub: each line once, in order, whatever comes between."""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.clocks.entries import ClocksSet
from api.hall.envelope import Envelope, JournalIdentity, JournalTail, RawLine, read_envelope, source_of, wrap_line
from api.hall.errors import BadEnvelope, HubAway, RestoredCopy, TableTwice
from api.hall.keys import TableKey
from api.hall.rounds import JudgeCalled
from api.hall.sender import Sender
from api.hall.store import HallStore
from api.hall.transport import Order, Tail, Transport
from api.journal.file_journal import NAME, FileJournal
from api.server.journal_entries import ENTRY_CLASSES
from models.errors import BadInput

EVENT = "spring"
KEY = TableKey(event=EVENT, table=12, token="t" * 24)
SOURCE = source_of(EVENT, 12)
J1, J2 = "1" * 32, "2" * 32
PATIENCE_S = 120  # a busy machine writes late, not wrongly


@pytest.fixture
def store(database: str) -> Iterator[HallStore]:
    opened = HallStore(database, EVENT, tables=range(1, 21))
    yield opened
    opened.close()


class DirectTransport:
    """Hands over to a store without a wire; `faults`: what of each batch is lost, it or its answer."""

    def __init__(self, store: HallStore, faults: Sequence[str] = ()) -> None:
        self.store = store
        self._faults = list(faults)

    async def read_tail(self) -> Tail | None:
        return self.store.tail_of(12)

    async def publish(self, batch: Sequence[Envelope]) -> None:
        fault = self._faults.pop(0) if self._faults else ""
        if fault == "lost":
            raise HubAway("lost")
        if fault == "half":
            batch = batch[: len(batch) // 2]
        self.store.take(12, batch)
        if fault:
            raise HubAway("the answer was lost")

    async def send_glance(self, glance: dict[str, object]) -> None: ...

    async def read_orders(self, after: int) -> list[Order]:
        return []

    async def close(self) -> None: ...


def envelope(n: int, text: str = "", *, journal: str = J1, after: int | None = None) -> Envelope:
    said = {"n": n, "at_s": 5.0 + n, "entry": {"type": "future", "text": text}}
    line = RawLine(n, n - 1 if after is None else after, 5.0 + n, json.dumps(said))
    return wrap_line(line, journal=journal, source=SOURCE)


def written(folder: Path, *minutes: float) -> None:
    journal = FileJournal(folder, ENTRY_CLASSES)
    for each in minutes:
        journal.write(ClocksSet(by="judge", total_s=each * 60))
    journal.close()


def send_until(
    folder: Path,
    transport: Transport,
    is_done: Callable[[list[str | None]], bool],
    key: TableKey = KEY,
    *,
    patience_s: float = PATIENCE_S,
) -> list[str | None]:
    """Run the sender until that is so; what it told."""
    told: list[str | None] = []

    async def main() -> None:
        work = asyncio.create_task(Sender(folder, transport, key, told.append).run())
        async with asyncio.timeout(patience_s):
            while not is_done(told):
                await asyncio.sleep(0.01)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        await transport.close()

    asyncio.run(main())
    return told


def lines_of(folder: Path) -> list[str]:
    return (folder / NAME).read_text("utf-8").splitlines()


def test_every_line_reaches_the_hub_as_it_stands_in_the_file(store: HallStore, tmp_path: Path) -> None:
    written(tmp_path, *range(1, 30))
    send_until(tmp_path, DirectTransport(store), lambda _: len(store.texts_of(12)) == 29)

    assert store.texts_of(12) == lines_of(tmp_path)


def test_what_was_lost_or_answered_in_vain_arrives_once(store: HallStore, tmp_path: Path) -> None:
    written(tmp_path, *range(1, 30))
    faulty = DirectTransport(store, ["lost", "half", "answer", "lost"])
    send_until(tmp_path, faulty, lambda _: len(store.texts_of(12)) == 29)

    assert store.texts_of(12) == lines_of(tmp_path)


def test_what_was_written_while_nobody_sent_is_sent_after_a_restart(store: HallStore, tmp_path: Path) -> None:
    written(tmp_path, 1, 2)
    send_until(tmp_path, DirectTransport(store), lambda _: len(store.texts_of(12)) == 2)
    written(tmp_path, 3, 4, 5)
    send_until(tmp_path, DirectTransport(store), lambda _: len(store.texts_of(12)) == 5)

    assert store.texts_of(12) == lines_of(tmp_path)


def test_half_a_line_waits_until_it_is_whole(tmp_path: Path) -> None:
    written(tmp_path, 1)
    whole = lines_of(tmp_path)[0].replace('"n":1,', '"n":2,')
    with (tmp_path / NAME).open("a") as file:
        file.write(whole[:30])
    tail = JournalTail(tmp_path)
    first = tail.read(most=10)
    with (tmp_path / NAME).open("a") as file:
        file.write(whole[30:] + "\n")

    assert [line.n for line in first] == [1]
    assert [(line.n, line.after, line.text) for line in tail.read(most=10)] == [(2, 1, whole)]


def test_a_line_of_any_form_is_read_and_what_is_none_is_passed_over(tmp_path: Path) -> None:
    lines = ['{"n":1,"at_s":2.5,"entry":{"type":"x"}}', '{"at_s":3.5,"form":9,"n":2}', "{no line", '{"n":4,"at_s":4.5}']
    (tmp_path / NAME).write_text("".join(f"{line}\n" for line in lines))
    found = JournalTail(tmp_path).read(most=10)

    assert [(line.n, line.after, line.at_s, line.text) for line in found] == [
        (1, 0, 2.5, lines[0]),
        (2, 1, 3.5, lines[1]),
        (4, 2, 4.5, lines[3]),
    ]


def test_a_folder_restored_from_an_old_copy_is_told_and_nothing_merges(store: HallStore, tmp_path: Path) -> None:
    written(tmp_path, 1, 2)
    old = (tmp_path / NAME).read_bytes()
    written(tmp_path, 3, 4)
    send_until(tmp_path, DirectTransport(store), lambda _: len(store.texts_of(12)) == 4)
    held = store.texts_of(12)
    (tmp_path / NAME).write_bytes(old)
    written(tmp_path, 30)
    told = send_until(tmp_path, DirectTransport(store), lambda told: bool(told and told[-1]))

    assert "restored from an old copy" in str(told[-1])
    assert store.texts_of(12) == held


def test_a_restored_folder_goes_on_as_another_journal_once_it_is_let_in(store: HallStore, tmp_path: Path) -> None:
    written(tmp_path, 1, 2)
    old = (tmp_path / NAME).read_bytes()
    written(tmp_path, 3)
    send_until(tmp_path, DirectTransport(store), lambda _: len(store.texts_of(12)) == 3)
    (tmp_path / NAME).write_bytes(old)
    send_until(tmp_path, DirectTransport(store), lambda told: bool(told and told[-1]))
    before = JournalIdentity(tmp_path).id
    store.release(12)
    send_until(tmp_path, DirectTransport(store), lambda _: len(store.texts_of(12)) == 2)

    assert JournalIdentity(tmp_path).id != before
    assert store.texts_of(12) == lines_of(tmp_path)


def test_a_second_machine_with_the_same_number_is_told(store: HallStore, tmp_path: Path) -> None:
    store.take(12, [envelope(1)])
    written(tmp_path, 1)
    told = send_until(tmp_path, DirectTransport(store), lambda told: bool(told))

    assert "table 12 is written by another journal" in str(told[-1])
    assert len(store.texts_of(12)) == 1


@given(st.data())
def test_batches_in_any_order_and_any_often_give_the_same_lines(data: st.DataObject) -> None:
    """Two hubs that share a consumer may store a later batch first."""
    count = 12
    sent = [envelope(n, f"line {n}") for n in range(1, count + 1)]
    cuts = [(a, b) for a in range(count) for b in range(a + 1, count + 1)]
    batches = data.draw(st.lists(st.sampled_from(cuts), max_size=8))
    store = HallStore("sqlite://", EVENT, tables=[12])
    folded = []
    for a, b in [*batches, (0, count)]:
        store.take(12, sent[a:b])
        folded.append(store.cells()[12][0].line)
    texts = store.texts_of(12)
    store.close()

    assert texts == [one.data for one in sent]
    assert folded == sorted(folded)


def test_lines_behind_a_gap_are_not_shown_before_it_is_filled(store: HallStore) -> None:
    store.take(12, [envelope(1), envelope(3)])
    shown = store.texts_of(12)
    store.take(12, [envelope(2)])

    assert len(shown) == 1
    assert len(store.texts_of(12)) == 3


def test_the_same_line_with_another_text_is_refused_and_the_batch_with_it(store: HallStore) -> None:
    store.take(12, [envelope(1), envelope(2)])
    with pytest.raises(RestoredCopy, match="another text on line 2"):
        store.take(12, [envelope(2, "other"), envelope(3)])

    assert len(store.texts_of(12)) == 2
    assert "old copy" in str(store.cells()[12][1])


def test_lines_of_several_tables_are_kept_together_each_in_its_own_journal(store: HallStore) -> None:
    store.take(12, [envelope(1)])
    store.take_all({12: [envelope(2), envelope(4)], 13: [envelope(1, journal=J2), envelope(2, journal=J2)]})

    assert (len(store.texts_of(12)), len(store.texts_of(13))) == (2, 2)
    assert {n: journal for n, (journal, _, _) in store.marks()[0].items() if journal} == {12: J1, 13: J2}


def test_one_wrong_table_of_several_leaves_all_of_them_as_they_were(store: HallStore) -> None:
    store.take(12, [envelope(1)])
    with pytest.raises(TableTwice, match="table 12"):
        store.take_all({11: [envelope(1, journal=J2)], 12: [envelope(2, journal=J2)]})
    with pytest.raises(BadEnvelope, match="no table 99"):
        store.take_all({12: [envelope(2)], 99: [envelope(1, journal=J2)]})

    assert (store.texts_of(11), len(store.texts_of(12))) == ([], 1)


def test_another_journal_under_the_same_number_is_refused_by_name(store: HallStore) -> None:
    store.take(12, [envelope(1)])
    with pytest.raises(TableTwice) as wrong:
        store.take(12, [envelope(1, journal=J2)])

    assert (wrong.value.field, wrong.value.value) == ("table", 12)
    assert store.cells()[13] == (store.cells()[1][0], None)


def test_a_journal_that_was_put_away_does_not_come_back(store: HallStore) -> None:
    store.take(12, [envelope(1)])
    store.release(12)
    with pytest.raises(RestoredCopy, match="put away"):
        store.take(12, [envelope(1)])


def test_a_database_of_another_event_is_refused(store: HallStore, database: str) -> None:
    with pytest.raises(BadInput, match="holds the event 'spring', not 'autumn'"):
        HallStore(database, "autumn", tables=[1])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"source": source_of("autumn", 12)}, "source"),
        ({"source": source_of(EVENT, 11)}, "source"),
        ({"lineversion": 2}, "lineversion"),
        ({"line": 0}, "line"),
        ({"id": f"{J2}:1"}, "id"),
        ({"after": 1}, "id"),
        ({"data": 5}, "data"),
    ],
)
def test_what_is_wrong_with_a_message_is_said_by_name(change: dict[str, object], field: str) -> None:
    body = envelope(1).model_dump(mode="json") | change
    with pytest.raises(BadEnvelope) as wrong:
        read_envelope(body, source=SOURCE)

    assert wrong.value.field == field


def test_a_call_is_heard_once_also_when_its_table_begins_anew(store: HallStore, tmp_path: Path) -> None:
    from api.hall.call_store import CallStore

    journal = FileJournal(tmp_path, ENTRY_CLASSES)
    journal.write(JudgeCalled(by="player-a", verdict="Charge: yes"))
    journal.close()
    lines = JournalTail(tmp_path).read(most=5)
    store.take(12, [wrap_line(line, journal=J1, source=SOURCE) for line in lines])
    store.release(12)
    store.take(12, [wrap_line(line, journal=J2, source=SOURCE) for line in lines])

    assert [(call.table, call.verdict, call.state) for call in CallStore(store).all()] == [
        (12, "Charge: yes", "waiting")
    ]


def test_a_full_disk_at_the_hub_is_told_and_every_line_arrives_once_there_is_room(tmp_path: Path) -> None:
    store = HallStore(f"sqlite:///{tmp_path / 'hall.sqlite'}", EVENT, tables=[12])
    written(tmp_path / "table", *range(1, 60))
    with store.transaction() as db:
        pages = db.exec_driver_sql("PRAGMA page_count").scalar_one()
        db.exec_driver_sql(f"PRAGMA max_page_count = {pages + 3}")
    told = send_until(tmp_path / "table", DirectTransport(store), lambda told: bool(told and told[-1]))
    held = store.texts_of(12)
    with store.transaction() as db:
        db.exec_driver_sql("PRAGMA max_page_count = 1000000")
    send_until(tmp_path / "table", DirectTransport(store), lambda _: len(store.texts_of(12)) == 59)
    after = store.texts_of(12)
    store.close()

    assert "full" in str(told[-1])
    assert held == []
    assert after == lines_of(tmp_path / "table")
