"""Writing a ruling reads no other: the eightieth takes as long as the first."""

from collections.abc import Iterator
from typing import Any

from starlette.testclient import TestClient

from api.journal.entry import Entry, Line
from api.journal.interface import MemoryJournal
from api.live.hub import Hub
from api.rulings.entries import RulingMade
from api.server.app import create_app
from tests.api.fakes import ask
from tests.api.worlds import frame_report, skirmish, state_line

RULINGS = "/api/v1/rulings"
FEW = skirmish().with_miniatures(tuple(m for m in skirmish().miniatures if m.id in ("m7", "m8", "m10")))


class CountingJournal(MemoryJournal):
    """Counts the rulings that are read."""

    read = 0

    def lines(self, *types: type[Entry], after: int = 0) -> Iterator[Line]:
        for line in super().lines(*types, after=after):
            self.read += isinstance(line.entry, RulingMade)
            yield line


def decide(judge: TestClient, n: int) -> dict[str, Any]:
    about = {"pair": {"a": "m7", "b": "m10"}, "slot": "distance"}
    told = judge.post(RULINGS, json={"about": about, "decision": "accepted", "key": f"key-{n:05}"})
    assert told.status_code == 201, told.text
    answer: dict[str, Any] = told.json()
    return answer


def test_a_ruling_is_written_and_found_by_its_key_without_reading_others() -> None:
    journal = CountingJournal()
    hub = Hub(title="Table 4", journal=journal)
    hub.handle_report(frame_report(state_line(FEW)))
    with TestClient(create_app(hub, ask=ask)) as judge:
        first = decide(judge, 0)
        for n in range(1, 5):
            decide(judge, n)
        journal.read = 0

        decide(judge, 5)
        assert journal.read == 0
        assert decide(judge, 0)["n"] == first["n"]
        assert journal.read == 1
        assert len(judge.get(RULINGS).json()) == 6
