"""Hub wiring: the hall's database, the server in front of it, and games that are handed in.

A game is one file; it is verified, and shown to everybody from its first moment on.
"""

import asyncio
import re
import shutil
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.responses import FileResponse
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from api.errors import BadGame, TooMuch
from api.games.archive import open_game
from api.games.export import game_files
from api.games.static_pages import write_pages
from api.games.verification import verify_game
from api.hall.hall_auth import Organiser
from api.hall.hub_app import Feed, create_hub_app, no_broker
from api.hall.keys import EventKeys
from api.hall.nats_feed import NatsFeed
from api.hall.store import HallStore
from api.http.openapi import problem_responses
from api.http.security_headers import content_policy
from api.server.bind import ListenOptions
from api.server.journal_entries import ENTRY_CLASSES
from api.server.serve import serve
from api.storage.files import load, save
from models.errors import BadFile, BadInput
from models.frozen import Frozen

MOST_BYTES = 1_000_000_000
_PAGE = re.compile(r"index\.html|game\.js|thumbnails/\d{8,15}\.jpg|records/\d{1,15}\.html")
_GAME_NAME = "^[a-z0-9][a-z0-9-]{0,59}$"
_BODY = {"requestBody": {"required": True, "content": {"application/zip": {"schema": {"type": "string"}}}}}
_RESPONSES = problem_responses(BadGame, BadFile, BadInput, TooMuch)
GameName = Annotated[str, Query(pattern=_GAME_NAME, description="small letters, digits, dashes")]


class HandedGame(Frozen):
    """A game that was handed in, and what its verification says."""

    name: str
    lines: int = Field(description="so many lines are whole and unchanged")
    head: str | None = Field(None, description="number and hash of the newest line, as on the result slip")
    wrong: str | None = Field(None, description="where the game breaks, or which evidence is not what it was")


class GameShelf:
    """The games in this folder, each as pages that need no table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> tuple[HandedGame, ...]:
        return tuple(load(HandedGame, path, error=BadGame) for path in sorted(self._folder.glob("*.json")))

    async def keep(self, request: Request, name: str) -> HandedGame:
        """Keep the game that the request's whole body is. Raises: BadGame, BadFile, BadInput, TooMuch."""
        if (self._folder / f"{name}.json").exists():
            raise BadInput(f"a game {name!r} is here already", field="name", value=name)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._folder, prefix=".", suffix=".zip") as part:
                size = 0
                async for chunk in request.stream():
                    size += part.write(chunk)
                    if size > MOST_BYTES:
                        raise TooMuch(f"a game has at most {MOST_BYTES // 10**6} MB", field="game", value=None)
                part.flush()
                return await run_in_threadpool(self._open, Path(part.name), name)
        except OSError as wrong:
            raise BadFile(f"{name}: {wrong.strerror or wrong}", field="game", value=name) from wrong
        except ValueError as wrong:
            raise BadGame(
                f"{name} holds what no table writes: {str(wrong).splitlines()[0]}", field="game", value=name
            ) from wrong

    def find(self, name: str, page: str) -> Path | None:
        """The file of a game's pages, where it has one of that name."""
        path = self._folder / name / page
        is_one = re.match(_GAME_NAME, name) and _PAGE.fullmatch(page) and path.is_file()
        return path if is_one else None

    def _open(self, packed: Path, name: str) -> HandedGame:
        report = verify_game(packed)
        with open_game(packed) as (ours, pictures):
            files = game_files(ours, pictures, is_nameless=False, entry_classes=ENTRY_CLASSES)
            try:
                forged = None if report.fault is None else report.sentence
                write_pages(self._folder / name, files, title=name, entry_classes=ENTRY_CLASSES, forged=forged)
            except BaseException:
                shutil.rmtree(self._folder / name, ignore_errors=True)
                raise
        head = None if report.chain.head is None else str(report.chain.head)
        wrong = None if report.fault is None else report.fault.says
        game = HandedGame(name=name, lines=report.chain.lines, head=head, wrong=wrong)
        save(game, self._folder / f"{name}.json")
        return game


def add_games(app: FastAPI, folder: Path) -> None:
    """Let the organiser hand games in, and everybody look at them."""
    shelf = GameShelf(folder)
    router = APIRouter(prefix="/api/v1/hall/games", tags=["games"])

    @router.get("", responses=problem_responses(BadGame, BadFile))
    def games() -> tuple[HandedGame, ...]:
        """The games that were handed in, and what their verification said."""
        return shelf.all()

    @router.post("", status_code=201, openapi_extra=_BODY, max_body_size=MOST_BYTES + 1, responses=_RESPONSES)
    async def hand_in(request: Request, name: GameName, _: Organiser) -> HandedGame:
        """Hand a game in: the request's whole body, a GAME.zip of `tableside export`. It is verified, and shown."""
        return await shelf.keep(request, name)

    @app.get("/hall/games/{name}/{page:path}", include_in_schema=False)
    def look(name: str, page: str) -> Response:
        path = shelf.find(name, page or "index.html")
        if path is None:
            return Response("There is no such game here.", status_code=404, media_type="text/plain")
        response = FileResponse(path)
        if path.suffix == ".html":
            policy = content_policy(path.read_text(encoding="utf-8"), has_style_attributes=True)
            response.headers["Content-Security-Policy"] = policy
        return response

    app.include_router(router)


def serve_hub(
    keys: EventKeys,
    database: str,
    listen: ListenOptions,
    *,
    nats: str | None,
    replicas: int,
    lists: Path | None,
    games: Path | None = None,
) -> None:
    """Serve the hall until interrupted. Raises: BadInput, HallStoreFailed, HubAway, HubRefused, NoJetStream."""
    broker: Feed = no_broker
    if nats is not None:
        feed = NatsFeed(nats, keys, replicas=replicas)
        asyncio.run(feed.check())  # before any address is printed
        broker = feed.run
    with closing(HallStore(database, keys.event, tables=[key.table for key in keys.tables])) as store:
        app = create_hub_app(store, keys, broker=broker, names=listen.names, lists=lists)
        if games is not None:
            add_games(app, games)
        serve(app, listen)
