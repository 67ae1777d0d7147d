"""Book trial: what is saved is shown, a fault is said with its place, and the last table stays."""

from pathlib import Path

import pytest

from api.books.book_file import read_book
from api.books.check import table_of
from api.live.hub import Hub
from api.server.book_trial import BookTrial
from models.parsing import parse_query
from referee import ask
from tests.api.books.files import HEAD, PAIR


@pytest.fixture
def trial(tmp_path: Path) -> tuple[Path, BookTrial, Hub]:
    path = tmp_path / "steel.toml"
    path.write_text(f"{HEAD}[settings]\nopen-measure = 'centre'\n{PAIR}")
    return path, BookTrial(path, lambda book: table_of(book, "plain")), Hub(title="t", book=read_book(path).in_play)


def _distance_mm(hub: Hub) -> float:
    assert hub.state is not None
    return ask(hub.state, parse_query({"kind": "distance", "a": "a", "b": "b"})).measured[0].value_mm


def test_what_is_saved_is_measured_by(trial: tuple[Path, BookTrial, Hub]) -> None:
    path, follower, hub = trial
    follower.show(hub, follower.read())
    assert _distance_mm(hub) == 100.0

    path.write_text(path.read_text().replace("centre", "edge").replace("[400, 300]", "[450, 300]"))
    follower.show(hub, follower.read())
    assert _distance_mm(hub) == 120.0
    assert hub.alarms.all() == ()


def test_a_fault_is_said_with_its_line_until_it_is_mended_and_the_last_table_stays(
    trial: tuple[Path, BookTrial, Hub],
) -> None:
    path, follower, hub = trial
    follower.show(hub, follower.read())
    right = path.read_text()
    path.write_text(right.replace("centre", "elbow"))
    follower.show(hub, follower.read())
    assert ["line 4: settings.open-measure" in alarm.says for alarm in hub.alarms.all()] == [True]
    assert _distance_mm(hub) == 100.0

    path.write_text(right)
    follower.show(hub, follower.read())
    assert hub.alarms.all() == ()
