"""`tableside hub`: many tables, one hall."""

import json
from pathlib import Path
from typing import Annotated

import typer

from api.cli.hosting_options import Host, Port, listen_on
from api.cli.invocation import settings_of, wants_json
from api.storage.files import folder_fault
from models.errors import BadInput

_INSTALL = "the hub needs its own libraries: pip install 'tableside[hub]'"

Event = Annotated[str | None, typer.Option(help="Name: small letters, digits, dashes. Left out: only cards.")]
Tables = Annotated[int | None, typer.Option(help="How many tables it has.", min=1, max=10_000)]
KeysFolder = Annotated[Path, typer.Option("--out", help="Folder for the keys.")]
HubUrl = Annotated[str | None, typer.Option("--url", help="Where phones reach the hub; prints cards with codes.")]
HeadJudge = Annotated[str | None, typer.Option(help="Name of the judge who hears appeals.")]
CallStopsClock = Annotated[bool, typer.Option("--call-stops-clock", help="A judge's call stops the table's clocks.")]
Keys = Annotated[Path, typer.Option(help="Folder that `tableside hub keys` wrote.")]
Database = Annotated[str | None, typer.Option(help="As postgresql+psycopg://...", envvar="TABLESIDE_DATABASE")]
Nats = Annotated[str | None, typer.Option(help="Broker of the tables, nats://HOST:PORT.", envvar="TABLESIDE_NATS")]


def write_event_keys(
    context: typer.Context,
    out: KeysFolder,
    event: Event = None,
    tables: Tables = None,
    judge: Annotated[list[str] | None, typer.Option(help="A judge's name; once for each.")] = None,
    head_judge: HeadJudge = None,
    url: HubUrl = None,
    call_stops_clock: CallStopsClock = False,
) -> None:
    """Make the keys of an event: one file a table, and the hub's own with the codes of judges and organiser.

    With --url also cards to print: one for each table, which opens a player's seat, and one for each seat in the hall.
    """
    from api.hall.keys import make_keys, read_event_keys, write_keys

    if event is None and url is None:
        raise BadInput("--event is missing: keys are made for one", field="event", value=None)
    if event is not None:
        if tables is None:
            raise BadInput("--tables is missing: how many the event has", field="tables", value=None)
        _check_event(event)
        names = tuple(judge or ())
        keys, made = make_keys(
            event, tables=tables, judges=names, head_judge=head_judge, call_stops_clock=call_stops_clock
        )
        write_keys(out, keys, made)
    else:
        keys = read_event_keys(out)
    cards = None if url is None else str(_write_cards(out, url))
    seats = [{"name": seat.name, "seat": seat.seat, "code": seat.code} for seat in keys.seats]
    lines = [f"{seat['name']} ({seat['seat']}): {seat['code']}" for seat in seats if event is not None]
    lines += [f"Cards: {cards}"] if cards else []
    typer.echo(json.dumps({"seats": seats, "cards": cards}) if wants_json(context) else "\n".join(lines))


def _write_cards(keys: Path, url: str) -> Path:
    from api.hall.cards import render_cards
    from api.hall.keys import CARDS_FILE, read_event_keys
    from api.storage.files import write_whole

    output = keys / CARDS_FILE
    write_whole(output, render_cards(read_event_keys(keys), url), is_private=True)
    return output


def run_hub(
    context: typer.Context,
    keys: Keys,
    data: Annotated[Path, typer.Option(help="Folder for the hub's SQLite database.")] = Path("hall"),
    database: Database = None,
    nats: Nats = None,
    host: Host = "0.0.0.0",
    port: Port = 8020,
) -> None:
    """Run the hub: tables hand their journals over, judges look at `/hall`."""
    from api.hall.keys import read_event_keys

    read, hall = read_event_keys(keys), settings_of(context).hall
    try:
        from api.server import hub_wiring
    except ImportError as wrong:
        raise BadInput(f"{_INSTALL} ({wrong})", field="hub", value=None) from wrong
    hub_wiring.serve_hub(
        read,
        database or _sqlite_in(data),
        listen_on(context, host, port, kind="hub"),
        nats=nats,
        replicas=hall.replicas,
        lists=hall.lists,
        games=hall.games,
    )


def _sqlite_in(folder: Path) -> str:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise folder_fault(folder, wrong) from wrong
    return f"sqlite:///{(folder / 'hall.sqlite').resolve()}"


def _check_event(event: str) -> None:
    from pydantic import TypeAdapter, ValidationError

    from api.hall.keys import EventName

    try:
        TypeAdapter(EventName).validate_python(event)
    except ValidationError as wrong:
        says = f"{event!r} is no name of an event: small letters, digits and dashes, at most 40"
        raise BadInput(says, field="event", value=event) from wrong
