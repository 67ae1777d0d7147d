"""The page of the HTTP interface: what each route does, who may use it, and what it may answer; from the code."""

from collections.abc import Iterator
from typing import Any, get_args

from api.app import create_app
from api.hub import Hub
from api.live import SAID, Told
from api.seats.seat import RIGHTS, Right, Seat

_HEAD = """\
# HTTP interface

<!-- Written by scripts/api_page.py from the server's routes; run `make pages` after changing one. -->

Everything the pages do, a program can do. The server tells the whole of this as OpenAPI at `/api/v1/openapi.json`,
every question by its `kind`. Lengths are millimetres, angles degrees. What is wrong leaves as one problem object
(RFC 9457, `application/problem+json`) with a [stable code](errors.md). What is not listed here may change; what is,
changes only with the number in `/api/v1`.

## Seats

Who scans a code of the table, or types it, has a seat; who has none watches (at `tableside demo` and `serve --open`:
plays). Programs join with `POST /api/v1/join` and send the `token` of the answer as `Authorization: Bearer TOKEN`;
browsers follow `/j/CODE` and get a cookie. Codes and seats survive a restart where the table is kept (`--data`).

| seat | may |
|---|---|
"""
_LIVE = """\

## Live

`/api/v1/live` is a WebSocket. The first word is `hello`, then comes a `snapshot`, then what changes. Each message that
changes anything carries the next `seq`; who misses one, or was away, says `{"type": "snapshot"}` and gets everything
anew; the server does the same for who is too slow. Neither side minds a `type` that it does not know. `/api/v1/events`
tells the same as server-sent events, for those who only listen.

| the server tells | |
|---|---|
"""
_MORE = """\

## Earlier moments, and what if

Whatever is asked may be asked of an earlier moment: `?at=N`, with the number of any line of `/api/v1/moments`. The
table is then what was known at that moment, with the corrections of that moment. `POST /api/v1/ask` takes one question,
a list, or `{"questions": [...], "ghosts": {"m3": {"at_mm": [300, 610], "facing_deg": 90}}}`: a table on which somebody
stands elsewhere. `/ask-pair`, `/ask-one` and `/ask-move` take `ghosts` too.

## Pictures

`/api/v1/picture.jpg` is the table from above, `/api/v1/annotated.jpg` the same with bases, facings, names and terrain
drawn into it, `/api/v1/stream.mjpeg` that as video for programs that have no browser source.

## Several tables

Each table has a server of its own. `/api/v1/glance` tells a table from afar and may be read by the pages of others;
`/api/v1/tables` keeps the list of those a judge looks after.
"""


def api_page() -> str:
    """The whole page."""
    document = create_app(Hub(title="")).openapi()
    told = _HEAD + "".join(_seats()) + _LIVE + "".join(_messages(get_args(get_args(Told)[0])))
    told += "\n| a client may say | |\n|---|---|\n" + "".join(_messages(_choices(SAID)))
    return told + _MORE + "\n## Routes\n" + "".join(_groups(document))


def _seats() -> Iterator[str]:
    for seat in get_args(Seat):
        yield f"| `{seat}` | {', '.join(right for right in Right if right in RIGHTS[seat])} |\n"


def _choices(adapter: Any) -> tuple[type, ...]:
    """The classes behind a type adapter of a union."""
    return get_args(get_args(adapter._type)[0])


def _messages(classes: tuple[Any, ...]) -> Iterator[str]:
    for cls in classes:
        name = get_args(cls.model_fields["type"].annotation)[0]
        yield f"| `{name}` | {_line(cls.__doc__)} |\n"


def _groups(document: dict[str, Any]) -> Iterator[str]:
    found: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            group = operation.get("tags", ["more"])[0]
            found.setdefault(group, []).append(_route(method.upper(), path, operation))
    for group in sorted(found):
        yield f"\n### {group.capitalize()}\n\n| route | needs | answers | |\n|---|---|---|---|\n"
        yield from found[group]


def _route(method: str, path: str, operation: dict[str, Any]) -> str:
    answers = ", ".join(sorted(operation["responses"]))
    return (
        f"| `{method} {path}` | {operation.get('x-right', '')} | {answers} | {_line(operation.get('description'))} |\n"
    )


def _line(text: str | None) -> str:
    """The first paragraph in one line."""
    return " ".join((text or "").split("\n\n")[0].split()).replace("|", "\\|")
