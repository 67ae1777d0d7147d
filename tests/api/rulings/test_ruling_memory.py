"""Rulings that are over take next to no memory, and can be asked for all the same."""

import gc
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from api.journal.file_journal import FileJournal
from api.live.hub import Hub
from api.rulings import service
from api.rulings.entries import RulingMade
from api.rulings.service import Rulings
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES
from tests.api.fakes import ask
from tests.api.worlds import frame_report, move_miniature, skirmish, state_line

RULINGS = "/api/v1/rulings"
PAIR = {"a": "m7", "b": "m10"}
FEW = skirmish().with_miniatures(tuple(m for m in skirmish().miniatures if m.id in ("m7", "m8", "m10")))
MOVED = move_miniature(FEW, "m10", (200.0, 200.0))
MOST_BLOCKS = 60  # of Python's memory; what a ruling rests on alone is some two hundred


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[FileJournal]:
    with closing(FileJournal(tmp_path / "table", ENTRY_CLASSES)) as journal:
        yield journal


@pytest.fixture
def few_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MOST_BRIEFS", 3)


def rule(judge: TestClient, key: str) -> int:
    about = {"pair": PAIR, "slot": "distance"}
    told = judge.post(
        RULINGS, json={"about": about, "decision": "overruled", "stands": "Yes", "reason": "x", "key": key}
    )
    assert told.status_code == 201, told.text
    return int(told.json()["n"])


def ruling_of(journal: FileJournal) -> RulingMade:
    hub = Hub(title="Table 4", journal=journal)
    hub.handle_report(frame_report(state_line(FEW)))
    with TestClient(create_app(hub, ask=ask)) as judge:
        rule(judge, "key-00001")
    line = journal.newest(RulingMade)
    assert line is not None
    assert isinstance(line.entry, RulingMade)
    return line.entry


@pytest.mark.usefixtures("few_are_shown")
def test_a_ruling_that_is_over_keeps_little_in_memory(journal: FileJournal) -> None:
    text = ruling_of(journal).model_dump_json()
    rulings, held = Rulings(journal, changed=lambda: None), list[int]()
    for n in range(40):
        if n in (10, 39):
            gc.collect()
            held.append(sys.getallocatedblocks())
        rulings.write(RulingMade.model_validate_json(text))
        rulings.note_table(MOVED)

    assert (held[1] - held[0]) / 29 < MOST_BLOCKS


@pytest.mark.usefixtures("few_are_shown")
def test_a_ruling_long_over_is_still_found_and_lies_over_its_own_moment(journal: FileJournal) -> None:
    hub = Hub(title="Table 4", journal=journal)
    hub.handle_report(frame_report(state_line(FEW)))
    with TestClient(create_app(hub, ask=ask)) as judge:
        first = rule(judge, "key-first")
        for n in range(4):
            hub.handle_report(frame_report(state_line(MOVED)))
            hub.handle_report(frame_report(state_line(FEW)))
            rule(judge, f"key-{n:05}")

        lines = judge.post(f"/api/v1/ask-pair?at={first}", json=PAIR).json()["lines"]
        told, again = judge.get(f"{RULINGS}/1").json(), rule(judge, "key-first")

    assert [line["ruling"]["n"] for line in lines if line["slot"] == "distance"] == [first]
    assert (told["number"], told["ends"], again) == (1, "Sergeant moved", first)
