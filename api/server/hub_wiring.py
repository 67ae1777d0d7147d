"""Hub wiring: the hall's database, and the server in front of it."""

import asyncio
from contextlib import closing
from pathlib import Path

from api.hall.hub_app import Feed, create_hub_app, no_broker
from api.hall.keys import EventKeys
from api.hall.nats_feed import NatsFeed
from api.hall.store import HallStore
from api.server.bind import ListenOptions
from api.server.hub_games import add_games
from api.server.serve import serve


def serve_hub(
    keys: EventKeys,
    database: str,
    listen: ListenOptions,
    *,
    nats: str | None,
    replicas: int,
    lists: Path | None,
    games: Path | None = None,
) -> None:
    """Serve the hall until interrupted. Raises: BadInput, HallStoreFailed, HubAway, HubRefused, NoJetStream."""
    broker: Feed = no_broker
    if nats is not None:
        feed = NatsFeed(nats, keys, replicas=replicas)
        asyncio.run(feed.check())  # before any address is printed
        broker = feed.run
    with closing(HallStore(database, keys.event, tables=[one.table for one in keys.tables])) as store:
        app = create_hub_app(store, keys, broker=broker, names=listen.names, lists=lists)
        if games is not None:
            add_games(app, games)
        serve(app, listen)
