"""Security headers: what browsers may do with what they are sent; and the built pages, sent with them."""

import base64
import gzip
import hashlib
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response
from starlette.datastructures import MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
FRAMED = {"/overlay"}  # the file that waits for the server holds the overlay in a frame, and shows nothing to click
_CODES = ("/j/", "/join", "/api/v1/join", "/api/v1/seat", "/judge")  # where a code stands in the address or the answer
BUILT = Path(__file__).parents[1] / "web" / "dist"
_RED_STYLE = "red-line.css"
_RED = (
    ".red-line { position: fixed; z-index: 99; inset: 0 0 auto; margin: 0; padding: 10px 16px; background: #b3261e; "
    "color: #fff; font: 700 17px/1.3 system-ui, sans-serif; pointer-events: none; }"
)
_MISSING = """The phone's page has not been built.

From a clone:  make demo      (or: cd api/web && npm ci && npm run build)
The wheel holds it already; the questions under /api/v1 work without it.
"""


def red_line(forged: str) -> str:
    """What stands across the top of a page of a forged game."""
    return f'<link rel="stylesheet" href="{_RED_STYLE}"><p class="red-line" role="alert">{escape(forged)}</p>'


def content_policy(html: str = "", *, is_framed: bool = False, has_style_attributes: bool = False) -> str:
    """The policy of a page; `html` is its text where scripts or styles stand in it."""
    sources = {"script": ["'self'"], "style": ["'self'"]}
    for kind, text in _INLINE.findall(html):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        sources[kind].append(f"'sha256-{digest}'")
    parts = [
        "default-src 'self'",
        f"script-src {' '.join(sources['script'])}",
        f"style-src {' '.join(sources['style'])}",
        "img-src 'self' data: blob:",
        "connect-src 'self' ws: wss: http: https:",  # a judge's page looks at other tables of the hall
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    ]
    if not is_framed:  # `*` would not do for a framed page: it lets in no file on the streaming machine
        parts.append("frame-ancestors 'none'")
    if has_style_attributes:
        parts.append("style-src-attr 'unsafe-inline'")
    return "; ".join(parts)


_PLAIN, _OVERLAY = content_policy(), content_policy(is_framed=True, has_style_attributes=True)
_PAGES = {**dict.fromkeys(FRAMED, _OVERLAY), "/docs": content_policy(has_style_attributes=True)}


class SecurityHeaders:
    """Adds the headers to every answer; what a route has set itself stays."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _guard(MutableHeaders(scope=message), scope["path"])
            await send(message)

        await self._app(scope, receive, send_guarded)


def _guard(headers: MutableHeaders, path: str) -> None:
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "no-referrer")
    if headers.get("content-type", "").startswith("text/html"):
        headers.setdefault("Content-Security-Policy", _PAGES.get(path, _PLAIN))
        if path not in FRAMED:
            headers.setdefault("X-Frame-Options", "DENY")
    if path.startswith(_CODES):
        headers["Cache-Control"] = "no-store"


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
    page = built / name

    @app.get(path, include_in_schema=False)
    def serve(request: Request) -> Response:
        forged = getattr(app.state, "forged", _unforged)()
        return page_response(page, accepts=request.headers.get("accept-encoding", ""), forged=forged)


def add_red_line(app: FastAPI, forged: Callable[[], str | None]) -> None:
    """Let every page of this app say across its top, whatever else goes wrong in it, that what it shows was forged.

    `forged` says why; None while it is what the table wrote.
    """
    app.state.forged = forged

    @app.get(f"/{_RED_STYLE}", include_in_schema=False)
    def style() -> Response:
        return Response(_RED, media_type="text/css")


def _unforged() -> None:
    return None


def page_response(page: Path, *, accepts: str = "", forged: str | None = None) -> Response:
    """A built page, asked for each time, compressed for who `accepts` that; or the word that it was not built."""
    if not page.is_file():
        return PlainTextResponse(_MISSING, status_code=503)
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if "gzip" not in accepts and forged is None:
        return FileResponse(page, headers=headers)
    text = page.read_bytes()
    if forged is not None:
        text = text.replace(b"</body>", red_line(forged).encode() + b"</body>")
    if "gzip" not in accepts:
        return Response(text, media_type="text/html", headers=headers)
    packed = gzip.compress(text, mtime=0)
    return Response(packed, media_type="text/html", headers=headers | {"Content-Encoding": "gzip"})
