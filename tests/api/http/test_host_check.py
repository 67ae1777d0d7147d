"""Names by which a table is called, and those that were pointed at it by somebody else."""

import socket

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from api.live.hub import Hub
from api.server.app import create_app
from tests.api import fakes

OWN = ["localhost", "127.0.0.1", "192.168.1.7", "[::1]", "[fe80::1%25eth0]", "table-3.local", socket.gethostname()]


def phone_at(host: str, *, names: tuple[str, ...] = ()) -> TestClient:
    return TestClient(create_app(Hub(title="test table"), ask=fakes.ask, names=names), headers={"Host": host})


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("port", ["", ":8017"])
def test_a_table_answers_to_what_it_is_called(name: str, port: str) -> None:
    assert phone_at(f"{name}{port}").get("/api/v1/health").status_code == 200


@pytest.mark.parametrize("name", ["evil.example", "evil.example:8017", "local", "127.0.0.1.evil.example", "xlocalhost"])
def test_a_name_that_somebody_pointed_at_it_is_answered_nothing(name: str) -> None:
    refused = phone_at(name).get("/api/v1/health")

    assert (refused.status_code, refused.json()["type"]) == (421, "seat/unknown_host")
    assert (refused.json()["field"], refused.json()["value"]) == ("host", name)
    with pytest.raises(WebSocketDisconnect), phone_at(name).websocket_connect("/api/v1/live"):
        pass


def test_a_name_that_was_given_is_one() -> None:
    assert phone_at("Table.Hall.example", names=("table.hall.example",)).get("/api/v1/health").status_code == 200
