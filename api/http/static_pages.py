"""Static pages: what Vite built, or a clear word that it was not built."""

import gzip
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

BUILT = Path(__file__).parents[1] / "web" / "dist"
_MISSING = """The phone's page has not been built.

From a clone:  make demo      (or: cd api/web && npm ci && npm run build)
The wheel holds it already; the questions under /api/v1 work without it.
"""


def add_phone_page(app: FastAPI, built: Path = BUILT, *, name: str = "index.html") -> None:
    """Serve a page at `/`; its files carry a hash in their names, so only the page itself is asked for each time."""
    add_page(app, "/", name, built)
    if (built / "assets").is_dir():
        app.mount("/assets", GZipMiddleware(HashedFiles(directory=built / "assets"), compresslevel=9), name="assets")


class HashedFiles(StaticFiles):
    """Files whose names hold a hash of what is in them: who has one need never ask for it again."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def add_page(app: FastAPI, path: str, name: str, built: Path = BUILT) -> None:
    """Serve one built page."""
    page = built / name

    @app.get(path, include_in_schema=False)
    def serve(request: Request) -> Response:
        return page_response(page, accepts=request.headers.get("accept-encoding", ""))


def page_response(page: Path, *, accepts: str = "") -> Response:
    """A built page, asked for each time, compressed for who `accepts` that; or the word that it was not built."""
    if not page.is_file():
        return PlainTextResponse(_MISSING, status_code=503)
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if "gzip" not in accepts:
        return FileResponse(page, headers=headers)
    packed = gzip.compress(page.read_bytes(), mtime=0)
    return Response(packed, media_type="text/html", headers=headers | {"Content-Encoding": "gzip"})
