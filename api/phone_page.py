"""The phone's page: what Vite built, or a clear word that it was not built."""

from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse, PlainTextResponse, Response
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

BUILT = Path(__file__).parent / "web" / "dist"
_MISSING = """The phone's page has not been built.

From a clone:  make demo      (or: cd api/web && npm ci && npm run build)
The wheel holds it already; the questions under /api/v1 work without it.
"""


def add_phone_page(app: FastAPI, built: Path = BUILT, *, name: str = "index.html") -> None:
    """Serve a page at `/`; its files carry a hash in their names, so only the page itself must be asked for anew."""
    add_page(app, "/", name, built)
    if (built / "assets").is_dir():
        app.mount("/assets", GZipMiddleware(Hashed(directory=built / "assets"), compresslevel=6), name="assets")


class Hashed(StaticFiles):
    """Files whose names hold a hash of what is in them: who has one need never ask for it again."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def add_page(app: FastAPI, path: str, name: str, built: Path = BUILT) -> None:
    """Serve one built page."""
    page = built / name

    @app.get(path, include_in_schema=False)
    def serve() -> Response:
        if not page.is_file():
            return PlainTextResponse(_MISSING, status_code=503)
        return FileResponse(page, headers={"Cache-Control": "no-cache"})
