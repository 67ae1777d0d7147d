"""Small tables and looks at them."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from api.camera.protocol import CameraCommands, FrameReport
from models.errors import BadState
from models.halt import Halt
from models.parsing import parse
from models.state import TableState
from models.timeline import EventLine, StateLine

SKIRMISH = Path(__file__).parent / "states" / "skirmish.json"
REGIMENTS = SKIRMISH.with_name("regiments.json")


def skirmish() -> TableState:
    """A written table with seventeen miniatures, none of whose positions is round."""
    return parse(TableState, SKIRMISH.read_bytes(), error=BadState)


def regiments(**more: Any) -> TableState:
    """Three units against three units and a giant, none of them square to the table, as if measured without doubt."""
    written = json.loads(REGIMENTS.read_text()) | more
    for one in (*(unit["block"] for unit in written["units"]), *written["miniatures"]):
        del one["sigma"]
    return TableState.model_validate(written)


def drop_miniatures(state: TableState, *ids: str) -> TableState:
    return state.with_miniatures(tuple(m for m in state.miniatures if m.id not in ids))


@contextmanager
def open_socket(phone: TestClient) -> Iterator[WebSocketTestSession]:
    """The live socket after its first word; the next is the snapshot."""
    with phone.websocket_connect("/api/v1/live") as socket:
        assert socket.receive_json()["type"] == "hello"
        yield socket


def move_miniature(state: TableState, id_: str, to_mm: tuple[float, float]) -> TableState:
    move_miniature = (m.with_place(to_mm, facing_deg=m.facing_deg) if m.id == id_ else m for m in state.miniatures)
    return state.with_miniatures(tuple(move_miniature))


def camera_commands(*, wants_pictures: bool = False) -> CameraCommands:
    """What a camera's process is asked for, within this process."""
    flags = CameraCommands(threading.Event(), threading.Event(), threading.Event())
    if wants_pictures:
        flags.pictures.set()
    return flags


def frame_report(
    *lines: StateLine | EventLine,
    t_s: float = 1.5,
    is_settled: bool = True,
    hand: bool = False,
    is_visible: bool = True,
    lag_s: float = 0.0,
    jpeg: bytes | None = None,
    halt: Halt | None = None,
) -> FrameReport:
    return FrameReport(
        t_s=t_s,
        lines=lines,
        is_settled=is_settled,
        hand=hand,
        is_visible=is_visible,
        lag_s=lag_s,
        jpeg=jpeg,
        halt=halt,
    )


def state_line(state: TableState, *, t_s: float = 1.5) -> StateLine:
    return StateLine(t_s=t_s, frame=15, settled_at_s=t_s, state=state)
