"""A kept game at the hub: handed in as one file, verified, and looked at from its first moment on."""

import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, expect
from starlette.testclient import TestClient
from typer.testing import CliRunner

from api.cli import app as command_line
from api.hall.hub_app import create_hub_app
from api.hall.keys import EventKeys, make_keys
from api.hall.store import HallStore
from api.server.hub_wiring import add_games
from tests.api.games.test_export import game  # noqa: F401  # the fixture
from tests.api.pages.player_page import keep_screenshot
from tests.api.serving import serve_app

KEYS = make_keys("spring", tables=3, judges=("Anna",))[0]


@pytest.fixture
def packed(game: Path, tmp_path: Path) -> Path:  # noqa: F811
    output = tmp_path / "GAME.zip"
    assert CliRunner().invoke(command_line, ["export", str(game), "-o", str(output)]).exit_code == 0
    return output


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[FastAPI]:
    store = HallStore(f"sqlite:///{tmp_path / 'hall.sqlite'}", "spring", tables=range(1, 4))
    app = create_hub_app(store, KEYS)
    add_games(app, tmp_path / "games")
    yield app
    store.close()


def as_seat(keys: EventKeys, name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {next(one.token for one in keys.seats if one.name == name)}"}


def hand_in(client: TestClient, data: bytes, name: str = "club-night", who: str = "Organiser") -> int:
    return client.post(f"/api/v1/hall/games?name={name}", content=data, headers=as_seat(KEYS, who)).status_code


def test_a_game_is_verified_and_everybody_moves_through_it(browser: Browser, hub: FastAPI, packed: Path) -> None:
    with TestClient(hub) as client:
        assert hand_in(client, packed.read_bytes()) == 201
        listed = client.get("/api/v1/hall/games")
        assert listed.status_code == 200, listed.text
        (told,) = listed.json()
    with serve_app(hub) as url:
        page = browser.new_page()
        wrong: list[str] = []
        asked_for: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if "Content Security" in said.text else None)
        page.on("requestfinished", lambda asked: asked_for.append(asked.url))
        page.goto(f"{url}hall/games/club-night/")
        expect(page.locator("#says")).not_to_be_empty()
        expect(page.locator("#rulings li")).to_have_count(1)
        keep_screenshot(page, "hub-game")
        page.close()

    assert (told["name"], told["wrong"]) == ("club-night", None)
    assert told["head"].startswith(f"{told['lines']}:")
    assert wrong == []
    assert any("/thumbnails/" in one for one in asked_for)


def test_a_line_that_was_changed_is_named_where_the_game_is_listed(hub: FastAPI, packed: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(tmp_path / "changed")
    journal = tmp_path / "changed" / "journal.jsonl"
    journal.write_text(journal.read_text("utf-8").replace("Anna said so", "Bert said so"), "utf-8")
    changed = Path(shutil.make_archive(str(tmp_path / "changed"), "zip", tmp_path / "changed"))
    with TestClient(hub) as client:
        status = hand_in(client, changed.read_bytes())
        (told,) = client.get("/api/v1/hall/games").json()

    assert status == 201
    assert told["wrong"].startswith("line ")


@pytest.mark.parametrize(
    ("data", "name", "who", "status"),
    [
        (b"no zip", "club-night", "Organiser", 422),
        (b"", "club-night", "Organiser", 422),
        (b"", "../club", "Organiser", 422),
        (b"", "club-night", "Anna", 403),
    ],
)
def test_what_is_no_game_or_comes_from_another_leaves_nothing(
    hub: FastAPI, tmp_path: Path, data: bytes, name: str, who: str, status: int
) -> None:
    with TestClient(hub) as client:
        assert hand_in(client, data, name, who) == status
        assert client.get("/api/v1/hall/games").json() == []
    assert [path.name for path in (tmp_path / "games").glob("*")] == []


HOSTILE = {
    "deep": b'{"n":1,"at_s":1.0,"entry":{"type":"settled","state":' + b"[" * 100_000,
    "not a number": b'{"n":1,"at_s":NaN,"entry":{"type":"codes-made","codes":{"judge":"ABCDEF"}}}',
    "an entry that is a list": b'{"n":1,"at_s":1.0,"entry":["codes-made"]}',
    "codes that are a number": b'{"n":1,"at_s":1.0,"entry":{"type":"codes-made","codes":5}}',
    "evidence that is a list": b'{"n":1,"at_s":1.0,"entry":{"type":"ruled","evidence":{"x":["y"]}}}',
    "a number of 5,000 digits": b'{"n":' + b"9" * 5000 + b',"at_s":1.0,"entry":{"type":"settled"}}',
    "half a letter": b'{"n":1,"at_s":1.0,"entry":{"type":"head-signed","head":"\\ud800","key":"\\ud800"}}',
    "a signature of nothing": b'{"n":1,"at_s":1.0,"entry":{"type":"key-made"}}',
    "no text": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_line_of_a_game_is_more_than_a_broken_one(hub: FastAPI, tmp_path: Path, name: str) -> None:
    packed = tmp_path / "hostile.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("journal.jsonl", HOSTILE[name] + b"\n")
    with TestClient(hub, raise_server_exceptions=False) as client:
        status = hand_in(client, packed.read_bytes())
        listed = client.get("/api/v1/hall/games").json()
        pages = [path.name for path in (tmp_path / "games").glob("*")]

    assert status in (201, 422)
    assert bool(listed) == (status == 201)
    assert bool(pages) == (status == 201)
    assert all(kept["wrong"] or kept["lines"] for kept in listed)


def test_a_name_is_given_once_and_no_other_file_is_handed_out(hub: FastAPI, packed: Path) -> None:
    with TestClient(hub) as client:
        first, again = hand_in(client, packed.read_bytes()), hand_in(client, packed.read_bytes())
        others = [client.get(f"/hall/games/{path}").status_code for path in ("none/", "club-night/%2e%2e/hall.sqlite")]

    assert (first, again) == (201, 422)
    assert others == [404, 404]
