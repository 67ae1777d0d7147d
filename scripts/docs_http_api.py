"""The page of the HTTP interface: what each route does, who may use it, and what it may answer; from the code."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

from api.camera.phone_camera import PhoneCamera
from api.camera.photographs import Photographs
from api.cli.serve import shipped_job
from api.hall.hub_app import create_hub_app
from api.hall.keys import make_keys
from api.hall.store import HallStore
from api.live.hub import Hub
from api.live.messages import CLIENT_MESSAGE, ServerMessage
from api.routes.camera import add_phone_camera, add_photographs
from api.seats.permissions import RIGHTS, Right, Seat
from api.server.app import create_app
from api.server.hub_wiring import add_games

_HEAD = """\
# HTTP interface

<!-- Written by scripts/docs_http_api.py from the server's routes; run `make pages` after changing one. -->

Everything the pages do, a program can do. The server describes all of this as OpenAPI at `/api/v1/openapi.json`, every
question by its `kind`; `/docs` shows it and sends what is tried there. Lengths are millimetres, angles degrees. Errors
are problem objects (RFC 9457, `application/problem+json`) with a [stable code](errors.md). What is listed here changes
only with the number in `/api/v1`; the rest may change.

## A client of your own language

```sh
curl -o openapi.json http://192.0.2.3:8017/api/v1/openapi.json
uvx openapi-python-client generate --path openapi.json          # Python
npx openapi-typescript openapi.json -o tableside.ts --default-non-nullable false     # TypeScript, for openapi-fetch
```

```ts
import createClient from "openapi-fetch";
import type { paths } from "./tableside.js";

const table = createClient<paths>({ baseUrl: "http://localhost:8017" });
const sheet = await table.POST("/api/v1/ask-pair", { body: { a: "m3", b: "m7" } });
console.log(sheet.data?.lines.length);
const refused = await table.POST("/api/v1/ask", { body: { kind: "distance", a: "nobody", b: "m7" } });
console.log(refused.error?.type);
```

Without the last option a field that has a default would have to be sent.

Both keep every route. The Python one (0.29) hands pictures and archives out as bytes of `sync_detailed`, says so while
it generates, and cannot read `GET /api/v1/state`: a field of it is called `cast`, as a function that it imports.

## Seats

A code of the table, scanned or typed, gives a seat; without a seat a client watches (at `tableside demo` and
`serve --open`: plays). Programs join with `POST /api/v1/join` and send the `token` of the answer as
`Authorization: Bearer TOKEN`; browsers follow `/j/CODE` and get a cookie. Codes and seats survive a
restart where the table is kept (`--data`).

| seat | may |
|---|---|
"""
_LIVE = """\

## Live

`/api/v1/live` is a WebSocket. The server sends `hello`, then a `snapshot`, then patches. Each message that changes
anything carries the next `seq`; a client that missed one sends `{"type": "snapshot"}` and gets a full snapshot. A slow
client gets one too, instead of a growing queue. Both sides ignore a `type` that they do not know. `/api/v1/events`
sends the same as server-sent events.

| the server sends | |
|---|---|
"""
_MORE = """\

## Earlier moments, and what if

Every question may be asked about an earlier moment: `?at=N`, with the number of any line of `/api/v1/moments`. The
table is then what was known at that moment, with the corrections of that moment. `POST /api/v1/ask` takes one question,
a list, or `{"questions": [...], "ghosts": {"m3": {"at_mm": [300, 610], "facing_deg": 90}}}`: a table on which somebody
stands elsewhere. `/ask-pair`, `/ask-one` and `/ask-move` take `ghosts` too.

An answer that rests on what one player said and nobody agreed to names it in `told`, a single one as the lines of a
sheet do. An answer that would be another if something half seen were a base is `too-close`, whoever asks.

## Bases that the camera missed

`POST /api/v1/corrections` with `{"do": "base", "id": "giant", "at_mm": [412, 655], "base": {"shape": "oval",
"width_mm": 120, "depth_mm": 92}, "turn_deg": 30}` adds a base where a player points; with the id of a measured
miniature it replaces that one's size and place. `sigma_mm` is how exactly the place is pointed at: 4 mm unless given,
1.5 mm in a loupe. The miniature then has `placement` `by-hand` and that sigma. An added base keeps its id and its
size when the camera measures a base of that size there, and goes from then on where that goes; it ends when a known
miniature is moved there. A replaced place ends when the miniature moves or is measured there in the given size; the
size stays with it. A base off the table or upon another one is refused with field and value.

## Pictures

`GET /api/v1/measure` names the camera's own picture that players may tap on, black beyond the table's edge: the newest
of a table at rest, or photograph. `POST /api/v1/measure` says which base stands where a player taps:

```json
{"at_px": [1420.5, 803.0]}
```

`at_px` or `at_mm` is the middle of the base, pointed at with `sigma_mm` (4 for a finger, 1.5 in a loupe); `rim_px`,
three to twelve places on the rim that is in sight, leads the outline, with or without it. `base` fits that size
alone; `turn_deg` is how an oval or a rectangle was twisted. `?picture=` names the picture, so that a tap means the
one that was tapped. The answer holds `candidates`, one for each size that it may be, likeliest first: `probability`,
`is_measured` (whether a rim led it; else it stands where the hand placed it), `at_mm`, `at_px`, `turn_deg`,
`sigma_mm`, `outline_mm` (its footprint) and `outline_px` (as the camera sees it, foot and upper rim). A size is as
likely as its rim, the networks, what the lists still miss and what stands already make it. `crop` is the part of the
picture for a loupe, with `mm_from_px`, the homography from pixels of the whole picture to the table; `GET
/api/v1/measure/crop.jpg` with `picture` and the crop's four numbers sends it. `miniature` is who covers the place
now. Nothing is written: the correction `base` confirms. A tap off the table or the picture is refused with its field,
a ninth tap at once with 429.

`GET /api/v1/roll-call` counts by side and size who is expected (lists, or numbers typed by `PUT /api/v1/expected`),
who stands and who is missing, and lists the doubtful, the most doubtful first, with `picture` and `crop` as above:
`doubt` is `unconfirmed` (is it a base?), `size` (with `sizes`) or `by-hand`. Who was seen to leave, has the status
`removed`, or is told by `{"do": "absent", "why": "casualty", "side": "Mara", "base": {...}, "count": 1}` (or
`"in-reserve"`) is `away` and not missing. While some are missing `asks` is the question to put before the table is
called complete. The correction `{"do": "complete"}` calls it so. Where the other player has a seat it waits for `POST
/api/v1/corrections/agree` (`is_waiting`, `step`); it ends when a base stands there that was not called. The state
carries `roll_call` (`is_complete`, `missing`), the table as it is drawn `is_complete` and `missing`. Until it is
complete the advice of an answer says where a missing base would turn it.

`/api/v1/picture.jpg` is the table from above, `/api/v1/annotated.jpg` the same with bases, facings, names and terrain
drawn into it, `/api/v1/stream.mjpeg` that as video for programs that have no browser source.

## Several tables

Each table has a server of its own. `/api/v1/glance` summarises a table and may be read by pages of other servers;
`/api/v1/tables` keeps the list of tables that a judge looks after.
"""


_HUB_HEAD = """\
# HTTP interface of a hub

<!-- Written by scripts/docs_http_api.py from the hub's routes; run `make pages` after changing one. -->

[A hall's hub](hall.md) describes itself as a table does: OpenAPI at `/api/v1/openapi.json`, to read and to try at
`/docs`. Organisers and judges join with `POST /api/v1/join` and send the `token` as `Authorization: Bearer TOKEN`; a
table sends its key the same way. Under *needs* stands who may.

<img src="pictures/hall/9-interface.jpg" alt="The hub's page /docs: a route tried out" width="720">

## Routes
"""


def hub_page() -> str:
    """The page of the hub's routes."""
    keys, _ = make_keys("spring", tables=1, judges=())
    store = HallStore("sqlite://", "spring", tables=(1,))
    app = create_hub_app(store, keys)
    add_games(app, Path("games"))
    return _HUB_HEAD + "".join(_groups(app.openapi()))


def api_page() -> str:
    """The whole page."""
    app = create_app(Hub(title=""))
    with closing(PhoneCamera()) as phone:
        add_phone_camera(app, phone)
        add_photographs(app, Photographs(shipped_job(is_looping=False)))
        document = app.openapi()
    told = _HEAD + "".join(_seats()) + _LIVE + "".join(_messages(get_args(get_args(ServerMessage)[0])))
    told += "\n| a client may send | |\n|---|---|\n" + "".join(_messages(_choices(CLIENT_MESSAGE)))
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
