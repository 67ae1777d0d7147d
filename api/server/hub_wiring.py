"""Hub wiring: the hall's database, and the server in front of it."""

from contextlib import closing
from pathlib import Path

from api.hall.hub_app import create_hub_app, no_broker
from api.hall.keys import EventKeys
from api.hall.nats_feed import NatsFeed
from api.hall.store import HallStore
from api.server.bind import ListenOptions
from api.server.serve import serve


def serve_hub(
    keys: EventKeys, database: str, listen: ListenOptions, *, nats: str | None, replicas: int, lists: Path | None
) -> None:
    """Serve the hall until interrupted. Raises: BadInput, HallStoreFailed."""
    broker = no_broker if nats is None else NatsFeed(nats, keys, replicas=replicas).run
    with closing(HallStore(database, keys.event, tables=[one.table for one in keys.tables])) as store:
        serve(create_hub_app(store, keys, broker=broker, names=listen.names, lists=lists), listen)
