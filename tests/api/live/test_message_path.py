"""How many calls a table takes from the camera's process to a phone."""

import re
import traceback
from pathlib import Path

import pytest

from api.live import hub as hub_module
from api.live.broadcast import Subscriber
from api.live.hub import Hub
from tests.api.worlds import frame_report, move_miniature, skirmish, state_line

LIVE = Path(hub_module.__file__).parent
STEP = r"^    (?:CameraSupervisor|Hub|Broadcast|Subscriber) +(\w+)"
TOLD = re.findall(STEP, hub_module.__doc__ or "", flags=re.MULTILINE)


def test_the_hub_tells_six_calls() -> None:
    assert TOLD == ["read_reports", "handle_report", "show_table", "publish", "put", "next"]


def test_a_change_of_the_table_takes_the_calls_that_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    stacks: list[list[str]] = []

    def note_stack(_: Subscriber, __: str) -> None:
        stacks.append([frame.name for frame in traceback.extract_stack() if Path(frame.filename).parent == LIVE])

    hub.broadcast.subscribe()
    monkeypatch.setattr(Subscriber, "put", note_stack)
    hub.handle_report(frame_report(state_line(move_miniature(skirmish(), "m3", (55.5, 700.25)))))

    assert stacks[0] == TOLD[1:4]
