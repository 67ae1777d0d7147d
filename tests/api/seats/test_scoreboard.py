"""Who plays in a seat and how the game stands: said at the table, kept, and the same for everybody."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.errors import ScoreConflict
from api.games.export import without_names
from api.journal.file_journal import NAME, FileJournal
from api.live.hub import Hub
from api.live.messages import Snapshot
from api.rulings.bench import JudgesBench
from api.seats.schemas import NewPlayer, NewScore
from api.seats.scoreboard import ScoreKeeper
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES
from tests.api.fakes import ask

ANNA = {"name": "Anna", "side": "red", "edge": "near"}


class Table:
    """A server without a camera, with a token for each seat."""

    def __init__(self) -> None:
        self.hub = Hub(title="test table")
        self._seats = SeatSessions(self.hub.journal)
        self._client = TestClient(create_app(self.hub, ask=ask, seats=self._seats), base_url="http://localhost")

    def put(self, path: str, body: dict[str, Any], *, seat: str = "player-a") -> Any:
        token = self._seats.take_seat(seat)  # type: ignore[arg-type]
        headers = {"Authorization": f"Bearer {token}"}
        return self._client.put(f"/api/v1/scoreboard/{path}", json=body, headers=headers)


@pytest.fixture
def table() -> Table:
    return Table()


def test_who_is_named_is_called_so_everywhere(table: Table) -> None:
    answer = table.put("players/player-a", ANNA)

    assert answer.json()["players"]["player-a"]["name"] == "Anna"
    assert table.hub.score.called("player-a") == "Anna"
    assert table.hub.snapshot().scoreboard.players["player-a"].edge == "near"
    assert JudgesBench(table.hub).bench().scoreboard == table.hub.score.board


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 41}, "name"),
        ({"name": "Player B"}, "name"),
        ({"name": "An\u202ena"}, "name"),
        ({"name": "Anna", "side": "\x07"}, "side"),
        ({"name": "Anna", "edge": "left"}, "edge"),
    ],
)
def test_a_bad_name_is_refused_with_field_and_value(table: Table, body: dict[str, str], field: str) -> None:
    answer = table.put("players/player-a", body)

    assert answer.status_code == 422
    assert (answer.json()["field"], answer.json()["value"]) == (field, body[field])
    assert table.hub.score.board.players == {}


def test_a_player_names_nobody_else_and_the_judge_names_both(table: Table) -> None:
    refused = table.put("players/player-b", ANNA)
    named = table.put("players/player-b", ANNA, seat="judge")

    assert (refused.status_code, refused.json()["type"]) == (403, "seat/not_allowed")
    assert named.json()["players"]["player-b"]["by"] == "judge"


@pytest.mark.parametrize("field", ["name", "side"])
def test_two_of_one_name_or_side_are_refused(table: Table, field: str) -> None:
    table.put("players/player-a", ANNA)
    answer = table.put(
        "players/player-b", {"name": "Ben", "side": "blue"} | {field: ANNA[field].upper()}, seat="player-b"
    )

    assert (answer.status_code, answer.json()["field"]) == (409, field)


def test_who_did_not_see_the_newest_score_is_asked_to_look(table: Table) -> None:
    first = table.put("score", {"round": 1, "points": {"player-a": 1, "player-b": 0}, "seen": 0})
    late = table.put("score", {"round": 1, "points": {"player-a": 0, "player-b": 1}, "seen": 0}, seat="player-b")
    again = table.put("score", {"round": 1, "points": {"player-a": 1, "player-b": 0}, "seen": 0}, seat="player-b")

    assert (late.status_code, late.json()["type"]) == (409, "seat/told_meanwhile")
    assert again.json() == first.json(), "the same once more is no conflict, and nothing is written"
    assert first.json()["score"]["by"] == "player-a"


def test_names_outlive_a_restart_and_a_record_knows_those_of_its_time(tmp_path: Path) -> None:
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        keeper = ScoreKeeper(journal)
        then = keeper.name_player("player-a", NewPlayer(name="Anna"), by="player-a").players["player-a"].n
        keeper.name_player("player-a", NewPlayer(name="Zoe"), by="player-a")
        keeper.say_score(NewScore(round=2, points={"player-a": 3, "player-b": 1}), by="player-b")
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        again = ScoreKeeper(journal)

        assert again.board == keeper.board
        assert (again.called("player-a"), again.called("player-a", until=then)) == ("Zoe", "Anna")
        assert again.called("player-b") == "Player B"


def test_nobody_is_named_in_a_game_without_names(tmp_path: Path) -> None:
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        ScoreKeeper(journal).name_player("player-b", NewPlayer(name="Ben"), by="player-b")
        lines = dict(without_names(tmp_path / NAME, tmp_path))[NAME]

    assert b"Ben" not in lines
    assert b'"name":"Player B"' in lines


def test_a_hall_s_round_names_both_and_begins_at_nothing() -> None:
    hub = Hub(title="test table")
    hub.score.say_score(NewScore(points={"player-a": 3, "player-b": 1}), by="judge")
    hub.score.begin_game({"player-a": NewPlayer(name="Anna"), "player-b": NewPlayer(name="Ben")}, round_=2)

    score = hub.score.board.score
    assert score is not None
    assert (score.round, score.points) == (2, {"player-a": 0, "player-b": 0})
    assert [hub.score.called("player-a"), hub.score.called("player-b")] == ["Anna", "Ben"]
    with pytest.raises(ScoreConflict):
        hub.score.say_score(NewScore(points={"player-a": 1, "player-b": 0}, seen=0), by="player-a")


def test_a_phone_of_an_older_version_reads_a_snapshot_without_a_scoreboard() -> None:
    snapshot = Hub(title="test table").snapshot().model_dump(exclude={"scoreboard"})

    assert Snapshot.model_validate(snapshot).scoreboard.players == {}
