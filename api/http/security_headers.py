"""Security headers: pages run no script and take no style but the table's own, and tell nobody where they were.

A page with a script or a style in it names both by their hashes; nothing else that stands in a page is run.
"""

import base64
import hashlib
import re

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
FRAMED = {"/overlay"}  # the file that waits for the server holds the overlay in a frame, and shows nothing to click
_CODES = ("/j/", "/join", "/api/v1/join", "/api/v1/seat", "/judge")  # where a code stands in the address or the answer


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
        headers.setdefault("Content-Security-Policy", _OVERLAY if path in FRAMED else _PLAIN)
        if path not in FRAMED:
            headers.setdefault("X-Frame-Options", "DENY")
    if path.startswith(_CODES):
        headers["Cache-Control"] = "no-store"
