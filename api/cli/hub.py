"""`tableside hub`: many tables, one hall."""

from pathlib import Path
from typing import Annotated

import typer

from api.cli.hosting_options import AsJson, Host, Names, NoQr, Proxies
from api.server.bind import ListenOptions
from api.storage.folders import folder_fault
from models.errors import BadInput

_INSTALL = "the hub needs its own libraries: pip install 'tableside[hub]'"


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    hub = typer.Typer(help="A hall: many tables, one hub.", no_args_is_help=True)
    hub.command("keys")(write_event_keys)
    hub.command("cards")(write_cards)
    hub.command("run")(run_hub)
    app.add_typer(hub, name="hub")


def write_event_keys(
    event: Annotated[str, typer.Option(help="Name of the event: small letters, digits, dashes.")],
    tables: Annotated[int, typer.Option(help="How many tables it has.", min=1, max=10_000)],
    out: Annotated[Path, typer.Option(help="Folder for the keys; it must hold none yet.")],
    judge: Annotated[list[str] | None, typer.Option(help="A judge's name; once for each.")] = None,
    head_judge: Annotated[str | None, typer.Option(help="Name of the judge who hears appeals.")] = None,
    url: Annotated[
        str | None, typer.Option(help="Where phones reach the hub, for the codes on the cards, http://...")
    ] = None,
    call_stops_clock: Annotated[
        bool, typer.Option("--call-stops-clock", help="Who calls a judge stops the table's clocks.")
    ] = False,
) -> None:
    """Make the keys of an event: one file a table, and the hub's own with the codes of judges and organiser."""
    from api.hall.keys import CARDS_FILE, make_keys, write_keys

    _check_event(event)
    names = tuple(judge or ())
    keys, made = make_keys(event, tables=tables, judges=names, head_judge=head_judge, call_stops_clock=call_stops_clock)
    write_keys(out, keys, made)
    for seat in keys.seats:
        typer.echo(f"{seat.name} ({seat.seat}): {seat.code}")
    if url is not None:
        write_cards(out, url, out / CARDS_FILE)


def write_cards(
    keys: Annotated[Path, typer.Option(help="Folder that `tableside hub keys` wrote.")],
    url: Annotated[str, typer.Option(help="Where phones reach the hub, http://...")],
    output: Annotated[Path, typer.Option("-o", "--output", help="PDF to write.")] = Path("cards.pdf"),
) -> None:
    """Print the cards anew: one for each table, which opens a player's seat, and one for each seat in the hall."""
    from api.hall.cards import render_cards
    from api.hall.keys import read_event_keys
    from api.storage.files import write_whole

    write_whole(output, render_cards(read_event_keys(keys), url))
    output.chmod(0o600)
    typer.echo(f"Cards: {output}")


def run_hub(
    keys: Annotated[Path, typer.Option(help="Folder that `tableside hub keys` wrote.")],
    data: Annotated[Path, typer.Option(help="Folder for the hub's SQLite database.")] = Path("hall"),
    database: Annotated[
        str | None, typer.Option(help="Another database, such as postgresql+psycopg://...", envvar="TABLESIDE_DATABASE")
    ] = None,
    nats: Annotated[
        str | None, typer.Option(help="Broker that tables send to, nats://HOST:PORT.", envvar="TABLESIDE_NATS")
    ] = None,
    replicas: Annotated[int, typer.Option(help="Servers of a NATS cluster that keep each line.", min=1, max=5)] = 1,
    lists: Annotated[Path | None, typer.Option(help="Folder of the army lists that pairings name.")] = None,
    games: Annotated[
        Path | None, typer.Option(help="Folder of the games that the organiser hands in, for everybody to see.")
    ] = None,
    host: Host = "0.0.0.0",
    name: Names = None,
    proxy: Proxies = None,
    port: Annotated[int, typer.Option(help="Port to listen on; 0 picks a free one.", min=0, max=65535)] = 8020,
    no_qr: NoQr = False,
    as_json: AsJson = False,
) -> None:
    """Run the hub: tables hand their journals over, judges look at `/hall`."""
    from api.hall.keys import read_event_keys

    read = read_event_keys(keys)
    try:
        from api.server import hub_wiring
    except ImportError as wrong:
        raise BadInput(f"{_INSTALL} ({wrong})", field="hub", value=None) from wrong
    listen = ListenOptions(
        host=host, port=port, qr=not no_qr, as_json=as_json, names=tuple(name or ()), proxies=tuple(proxy or ())
    )
    hub_wiring.serve_hub(
        read, database or _sqlite_in(data), listen, nats=nats, replicas=replicas, lists=lists, games=games
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
        told = f"{event!r} is no name of an event: small letters, digits and dashes, at most 40"
        raise BadInput(told, field="event", value=event) from wrong
