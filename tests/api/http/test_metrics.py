"""Prometheus' own parser reads what a table and a hub tell."""

from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from api.hall.hub_app import create_hub_app
from api.hall.keys import make_keys
from api.hall.store import HallStore
from api.live.hub import Hub
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from tests.api.worlds import frame_report, skirmish, state_line

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def read(client: TestClient) -> Samples:
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=")
    families = text_string_to_metric_families(answer.text)
    return {(s.name, tuple(s.labels.items())): s.value for family in families for s in family.samples}


def test_a_table_tells_what_it_is_and_what_its_process_takes() -> None:
    hub = Hub(title="Table 4")
    seats = SeatSessions(hub.journal)
    hub.handle_report(frame_report(state_line(skirmish())))
    hub.alarms.sound("disk", "The disk is full.")
    with TestClient(create_app(hub, seats=seats)) as client:
        client.post("/api/v1/join", json={"code": seats.codes["judge"]})
        samples = read(client)

    assert samples["tableside_miniatures", ()] == 17
    assert samples["tableside_alarms", ()] == 1
    assert samples["tableside_source", (("status", "playing"),)] == 1
    assert samples["tableside_source", (("status", "lost"),)] == 0
    assert samples["tableside_devices", (("seat", "judge"),)] == 1
    assert samples["process_resident_memory_bytes", ()] > 0


def test_a_hub_tells_how_far_each_table_is(tmp_path: Path) -> None:
    keys, _ = make_keys("spring", tables=2, judges=())
    store = HallStore(f"sqlite:///{tmp_path / 'hall.sqlite'}", "spring", tables=(1, 2))
    with TestClient(create_hub_app(store, keys)) as client:
        samples = read(client)
    store.close()

    assert samples["tableside_hall_table_line", (("table", "2"),)] == 0
    assert samples["tableside_hall_calls_open", ()] == 0
