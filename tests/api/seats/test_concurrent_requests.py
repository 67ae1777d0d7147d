"""Two people do one thing at the same instant: it happens once, and who came second is told so in words."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import httpx2 as httpx
import pytest

from api.live.hub import Hub
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from tests.api.fakes import ask
from tests.api.serving import serve_app
from tests.api.worlds import frame_report, skirmish, state_line

TIMES = 8
NAME = {"do": "miniature", "ids": ["m3"], "name": "Ironclad"}
WALL = {"id": "wall-1", "kind": "wall", "polygon_mm": [[300, 300], [450, 300], [450, 312], [300, 312]]}


class Table:
    """A server with two players and a judge, each with a line of his own."""

    def __init__(self, url: str, seats: SeatSessions) -> None:
        tokens = {seat: seats.take_seat(seat) for seat in ("player-a", "player-b", "judge")}
        self._lines = {
            seat: httpx.Client(base_url=f"{url}api/v1/", headers={"Authorization": f"Bearer {token}"}, timeout=120)
            for seat, token in tokens.items()
        }

    def tell(self, seat: str, path: str, body: dict[str, Any], **query: int) -> httpx.Response:
        return self._lines[seat].post(path, json=body, params=query)

    def read(self, path: str) -> Any:
        return self._lines["judge"].get(path).json()

    def close(self) -> None:
        for line in self._lines.values():
            line.close()


@pytest.fixture
def table() -> Iterator[Table]:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    seats = SeatSessions(hub.journal)
    with serve_app(create_app(hub, ask=ask, seats=seats)) as url:
        table = Table(url, seats)
        yield table
        table.close()


def at_once(*deeds: Callable[[], httpx.Response]) -> list[httpx.Response]:
    """What each was answered; all start when the last is ready."""
    ready = Barrier(len(deeds))

    def done(deed: Callable[[], httpx.Response]) -> httpx.Response:
        ready.wait()
        return deed()

    with ThreadPoolExecutor(len(deeds)) as threads:
        return list(threads.map(done, deeds))


def told_apart(answers: list[httpx.Response]) -> tuple[list[httpx.Response], list[httpx.Response]]:
    """Those that had an effect, and those that were refused."""
    return [one for one in answers if one.is_success], [one for one in answers if not one.is_success]


@pytest.mark.parametrize("deed", ["undo", "redo"])
def test_one_step_is_taken_back_once_and_the_second_is_told_by_whom(table: Table, deed: str) -> None:
    for _ in range(TIMES):
        n = table.tell("player-a", "corrections", NAME).json()["n"]
        if deed == "redo":
            table.tell("player-a", "corrections/undo", {"n": n})
        both = at_once(
            lambda n=n: table.tell("player-a", f"corrections/{deed}", {"n": n}),  # type: ignore[misc]
            lambda n=n: table.tell("player-b", f"corrections/{deed}", {"n": n}),  # type: ignore[misc]
        )

        done, refused = told_apart(both)
        assert (len(done), len(refused)) == (1, 1)
        by = {"player-a": "Player A", "player-b": "Player B"}[done[0].json()["changed_by"]]
        word = {"undo": "took it back", "redo": "let it hold"}[deed]
        assert refused[0].json()["detail"] == f"“m3: Ironclad”: {by} {word} already."


def test_of_two_names_for_one_miniature_the_first_holds_and_the_second_is_told_of_it(table: Table) -> None:
    seen = 0
    for _ in range(TIMES):
        told = {"player-a": "Ironclad", "player-b": "Juggernaut"}
        both = at_once(
            *(
                lambda seat=seat, name=name, seen=seen: table.tell(
                    seat, "corrections", NAME | {"name": name}, seen=seen
                )  # type: ignore[misc]
                for seat, name in told.items()
            )
        )

        done, refused = told_apart(both)
        assert (len(done), len(refused)) == (1, 1)
        step, seen = done[0].json(), done[0].json()["changed_n"]
        assert refused[0].json()["type"] == "correction/told_meanwhile"
        assert f"has just told “{step['says']}”" in refused[0].json()["detail"]
        assert next(m["name"] for m in table.read("state")["miniatures"] if m["id"] == "m3") == told[step["by"]]


def test_two_who_tell_different_things_of_one_miniature_are_both_heard(table: Table) -> None:
    side = {"do": "miniature", "ids": ["m3"], "side": "blue"}
    both = at_once(
        lambda: table.tell("player-a", "corrections", NAME, seen=0),
        lambda: table.tell("player-b", "corrections", side, seen=0),
    )

    found = next(m for m in table.read("state")["miniatures"] if m["id"] == "m3")
    assert [one.status_code for one in both] == [201, 201]
    assert (found["name"], found["side"]) == ("Ironclad", "blue")


def test_of_two_pieces_of_terrain_with_one_id_none_takes_the_others_place_unseen(table: Table) -> None:
    far = WALL | {"polygon_mm": [[x, y + 400] for x, y in WALL["polygon_mm"]]}  # type: ignore[misc]
    both = at_once(
        lambda: table.tell("player-a", "corrections", {"do": "lay", "terrain": [WALL]}, seen=0),
        lambda: table.tell("player-b", "corrections", {"do": "lay", "terrain": [far]}, seen=0),
    )

    done, refused = told_apart(both)
    assert (len(done), refused[0].status_code) == (1, 409)


def test_what_was_taken_back_meanwhile_is_not_told_again_unseen(table: Table) -> None:
    first = table.tell("player-a", "corrections", NAME).json()
    table.tell("player-b", "corrections/undo", {"n": first["n"]})

    refused = table.tell("player-a", "corrections", NAME, seen=first["changed_n"])

    assert refused.json()["detail"].startswith("Player B has just taken back “m3: Ironclad”.")


def test_who_looks_again_may_tell_it_all_the_same(table: Table) -> None:
    table.tell("player-a", "corrections", NAME)
    assert table.tell("player-b", "corrections", NAME | {"name": "Juggernaut"}, seen=0).status_code == 409
    seen = max(step["changed_n"] for step in table.read("corrections"))

    assert table.tell("player-b", "corrections", NAME | {"name": "Juggernaut"}, seen=seen).status_code == 201


def test_one_ruling_tapped_many_times_at_once_is_written_once(table: Table) -> None:
    for key in map(str, range(TIMES)):
        before = len(table.read("rulings"))
        about = {"pair": {"a": "m7", "b": "m10"}, "slot": "distance"}
        ruling = {"about": about, "decision": "accepted", "key": f"the tap {key}"}
        answers = at_once(*[lambda ruling=ruling: table.tell("judge", "rulings", ruling)] * 4)  # type: ignore[misc]

        assert len({one.json()["n"] for one in answers}) == 1
        assert len(table.read("rulings")) == before + 1


def test_a_ruling_withdrawn_twice_at_once_is_withdrawn_once_and_the_second_is_told(table: Table) -> None:
    about = {"pair": {"a": "m7", "b": "m10"}, "slot": "distance"}
    n = table.tell("judge", "rulings", {"about": about, "decision": "accepted"}).json()["number"]
    both = at_once(*[lambda: table.tell("judge", f"rulings/{n}/withdraw", {"reason": "wrong one"})] * 2)

    done, refused = told_apart(both)
    assert (len(done), len(refused)) == (1, 1)
    assert refused[0].json()["detail"] == f"ruling {n} was withdrawn already"
