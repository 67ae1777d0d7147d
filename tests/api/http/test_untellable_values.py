"""NaN, infinities and halves of letters in a body or on the socket: a problem by field and value, and all goes on."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from api.live.hub import Hub
from api.server.app import create_app
from tests.api import fakes
from tests.api.worlds import frame_report, open_socket, skirmish, state_line

VALUES = ["NaN", "Infinity", "-Infinity", "1e999", '"\\ud800"', '"a\\udfffb"', '["\\ud800"]', "[NaN]"]
BODIES = [
    ("POST", "corrections", '{{"do": "miniature", "ids": ["m3"], "name": {0}}}'),
    ("POST", "corrections", '{{"do": "miniature", "ids": ["m3"], "facing_deg": {0}}}'),
    ("POST", "corrections", '{{"do": {0}, "ids": ["m3"]}}'),
    ("POST", "corrections", '{{"do": "lay", "units": [{{"id": {0}}}]}}'),
    ("POST", "corrections", '{{"do": "table", "house_rules": {{"x": {0}}}}}'),
    ("POST", "corrections/undo", '{{"n": {0}}}'),
    ("POST", "ask", '{{"kind": "distance", "a": {0}, "b": "m1"}}'),
    ("POST", "ask", '{{"kind": {0}}}'),
    ("POST", "ask", '{{"kind": "distance", "a": "m1", "b": "m2", "asked_by": {0}}}'),
    ("POST", "ask", '{{"kind": "threat-range", "attacker": "m1", "weapon": {0}}}'),
    ("POST", "ask", '[{{"kind": "distance", "a": "m1", "b": {0}}}]'),
    ("POST", "ask", '{{"questions": [{{"kind": "distance", "a": "m1", "b": "m2"}}], "ghosts": {{"m1": {0}}}}}'),
    ("POST", "ask-pair", '{{"a": {0}, "b": "m1"}}'),
    ("POST", "ask-pair", '{{"a": "m1", "b": "m2", "range_in": {0}}}'),
    ("POST", "ask-one", '{{"id": {0}}}'),
    ("POST", "ask-move", '{{"id": "m1", "path_mm": {0}}}'),
    ("POST", "join", '{{"code": {0}}}'),
    ("PUT", "seat", '{{"seat": {0}}}'),
    ("PUT", "clocks", '{{"minutes": {0}}}'),
    ("POST", "clocks/extend", '{{"minutes": {0}, "note": "x"}}'),
    ("POST", "rulings", '{{"about": {0}, "decision": "rolled"}}'),
    ("PUT", "tables", '{{"tables": [{{"name": {0}, "url": "http://a"}}]}}'),
    ("PUT", "expected", '{{"expected": [{{"name": {0}}}]}}'),
    ("POST", "setups", '{{"name": {0}}}'),
    ("PUT", "overlay/production", "{0}"),
    ("POST", "overlay/air", '{{"query": {{"kind": "distance", "a": {0}, "b": "m1"}}}}'),
]


@pytest.fixture(scope="module")
def phone() -> Iterator[TestClient]:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    with TestClient(create_app(hub, ask=fakes.ask), raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize(("method", "path", "body"), BODIES)
def test_a_body_with_a_value_that_is_none_is_a_problem(
    phone: TestClient, method: str, path: str, body: str, value: str
) -> None:
    answer = phone.request(
        method, f"/api/v1/{path}", content=body.format(value), headers={"content-type": "application/json"}
    )

    assert answer.status_code in (404, 409, 422), answer.text
    assert {"field", "value", "detail"} <= answer.json().keys()


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("said", ['{{"type": {0}}}', '{{"type": "pictures", "wanted": {0}}}', "{0}"])
def test_the_socket_lives_on(phone: TestClient, said: str, value: str) -> None:
    with open_socket(phone) as socket:
        socket.receive_json()
        socket.send_text(said.format(value))
        socket.send_text('{"type": "snapshot"}')
        types = [socket.receive_json()["type"]]
        while types[-1] != "snapshot":
            types.append(socket.receive_json()["type"])

    assert types[-1] == "snapshot"
