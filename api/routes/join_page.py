"""Join page: where a code is typed; plain HTML, so that it works before anything else does."""

import html
from string import Template
from urllib.parse import quote

from fastapi import Response

from api.http.security_headers import content_policy

_FORM = Template("""\
<main>
  <h1>Join the table</h1>
  $wrong
  <form action="/join">
    <label for="code">The six letters beside the table's address</label>
    <input id="code" name="code" required minlength="6" maxlength="40" autocomplete="off" autocapitalize="characters"
      spellcheck="false" autofocus>
    <button>Join</button>
  </form>
  <a href="/">Only watch</a>
</main>""")

_LEAVE = Template("""\
<main>
  <h1>You are the judge</h1>
  <p>This code is for another seat. This device stays the judge unless you give that up.</p>
  <p><a href="/judge">Stay the judge</a></p>
  <form action="/j/$code"><input type="hidden" name="leave" value="true"><button>Take the other seat</button></form>
</main>""")

_PAGE = Template("""\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Join the table</title>
<style>
  :root { color-scheme: dark; font: 18px/1.5 system-ui, sans-serif; background: #14171a; color: #f2f4f5; }
  body { margin: 0 auto; max-width: 22rem; padding: 1.5rem; }
  input, button { box-sizing: border-box; width: 100%; min-height: 56px; font: inherit; border-radius: 8px; }
  input { background: #0b0d0f; color: inherit; border: 2px solid #8b98a3; text-align: center; font-size: 1.6rem;
    letter-spacing: 0.2em; text-transform: uppercase; }
  input { margin-top: 0.5rem; }
  button { margin-top: 1rem; border: 0; background: #ffd24a; color: #14171a; font-weight: 600; }
  input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid #7cc7ff; outline-offset: 2px; }
  .wrong { border-left: 4px solid #ffb35c; padding-left: 0.75rem; }
  a { color: #9ad1ff; display: inline-block; min-height: 48px; line-height: 48px; }
</style>
$main
</html>
""")


def join_page(*, wrong: str | None = None, status: int = 200) -> Response:
    """The page, with what was wrong about the code that was typed."""
    said = f'<p class="wrong" role="alert">{html.escape(wrong)}</p>' if wrong else ""
    return _respond(_FORM.substitute(wrong=said), status=status)


def leave_page(*, code: str) -> Response:
    """The page that asks a judge who opened the link of another seat."""
    return _respond(_LEAVE.substitute(code=quote(code, safe="")))


def _respond(main: str, *, status: int = 200) -> Response:
    page = _PAGE.substitute(main=main)
    headers = {"Content-Security-Policy": content_policy(page)}
    return Response(page, status_code=status, media_type="text/html; charset=utf-8", headers=headers)
