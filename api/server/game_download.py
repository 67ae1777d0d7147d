"""The game as one file: what `tableside export` writes, handed to the judge while the table is open."""

import asyncio
import contextlib
import shutil
import sys
import tempfile
from pathlib import Path

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from api.errors import NothingKept
from api.http.openapi import media_response, problem_responses
from api.routes.auth import Judge
from models.errors import BadFile

NAME = "game.zip"
_EXPORT = (sys.executable, "-c", "from api.cli import main; main()", "export")


_router = APIRouter(prefix="/api/v1")


def add_game_download(app: FastAPI, data: Path | None) -> None:
    """Let this app hand out its game; `data`: where the table keeps it, if it does.

    A process of its own packs it, one at a time: drawing each table at rest would keep players waiting.
    """
    app.state.game = data, asyncio.Lock()
    app.include_router(_router)


@_router.get(
    "/game.zip",
    response_class=Response,
    responses=media_response("application/zip") | problem_responses(NothingKept, BadFile),
)
async def game(request: Request, _: Judge) -> FileResponse:
    """The game so far as `tableside export` writes it: event log, evidence, a picture of each table at rest.

    It holds what players said and were called: for who judges alone.
    """
    data, packing = request.app.state.game
    if data is None:
        raise NothingKept("start the table with --data FOLDER, and its game is kept", field="data", value=None)
    folder = Path(tempfile.mkdtemp(prefix="tableside-game-"))
    try:
        async with packing:
            await _pack(data, folder / NAME)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    cleaning = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    return FileResponse(folder / NAME, media_type="application/zip", filename=NAME, background=cleaning)


async def _pack(data: Path, output: Path) -> None:
    """Raises: BadFile."""
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*_EXPORT, str(data), "-o", str(output), stdout=quiet, stderr=quiet)
    try:
        code = await process.wait()
    finally:
        if process.returncode is None:  # whoever asked has hung up
            with contextlib.suppress(ProcessLookupError):
                process.kill()
    if code != 0:
        raise BadFile("the game cannot be packed: see `tableside export`", field="game", value=data.name)
