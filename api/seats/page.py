"""The page on which a code is typed: plain HTML, so that it works before anything else does."""

import html
from string import Template

from fastapi import Response

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
</main>
</html>
""")


def join_page(*, wrong: str | None = None, status: int = 200) -> Response:
    """The page, with what was wrong about the code that was typed."""
    said = f'<p class="wrong" role="alert">{html.escape(wrong)}</p>' if wrong else ""
    return Response(_PAGE.substitute(wrong=said), status_code=status, media_type="text/html; charset=utf-8")
