"""`tableside replay`: a kept game again, with a bar to move through it."""

from pathlib import Path
from typing import Annotated

import typer

from api.cli.hosting_options import AsJson, Host, Names, NoQr, Port
from api.server.bind import ListenOptions
from models.errors import BadFile


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("replay")(replay_game)


def replay_game(
    game: Annotated[
        Path, typer.Argument(help="The folder that `--data` named, or a GAME.zip from `tableside export`.")
    ],
    host: Host = "0.0.0.0",
    name: Names = None,
    port: Port = 8017,
    no_qr: NoQr = False,
    as_json: AsJson = False,
) -> None:
    """Serve the player's page over a kept game: scrub, play, ask any question of any moment. Nothing is changed."""
    if not game.exists():
        raise BadFile(f"{game}: there is no such file or folder", field="game", value=str(game))
    from api.server.replay import serve_replay  # here, so that no other command waits for the web server

    serve_replay(game, ListenOptions(host=host, port=port, qr=not no_qr, as_json=as_json, names=tuple(name or ())))
