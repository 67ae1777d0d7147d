"""Overlay page, and a file for streaming programs that may start before the server does."""

import json
from string import Template

from fastapi import FastAPI, Request, Response

from api.http.static_pages import add_page

# A browser source that was opened before the server shows an error page and never looks again. This file lies on the
# streaming machine, so it is always there: it waits for the server and then holds the overlay. No color-scheme is
# named, or the frame would not be transparent.
_LOADER = Template("""\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tableside overlay</title>
<style>
  html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0; display: block; }
  html, body, iframe { background: transparent; overflow: hidden; }
</style>
<body>
<script>
  const overlay = new URL($address);
  const again_ms = 1500;
  async function look() {
    try {
      await fetch(new URL("/api/v1/health", overlay), { mode: "no-cors", cache: "no-store" });
    } catch {
      setTimeout(look, again_ms);
      return;
    }
    const frame = document.createElement("iframe");
    frame.title = "Overlay";
    frame.src = overlay.href;
    document.body.replaceChildren(frame);
  }
  look();
</script>
""")


def add_overlay_page(app: FastAPI) -> None:
    """Serve the page at `/overlay`, and the file to download at `/overlay/loader.html`."""
    add_page(app, "/overlay", "overlay.html")

    @app.get("/overlay/loader.html", include_in_schema=False)
    def loader(request: Request) -> Response:
        """A file that opens the overlay at this address, with the parameters it was asked for with."""
        address = request.url.replace(path="/overlay")
        return Response(
            loader_of(str(address)),
            media_type="text/html",
            headers={"Content-Disposition": 'attachment; filename="tableside-overlay.html"'},
        )


def loader_of(address: str) -> str:
    """The file's text; `<` is escaped so that nothing in the address can end the script."""
    return _LOADER.substitute(address=json.dumps(address).replace("<", "\\u003c"))
