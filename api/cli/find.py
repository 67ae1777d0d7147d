"""`tableside find`: the tables and hubs of this network that announce themselves."""

import importlib.util
import json
from dataclasses import asdict
from typing import Annotated

import typer

from api.cli.invocation import wants_json
from models.errors import BadInput, SourceLost

EXTRA = "pip install 'tableside[announce]'"
_LISTEN_S = 3.0

Seconds = Annotated[float, typer.Option("--wait", help="Seconds to listen.", min=0.1, max=60)]


def require_zeroconf(field: str) -> None:
    """Raises: BadInput when the extra is not installed."""
    if importlib.util.find_spec("zeroconf") is None:
        raise BadInput(f"{field} needs the extra: {EXTRA}", field=field, value=True)


def find_tables(context: typer.Context, wait_s: Seconds = _LISTEN_S) -> None:
    """List the tables and hubs of this network that announce themselves (`announce = true` in their settings)."""
    require_zeroconf("find")
    from api.server.announcement import find_servers  # with zeroconf, an extra

    try:
        servers = find_servers(wait_s)
    except OSError as wrong:
        raise SourceLost(f"this machine is in no network: {wrong}", field="network", value=None) from wrong
    if wants_json(context):
        typer.echo(json.dumps([asdict(server) for server in servers], ensure_ascii=False))
        return
    if not servers:
        typer.echo("Nobody announces itself: set `announce = true` there; a guests' Wi-Fi may keep devices apart.")
    for server in servers:
        typer.echo(f"{server.kind:6}{server.url:32}{server.name}")
