"""Pages of the hub: the hall for its officials, the clock, tables to watch, and the overlay of the featured table."""

from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import RedirectResponse
from starlette.middleware.gzip import GZipMiddleware

from api.http.security_headers import content_policy
from api.http.static_pages import BUILT, HashedFiles, add_page, page_response
from api.routes.overlay_page import loader_of

_FRAMES = "; frame-src http: https:"  # the tables' own overlays, each at its own address


def add_hall_pages(app: FastAPI, built: Path = BUILT) -> None:
    """Serve the pages; their files lie beside each address, for pages name them by where they are themselves."""

    @app.get("/", include_in_schema=False)
    def begin() -> Response:
        return RedirectResponse("/hall/clock", status_code=303)

    add_page(app, "/hall", "hall.html", built)
    add_page(app, "/hall/clock", "hall-clock.html", built)
    add_page(app, "/hall/tables/{number}", "hall-watch.html", built)
    policy = content_policy(is_framed=True) + _FRAMES

    @app.get("/overlay", include_in_schema=False)
    def overlay() -> Response:
        response = page_response(built / "featured.html")
        response.headers["Content-Security-Policy"] = policy
        return response

    @app.get("/overlay/loader.html", include_in_schema=False)
    def loader(request: Request) -> Response:
        """A file that opens this overlay, for a program that starts before the hub does."""
        address = request.url.replace(path="/overlay")
        headers = {"Content-Disposition": 'attachment; filename="tableside-overlay.html"'}
        return Response(loader_of(str(address)), media_type="text/html", headers=headers)

    if (built / "assets").is_dir():
        for place in ("", "/hall", "/hall/tables"):
            files = GZipMiddleware(HashedFiles(directory=built / "assets"), compresslevel=6)
            app.mount(f"{place}/assets", files)
