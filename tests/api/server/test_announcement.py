"""A table tells its network where it is, and is found by it; the loopback interface is the network."""

import socket

import pytest

from api.server import announcement
from api.server.announcement import FoundServer, announced, find_servers, host_label

LOOPBACK = ["127.0.0.1"]
PATIENCE_S = 30.0


def test_a_table_and_a_hub_are_found_by_kind_name_and_address() -> None:
    host = socket.gethostname().partition(".")[0]
    with (
        announced("table", "Table 4", LOOPBACK, 8017, interfaces=LOOPBACK) as named,
        announced("hub", "Hall", LOOPBACK, 8020, interfaces=LOOPBACK),
    ):
        servers = find_servers(PATIENCE_S, interfaces=LOOPBACK, enough=2)

    assert named == f"http://{host_label(host)}.local:8017/"
    assert set(servers) >= {
        FoundServer("hub", f"Hall ({host}:8020)", "http://127.0.0.1:8020/"),
        FoundServer("table", f"Table 4 ({host}:8017)", "http://127.0.0.1:8017/"),
    }


@pytest.mark.parametrize(
    ("host", "label"), [("Küche.local", "tableside-k-che"), ("", "tableside-table"), ("club_1", "tableside-club-1")]
)
def test_the_name_that_phones_type_is_of_plain_letters(host: str, label: str) -> None:
    assert host_label(host) == label
    assert len(host_label("x" * 200)) == 63


def test_a_long_title_is_cut_between_letters() -> None:
    assert announcement._shortened("ä" * 60) == "ä" * 31


def test_a_machine_in_no_network_serves_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise OSError("network is unreachable")

    monkeypatch.setattr(announcement, "_open", refuse)
    with announced("table", "Table 4", LOOPBACK, 8017) as named:
        assert named is None
